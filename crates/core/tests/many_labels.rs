//! Categories of thousands of labels: both losses count them all.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use lookalike_core::{
    Error,
    pipeline::{finish, prepare},
};
use lookalike_model::{
    Ctx,
    settings::{Budget, Loss, Method, Model, Publish, RowsAre, Settings},
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
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
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

/// The distance of two towns by the definition, without its scale: levels at which their beginnings differ.
fn levels(a: &str, b: &str, hierarchy: bool) -> f64 {
    if hierarchy {
        return (6 - a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count()) as f64;
    }
    f64::from(u8::from(a != b))
}

/// What is stated is what anybody computes from the rows of each class by the definition: ages as z-scores, two towns as far apart as
/// the levels at which they differ, the column of variance 1.
#[test]
fn so_do_squared_errors() {
    let table = people();
    let towns: Vec<&str> = table.columns[1].values.iter().collect();
    let rows = prefix(towns).unwrap().rows();
    for (hierarchy, model) in [
        (false, Model::KAnonymity { k: 4 }),
        (true, Model::KAnonymity { k: 4 }),
        (true, Model::MInvariance { m: 2 }),
    ] {
        let plain = Settings { model, ..settings(Loss::Sse) };
        let settings = if hierarchy {
            Settings {
                hierarchies: BTreeMap::from([(String::from("town"), rows.clone())]),
                publish: Publish::Hierarchy,
                ..plain
            }
        } else {
            plain
        };
        let sensitive = matches!(model, Model::MInvariance { .. }).then(|| String::from("sex"));
        let settings = Settings { sensitive, ..settings };
        let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
        let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
        let outcome = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
        assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);

        let ages: Vec<f64> = (0..4000).map(|row| table.columns[0].cell(row).parse().unwrap()).collect();
        let mean = ages.iter().sum::<f64>() / 4000.0;
        let variance = ages.iter().map(|age| (age - mean).powi(2)).sum::<f64>() / 4000.0;
        let mut spread = 0.0;
        for shown in if hierarchy { 0..6 } else { 5..6 } {
            let mut counts = BTreeMap::<&str, f64>::new();
            for row in 0..4000 {
                *counts.entry(&table.columns[1].cell(row)[..=shown]).or_default() += 1.0 / 4000.0;
            }
            spread += counts.values().map(|p| p * (1.0 - p)).sum::<f64>();
        }
        let mut classes = BTreeMap::<&str, Vec<usize>>::new();
        let text = String::from_utf8(outcome.classes.clone()).unwrap();
        for line in text.lines().skip(1) {
            let (row, class) = line.split_once(',').unwrap();
            classes.entry(class).or_default().push(row.parse::<usize>().unwrap());
        }
        assert_eq!(classes.values().map(Vec::len).sum::<usize>(), 4000);
        let mut lost = 0.0;
        for class in classes.values() {
            let mut pairs = 0.0;
            for (at, &a) in class.iter().enumerate() {
                for &b in &class[..at] {
                    let towns = [a, b].map(|row| table.columns[1].cell(row));
                    pairs += (ages[a] - ages[b]).powi(2) / variance
                        + 2.0 / spread * levels(towns[0], towns[1], hierarchy);
                }
            }
            lost += pairs / class.len() as f64;
        }
        let objective = &outcome.report.objective;
        let (sse, sst) = (objective.sse.unwrap(), objective.sst.unwrap());
        assert!((sse - lost).abs() < 1e-6 * lost, "{hierarchy} {model:?}: {sse} for {lost}");
        assert!(
            (answer.loss - lost).abs() < 1e-6 * lost,
            "{hierarchy} {model:?}: {} for {lost}",
            answer.loss
        );
        assert!((sst - 8000.0).abs() < 1e-6, "two columns of variance 1: {sst}");
    }
}

/// Only means of rows need coordinates.
#[test]
fn persons_with_several_rows_say_what_is_too_many() {
    let row = |at: u32| format!("p{},{},t{:05}\n", at / 2, 20 + at * 7 % 60, at * 37 % 2500 * 13);
    let text: String =
        std::iter::once(String::from("patient,age,town\n")).chain((0..10_000).map(row)).collect();
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let settings =
        Settings { rows_are: Some(RowsAre::EventsOf(String::from("patient"))), ..settings(Loss::Sse) };
    match prepare(&table, &settings, &Ctx::silent()) {
        Err(error @ Error::Misfit(_)) => {
            let said = error.to_string();
            assert!(
                said.contains("people with several rows") && said.contains("\"town\" has 2,500"),
                "{said}"
            );
        }
        other => panic!("{other:?}"),
    }
}
