//! Categories of thousands of labels: the penalty counts them all, squared errors say what to do.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use lookalike_core::{
    Error,
    pipeline::{finish, prepare},
};
use lookalike_model::{
    Ctx,
    settings::{Budget, Loss, Method, Model, Publish, Settings},
};
use lookalike_optimize::solve::solve;
use lookalike_table::{ReadOptions, Table, hierarchy::prefix, read};

/// 4,000 people in 2,000 towns.
fn people() -> Table {
    let row = |at: u32| format!("{},t{:05},{}\n", 20 + at * 7 % 60, at * 37 % 2000 * 13, at % 2);
    let text: String = std::iter::once(String::from("age,town,sex\n")).chain((0..4000).map(row)).collect();
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(loss: Loss) -> Settings {
    Settings {
        quasi: ["age", "town"].map(String::from).to_vec(),
        loss,
        publish: Publish::Range,
        method: Method::default(),
        budget: Budget::Effort(0.1),
        seed: Some(1),
        ..Settings::of(Model::KAnonymity { k: 4 })
    }
}

/// What is stated is what anybody counts in the published cells: by classes, the share of all ages that a range spans and the share
/// of all towns beside the first.
#[test]
fn the_penalty_counts_any_number_of_labels() {
    let table = people();
    let prepared = prepare(&table, &settings(Loss::Ncp), &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let outcome = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
    assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
    let text = String::from_utf8(outcome.published.clone()).unwrap();
    let (mut classes, mut lost) = (BTreeMap::<&str, usize>::new(), 0.0);
    for line in text.lines().skip(1) {
        let (age, rest) = line.split_once(',').unwrap();
        let (towns, class) = rest.rsplit_once(',').unwrap();
        *classes.entry(class).or_default() += 1;
        let ages: Vec<f64> = age.trim_matches(['[', ']']).split('-').map(|x| x.parse().unwrap()).collect();
        let towns: BTreeSet<&str> = towns.trim_matches('"').trim_matches(['{', '}']).split(", ").collect();
        lost += 0.5 * (ages[ages.len() - 1] - ages[0]) / 59.0 + 0.5 * (towns.len() as f64 - 1.0) / 2000.0;
    }
    assert!(classes.values().all(|&size| size >= 4));
    let stated = outcome.report.objective.value;
    assert!((stated - lost).abs() < 1e-6 * lost, "{stated} {lost}");
    assert!((answer.loss - lost).abs() < 1e-6 * lost, "{} {lost}", answer.loss);
}

#[test]
fn squared_errors_say_what_takes_so_many() {
    let table = people();
    let refused = |settings: &Settings| match prepare(&table, settings, &Ctx::silent()) {
        Err(error @ Error::Misfit(_)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let said = refused(&settings(Loss::Sse));
    assert!(said.contains("\"town\" has 2,000 different values") && said.contains("(--loss ncp)"), "{said}");
    let towns: Vec<&str> = table.columns[1].values.iter().collect();
    let rows = prefix(towns).unwrap().rows();
    let by_prefix = |loss| Settings {
        hierarchies: BTreeMap::from([(String::from("town"), rows.clone())]),
        publish: Publish::Hierarchy,
        ..settings(loss)
    };
    let said = refused(&by_prefix(Loss::Sse));
    assert!(said.contains("different generalisations") && said.contains("(--loss ncp)"), "{said}");
    assert!(prepare(&table, &by_prefix(Loss::Ncp), &Ctx::silent()).is_ok());
}
