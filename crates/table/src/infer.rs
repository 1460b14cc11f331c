//! Kinds, inferred over the whole column, with their evidence.

use std::cmp::Reverse;

use lookalike_words::{Cell, Figure, Name};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

use crate::{
    Affixes, Column, DateEvidence, Dictionary, Differ, Evidence, Finding, Inferred, Kind, LongNumbers,
    Misfit, NumberFormat, Question, Reading, Span, Table, date, is_missing, number::Spelling,
    number_format as number, reading::cells_where, resemble::resembles,
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
///   between thousands. Some that are too long to be told apart as numbers make the column one of labels.
/// * [`Kind::Real`]: every known value is a finite number, in one format for the whole column, and one at least is
///   spelled with a decimal sign or an exponent: "10.0", "1e3", "1.234,5". Two with more than 15 digits that are rounded to the same
///   [`f64`] make the column one of labels, too.
/// * [`Kind::Date`]: every known value is a calendar date with a four-digit year, in one format for the whole column:
///   "2024-12-31", "31.12.2024", "12/31/2024", "5. März 2024", with or without a time of day ("2024-12-31T14:30:00Z",
///   "12/31/2024 2:30 PM"); or a month ("2024-12", "Dec 2024"); or a quarter ("2024Q4").
/// * [`Kind::Category`]: all else, and digits that are codes rather than numbers: all known values are digits of one
///   length, and one at least begins with 0, as postcodes do ("01234"). A single zero is no code.
/// * [`Kind::Identifier`]: such labels, of which nearly all differ.
///
/// Texts of a file that tells them from numbers ([`Column::texts`]) are dates or labels.
///
/// Two readings that differ are not chosen between: "1,234" may be 1234 or 1.234, "01/02/2024" may be in January or in
/// February. If no cell of the column tells, [`Inferred::question`] says so. The one exception is stated in the
/// evidence: "1.234" is read with a decimal point, as data files have it. "0x10", "NaN" and "1e999" are no numbers. A
/// column with no known value is a category.
#[must_use]
pub fn infer(column: &Column, markers: &[String]) -> Inferred {
    let values = Values::of(column, markers);
    let Values { distinct, missing, .. } = values;
    let Some(Judged { kind, reading, finding, differ, question, nearly }) = values.judge(column, markers)
    else {
        let evidence = Evidence::AllMissing;
        let (kind, reading, question, nearly) = (Kind::Category, Reading::Labels, None, None);
        return Inferred { kind, reading, evidence, distinct, missing, question, nearly };
    };
    let evidence = Evidence::Known { finding, differ, missing };
    Inferred { kind, reading, evidence, distinct, missing, question, nearly }
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
    finding: Finding,
    differ: Option<Differ>,
    question: Option<Question>,
    nearly: Option<Reading>,
}

impl Judged {
    fn new(kind: Kind, reading: Reading, finding: Finding) -> Self {
        Self { kind, reading, finding, differ: None, question: None, nearly: None }
    }

    /// A question instead of an answer.
    fn open(finding: Finding, question: Question) -> Self {
        Self { question: Some(question), ..Self::new(Kind::Category, Reading::Labels, finding) }
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

    /// `None` if nothing is known.
    fn judge(&self, column: &Column, markers: &[String]) -> Option<Judged> {
        if self.known == 0 {
            return None;
        }
        if column.texts {
            return Some(self.texts(column));
        }
        if let Some(code) = self.code() {
            return Some(self.labels(Finding::Codes { values: self.known, code: code.to_owned() }));
        }
        if let Some(code) = self.power_of_ten() {
            return Some(self.labels(Finding::PowersOfTen { values: self.known, code: code.to_owned() }));
        }
        match number::fit(&self.cells()) {
            number::Fit::Only(format) => {
                return Some(self.merged(format).unwrap_or_else(|| self.numbers(format)));
            }
            number::Fit::PointEitherWay(affixes) => {
                let merged = self.merged(NumberFormat::PLAIN.with_affixes(affixes));
                return Some(merged.unwrap_or_else(|| self.decimal_points(affixes)));
            }
            number::Fit::CommaEitherWay(affixes) => return Some(self.either_number(&column.name, affixes)),
            number::Fit::None => {}
        }
        if let Some(dates) = self.any_dates(column) {
            return Some(dates);
        }
        if let Some(long) = self.long_among_numbers(column, markers) {
            return Some(long);
        }
        let resembles = || resembles(&self.counts(), self.known).unwrap_or_else(|| self.frequent());
        Some(self.nearly(column, markers).unwrap_or_else(|| self.labels(resembles())))
    }

    /// Labels, if two numbers of this format would be taken for one.
    fn merged(&self, format: NumberFormat) -> Option<Judged> {
        LongNumbers::in_column(&self.cells(), format).map(|cell| self.long_numbers(cell))
    }

    fn long_numbers(&self, cell: &str) -> Judged {
        self.labels(Finding::LongNumbers { values: self.known, cell: Cell::from(cell.trim()) })
    }

    /// Texts that a file tells from numbers: dates or labels.
    fn texts(&self, column: &Column) -> Judged {
        self.any_dates(column).unwrap_or_else(|| self.labels(self.frequent()))
    }

    fn any_dates(&self, column: &Column) -> Option<Judged> {
        let question = match date::fit(&self.cells()) {
            date::Fit::None => return None,
            date::Fit::Only(format, why) => return Some(self.dates(format, why)),
            date::Fit::EitherWay(format, cell) => format.question(&cell, &column.name),
            date::Fit::Century(format, cell) => format.century(&cell, &column.name),
        };
        let finding = Finding::EitherDates { values: self.known, question: question.clone() };
        Some(Judged::open(finding, question))
    }

    fn numbers(&self, format: NumberFormat) -> Judged {
        let whole = self.cells().all(|cell| format.spelling(cell) == Some(Spelling::Whole));
        let reading = Reading::Numbers(format);
        let (values, marks, span) = (self.known, format.marks(), self.span(&reading));
        if whole {
            Judged::new(Kind::Integer, reading, Finding::WholeNumbers { values, marks, span })
        } else {
            Judged::new(Kind::Real, reading, Finding::Numbers { values, marks, span })
        }
    }

    /// Numbers with points that may be decimal ones or stand between thousands: read as decimal ones.
    fn decimal_points(&self, affixes: Affixes) -> Judged {
        let reading = Reading::Numbers(NumberFormat::PLAIN.with_affixes(affixes));
        let finding = Finding::DecimalPoints { values: self.known, span: self.span(&reading) };
        Judged::new(Kind::Real, reading, finding)
    }

    fn dates(&self, format: date::DateFormat, why: Option<DateEvidence>) -> Judged {
        let why = why.or_else(|| format.maybe_quarters(&self.cells()));
        let (values, pattern) = (self.known, format.pattern());
        let reading = Reading::Dates(format);
        let span = self.span(&reading);
        Judged::new(Kind::Date, reading, Finding::Dates { values, pattern, why, span })
    }

    fn either_number(&self, name: &str, affixes: Affixes) -> Judged {
        let cell = self.cells().find(|cell| cell.contains(',')).unwrap_or_default().trim();
        let decimals = NumberFormat::COMMA.with_affixes(affixes).decimals(cell).unwrap_or_default();
        let number =
            |format: NumberFormat, decimals| Figure::fixed(format.parse(cell).unwrap_or_default(), decimals);
        let question = Question::Number {
            cell: Cell::from(cell),
            whole: number(NumberFormat::POINT_GROUPED.with_affixes(affixes), 0),
            real: number(NumberFormat::COMMA.with_affixes(affixes), decimals),
            column: Name::from(name),
        };
        let finding = Finding::EitherNumbers { values: self.known, question: question.clone() };
        Judged::open(finding, question)
    }

    /// The reading that most values have, if nearly all have it.
    fn nearly(&self, column: &Column, markers: &[String]) -> Option<Judged> {
        // Most columns of labels end here, before fourteen formats are tried on each of them.
        let affixes = Affixes::of(&self.cells());
        let could_be = |cell: &str| {
            cell.chars().all(|c| c.is_ascii_digit() || MARKS.contains(c))
                || date::is_date(cell)
                || affixes.is_some_and(|affixes| affixes.strip(cell).is_some())
        };
        let possible = self.counts().filter(|(cell, _)| could_be(cell)).map(|(_, count)| count).sum();
        if !self.are_nearly_all(possible) {
            return None;
        }
        let mut readings: Vec<Reading> =
            NumberFormat::of(&self.cells()).into_iter().map(Reading::Numbers).collect();
        readings.extend(date::candidate(self.cells()).into_iter().map(Reading::Dates));
        // The first of the best: Reverse, since max_by_key takes the last.
        let (count, _, reading) = readings
            .into_iter()
            .enumerate()
            .map(|(at, r)| (self.fitting(&r), Reverse(at), r))
            .max_by_key(|(count, at, _)| (*count, *at))?;
        if !self.are_nearly_all(count) {
            return None;
        }
        // A number that is too long is one, too.
        let long = |cell: &str| matches!(reading, Reading::Numbers(format) if format.is_long(cell));
        let fitting =
            count + self.counts().filter(|(cell, _)| long(cell)).map(|(_, count)| count).sum::<usize>();
        let is_odd = |cell: &str| !is_missing(cell, markers) && reading.value(cell).is_none() && !long(cell);
        let (odd, more) = named(&cells_where(column, is_odd), self.known - fitting);
        let values = self.known;
        let finding = if matches!(reading, Reading::Dates(_)) {
            Finding::NearlyDates { fitting, values, odd, more }
        } else {
            Finding::NearlyNumbers { fitting, values, odd, more }
        };
        Some(Judged { nearly: Some(reading), ..Judged::new(Kind::Category, Reading::Labels, finding) })
    }

    fn are_nearly_all(&self, count: usize) -> bool {
        // In u128: 100 times a count of cells may overflow a 32-bit usize.
        count as u128 * 100 >= self.known as u128 * NEARLY_PERCENT as u128
    }

    /// Labels: a category, or an identifier if nearly all differ.
    fn labels(&self, finding: Finding) -> Judged {
        let distinct = self.distinct;
        let differ = self.known >= IDENTIFIER_LEAST
            && distinct as u128 * 100 >= self.known as u128 * IDENTIFIER_PERCENT as u128;
        if !differ {
            return Judged::new(Kind::Category, Reading::Labels, finding);
        }
        let differ = if distinct == self.known { Differ::All } else { Differ::NearlyAll };
        Judged { differ: Some(differ), ..Judged::new(Kind::Identifier, Reading::Labels, finding) }
    }

    /// The first value with a leading zero, if all values look like codes.
    fn code(&self) -> Option<&str> {
        let cells = || self.cells().map(str::trim);
        let length = cells().next()?.len();
        let alike = length > 1 && cells().all(|c| c.len() == length && c.bytes().all(|b| b.is_ascii_digit()));
        if alike { cells().find(|c| c.starts_with('0')) } else { None }
    }

    /// The first value, if all are a digit, a capital E and two digits, as ICD-11 has them: a program writes powers of ten with a sign
    /// or a point, or a small e.
    fn power_of_ten(&self) -> Option<&str> {
        let cells = || self.cells().map(str::trim);
        let is_code = |cell: &str| match cell.as_bytes() {
            [first, b'E', rest @ ..] => {
                first.is_ascii_digit() && rest.len() == 2 && rest.iter().all(u8::is_ascii_digit)
            }
            _ => false,
        };
        if cells().all(is_code) { cells().next() } else { None }
    }

    /// The likeliest format in which all values are numbers, of any length.
    pub(crate) fn number_format(&self) -> Option<NumberFormat> {
        let fits = |format: &NumberFormat| self.cells().all(|cell| format.is_number(cell));
        NumberFormat::of(&self.cells()).into_iter().find(fits)
    }

    /// Labels, if all values are numbers of one format, of which some are whole and too long to be told apart as numbers. Where
    /// nearly all others are decimals, those may be slips.
    fn long_among_numbers(&self, column: &Column, markers: &[String]) -> Option<Judged> {
        let format = self.number_format()?;
        let long = self.cells().find(|cell| format.is_long(cell))?;
        let is_whole = |cell| format.is_long(cell) || format.spelling(cell) == Some(Spelling::Whole);
        let reading = Reading::Numbers(format);
        if self.cells().all(is_whole) || !self.are_nearly_all(self.fitting(&reading)) {
            return Some(self.long_numbers(long));
        }
        let is_odd = |cell: &str| !is_missing(cell, markers) && format.is_long(cell);
        let (odd, more) = named(&cells_where(column, is_odd), self.known - self.fitting(&reading));
        let finding = Finding::NumbersAndLong { values: self.known, odd, more };
        Some(Judged { nearly: Some(reading), ..Judged::new(Kind::Category, Reading::Labels, finding) })
    }

    /// Least and largest value, as their cells spell them.
    fn span(&self, reading: &Reading) -> Option<Span> {
        let values = || self.cells().filter_map(|cell| Some((reading.value(cell)?, cell.trim())));
        let least = values().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let most = values().max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(if least.0 == most.0 {
            Span::All { value: least.1.to_owned() }
        } else {
            Span::Range { least: least.1.to_owned(), most: most.1.to_owned() }
        })
    }

    /// The number of labels and the most frequent one, the first in byte order among equals.
    fn frequent(&self) -> Finding {
        let (values, of) = (self.distinct, self.known);
        match self.counts().max_by_key(|&(cell, count)| (count, Reverse(cell))) {
            Some((cell, cells)) if cells > 1 || of == 1 => {
                let label = Cell::from(cell).as_str().trim_matches('\'').to_owned();
                Finding::MostOften { values, label, cells, of }
            }
            _ => Finding::EachOnce { values },
        }
    }
}

/// The first of these misfits, of so many, and whether there are more.
fn named(misfits: &[(usize, String)], all: usize) -> (Vec<Misfit>, bool) {
    let shown = misfits.iter().take(NAMED);
    let odd: Vec<Misfit> =
        shown.map(|(row, cell)| Misfit::Cell { cell: Cell::from(cell.as_str()), row: row + 1 }).collect();
    let more = all > odd.len();
    (odd, more)
}
