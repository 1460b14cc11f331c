//! Days, months, quarters, years.

use lookalike_words::Cell;

use super::{ANY, Hierarchy, HierarchyError};
use crate::{DateFormat, DateUnit};

/// Generalises times to days (`2020-03-01`), days to months (`2020-03`), months to quarters (`2020-Q1`), quarters to years
/// (`2020`) and `*`, from what the format tells apart upwards. Values are trimmed and sorted by time, equal ones by their
/// bytes. A cell that comes twice counts once. Times with an offset are generalised to days as the format writes them.
///
/// # Errors
/// If there is no cell, or one is no date of the format.
pub fn date<'a>(
    cells: impl IntoIterator<Item = &'a str>,
    format: &DateFormat,
) -> Result<Hierarchy, HierarchyError> {
    let mut days = Vec::new();
    for cell in cells {
        let cell = cell.trim();
        let read = format.parse(cell).and_then(|value| Some((value, cell, format.calendar(value)?)));
        days.push(read.ok_or_else(|| HierarchyError::NoDate { value: Cell::from(cell) })?);
    }
    days.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    days.dedup_by(|b, a| a.1 == b.1);
    let rows: Vec<Vec<String>> = days
        .into_iter()
        .map(|(_, cell, day)| {
            let (year, month) = (&day[..4], &day[..7]);
            let quarter = month[5..].parse::<u8>().unwrap_or(1).div_ceil(3);
            let levels = [
                day.clone(),
                month.to_owned(),
                format!("{year}-Q{quarter}"),
                year.to_owned(),
                ANY.to_owned(),
            ];
            let first = match format.unit() {
                DateUnit::Time => 0,
                DateUnit::Day => 1,
                DateUnit::Month => 2,
                DateUnit::Quarter => 3,
            };
            [cell.to_owned()].into_iter().chain(levels.into_iter().skip(first)).collect()
        })
        .collect();
    Hierarchy::new(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DateOrder;

    fn made(cells: &[&str], format: &DateFormat) -> Result<Hierarchy, HierarchyError> {
        date(cells.iter().copied(), format)
    }

    #[test]
    fn days_months_quarters_years() {
        let hierarchy =
            made(&["2020-04-01", " 2020-03-31", "2019-12-24", "2020-03-31"], &DateFormat::iso()).unwrap();
        let rows = hierarchy.rows();
        assert_eq!(rows[0], ["2019-12-24", "2019-12", "2019-Q4", "2019", "*"]);
        assert_eq!(rows[1], ["2020-03-31", "2020-03", "2020-Q1", "2020", "*"]);
        assert_eq!(rows[2], ["2020-04-01", "2020-04", "2020-Q2", "2020", "*"]);
        assert_eq!((rows.len(), hierarchy.lowest_common(&[1, 2])), (3, Some(3)));
    }

    #[test]
    fn any_spelling() {
        let german = DateFormat::days(DateOrder::Dmy, Some('.'), false);
        let hierarchy = made(&["31.12.2019", "1.3.2020", "01.03.2020"], &german).unwrap();
        assert_eq!(hierarchy.rows()[0][1..3], ["2019-12", "2019-Q4"]);
        assert_eq!(hierarchy.lowest_common(&[1, 2]), Some(1));
        let error = made(&["31.13.2019"], &german).unwrap_err().to_string();
        assert!(error.contains("'31.13.2019'"), "{error}");
    }

    #[test]
    fn from_what_is_told_apart_upwards() {
        let of = |format: &str, cell| made(&[cell], &format.parse().unwrap()).unwrap().rows()[0].clone();
        let time = of("%d.%m.%Y %H:%M", "31.12.2019 23:59");
        assert_eq!(time, ["31.12.2019 23:59", "2019-12-31", "2019-12", "2019-Q4", "2019", "*"]);
        assert_eq!(of("%m/%Y", "3/2020"), ["3/2020", "2020-Q1", "2020", "*"]);
        assert_eq!(of("%YQ%q", "2020Q4"), ["2020Q4", "2020", "*"]);
        let hour =
            made(&["2020-01-02 10:00", "2020-01-02 09:00"], &"%Y-%m-%d %H:%M".parse().unwrap()).unwrap();
        assert_eq!(hour.rows()[0][0], "2020-01-02 09:00");
    }
}
