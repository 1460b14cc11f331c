//! Whether a linking key fits a published table, by the rows of its classes.

use std::collections::BTreeMap;

use lookalike_table::Table;
use lookalike_words::Name;

use super::utility::columns_of_key;
use crate::{Check, Error, Observation, PersonsObservation, Shared, Subject, Witness};

/// Whether each published class, a label of the column `class`, has as many rows as the linking key puts there, made-up records included.
/// Where persons are counted it may have no more either: nothing is added then. Without persons a key need not know what was added. A
/// label that means "suppressed" is no class. Rows are counted, not compared.
///
/// # Errors
/// If a column is missing.
pub fn linked(
    published: &Table,
    key: &Table,
    class: &str,
    (suppressed, persons): (&[String], bool),
) -> Result<Check, Error> {
    let labels = published.column(class).ok_or_else(|| Error::NoColumn { column: Name::from(class) })?;
    let (_, class_of) = columns_of_key(key)?;
    let is_class = |label: &str| !label.is_empty() && !suppressed.iter().any(|cell| cell.trim() == label);
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for row in 0..published.rows {
        counts.entry(labels.cell(row).trim()).or_default().0 += 1;
    }
    for line in 0..key.rows {
        counts.entry(class_of.cell(line).trim()).or_default().1 += 1;
    }
    counts.retain(|label, _| is_class(label));
    let is_odd = |(published, linked): (usize, usize)| published < linked || persons && published > linked;
    let odd: Vec<_> = counts.iter().filter(|(_, count)| is_odd(**count)).collect();
    let (classes, rows) = (counts.len(), counts.values().map(|count| count.0).sum());
    let finding = match odd.len() {
        0 => PersonsObservation::AsMany { classes, rows },
        odd => PersonsObservation::Unlinked { classes, odd, astray: 0 },
    };
    let witness = |&(&label, &(published, linked)): &(&&str, &(usize, usize))| Witness::Unlinked {
        of: vec![Shared::Cell { column: class.to_owned(), cell: label.into() }],
        published,
        linked,
    };
    Ok(Check::new(Subject::KeyRows, Observation::Persons(finding), odd.iter().map(witness)))
}
