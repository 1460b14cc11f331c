//! Columns whose ranges are published in columns of their own, as the audit sees them.

use lookalike_audit::{
    Check, Dialect as AuditDialect, Question,
    measure::{EndsSource, Reading, ends, joined},
};
use lookalike_table::Table;

use super::{assess, form::read_again, order::Class};
use crate::{
    Error,
    prepare::{CLASS, Prepared, recoded},
};

/// Whether these columns hold the ends of the ranges of their records; `None` if there are none. `labelled` are the same bytes with
/// a column of classes.
pub(super) fn check(
    (bytes, labelled): (&[u8], &[u8]),
    question: &Question,
    (table, prepared): (&Table, &Prepared),
    classes: &[Class],
) -> Result<Option<Check>, Error> {
    let reading = assess::of_published(&prepared.schema, &prepared.recodings);
    let links = links(table, classes);
    // Counterfeits that have quasi-identifiers are covered, too.
    let source = EndsSource { original: table, links: &links, wider: !prepared.drawn_from.is_empty() };
    let class = question.class.as_deref().unwrap_or(CLASS);
    Ok(ends(bytes, (labelled, class), question.dialect, &reading, &source)?)
}

/// The class of each row of the table that is published.
pub(super) fn links(table: &Table, classes: &[Class]) -> Vec<Option<String>> {
    let mut links: Vec<Option<String>> = vec![None; table.rows];
    for (class, label) in classes.iter().zip(1..) {
        for &row in &class.rows {
            links[row as usize] = Some(label.to_string());
        }
    }
    links
}

/// A table that was written here, for whoever measures: with one column for each of the input's.
///
/// # Errors
/// As [`read_again`] and [`joined`].
pub(crate) fn measured(bytes: &[u8], dialect: AuditDialect, reading: &Reading) -> Result<Table, Error> {
    Ok(joined(&read_again(bytes, dialect)?, reading)?)
}

/// The question about such a table.
pub(super) fn question(asked: &Question, prepared: &Prepared) -> Question {
    Question { quasi: recoded(&prepared.schema).map(|spec| spec.name.clone()).collect(), ..asked.clone() }
}
