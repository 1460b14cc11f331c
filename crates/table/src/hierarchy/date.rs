//! Days, months, quarters, years.

use std::collections::BTreeSet;

use lookalike_words::Cell;

use super::{ANY, Hierarchy, HierarchyError};
use crate::{DateFormat, DateOrder};

/// How days are taken apart.
const ISO: DateFormat = DateFormat { order: DateOrder::Ymd, separator: Some('-'), padded: true };

/// Generalises days to months (`2020-03`), quarters (`2020-Q1`), years (`2020`) and `*`. Each cell comes with its day
/// number (1970-01-01 is 0), so that any spelling can be generalised; values are trimmed and sorted by time, equal days
/// by their bytes. A cell that comes twice counts once.
///
/// # Errors
/// If there is no cell, or one has no day, or one outside of the years 0 to 9999.
pub fn date<'a>(
    cells: impl IntoIterator<Item = (&'a str, Option<f64>)>,
) -> Result<Hierarchy, HierarchyError> {
    let mut days = BTreeSet::new();
    for (cell, day) in cells {
        let cell = cell.trim();
        let date = day.and_then(|day| ISO.write(day));
        let date = date.ok_or_else(|| HierarchyError::NoDate { value: Cell::from(cell) })?;
        // Four digits of the year make the order of texts that of time.
        days.insert((date, cell));
    }
    let rows: Vec<Vec<String>> = days
        .into_iter()
        .map(|(date, cell)| {
            let (year, month) = (&date[..4], &date[..7]);
            let quarter = month[5..].parse::<u8>().unwrap_or(1).div_ceil(3);
            vec![
                cell.to_owned(),
                month.to_owned(),
                format!("{year}-Q{quarter}"),
                year.to_owned(),
                ANY.to_owned(),
            ]
        })
        .collect();
    Hierarchy::new(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(cells: &[&str], format: DateFormat) -> Result<Hierarchy, HierarchyError> {
        date(cells.iter().map(|&cell| (cell, format.parse(cell))))
    }

    #[test]
    fn days_months_quarters_years() {
        let hierarchy = made(&["2020-04-01", " 2020-03-31", "2019-12-24", "2020-03-31"], ISO).unwrap();
        let rows = hierarchy.rows();
        assert_eq!(rows[0], ["2019-12-24", "2019-12", "2019-Q4", "2019", "*"]);
        assert_eq!(rows[1], ["2020-03-31", "2020-03", "2020-Q1", "2020", "*"]);
        assert_eq!(rows[2], ["2020-04-01", "2020-04", "2020-Q2", "2020", "*"]);
        assert_eq!((rows.len(), hierarchy.lowest_common(&[1, 2])), (3, Some(3)));
    }

    #[test]
    fn any_spelling() {
        let german = DateFormat { order: DateOrder::Dmy, separator: Some('.'), padded: false };
        let hierarchy = made(&["31.12.2019", "1.3.2020", "01.03.2020"], german).unwrap();
        assert_eq!(hierarchy.rows()[0][1..3], ["2019-12", "2019-Q4"]);
        assert_eq!(hierarchy.lowest_common(&[1, 2]), Some(1));
        let error = made(&["31.13.2019"], german).unwrap_err().to_string();
        assert!(error.contains("'31.13.2019'"), "{error}");
    }
}
