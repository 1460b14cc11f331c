//! What is said of a result is its weakest reading: counted again from the published bytes by code of its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    pipeline::{Outcome, anonymize},
    table::{ReadOptions, read},
};
use lookalike_model::{Ctx, finding::finding, settings::Settings};
use serde_json::{Value, json};

fn settings(more: &Value) -> Settings {
    let mut all = json!({
        "quasi": ["age", "sex"], "sensitive": "ill", "model": { "name": "m-invariance", "m": 3 }, "seed": 5,
        "missing": { "sensitive": "value" },
    });
    for (name, value) in more.as_object().unwrap() {
        all[name] = value.clone();
    }
    serde_json::from_value(all).unwrap()
}

fn run(ills: &[&str], settings: &Settings) -> Outcome {
    let mut text = String::from("age,sex,ill\n");
    for (at, ill) in ills.iter().enumerate() {
        writeln!(text, "{},{},{ill}", 20 + at * 7 % 40, ["M", "F"][at % 2]).unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    anonymize(&table, settings, &Ctx::silent()).unwrap()
}

/// Published rows by the cells of some columns: the values of another.
fn by(outcome: &Outcome, known: &[&str], of: &str) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
    let header: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    let mut groups: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for row in reader.records() {
        let row = row.unwrap();
        let key = known.iter().map(|name| row[at(name)].to_owned()).collect();
        groups.entry(key).or_default().push(row[at(of)].to_owned());
    }
    groups
}

#[test]
fn numbers_that_are_one_value_are_one_guess() {
    let spelt = ["2", "2.0", "2.00", "3", "3.0", "4", "5", "1"];
    let ills: Vec<&str> = (0..120).map(|at| spelt[(at * 5 + at / 9) % spelt.len()]).collect();
    let asked = settings(&json!({}));
    let outcome = run(&ills, &asked);
    let worst = by(&outcome, &["age", "sex"], "ill")
        .values()
        .map(|ills| {
            let numbers: Vec<f64> = ills.iter().map(|ill| ill.parse().unwrap()).collect();
            let most = numbers.iter().map(|x| numbers.iter().filter(|y| *y == x).count()).max().unwrap();
            most as f64 / numbers.len() as f64
        })
        .fold(0.0, f64::max);
    assert!(worst > 0.5, "{worst}");
    let told = outcome.report.risk.highest_alike_disclosure.unwrap();
    assert!((told - worst).abs() < 1e-9, "{told} {worst}");
    let found = finding(&outcome.report, &asked);
    let said = format!("{} {}", found.sentence, found.why.unwrap());
    assert!(said.contains("read as one"), "{said}");
    assert!(!said.contains("At worst 1 in 3 guesses"), "{said}");
    // Spelt alike there is nothing to say.
    let plain = run(&["a", "b", "c", "d"].repeat(20), &asked);
    assert_eq!(plain.report.risk.highest_alike_disclosure, None);
}

/// An attacker may know how made-up records are chosen and rule "not known" out.
#[test]
fn what_two_kinds_of_knowledge_tell_together_is_said() {
    let ills = [vec!["flu"; 60], vec!["?"; 35], vec!["a"; 13], vec!["b"; 12]].concat();
    let asked = settings(&json!({ "eligibility": "add" }));
    let outcome = run(&ills, &asked);
    // Of each value the share of its published records that are real, from the records of whoever made the table.
    let mut published: BTreeMap<String, f64> = BTreeMap::new();
    for ill in by(&outcome, &["class"], "ill").into_values().flatten() {
        *published.entry(ill).or_default() += 1.0;
    }
    let real = |ill: &str| ills.iter().filter(|other| **other == ill).count() as f64 / published[ill];
    let mut worst = 0.0_f64;
    for class in by(&outcome, &["class"], "ill").values() {
        let known: BTreeSet<&str> = class.iter().map(String::as_str).filter(|ill| *ill != "?").collect();
        let all: f64 = known.iter().map(|ill| real(ill)).sum();
        worst = known.iter().map(|ill| real(ill) / all).fold(worst, f64::max);
    }
    let report = outcome.exact();
    let told = report.disclosure.unwrap();
    assert!(told.present_known.unwrap() >= worst - 1e-9 && worst > 0.7, "{told:?} {worst}");
    let found = finding(report, &asked);
    let of = |text: &str| -> f64 {
        let (_, after) = text.split_once("At worst 1 in ").unwrap_or_else(|| panic!("{text}"));
        after.split(' ').next().unwrap().parse().unwrap()
    };
    let odds = of(&found.sentence.to_string());
    assert!(1.0 / odds >= worst - 1e-9, "1 in {odds} is less than {worst}");
    // Who knows everybody counts the real people of a group: that is said to be another attacker.
    assert!(found.against.unwrap().to_string().contains("of one person"));
    assert!(found.why.unwrap().to_string().contains("who also knows everybody else in the table"));
}

#[test]
fn each_secret_column_tells_of_the_other() {
    let mut text = String::from("age,sex,ill,pay\n");
    for at in 0..160_usize {
        let ill = ["a", "a", "a", "b", "c"][at * 3 % 5];
        writeln!(text, "{},{},{ill},{}", 20 + at % 40, ["M", "F"][at % 2], 10 * (1 + (at * at + at / 7) % 5))
            .unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let asked = settings(&json!({
        "model": { "name": "k-anonymity", "k": 4 }, "unchanged": ["pay"],
        "conditions": [{ "name": "frequency", "alpha": 0.8 }], "conditions_of": { "pay": [{ "name": "frequency", "alpha": 0.8 }] },
        "missing": { "sensitive": "drop" },
    }));
    let outcome = anonymize(&table, &asked, &Ctx::silent()).unwrap();
    let certain = by(&outcome, &["age", "sex", "ill"], "pay")
        .values()
        .filter(|pays| pays.iter().all(|pay| *pay == pays[0]))
        .map(Vec::len)
        .sum::<usize>();
    assert!(certain > 0);
    assert_eq!(outcome.report.further[0].told, Some(certain));
    let said = finding(&outcome.report, &asked).sentence.to_string();
    assert!(said.contains(&format!("the pay of {certain} people is certain")), "{said}");
}
