//! From a column of a table to the counts of its values, and to what every `m` would cost.

use std::ops::RangeInclusive;

use lookalike_model::{
    assessment::RepairDisclosures,
    settings::{Missing, MissingPolicy},
    survey::{Hybrid, Survey, SurveyRow},
};
use lookalike_table::{NearValue, Table, is_missing, near_synonyms, near_words};
use lookalike_words::Cell;

use super::{NotEligible, ValuesWarning, count, largest_m, survey};
use crate::{
    Error,
    disclosure::ways,
    pipeline::Misfit,
    prepare::{NAMED, no_column},
};

/// The largest `m` that is usually looked at.
pub const SHOWN: u64 = 21;

/// How often each value of a column occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnCounts {
    /// The values that occur, sorted; a missing one, if it counts as a value, comes last, as its first marker.
    pub values: Vec<String>,
    /// Records of each value.
    pub counts: Vec<u64>,
    /// Rows left out because their value is missing.
    pub dropped: u64,
}

impl ColumnCounts {
    /// What is odd in the values: those that people read as one, those that a single row holds.
    #[must_use]
    pub fn warnings(&self) -> Vec<ValuesWarning> {
        let name = |at: usize| NearValue::Held {
            value: Cell::from(self.values[at].as_str()),
            rows: self.counts[at] as usize,
        };
        let groups = near_synonyms(self.values.iter().map(String::as_str));
        let near = near_words(&groups, name).map(ValuesWarning::Near);
        let single = self.counts.iter().filter(|&&n| n == 1).count();
        let rare = (single > 0).then_some(ValuesWarning::Single { single, values: self.counts.len() });
        near.into_iter().chain(rare).collect()
    }
}

/// Counts a column, missing cells treated by `missing.sensitive`. O(n).
///
/// # Errors
/// [`Error::Misfit`] if there is no such column, or if cells are missing and no policy says what that means.
pub fn column_counts(table: &Table, name: &str, missing: &Missing) -> Result<ColumnCounts, Error> {
    counted(table, name, missing, None)
}

/// Which rows a run leaves out because a cell of one of the columns `needed` is missing: a row each. A column that the table does not
/// have leaves out none.
pub(crate) fn incomplete(table: &Table, needed: &[String], missing: &Missing) -> Vec<bool> {
    let mut out = vec![false; table.rows];
    for column in needed.iter().filter_map(|name| table.column(name)) {
        let absent: Vec<bool> = column.values.iter().map(|v| is_missing(v, &missing.markers)).collect();
        for (out, cell) in out.iter_mut().zip(&column.cells) {
            *out |= absent[*cell as usize];
        }
    }
    out
}

/// Counts a column without the rows that are `out`, where there are any.
fn counted(
    table: &Table,
    name: &str,
    missing: &Missing,
    out: Option<&[bool]>,
) -> Result<ColumnCounts, Error> {
    let Some(column) = table.column(name) else {
        return Err(no_column(table, name));
    };
    let per_entry = match out {
        None => count(&column.cells, column.values.len()),
        Some(out) => {
            let kept = column.cells.iter().zip(out).filter(|(_, out)| !**out).map(|(cell, _)| *cell);
            count(&kept.collect::<Vec<u32>>(), column.values.len())
        }
    };
    let absent: Vec<bool> = column.values.iter().map(|v| is_missing(v, &missing.markers)).collect();
    let number: u64 = per_entry.iter().zip(&absent).filter(|(_, absent)| **absent).map(|(n, _)| n).sum();
    let policy = missing.columns.get(name).copied().unwrap_or(missing.sensitive);
    if number > 0 && policy == MissingPolicy::Error {
        let holes = (1..).zip(&column.cells).filter(|(_, cell)| absent[**cell as usize]).map(|(row, _)| row);
        return Err(Misfit::SensitiveMissing {
            name: name.into(),
            missing: number as usize,
            rows: table.rows,
            first: holes.take(NAMED).collect(),
            more: number > NAMED as u64,
        }
        .into());
    }
    let mut known: Vec<(&str, u64)> = column
        .values
        .iter()
        .zip(&per_entry)
        .zip(&absent)
        .filter(|((_, n), absent)| **n > 0 && !**absent)
        .map(|((value, &n), _)| (value, n))
        .collect();
    known.sort_unstable();
    let keep = policy == MissingPolicy::Value;
    if keep && number > 0 {
        let marker = column.values.iter().zip(&absent).filter(|(_, absent)| **absent).map(|(v, _)| v).min();
        known.extend(marker.map(|marker| (marker, number)));
    }
    Ok(ColumnCounts {
        values: known.iter().map(|(value, _)| (*value).to_owned()).collect(),
        counts: known.iter().map(|(_, n)| *n).collect(),
        dropped: if keep { 0 } else { number },
    })
}

/// What every `m` would cost if the column `sensitive` is to be protected: 2 to the number of values, at most `most`.
/// Rows with a missing value count only if "missing" is a value of its own. Rows that lack a cell of one of the columns `needed` do not
/// count: a run leaves them out before it looks at the values, so that its changes are those that are told here.
///
/// # Errors
/// As [`column_counts`] and [`survey_counts`].
pub fn survey_column(
    table: &Table,
    sensitive: &str,
    needed: &[String],
    missing: &Missing,
    most: u64,
) -> Result<Survey, Error> {
    let out = incomplete(table, needed, missing);
    let mut counts = counted(table, sensitive, missing, Some(&out))?;
    counts.dropped += out.iter().filter(|out| **out).count() as u64;
    survey_counts(sensitive, &counts, 2..=(counts.counts.len() as u64).min(most))
}

/// What every `m` of `ms` would cost, for a column that is counted.
///
/// # Errors
/// [`Error::NotEligible`] if fewer than two different values are left.
pub fn survey_counts(
    sensitive: &str,
    counted: &ColumnCounts,
    ms: RangeInclusive<u64>,
) -> Result<Survey, Error> {
    let counts = &counted.counts;
    let (rows, values) = (counts.iter().sum(), counts.len() as u64);
    if values < 2 {
        return Err(NotEligible::NoChoice { column: sensitive.into(), values, rows }.into());
    }
    Ok(Survey {
        sensitive: sensitive.to_owned(),
        rows,
        dropped: counted.dropped,
        values,
        largest_m_without_changes: largest_m(counts),
        warnings: counted.warnings().into_iter().map(Into::into).collect(),
        published: Vec::new(),
        survey: survey(counts, ms)
            .into_iter()
            .map(|row| SurveyRow { disclosure: ways(counts, row.m), ..on_wire(row) })
            .collect(),
    })
}

fn on_wire(row: super::SurveyRow) -> SurveyRow {
    SurveyRow {
        m: row.m,
        disclosure: RepairDisclosures::default(),
        eligible: row.eligible,
        additions: row.additions,
        deletions: row.deletions,
        hybrid: row.hybrid.map(|h| Hybrid {
            additions: h.additions,
            deletions: h.deletions,
            changes: h.total(),
        }),
        share: row.share,
        levels_all: row.levels_all,
    }
}

#[cfg(test)]
mod tests {
    use lookalike_table::{ReadOptions, read};

    use super::*;

    fn surveyed(policy: MissingPolicy) -> Result<Survey, Error> {
        let table = read(b"d\nflu\nHIV\n?\nflu\n?\nNA\nflu\n", &ReadOptions::default()).unwrap();
        survey_column(&table, "d", &[], &Missing { sensitive: policy, ..Missing::default() }, SHOWN)
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
        assert!(refused.contains("3 of 7 rows (row 3, 5, 6)"), "{refused}");
    }

    /// What a survey says is what a run does: it leaves out rows without a needed cell before it looks at the values.
    #[test]
    fn rows_that_a_run_leaves_out_do_not_count() {
        let csv = b"d,age\nflu,1\nflu,2\nflu,?\nflu,4\nHIV,5\nHIV,?\n?,\n";
        let table = read(csv, &ReadOptions::default()).unwrap();
        let missing = Missing { sensitive: MissingPolicy::Drop, ..Missing::default() };
        let of = |needed: &[&str]| {
            let needed: Vec<String> = needed.iter().map(|name| (*name).to_owned()).collect();
            survey_column(&table, "d", &needed, &missing, SHOWN).unwrap()
        };
        let all = of(&[]);
        assert_eq!((all.rows, all.dropped, all.survey[0].additions), (6, 1, Some(2)));
        // {3, 1}; the last row lacks both cells, and is left out once.
        let complete = of(&["age"]);
        assert_eq!((complete.rows, complete.dropped, complete.survey[0].deletions), (4, 3, Some(2)));
        assert_eq!(of(&["no such column"]), all);
    }

    #[test]
    fn odd_values_are_told() {
        let table = read(b"d\nflu\nFlu\nFlu\nHIV\nflu \nHIV\n", &ReadOptions::default()).unwrap();
        let survey = survey_column(&table, "d", &[], &Missing::default(), SHOWN).unwrap();
        assert_eq!((survey.values, survey.warnings.len()), (4, 2));
        let near = "'Flu' (2 rows), 'flu' (1 row) and 'flu ' (1 row): these differ in white space, case or hyphens only";
        assert!(survey.warnings[0].to_string().starts_with(near), "{:?}", survey.warnings);
        assert!(
            survey.warnings[1].to_string().starts_with("2 values of 4 are held by a single row: "),
            "{:?}",
            survey.warnings
        );
        let table = read(b"d\nflu\nflu\nHIV\nHIV\n", &ReadOptions::default()).unwrap();
        assert_eq!(survey_column(&table, "d", &[], &Missing::default(), SHOWN).unwrap().warnings, []);
    }

    #[test]
    fn as_many_m_as_are_asked_for() {
        let csv = (0..60).fold(String::from("d\n"), |csv, i| csv + &format!("v{}\n", i % 30));
        let table = read(csv.as_bytes(), &ReadOptions::default()).unwrap();
        let rows = |most| survey_column(&table, "d", &[], &Missing::default(), most).unwrap().survey.len();
        assert_eq!([rows(SHOWN), rows(u64::MAX)], [20, 29]);
    }

    #[test]
    fn a_column_with_one_value_and_an_unknown_column_are_refused() {
        let table = read(b"d,e\nflu,a\nflu,b\n", &ReadOptions::default()).unwrap();
        let ask =
            |name| survey_column(&table, name, &[], &Missing::default(), SHOWN).unwrap_err().to_string();
        assert!(ask("d").contains("has one value only, in all 2 rows"), "{}", ask("d"));
        assert!(ask("f").contains("the columns are \"d\", \"e\""), "{}", ask("f"));
    }

    fn counts(policy: MissingPolicy) -> Result<ColumnCounts, Error> {
        let table = read(b"d\nflu\nHIV\n?\nflu\n?\nNA\n", &ReadOptions::default()).unwrap();
        column_counts(&table, "d", &Missing { sensitive: policy, ..Missing::default() })
    }

    #[test]
    fn values_are_counted_in_sorted_order() {
        let dropped = counts(MissingPolicy::Drop).unwrap();
        assert_eq!((dropped.counts, dropped.dropped), (vec![1, 2], 3));
        assert_eq!(dropped.values, ["HIV", "flu"]);
        let valued = counts(MissingPolicy::Value).unwrap();
        assert_eq!((valued.counts, valued.dropped), (vec![1, 2, 3], 0));
        assert_eq!(valued.values, ["HIV", "flu", "?"]);
        let refused = counts(MissingPolicy::Error).err().unwrap().to_string();
        assert!(refused.contains("3 of 6 rows (row 3, 5, 6)"), "{refused}");
    }
}
