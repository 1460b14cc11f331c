//! The Adult census sample.

use std::path::Path;

use anyhow::{Context, Result};
use lookalike_core::table::{ReadOptions, Table, read};

/// The attributes that Tobar 2024 takes for sensitive.
pub(crate) const ATTRIBUTES: [&str; 5] =
    ["workclass", "occupation", "education", "marital-status", "relationship"];

/// How a missing cell looks.
const MISSING: &str = "?";

/// A column as codes `0..values`, in sorted order of the values; rows with a missing cell have none.
#[derive(Clone)]
pub(crate) struct Codes {
    pub(crate) name: &'static str,
    pub(crate) of_row: Vec<Option<u32>>,
    pub(crate) values: usize,
}

impl Codes {
    /// How often each value occurs.
    pub(crate) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.values];
        for &code in self.of_row.iter().flatten() {
            counts[code as usize] += 1;
        }
        counts
    }
}

/// Reads files of the folder as one table: the five attributes, in the order of [`ATTRIBUTES`].
pub(crate) fn read_attributes(folder: &Path, files: &[&str]) -> Result<Vec<Codes>> {
    let mut tables = Vec::new();
    for file in files {
        let path = folder.join(file);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        tables.push(read(&bytes, &ReadOptions::default())?);
    }
    ATTRIBUTES.iter().map(|name| codes(&tables, name)).collect()
}

fn codes(tables: &[Table], name: &'static str) -> Result<Codes> {
    let mut cells = Vec::new();
    for table in tables {
        let column = table.column(name).with_context(|| format!("there is no column {name}"))?;
        cells.extend((0..table.rows).map(|row| column.cell(row).trim()));
    }
    let mut values: Vec<&str> = cells.iter().copied().filter(|cell| *cell != MISSING).collect();
    values.sort_unstable();
    values.dedup();
    let of_row = cells.iter().map(|cell| values.binary_search(cell).ok().map(|code| code as u32)).collect();
    Ok(Codes { name, of_row, values: values.len() })
}
