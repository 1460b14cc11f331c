//! Rows of their own, from the table to the audited bytes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    audit::{Conditions, Guarantee, Question, judge, judge_freeform, measure},
    pipeline::{Outcome, anonymize, finish, prepare},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    settings::{Coding, Loss, MethodName, Missing, MissingPolicy, Model, Publish, Settings, Suppress},
    verify::verify,
};
use lookalike_optimize::solve::solve;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const METHODS: [MethodName; 3] =
    [MethodName::DokaGreedy, MethodName::DokaSortGreedy, MethodName::DokaHungarian];

/// Numbers, ordered and other labels, some of the cities missing.
fn people(rows: usize) -> String {
    with_gaps(rows, false)
}

/// The same; `all` columns have gaps.
fn with_gaps(rows: usize, all: bool) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(rows as u64);
    let mut text = String::from("age,school,city,ill\n");
    for _ in 0..rows {
        let age = match rng.random_range(0..12u32) {
            0 if all => String::from("?"),
            _ => rng.random_range(18..95u32).to_string(),
        };
        let school = ["low", "middle", "high", ""][rng.random_range(0..if all { 4 } else { 3usize })];
        let city = ["Ulm", "Bonn", "Trier", "?"][rng.random_range(0..4usize)];
        let ill = ["flu", "HIV", "ulcer"][rng.random_range(0..3usize)];
        writeln!(text, "{age},{school},{city},{ill}").unwrap();
    }
    text
}

fn parsed(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(method: MethodName, k: usize) -> Settings {
    let order = ["low", "middle", "high"].map(String::from).to_vec();
    let named = |a: &str, b: &str, c: &str| vec![a.to_owned(), b.to_owned(), c.to_owned()];
    Settings {
        quasi: ["age", "school"].map(String::from).to_vec(),
        keep: vec![String::from("city")],
        sensitive: Some(String::from("ill")),
        orders: BTreeMap::from([(String::from("school"), order)]),
        coding: BTreeMap::from([(String::from("age"), Coding { bottom: None, top: Some(85.0) })]),
        hierarchies: BTreeMap::from([(
            String::from("city"),
            vec![named("Ulm", "south", "*"), named("Bonn", "west", "*"), named("Trier", "west", "*")],
        )]),
        publish: Publish::Hierarchy,
        missing: Missing {
            quasi: MissingPolicy::Value,
            sensitive: MissingPolicy::Value,
            ..Missing::default()
        },
        loss: Loss::Ncp,
        method: method.into(),
        seed: Some(5),
        ..Settings::of(Model::KAnonymity { k })
    }
}

fn run(text: &str, settings: &Settings) -> Outcome {
    anonymize(&parsed(text), settings, &Ctx::silent()).unwrap()
}

/// The penalty is not defined for numbers that are missing; squared errors are.
#[test]
fn numbers_and_orders_with_gaps_are_concealed_too() {
    let text = with_gaps(90, true);
    for method in METHODS {
        let settings = settings(method, 4);
        let refused = anonymize(&parsed(&text), &settings, &Ctx::silent()).unwrap_err().to_string();
        assert!(refused.contains("is missing in some rows"), "{refused}");
        let report = run(&text, &Settings { loss: Loss::Sse, ..settings }).report;
        assert!(report.audit.passed, "{method:?}: {:?}", report.audit);
        assert!(report.freeform.unwrap().least_matches >= 4);
        assert!(report.objective.ncp_total.is_none());
    }
}

#[test]
fn every_record_is_concealed_among_k_and_the_table_is_labelled() {
    let text = people(90);
    for method in METHODS {
        let outcome = run(&text, &settings(method, 4));
        let report = &outcome.report;
        assert!(report.audit.passed, "{method:?}: {:?}", report.audit.checks);
        for notion in ["(1,4)-anonymity", "(4,1)-anonymity", "(4,4)-anonymity", "4-concealment"] {
            assert!(
                report.audit.checks.iter().any(|check| check.name.to_string() == notion),
                "{method:?}: {notion}"
            );
        }
        let told = report.freeform.as_ref().unwrap();
        assert!(told.least_matches >= 4 && told.guarantee.to_string().contains("not k-anonymity"));
        assert!(report.risk.highest_reidentification <= 0.25 && report.risk.prosecutor.highest <= 0.25);
        assert_eq!(outcome.header, ["age", "school", "city", "ill"], "no class column");
        // It really is none: judged as classes, the very bytes fail.
        let asked = Question {
            quasi: ["age", "school", "city"].map(String::from).to_vec(),
            sensitive: Some(String::from("ill")),
            conditions: Conditions::default(),
            guarantee: Guarantee::KAnonymity { k: 4 },
            class: None,
            markers: lookalike_table::usual_markers(),
            dialect: lookalike_core::audit::Dialect::PLAIN,
        };
        assert!(!judge(&outcome.published, &asked).unwrap().passed);
        assert!(told.smallest_group < 4 && report.classes.min_size == told.smallest_group);
        // As many of each sensitive value as before.
        let count = |table: &Table, value: &str| {
            let column = table.column("ill").unwrap();
            (0..table.rows).filter(|row| column.cell(*row) == value).count()
        };
        let (before, after) = (parsed(&text), read(&outcome.published, &ReadOptions::default()).unwrap());
        for value in ["flu", "HIV", "ulcer"] {
            assert_eq!(count(&before, value), count(&after, value));
        }
        // The private key leads each input row to a row that shows its value.
        let key = read(&outcome.classes, &ReadOptions::default()).unwrap();
        for row in 0..before.rows {
            let place: usize = key.columns[1].cell(row).parse().unwrap();
            assert_eq!(before.columns[3].cell(row), after.columns[3].cell(place - 1));
        }
    }
}

#[test]
fn they_lose_less_than_classes_and_hungarian_least() {
    let text = people(120);
    let value = |method| run(&text, &settings(method, 3)).report.objective.value;
    let (greedy, classes) = (METHODS.map(value), value(MethodName::GreedySearch));
    assert!(greedy[2] < greedy[0] && greedy[2] < greedy[1] && greedy[2] < classes, "{greedy:?}, {classes}");
}

#[test]
fn permuted_rows_give_the_same_bytes() {
    let text = people(70);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    let turned = lines.join("\n");
    for method in METHODS {
        let settings = settings(method, 3);
        assert_eq!(run(&text, &settings).published, run(&turned, &settings).published, "{method:?}");
    }
}

/// A single row made narrower, a row left out, another k: the audit sees it.
#[test]
fn the_audit_refuses_what_is_not_concealed() {
    let table = parsed("age\n10\n20\n30\n40\n");
    let asked = |k| Question {
        quasi: vec![String::from("age")],
        sensitive: None,
        conditions: Conditions::default(),
        guarantee: Guarantee::KAnonymity { k },
        class: None,
        markers: lookalike_table::usual_markers(),
        dialect: lookalike_core::audit::Dialect::PLAIN,
    };
    let passed = |bytes: &str, k| {
        let reading = measure::Reading::default();
        judge_freeform(bytes.as_bytes(), &table, &asked(k), &reading, 0.2).unwrap().verdict.passed
    };
    let good = "age\n[10-20]\n[10-40]\n[20-30]\n[30-40]\n";
    assert!(passed(good, 2) && !passed(good, 3));
    assert!(!passed("age\n[10-20]\n[10-40]\n[20-30]\n40\n", 2), "a row that is one record");
    assert!(!passed("age\n[10-20]\n[10-40]\n[20-30]\n", 2), "a row less");
    assert!(!passed("age\n[10-20]\n[10-20]\n[20-30]\n[30-40]\n", 2), "40 has one row");
    assert!(!passed("age\n[10-40]\n[10-20]\n[20-30]\n[30-40]\n", 2), "rows out of order");
}

#[test]
fn what_does_not_fit_is_refused() {
    let table = parsed(&people(40));
    let refused =
        |settings: &Settings| prepare(&table, settings, &Ctx::silent()).map(|_| ()).unwrap_err().to_string();
    let asked = settings(MethodName::DokaGreedy, 3);
    let invariant = Settings { model: Model::MInvariance { m: 2 }, ..asked.clone() };
    assert!(refused(&invariant).contains("sensitive"));
    let mean = Settings { publish: Publish::Centroid, ..asked.clone() };
    assert!(refused(&mean).contains("mean"));
    let price =
        Settings { suppress: Some(Suppress { price: Some(1.0), limit: None, share: None }), ..asked.clone() };
    assert!(refused(&price).contains("suppressed"));
    let many = parsed(&people(5_001));
    let why = prepare(&many, &asked, &Ctx::silent()).unwrap_err().to_string();
    assert!(why.contains("5,001"), "{why}");
}

/// A worker's answer with a pair twice, with classes only, or with another loss is not used.
#[test]
fn wrong_answers_are_refused() {
    let table = parsed(&people(40));
    let prepared = prepare(&table, &settings(MethodName::DokaGreedy, 3), &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    verify(prepared.job(), &answer).unwrap();
    assert!(finish(&table, &prepared, &answer, &Ctx::silent()).unwrap().report.audit.passed);
    let mut twice = answer.clone();
    let matchings = &mut twice.freeform.as_mut().unwrap().matchings;
    matchings[1] = matchings[0].clone();
    let mut classes = answer.clone();
    classes.freeform = None;
    let mut better = answer.clone();
    better.loss *= 0.99;
    for wrong in [twice, classes, better] {
        assert!(finish(&table, &prepared, &wrong, &Ctx::silent()).is_err());
    }
    // Nor rows of their own where classes were asked for.
    let prepared = prepare(&table, &settings(MethodName::KMember, 3), &Ctx::silent()).unwrap();
    assert!(verify(prepared.job(), &answer).is_err());
}
