//! The hierarchical distance of t-closeness: from the settings to the published table and its check.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    audit::{Conditions, Dialect, Guarantee, Question, judge},
    check::{arranged, condition},
    prelude::*,
};
use lookalike_model::{
    rule::{Distance, Ground, ValueCondition},
    settings::{Missing, MissingPolicy},
};
use lookalike_testkit::Wanted;

const DIAGNOSES: [&str; 6] = ["flu", "cold", "ulcer", "colitis", "angina", "stroke"];

/// Where people live goes with what they have.
fn table() -> Table {
    let mut text = String::from("age,diagnosis\n");
    for at in 0..120_usize {
        let age = 20 + at / 2;
        writeln!(text, "{age},{}", DIAGNOSES[(at / 20 + at * at % 3) % DIAGNOSES.len()]).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// Values in pairs, then in fours, then all, as the oracle has them.
fn tree(of: impl Fn(usize) -> Vec<String>) -> Vec<Vec<String>> {
    let row = |(place, name): (usize, &&str)| [vec![String::from(*name)], of(place)].concat();
    DIAGNOSES.iter().enumerate().map(row).collect()
}

fn settings(t: f64, hierarchy: Option<Vec<Vec<String>>>) -> Settings {
    Settings {
        quasi: vec!["age".into()],
        sensitive: Some("diagnosis".into()),
        conditions: vec![ValueCondition::TCloseness {
            t: Distance::try_from(t).unwrap(),
            distance: Ground::Hierarchical,
        }],
        hierarchies: hierarchy.into_iter().map(|rows| (String::from("diagnosis"), rows)).collect(),
        seed: Some(1),
        ..Settings::of(Model::KAnonymity { k: 4 })
    }
}

fn run(settings: &Settings) -> Result<Outcome, Error> {
    anonymize(&table(), settings, &Ctx::silent())
}

fn rows(published: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(published);
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

#[test]
fn every_published_class_keeps_it() {
    let asked =
        settings(0.25, Some(tree(|place| vec![format!("two {}", place / 2), format!("four {}", place / 4)])));
    let outcome = run(&asked).unwrap();
    assert!(outcome.report.audit.passed);
    let place = |name: &String| DIAGNOSES.iter().position(|known| known == name).unwrap();
    let mut classes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut all = Vec::new();
    for row in rows(&outcome.published).iter().skip(1) {
        classes.entry(row[2].clone()).or_default().push(place(&row[1]));
        all.push(place(&row[1]));
    }
    assert!(classes.len() > 3, "{}", classes.len());
    let wanted = Wanted::Hierarchical { t: 0.25 };
    assert!(classes.values().all(|class| class.len() >= 4 && wanted.holds(class, &all, 8)));
    // What the report says is what the worst class reaches.
    let worst = classes.values().map(|class| 0.25 - wanted.room(class, &all, 8)).fold(0.0, f64::max);
    let reached = outcome.report.conditions[0].reached.unwrap();
    assert!((reached - worst).abs() < 1e-9, "{reached} {worst}");

    // One diagnosis for a whole class, and the verdict is red.
    let question = Question {
        quasi: vec!["age".into()],
        sensitive: Some("diagnosis".into()),
        guarantee: Guarantee::KAnonymity { k: 4 },
        conditions: Conditions {
            all: asked.conditions.iter().map(condition).collect(),
            arranged: arranged(&asked, "diagnosis"),
        },
        class: Some("class".into()),
        markers: Vec::new(),
        dialect: Dialect::PLAIN,
    };
    assert!(judge(&outcome.published, &question).unwrap().passed);
    let text = String::from_utf8(outcome.published).unwrap();
    let broken: String = (text.lines())
        .map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if cells.last() == Some(&"1") {
                let at = cells.len() - 2;
                cells[at] = "stroke";
            }
            cells.join(",") + "\n"
        })
        .collect();
    assert!(!judge(broken.as_bytes(), &question).unwrap().passed);
}

/// What is near in the hierarchy costs less: the same limit is easier to keep where the values that go together have one label.
#[test]
fn near_values_count_less() {
    let near = run(&settings(0.12, Some(tree(|place| vec![format!("{}", place / 2)])))).unwrap();
    let far = run(&settings(0.12, Some(tree(|place| vec![format!("{}", place % 2)])))).unwrap();
    assert!(near.report.audit.passed && far.report.audit.passed);
    assert!(near.published != far.published);
}

#[test]
fn a_hierarchy_is_needed_and_must_have_all_values() {
    let why = |settings: &Settings| run(settings).unwrap_err().to_string();
    assert!(why(&settings(0.2, None)).contains("give it"), "{}", why(&settings(0.2, None)));
    let part = tree(|place| vec![format!("{}", place / 2)])[1..].to_vec();
    assert!(why(&settings(0.2, Some(part))).contains("flu"));
    // Without a condition that goes by it, a hierarchy of a sensitive column means nothing.
    let idle = Settings {
        conditions: Vec::new(),
        ..settings(0.2, Some(tree(|place| vec![format!("{}", place / 2)])))
    };
    assert!(run(&idle).is_err());
    // Rows that are left out need no label.
    let mut text = String::from("age,diagnosis\n");
    for at in 0..40 {
        writeln!(text, "{at},{}", if at == 7 { "?" } else { DIAGNOSES[at % 6] }).unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let dropped = Settings {
        missing: Missing { sensitive: MissingPolicy::Drop, ..Missing::default() },
        ..settings(0.5, Some(tree(|place| vec![format!("{}", place / 2)])))
    };
    assert!(anonymize(&table, &dropped, &Ctx::silent()).unwrap().report.audit.passed);
}
