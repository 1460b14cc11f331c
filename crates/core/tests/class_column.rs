//! The column of classes: named by the user, or not published.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::collections::BTreeMap;

use lookalike_core::{
    comparison::Look,
    demo,
    pipeline::{Outcome, Prepared, finish, prepare},
    statement::{Made, html},
};
use lookalike_model::{
    Ctx,
    comparison::RowOrder,
    settings::{Budget, ClassColumn, MissingPolicy, Model, Settings},
};
use lookalike_optimize::solve::solve;
use lookalike_table::{ReadOptions, Table, read};

fn run(table: &Table, class_column: ClassColumn) -> (Prepared, Outcome) {
    let mut settings = Settings {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        sensitive: Some(String::from("diagnosis")),
        class_column,
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(3),
        ..Settings::of(Model::MInvariance { m: 3 })
    };
    (settings.missing.quasi, settings.missing.sensitive) = (MissingPolicy::Drop, MissingPolicy::Drop);
    let prepared = prepare(table, &settings, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let outcome = finish(table, &prepared, &answer, &Ctx::silent()).unwrap();
    (prepared, outcome)
}

/// What is beside each row, what was lost and what is at risk do not depend on whether classes are published.
#[test]
fn a_run_is_the_same_with_and_without_published_classes() {
    let table = read(demo::hospital(200, 7).as_bytes(), &ReadOptions::default()).unwrap();
    let (prepared, named) = run(&table, ClassColumn::default());
    let (hidden, without) = run(&table, ClassColumn::None);
    assert!(named.report.audit.passed && without.report.audit.passed);
    assert_eq!(named.header[..named.header.len() - 1], without.header);
    assert_eq!(named.classes, without.classes);
    assert_eq!((&named.report.utility, &named.report.risk), (&without.report.utility, &without.report.risk));

    let looked = |prepared: &Prepared, outcome: &Outcome| {
        Look::new(&table, prepared, outcome).unwrap().rows(&table, RowOrder::File, (0, table.rows))
    };
    let (before, after) = (looked(&prepared, &named), looked(&hidden, &without));
    assert_eq!(before, after);
    // The rows that are shown are those of the linking key, class by class.
    let key = read(&without.classes, &ReadOptions::default()).unwrap();
    let mut cells: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (row, shown) in after.iter().enumerate().filter(|(_, shown)| !shown.after.is_empty()) {
        assert_eq!(key.column("class").unwrap().cell(row), shown.class);
        let quasi: Vec<&String> = shown.after.iter().take(2).collect();
        assert_eq!(*cells.entry(&shown.class).or_insert_with(|| quasi.clone()), quasi);
    }
    assert!(cells.len() > 20);
}

/// A reader of a table without classes sees rows that are published alike and nothing more: the statement promises no more of them.
#[test]
fn without_classes_the_statement_promises_what_a_reader_can_see() {
    let table = read(demo::hospital(200, 7).as_bytes(), &ReadOptions::default()).unwrap();
    let told = |class_column| {
        let (_, outcome) = run(&table, class_column);
        (html(&outcome.report, &outcome.private, &Made::default()), outcome)
    };
    let (named, _) = told(ClassColumn::default());
    let (hidden, outcome) = told(ClassColumn::None);
    let of_classes =
        "Every class of the published table has at least 3 records, all with different sensitive values";
    let of_groups = "At least 3 rows have the same published quasi-identifiers, and no sensitive value is held by more \
                     than 1/3 of them";
    assert!(named.contains(of_classes) && !named.contains(of_groups), "{named}");
    assert!(hidden.contains(of_groups) && !hidden.contains(of_classes), "{hidden}");
    assert!(!hidden.contains("equally possible"), "{hidden}");
    // By hand, from the published bytes: that much holds.
    let released = read(&outcome.published, &ReadOptions::default()).unwrap();
    let cell = |name: &str, row: usize| released.column(name).unwrap().cell(row);
    let mut groups: BTreeMap<(&str, &str), BTreeMap<&str, usize>> = BTreeMap::new();
    for row in 0..released.rows {
        let group = groups.entry((cell("age", row), cell("sex", row))).or_default();
        *group.entry(cell("diagnosis", row)).or_default() += 1;
    }
    for values in groups.values() {
        let size: usize = values.values().sum();
        assert!(size >= 3 && values.values().all(|count| 3 * count <= size), "{values:?}");
    }
}

/// A name that a spreadsheet would run is refused before it is published.
#[test]
fn the_column_of_classes_is_no_formula() {
    let table = read(demo::hospital(60, 7).as_bytes(), &ReadOptions::default()).unwrap();
    let settings = Settings {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        class_column: ClassColumn::Named(String::from("=c")),
        seed: Some(1),
        ..Settings::of(Model::KAnonymity { k: 3 })
    };
    let error = prepare(&table, &settings, &Ctx::silent()).err().unwrap().to_string();
    assert!(error.contains("cannot be called \"=c\"") && error.contains("formula"), "{error}");
}
