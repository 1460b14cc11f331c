//! Sets of quasi-identifiers with a larger k in classes: what is published, said and audited.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    Error,
    audit::{Dialect, judge_set},
    pipeline::{BySets, Conflict, Outcome, anonymize},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{Ctx, finding::finding, job::Status, settings::Settings};
use serde_json::{Value, json};

fn table(rows: usize) -> Table {
    let mut text = String::from("age,sex,ward,income,diagnosis\n");
    for at in 0..rows {
        let (age, ward, income) = (20 + at * at % 43, (at * 7 + at / 16) % 9, (at * 31 + at / 5) % 97 * 100);
        writeln!(text, "{age},{},w{ward:02},{income},d{}", ["f", "m"][at % 3 % 2], at * 3 / 2 % 5).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(k: usize, loss: &str, sets: &Value) -> Settings {
    serde_json::from_value(json!({
        "quasi": ["age", "sex", "ward", "income"], "sensitive": "diagnosis", "model": { "name": "k-anonymity", "k": k },
        "loss": loss, "seed": 1, "sets": sets, "budget": { "effort": 0.3 },
    }))
    .unwrap()
}

fn two() -> Value {
    json!([{ "columns": ["sex", "age"], "k": 12 }, { "columns": ["ward"], "k": 20 }])
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

fn run(rows: usize, settings: &Settings) -> Result<Outcome, Error> {
    anonymize(&table(rows), settings, &Ctx::silent())
}

#[test]
fn each_set_has_a_k_and_loses_less_than_one_for_all() {
    for loss in ["sse", "ncp", "ncp-binary"] {
        let asked = settings(3, loss, &two());
        let outcome = run(160, &asked).unwrap();
        let report = &outcome.report;
        assert!(report.audit.passed, "{loss}: {:?}", report.audit.checks);
        let published = &outcome.published;
        let found = [smallest(published, &[0, 1]), smallest(published, &[2])];
        assert!(found[0] >= 12 && found[1] >= 20 && smallest(published, &[0, 1, 2, 3]) >= 3, "{found:?}");
        assert_eq!(report.sets.iter().map(|set| set.smallest).collect::<Vec<_>>(), found);
        let value = |outcome: &Outcome| outcome.report.objective.value;
        let plain = run(160, &settings(3, loss, &json!([]))).unwrap();
        let largest = run(160, &settings(20, loss, &json!([]))).unwrap();
        println!("{loss}: {} <= {} <= {}", value(&plain), value(&outcome), value(&largest));
        assert!(value(&outcome) < value(&largest), "{loss}: {} {}", value(&outcome), value(&largest));
        let bound = report.bound.as_ref().unwrap();
        assert!(bound.value > 0.0 && bound.value <= value(&outcome));
        let sentence = finding(report, &asked).sentence.to_string();
        for part in ["sex and age", "ward", &found[0].to_string(), &found[1].to_string()] {
            assert!(sentence.contains(part), "{sentence}");
        }
    }
}

#[test]
fn a_broken_group_turns_the_verdict_red() {
    let outcome = run(160, &settings(3, "ncp", &two())).unwrap();
    let columns = [String::from("ward")];
    let judged = |bytes: &[u8]| judge_set(bytes, Dialect::PLAIN, &columns, 20).unwrap().check.passed;
    assert!(judged(&outcome.published));
    let text = String::from_utf8(outcome.published).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let cell = csv::Reader::from_reader(text.as_bytes()).records().next().unwrap().unwrap()[2].to_owned();
    let quoted = format!("\"{cell}\"");
    let cell = if lines[1].contains(&quoted) { quoted } else { cell };
    lines[1] = lines[1].replacen(&cell, "elsewhere", 1);
    let broken = lines.join("\n") + "\n";
    assert!(!judged(broken.as_bytes()));
}

#[test]
fn missing_cells_means_and_conditions_go_with_sets() {
    let mut text = String::from("age,town,diagnosis\n");
    for at in 0..90_usize {
        let age = if at.is_multiple_of(11) { String::from("?") } else { (20 + at * at % 37).to_string() };
        writeln!(text, "{age},t{},d{}", at % 7, at % 4).unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let asked = |more: Value| -> Settings {
        let mut all = json!({
            "quasi": ["age", "town"], "sensitive": "diagnosis", "model": { "name": "k-anonymity", "k": 3 },
            "seed": 1, "sets": [{ "columns": ["age"], "k": 11 }], "budget": { "effort": 0.2 }, "missing": { "quasi": "value" },
        });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(all).unwrap()
    };
    let conditions = json!({ "conditions": [{ "name": "distinct-diversity", "l": 2 }], "missing": { "quasi": "value", "sensitive": "drop" } });
    for more in [json!({}), json!({ "publish": "centroid" }), json!({ "class_column": "none" }), conditions] {
        let outcome = anonymize(&table, &asked(more.clone()), &Ctx::silent()).unwrap();
        assert!(outcome.report.audit.passed, "{more}: {:?}", outcome.report.audit.checks);
        assert!(smallest(&outcome.published, &[0]) >= 11 && smallest(&outcome.published, &[0, 1]) >= 3);
    }
}

#[test]
fn what_cannot_be_had_is_refused_with_its_reason() {
    let wrong = |settings: &Settings| match run(60, settings) {
        Err(Error::Conflict(why)) => why,
        other => panic!("{:?}", other.map(|outcome| outcome.report.sets)),
    };
    let asked = |change: &dyn Fn(&mut Settings)| {
        let mut settings = settings(3, "ncp", &two());
        change(&mut settings);
        match wrong(&settings) {
            Conflict::SetsOfClasses { asked } => asked,
            other => panic!("{other}"),
        }
    };
    assert_eq!(
        asked(&|s| s.suppress = serde_json::from_value(json!({ "price": 1.0 })).unwrap()),
        [BySets::Suppress]
    );
    assert_eq!(
        asked(&|s| {
            s.quasi.pop();
            s.keep = vec![String::from("income")];
        }),
        [BySets::Keep]
    );
    assert_eq!(
        asked(&|s| s.model = lookalike_model::settings::Model::MInvariance { m: 3 }),
        [BySets::MInvariance]
    );
    assert_eq!(asked(&|s| s.publish = serde_json::from_value(json!("min-max")).unwrap()), [BySets::Ends]);
    let shared = json!([{ "columns": ["age", "sex"], "k": 9 }, { "columns": ["age", "ward"], "k": 12 }]);
    assert!(matches!(wrong(&settings(3, "ncp", &shared)), Conflict::SetsShare { .. }));
    let nothing = json!([{ "columns": ["age"], "k": 3 }]);
    assert!(matches!(wrong(&settings(3, "ncp", &nothing)), Conflict::SetForNothing { .. }));
    // More than there are.
    assert!(run(60, &settings(3, "ncp", &json!([{ "columns": ["age"], "k": 61 }]))).is_err());
}

#[test]
fn a_set_that_costs_nothing_more_is_proven() {
    // All are alike in the set, and pairs in the rest.
    let rows = "a,b,s\n1,1,x\n1,1,y\n1,5,x\n1,5,y\n";
    let table = read(rows.as_bytes(), &ReadOptions::default()).unwrap();
    let asked: Settings = serde_json::from_value(json!({
        "quasi": ["a", "b"], "sensitive": "s", "model": { "name": "k-anonymity", "k": 2 }, "seed": 1,
        "sets": [{ "columns": ["a"], "k": 4 }],
    }))
    .unwrap();
    let outcome = anonymize(&table, &asked, &Ctx::silent()).unwrap();
    assert!(outcome.report.audit.passed && outcome.report.status == Some(Status::Optimal));
}
