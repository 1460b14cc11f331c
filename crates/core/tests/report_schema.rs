//! The reports of real runs, of every method and kind, fit the published schema, and what they say of their bound holds.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

#[path = "../../wire/tests/support/schema.rs"]
mod schema;

use std::{collections::BTreeSet, fmt::Write as _};

use lookalike_core::{
    pipeline::{Outcome, anonymize, finish, prepare as prepare_alone},
    republish::{
        series::{Options, prepare},
        ways::Way,
    },
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    job::BoundOf,
    ledger::{Mode, Signatures, Vacancies},
    report::Report,
    settings::{MethodName, Settings},
};
use lookalike_optimize::solve::{Params, solve, solve_with};
use serde_json::{Value, json};

fn table(rows: u32, frequent: u32) -> Table {
    let mut text = String::from("id,age,disease\n");
    for i in 0..rows {
        let disease = if i < frequent { 0 } else { i % 5 };
        writeln!(text, "p{i},{},d{disease}", 20 + i * 17 % 53).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(more: &Value) -> Settings {
    let mut all = json!({
        "quasi": ["age"], "sensitive": "disease", "model": { "name": "k-anonymity", "k": 3 },
        "budget": { "effort": 0.5 }, "seed": 1,
    });
    for (name, value) in more.as_object().unwrap() {
        all[name] = value.clone();
    }
    serde_json::from_value(all).unwrap()
}

/// Checks a report as it is written.
#[track_caller]
fn fits(report: &Report) {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let written: Value = serde_json::from_slice(&serde_json::to_vec(report).unwrap()).unwrap();
    schema::check(&written, &schema, "report");
    assert_eq!(serde_json::from_value::<Report>(written).unwrap(), *report);
    if let Some(bound) = &report.bound {
        assert!(
            bound.value <= report.objective.value && (0.0..=100.0).contains(&bound.gap_percent),
            "{bound:?}"
        );
    }
}

fn run(rows: u32, frequent: u32, more: &Value) -> Outcome {
    let outcome = anonymize(&table(rows, frequent), &settings(more), &Ctx::silent()).unwrap();
    fits(&outcome.report);
    fits(outcome.exact());
    outcome
}

#[test]
fn every_method_writes_a_report_that_the_schema_admits() {
    let mut seen = BTreeSet::new();
    for method in MethodName::ALL {
        for model in [json!({ "name": "k-anonymity", "k": 3 }), json!({ "name": "m-invariance", "m": 3 })] {
            for loss in ["sse", "ncp"] {
                let asked = settings(&json!({ "method": method.name(), "model": model, "loss": loss }));
                // Not each is defined for each.
                let Ok(outcome) = anonymize(&table(40, 0), &asked, &Ctx::silent()) else { continue };
                fits(&outcome.report);
                assert!(outcome.report.reproducible, "{method:?}: {:?}", outcome.report.status);
                seen.insert(method.name());
            }
        }
    }
    assert_eq!(seen, MethodName::ALL.map(MethodName::name).into_iter().collect());
}

#[test]
fn bounds_blocks_counterfeits_deletions_and_suppression_write_reports_that_the_schema_admits() {
    let m = json!({ "name": "m-invariance", "m": 3 });
    let by = "column-generation";
    assert!(run(40, 0, &json!({ "method": by })).report.bound.is_some());
    let blocks = run(60, 0, &json!({ "method": { "name": by, "blocks": 3, "no_final_swap": true } }));
    assert_eq!(blocks.report.bound.unwrap().of, BoundOf::DecomposedProblem);
    let swapped = run(60, 0, &json!({ "method": { "name": by, "blocks": 3, "swap_first": true } }));
    assert_eq!(swapped.report.bound.unwrap().of, BoundOf::WholeProblem);
    for (way, method) in [("add", "auto"), ("add", by), ("delete", by), ("hybrid", by)] {
        let outcome = run(24, 14, &json!({ "model": m, "method": method, "eligibility": way }));
        let added = outcome.report.changes.counterfeits > 0;
        assert_eq!(outcome.report.status.is_none(), added);
        assert_eq!(outcome.private.exact.is_some(), added);
    }
    run(40, 0, &json!({ "loss": "ncp", "suppress": { "price": 0.2 } }));
}

#[test]
fn parameters_that_differ_are_in_the_report() {
    let table = table(60, 0);
    let prepared =
        prepare_alone(&table, &settings(&json!({ "method": "annealing" })), &Ctx::silent()).unwrap();
    let mut params = Params::default();
    params.local.annealing.end = 0.02;
    params.exact.master.box_width = 0.25;
    let answer = solve_with(prepared.job(), &params, &Ctx::silent()).unwrap();
    let report = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap().report;
    fits(&report);
    let names: Vec<&str> = report.method.parameters.keys().map(String::as_str).collect();
    assert_eq!(names, ["exact.master.box_width", "local.annealing.end"]);
    assert_eq!(report.method.parameters["local.annealing.end"], "0.02");
}

#[test]
fn a_series_writes_reports_that_the_schema_admits() {
    let asked = settings(&json!({ "model": { "name": "m-invariance", "m": 3 }, "eligibility": "add" }));
    let mut ledger = None;
    let mut faked = 0;
    for rows in [30, 41, 29] {
        let options = Options {
            id: String::from("id"),
            mode: Mode::MInvariance,
            ledger: ledger.take(),
            signatures: Signatures::Free,
            exact_names: false,
            key: None,
            vacancies: Some(Vacancies::NewRecords),
            way: Way::Fewest,
            more: 0,
        };
        let table = table(rows, 0);
        let prepared = prepare(&table, &asked, &options, &Ctx::silent()).unwrap();
        let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
        let outcome = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
        fits(&outcome.report);
        fits(outcome.exact());
        assert!(outcome.report.series.is_some());
        faked += outcome.report.changes.counterfeits;
        ledger = outcome.ledger;
    }
    assert!(faked > 0, "a release of the series needs counterfeits");
}

/// Whether a run says that it is the same again.
fn again(more: &Value) -> (bool, String) {
    let ctx = Ctx::silent();
    let report = anonymize(&table(40, 0), &settings(more), &ctx).unwrap().report;
    (report.reproducible, report.method.explanation.to_string())
}

#[test]
fn a_run_is_called_repeatable_unless_a_clock_or_a_person_had_a_part_in_it() {
    let by = "column-generation";
    // Proven optimal, and stopped at its gap.
    assert!(again(&json!({ "method": by, "budget": { "effort": 5.0 } })).0);
    assert!(again(&json!({ "method": { "name": by, "stop_gap_percent": 50.0 } })).0);
    // The clock of the silent host stands still, so each ends by itself; another one would not.
    assert!(!again(&json!({ "budget": { "seconds": 0.0 } })).0);
    let carry = |seconds: Option<f64>| {
        let mut carry = json!({ "solver": "programme", "sets": 4 });
        if let Some(seconds) = seconds {
            carry["seconds"] = json!(seconds);
        }
        again(&json!({ "method": { "name": "split-and-carry", "carry": carry }, "loss": "ncp" }))
    };
    let (cut, told) = carry(Some(1e-9));
    assert!(!cut && told.contains("ended by the time limit"), "{told}");
    let stopped = Ctx { cancelled: &|| true, ..Ctx::silent() };
    let report = anonymize(&table(40, 0), &settings(&json!({})), &stopped).unwrap().report;
    assert!(!report.reproducible);
}
