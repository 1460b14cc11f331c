//! What the cells of a column are.

use std::cmp::Reverse;

use crate::{
    Column,
    number::{Spelling, parse_number, spelling},
    text::{counted, quoted, thousands},
};

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All whole numbers.
    Integer,
    /// All numbers.
    Number,
    /// Labels.
    Category,
}

/// A kind with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// The kind of the whole column.
    pub kind: Kind,
    /// Why, for people: "1,000 of 1,000 values are whole numbers, 17 to 90".
    pub evidence: String,
    /// Number of different values, missing ones not counted.
    pub distinct: usize,
    /// Number of missing cells.
    pub missing: usize,
}

/// Most cells that [`non_numeric`] returns.
pub const NON_NUMERIC_CAP: usize = 10;

/// Most cells that are no numbers that the evidence names.
const NAMED: usize = 3;

/// A column is nearly numeric if at least this many percent of its known values are numbers.
const NEARLY_NUMERIC_PERCENT: usize = 90;

/// Whether a cell, trimmed, equals one of the markers of a missing value.
#[must_use]
pub fn is_missing(cell: &str, markers: &[String]) -> bool {
    let cell = cell.trim();
    markers.iter().any(|marker| marker == cell)
}

/// Infers what the cells of a column are from all of them. A cell that, trimmed, equals one of `markers` is missing.
///
/// * [`Kind::Integer`]: every known value is an optional sign and digits: "10", "-3", "+3", "007".
/// * [`Kind::Number`]: every known value is a finite number as [`parse_number`] has it, and one at least is spelled
///   with a point or an exponent: "10.0", "1e3".
/// * [`Kind::Category`]: all else, and digits that are codes rather than numbers: all known values are digits of one
///   length, and one at least begins with 0, as postcodes do ("01234"). A single zero is no code.
///
/// "0x10", "1,5", "NaN" and "1e999" are no numbers. A column with no known value is a category.
#[must_use]
pub fn infer(column: &Column, markers: &[String]) -> Inferred {
    let values = Values::of(column, markers);
    let (kind, mut evidence) = values.judge(column, markers);
    if values.missing > 0 && values.known > 0 {
        evidence = format!("{evidence}; {} missing", thousands(values.missing));
    }
    Inferred { kind, evidence, distinct: values.counts.len(), missing: values.missing }
}

/// The first known cells, at most [`NON_NUMERIC_CAP`], that are no finite number: 0-based row and cell.
#[must_use]
pub fn non_numeric(column: &Column, markers: &[String]) -> Vec<(usize, String)> {
    let odd: Vec<bool> =
        column.values.iter().map(|cell| !is_missing(cell, markers) && parse_number(cell).is_none()).collect();
    if !odd.contains(&true) {
        return Vec::new();
    }
    let cells = column.cells.iter().enumerate().filter(|(_, code)| odd[**code as usize]);
    cells.take(NON_NUMERIC_CAP).map(|(row, _)| (row, column.cell(row).to_owned())).collect()
}

/// The known values of a column.
struct Values<'a> {
    /// The different ones that occur, with the number of their cells.
    counts: Vec<(&'a str, usize)>,
    /// Cells that are not missing.
    known: usize,
    missing: usize,
}

impl<'a> Values<'a> {
    fn of(column: &'a Column, markers: &[String]) -> Self {
        let mut counts = vec![0; column.values.len()];
        for &code in &column.cells {
            counts[code as usize] += 1;
        }
        let counts: Vec<(&str, usize)> = column
            .values
            .iter()
            .map(String::as_str)
            .zip(counts)
            .filter(|&(cell, count)| count > 0 && !is_missing(cell, markers))
            .collect();
        let known = counts.iter().map(|(_, count)| count).sum();
        Self { counts, known, missing: column.cells.len() - known }
    }

    fn judge(&self, column: &Column, markers: &[String]) -> (Kind, String) {
        if self.known == 0 {
            return (Kind::Category, String::from("every value is missing"));
        }
        if let Some(code) = self.code() {
            let evidence = format!(
                "{} are digits of one length, some with a leading zero such as {code}: codes, not numbers",
                self.share(self.known)
            );
            return (Kind::Category, evidence);
        }
        let spellings: Vec<Option<Spelling>> = self.counts.iter().map(|(cell, _)| spelling(cell)).collect();
        let numeric: usize = self
            .counts
            .iter()
            .zip(&spellings)
            .filter(|(_, s)| s.is_some())
            .map(|((_, count), _)| count)
            .sum();
        if numeric < self.known {
            // In u128: 100 times a count of cells may overflow a 32-bit usize.
            let nearly = numeric as u128 * 100 >= self.known as u128 * NEARLY_NUMERIC_PERCENT as u128;
            let evidence = if nearly { self.nearly_numeric(numeric, column, markers) } else { self.labels() };
            return (Kind::Category, evidence);
        }
        let whole = spellings.iter().all(|s| *s == Some(Spelling::Whole));
        let (kind, what) = if whole { (Kind::Integer, "whole numbers") } else { (Kind::Number, "numbers") };
        (kind, format!("{} are {what}{}", self.share(numeric), self.span()))
    }

    fn share(&self, count: usize) -> String {
        format!("{} of {} values", thousands(count), thousands(self.known))
    }

    /// The first value with a leading zero, if all values look like codes.
    fn code(&self) -> Option<&str> {
        let cells = || self.counts.iter().map(|(cell, _)| cell.trim());
        let length = cells().next()?.len();
        let alike = length > 1 && cells().all(|c| c.len() == length && c.bytes().all(|b| b.is_ascii_digit()));
        if alike { cells().find(|c| c.starts_with('0')) } else { None }
    }

    /// Least and largest number, as their cells spell them.
    fn span(&self) -> String {
        let numbers = || self.counts.iter().filter_map(|(cell, _)| Some((parse_number(cell)?, cell.trim())));
        let least = numbers().min_by(|a, b| a.0.total_cmp(&b.0));
        let most = numbers().max_by(|a, b| a.0.total_cmp(&b.0));
        match (least, most) {
            (Some(least), Some(most)) if least.0 == most.0 => format!(", all {}", least.1),
            (Some(least), Some(most)) => format!(", {} to {}", least.1, most.1),
            _ => String::new(),
        }
    }

    fn nearly_numeric(&self, numeric: usize, column: &Column, markers: &[String]) -> String {
        let odd = non_numeric(column, markers);
        let named: Vec<String> = odd
            .iter()
            .take(NAMED)
            .map(|(row, cell)| format!("{} (row {})", quoted(cell), thousands(row + 1)))
            .collect();
        let more = if self.known - numeric > named.len() { ", ..." } else { "" };
        format!("{} are numbers; not numbers: {}{more}", self.share(numeric), named.join(", "))
    }

    /// The number of labels and the most frequent one, the first in byte order among equals.
    fn labels(&self) -> String {
        let values = counted(self.counts.len(), "value", "values");
        match self.counts.iter().max_by_key(|(cell, count)| (count, Reverse(cell))) {
            Some((_, 1)) if self.known > 1 => format!("{values}, each once"),
            Some((cell, count)) => {
                format!(
                    "{values}, most often {} ({} of {})",
                    shown(cell),
                    thousands(*count),
                    thousands(self.known)
                )
            }
            None => values,
        }
    }
}

/// A label without the quotes of [`quoted`].
fn shown(cell: &str) -> String {
    let text = quoted(cell);
    text[1..text.len() - 1].to_owned()
}
