//! The tables, as numbers that every tool can read.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context, Result, bail};
use lookalike_core::table::{Column, ReadOptions, Table, parse_number, read};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::environment;

/// Seed of the samples.
const SEED: u64 = 1;

/// A table of numbers: all its columns are quasi-identifiers.
pub(crate) struct Instance {
    /// Name in the tables.
    pub(crate) name: &'static str,
    file: &'static str,
    columns: &'static [&'static str],
    sample: Option<usize>,
    data: PathBuf,
    loaded: OnceCell<Loaded>,
}

/// Its content.
pub(crate) struct Loaded {
    pub(crate) table: Table,
    /// The same as a file.
    pub(crate) path: PathBuf,
}

impl Instance {
    /// The named columns of a file, or all; without rows that lack a value; `sample` of these at random.
    pub(crate) fn new(
        data: &Path,
        name: &'static str,
        file: &'static str,
        columns: &'static [&'static str],
        sample: Option<usize>,
    ) -> Rc<Self> {
        Rc::new(Self { name, file, columns, sample, data: data.to_owned(), loaded: OnceCell::new() })
    }

    /// Reads the table the first time.
    pub(crate) fn load(&self) -> Result<&Loaded> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let path = self.data.join(self.file);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = numbers(&read(&bytes, &ReadOptions::default())?, self.columns, self.sample)?;
        let path = environment::folder()?.join(format!("{}.csv", self.name.replace([',', ' '], "")));
        std::fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
        let table = read(text.as_bytes(), &ReadOptions::default())?;
        Ok(self.loaded.get_or_init(|| Loaded { table, path }))
    }
}

/// A column as text of numbers; two labels are 0 and 1, a missing cell is `None`.
fn column(column: &Column) -> Result<Vec<Option<String>>> {
    let known = |text: &str| !["", "?"].contains(&text.trim());
    let mut labels: Vec<&str> =
        column.values.iter().filter(|v| known(v) && parse_number(v).is_none()).collect();
    labels.sort_unstable();
    if labels.len() > 2 {
        bail!("column {} is neither numeric nor two-valued", column.name);
    }
    let number = |text: &str| match labels.iter().position(|label| *label == text) {
        Some(place) => place.to_string(),
        None => text.trim().to_owned(),
    };
    let of_code: Vec<Option<String>> = column.values.iter().map(|v| known(v).then(|| number(v))).collect();
    Ok(column.cells.iter().map(|&code| of_code[code as usize].clone()).collect())
}

fn numbers(table: &Table, names: &[&str], sample: Option<usize>) -> Result<String> {
    let mut columns = Vec::new();
    let mut header = Vec::new();
    for each in &table.columns {
        if names.is_empty() || names.contains(&each.name.as_str()) {
            header.push(each.name.as_str());
            columns.push(column(each)?);
        }
    }
    let row = |row: usize| columns.iter().map(|cells| cells[row].clone()).collect::<Option<Vec<_>>>();
    let mut rows: Vec<Vec<String>> = (0..table.rows).filter_map(row).collect();
    if let Some(sample) = sample {
        rows.shuffle(&mut ChaCha8Rng::seed_from_u64(SEED));
        rows.truncate(sample);
    }
    let mut text = header.join(",");
    for row in rows {
        text.push('\n');
        text.push_str(&row.join(","));
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_numbers_and_gaps_are_left_out() {
        let table = read(b"a,sex,b\n1,M,5\n?,F,6\n3,F,\n-4.5,F,7\n", &ReadOptions::default()).unwrap();
        assert_eq!(numbers(&table, &["a", "sex"], None).unwrap(), "a,sex\n1,1\n3,0\n-4.5,0\n");
        assert_eq!(numbers(&table, &[], None).unwrap(), "a,sex,b\n1,1,5\n-4.5,0,7\n");
        let sample = numbers(&table, &["a"], Some(2)).unwrap();
        assert_eq!(sample.lines().count(), 3);
        let three = read(b"a\nx\ny\nz\n", &ReadOptions::default()).unwrap();
        assert!(numbers(&three, &[], None).unwrap_err().to_string().contains("two-valued"));
    }
}
