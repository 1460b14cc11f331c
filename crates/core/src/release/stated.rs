//! The loss that the report states, against the published bytes: the audit computes it anew from these.

use std::collections::BTreeMap;

use lookalike_audit::{
    Check, Question,
    measure::{ColumnPenalty, Open, Stated, domains, penalties, stated},
};
use lookalike_model::report::Objective;
use lookalike_table::{ColumnSpec, Reading as Compared, Role, Schema, Table};

use super::{assess, order::Class};
use crate::{
    Error, certify,
    prepare::{CLASS, Prepared, recoded, recoding::Recoding},
};

/// What the published cells of a release cost: of the real records alone. `labelled` are the same bytes with a column of
/// classes, by which real records are told where there are counterfeits.
pub(super) fn counted(
    (bytes, labelled): (&[u8], &[u8]),
    question: &Question,
    prepared: &Prepared,
    classes: &[Class],
) -> Result<Vec<ColumnPenalty>, Error> {
    let reading = assess::of_published(&prepared.schema, &prepared.recodings);
    let label = question.class.as_deref().unwrap_or(CLASS);
    let real: Vec<usize> = classes.iter().map(|class| class.rows.len()).collect();
    let (bytes, real) = match prepared.changes.counterfeits {
        0 => (bytes, None),
        _ => (labelled, Some((label, real.as_slice()))),
    };
    let columns: Vec<String> = recoded(&prepared.schema).map(|spec| spec.name.clone()).collect();
    Ok(penalties(bytes, question.dialect, &columns, &reading, real)?)
}

/// The checks: the declared domains, and the loss.
pub(super) fn checks(
    table: &Table,
    prepared: &Prepared,
    counted: &[ColumnPenalty],
    objective: &Objective,
) -> Vec<Check> {
    let open = if prepared.drawn_from.is_empty() {
        braces(table, prepared).map(Open::Braces)
    } else {
        Some(Open::Drawn)
    };
    let told = prepared.changes.counterfeits == 0;
    of(&prepared.schema, counted, objective, (told, open))
}

/// The same; `told` is whether the exact loss may be told.
pub(crate) fn of(
    schema: &Schema,
    counted: &[ColumnPenalty],
    objective: &Objective,
    (told, open): (bool, Option<Open>),
) -> Vec<Check> {
    let weights: BTreeMap<String, f64> =
        counting(schema).map(|spec| (spec.name.clone(), spec.weight)).collect();
    let loss = Stated { loss: certify::loss(objective.loss), value: objective.value, told };
    domains(counted).into_iter().chain([stated(counted, &weights, loss, open)]).collect()
}

/// The columns that count in the loss.
fn counting(schema: &Schema) -> impl Iterator<Item = &ColumnSpec> {
    schema.columns.iter().filter(|spec| spec.role == Role::QuasiIdentifier && spec.weight > 0.0)
}

/// A column with labels that look like sets: a single one is published as it stands.
fn braces(table: &Table, prepared: &Prepared) -> Option<String> {
    let column = counting(&prepared.schema).find(|spec| {
        has_braces(
            &table.columns[spec.index].values.iter().collect::<Vec<_>>(),
            spec,
            &prepared.recodings[spec.index],
        )
    });
    column.map(|spec| spec.name.clone())
}

/// Whether one of these labels of a column, or of its hierarchy, looks like a set.
pub(crate) fn has_braces(labels: &[&str], spec: &ColumnSpec, recoding: &Recoding) -> bool {
    let looks = |label: &str| {
        let label = label.trim();
        label.starts_with('{') && label.ends_with('}')
    };
    match recoding.published_by() {
        Some(hierarchy) => hierarchy.rows().iter().flatten().any(|label| looks(label)),
        None => spec.reading == Compared::Labels && labels.iter().any(|label| looks(label)),
    }
}
