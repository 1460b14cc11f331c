//! Random tables, judged by counting pairs of rows.

use lookalike_audit::{Guarantee, Subject, judge};
use proptest::prelude::*;

use crate::common::{Rows, csv, question};

/// A random table: few different cells, so that groups form; sometimes sorted, sometimes with counted-up labels.
pub(crate) fn table() -> impl Strategy<Value = Rows> {
    let cell = |cells: &'static [&'static str]| prop::sample::select(cells).prop_map(String::from);
    let row = (
        cell(&["9", "10", "[9-10]", "9.0", ""]),
        cell(&["F", "M"]),
        cell(&["1", "2", "3"]),
        cell(&["A", "B", "C", "D", "?", "7"]),
    );
    let rows = prop::collection::vec(row, 1..14);
    (rows, any::<bool>(), any::<bool>(), 1..4_usize).prop_map(|(rows, sorted, labelled, copies)| {
        let mut rows: Vec<Vec<String>> = rows.into_iter().map(|(a, s, c, d)| vec![a, s, c, d]).collect();
        rows = rows.iter().flat_map(|row| vec![row.clone(); copies]).collect();
        if sorted {
            rows.sort_by_key(|row| row.iter().map(|cell| key(cell)).collect::<Vec<_>>());
        }
        if labelled {
            let mut seen: Vec<(String, String)> = Vec::new();
            for row in &mut rows {
                let group = (row[0].clone(), row[1].clone());
                let at = seen.iter().position(|other| *other == group).unwrap_or_else(|| {
                    seen.push(group);
                    seen.len() - 1
                });
                row[2] = (at + 1).to_string();
            }
        }
        rows.insert(0, ["age", "sex", "class", "disease"].map(String::from).to_vec());
        rows
    })
}

/// The order of the audit's documentation, for cells whose numbers have at most one decimal.
fn key(cell: &str) -> (bool, i64, String) {
    let tenths = cell.parse::<f64>().map(|x| (x * 10.0) as i64);
    (tenths.is_err(), tenths.unwrap_or(0), cell.to_owned())
}

/// What the checks should say, by the name of the check.
fn oracle(rows: &[Vec<String>], least: usize) -> Vec<(Subject, bool)> {
    let n = rows.len();
    let quasi = |i: usize| (&rows[i][0], &rows[i][1]);
    let count = |holds: &dyn Fn(usize) -> bool| (0..n).filter(|&j| holds(j)).count();
    let all = |holds: &dyn Fn(usize) -> bool| (0..n).all(holds);
    let mut labels: Vec<&String> = Vec::new();
    for row in rows {
        if !labels.contains(&&row[2]) {
            labels.push(&row[2]);
        }
    }
    let from = |start: usize| labels.iter().enumerate().all(|(i, label)| **label == (i + start).to_string());
    let content = |i: usize| rows[i].iter().map(|cell| key(cell)).collect::<Vec<_>>();
    vec![
        (Subject::ClassSize, all(&|i| count(&|j| rows[i][2] == rows[j][2]) >= least)),
        (Subject::ClassAlike, all(&|i| all(&|j| rows[i][2] != rows[j][2] || quasi(i) == quasi(j)))),
        (Subject::ClassValues, all(&|i| count(&|j| rows[i][2..] == rows[j][2..]) == 1)),
        (Subject::GroupSize, all(&|i| count(&|j| quasi(i) == quasi(j)) >= least)),
        (
            Subject::GroupValues,
            all(&|i| {
                let same = count(&|j| quasi(i) == quasi(j) && rows[i][3] == rows[j][3]);
                same * least <= count(&|j| quasi(i) == quasi(j))
            }),
        ),
        (Subject::Sorted, (1..n).all(|i| content(i - 1) <= content(i))),
        (Subject::Labels, from(0) || from(1)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn agrees_with_counting_pairs(table in table(), least in 2..4_usize, unique in any::<bool>()) {
        let guarantee = if unique { Guarantee::MUnique { m: least } } else { Guarantee::KAnonymity { k: least } };
        let verdict = judge(&csv(&table), &question(guarantee)).unwrap();
        let rows = &table[1..];
        let mut expected = oracle(rows, least);
        if !unique {
            expected.retain(|(name, _)| *name != Subject::ClassValues && *name != Subject::GroupValues);
        }
        let found: Vec<(Subject, bool)> =
            verdict.checks.iter().take(expected.len()).map(|c| (c.name.clone(), c.passed)).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(verdict.passed, expected.iter().all(|(_, passed)| *passed));
        for check in &verdict.checks {
            prop_assert!(check.passed || !check.witnesses.is_empty());
            prop_assert!(check.witnesses.len() <= 10);
        }

        let size = |i: usize| rows.iter().filter(|row| row[..2] == rows[i][..2]).count();
        let same = |i: usize| rows.iter().filter(|row| row[..2] == rows[i][..2] && row[3] == rows[i][3]).count();
        let sizes = 0..rows.len();
        prop_assert_eq!(verdict.risk.smallest_group, sizes.clone().map(size).min().unwrap());
        let groups: f64 = sizes.clone().map(|i| 1.0 / size(i) as f64).sum();
        prop_assert!((verdict.risk.mean_reidentification - groups / rows.len() as f64).abs() < 1e-12);
        let share = sizes.map(|i| same(i) as f64 / size(i) as f64).fold(0.0, f64::max);
        prop_assert_eq!(verdict.risk.highest_attribute_disclosure, Some(share));
    }

    /// Whatever the bytes, there is a verdict or an error.
    #[test]
    fn never_panics(bytes in any::<Vec<u8>>(), text in "(age|sex|class|disease|[,\"\n1a]){0,40}") {
        for bytes in [bytes, [b"age,sex,class,disease\n", text.as_bytes()].concat()] {
            let _ = judge(&bytes, &question(Guarantee::MUnique { m: 2 }));
        }
    }
}
