//! Kinds, inferred over the whole column, with the evidence in words.

use std::cmp::Reverse;

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use crate::{
    Column, Dictionary, Inferred, Kind, NumberFormat, Reading, Table, date, is_missing, misfits,
    number::Spelling,
    number_format as number,
    text::{counted, quoted, thousands},
};

/// Most misfits that the evidence names.
const NAMED: usize = 3;

/// A column is nearly numeric (or of dates) if at least this many percent of its known values are.
const NEARLY_PERCENT: usize = 90;

/// What may stand in a number or date beside digits.
const MARKS: &str = "+-.,eE/'\u{2019} \t\u{a0}\u{202f}";

/// Labels look like an identifier if at least this many percent of the known values differ ...
const IDENTIFIER_PERCENT: usize = 95;

/// ... and there are at least so many.
const IDENTIFIER_LEAST: usize = 20;

/// Infers what the cells of a column are from all of them. A cell that, trimmed and in any case, is one of
/// `markers` is missing.
///
/// * [`Kind::Integer`]: every known value is an optional sign and digits: "10", "-3", "+3", "007"; marks may stand
///   between thousands.
/// * [`Kind::Real`]: every known value is a finite number, in one format for the whole column, and one at least is
///   spelled with a decimal sign or an exponent: "10.0", "1e3", "1.234,5".
/// * [`Kind::Date`]: every known value is a calendar date with a four-digit year, in one format for the whole column:
///   "2024-12-31", "31.12.2024", "12/31/2024".
/// * [`Kind::Category`]: all else, and digits that are codes rather than numbers: all known values are digits of one
///   length, and one at least begins with 0, as postcodes do ("01234"). A single zero is no code.
/// * [`Kind::Identifier`]: such labels, of which nearly all differ.
///
/// Two readings that differ are not chosen between: "1,234" may be 1234 or 1.234, "01/02/2024" may be in January or in
/// February. If no cell of the column tells, [`Inferred::question`] says so. The one exception is stated in the
/// evidence: "1.234" is read with a decimal point, as data files have it. "0x10", "NaN" and "1e999" are no numbers. A
/// column with no known value is a category.
#[must_use]
pub fn infer(column: &Column, markers: &[String]) -> Inferred {
    let values = Values::of(column, markers);
    let Judged { kind, reading, mut evidence, question, nearly } = values.judge(column, markers);
    if values.missing > 0 && values.known > 0 {
        evidence = format!("{evidence}; {} missing", thousands(values.missing));
    }
    Inferred { kind, reading, evidence, distinct: values.distinct, missing: values.missing, question, nearly }
}

/// [`infer`] for each column of a table; side by side with the feature `parallel`.
#[must_use]
pub fn infer_all(table: &Table, markers: &[String]) -> Vec<Inferred> {
    #[cfg(feature = "parallel")]
    let columns = table.columns.par_iter();
    #[cfg(not(feature = "parallel"))]
    let columns = table.columns.iter();
    columns.map(|column| infer(column, markers)).collect()
}

/// The part of [`Inferred`] that does not count.
struct Judged {
    kind: Kind,
    reading: Reading,
    evidence: String,
    question: Option<String>,
    nearly: Option<Reading>,
}

impl Judged {
    fn new(kind: Kind, reading: Reading, evidence: String) -> Self {
        Self { kind, reading, evidence, question: None, nearly: None }
    }
}

/// The known values of a column.
pub(crate) struct Values<'a> {
    all: &'a Dictionary,
    /// How many cells have each of them; 0 if it is missing.
    counts: Vec<u32>,
    /// How many different ones occur.
    distinct: usize,
    /// Cells that are not missing.
    known: usize,
    missing: usize,
}

impl<'a> Values<'a> {
    pub(crate) fn of(column: &'a Column, markers: &[String]) -> Self {
        // In u32: a table has no more rows.
        let mut counts = vec![0; column.values.len()];
        for &code in &column.cells {
            counts[code as usize] += 1;
        }
        for (cell, count) in column.values.iter().zip(&mut counts) {
            if is_missing(cell, markers) {
                *count = 0;
            }
        }
        let known = counts.iter().map(|&count| count as usize).sum();
        let distinct = counts.iter().filter(|&&count| count > 0).count();
        Self { all: &column.values, counts, distinct, known, missing: column.cells.len() - known }
    }

    /// The different ones that occur, with the number of their cells.
    fn counts(&self) -> impl Iterator<Item = (&'a str, usize)> + Clone + use<'_, 'a> {
        let counted = self.all.iter().zip(&self.counts).filter(|(_, count)| **count > 0);
        counted.map(|(cell, &count)| (cell, count as usize))
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = &'a str> + Clone + use<'_, 'a> {
        self.counts().map(|(cell, _)| cell)
    }

    /// How many cells have a value in a reading.
    fn fitting(&self, reading: &Reading) -> usize {
        let fitting = self.counts().filter(|(cell, _)| reading.value(cell).is_some());
        fitting.map(|(_, count)| count).sum()
    }

    fn judge(&self, column: &Column, markers: &[String]) -> Judged {
        if self.known == 0 {
            let evidence = String::from("every value is missing");
            return Judged::new(Kind::Category, Reading::Labels, evidence);
        }
        if let Some(code) = self.code() {
            let evidence = format!(
                "{} are digits of one length, some with a leading zero such as {code}: codes, not numbers",
                self.share(self.known)
            );
            return self.labels(evidence);
        }
        match number::fit(&self.cells()) {
            number::Fit::Only(format) => return self.numbers(format, ""),
            number::Fit::PointEitherWay => {
                return self.numbers(
                    NumberFormat::PLAIN,
                    "; the points are read as decimal points (if they separate thousands, declare the column integer)",
                );
            }
            number::Fit::CommaEitherWay => return self.either_number(&column.name),
            number::Fit::None => {}
        }
        match date::fit(&self.cells()) {
            date::Fit::Only(format, why) => return self.dates(format, &why),
            date::Fit::EitherWay(format, cell) => return self.either_date(format, &cell, &column.name),
            date::Fit::None => {}
        }
        self.nearly(column, markers).unwrap_or_else(|| self.labels(self.frequent()))
    }

    fn numbers(&self, format: NumberFormat, note: &str) -> Judged {
        let whole = self.cells().all(|cell| format.spelling(cell) == Some(Spelling::Whole));
        let (kind, what) = if whole { (Kind::Integer, "whole numbers") } else { (Kind::Real, "numbers") };
        let reading = Reading::Numbers(format);
        let evidence = format!(
            "{} are {what}{}{}{note}",
            self.share(self.known),
            format.words(),
            self.span(&reading, ", ")
        );
        Judged::new(kind, reading, evidence)
    }

    fn dates(&self, format: date::DateFormat, why: &str) -> Judged {
        let reading = Reading::Dates(format);
        let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
        let span = self.span(&reading, ", ");
        let evidence = format!("{} are dates, {}{why}{span}", self.share(self.known), format.words());
        Judged::new(Kind::Date, reading, evidence)
    }

    fn either_number(&self, name: &str) -> Judged {
        let cell = self.cells().find(|cell| cell.contains(',')).unwrap_or_default().trim();
        let question = format!(
            "'{cell}' may be {} (a comma between thousands) or {} (a decimal comma), and no other value tells: declare \
             \"{name}\" integer for the first, real for the second (--kind {name}=integer or {name}=real)",
            cell.replace(',', ""),
            cell.replace(',', "."),
        );
        self.ask("numbers", question)
    }

    fn either_date(&self, format: date::DateFormat, cell: &str, name: &str) -> Judged {
        let mark = format.separator.map(String::from).unwrap_or_default();
        let question = format!(
            "'{cell}' may be day{mark}month or month{mark}day, and no other value tells: declare \"{name}\" date-dmy or \
             date-mdy (--kind {name}=date-dmy or {name}=date-mdy)"
        );
        self.ask("dates", question)
    }

    /// A question instead of an answer.
    fn ask(&self, what: &str, question: String) -> Judged {
        let evidence = format!("{} look like {what}, but {question}", self.share(self.known));
        let open = Judged::new(Kind::Category, Reading::Labels, evidence);
        Judged { question: Some(question), ..open }
    }

    /// The reading that most values have, if nearly all have it.
    fn nearly(&self, column: &Column, markers: &[String]) -> Option<Judged> {
        // Most columns of labels end here, before fourteen formats are tried on each of them.
        let could_be = |cell: &str| cell.chars().all(|c| c.is_ascii_digit() || MARKS.contains(c));
        let possible = self.counts().filter(|(cell, _)| could_be(cell)).map(|(_, count)| count).sum();
        if !self.are_nearly_all(possible) {
            return None;
        }
        let mut readings: Vec<Reading> = NumberFormat::all().map(Reading::Numbers).collect();
        if let Some(format) = date::candidate(self.cells()) {
            readings.push(Reading::Dates(format));
            readings.push(Reading::Dates(date::DateFormat { order: date::DateOrder::Mdy, ..format }));
        }
        // The first of the best: Reverse, since max_by_key takes the last.
        let (count, _, reading) = readings
            .into_iter()
            .enumerate()
            .map(|(at, r)| (self.fitting(&r), Reverse(at), r))
            .max_by_key(|(count, at, _)| (*count, *at))?;
        if !self.are_nearly_all(count) {
            return None;
        }
        let what = if matches!(reading, Reading::Dates(_)) { "dates" } else { "numbers" };
        let odd = misfits(column, markers, &reading);
        let named: Vec<String> = odd
            .iter()
            .take(NAMED)
            .map(|(row, cell)| format!("{} (row {})", quoted(cell), thousands(row + 1)))
            .collect();
        let more = if self.known - count > named.len() { ", ..." } else { "" };
        let evidence = format!("{} are {what}; not {what}: {}{more}", self.share(count), named.join(", "));
        Some(Judged { nearly: Some(reading), ..Judged::new(Kind::Category, Reading::Labels, evidence) })
    }

    fn are_nearly_all(&self, count: usize) -> bool {
        // In u128: 100 times a count of cells may overflow a 32-bit usize.
        count as u128 * 100 >= self.known as u128 * NEARLY_PERCENT as u128
    }

    /// Labels: a category, or an identifier if nearly all differ.
    fn labels(&self, evidence: String) -> Judged {
        let distinct = self.distinct;
        let differ = self.known >= IDENTIFIER_LEAST
            && distinct as u128 * 100 >= self.known as u128 * IDENTIFIER_PERCENT as u128;
        if !differ {
            return Judged::new(Kind::Category, Reading::Labels, evidence);
        }
        let how = if distinct == self.known { "all" } else { "nearly all" };
        let evidence = format!("{evidence}; {how} different, as identifiers are");
        Judged::new(Kind::Identifier, Reading::Labels, evidence)
    }

    fn share(&self, count: usize) -> String {
        format!("{} of {} values", thousands(count), thousands(self.known))
    }

    /// The first value with a leading zero, if all values look like codes.
    fn code(&self) -> Option<&str> {
        let cells = || self.cells().map(str::trim);
        let length = cells().next()?.len();
        let alike = length > 1 && cells().all(|c| c.len() == length && c.bytes().all(|b| b.is_ascii_digit()));
        if alike { cells().find(|c| c.starts_with('0')) } else { None }
    }

    /// Least and largest value, as their cells spell them.
    fn span(&self, reading: &Reading, before: &str) -> String {
        let values = || self.cells().filter_map(|cell| Some((reading.value(cell)?, cell.trim())));
        let least = values().min_by(|a, b| a.0.total_cmp(&b.0));
        let most = values().max_by(|a, b| a.0.total_cmp(&b.0));
        match (least, most) {
            (Some(least), Some(most)) if least.0 == most.0 => format!("{before}all {}", least.1),
            (Some(least), Some(most)) => format!("{before}{} to {}", least.1, most.1),
            _ => String::new(),
        }
    }

    /// The number of labels and the most frequent one, the first in byte order among equals.
    fn frequent(&self) -> String {
        let values = counted(self.distinct, "value", "values");
        match self.counts().max_by_key(|&(cell, count)| (count, Reverse(cell))) {
            Some((_, 1)) if self.known > 1 => format!("{values}, each once"),
            Some((cell, count)) => {
                let text = quoted(cell);
                let label = text.trim_start_matches('\'').trim_end_matches('\'');
                format!("{values}, most often {label} ({} of {})", thousands(count), thousands(self.known))
            }
            None => values,
        }
    }
}
