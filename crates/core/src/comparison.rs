//! A finished run beside its original: row by row, column by column. For whoever holds the data; none of it is published.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_audit::measure::{Bin as AuditBin, Reading, correlations, link, spread};
use lookalike_model::{
    comparison::{Beside, Bin, Correlation, Row},
    report::Risk,
};
use lookalike_table::{ReadOptions, Reading as Cells, Role, Table, read};
use lookalike_words::Said;

use crate::{
    Error, Unusable,
    browse::group_sizes,
    prepare::{CLASS, Prepared, published},
    release::{Outcome, audit_dialect, measured, raw_risk, reading},
};

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
        Ok(Self { links, columns, fates, reading, cells, published: released })
    }

    /// Rows of the original from this one on, at most so many, each beside what is published for it.
    #[must_use]
    pub fn rows(&self, table: &Table, from: usize, count: usize) -> Vec<Row> {
        let end = from.saturating_add(count).min(self.links.len());
        (from.min(end)..end).map(|row| self.row(table, row)).collect()
    }

    fn row(&self, table: &Table, row: usize) -> Row {
        let before: Vec<String> =
            self.columns.iter().map(|(column, _)| table.columns[*column].cell(row).to_owned()).collect();
        let Some((at, label)) = self.links[row] else {
            let fate = self.fates.get(&row).map(|fate| fate.as_ref().clone());
            return Row { before, after: Vec::new(), class: String::new(), fate };
        };
        // Published columns stand in the input's order; classes share the cells that are recoded.
        let others = self.published.columns.iter();
        let after = others.zip(&self.columns).zip(&before).map(|((column, (_, kept)), own)| {
            if *kept { own.clone() } else { column.cell(at as usize).to_owned() }
        });
        Row { after: after.collect(), class: label.to_string(), fate: None, before }
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
        Ok(Beside {
            rows: table.rows,
            fates,
            statistics: outcome.private.statistics.clone(),
            risk: risk(table, &prepared.settings.quasi)?,
            groups: group_sizes(table, &prepared.settings.quasi)?,
            correlations: self.correlations(table, &prepared.settings.quasi)?,
        })
    }
}

/// How exposed the rows of a table are, published or not, if somebody knows these columns.
///
/// # Errors
/// If there is no such column, or none at all.
pub fn risk(table: &Table, quasi: &[String]) -> Result<Risk, Error> {
    raw_risk(table, quasi)
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
        let rows = look.rows(&table, 0, usize::MAX);
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
        assert_eq!(look.rows(&table, 5, 2), rows[5..7]);
        assert_eq!(look.rows(&table, 1000, 5), Vec::new());
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
        groups.values().for_each(|&size| *sizes.entry(size).or_default() += size);
        assert_eq!(beside.groups, sizes.into_iter().collect::<Vec<_>>());
        assert_eq!(beside.risk.marketer, groups.len() as f64 / table.rows as f64);
        assert!(risk(&table, &[]).is_err());
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
