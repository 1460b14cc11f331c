//! A small release that is m-unique for m = 3, and ways to judge tables.

use std::fmt::Display;

use lookalike_audit::{Conditions, Guarantee, Question, Subject, Verdict, judge};

/// A table cell by cell, header first.
pub(crate) type Rows = Vec<Vec<String>>;

/// The bytes of a table.
pub(crate) fn csv(rows: &Rows) -> Vec<u8> {
    lookalike_table::write(&rows[0], rows[1..].iter().map(|row| row.iter().map(String::as_str)))
}

/// Rows of a text with one row a line, cells separated by spaces.
pub(crate) fn rows(text: &str) -> Rows {
    text.lines().map(|line| line.split_whitespace().map(String::from).collect()).collect()
}

/// A question about `age` and `sex`, with the sensitive column `disease` and the class column `class`.
pub(crate) fn question(guarantee: Guarantee) -> Question {
    Question {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        sensitive: Some("disease".to_owned()),
        conditions: Conditions::default(),
        guarantee,
        class: Some("class".to_owned()),
        markers: lookalike_table::usual_markers(),
        dialect: lookalike_audit::Dialect::PLAIN,
    }
}

/// Judges m-uniqueness.
pub(crate) fn verdict(rows: &Rows, m: usize) -> Verdict {
    judge(&csv(rows), &question(Guarantee::MUnique { m })).unwrap()
}

/// The names of the checks that fail.
pub(crate) fn failed(verdict: &Verdict) -> Vec<Subject> {
    let failed: Vec<Subject> = verdict.checks.iter().filter(|c| !c.passed).map(|c| c.name.clone()).collect();
    assert_eq!(verdict.passed, failed.is_empty());
    failed
}

/// Messages in words.
pub(crate) fn words(messages: &[impl Display]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}
