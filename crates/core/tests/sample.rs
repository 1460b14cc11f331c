//! Sampling weights and households: figures of the published table by a count of its own, and what is refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    Error,
    pipeline::{Conflict, Outcome, anonymize},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{Ctx, settings::Settings};
use serde_json::{Value, json};

/// Households of one to four people; the sample takes more of some ages than of others.
fn rows() -> Vec<[String; 5]> {
    (0..120_usize)
        .map(|at| {
            let age = 20 + (at * 17 + at / 7) % 50;
            let weight = [1.5, 20.0, 250.0][at % 3];
            let home = at / (1 + at % 4);
            [
                age.to_string(),
                ["f", "m"][at % 2].into(),
                format!("d{}", at % 4),
                weight.to_string(),
                format!("h{home}"),
            ]
        })
        .collect()
}

fn table(rows: &[[String; 5]]) -> Table {
    let mut text = String::from("age,sex,diagnosis,weight,home\n");
    for row in rows {
        writeln!(text, "{}", row.join(",")).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(more: &Value) -> Settings {
    let mut all = json!({
        "quasi": ["age", "sex"], "sensitive": "diagnosis", "unchanged": ["weight"], "model": { "name": "k-anonymity", "k": 3 }, "seed": 1,
        "sample": { "weight": "weight", "household": "home" },
    });
    for (name, value) in more.as_object().unwrap() {
        all[name] = value.clone();
    }
    serde_json::from_value(all).unwrap()
}

fn run(rows: &[[String; 5]], settings: &Settings) -> Result<Outcome, Error> {
    anonymize(&table(rows), settings, &Ctx::silent())
}

/// The mean of one over the number of people of whom f are in the sample, who stand for `people`: by the distribution.
fn risk(f: usize, people: f64) -> f64 {
    let p = (f as f64 / people).min(1.0);
    let (mut term, mut sum) = (p.powi(i32::try_from(f).unwrap()), 0.0);
    for j in 0..500_000_u32 {
        sum += term / (f as f64 + f64::from(j));
        term *= (1.0 - p) * (f as f64 + f64::from(j)) / (f64::from(j) + 1.0);
    }
    sum
}

fn near(told: f64, exact: f64) {
    assert!((told - exact).abs() <= 0.06 * exact, "{told} for {exact}");
}

#[test]
fn figures_are_those_of_the_published_rows() {
    let rows = rows();
    let outcome = run(&rows, &settings(&json!({}))).unwrap();
    assert!(outcome.report.audit.passed);
    let found = outcome.report.sample.unwrap();
    // From the bytes: groups of equal age and sex, and their weights.
    let mut groups: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
    let header: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    assert!(!header.contains(&String::from("home")) && header.contains(&String::from("weight")));
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        let weight: f64 = row[at("weight")].parse().unwrap();
        groups.entry((row[at("age")].into(), row[at("sex")].into())).or_default().push(weight);
    }
    let risks: Vec<(usize, f64)> =
        groups.values().map(|of| (of.len(), risk(of.len(), of.iter().sum()))).collect();
    let expected: f64 = risks.iter().map(|(f, risk)| *f as f64 * risk).sum();
    let highest = risks.iter().map(|of| of.1).fold(0.0, f64::max);
    near(found.people, groups.values().flatten().sum());
    near(found.expected, expected);
    near(found.mean, expected / 120.0);
    assert!(found.highest >= highest && found.highest <= highest + 0.1, "{} {highest}", found.highest);
    assert!(found.left_out.abs() < 1e-12);
    // A household is found at least as surely as each of its members, and no more surely than all of them together.
    let homes = found.households.unwrap();
    let keys: std::collections::BTreeSet<&String> = rows.iter().map(|row| &row[4]).collect();
    assert_eq!(homes.households, keys.len());
    assert!(homes.expected > found.expected && homes.highest >= found.highest && homes.mean < 1.0);
}

/// Everybody is in the table, and each household has one member: its risk is that of the record, one in so many that are alike.
#[test]
fn a_census_of_singles_has_the_usual_risk() {
    let mut rows = rows();
    for (at, row) in rows.iter_mut().enumerate() {
        (row[3], row[4]) = ("1".into(), format!("h{at}"));
    }
    let outcome = run(&rows, &settings(&json!({}))).unwrap();
    let found = outcome.report.sample.unwrap();
    let homes = found.households.clone().unwrap();
    near(found.mean, outcome.report.risk.mean_reidentification);
    assert_eq!((found.mean, found.highest, found.expected), (homes.mean, homes.highest, homes.expected));
    // The order of the rows decides no digit.
    let turned: Vec<[String; 5]> = rows.iter().rev().cloned().collect();
    assert_eq!(run(&turned, &settings(&json!({}))).unwrap().report.sample, Some(found));
}

#[test]
fn records_that_are_left_out_stand_for_people_too() {
    let rows = rows();
    let outcome = run(&rows, &settings(&json!({ "suppress": { "price": 0.001, "limit": 5 } }))).unwrap();
    let found = outcome.report.sample.unwrap();
    let all: f64 = rows.iter().map(|row| row[3].parse::<f64>().unwrap()).sum();
    let reader = csv::Reader::from_reader(outcome.published.as_slice());
    let gone = 120 - reader.into_records().count();
    assert!(gone > 0 && found.left_out > 0.0, "{gone}");
    near(found.people + found.left_out, all);
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let rows = rows();
    let why = |more: &Value| match run(&rows, &settings(more)) {
        Err(Error::Conflict(why)) => why,
        other => panic!("{:?}", other.map(|outcome| outcome.report.sample)),
    };
    let home = json!(["weight", "home"]);
    assert!(matches!(why(&json!({ "unchanged": home })), Conflict::HouseholdInClasses { .. }));
    assert!(matches!(why(&json!({ "keep": ["home"] })), Conflict::HouseholdPublished { .. }));
    assert!(matches!(why(&json!({ "unchanged": [] })), Conflict::WeightOfOther { .. }));
    assert!(matches!(why(&json!({ "rows_are": { "events-of": "home" } })), Conflict::SampleOfOther));
    let mut wrong = rows.clone();
    wrong[6][3] = String::from("0");
    let text = run(&wrong, &settings(&json!({}))).unwrap_err().to_string();
    assert!(text.contains("row 7") && text.contains("above 0"), "{text}");
    let mut wrong = rows;
    wrong[8][4] = String::new();
    let text = run(&wrong, &settings(&json!({}))).unwrap_err().to_string();
    assert!(text.contains("row 9") && text.contains("home"), "{text}");
}

/// At one level a column equal values are published alike, whoever is linked to whom.
#[test]
fn at_levels_the_key_of_households_may_be_published() {
    let ages: Vec<Vec<String>> = (20..70)
        .map(|age: usize| {
            vec![age.to_string(), format!("[{}-{}]", age / 10 * 10, age / 10 * 10 + 9), "*".into()]
        })
        .collect();
    let asked = settings(&json!({
        "unchanged": ["weight", "home"], "scheme": "full-domain", "loss": "ncp", "hierarchies": { "age": ages },
    }));
    let outcome = run(&rows(), &asked).unwrap();
    assert!(outcome.report.audit.passed && outcome.report.sample.unwrap().households.is_some());
    assert!(String::from_utf8(outcome.published).unwrap().lines().next().unwrap().contains("home"));
}
