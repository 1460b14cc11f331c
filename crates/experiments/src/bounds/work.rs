//! A run, and what it proves.

use std::{cell::Cell, collections::HashMap, path::Path, time::Instant};

use anyhow::{Context, Result};
use lookalike_core::{
    pipeline::prepare,
    table::{ReadOptions, Table, read},
};
use lookalike_model::{Ctx, event::Progress, settings::Settings};
use lookalike_optimize::solve::solve_with;
use serde_json::json;

use crate::{cpu, parameters};

/// Where the records are from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// Records of Adult whose occupation is known, the first that are eligible for seven occupations.
    Adult {
        /// How many.
        records: usize,
    },
    /// All records of Adult.
    WholeAdult,
    /// The American Community Survey.
    Acs,
    /// A file of numbers.
    Numbers(&'static str),
}

/// What is promised.
#[derive(Clone, Copy)]
pub(super) enum Promise {
    /// Least records of a class.
    Records(usize),
    /// Least different sensitive values of a class.
    Values(usize),
}

/// A run.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) source: Source,
    pub(super) promise: Promise,
    pub(super) loss: &'static str,
    pub(super) method: &'static str,
    pub(super) seconds: f64,
    pub(super) seed: u64,
}

impl Work {
    /// The first columns of its row.
    pub(super) fn key(&self) -> Vec<String> {
        let table = match self.source {
            Source::Adult { records } => format!("Adult, {records} records"),
            Source::WholeAdult => String::from("whole Adult"),
            Source::Acs => String::from("ACS"),
            Source::Numbers(file) => file.trim_end_matches(".csv").to_owned(),
        };
        let promise = match self.promise {
            Promise::Records(k) => format!("k = {k}"),
            Promise::Values(m) => format!("m = {m}"),
        };
        vec![table, promise, self.loss.to_owned(), self.method.to_owned(), self.seed.to_string()]
    }

    /// The other columns.
    pub(super) fn row(&self, data: &Path) -> Result<Vec<String>> {
        let table = self.source.table(data)?;
        let (model, sensitive) = match self.promise {
            Promise::Records(k) => (json!({ "name": "k-anonymity", "k": k }), None),
            Promise::Values(m) => (json!({ "name": "m-invariance", "m": m }), Some(self.source.sensitive())),
        };
        let quasi = match self.source {
            Source::Adult { .. } | Source::WholeAdult => vec!["age", "sex", "education-num"],
            Source::Acs => vec!["AGEP", "SEX", "RAC1P", "SCHL"],
            Source::Numbers(_) => table.columns.iter().map(|column| column.name.as_str()).collect(),
        };
        let settings: Settings = serde_json::from_value(json!({
            "quasi": quasi, "sensitive": sensitive, "model": model, "loss": self.loss, "method": self.method,
            "budget": { "seconds": self.seconds }, "seed": self.seed,
        }))
        .context("the settings do not fit")?;
        let prepared = prepare(&table, &settings, &Ctx::silent())?;
        let (began, used) = (Instant::now(), cpu::used()?);
        let first = Cell::new(None);
        let clock = || began.elapsed().as_secs_f64();
        let progress = |told: &Progress| {
            if told.bound.is_some_and(|bound| bound > 0.0) && first.get().is_none() {
                first.set(Some(clock()));
            }
        };
        let ctx = Ctx { progress: &progress, clock: &clock, ..Ctx::silent() };
        let answer = solve_with(prepared.job(), parameters::chosen(), &ctx)?;
        let (loss, bound) = (answer.loss, answer.bound.as_ref().map_or(0.0, |bound| bound.value));
        let ratio = if loss > 0.0 { bound / loss } else { 1.0 };
        let ended = serde_json::to_value(&answer.status)?;
        let ended = ended["name"].as_str().or(ended.as_str()).unwrap_or_default().to_owned();
        Ok(vec![
            format!("{loss:.4}"),
            format!("{:.4}", (bound * 1e4).floor() / 1e4),
            format!("{:.4}", (ratio * 1e4).floor() / 1e4),
            format!("{:.3}", (100.0 * (1.0 - ratio) * 1e3).ceil() / 1e3),
            ended,
            first.get().map_or_else(|| String::from("none"), |first| format!("{first:.1}")),
            format!("{:.0}", cpu::used()? - used),
        ])
    }
}

impl Source {
    const fn sensitive(self) -> &'static str {
        match self {
            Self::Acs => "OCCP",
            Self::Adult { .. } | Self::WholeAdult | Self::Numbers(_) => "occupation",
        }
    }

    fn table(self, data: &Path) -> Result<Table> {
        let file = match self {
            Self::Adult { .. } | Self::WholeAdult => "adult-train.csv",
            Self::Acs => "acs.csv",
            Self::Numbers(file) => file,
        };
        let path = data.join(file);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let table = read(&bytes, &ReadOptions::default())?;
        match self {
            Self::Adult { records } => eligible(&table, records),
            _ => Ok(table),
        }
    }
}

/// The values that no class may lack, at most: no occupation is held by more than one in so many.
const VALUES: usize = 7;

/// The first `records` rows whose occupation is known, without those of an occupation that has its share already.
fn eligible(table: &Table, records: usize) -> Result<Table> {
    const COLUMNS: [&str; 4] = ["age", "sex", "education-num", "occupation"];
    let columns = COLUMNS.map(|name| table.column(name));
    let mut text = COLUMNS.join(",");
    let mut held: HashMap<&str, usize> = HashMap::new();
    let mut taken = 0;
    for row in 0..table.rows {
        let cells = columns.map(|column| column.map_or("", |column| column.cell(row).trim()));
        let of = held.entry(cells[3]).or_default();
        if taken == records || cells[3] == "?" || *of >= records / VALUES {
            continue;
        }
        *of += 1;
        taken += 1;
        text.push('\n');
        text.push_str(&cells.join(","));
    }
    anyhow::ensure!(taken == records, "there are only {taken} such records");
    text.push('\n');
    Ok(read(text.as_bytes(), &ReadOptions::default())?)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn no_occupation_is_held_by_more_than_its_share_and_none_is_unknown() {
        let mut text = String::from("age,sex,education-num,occupation\n");
        for row in 0..100 {
            let work =
                if row % 10 == 0 { "?" } else { ["a", "a", "b", "c", "d", "e", "f", "g", "h"][row % 9] };
            writeln!(text, "{row},F,{},{work}", row % 5).unwrap();
        }
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let part = eligible(&table, 49).unwrap();
        let work = part.column("occupation").unwrap();
        let count = |of: &str| (0..part.rows).filter(|&row| work.cell(row) == of).count();
        assert_eq!((part.rows, count("a"), count("?")), (49, 7, 0));
        assert!(eligible(&table, 99).is_err());
    }

    #[test]
    fn a_row_has_a_bound_that_is_no_greater_than_the_loss() {
        let folder = std::env::temp_dir().join(format!("lookalike-bounds-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut text = String::from("x,y\n");
        for row in 0..60_usize {
            writeln!(text, "{},{}", row * row % 83, row % 7).unwrap();
        }
        std::fs::write(folder.join("numbers.csv"), text).unwrap();
        let work = Work {
            source: Source::Numbers("numbers.csv"),
            promise: Promise::Records(3),
            loss: "sse",
            method: "column-generation",
            seconds: 1.0,
            seed: 1,
        };
        let row = work.row(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        assert!(number(0) > 0.0 && number(1) > 0.0 && number(1) <= number(0) + 1e-4, "{row:?}");
        assert!(number(2) <= 1.0 && number(3) >= 0.0, "{row:?}");
    }
}
