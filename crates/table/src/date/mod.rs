//! Dates in cells: days, days with a time of day, months and quarters, as one column spells them.
//!
//! A format is a list of parts, read off a cell by [`guess`](mod@guess) or said by the user in the letters of strftime
//! ([`letters`]). What it reads is a number, so that dates have distances: days since 1970-01-01, with fractions where
//! there is a time of day; months since 1970-01; quarters since the first of 1970. Times with an offset from UTC are
//! compared as instants.

mod fit;
mod guess;
mod letters;
mod names;
mod read;
mod write;

pub(crate) use fit::{Fit, candidate, declared, fit, formats, is_date};
pub use letters::DateFault;

use lookalike_words::{Cell, Name};

use self::names::{Case, Language, Languages, Length};
use crate::{DateEvidence, DatePattern, Question};

/// Which part of a date stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// 2024-12-31, as in ISO 8601.
    Ymd,
    /// 31.12.2024.
    Dmy,
    /// 12/31/2024.
    Mdy,
}

/// What the dates of a column are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateUnit {
    /// Days from 1970-01-01, with fractions.
    Time,
    /// Days from 1970-01-01.
    Day,
    /// Months from 1970-01.
    Month,
    /// Quarters from the first of 1970.
    Quarter,
}

/// How a column spells its dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFormat {
    parts: Vec<Part>,
    spelling: Spelling,
}

/// A part of a date, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// This character.
    Text(char),
    /// Four digits.
    Year,
    /// The last two digits of one of the hundred years from this one on.
    ShortYear {
        from: i16,
    },
    Month {
        padded: bool,
    },
    MonthName(Length),
    /// The name of the day of the week, which must be that of the date.
    Weekday(Length),
    Day {
        padded: bool,
    },
    /// One digit.
    Quarter,
    /// Of 24.
    Hour {
        padded: bool,
    },
    /// Of 12, with [`Part::HalfDay`].
    Hour12 {
        padded: bool,
    },
    Minute,
    Second,
    /// A point or comma and the digits of a fraction of a second; a cell may lack both.
    Fraction,
    HalfDay,
    /// The offset from UTC.
    Zone,
}

/// How a date is written where a format leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spelling {
    languages: Languages,
    case: Case,
    half: HalfDay,
    /// Digits of a fraction of a second, and what stands before them.
    decimals: u8,
    point: char,
    zone: ZoneStyle,
    /// Minutes east of Greenwich.
    offset: i16,
}

impl Spelling {
    const USUAL: Self = Self {
        languages: Languages::of(Language::English),
        case: Case::Title,
        half: HalfDay::Upper,
        decimals: 0,
        point: '.',
        zone: ZoneStyle::Colon,
        offset: 0,
    };
}

/// How halves of a day are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HalfDay {
    /// AM
    Upper,
    /// am
    Lower,
    /// A.M.
    UpperPoints,
    /// a.m.
    LowerPoints,
    /// a. m.
    Spaced,
}

/// How an offset is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ZoneStyle {
    /// Z, and +01:00 where it is not 0.
    Z,
    /// UTC, likewise.
    Utc,
    /// +01:00
    Colon,
    /// +0100
    Plain,
    /// +01
    Hours,
}

impl Part {
    /// Whether it is written in digits alone.
    fn is_number(self) -> bool {
        !matches!(
            self,
            Self::Text(_)
                | Self::MonthName(_)
                | Self::Weekday(_)
                | Self::Fraction
                | Self::HalfDay
                | Self::Zone
        )
    }
}

impl DateFormat {
    /// Days in digits with a four-digit year: in this order, with a separator or without, months and days with two digits
    /// throughout (`padded`) or not.
    #[must_use]
    pub fn days(order: DateOrder, separator: Option<char>, padded: bool) -> Self {
        let (year, month, day) = (Part::Year, Part::Month { padded }, Part::Day { padded });
        let [a, b, c] = match order {
            DateOrder::Ymd => [year, month, day],
            DateOrder::Dmy => [day, month, year],
            DateOrder::Mdy => [month, day, year],
        };
        let mark = separator.map(Part::Text);
        let parts = [a].into_iter().chain(mark).chain([b]).chain(mark).chain([c]);
        Self { parts: parts.collect(), spelling: Spelling::USUAL }
    }

    /// 2024-12-31.
    #[must_use]
    pub fn iso() -> Self {
        Self::days(DateOrder::Ymd, Some('-'), true)
    }

    /// What its values are counted in.
    #[must_use]
    pub fn unit(&self) -> DateUnit {
        let has = |part: fn(&Part) -> bool| self.parts.iter().any(part);
        if has(|part| matches!(part, Part::Hour { .. } | Part::Hour12 { .. })) {
            DateUnit::Time
        } else if has(|part| matches!(part, Part::Day { .. })) {
            DateUnit::Day
        } else if has(|part| *part == Part::Quarter) {
            DateUnit::Quarter
        } else {
            DateUnit::Month
        }
    }

    /// Whether all its values are whole numbers.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.unit() != DateUnit::Time
    }

    /// The least difference of two values that it tells apart, in its unit.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        if self.is_whole() { 1.0 } else { self.step() as f64 / read::MICROS_A_DAY as f64 }
    }

    /// Where day and month stand; `None` without a day.
    pub(crate) fn order(&self) -> Option<DateOrder> {
        let at = |part: fn(&Part) -> bool| self.parts.iter().position(part);
        let day = at(|part| matches!(part, Part::Day { .. }))?;
        let month = at(|part| matches!(part, Part::Month { .. } | Part::MonthName(_)))?;
        let year = at(|part| matches!(part, Part::Year | Part::ShortYear { .. }))?;
        Some(if year < day.min(month) {
            DateOrder::Ymd
        } else if day < month {
            DateOrder::Dmy
        } else {
            DateOrder::Mdy
        })
    }

    /// What stands after the first of day, month and year.
    fn separator(&self) -> Option<char> {
        let before = |part: &&Part| matches!(part, Part::Text(_) | Part::Weekday(_));
        self.parts.iter().skip_while(before).find_map(|part| match part {
            Part::Text(mark) => Some(*mark),
            _ => None,
        })
    }

    fn has_names(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::MonthName(_)))
    }

    /// Whether names stand in it, of months or days of the week, which are of a language.
    fn has_words(&self) -> bool {
        self.has_names() || self.has_weekday()
    }

    fn has_weekday(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Weekday(_)))
    }

    fn has_short_year(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::ShortYear { .. }))
    }

    /// Its parts and what stands between them, for evidence.
    pub(crate) fn pattern(&self) -> DatePattern {
        let (mark, format) = (self.separator(), self.to_string());
        match (self.unit(), self.order()) {
            (DateUnit::Time, _) => DatePattern::Time { format },
            (DateUnit::Month, _) => DatePattern::Months { format },
            (DateUnit::Quarter, _) => DatePattern::Quarters { format },
            (DateUnit::Day, _) if self.has_words() || self.has_short_year() => DatePattern::Days { format },
            (DateUnit::Day, Some(DateOrder::Dmy)) => DatePattern::Dmy { mark },
            (DateUnit::Day, Some(DateOrder::Mdy)) => DatePattern::Mdy { mark },
            (DateUnit::Day, _) => DatePattern::Ymd { mark },
        }
    }

    /// What to say of months of which the fourth is the last, written as quarters may be: `1/2024` to `4/2024`.
    pub(crate) fn maybe_quarters<'a>(
        &self,
        cells: &(impl Iterator<Item = &'a str> + Clone),
    ) -> Option<DateEvidence> {
        if self.unit() != DateUnit::Month || !self.parts.contains(&Part::Month { padded: false }) {
            return None;
        }
        let months = cells.clone().filter_map(|cell| self.parse(cell)).map(|month| month.rem_euclid(12.0));
        let last = months.reduce(f64::max)?;
        let kind = format!("date:{self}").replace("%-m", "%q");
        ((last - 3.0).abs() < 0.5).then_some(DateEvidence::MaybeQuarters { kind })
    }

    /// What is to be asked if this cell of a column is a date with the day first and with the month first.
    pub(crate) fn question(&self, cell: &str, column: &str) -> Question {
        Question::Date { cell: Cell::from(cell), mark: self.separator(), column: Name::from(column) }
    }

    /// What is to be asked of a column whose years have two digits, such as this cell.
    pub(crate) fn century(&self, cell: &str, column: &str) -> Question {
        Question::Century {
            cell: Cell::from(cell),
            format: Name(format!("date:{self}")),
            column: Name::from(column),
        }
    }
}
