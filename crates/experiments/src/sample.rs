//! Parts of tables, as jobs: what the papers solved.

use std::path::Path;

use anyhow::{Context, Result};
use lookalike_core::{
    pipeline::prepare,
    table::{ReadOptions, Table, parse_number, read},
};
use lookalike_model::{Ctx, job::Job, settings::Settings};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

/// A table with its quasi-identifiers.
pub(crate) struct Sample {
    table: Table,
    /// The quasi-identifiers, and whether each is a number.
    quasi: Vec<(String, bool)>,
    sensitive: Option<&'static str>,
}

/// How Castro 2022 takes subsets (its section 6).
#[derive(Clone, Copy)]
pub(crate) enum Extraction {
    /// Rows one after another.
    Consecutive,
    /// Rows at random.
    Random,
    /// Rows one after another in the order of their norm.
    Norm,
    /// Rows one after another in the order of their distance from the mean row.
    Distance,
}

impl Extraction {
    pub(crate) const ALL: [Self; 4] = [Self::Consecutive, Self::Random, Self::Norm, Self::Distance];

    /// The papers' name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Consecutive => "cons",
            Self::Random => "rand",
            Self::Norm => "L2n",
            Self::Distance => "L2d",
        }
    }
}

/// Subsets of each kind.
pub(crate) const SUBSETS: usize = 5;

impl Sample {
    /// A whole file whose columns are all numbers and quasi-identifiers.
    pub(crate) fn of_numbers(data: &Path, file: &str) -> Result<Self> {
        let table = load(data, file)?;
        let quasi = table.columns.iter().map(|column| (column.name.clone(), true)).collect();
        Ok(Self { table, quasi, sensitive: None })
    }

    /// `size` rows without missing cells, drawn at random, and again until no sensitive value is held by more than one in
    /// `m` of them.
    pub(crate) fn coloured(
        data: &Path,
        file: &str,
        quasi: &[(&str, bool)],
        sensitive: &'static str,
        (size, m): (usize, usize),
        seed: u64,
    ) -> Result<Self> {
        let whole = load(data, file)?;
        let columns = quasi.iter().map(|q| q.0).chain([sensitive]);
        let columns = columns
            .map(|name| whole.column(name).with_context(|| format!("there is no column {name}")))
            .collect::<Result<Vec<_>>>()?;
        let known = |row: &usize| columns.iter().all(|c| !["", "?", "NA"].contains(&c.cell(*row).trim()));
        let mut rows: Vec<usize> = (0..whole.rows).filter(known).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let colour = columns[columns.len() - 1];
        loop {
            rows.shuffle(&mut rng);
            let mut values: Vec<&str> = rows.iter().take(size).map(|&row| colour.cell(row).trim()).collect();
            values.sort_unstable();
            if values.chunk_by(|a, b| a == b).all(|same| same.len() * m <= values.len()) {
                break;
            }
        }
        rows.truncate(size);
        rows.sort_unstable();
        let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        Ok(Self {
            table: part(&whole, &names, &rows)?,
            quasi: quasi.iter().map(|q| (q.0.to_owned(), q.1)).collect(),
            sensitive: Some(sensitive),
        })
    }

    /// The `which`th subset (from 0) of `size` rows. Consecutive ones begin at equal steps through the whole order, and
    /// overlap where the file is too short.
    pub(crate) fn subset(&self, extraction: Extraction, size: usize, which: usize) -> Result<Self> {
        let n = self.table.rows;
        let mut order: Vec<usize> = (0..n).collect();
        match extraction {
            Extraction::Consecutive => (),
            Extraction::Random => order.shuffle(&mut ChaCha8Rng::seed_from_u64(which as u64 + 1)),
            Extraction::Norm => self.sort(&mut order, false)?,
            Extraction::Distance => self.sort(&mut order, true)?,
        }
        let first = match extraction {
            Extraction::Random => 0,
            _ => which * (n - size) / (SUBSETS - 1),
        };
        let mut rows = order[first..first + size].to_vec();
        rows.sort_unstable();
        let names: Vec<&str> = self.quasi.iter().map(|q| q.0.as_str()).collect();
        let table = part(&self.table, &names, &rows)?;
        Ok(Self { table, quasi: self.quasi.clone(), sensitive: None })
    }

    /// Sorts rows by the squared norm of their values as they stand in the file, or by that of their differences from the
    /// mean row.
    fn sort(&self, order: &mut [usize], from_mean: bool) -> Result<()> {
        let n = self.table.rows;
        let mut norms = vec![0.0; n];
        for column in &self.table.columns {
            let number = |row| parse_number(column.cell(row)).context("a cell is no number");
            let values = (0..n).map(number).collect::<Result<Vec<f64>>>()?;
            let mean = if from_mean { values.iter().sum::<f64>() / n as f64 } else { 0.0 };
            for (norm, x) in norms.iter_mut().zip(values) {
                *norm += (x - mean) * (x - mean);
            }
        }
        order.sort_by(|&a, &b| norms[a].total_cmp(&norms[b]).then(a.cmp(&b)));
        Ok(())
    }

    /// The job with classes of at least `size` records (of different colours if there are any), for column generation
    /// within `seconds`.
    pub(crate) fn job(&self, size: usize, seconds: f64) -> Result<Job> {
        let numbers = self.quasi.iter().filter(|q| q.1).map(|q| (q.0.clone(), Value::from("number")));
        let kinds: Map<String, Value> = numbers.collect();
        let quasi: Vec<&String> = self.quasi.iter().map(|q| &q.0).collect();
        let model = match self.sensitive {
            Some(_) => json!({ "name": "m-invariance", "m": size }),
            None => json!({ "name": "k-anonymity", "k": size }),
        };
        let settings: Settings = serde_json::from_value(json!({
            "quasi": quasi,
            "sensitive": self.sensitive,
            "kinds": kinds,
            "model": model,
            "method": "column-generation",
            "loss": "sse",
            "budget": { "seconds": seconds },
            "seed": 1,
        }))
        .context("the settings do not fit")?;
        Ok(prepare(&self.table, &settings, &Ctx::silent())?.job().clone())
    }
}

/// SST of a job: the sum of squared differences from the mean.
pub(crate) fn total(job: &Job) -> f64 {
    let n = (job.points.len() / job.dims) as f64;
    let column = |axis: usize| job.points.iter().skip(axis).step_by(job.dims);
    (0..job.dims)
        .map(|axis| {
            let mean = column(axis).sum::<f64>() / n;
            column(axis).map(|x| (x - mean) * (x - mean)).sum::<f64>()
        })
        .sum()
}

fn load(data: &Path, file: &str) -> Result<Table> {
    let path = data.join(file);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read(&bytes, &ReadOptions::default())?)
}

/// Some rows and columns of a table.
fn part(table: &Table, names: &[&str], rows: &[usize]) -> Result<Table> {
    let columns = names
        .iter()
        .map(|name| table.column(name).with_context(|| format!("there is no column {name}")))
        .collect::<Result<Vec<_>>>()?;
    let mut text = names.join(",");
    for &row in rows {
        text.push('\n');
        text.push_str(&columns.iter().map(|c| c.cell(row).trim()).collect::<Vec<_>>().join(","));
    }
    text.push('\n');
    Ok(read(text.as_bytes(), &ReadOptions::default())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Sample {
        // Values 0 to 8 out of order; the mean is 4.
        let table = read(b"a\n8\n1\n6\n3\n4\n5\n2\n7\n0\n", &ReadOptions::default()).unwrap();
        Sample { table, quasi: vec![(String::from("a"), true)], sensitive: None }
    }

    fn cells(sample: &Sample) -> Vec<&str> {
        (0..sample.table.rows).map(|row| sample.table.columns[0].cell(row)).collect()
    }

    #[test]
    fn subsets_are_those_of_the_paper() {
        let sample = line();
        let subset = |extraction, which| sample.subset(extraction, 3, which).unwrap();
        assert_eq!(cells(&subset(Extraction::Consecutive, 0)), ["8", "1", "6"]);
        assert_eq!(cells(&subset(Extraction::Consecutive, 4)), ["2", "7", "0"]);
        assert_eq!(cells(&subset(Extraction::Norm, 4)), ["8", "6", "7"]);
        assert_eq!(cells(&subset(Extraction::Distance, 0)), ["3", "4", "5"]);
        let random = subset(Extraction::Random, 0);
        assert_eq!(cells(&random).len(), 3);
        assert_ne!(cells(&random), cells(&subset(Extraction::Random, 1)));
    }

    #[test]
    fn a_job_has_unit_variances() {
        let job = line().job(3, 1.0).unwrap();
        assert!((total(&job) - 9.0).abs() < 1e-9 || (total(&job) - 8.0).abs() < 1e-9, "{}", total(&job));
    }
}
