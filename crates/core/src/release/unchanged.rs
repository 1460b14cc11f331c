//! Columns that are published unchanged: what they cost.

use lookalike_audit::{
    Persons as Whose, Question, Source,
    unchanged::{Disclosed, Gain, Gains, each_its_own, gains, gains_of_persons, unique_owners},
};
use lookalike_model::unchanged::{ClassesAt, Known, MinimalUniques, UnchangedColumn, UnchangedReport};
use lookalike_table::{ColumnSpec, Table};

use super::{
    persons::keys,
    rounding::{mean_to_two_digits, tenths_up},
};
use crate::{
    Error,
    prepare::{Persons, Prepared, recoded, unchanged},
};

/// The columns that are published unchanged.
pub(super) fn names(prepared: &Prepared) -> Vec<String> {
    unchanged(&prepared.schema).map(|spec| spec.name.clone()).collect()
}

/// The cells of the source, for the audit.
pub(super) fn cells<'a>(table: &'a Table) -> impl Fn(usize, &str) -> Option<&'a str> + Copy {
    move |row, name| {
        let column = table.column(name).filter(|_| row < table.rows)?;
        Some(column.cell(row))
    }
}

/// What an attacker gains who knows the unchanged columns; `None` if there are none. `key` is the linking key as it is written.
///
/// # Errors
/// As [`gains`].
pub(super) fn report(
    (bytes, key): (&[u8], &[u8]),
    question: &Question,
    table: &Table,
    prepared: &Prepared,
) -> Result<Option<UnchangedReport>, Error> {
    let columns: Vec<&ColumnSpec> = unchanged(&prepared.schema).collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = columns.iter().map(|spec| spec.name.clone()).collect();
    let found = match &prepared.persons {
        None => gains(bytes, question, &names)?,
        Some(persons) => of_persons((bytes, key), question, (table, &names), persons)?,
    };
    let owners =
        (prepared.persons.as_ref()).map_or_else(|| each_its_own(prepared.rows.len()), Persons::owners);
    let quasi: Vec<usize> = recoded(&prepared.schema).map(|spec| spec.index).collect();
    let before = |columns: &[&ColumnSpec]| {
        let all: Vec<usize> = quasi.iter().copied().chain(columns.iter().map(|spec| spec.index)).collect();
        unique(table, (&prepared.rows, &owners), &all)
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

/// The same of persons who may have several rows. Whose rows have which cells is not published, and an exact share could tell which
/// are one person's: the figures are rounded, so that they tell less of it.
fn of_persons(
    (published, key): (&[u8], &[u8]),
    question: &Question,
    (table, names): (&Table, &[String]),
    persons: &Persons,
) -> Result<Gains, Error> {
    let (keys, cell) = (keys(table, persons), cells(table));
    let source = Source { unchanged: names, key, cell: &cell };
    let whose = Whose { linking: key, keys: &keys, sensitive: &[] };
    let found = gains_of_persons(published, question, &whose, &source)?;
    Ok(Gains {
        columns: found.columns.into_iter().map(rounded).collect(),
        together: rounded(found.together),
        minimal: found.minimal,
    })
}

fn rounded(exact: Gain) -> Gain {
    let mut classes: Vec<(f64, usize)> = Vec::new();
    for (highest, count) in exact.classes {
        match classes.last_mut().filter(|last| last.0 <= tenths_up(highest)) {
            Some((_, already)) => *already += count,
            None => classes.push((tenths_up(highest), count)),
        }
    }
    Gain {
        highest: tenths_up(exact.highest),
        mean: mean_to_two_digits(exact.mean),
        highest_mean: mean_to_two_digits(exact.highest_mean),
        values: exact.values.map(|told| Disclosed { highest: tenths_up(told.highest), ..told }),
        classes,
        ..exact
    }
}

/// How many of these rows have cells in these columns that no other of them has; of their owners, who may have several.
pub(crate) fn unique(table: &Table, (rows, owners): (&[u32], &[u32]), columns: &[usize]) -> usize {
    let codes: Vec<Vec<u32>> = (columns.iter())
        .map(|&column| rows.iter().map(|&row| table.columns[column].cells[row as usize]).collect())
        .collect();
    unique_owners(&codes.iter().map(Vec::as_slice).collect::<Vec<_>>(), owners)
}

fn known(gain: &Gain, unique_before: usize) -> Known {
    let at = |&(highest, classes): &(f64, usize)| ClassesAt { highest, classes };
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
