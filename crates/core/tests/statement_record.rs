//! The statement as data: it fits its schema, and says what the printed statement says, with the same figures.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

#[path = "../../wire/tests/support/schema.rs"]
mod schema;

use std::fmt::Write as _;

use lookalike_core::{
    audit::attacks::Attacks,
    comparison::attacked,
    demo,
    pipeline::{Outcome, anonymize, finish, prepare as prepare_alone},
    republish::{
        series::{Options, prepare},
        ways::Way,
    },
    statement::{Made, NamedFile, html, record},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    ledger::{Mode, Signatures, Vacancies},
    settings::Settings,
    statement::Record,
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::three;
use serde_json::{Value, json};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(more: &Value) -> Settings {
    let mut all = json!({
        "quasi": ["age", "sex"], "sensitive": "diagnosis", "model": { "name": "k-anonymity", "k": 3 },
        "budget": { "effort": 0.2 }, "seed": 424_242,
    });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(all).unwrap()
}

fn made(outcome: &Outcome) -> Made {
    Made {
        at: String::from("2026-05-01T14:03:22Z"),
        source: Some(String::from("quarter 2.csv")),
        release: NamedFile::of(Some(String::from("out.csv")), &outcome.published),
        report: Some(NamedFile::of(Some(String::from("r.json")), b"report")),
        ..Made::default()
    }
}

/// What the printed statement says, without its tags.
fn printed(outcome: &Outcome, made: &Made) -> String {
    let html = html(outcome.exact(), &outcome.private, made);
    let entities = [("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.iter().fold(html, |text, (entity, meant)| text.replace(entity, meant))
}

/// Every message in a value, with where it is.
fn messages<'a>(value: &'a Value, at: &str, all: &mut Vec<(String, &'a str)>) {
    match value {
        Value::Object(fields) if fields.contains_key("id") && fields.contains_key("text") => {
            all.push((at.to_owned(), fields["text"].as_str().unwrap()));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                messages(field, &format!("{at}.{name}"), all);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| messages(item, at, all)),
        _ => {}
    }
}

/// The cell beside a name.
#[track_caller]
fn cell<'a>(statement: &'a str, name: &str) -> &'a str {
    let row = format!("<th scope=\"row\">{name}</th><td>");
    let (_, after) = statement.split_once(&row).unwrap_or_else(|| panic!("no {name} in {statement}"));
    after.split_once("</td>").unwrap().0
}

/// Schema, words and figures of one run.
#[track_caller]
fn agrees(outcome: &Outcome) -> Value {
    agrees_as(outcome, &made(outcome))
}

#[track_caller]
fn agrees_as(outcome: &Outcome, made: &Made) -> Value {
    let text = printed(outcome, made);
    let whole = record(outcome.exact(), &outcome.private, made);
    let written: Value = serde_json::from_slice(&serde_json::to_vec(&whole).unwrap()).unwrap();
    let described: Value = serde_json::from_str(include_str!("../../../docs/statement.schema.json")).unwrap();
    schema::check(&written, &described, "statement");
    assert_eq!(serde_json::from_value::<Record>(written.clone()).unwrap(), whole);

    let mut all = Vec::new();
    messages(&written, "", &mut all);
    assert!(all.len() > 10, "{all:?}");
    for (at, said) in all {
        assert!(text.contains(said), "{at}: {said} is not in {text}");
    }
    for digest in ["table", "report", "source"].map(|name| &written["files"][name]["sha256"]) {
        assert!(digest.is_null() || text.contains(digest.as_str().unwrap()), "{digest}");
    }
    for field in [&written["computed"]["at"], &written["computed"]["version"], &written["files"]["code"]] {
        assert!(text.contains(field.as_str().unwrap()), "{field}");
    }
    figures(&written, &text);
    criteria(&written);
    assert!(written["by_hand"].as_object().unwrap().values().all(|field| {
        field.is_null() || field.as_object().is_some_and(|fields| fields.values().all(Value::is_null))
    }));
    // The seed repeats the run; a register needs no such thing.
    assert!(text.contains("424242") && !written.to_string().contains("424242"));
    written
}

/// Numbers beside those that are printed in the annex.
#[track_caller]
fn figures(written: &Value, text: &str) {
    let persons = written["risk"]["counts"] == "persons";
    let threshold = (written["threshold"]["probability"].as_f64().unwrap() * 1e4).round() / 1e4;
    let exposed = |of: &Value| {
        let [highest, mean, share] =
            ["highest", "mean", "at_risk_share"].map(|name| of[name].as_f64().unwrap());
        let (n, percent) = (of["at_risk"].as_u64().unwrap(), 100.0 * share);
        let unit = match (n, persons) {
            (1, false) => "1 record",
            (1, true) => "1 person",
            (_, false) => "records",
            (_, true) => "people",
        };
        let count = if n == 1 { unit.to_owned() } else { format!("{n} {unit}") };
        let [highest, mean, percent] = [highest, mean, percent].map(three);
        format!("at most {highest}, {mean} on average; above {threshold} for {count} ({percent} %)")
    };
    let (before, after) = (&written["risk"]["before"], &written["risk"]["after"]);
    assert_eq!(cell(text, "Prosecutor: knows that the person is in the table"), exposed(after));
    let name = "Prosecutor before: by the quasi-identifiers as they stand in the source";
    assert_eq!(cell(text, name), exposed(before));
    let alone = if persons { "People" } else { "Records" };
    assert_eq!(cell(text, &format!("{alone} alone in their group")), after["alone"].to_string());
    let name = format!("{alone} alone by their quasi-identifiers in the source, before");
    assert_eq!(cell(text, &name), before["alone"].to_string());
    assert_eq!(cell(text, "Counterfeit records added"), written["changes"]["counterfeits"].to_string());
}

/// Numbers of the three risks beside the words that say them.
#[track_caller]
fn criteria(written: &Value) {
    let all = written["criteria"].as_array().unwrap();
    for kind in ["singling-out", "linkability", "inference"] {
        assert!(all.iter().any(|of| of["criterion"] == kind), "{kind}");
    }
    for of in all {
        let (numbers, args) = (&of["figures"], &of["reached"]["args"]);
        // Words on linking say "one in three" where numbers have three.
        for name in ["alone", "among", "told"].into_iter().filter(|name| !args[name].is_null()) {
            assert_eq!(numbers[name], args[name], "{of}");
        }
        if let Some(share) = numbers["share"].as_f64() {
            let said: f64 = args["percent"]["figure"].as_str().unwrap().parse().unwrap();
            assert!(said >= 100.0 * share - 1e-6 && said < 100.0 * share + 0.1 + 1e-6, "{of}");
        }
        if let (Some(among), Some(probability)) = (numbers["among"].as_f64(), numbers["probability"].as_f64())
        {
            assert!((probability * among - 1.0).abs() < 1e-12, "{of}");
        }
    }
}

fn run(csv: &str, more: &Value) -> Value {
    agrees(&anonymize(&table(csv), &settings(more), &Ctx::silent()).unwrap())
}

#[test]
fn runs_of_every_kind_say_the_same_in_print_and_as_data() {
    let csv = demo::hospital(120, 7);
    let plain = run(&csv, &json!({}));
    assert_eq!(plain["guarantee"]["model"], json!({ "name": "k-anonymity", "k": 3 }));
    let added = run(
        &csv,
        &json!({ "model": { "name": "m-invariance", "m": 6 }, "eligibility": "add", "keep": ["postcode"] }),
    );
    assert!(added["changes"]["counterfeits"].as_u64() > Some(0), "{added}");
    run(&csv, &json!({ "model": { "name": "k-anonymity", "k": 4 }, "method": "doka-sort-greedy" }));
    run(&csv, &json!({ "loss": "ncp", "risk_threshold": 0.09 }));
    run(&csv, &json!({ "unchanged": ["postcode", "nights"] }));
    run(&csv, &json!({ "conditions": [{ "name": "distinct-diversity", "l": 2 }], "class_column": "none" }));
    run(&csv, &json!({ "sample": { "weight": "nights" }, "unchanged": ["nights"] }));
    run(&csv, &json!({ "sensitive": null }));
}

#[test]
fn variables_say_what_was_done_to_each_column() {
    let csv = demo::hospital(120, 7);
    let written = run(
        &csv,
        &json!({
            "quasi": ["age", "sex"], "publish_columns": { "age": "centroid" }, "coding": { "age": { "top": 80.0 } },
            "weights": { "age": 0.75, "sex": 0.25 }, "keep": ["nights"], "unchanged": ["postcode"],
        }),
    );
    let of = |name: &str| {
        let all = written["variables"].as_array().unwrap();
        all.iter().find(|column| column["name"] == name).unwrap_or_else(|| panic!("{name}: {all:?}"))
    };
    let told = |name: &str| (of(name)["role"].as_str().unwrap(), of(name)["technique"].as_str().unwrap());
    assert_eq!(told("age"), ("quasi-identifier", "means"));
    assert_eq!((&of("age")["coding"]["top"], &of("age")["weight"]), (&json!(80.0), &json!(0.75)));
    assert_eq!(told("sex"), ("quasi-identifier", "ranges"));
    assert_eq!(told("diagnosis"), ("sensitive", "none"));
    assert_eq!(told("nights"), ("kept", "ranges"));
    assert_eq!(told("postcode"), ("unchanged", "none"));
    assert_eq!(told("name"), ("not-published", "removed"));
    assert!(of("name")["words"].is_null() && of("name")["missing"].is_null());
}

/// Four ages, two of which nobody else has: counted by hand.
#[test]
fn the_risk_before_is_that_of_the_source() {
    let csv = "age,sex,diagnosis\n20,f,a\n20,f,b\n20,f,c\n31,m,a\n47,f,b\n50,m,c\n50,m,a\n";
    let written = run(csv, &json!({}));
    let before = &written["risk"]["before"];
    assert_eq!((&before["alone"], &before["smallest"]), (&json!(2), &json!(1)));
    assert_eq!(before["highest"].as_f64(), Some(1.0));
    // Four groups of seven records; more than a fifth for each of them.
    assert!((before["mean"].as_f64().unwrap() - 4.0 / 7.0).abs() < 1e-12);
    assert_eq!((&before["at_risk"], &before["at_risk_share"]), (&json!(7), &json!(1.0)));
    assert_eq!(written["risk"]["after"]["alone"], json!(0));
    assert!(written["risk"]["after"]["smallest"].as_u64() >= Some(3));
}

#[test]
fn persons_with_several_rows_are_counted_and_not_their_rows() {
    let mut csv = String::from("person,age,sex,diagnosis\n");
    for i in 0..40 {
        for row in 0..=i % 3 {
            writeln!(csv, "p{i},{},{},d{}", 20 + i % 17, ["f", "m"][i % 2], (i + row) % 5).unwrap();
        }
    }
    let written = run(&csv, &json!({ "rows_are": { "events-of": "person" } }));
    assert_eq!(written["risk"]["counts"], "persons");
    assert!(written["risk"]["before"]["at_risk"].as_u64() <= Some(40));
}

#[test]
fn attacks_that_were_tried_are_in_both() {
    let (table, control) = (table(&demo::hospital(90, 7)), table(&demo::hospital(40, 8)));
    let prepared = prepare_alone(&table, &settings(&json!({})), &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let outcome = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
    assert!(agrees(&outcome)["attacks"].is_null());
    assert!(!printed(&outcome, &made(&outcome)).contains("Attacks that were tried"));
    let wanted = Attacks { attacks: 20, ..Attacks::default() };
    for control in [None, Some(&control)] {
        let tried = attacked(&table, &prepared, &outcome, control, &wanted).unwrap();
        let made = Made { attacks: Some(tried), ..made(&outcome) };
        let written = &agrees_as(&outcome, &made)["attacks"];
        assert!(printed(&outcome, &made).contains("Attacks that were tried"));
        let rows = control.map(|control| control.rows as u64);
        assert_eq!(written["control_rows"].as_u64(), rows);
        let results = written["results"].as_array().unwrap();
        assert_eq!(results.len(), 4, "{results:?}");
        for of in results {
            assert_eq!(of["control"].is_null(), control.is_none(), "{of}");
            let (tried, hit) =
                (of["main"]["attacks"].as_f64().unwrap(), of["main"]["successes"].as_f64().unwrap());
            assert!(tried <= 20.0 && hit <= tried, "{of}");
            assert!(of["residual_risk"].is_null() || control.is_some(), "{of}");
        }
    }
}

#[test]
fn a_release_of_a_series_says_its_place() {
    let asked = settings(&json!({ "model": { "name": "m-invariance", "m": 3 }, "eligibility": "add" }));
    let mut ledger = None;
    for (release, rows) in [(1, 80), (2, 95)] {
        let options = Options {
            id: String::from("patient"),
            mode: Mode::MInvariance,
            ledger: ledger.take(),
            signatures: Signatures::Free,
            exact_names: false,
            key: None,
            vacancies: Some(Vacancies::NewRecords),
            way: Way::Fewest,
            more: 0,
        };
        let table = table(&demo::hospital(rows, 7));
        let prepared = prepare(&table, &asked, &options, &Ctx::silent()).unwrap();
        let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
        let outcome = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
        let written = agrees(&outcome);
        assert_eq!(written["guarantee"]["series"]["release"], json!(release));
        ledger = outcome.ledger;
    }
}
