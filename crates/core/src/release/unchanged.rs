//! Columns that are published unchanged: what they cost.

use lookalike_audit::{
    Question,
    unchanged::{Gain, gains, unique_rows},
};
use lookalike_model::unchanged::{ClassesAt, Known, MinimalUniques, UnchangedColumn, UnchangedReport};
use lookalike_table::{ColumnSpec, Table};

use crate::{
    Error,
    prepare::{Prepared, recoded, unchanged},
};

/// What an attacker gains who knows the unchanged columns; `None` if there are none.
///
/// # Errors
/// As [`gains`].
pub(super) fn report(
    bytes: &[u8],
    question: &Question,
    table: &Table,
    prepared: &Prepared,
) -> Result<Option<UnchangedReport>, Error> {
    let columns: Vec<&ColumnSpec> = unchanged(&prepared.schema).collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = columns.iter().map(|spec| spec.name.clone()).collect();
    let found = gains(bytes, question, &names)?;
    let quasi: Vec<usize> = recoded(&prepared.schema).map(|spec| spec.index).collect();
    let before = |columns: &[&ColumnSpec]| {
        let all: Vec<usize> = quasi.iter().copied().chain(columns.iter().map(|spec| spec.index)).collect();
        unique(table, &prepared.rows, &all)
    };
    let minimal = &found.minimal;
    let mut of_columns: Vec<UnchangedColumn> = (columns.iter().zip(&found.columns).enumerate())
        .map(|(at, (spec, gain))| UnchangedColumn {
            name: spec.name.clone(),
            known: known(gain, before(&[spec])),
            minimal_uniques: minimal.columns[at].clone(),
            singled_out: minimal.singled_out[at],
        })
        .collect();
    of_columns.sort_by(|a, b| {
        b.known.mean.total_cmp(&a.known.mean).then_with(|| b.singled_out.cmp(&a.singled_out))
    });
    Ok(Some(UnchangedReport {
        columns: of_columns,
        together: known(&found.together, before(&columns)),
        minimal_uniques: MinimalUniques { largest_set: found.minimal.largest_set, rows: found.minimal.rows },
    }))
}

/// How many of these rows have cells in these columns that no other of them has.
pub(crate) fn unique(table: &Table, rows: &[u32], columns: &[usize]) -> usize {
    let codes: Vec<Vec<u32>> = (columns.iter())
        .map(|&column| rows.iter().map(|&row| table.columns[column].cells[row as usize]).collect())
        .collect();
    unique_rows(&codes.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

fn known(gain: &Gain, unique_before: usize) -> Known {
    let at = |(&size, &classes): (&usize, &usize)| ClassesAt { highest: 1.0 / size as f64, classes };
    Known {
        unique_before,
        unique_after: gain.uniques,
        highest: gain.highest,
        mean: gain.mean,
        highest_mean: gain.highest_mean,
        classes: gain.classes.iter().map(at).collect(),
        highest_attribute_disclosure: gain.values.map(|values| values.highest),
        told_values: gain.values.map(|values| values.certain),
    }
}
