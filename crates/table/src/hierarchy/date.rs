//! Days, months, quarters, years.

use std::collections::BTreeSet;

use super::{ANY, Hierarchy, HierarchyError};

/// A day of the proleptic Gregorian calendar; orders by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: i32,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// Generalises days to months (`2020-03`), quarters (`2020-Q1`), years (`2020`) and `*`. Each cell comes with the
/// date that it was read as, so that any spelling can be generalised; values are trimmed and sorted by time, equal
/// days by their bytes. A cell that comes twice counts once.
///
/// # Errors
/// If there is no cell, or one has no date.
pub fn date<'a>(
    cells: impl IntoIterator<Item = (&'a str, Option<Date>)>,
) -> Result<Hierarchy, HierarchyError> {
    let mut days = BTreeSet::new();
    for (cell, date) in cells {
        let cell = cell.trim();
        let date = date.filter(|d| (1..=12).contains(&d.month)).ok_or_else(|| HierarchyError::Value {
            kind: "date",
            value: cell.to_owned(),
            not: "not a date that can be read; write dates as 2020-03-31",
        })?;
        days.insert((date, cell));
    }
    let rows: Vec<Vec<String>> = days
        .into_iter()
        .map(|(Date { year, month, .. }, cell)| {
            let quarter = month.div_ceil(3);
            vec![
                cell.to_owned(),
                format!("{year:04}-{month:02}"),
                format!("{year:04}-Q{quarter}"),
                format!("{year:04}"),
                ANY.to_owned(),
            ]
        })
        .collect();
    Hierarchy::new(&rows)
}

/// The date that a cell holds, spelled as ISO 8601 has it: year, month, day (`2020-03-31`), white space around it
/// not counted.
#[must_use]
pub fn iso_date(cell: &str) -> Option<Date> {
    let cell = cell.trim();
    let digits = |part: &str, count: usize| {
        (part.len() == count && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let mut parts = cell.split('-');
    let year: i32 = digits(parts.next()?, 4)?;
    let (month, day) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if parts.next().is_some() {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(Date { year, month: month as u8, day: day as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_months_quarters_years() {
        let cells = ["2020-04-01", "2020-03-31", "2019-12-24", "2020-03-31"];
        let hierarchy = date(cells.map(|cell| (cell, iso_date(cell)))).unwrap();
        let rows = hierarchy.rows();
        assert_eq!(rows[0], ["2019-12-24", "2019-12", "2019-Q4", "2019", "*"]);
        assert_eq!(rows[1], ["2020-03-31", "2020-03", "2020-Q1", "2020", "*"]);
        assert_eq!(rows[2], ["2020-04-01", "2020-04", "2020-Q2", "2020", "*"]);
        assert_eq!(hierarchy.lowest_common(&[1, 2]), Some(3));
    }

    #[test]
    fn any_spelling_whose_date_is_known() {
        let march = Date { year: 2020, month: 3, day: 1 };
        let hierarchy = date([("1.3.2020", Some(march)), ("2020-03-01", iso_date("2020-03-01"))]).unwrap();
        assert_eq!(hierarchy.lowest_common(&[0, 1]), Some(1));
        let error = date([("soon", None)]).unwrap_err().to_string();
        assert!(error.contains("'soon'") && error.contains("2020-03-31"), "{error}");
    }

    #[test]
    fn iso_dates_exist() {
        assert_eq!(iso_date(" 2020-02-29 "), Some(Date { year: 2020, month: 2, day: 29 }));
        assert_eq!(iso_date("2000-02-29").map(|d| d.day), Some(29));
        for none in [
            "2021-02-29",
            "1900-02-29",
            "2020-13-01",
            "2020-00-01",
            "2020-04-31",
            "2020-01-00",
            "20-01-01",
            "2020-1-1",
            "2020-01",
            "2020-01-01-",
            "2020-01-01T00:00",
            "+020-01-01",
            "",
        ] {
            assert_eq!(iso_date(none), None, "{none:?}");
        }
    }
}
