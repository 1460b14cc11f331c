//! A valid release, damaged in every way there is a check for: the verdict turns red, and the right check fails.

use lookalike_audit::Subject::{
    self, ClassAlike, ClassSize, ClassValues, GroupSize, GroupValues, Labels, Sorted,
};
use proptest::prelude::*;

use crate::common::{Rows, failed, rows, verdict};

const AGE: usize = 0;
const SEX: usize = 1;
const CLASS: usize = 2;
const DISEASE: usize = 3;

/// Three classes of three; every row is needed.
fn release() -> Rows {
    rows(
        "age sex class disease\n\
          [20-25] F 1 ACNE\n[20-25] F 1 FLU\n[20-25] F 1 HIV\n\
          [26-30] F 2 ACNE\n[26-30] F 2 COUGH\n[26-30] F 2 FLU\n\
          [26-30] {F,M} 3 COUGH\n[26-30] {F,M} 3 GOUT\n[26-30] {F,M} 3 HIV",
    )
}

/// The checks that fail when `change` was made.
fn after(change: impl FnOnce(&mut Rows)) -> Vec<Subject> {
    let mut table = release();
    change(&mut table);
    assert_ne!(table, release(), "the mutation changed nothing");
    failed(&verdict(&table, 3))
}

#[test]
fn the_release_itself_is_valid() {
    assert!(failed(&verdict(&release(), 3)).is_empty());
}

#[test]
fn swapped_sensitive_values() {
    // HIV of class 1 against ACNE of class 2: class 1 then holds ACNE twice.
    let failed = after(|table| {
        let (head, tail) = table.split_at_mut(4);
        std::mem::swap(&mut head[3][DISEASE], &mut tail[0][DISEASE]);
    });
    assert_eq!(failed, [ClassValues, GroupValues, Sorted]);
}

#[test]
fn merged_ranges() {
    // One row of class 2 gets the union of the ranges of classes 1 and 2.
    let failed = after(|table| table[4][AGE] = "[20-30]".to_owned());
    assert_eq!(failed, [ClassAlike, GroupSize, GroupValues]);
    // One row of class 2 gets the range of class 1: its value is then too frequent there.
    let failed = after(|table| table[4][AGE] = "[20-25]".to_owned());
    assert_eq!(failed, [ClassAlike, GroupSize, GroupValues]);
}

#[test]
fn merged_classes() {
    let failed = after(|table| (4..7).for_each(|row| table[row][CLASS] = "1".to_owned()));
    assert_eq!(failed, [ClassAlike, ClassValues, Labels]);
}

#[test]
fn another_category() {
    assert_eq!(after(|table| table[9][SEX] = "F".to_owned()), [ClassAlike, GroupSize, GroupValues, Sorted]);
}

#[test]
fn any_dropped_row() {
    for row in 1..release().len() {
        let failed = after(|table| drop(table.remove(row)));
        assert_eq!(failed, [ClassSize, GroupSize, GroupValues], "row {row}");
    }
}

#[test]
fn a_repeated_value() {
    assert_eq!(after(|table| table[2][DISEASE] = "ACNE".to_owned()), [ClassValues, GroupValues]);
}

#[test]
fn a_doubled_row() {
    assert_eq!(after(|table| table.insert(5, table[5].clone())), [ClassValues, GroupValues]);
}

#[test]
fn changed_labels() {
    for label in ["03", "3.0", "4", "x", "", "0"] {
        let failed = after(|table| (7..10).for_each(|row| table[row][CLASS] = label.to_owned()));
        assert_eq!(failed, [Labels], "{label:?}");
    }
    let failed = after(|table| table[4][CLASS] = "1".to_owned());
    assert_eq!(failed, [ClassSize, ClassAlike, ClassValues]);
    // Labels that start at 0 are as silent as those that start at 1.
    let mut table = release();
    for row in &mut table[1..] {
        row[CLASS] = (row[CLASS].parse::<usize>().unwrap() - 1).to_string();
    }
    assert!(verdict(&table, 3).passed);
}

#[test]
fn any_two_swapped_rows() {
    for a in 1..release().len() {
        for b in a + 1..release().len() {
            assert!(after(|table| table.swap(a, b)).contains(&Sorted), "rows {a} and {b}");
        }
    }
}

/// Classes of exactly m rows, sorted and labelled as the audit asks for; several may share a range.
fn valid_release() -> impl Strategy<Value = (usize, Rows)> {
    (2..5_usize).prop_flat_map(|m| {
        let values = prop::sample::subsequence(["A", "B", "C", "D", "E", "F", "G"].to_vec(), m);
        let class = ((10..14_u32), (14..17_u32), prop::bool::ANY, values);
        (Just(m), prop::collection::vec(class, 1..8)).prop_map(|(m, mut classes)| {
            classes.sort();
            let header = vec![["age", "sex", "class", "disease"].map(String::from).to_vec()];
            let row = |label: usize, low: u32, high: u32, sex: bool, value: &str| {
                vec![
                    format!("[{low}-{high}]"),
                    if sex { "M" } else { "F" }.into(),
                    label.to_string(),
                    value.into(),
                ]
            };
            let rows = classes.iter().enumerate().flat_map(|(at, (low, high, sex, values))| {
                values.iter().map(move |value| row(at + 1, *low, *high, *sex, value))
            });
            (m, header.into_iter().chain(rows).collect())
        })
    })
}

proptest! {
    #[test]
    fn valid_releases_pass((m, table) in valid_release()) {
        let verdict = verdict(&table, m);
        prop_assert!(verdict.passed, "{:?}", verdict.checks);
    }

    #[test]
    fn a_dropped_row_is_always_seen((m, mut table) in valid_release(), at in any::<prop::sample::Index>()) {
        let row = 1 + at.index(table.len() - 1);
        table.remove(row);
        prop_assume!(table.len() > 1);
        prop_assert!(failed(&verdict(&table, m)).contains(&ClassSize));
    }

    #[test]
    fn a_repeated_value_is_always_seen((m, mut table) in valid_release(), at in any::<prop::sample::Index>()) {
        let row = 1 + at.index(table.len() - 1);
        let class = table[row][CLASS].clone();
        let other = (1..table.len()).find(|&r| r != row && table[r][CLASS] == class).unwrap();
        table[row][DISEASE] = table[other][DISEASE].clone();
        prop_assert!(failed(&verdict(&table, m)).contains(&ClassValues));
    }

    #[test]
    fn an_altered_range_is_always_seen((m, mut table) in valid_release(), at in any::<prop::sample::Index>()) {
        let row = 1 + at.index(table.len() - 1);
        table[row][AGE] = "[10-99]".to_owned();
        prop_assert!(failed(&verdict(&table, m)).contains(&ClassAlike));
    }
}
