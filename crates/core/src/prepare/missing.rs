//! Missing values: stated, never guessed.

use std::sync::Arc;

use lookalike_model::report::Fate;
use lookalike_table::{Column, Dictionary, MissingPolicy, Role, Schema, Table, is_missing};

use super::{fate::FateReason, misfit::Misfit};
use crate::Error;

/// How many row numbers a message names.
pub(crate) const NAMED: usize = 5;

/// What is left after the policies.
pub(crate) struct Kept {
    /// Input rows, ascending.
    pub(crate) rows: Vec<u32>,
    /// Why the others are not among them.
    pub(crate) fates: Vec<Fate>,
    /// Number of rows dropped.
    pub(crate) suppressed: usize,
}

/// Which dictionary entries of a column mean "missing".
pub(crate) fn missing_values(values: &Dictionary, markers: &[String]) -> Vec<bool> {
    values.iter().map(|v| is_missing(v, markers)).collect()
}

/// Applies each column's policy.
pub(crate) fn keep(table: &Table, schema: &Schema) -> Result<Kept, Error> {
    let mut reason: Vec<Option<usize>> = vec![None; table.rows];
    for spec in &schema.columns {
        if spec.missing == MissingPolicy::Value {
            continue;
        }
        let column = &table.columns[spec.index];
        let missing = missing_values(&column.values, &schema.markers);
        let rows: Vec<usize> = (0..table.rows).filter(|&r| missing[column.cells[r] as usize]).collect();
        if spec.missing == MissingPolicy::Error && !rows.is_empty() {
            let first = rows.iter().take(NAMED).map(|r| r + 1).collect();
            let (missing, more) = (rows.len(), rows.len() > NAMED);
            let (name, rows) = (spec.name.as_str().into(), table.rows);
            return Err(if spec.role == Role::QuasiIdentifier {
                Misfit::QuasiMissing { name, missing, rows, first, more }.into()
            } else {
                Misfit::SensitiveMissing { name, missing, rows, first, more }.into()
            });
        }
        for row in rows {
            reason[row].get_or_insert(spec.index);
        }
    }
    let why = |column: &Column| FateReason::Dropped { column: column.name.as_str().into() }.shared();
    let reasons: Vec<_> = table.columns.iter().map(why).collect();
    let mut fates = Vec::new();
    let mut rows = Vec::with_capacity(table.rows);
    for (row, why) in reason.iter().enumerate() {
        match why {
            None => rows.push(row as u32),
            Some(column) => fates.push(Fate { row, reason: Arc::clone(&reasons[*column]) }),
        }
    }
    let suppressed = fates.len();
    Ok(Kept { rows, fates, suppressed })
}
