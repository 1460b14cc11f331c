//! What became of missing cells: the published facts, and the counts of the input.

use lookalike_model::{
    report::{MissingColumn, MissingCounts, MissingReport},
    settings as wire,
};
use lookalike_table::{ColumnSpec, MissingPolicy, Role, Schema, Table, is_missing};

use super::order::Class;
use crate::prepare::{Prepared, published};

fn policy(spec: &ColumnSpec) -> wire::MissingPolicy {
    match spec.missing {
        MissingPolicy::Error => wire::MissingPolicy::Error,
        MissingPolicy::Drop => wire::MissingPolicy::Drop,
        MissingPolicy::Value => wire::MissingPolicy::Value,
    }
}

/// Markers, policies, and in how many published rows a column says "missing", alone or among other values: what
/// anybody can count in the published table.
pub(crate) fn report(table: &Table, prepared: &Prepared, classes: &[Class]) -> MissingReport {
    let schema = &prepared.schema;
    let columns = columns(schema, &rows(table, prepared, classes));
    MissingReport { markers: schema.markers.clone(), columns }
}

/// The published columns with these numbers of rows that say "missing".
pub(crate) fn columns(schema: &Schema, rows: &[usize]) -> Vec<MissingColumn> {
    let column = |(spec, &rows): (&ColumnSpec, &usize)| MissingColumn {
        column: spec.name.clone(),
        policy: policy(spec),
        rows,
    };
    published(schema).zip(rows).map(column).collect()
}

/// In how many published rows each published column says "missing".
pub(crate) fn rows(table: &Table, prepared: &Prepared, classes: &[Class]) -> Vec<usize> {
    let markers = &prepared.schema.markers;
    let of_column = published(&prepared.schema).map(|spec| {
        let column = &table.columns[spec.index];
        let missing: Vec<bool> = column.values.iter().map(|cell| is_missing(cell, markers)).collect();
        let is_missing_in = |row: &&u32| missing[column.cells[**row as usize] as usize];
        let rows = classes.iter().map(|class| {
            let real = class.rows.iter().filter(is_missing_in).count();
            let covers = class.covered.iter().chain(class.covers(spec.index));
            let told = covers.into_iter().any(|row| is_missing_in(&row));
            if spec.role == Role::Unchanged {
                real
            } else if spec.role == Role::Sensitive {
                real + class.counterfeits.iter().filter(|value| is_missing(value, markers)).count()
            } else if real > 0 || told {
                class.rows.len() + class.counterfeits.len()
            } else {
                0
            }
        });
        rows.sum()
    });
    of_column.collect()
}

/// Missing cells of the input and the rows they cost, for every column with a role.
pub(crate) fn counts(table: &Table, schema: &Schema) -> Vec<MissingCounts> {
    let with_role = published(schema);
    with_role
        .map(|spec| {
            let column = &table.columns[spec.index];
            let missing: Vec<bool> =
                column.values.iter().map(|cell| is_missing(cell, &schema.markers)).collect();
            let is_missing = |row: &usize| missing[column.cells[*row] as usize];
            let cells = (0..table.rows).filter(is_missing).count();
            let dropped = if spec.missing == MissingPolicy::Drop { cells } else { 0 };
            MissingCounts { column: spec.name.clone(), policy: policy(spec), cells, dropped }
        })
        .collect()
}
