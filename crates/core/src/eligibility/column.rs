//! What every `m` would cost, from a column of a table.

use std::ops::RangeInclusive;

use lookalike_table::{Column, Table, is_missing};
use lookalike_wire::{
    settings::{Missing, MissingPolicy},
    survey::{Hybrid, Survey, SurveyRow},
};

use super::{largest_m, survey};
use crate::Error;

/// Values of `m` that are surveyed unless others are asked for: 2 to this many.
const SHOWN: u64 = 21;

/// What every `m` of `ms` would cost if the column `sensitive` is to be protected; `None` means 2 to the number of
/// values, at most 21. Rows with a missing value count only if "missing" is a value of its own.
///
/// # Errors
/// [`Error::Input`] if there is no such column, or missing cells are an error and there are some;
/// [`Error::Infeasible`] if fewer than two different values are left.
pub fn survey_column(
    table: &Table,
    sensitive: &str,
    missing: &Missing,
    ms: Option<RangeInclusive<u64>>,
) -> Result<Survey, Error> {
    let column = table.column(sensitive).ok_or_else(|| no_column(table, sensitive))?;
    let counted = count(column, missing);
    let policy = missing.columns.get(sensitive).copied().unwrap_or(missing.sensitive);
    if counted.missing > 0 && policy == MissingPolicy::Error {
        return Err(Error::Input(format!(
            "column \"{sensitive}\" is missing in {} of {} rows (row {} first); say what that means: drop these rows, or \
             count \"missing\" as a value of its own",
            counted.missing,
            table.rows,
            counted.first + 1
        )));
    }
    let mut counts = counted.known;
    let as_value = policy == MissingPolicy::Value && counted.missing > 0;
    counts.extend(as_value.then_some(counted.missing));
    let (rows, values) = (counts.iter().sum(), counts.len() as u64);
    if values < 2 {
        return Err(Error::Infeasible(format!(
            "column \"{sensitive}\" holds {values} different values in {rows} rows: no m of 2 or more is possible"
        )));
    }
    Ok(Survey {
        sensitive: sensitive.to_owned(),
        rows,
        dropped: if as_value { 0 } else { counted.missing },
        values,
        largest_m_without_changes: largest_m(&counts),
        survey: survey(&counts, ms.unwrap_or(2..=values.min(SHOWN))).into_iter().map(on_wire).collect(),
    })
}

fn no_column(table: &Table, name: &str) -> Error {
    let names: Vec<_> = table.columns.iter().map(|c| format!("\"{}\"", c.name)).collect();
    Error::Input(format!("there is no column \"{name}\"; the columns are {}", names.join(", ")))
}

fn on_wire(row: super::SurveyRow) -> SurveyRow {
    SurveyRow {
        m: row.m,
        eligible: row.eligible,
        additions: row.additions,
        deletions: row.deletions,
        hybrid: row.hybrid.map(|h| Hybrid {
            additions: h.additions,
            deletions: h.deletions,
            changes: h.total(),
        }),
        share: row.share,
    }
}

/// How often each value occurs.
struct Counted {
    /// Per known value that occurs, in sorted order of the values.
    known: Vec<u64>,
    /// Cells that are missing.
    missing: u64,
    /// The first of them, 0-based; 0 if there is none.
    first: usize,
}

fn count(column: &Column, missing: &Missing) -> Counted {
    let mut per_entry = vec![0_u64; column.values.len()];
    for &cell in &column.cells {
        per_entry[cell as usize] += 1;
    }
    let absent: Vec<bool> = column.values.iter().map(|v| is_missing(v, &missing.markers)).collect();
    let mut known: Vec<(&str, u64)> = Vec::new();
    let mut gone = 0;
    for ((value, &n), &absent) in column.values.iter().zip(&per_entry).zip(&absent) {
        match (absent, n) {
            (true, n) => gone += n,
            (false, 0) => {}
            (false, n) => known.push((value, n)),
        }
    }
    known.sort_unstable();
    let first = if gone == 0 { None } else { column.cells.iter().position(|&cell| absent[cell as usize]) };
    Counted {
        known: known.into_iter().map(|(_, n)| n).collect(),
        missing: gone,
        first: first.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_table::{ReadOptions, read};

    fn surveyed(policy: MissingPolicy) -> Result<Survey, Error> {
        let table = read(b"d\nflu\nHIV\n?\nflu\n?\nNA\nflu\n", &ReadOptions::default()).unwrap();
        survey_column(&table, "d", &Missing { sensitive: policy, ..Missing::default() }, None)
    }

    #[test]
    fn missing_values_are_dropped_counted_or_refused() {
        let dropped = surveyed(MissingPolicy::Drop).unwrap();
        assert_eq!((dropped.rows, dropped.dropped, dropped.values), (4, 3, 2));
        // {3, 1}, m = 2: two counterfeits, or two deletions, or one of each.
        assert_eq!(dropped.largest_m_without_changes, 1);
        assert_eq!(dropped.survey.len(), 1);
        let row = dropped.survey[0];
        assert_eq!((row.m, row.eligible, row.additions, row.deletions), (2, false, Some(2), Some(2)));
        assert_eq!((row.hybrid.unwrap().changes, row.share), (2, Some(0.5)));
        let valued = surveyed(MissingPolicy::Value).unwrap();
        assert_eq!((valued.rows, valued.dropped, valued.values, valued.survey.len()), (7, 0, 3, 2));
        let refused = surveyed(MissingPolicy::Error).unwrap_err().to_string();
        assert!(refused.contains("3 of 7 rows (row 3 first)"), "{refused}");
    }

    #[test]
    fn a_column_with_one_value_and_an_unknown_column_are_refused() {
        let table = read(b"d,e\nflu,a\nflu,b\n", &ReadOptions::default()).unwrap();
        let ask = |name| survey_column(&table, name, &Missing::default(), None).unwrap_err().to_string();
        assert!(ask("d").contains("1 different values in 2 rows"), "{}", ask("d"));
        assert!(ask("f").contains("the columns are \"d\", \"e\""), "{}", ask("f"));
    }
}
