//! Declared domains: the certainty penalty is divided by what may occur, whatever does, and that is read off the published bytes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_core::{
    Error, certify,
    out_of_core::Survey,
    pipeline::{Outcome, anonymize, prepare},
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx,
    settings::{ColumnGenerationOptions, Extent, Settings},
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::three;
use proptest::prelude::*;
use serde_json::{Value, json};

fn run(text: &str, settings: &Value) -> Result<Outcome, Error> {
    let settings: Settings = serde_json::from_value(settings.clone()).unwrap();
    anonymize(&read(text.as_bytes(), &ReadOptions::default()).unwrap(), &settings, &Ctx::silent())
}

fn settings(loss: &str) -> Value {
    json!({
        "quasi": ["age", "city"], "model": { "name": "k-anonymity", "k": 2 }, "loss": loss,
        "domains": { "age": { "from": "0", "to": "120" }, "city": ["Bath", "Hull", "Kent", "Rye", "York"] },
        "budget": { "effort": 1.0 }, "seed": 5,
    })
}

/// The penalty of the published rows: the age by 120 years, the city by five cities, each with half the weight.
fn penalty(published: &[u8], binary: bool) -> f64 {
    let mut reader = csv::Reader::from_reader(published);
    let of = |row: csv::StringRecord| {
        let ends: Vec<f64> = row[0].trim_matches(['[', ']']).split('-').map(|x| x.parse().unwrap()).collect();
        let age = (ends[ends.len() - 1] - ends[0]) / 120.0;
        let cities = row[1].trim_matches(['{', '}']).split(", ").count() as f64;
        let steps = match (cities > 1.0, binary) {
            (false, _) => 0.0,
            (true, true) => cities,
            (true, false) => cities - 1.0,
        };
        0.5 * age + 0.5 * steps / 5.0
    };
    reader.records().map(|row| of(row.unwrap())).sum()
}

fn close(told: f64, found: f64) -> bool {
    (told - found).abs() <= 1e-9 * found.max(1.0)
}

fn finding(outcome: &Outcome, name: &str) -> String {
    let checks = &outcome.report.audit.checks;
    checks.iter().find(|check| check.name.to_string() == name).unwrap().finding.to_string()
}

const LOSS: &str = "the stated loss is that of the published bytes";
const DOMAINS: &str = "the published values lie in the declared domains";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_penalty_is_divided_by_the_domain(
        rows in prop::collection::vec((18..90_u32, 0..4_usize), 6..20),
        method in prop::sample::select(vec!["auto", "column-generation", "mondrian", "k-member"]),
    ) {
        let mut text = String::from("age,city\n");
        for (age, city) in rows {
            writeln!(text, "{age},{}", ["Bath", "Hull", "Kent", "Rye"][city]).unwrap();
        }
        for loss in ["ncp", "ncp-binary", "sse"] {
            let mut settings = settings(loss);
            settings["method"] = json!(method);
            let outcome = run(&text, &settings).unwrap();
            let objective = &outcome.report.objective;
            let (plain, binary) = (penalty(&outcome.published, false), penalty(&outcome.published, true));
            prop_assert!(close(objective.ncp_total.unwrap(), plain));
            match loss {
                "ncp" => prop_assert!(close(objective.value, plain)),
                "ncp-binary" => prop_assert!(close(objective.value, binary)),
                _ => {}
            }
            // The audit's measure of the published form is told the same domain; with equal weights it is the same mean.
            prop_assert!(close(outcome.report.utility.gcp_mean.unwrap(), objective.gcp_mean.unwrap()));
            prop_assert!(outcome.report.audit.passed);
            prop_assert!(finding(&outcome, DOMAINS).starts_with("all published values of \"age\" and \"city\" lie"));
            if let Some(bound) = &outcome.report.bound {
                prop_assert!(bound.loss == objective.loss && bound.value <= objective.value);
            }
        }
    }
}

/// Without a domain the whole range is that of the records that are left, and leaving out the outlier makes every range of the
/// others wider a part of it. With one it does not matter who is left out.
#[test]
fn what_is_suppressed_does_not_change_what_is_left() {
    let mut text = String::from("age,city\n");
    for i in 0..12 {
        writeln!(text, "{},Bath", 20 + 3 * i).unwrap();
    }
    text.push_str("119,Bath\n");
    let of = |declared: bool, price: Option<f64>| {
        let mut settings = settings("ncp");
        if !declared {
            settings["domains"] = json!({});
        }
        if let Some(price) = price {
            settings["suppress"] = json!({ "price": price, "limit": 1 });
        }
        run(&text, &settings).unwrap()
    };
    let row = |outcome: &Outcome| String::from_utf8(outcome.published.clone()).unwrap();
    let cut = of(true, Some(0.2));
    assert_eq!(cut.report.changes.suppressed_for_loss, 1, "{}", row(&cut));
    assert!(!row(&cut).contains("119") && cut.report.audit.passed);
    let published = penalty(&cut.published, false);
    assert!(close(cut.report.objective.value, published), "by 120 years, not by those that are left");
    assert!(
        finding(&cut, LOSS).contains(&format!("is {}, as stated", three(published))),
        "{}",
        finding(&cut, LOSS)
    );
    // The same rows without a domain count as parts of the 33 years that are left.
    let bare = of(false, Some(0.2));
    assert_eq!(bare.report.changes.suppressed_for_loss, 1);
    let years = 120.0 * penalty(&bare.published, false);
    assert!(close(bare.report.objective.value, years / 33.0), "{} {years}", bare.report.objective.value);
}

#[test]
fn dates_ranks_and_coded_numbers_have_domains() {
    let text = "age,seen,pain\n17,2023-01-01,low\n25,2023-01-11,mid\n40,2023-02-01,low\n95,2023-03-01,low\n";
    let settings = json!({
        "quasi": ["age", "seen", "pain"], "model": { "name": "k-anonymity", "k": 4 }, "loss": "ncp",
        "orders": { "pain": ["none", "low", "mid", "high"] }, "coding": { "age": { "bottom": 20.0, "top": 90.0 } },
        "domains": { "age": { "from": "0", "to": "100" }, "seen": { "from": "2022-12-31", "to": "2023-04-10" },
            "pain": { "from": "none", "to": "high" } },
        "budget": { "effort": 1.0 }, "seed": 5,
    });
    let outcome = run(text, &settings).unwrap();
    let text = String::from_utf8(outcome.published.clone()).unwrap();
    assert!(text.contains("*,[2023-01-01 - 2023-03-01],[low - mid],1"), "{text}");
    // The age from limit to limit, all of it; 59 of 100 days; one step of three.
    let mean = (1.0 + 0.59 + 1.0 / 3.0) / 3.0;
    assert!(close(outcome.report.objective.gcp_mean.unwrap(), mean), "{:?}", outcome.report.objective);
    assert!(close(outcome.report.utility.gcp_mean.unwrap(), mean) && outcome.report.audit.passed);
    assert!(finding(&outcome, LOSS).contains("as stated"), "{}", finding(&outcome, LOSS));
}

#[test]
fn missing_is_a_value_beside_the_domain() {
    let text = "age,city\n20,Bath\n20,?\n20,Hull\n20,Hull\n";
    let mut settings = settings("ncp");
    settings["missing"] = json!({ "markers": ["?"], "quasi": "value" });
    settings["model"]["k"] = json!(4);
    let outcome = run(text, &settings).unwrap();
    // Three of five cities and "missing".
    assert!(close(outcome.report.objective.value, 4.0 * 0.5 * 2.0 / 6.0), "{:?}", outcome.report.objective);
    assert!(finding(&outcome, LOSS).contains("as stated"));
}

#[test]
fn what_does_not_fit_is_refused_with_row_and_value() {
    let text = "age,city\n20,Bath\n121,Hull\n30,Kent\n40,Rye\n";
    let why = |change: &dyn Fn(&mut Value)| {
        let mut settings = settings("ncp");
        change(&mut settings);
        run(text, &settings).unwrap_err().to_string()
    };
    let age = |domain: Value| why(&|s| s["domains"] = json!({ "age": domain.clone() }));
    let city = |domain: Value| why(&|s| s["domains"] = json!({ "city": domain.clone() }));
    let told = why(&|_| ());
    assert!(told.starts_with("row 2: '121' is outside the declared domain of \"age\""), "{told}");
    assert!(told.contains("--domain"), "{told}");
    let told = city(json!(["Bath", "Hull", "Kent"]));
    assert!(told.starts_with("row 4: 'Rye' is outside the declared domain of \"city\""), "{told}");
    for (told, part) in [
        (age(json!({ "from": "120", "to": "0" })), "must begin with a smaller value"),
        (age(json!({ "from": "0", "to": "old" })), "'old' is not a finite number"),
        (age(json!(["1", "2"])), "FROM..TO"),
        (city(json!({ "from": "Bath", "to": "York" })), "LABEL|LABEL"),
        (city(json!(["Bath", "Bath"])), "twice"),
        (city(json!(["Bath"])), "two labels"),
        (city(json!(["Bath", "?"])), "missing"),
        (why(&|s| s["domains"] = json!({ "income": ["a", "b"] })), "income"),
    ] {
        assert!(told.contains(part), "{told}, not {part}");
    }
    let by_hierarchy = why(&|s| {
        s["domains"] = json!({ "city": ["Bath", "Hull", "Kent", "Rye"] });
        s["publish_columns"] = json!({ "city": "hierarchy" });
        s["hierarchies"] = json!({ "city": [["Bath", "*"], ["Hull", "*"], ["Kent", "*"], ["Rye", "*"]] });
    });
    assert!(by_hierarchy.contains("published by its hierarchy"), "{by_hierarchy}");
}

#[test]
fn under_squared_errors_it_is_said_what_the_domain_is_for() {
    let text = "age,city\n20,Bath\n25,Hull\n30,Kent\n40,Rye\n";
    let told = |loss: &str| {
        let report = run(text, &settings(loss)).unwrap().report;
        report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let squares = told("sse");
    assert!(
        squares.contains("\"age\" has the declared domain 0 to 120; squared errors do not count in it"),
        "{squares}"
    );
    assert!(
        told("ncp").contains("\"city\" has the declared domain of 5 labels, by which"),
        "{}",
        told("ncp")
    );
}

/// A certificate is verified with the declared domain, and one of the loss without it proves nothing of the loss with it.
#[test]
fn a_certificate_knows_the_domain() {
    use lookalike_core::audit::certificate::{Rule, verify_penalty, widths};
    let mut text = String::from("age,city\n");
    for i in 0..10 {
        writeln!(text, "{},{}", 20 + 7 * i % 41, ["Bath", "Hull"][i % 2]).unwrap();
    }
    let mut settings: Settings = serde_json::from_value(settings("ncp")).unwrap();
    settings.method = ColumnGenerationOptions {
        extent: Extent::Whole { duals: true },
        ..ColumnGenerationOptions::default()
    }
    .into();
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let certificate = certify::certificate(&prepared, &answer).unwrap();
    let meaning = certify::meaning(&table, &settings).unwrap();
    let rows: Vec<u32> = (0..10).collect();
    let of = |meaning| widths(&table, &rows, meaning).unwrap();
    let verified = verify_penalty(&of(&meaning), Rule::MinSize { k: 2 }, &certificate, 1_000_000).unwrap();
    assert!(verified.bound > 0.0 && verified.bound <= answer.loss + 1e-9, "{verified:?}, {}", answer.loss);
    // Without the domain ranges are parts of 41 years and not of 120, and cost more: what is proven of that loss is proven of no
    // other, though the certificate is in order.
    let undeclared = Settings { domains: std::collections::BTreeMap::new(), ..settings };
    let prepared = prepare(&table, &undeclared, &Ctx::silent()).unwrap();
    let dearer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let other = certify::certificate(&prepared, &dearer).unwrap();
    let bare = certify::meaning(&table, &undeclared).unwrap();
    let own = verify_penalty(&of(&bare), Rule::MinSize { k: 2 }, &other, 1_000_000).unwrap();
    assert!(own.bound > answer.loss, "{own:?}");
    let crossed = verify_penalty(&of(&meaning), Rule::MinSize { k: 2 }, &other, 1_000_000);
    assert!(crossed.as_ref().map_or(true, |found| found.bound <= answer.loss + 1e-9), "{crossed:?}");
}

#[test]
fn out_of_core_every_part_is_checked() {
    let (first, second) = ("age,city\n20,Bath\n25,Hull\n", "age,city\n30,Kent\n40,Paris\n");
    let table = |text: &str| read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let settings: Settings = serde_json::from_value(settings("ncp")).unwrap();
    let mut survey = Survey::new(&table(first), &settings, &[]).unwrap();
    survey.add(0, &table(first)).unwrap();
    let told = survey.add(2, &table(second)).unwrap_err().to_string();
    assert!(told.starts_with("row 4: 'Paris' is outside the declared domain of \"city\""), "{told}");
}
