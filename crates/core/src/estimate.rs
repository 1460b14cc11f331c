//! About what each number of a guarantee costs, before any run: a short search on a sample of the rows, published as a run would
//! publish it. A short search errs high, and so does a sample: its records lie farther apart than those of the whole table.

use std::sync::Arc;

use lookalike_model::settings::{
    BoundWork, Budget, Method, Missing, MissingPolicy, Model, Repair, RowsAre, Settings,
};
use lookalike_table::{Column, Dictionary, Table};
use lookalike_words::Said;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap;

use crate::{
    Error,
    eligibility::{ColumnCounts, column_counts, explain, is_eligible},
    pipeline::{Outcome, Run},
    prepare::{Use, pinned_before, stream},
};

/// Most rows of a sample.
pub const SAMPLE: usize = 2_000;

/// Effort of the search for one number.
const EFFORT: f64 = 0.3;

lookalike_words::messages! {
    in "core";

    /// Why there is no estimate.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NoEstimate {
        /// The number is larger than the sample.
        SmallSample {
            /// Rows of the sample.
            rows: usize,
        },
        /// What would be published has no certainty penalty, as means have none.
        NotMeasurable,
    }
}

/// A sample of a table, and short settings for it.
#[derive(Clone, Debug)]
pub struct Estimates {
    sample: Arc<Table>,
    settings: Settings,
    /// Whether the sample is a part of the table.
    is_part: bool,
    /// Of a part of a table that must be eligible as it is: the sensitive values of the whole table.
    counts: Option<ColumnCounts>,
}

impl Estimates {
    /// A sample for these settings, whatever number they say. Cells that are not known count as a value where no policy says what
    /// they mean, and rows as people where nobody said what they are. The same table, settings and seed give the same sample.
    ///
    /// # Errors
    /// If the table lacks the sensitive column.
    pub fn new(table: &Arc<Table>, settings: &Settings) -> Result<Self, Error> {
        let settings = short(settings);
        let Some(rows) = sampled(table, &settings) else {
            return Ok(Self { sample: Arc::clone(table), settings, is_part: false, counts: None });
        };
        let as_it_is = settings.eligibility == Repair::Error
            && matches!(settings.model, Model::MInvariance { .. })
            && !matches!(settings.rows_are, Some(RowsAre::EventsOf(_)));
        let counts = match &settings.sensitive {
            Some(name) if as_it_is => Some(column_counts(table, name, &settings.missing)?),
            _ => None,
        };
        // A kind that is found in the cells may be found otherwise in some of them.
        let settings = pinned_before(&settings, table);
        Ok(Self { sample: Arc::new(part(table, &rows)), settings, is_part: true, counts })
    }

    /// Rows of the sample.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.sample.rows
    }

    /// The run whose [`loss`] is the estimate for this number, as k or m.
    ///
    /// # Errors
    /// If the table is not eligible, as the run on the table itself would say it; [`NoEstimate::SmallSample`].
    pub fn run(&self, number: u32) -> Result<Run, Said> {
        let number = number as usize;
        let mut settings = self.settings.clone();
        settings.model = match settings.model {
            Model::MInvariance { .. } => Model::MInvariance { m: number },
            Model::KAnonymity { .. } => Model::KAnonymity { k: number },
        };
        if let Some(ColumnCounts { counts, values, .. }) = &self.counts {
            if !is_eligible(counts, number as u64) {
                return Err(explain(counts, values, number as u64).said());
            }
            // A sample may miss by a row what the table just reaches.
            settings.eligibility = Repair::Delete;
        }
        // A set is kept by what all columns keep.
        settings.sets.retain(|set| set.k > number);
        let largest = settings.sets.iter().map(|set| set.k).max().unwrap_or(number);
        if self.is_part && largest > self.rows() {
            return Err(NoEstimate::SmallSample { rows: self.rows() }.into());
        }
        Ok(Run::new(Arc::clone(&self.sample), settings, Vec::new()))
    }
}

/// Certainty penalty of a published cell, 0 to 1: the report's figure of the published form.
///
/// # Errors
/// [`NoEstimate::NotMeasurable`].
pub fn loss(outcome: &Outcome) -> Result<f64, NoEstimate> {
    outcome.exact().utility.gcp_mean.ok_or(NoEstimate::NotMeasurable)
}

/// Settings of a short run that asks nothing.
fn short(settings: &Settings) -> Settings {
    let known = |policy: MissingPolicy| match policy {
        MissingPolicy::Error => MissingPolicy::Value,
        other => other,
    };
    // Conditions are about known values: where nobody said what becomes of others, their rows are left out.
    let of_secret = |policy: MissingPolicy| match policy {
        MissingPolicy::Error if settings.has_conditions() => MissingPolicy::Drop,
        other => known(other),
    };
    let Missing { markers, sensitive, quasi, columns } = settings.missing.clone();
    let is_secret = |name: &String| {
        settings.sensitive.as_ref() == Some(name) || settings.conditions_of.contains_key(name)
    };
    let of = |(name, policy)| {
        let policy = if is_secret(&name) { of_secret(policy) } else { known(policy) };
        (name, policy)
    };
    let columns = columns.into_iter().map(of).collect();
    Settings {
        method: Method::default(),
        budget: Budget::Effort(EFFORT),
        bound: BoundWork::Off,
        duals: false,
        missing: Missing { markers, sensitive: of_secret(sensitive), quasi: known(quasi), columns },
        rows_are: Some(settings.rows_are.clone().unwrap_or(RowsAre::People)),
        seed: Some(settings.seed.unwrap_or(0)),
        ..settings.clone()
    }
}

/// The rows of a sample, ascending; `None` if all rows are in it. Sensitive values keep their shares to a row, and persons with
/// several rows have all of them or none.
fn sampled(table: &Table, settings: &Settings) -> Option<Vec<u32>> {
    if table.rows <= SAMPLE {
        return None;
    }
    let mut rows: Vec<u32> = (0..table.rows as u32).collect();
    rows.shuffle(&mut stream(settings.seed.unwrap_or(0), Use::Estimate));
    let column = |name: &String| table.column(name);
    if let Some(RowsAre::EventsOf(key)) = &settings.rows_are {
        if let Some(key) = column(key) {
            rows = of_persons(&rows, key);
        }
    } else if let Some(sensitive) = settings.sensitive.as_ref().and_then(column) {
        rows.sort_by_key(|&row| sensitive.cells[row as usize]);
    }
    let (all, most) = (rows.len(), rows.len().min(SAMPLE));
    let mut rows: Vec<u32> =
        (0..most as u64).map(|at| rows[(at * all as u64 / most as u64) as usize]).collect();
    rows.sort_unstable();
    Some(rows)
}

/// All rows of the first persons, [`SAMPLE`] rows at most unless the first one has more.
fn of_persons(rows: &[u32], key: &Column) -> Vec<u32> {
    let person = |row: u32| key.cells[row as usize] as usize;
    let mut sizes = vec![0; key.values.len()];
    for &row in rows {
        sizes[person(row)] += 1;
    }
    let mut is_in = vec![false; sizes.len()];
    let mut taken = 0;
    for &row in rows {
        let person = person(row);
        if !is_in[person] {
            if taken > 0 && taken + sizes[person] > SAMPLE {
                break;
            }
            (is_in[person], taken) = (true, taken + sizes[person]);
        }
    }
    rows.iter().copied().filter(|&row| is_in[person(row)]).collect()
}

/// These rows of a table, as if the others were not in its file.
fn part(table: &Table, rows: &[u32]) -> Table {
    let of = |column: &Column| {
        let mut values = Dictionary::default();
        let mut codes: FxHashMap<u32, u32> = FxHashMap::default();
        let cell = |&row: &u32| {
            let code = column.cells[row as usize];
            *codes.entry(code).or_insert_with(|| {
                values.push(&column.values[code as usize]);
                values.len() as u32 - 1
            })
        };
        let cells = rows.iter().map(cell).collect();
        Column { name: column.name.clone(), texts: column.texts, values, cells }
    };
    Table {
        header: table.header.clone(),
        columns: table.columns.iter().map(of).collect(),
        rows: rows.len(),
        renamed: table.renamed.clone(),
        warnings: table.warnings.clone(),
        first_row: table.first_row,
        notes: table.notes.clone(),
        described: table.described.clone(),
        dialect: table.dialect,
        digest: table.digest,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lookalike_model::Ctx;
    use lookalike_table::{ReadOptions, read};

    use super::*;
    use crate::pipeline::prepare;

    /// Rows with an age, a diagnosis (so many of each) and the key of a person who has three rows.
    fn table(diagnoses: &[usize]) -> Arc<Table> {
        let all = diagnoses.iter().enumerate().flat_map(|(at, &rows)| vec![at; rows]);
        let csv = all.enumerate().fold(String::from("key,age,diagnosis\n"), |csv, (row, at)| {
            csv + &format!("p{},{},d{at}\n", row / 3, 20 + (row * 37) % 61)
        });
        Arc::new(read(csv.as_bytes(), &ReadOptions::default()).unwrap())
    }

    fn settings() -> Settings {
        Settings {
            quasi: vec![String::from("age")],
            sensitive: Some(String::from("diagnosis")),
            seed: Some(3),
            ..Settings::of(Model::MInvariance { m: 2 })
        }
    }

    #[test]
    fn a_sample_keeps_the_shares_of_the_sensitive_values() {
        let table = table(&[3000, 1500, 1400, 100]);
        let rows = sampled(&table, &settings()).unwrap();
        assert!(rows.len() == SAMPLE && rows.is_sorted_by(|a, b| a < b));
        assert!(rows[0] < 100 && rows[SAMPLE - 1] > 5900, "from the whole table");
        let part = part(&table, &rows);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, &row) in rows.iter().enumerate() {
            for (column, whole) in part.columns.iter().zip(&table.columns) {
                assert_eq!(column.cell(at), whole.cell(row as usize));
            }
            *counts.entry(part.columns[2].cell(at)).or_default() += 1;
        }
        for (value, whole) in [("d0", 3000), ("d1", 1500), ("d2", 1400), ("d3", 100)] {
            assert!(counts[value].abs_diff(whole / 3) <= 1, "{counts:?}");
        }
        // Values that are not in the sample are not in its columns.
        assert!(part.columns[0].values.len() <= SAMPLE);
        assert_ne!(rows, sampled(&table, &Settings { seed: Some(4), ..settings() }).unwrap());
        assert_eq!(rows, sampled(&table, &settings()).unwrap());
    }

    #[test]
    fn a_person_is_in_the_sample_with_all_rows_or_none() {
        let table = table(&[4000, 2000]);
        let rows_are = Some(RowsAre::EventsOf(String::from("key")));
        let rows = sampled(&table, &Settings { rows_are, ..settings() }).unwrap();
        assert_eq!(rows.len(), SAMPLE / 3 * 3);
        let mut of: BTreeMap<u32, usize> = BTreeMap::new();
        for row in &rows {
            *of.entry(row / 3).or_default() += 1;
        }
        assert!(of.values().all(|rows| *rows == 3));
    }

    /// Eligibility is that of the table, and is told in the same words.
    #[test]
    fn the_whole_table_decides_which_numbers_are_possible() {
        let ctx = Ctx::silent();
        // A third of 6,001 rows, rounded down, has d0: as many as m = 3 allows.
        let table = table(&[2000, 1999, 2002 - 800, 800]);
        let estimates = Estimates::new(&table, &settings()).unwrap();
        assert_eq!(estimates.rows(), SAMPLE);
        assert!(matches!(estimates.run(3).unwrap().next(&ctx), Ok(crate::pipeline::Need::Solve { .. })));
        let rows_are = Some(RowsAre::People);
        let direct = Settings { model: Model::MInvariance { m: 4 }, rows_are, ..settings() };
        let why = prepare(&table, &direct, &ctx).unwrap_err().said();
        assert_eq!(estimates.run(4).unwrap_err(), why);
        // A number that the sample cannot tell anything about.
        let hidden = Settings { model: Model::KAnonymity { k: 2 }, sensitive: None, ..settings() };
        let why = Estimates::new(&table, &hidden).unwrap().run(2001).unwrap_err();
        assert_eq!(why, NoEstimate::SmallSample { rows: SAMPLE }.into());
    }

    #[test]
    fn a_small_table_is_its_own_sample_and_missing_cells_stop_nothing() {
        let text = "age,diagnosis\n30,flu\n?,gout\n34,flu\n35,?\n";
        let table = Arc::new(read(text.as_bytes(), &ReadOptions::default()).unwrap());
        assert!(prepare(&table, &settings(), &Ctx::silent()).is_err());
        let estimates = Estimates::new(&table, &settings()).unwrap();
        assert!(Arc::ptr_eq(&estimates.sample, &table));
        assert!(estimates.run(2).unwrap().next(&Ctx::silent()).is_ok());
        // Conditions are about known values.
        let l = lookalike_model::rule::Several::try_from(2).unwrap();
        let conditions = vec![lookalike_model::settings::ValueCondition::DistinctDiversity { l }];
        let model = Model::KAnonymity { k: 2 };
        let conditioned = Settings { model, conditions, ..settings() };
        let estimates = Estimates::new(&table, &conditioned).unwrap();
        let next = estimates.run(2).unwrap().next(&Ctx::silent()).map(|_| ());
        assert!(next.is_ok(), "{next:?}");
    }
}
