//! A finished run beside its original: row by row, column by column. For whoever holds the data; none of it is published.

use std::{cell::OnceCell, collections::BTreeMap, sync::Arc};

use lookalike_audit::{
    alike,
    attacks::{Attacks, attack},
    measure::{Bin as AuditBin, Reading, cell_penalties, correlations, link, spread},
};
use lookalike_model::{
    comparison::{Beside, Bin, Correlation, Likeness, Row, RowOrder},
    report::Risk,
    statement::Attempts,
};
use lookalike_table::{ReadOptions, Reading as Cells, Role, Table, read};
use lookalike_words::Said;

use crate::{
    Error, Unusable,
    browse::{group_sizes, likeness},
    check::attempts,
    prepare::{CLASS, Prepared, published},
    release::{Outcome, audit_dialect, measured, of_published, people_risk, raw_risk, reading},
};

/// Most rows of a class that are shown.
pub const CLASS_ROWS: usize = 200;

/// A finished run beside its original.
#[derive(Clone, Debug)]
pub struct Look {
    published: Table,
    /// For each input row the first published row of its class, or of one that is published alike, and its class; if it is
    /// published.
    links: Vec<Option<(u32, u32)>>,
    /// For each published column but the class: its place in the input, and whether it is published as it is.
    columns: Vec<(usize, bool)>,
    /// Why rows are not published.
    fates: BTreeMap<usize, Arc<Said>>,
    reading: Reading,
    /// What each published row loses; `None` until somebody asks.
    losses: OnceCell<Vec<f64>>,
    /// The input's rows by what they lose, likewise.
    order: OnceCell<Vec<u32>>,
    /// The quasi-identifiers, and how their published cells are measured.
    quasi: (Vec<String>, Reading),
    /// How the cells of each published column are read, by its name.
    cells: BTreeMap<String, Cells>,
}

impl Look {
    /// Of this run on this table.
    ///
    /// # Errors
    /// If the run's own files cannot be read.
    pub fn new(table: &Table, prepared: &Prepared, outcome: &Outcome) -> Result<Self, Error> {
        let reading = reading(prepared);
        let released = measured(&outcome.published, audit_dialect(outcome.report.audit.dialect), &reading)?;
        let classes = read(&outcome.classes, &ReadOptions::default())?;
        let class = classes.column(CLASS).ok_or(Unusable::NoClasses)?;
        // Classes stand one after the other, in the order of their labels; where these are not published, those that are
        // published alike are mixed.
        let mut sizes: BTreeMap<u32, u32> = BTreeMap::new();
        for label in (0..classes.rows).filter_map(|row| class.cell(row).parse().ok()) {
            *sizes.entry(label).or_default() += 1;
        }
        let mut next = 0;
        let first: BTreeMap<u32, u32> = sizes
            .into_iter()
            .map(|(label, size)| {
                next += size;
                (label, next - size)
            })
            .collect();
        let links = link(&classes, table.rows)?;
        let linked = |label: &Option<String>| {
            let label = label.as_deref()?.parse().ok()?;
            first.get(&label).map(|&at| (at, label))
        };
        let links = links.iter().map(linked).collect();
        let own = |role| matches!(role, Role::Sensitive | Role::Unchanged);
        let columns = published(&prepared.schema).map(|c| (c.index, own(c.role)));
        let fates = outcome.private.fates.iter().map(|fate| (fate.row, Arc::clone(&fate.reason)));
        let (columns, fates) = (columns.collect(), fates.collect());
        let cells = published(&prepared.schema).map(|c| (c.name.clone(), c.reading.clone())).collect();
        let quasi = (prepared.settings.quasi.clone(), of_published(&prepared.schema, &prepared.recodings));
        let (losses, order) = (OnceCell::new(), OnceCell::new());
        Ok(Self { links, columns, fates, reading, losses, order, quasi, cells, published: released })
    }

    /// Rows of the original in this order from this one on, at most so many, each beside what is published for it.
    #[must_use]
    pub fn rows(&self, table: &Table, order: RowOrder, (from, count): (usize, usize)) -> Vec<Row> {
        let end = from.saturating_add(count).min(self.links.len());
        let places = from.min(end)..end;
        match order {
            RowOrder::File => places.map(|row| self.row(table, row)).collect(),
            RowOrder::MostChanged => {
                self.most_changed()[places].iter().map(|&row| self.row(table, row as usize)).collect()
            }
        }
    }

    /// The first [`CLASS_ROWS`] rows of a class, and how many there are.
    #[must_use]
    pub fn class(&self, table: &Table, class: &str) -> (Vec<Row>, usize) {
        let label: Option<u32> = class.parse().ok();
        let is_in = |link: &Option<(u32, u32)>| link.is_some_and(|(_, of)| Some(of) == label);
        let rows: Vec<usize> = (0..self.links.len()).filter(|&row| is_in(&self.links[row])).collect();
        (rows.iter().take(CLASS_ROWS).map(|&row| self.row(table, row)).collect(), rows.len())
    }

    /// What a row of the original loses: the certainty penalty of its published quasi-identifiers, added up; `None` if it is not
    /// published. A column that cannot be measured counts for nothing.
    #[must_use]
    pub fn loss(&self, row: usize) -> Option<f64> {
        let (at, _) = self.links[row]?;
        Some(self.losses()[at as usize])
    }

    fn losses(&self) -> &[f64] {
        self.losses.get_or_init(|| {
            let mut losses = vec![0.0; self.published.rows];
            let (quasi, reading) = &self.quasi;
            for column in quasi.iter().filter_map(|name| self.published.column(name)) {
                let Ok(penalties) = cell_penalties(column, reading) else { continue };
                for (loss, &code) in losses.iter_mut().zip(&column.cells) {
                    *loss += penalties[code as usize];
                }
            }
            losses
        })
    }

    /// Numbers of all rows, those that lose most first.
    fn most_changed(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let mut order: Vec<u32> = (0..self.links.len() as u32).collect();
            // Rows that are not published lose less than any other here.
            let loss = |row: u32| self.loss(row as usize).unwrap_or(-1.0);
            order.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
            order
        })
    }

    fn row(&self, table: &Table, row: usize) -> Row {
        let before: Vec<String> =
            self.columns.iter().map(|(column, _)| table.columns[*column].cell(row).to_owned()).collect();
        let Some((at, label)) = self.links[row] else {
            let fate = self.fates.get(&row).map(|fate| fate.as_ref().clone());
            return Row { number: row, before, fate, ..Row::default() };
        };
        // Published columns stand in the input's order; classes share the cells that are recoded.
        let others = self.published.columns.iter();
        let after = others.zip(&self.columns).zip(&before).map(|((column, (_, kept)), own)| {
            if *kept { own.clone() } else { column.cell(at as usize).to_owned() }
        });
        Row { number: row, after: after.collect(), class: label.to_string(), fate: None, before }
    }

    /// How often the values of a column occur before and after.
    ///
    /// # Errors
    /// If there is no such column, or its published cells cannot be measured.
    pub fn spread(&self, table: &Table, column: &str) -> Result<Vec<Bin>, Error> {
        let bins = spread(table, &self.published, column, &self.reading)?;
        let cells = self.cells.get(column);
        Ok(bins.into_iter().map(|found| bin(found, cells)).collect())
    }

    fn correlations(&self, table: &Table, quasi: &[String]) -> Result<Vec<Correlation>, Error> {
        let found = correlations(table, &self.published, quasi, &self.reading)?;
        let told = found.into_iter().map(|found| Correlation {
            one: found.columns.0,
            other: found.columns.1,
            before: found.before,
            after: found.after,
        });
        Ok(told.collect())
    }

    /// The original as a whole.
    ///
    /// # Errors
    /// As [`risk`].
    pub fn beside(&self, table: &Table, prepared: &Prepared, outcome: &Outcome) -> Result<Beside, Error> {
        let mut fates: BTreeMap<&Said, usize> = BTreeMap::new();
        for reason in self.fates.values() {
            *fates.entry(reason).or_default() += 1;
        }
        let mut fates: Vec<(Said, usize)> =
            fates.into_iter().map(|(reason, rows)| (reason.clone(), rows)).collect();
        fates.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let settings = &prepared.settings;
        let by = Likeness::of(settings);
        Ok(Beside {
            rows: table.rows,
            fates,
            statistics: outcome.private.statistics.clone(),
            risk: risk(table, &by, settings.threshold())?,
            groups: group_sizes(likeness(table, &by)?.people()),
            groups_after: group_sizes(&alike(&self.published, &self.quasi.0, None)?.rows),
            correlations: self.correlations(table, &by.quasi)?,
        })
    }
}

/// Tries attacks on what a finished run publishes, with its source as the original, by the run's quasi-identifiers and for its
/// sensitive column. `control`: rows like those of the source that nothing published was made of, read as the source was.
///
/// # Errors
/// If the published bytes cannot be read again, or the control lacks a column.
pub fn attacked(
    table: &Table,
    prepared: &Prepared,
    outcome: &Outcome,
    control: Option<&Table>,
    wanted: &Attacks,
) -> Result<Attempts, Error> {
    let reading = reading(prepared);
    let released = measured(&outcome.published, audit_dialect(outcome.report.audit.dialect), &reading)?;
    let settings = &prepared.settings;
    let wanted =
        Attacks { columns: settings.quasi.clone(), secret: settings.sensitive.clone(), ..wanted.clone() };
    let found = attack(&released, table, control, &wanted, &reading)?;
    Ok(attempts(&wanted, &found))
}

/// How exposed the people of a table are, published or not, if somebody knows the quasi-identifiers; those count as at risk that are
/// found with a probability above the threshold. A person with several rows is as exposed as the one that has the fewest like it.
///
/// # Errors
/// If there is no such column, or none at all, or the threshold is no probability.
pub fn risk(table: &Table, by: &Likeness, threshold: f64) -> Result<Risk, Error> {
    match by.person {
        None => raw_risk(table, &by.quasi, threshold),
        Some(_) => people_risk(likeness(table, by)?.people(), threshold),
    }
}

fn bin(bin: AuditBin, cells: Option<&Cells>) -> Bin {
    let label = match (bin.range, bin.label) {
        (Some((from, to)), _) if from == to => written(from, cells),
        (Some((from, to)), _) => format!("{} - {}", written(from, cells), written(to, cells)),
        (None, label) => label.unwrap_or_default(),
    };
    Bin { label, missing: bin.missing, before: bin.before, after: bin.after }
}

/// A number, day number or rank as the column has it.
fn written(x: f64, cells: Option<&Cells>) -> String {
    let own = match cells {
        Some(Cells::Dates(format)) => format.write(x),
        Some(Cells::Ranks(values)) => values.get(x.round() as usize).cloned(),
        _ => None,
    };
    own.unwrap_or_else(|| number(x))
}

/// Three decimals at most.
fn number(x: f64) -> String {
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        Ctx,
        settings::{Budget, Model, Repair, Settings},
    };
    use lookalike_optimize::solve::solve;

    use super::*;
    use crate::{demo, pipeline};

    fn run(settings: &Settings) -> (Table, Prepared, Outcome) {
        let table = read(demo::hospital(200, 7).as_bytes(), &ReadOptions::default()).unwrap();
        let ctx = Ctx::silent();
        let prepared = pipeline::prepare(&table, settings, &ctx).unwrap();
        let answer = solve(prepared.job(), &ctx).unwrap();
        let outcome = pipeline::finish(&table, &prepared, &answer, &ctx).unwrap();
        (table, prepared, outcome)
    }

    fn settings() -> Settings {
        Settings {
            quasi: vec![String::from("age"), String::from("sex")],
            sensitive: Some(String::from("diagnosis")),
            eligibility: Repair::Delete,
            budget: Budget::Effort(0.5),
            bound: lookalike_model::settings::BoundWork::Quick,
            duals: false,
            seed: Some(3),
            ..Settings::of(Model::MInvariance { m: 6 })
        }
    }

    /// A day is told as the column writes it, a rank as its label.
    #[test]
    fn days_and_ranks_are_told_in_words() {
        let csv = (0..40).fold(String::from("day,pain\n"), |csv, i| {
            csv + &format!("{:02}.03.2024,{}\n", 1 + i % 20, ["low", "middle", "high"][i % 3])
        });
        let table = read(csv.as_bytes(), &ReadOptions::default()).unwrap();
        let order = ["low", "middle", "high"].map(String::from).to_vec();
        let settings = Settings {
            quasi: vec![String::from("day"), String::from("pain")],
            orders: [(String::from("pain"), order)].into(),
            budget: Budget::Effort(0.5),
            bound: lookalike_model::settings::BoundWork::Quick,
            duals: false,
            seed: Some(3),
            ..Settings::of(Model::KAnonymity { k: 4 })
        };
        let ctx = Ctx::silent();
        let prepared = pipeline::prepare(&table, &settings, &ctx).unwrap();
        let answer = solve(prepared.job(), &ctx).unwrap();
        let outcome = pipeline::finish(&table, &prepared, &answer, &ctx).unwrap();
        let look = Look::new(&table, &prepared, &outcome).unwrap();
        let labels = |column| {
            let bins = look.spread(&table, column).unwrap();
            bins.into_iter().map(|bin| bin.label).collect::<Vec<_>>()
        };
        let days = labels("day");
        assert!(days[0].starts_with("01.03.2024"), "{days:?}");
        assert!(days.iter().all(|day| day.contains(".03.2024")), "{days:?}");
        let pains = labels("pain");
        assert!(
            pains[0].starts_with("low") && pains.iter().all(|pain| !pain.contains(['0', '1', '2'])),
            "{pains:?}"
        );
    }

    /// All rows together are the published table, row for row, but for its order.
    #[test]
    fn each_row_stands_beside_what_is_published_for_it() {
        let (table, prepared, outcome) = run(&settings());
        let look = Look::new(&table, &prepared, &outcome).unwrap();
        let rows = look.rows(&table, RowOrder::File, (0, usize::MAX));
        assert_eq!(rows.len(), table.rows);
        let mut seen: Vec<Vec<String>> = (rows.iter().filter(|row| !row.after.is_empty()))
            .map(|row| row.after.iter().cloned().chain([row.class.clone()]).collect())
            .collect();
        let class = outcome.header.iter().position(|name| name == CLASS).unwrap();
        let released = read(&outcome.published, &ReadOptions::default()).unwrap();
        let mut expected: Vec<Vec<String>> = (0..released.rows)
            .map(|row| {
                let mut cells: Vec<String> =
                    released.columns.iter().map(|column| column.cell(row).to_owned()).collect();
                let label = cells.remove(class);
                cells.push(label);
                cells
            })
            .collect();
        seen.sort();
        expected.sort();
        assert_eq!(seen, expected);
        let dropped = rows.iter().filter(|row| row.after.is_empty()).collect::<Vec<_>>();
        assert_eq!(dropped.len(), outcome.report.changes.deletions);
        assert!(
            dropped
                .iter()
                .all(|row| row.fate.as_ref().is_some_and(|fate| fate.to_string().contains("eligib"))),
            "{dropped:?}"
        );
        let some = |order, from, count| look.rows(&table, order, (from, count));
        assert_eq!(some(RowOrder::File, 5, 2), rows[5..7]);
        assert_eq!(some(RowOrder::File, 1000, 5), Vec::new());
        assert!(rows.iter().enumerate().all(|(number, row)| row.number == number));

        // A class has its rows and no others, by their labels.
        for class in ["1", "2"] {
            let of_class: Vec<Row> = rows.iter().filter(|row| row.class == class).cloned().collect();
            assert!(!of_class.is_empty());
            assert_eq!(look.class(&table, class), (of_class.clone(), of_class.len()));
        }
        assert_eq!(look.class(&table, ""), (Vec::new(), 0));

        // By hand: a range of ages costs its width over that of all ages, "{f, m}" half.
        let at = |name: &str| outcome.header.iter().position(|other| other == name).unwrap();
        let (age, sex) = (at("age"), at("sex"));
        let ends = |row: &Row| {
            let cell = row.after[age].trim_matches(['[', ']']);
            let (low, high) = cell.split_once('-').unwrap_or((cell, cell));
            (low.parse::<f64>().unwrap(), high.parse::<f64>().unwrap())
        };
        let published: Vec<&Row> = rows.iter().filter(|row| !row.after.is_empty()).collect();
        let least = published.iter().map(|row| ends(row).0).fold(f64::INFINITY, f64::min);
        let most = published.iter().map(|row| ends(row).1).fold(0.0, f64::max);
        let loss = |row: &Row| {
            let (low, high) = ends(row);
            (high - low) / (most - least) + if row.after[sex].contains(',') { 0.5 } else { 0.0 }
        };
        for row in &rows {
            let told = look.loss(row.number);
            assert_eq!(told.is_some(), !row.after.is_empty());
            assert!(told.is_none_or(|told| (told - loss(row)).abs() < 1e-9), "{row:?}: {told:?}");
        }
        let total: f64 = published.iter().map(|row| loss(row)).sum();
        let mean = outcome.report.utility.gcp_mean.unwrap();
        assert!((total / published.len() as f64 / 2.0 - mean).abs() < 1e-9, "{total} {mean}");
        let changed = some(RowOrder::MostChanged, 0, usize::MAX);
        let mut by_hand = rows.clone();
        // To 9 decimals: a sum in another order is another number.
        let key = |row: &Row| if row.after.is_empty() { -1.0 } else { (loss(row) * 1e9).round() };
        by_hand.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.number.cmp(&b.number)));
        let numbers = |rows: &[Row]| rows.iter().map(|row| row.number).collect::<Vec<_>>();
        assert_eq!(numbers(&changed), numbers(&by_hand));
        assert_eq!(some(RowOrder::MostChanged, 3, 4), changed[3..7]);
    }

    #[test]
    fn the_whole_is_told_beside_the_original() {
        let (table, prepared, outcome) = run(&settings());
        let look = Look::new(&table, &prepared, &outcome).unwrap();
        let beside = look.beside(&table, &prepared, &outcome).unwrap();
        assert_eq!(beside.fates.iter().map(|(_, rows)| rows).sum::<usize>(), outcome.private.fates.len());
        // By hand: groups of equal age and sex.
        let mut groups: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for row in 0..table.rows {
            let cell = |name: &str| table.column(name).unwrap().cell(row);
            *groups.entry((cell("age"), cell("sex"))).or_default() += 1;
        }
        assert_eq!(beside.risk.uniques, groups.values().filter(|size| **size == 1).count());
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for &size in groups.values() {
            *sizes.entry(size).or_default() += size;
        }
        assert_eq!(beside.groups, sizes.into_iter().collect::<Vec<_>>());
        assert_eq!(beside.risk.marketer, groups.len() as f64 / table.rows as f64);
        assert!(risk(&table, &Likeness::default(), 0.2).is_err());
    }

    #[test]
    fn columns_are_spread_before_and_after() {
        let (table, prepared, outcome) = run(&settings());
        let look = Look::new(&table, &prepared, &outcome).unwrap();
        for column in ["age", "sex", "diagnosis"] {
            let bins = look.spread(&table, column).unwrap();
            for sum in [bins.iter().map(|b| b.before).sum::<f64>(), bins.iter().map(|b| b.after).sum()] {
                assert!((sum - 1.0).abs() < 1e-9, "{column}: {bins:?}");
            }
        }
        assert!(look.spread(&table, "name").is_err(), "it is not published");
        assert_eq!([number(30.0), number(0.25), number(-1.0)], ["30", "0.25", "-1"]);
    }
}
