//! Calendar dates in cells: year-month-day, day-month-year or month-day-year, in digits, with a four-digit year.

use jiff::civil::{self, Date};
use lookalike_words::{Cell, Name};

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

/// How a column spells its dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateFormat {
    /// Which part stands first.
    pub order: DateOrder,
    /// `-`, `/` or `.`; `None` for 20241231.
    pub separator: Option<char>,
    /// Whether months and days have two digits throughout: 05.01.2024, not 5.1.2024.
    pub padded: bool,
}

/// Day 0.
const EPOCH: Date = civil::date(1970, 1, 1);

const SECONDS_A_DAY: i64 = 86_400;

impl DateFormat {
    /// The day number of a cell, 1970-01-01 being 0; `None` if it is no date of this format. White space around it does
    /// not count, nor whether days and months have a leading zero.
    #[must_use]
    pub fn parse(self, cell: &str) -> Option<f64> {
        let cell = cell.trim();
        let parts = match self.separator {
            Some(separator) => Parts::of(cell).filter(|p| p.separator == separator)?.fields,
            None if cell.len() == 8 && cell.bytes().all(|b| b.is_ascii_digit()) => {
                [&cell[..4], &cell[4..6], &cell[6..]]
            }
            None => return None,
        };
        let [year, month, day] = match self.order {
            DateOrder::Ymd => parts,
            DateOrder::Dmy => [parts[2], parts[1], parts[0]],
            DateOrder::Mdy => [parts[2], parts[0], parts[1]],
        };
        if year.len() != 4 || month.len() > 2 || day.len() > 2 {
            return None;
        }
        let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
        Some((date.duration_since(EPOCH).as_secs() / SECONDS_A_DAY) as f64)
    }

    /// The date of a day number, spelled like the column; `None` outside of the years 0 to 9999.
    #[must_use]
    pub fn write(self, day: f64) -> Option<String> {
        // Years beyond 9999 are beyond five million days; the cast is exact below.
        let days = (day.abs() < 5e6).then_some(day as i64)?;
        let date = EPOCH.checked_add(jiff::SignedDuration::from_hours(days * 24)).ok()?;
        let year = (date.year() >= 0).then(|| format!("{:04}", date.year()))?;
        let two = |n: i8| if self.padded { format!("{n:02}") } else { n.to_string() };
        let (month, day) = (two(date.month()), two(date.day()));
        let parts = match self.order {
            DateOrder::Ymd => [year, month, day],
            DateOrder::Dmy => [day, month, year],
            DateOrder::Mdy => [month, day, year],
        };
        Some(parts.join(self.separator.map(String::from).unwrap_or_default().as_str()))
    }

    /// Its parts and what stands between them, for evidence.
    pub(crate) fn pattern(self) -> DatePattern {
        let mark = self.separator;
        match self.order {
            DateOrder::Ymd => DatePattern::Ymd { mark },
            DateOrder::Dmy => DatePattern::Dmy { mark },
            DateOrder::Mdy => DatePattern::Mdy { mark },
        }
    }

    /// What is to be asked if this cell of a column is a date with the day first and with the month first.
    pub(crate) fn question(self, cell: &str, column: &str) -> Question {
        Question::Date { cell: Cell::from(cell), mark: self.separator, column: Name::from(column) }
    }
}

/// Three runs of digits with the same mark between them.
struct Parts<'a> {
    separator: char,
    fields: [&'a str; 3],
}

impl<'a> Parts<'a> {
    fn of(cell: &'a str) -> Option<Self> {
        let cell = cell.trim();
        if !(8..=10).contains(&cell.len()) || !cell.is_ascii() {
            return None;
        }
        let separator =
            cell.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '-' | '/' | '.'))?;
        let mut parts = cell.split(separator);
        let fields = [parts.next()?, parts.next()?, parts.next()?];
        let digits = |f: &&str| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit());
        (parts.next().is_none() && fields.iter().all(digits)).then_some(Self { separator, fields })
    }
}

/// What the cells of a column say of their format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The cells are no dates, or not of one format.
    None,
    /// This format, and why this order of day and month, if that was to be found out.
    Only(DateFormat, Option<DateEvidence>),
    /// Day first and month first are both possible, and differ; one such cell.
    EitherWay(DateFormat, String),
}

/// The format of all cells, from all of them.
pub(crate) fn fit<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Fit {
    let Some(first) = candidate(cells.clone()) else { return Fit::None };
    let fits = |order| {
        let format = DateFormat { order, ..first };
        cells.clone().all(|cell| format.parse(cell).is_some())
    };
    if first.order == DateOrder::Ymd {
        return if fits(DateOrder::Ymd) { Fit::Only(first, None) } else { Fit::None };
    }
    let (dmy, mdy) =
        (DateFormat { order: DateOrder::Dmy, ..first }, DateFormat { order: DateOrder::Mdy, ..first });
    // The first cell that tells the two apart.
    let telling = |wrong: DateFormat| {
        let cell = cells.clone().find(|cell| wrong.parse(cell).is_none());
        cell.unwrap_or_default().trim().to_owned()
    };
    match (fits(DateOrder::Dmy), fits(DateOrder::Mdy)) {
        (false, false) => Fit::None,
        (true, false) => Fit::Only(dmy, Some(DateEvidence::DayFirst { date: telling(mdy) })),
        (false, true) => Fit::Only(mdy, Some(DateEvidence::MonthFirst { date: telling(dmy) })),
        (true, true) => match cells.clone().find(|cell| dmy.parse(cell) != mdy.parse(cell)) {
            None => Fit::Only(dmy, Some(DateEvidence::Same)),
            Some(_) if first.separator == Some('.') => Fit::Only(dmy, Some(DateEvidence::Points)),
            Some(cell) => Fit::EitherWay(dmy, cell.trim().to_owned()),
        },
    }
}

/// Whether a text is a calendar date with a four-digit year in some format.
pub(crate) fn is_date(text: &str) -> bool {
    let Some(first) = candidate(std::iter::once(text)) else { return false };
    [first.order, DateOrder::Mdy].into_iter().any(|order| DateFormat { order, ..first }.parse(text).is_some())
}

/// The separator and the place of the year of the first cell, the padding of all; the order of day and month is open.
pub(crate) fn candidate<'a>(mut cells: impl Iterator<Item = &'a str> + Clone) -> Option<DateFormat> {
    let padded = cells.clone().all(|cell| cell.trim().len() == 10);
    let Parts { separator, fields } = cells.find_map(Parts::of)?;
    let order = if fields[0].len() == 4 { DateOrder::Ymd } else { DateOrder::Dmy };
    Some(DateFormat { order, separator: Some(separator), padded })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(cells: &[&str]) -> Fit {
        fit(&cells.iter().copied())
    }

    fn order(cells: &[&str]) -> Option<DateOrder> {
        match of(cells) {
            Fit::Only(format, _) => Some(format.order),
            _ => None,
        }
    }

    #[test]
    fn the_whole_column_tells_the_order() {
        assert_eq!(order(&["2024-01-05", "2024-2-1"]), Some(DateOrder::Ymd));
        assert_eq!(order(&["2024/01/05"]), Some(DateOrder::Ymd));
        assert_eq!(order(&["01/02/2024", "31/12/2024"]), Some(DateOrder::Dmy));
        assert_eq!(order(&["01/02/2024", "12/31/2024"]), Some(DateOrder::Mdy));
        assert_eq!(order(&["01.02.2024"]), Some(DateOrder::Dmy));
        assert_eq!(order(&["5-5-2024", "12-12-2024"]), Some(DateOrder::Dmy));
        assert!(matches!(of(&["5/5/2024", "01/02/2024"]), Fit::EitherWay(_, cell) if cell == "01/02/2024"));
        assert!(matches!(of(&["01-02-2024"]), Fit::EitherWay(..)));
        for cells in [
            ["31/12/2024", "12/31/2024"],
            ["2024-02-30", "2024-01-01"],
            ["2024-01-01", "2024/01/01"],
            ["01.02.24", "03.04.25"],
            ["20240101", "20240102"],
            ["2024-01-01T10:00", "2024-01-01"],
            ["a", ""],
        ] {
            assert_eq!(of(&cells), Fit::None, "{cells:?}");
        }
    }

    #[test]
    fn day_numbers_are_those_of_the_calendar() {
        let iso = DateFormat { order: DateOrder::Ymd, separator: Some('-'), padded: true };
        // Hand-counted: 1970 to 2000 has 30 years, 7 of them leap years; February 2000 has 29 days.
        let cases =
            [("1970-01-01", 0.0), ("2000-01-01", 10957.0), ("2000-03-01", 11017.0), ("1969-12-31", -1.0)];
        for (cell, day) in cases {
            assert_eq!(iso.parse(cell), Some(day), "{cell}");
            assert_eq!(iso.write(day).as_deref(), Some(cell));
        }
        assert_eq!(iso.parse("1900-02-29"), None);
        assert_eq!(iso.write(1e9), None);
        let compact = DateFormat { separator: None, ..iso };
        assert_eq!(compact.parse("20000301"), Some(11017.0));
        assert_eq!(compact.write(11017.0).as_deref(), Some("20000301"));
    }

    proptest! {
        /// What a format writes, it reads; unpadded too.
        #[test]
        fn reads_what_it_writes(day in -700_000..2_900_000_i32, order in 0..3_usize, mark in 0..3_usize, padded: bool) {
            let order = [DateOrder::Ymd, DateOrder::Dmy, DateOrder::Mdy][order];
            let format = DateFormat { order, separator: Some(['-', '/', '.'][mark]), padded };
            let cell = format.write(f64::from(day)).unwrap();
            prop_assert_eq!(format.parse(&cell), Some(f64::from(day)));
        }

        #[test]
        fn never_panics(cell in any::<String>()) {
            let _ = of(&[&cell]);
        }
    }
}
