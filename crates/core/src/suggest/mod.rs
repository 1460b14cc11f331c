//! What role a column may have, and why. A suggestion is never applied: the user decides.
//!
//! Three things are looked at, the surest first: the format of the cells (e-mail addresses, telephone numbers, bank
//! accounts, national numbers with their check digits), the words of the column's name in English, German, Spanish and
//! French, and whether nearly all cells differ.

mod codes;
mod formats;
mod keys;
mod labels;
mod message;
mod names;
mod national;
mod sample;
mod survey;
mod unknown;

use lookalike_model::{
    info::{Confidence, Suggestion},
    settings::{Role, Settings},
};
use lookalike_table::{Column, Inferred, Kind, Table, is_missing};
use lookalike_words::{Message as _, Said};

use codes::codes_as_numbers;
pub use codes::{CodesBy, CodesWarning};
pub(crate) use codes::{Lengths, postcode, propose};
pub(crate) use keys::{Strength, may_be_number, strength};
pub use labels::LabelsWarning;
use labels::other_than_read;
pub use message::{FormatName, NameMeaning, SuggestedBy};
pub(crate) use names::is_shared;
pub use sample::{SampleWarning, first_rows_warnings};
use unknown::unknown_as_numbers;
pub(crate) use unknown::unknown_codes;
pub use unknown::{UnknownBy, UnknownWarning};

/// What a run with these settings reads that may mean something else: codes and "not known" as numbers, numbers and dates as labels.
#[must_use]
pub fn reading_warnings(table: &Table, settings: &Settings) -> Vec<Said> {
    let mut all = codes_as_numbers(table, settings);
    all.extend(unknown_as_numbers(table, settings));
    all.extend(other_than_read(table, settings));
    all
}

/// A format counts if at least this many percent of the different known values have it.
const FORMAT_PERCENT: usize = 90;

/// Different values that are looked at; the first ones of the file.
const LOOKED_AT: usize = 10_000;

/// Fewer different values prove no format and no identifier.
const LEAST: usize = 5;

/// Fewer known values say nothing about uniqueness.
const LEAST_UNIQUE: usize = 20;

/// The role that a column seems to have, if anything tells.
pub(crate) fn suggest(column: &Column, inferred: &Inferred, markers: &[String]) -> Option<Suggestion> {
    let name = names::find(&column.name);
    by_format(column, inferred, markers)
        .or_else(|| by_unique_name(name.as_ref(), inferred, column))
        .or_else(|| name.map(names::Found::into_suggestion))
        .or_else(|| by_uniqueness(inferred, column))
}

/// The role of the column that a file weights its rows by.
pub(crate) fn by_weight() -> Suggestion {
    Suggestion { role: Role::Unchanged, confidence: Confidence::Medium, reason: SuggestedBy::Weight.into() }
}

/// Dates and decimals have no format of an identifier, whatever their digits.
fn by_format(column: &Column, inferred: &Inferred, markers: &[String]) -> Option<Suggestion> {
    if matches!(inferred.kind, Kind::Real | Kind::Date) {
        return None;
    }
    let cells: Vec<&str> = column
        .values
        .iter()
        .map(str::trim)
        .filter(|cell| !is_missing(cell, markers))
        .take(LOOKED_AT)
        .collect();
    if cells.len() < LEAST {
        return None;
    }
    let format = formats::ALL.iter().find_map(|format| {
        let count = cells.iter().filter(|cell| (format.fits)(cell)).count();
        (count * 100 >= cells.len() * FORMAT_PERCENT).then_some((format, count))
    });
    let (format, count) = format?;
    Some(Suggestion {
        role: Role::Identifier,
        confidence: format.confidence,
        reason: SuggestedBy::Format {
            fit: count,
            values: cells.len(),
            format: format.name,
            more: cells.len() < column.values.len().min(inferred.distinct),
        }
        .into(),
    })
}

/// Whether the cells are numbers that a state gives to persons, by their check digits.
pub(crate) fn is_national(column: &Column, markers: &[String]) -> bool {
    let known = column.values.iter().map(str::trim).filter(|cell| !is_missing(cell, markers));
    let cells: Vec<&str> = known.take(LOOKED_AT).collect();
    let fits = |of: &fn(&str) -> bool| {
        cells.iter().filter(|cell| of(cell)).count() * 100 >= cells.len() * FORMAT_PERCENT
    };
    cells.len() >= LEAST && national::ALL.iter().any(fits)
}

/// A name that means a number or key, and values that all differ.
fn by_unique_name(name: Option<&names::Found>, inferred: &Inferred, column: &Column) -> Option<Suggestion> {
    let name = name.filter(|found| found.role == Role::Identifier)?;
    unique(inferred, column).then(|| Suggestion {
        role: Role::Identifier,
        confidence: Confidence::High,
        reason: SuggestedBy::UniqueName { name: name.reason.said() }.into(),
    })
}

/// Labels or whole numbers that nearly all differ.
fn by_uniqueness(inferred: &Inferred, column: &Column) -> Option<Suggestion> {
    let confidence = match inferred.kind {
        Kind::Identifier => Confidence::Medium,
        Kind::Integer => Confidence::Low,
        _ => return None,
    };
    unique(inferred, column).then(|| Suggestion {
        role: Role::Identifier,
        confidence,
        reason: SuggestedBy::Unique {
            values: inferred.distinct,
            rows: column.cells.len() - inferred.missing,
        }
        .into(),
    })
}

/// Whether nearly all known values differ.
fn unique(inferred: &Inferred, column: &Column) -> bool {
    let known = column.cells.len() - inferred.missing;
    known >= LEAST_UNIQUE && inferred.distinct as u128 * 100 >= known as u128 * 95
}

#[cfg(test)]
mod tests;
