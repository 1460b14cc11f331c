//! (1,k), (k,1), (k,k) and k-concealment: by hand, and against all permutations.

use lookalike_audit::{
    Error,
    consistency::{Consistency, Notion},
    measure::Reading,
};
use lookalike_table::{ReadOptions, Table, read};
use proptest::prelude::*;

use crate::common::words;

fn table(header: &str, lines: &[&str]) -> Table {
    let text = format!("{header}\n{}\n", lines.join("\n"));
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn ages(cells: &[&str]) -> Table {
    table("age", cells)
}

fn compare(original: &Table, published: &Table) -> Consistency {
    let quasi: Vec<String> = original.columns.iter().map(|c| c.name.clone()).collect();
    Consistency::new(published, original, &quasi, &Reading::default()).unwrap()
}

/// The largest k of each notion: (1,k), (k,1), (k,k), k-concealment.
fn reached(original: &Table, published: &Table) -> [usize; 4] {
    let consistency = compare(original, published);
    Notion::ALL.map(|notion| consistency.check(notion, 2).unwrap().1)
}

#[test]
fn a_k_anonymous_table_is_all_of_it() {
    let original = ages(&["20", "21", "22", "40", "44", "44"]);
    let published = ages(&["[20-22]", "[20-22]", "[20-22]", "[40-44]", "[40-44]", "[40-44]"]);
    assert_eq!(reached(&original, &published), [3, 3, 3, 3]);
}

#[test]
fn k_k_anonymity_may_leave_a_single_match() {
    // Record 3 is consistent with three published rows. But 1 and 2 need both of [1-2]: nobody else can take them, and 4
    // and 5 need both of [3-5]; only [2-3] is left for 3.
    let original = ages(&["1", "2", "3", "4", "5"]);
    let published = ages(&["[1-2]", "[1-2]", "[2-3]", "[3-5]", "[3-5]"]);
    assert_eq!(reached(&original, &published), [2, 2, 2, 1]);
    let (check, _) = compare(&original, &published).check(Notion::Concealment, 2).unwrap();
    assert!(!check.passed);
    assert_eq!(
        check.finding.to_string(),
        "at least 1 matches for each original row; 2 needed; 1 row with fewer"
    );
    assert_eq!(words(&check.witnesses), ["original age '3': matched by 1 published rows"]);
}

#[test]
fn one_side_says_nothing_about_the_other() {
    // Each original row finds two published ones, but [1-1] stands for 1 alone.
    let original = ages(&["1", "2", "3"]);
    let published = ages(&["1", "[1-3]", "[2-3]"]);
    assert_eq!(reached(&original, &published), [2, 1, 1, 1]);
    // The suppressed row may be anybody, yet 9 has no other.
    let far = ages(&["1", "2", "9"]);
    let published = ages(&["[1-2]", "[1-2]", "*"]);
    assert_eq!(reached(&far, &published), [1, 2, 1, 1]);
}

#[test]
fn freeform_generalisation_conceals_without_equal_rows() {
    // A ring: no two published rows are equal, so the table is not 2-anonymous; everybody has two matches.
    let original = table("age,sex", &["1,F", "2,F", "2,M", "1,M"]);
    let published = table("age,sex", &["[1-2],F", "2,\"{F, M}\"", "[1-2],M", "1,\"{F, M}\""]);
    assert_eq!(reached(&original, &published), [2, 2, 2, 2]);
}

#[test]
fn tables_that_do_not_belong_together() {
    let original = ages(&["1", "2", "3"]);
    // Two published rows for one original row each, none for 3.
    assert_eq!(reached(&original, &ages(&["[1-2]", "[1-2]", "[1-2]"])), [0, 2, 0, 0]);
    let fewer = compare(&original, &ages(&["[1-3]", "[1-3]"])).check(Notion::Concealment, 2).unwrap().0;
    assert!(!fewer.passed && fewer.finding.to_string().contains("2 published rows"), "{fewer:?}");
    let error = |published: &Table, quasi: &str| {
        Consistency::new(published, &original, &[quasi.to_owned()], &Reading::default()).err().unwrap()
    };
    assert!(
        matches!(error(&ages(&["\"[1, 3[\""]), "age"), Error::Incomparable { column, .. } if column == "age".into())
    );
    assert_eq!(error(&table("sex", &["F"]), "age"), Error::NoColumn { column: "age".into() });
    assert_eq!(error(&ages(&["1"]), "zip"), Error::NoOriginalColumn { column: "zip".into() });
    let two = compare(&original, &original).check(Notion::OneK, 1).unwrap_err();
    assert_eq!(two, Error::TooSmall { parameter: "k", value: 1 });
}

/// All permutations of 0..n.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let shorter = permutations(last);
    let insert = |at: usize| {
        shorter.iter().map(move |p| {
            let mut p = p.clone();
            p.insert(at, last);
            p
        })
    };
    (0..n).flat_map(insert).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Numbers 0..5 in ranges that need not cover anybody's own number.
    #[test]
    fn by_counting_and_by_all_permutations(
        rows in prop::collection::vec((0..5_u8, 0..5_u8, 0..5_u8), 1..7),
        own in any::<bool>(),
    ) {
        // With `own` each published range covers the record of its row, so that a perfect matching exists.
        let ranges: Vec<(u8, u8)> = rows
            .iter()
            .map(|&(x, a, b)| if own { (a.min(b).min(x), a.max(b).max(x)) } else { (a.min(b), a.max(b)) })
            .collect();
        let originals: Vec<String> = rows.iter().map(|row| row.0.to_string()).collect();
        let publisheds: Vec<String> = ranges.iter().map(|(low, high)| format!("[{low}-{high}]")).collect();
        let as_str = |cells: &[String]| ages(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        let found = reached(&as_str(&originals), &as_str(&publisheds));

        let n = rows.len();
        let consistent = |o: usize, p: usize| (ranges[p].0..=ranges[p].1).contains(&rows[o].0);
        let one_k = (0..n).map(|o| (0..n).filter(|&p| consistent(o, p)).count()).min().unwrap();
        let k_one = (0..n).map(|p| (0..n).filter(|&o| consistent(o, p)).count()).min().unwrap();
        let mut matched = vec![vec![false; n]; n];
        for order in permutations(n) {
            if (0..n).all(|o| consistent(o, order[o])) {
                (0..n).for_each(|o| matched[o][order[o]] = true);
            }
        }
        let concealed = matched.iter().map(|row| row.iter().filter(|m| **m).count()).min().unwrap();
        prop_assert_eq!(found, [one_k, k_one, one_k.min(k_one), concealed]);
        prop_assert!(!own || concealed > 0);
    }
}
