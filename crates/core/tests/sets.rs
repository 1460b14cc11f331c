//! Sets of quasi-identifiers with a k of their own: what is published, said and audited.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    Error,
    audit::{Dialect, Inquiry, Model as Asked, SUPPRESSED, assess, judge_set},
    pipeline::{Conflict, Outcome, anonymize},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{Ctx, finding::finding, settings::Settings};
use serde_json::{Value, json};

/// Ages and wards of people; a ward is rare where an age is frequent.
fn table() -> Table {
    let mut text = String::from("age,sex,ward,diagnosis\n");
    for at in 0..160_usize {
        let (age, ward) = (20 + at * at % 40, (at * 7 + at / 16) % 24);
        writeln!(text, "{age},{},w{ward:02},d{}", ["f", "m"][at % 3 % 2], at % 5).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn tree(
    values: impl Iterator<Item = usize>,
    name: impl Fn(usize) -> String,
    widths: &[usize],
) -> Vec<Vec<String>> {
    let label = |value: usize, width: usize| {
        format!("[{}-{}]", value / width * width, value / width * width + width - 1)
    };
    let row = |value| {
        let labels = widths.iter().map(|&width| label(value, width));
        [name(value)].into_iter().chain(labels).chain([String::from("*")]).collect()
    };
    values.map(row).collect()
}

fn settings(k: usize, sets: &Value) -> Settings {
    let age = tree(20..60, |age| age.to_string(), &[5, 10, 20]);
    let ward: Vec<Vec<String>> = (0..24)
        .map(|ward: usize| {
            vec![
                format!("w{ward:02}"),
                format!("house {}", ward / 4),
                format!("site {}", ward / 12),
                String::from("*"),
            ]
        })
        .collect();
    serde_json::from_value(json!({
        "quasi": ["age", "sex", "ward"], "sensitive": "diagnosis", "model": { "name": "k-anonymity", "k": k }, "scheme": "full-domain",
        "loss": "ncp", "seed": 1, "hierarchies": { "age": age, "ward": ward }, "sets": sets,
    }))
    .unwrap()
}

fn run(settings: &Settings) -> Result<Outcome, Error> {
    anonymize(&table(), settings, &Ctx::silent())
}

/// How many published rows are alike in these columns, at least.
fn smallest(published: &[u8], columns: &[usize]) -> usize {
    let mut groups: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(published);
    for row in reader.records() {
        let row = row.unwrap();
        *groups.entry(columns.iter().map(|&at| row[at].to_owned()).collect()).or_default() += 1;
    }
    groups.into_values().min().unwrap()
}

#[test]
fn each_set_has_its_own_k_and_costs_less_than_one_for_all() {
    let sets = json!([{ "columns": ["age", "sex"], "k": 12 }, { "columns": ["ward"], "k": 20 }]);
    let asked = settings(2, &sets);
    let outcome = run(&asked).unwrap();
    let report = &outcome.report;
    assert!(report.audit.passed);
    let found = [smallest(&outcome.published, &[0, 1]), smallest(&outcome.published, &[2])];
    assert!(found[0] >= 12 && found[1] >= 20 && smallest(&outcome.published, &[0, 1, 2]) >= 2, "{found:?}");
    assert_eq!(report.sets.iter().map(|set| set.smallest).collect::<Vec<_>>(), found);
    // The same without sets breaks them, and 20 for all columns loses more.
    let plain = run(&settings(2, &json!([]))).unwrap();
    assert!(smallest(&plain.published, &[0, 1]) < 12 || smallest(&plain.published, &[2]) < 20);
    let all = run(&settings(20, &json!([]))).unwrap();
    let cost = |outcome: &Outcome| outcome.report.full_domain.as_ref().unwrap().cost;
    assert!(
        cost(&plain) <= cost(&outcome) && cost(&outcome) < cost(&all),
        "{} {}",
        cost(&outcome),
        cost(&all)
    );
    // What is said names each set and its own number, and that of who knows all.
    let sentence = finding(report, &asked).sentence.to_string();
    for part in ["age and sex", "ward", &found[0].to_string(), &found[1].to_string()] {
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn suppression_leaves_no_set_too_small() {
    let sets = json!([{ "columns": ["age", "sex"], "k": 12 }, { "columns": ["ward"], "k": 20 }]);
    let mut asked = settings(2, &sets);
    asked.suppress = serde_json::from_value(json!({ "price": 1.0, "share": 0.3 })).unwrap();
    let outcome = run(&asked).unwrap();
    assert!(outcome.report.audit.passed);
    let gone = outcome.report.full_domain.as_ref().unwrap().suppressed;
    assert!(gone > 0 && gone <= 48, "{gone}");
    assert!(smallest(&outcome.published, &[0, 1]) >= 12 && smallest(&outcome.published, &[2]) >= 20);
}

#[test]
fn a_broken_set_is_found_in_the_bytes_and_in_anybodys_table() {
    let columns = ["ward".to_owned()];
    let asked = settings(2, &json!([{ "columns": ["ward"], "k": 20 }]));
    let outcome = run(&asked).unwrap();
    let judged = |bytes: &[u8]| judge_set(bytes, Dialect::PLAIN, &columns, 20).unwrap();
    assert!(judged(&outcome.published).check.passed);
    // One row in a place of its own.
    let text = String::from_utf8(outcome.published).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let mut cells: Vec<&str> = lines[1].split(',').collect();
    cells[2] = "elsewhere";
    lines[1] = cells.join(",");
    let broken = lines.join("\n") + "\n";
    let found = judged(broken.as_bytes());
    assert!(!found.check.passed && found.smallest == 1);
    let theirs = read(broken.as_bytes(), &ReadOptions::default()).unwrap();
    let inquiry = |k| Inquiry {
        quasi: ["age", "sex", "ward"].map(String::from).to_vec(),
        sensitive: None,
        class: None,
        models: vec![Asked::Set { columns: columns.to_vec(), k }],
        suppressed: vec![String::from(SUPPRESSED)],
        missing: Vec::new(),
        missing_is_value: false,
        attacker: lookalike_core::audit::Attacker::default(),
    };
    let assessed = assess(&theirs, &inquiry(20)).unwrap();
    assert!(!assessed.passed && assessed.findings.len() == 1);
    assert_eq!(assessed.findings[0].reached, Some(1.0));
}

#[test]
fn what_asks_for_nothing_is_refused() {
    let wrong = |sets: &Value| match run(&settings(3, sets)) {
        Err(Error::Conflict(why)) => why,
        other => panic!("{:?}", other.map(|outcome| outcome.report.sets)),
    };
    let of = |columns: &Value, k: usize| json!([{ "columns": columns, "k": k }]);
    assert!(matches!(wrong(&of(&json!(["age", "town"]), 9)), Conflict::SetOfOther { .. }));
    assert!(matches!(wrong(&of(&json!(["diagnosis"]), 9)), Conflict::SetOfOther { .. }));
    assert!(matches!(wrong(&of(&json!(["age", "age"]), 9)), Conflict::SetTwice { .. }));
    assert!(matches!(wrong(&of(&json!([]), 9)), Conflict::SetTwice { .. }));
    assert!(matches!(wrong(&of(&json!(["age"]), 3)), Conflict::SetForNothing { .. }));
    assert!(matches!(wrong(&of(&json!(["age", "ward", "sex"]), 9)), Conflict::SetForNothing { .. }));
    let twice = json!([{ "columns": ["age", "sex"], "k": 9 }, { "columns": ["sex", "age"], "k": 12 }]);
    assert!(matches!(wrong(&twice), Conflict::SetTwice { .. }));
    let classes = Settings {
        scheme: lookalike_model::settings::Scheme::Classes,
        ..settings(3, &of(&json!(["age"]), 9))
    };
    assert!(!matches!(run(&classes), Err(Error::Conflict(_))), "classes take sets, too");
    // More than there are.
    assert!(run(&settings(3, &of(&json!(["age"]), 161))).is_err());
}
