//! `lookalike check --attacks`: what it tells programs, and what it refuses.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::Value;

/// People from a number on; no two are alike.
fn people(from: u32) -> String {
    let mut text = String::from("height,income,city,disease\n");
    for i in from..from + 80 {
        let city = ["Bath", "Hull", "Kent"][(i * 5 % 3) as usize];
        let disease = ["flu", "HIV", "acne"][(i * i % 7 % 3) as usize];
        writeln!(text, "{},{},{city},{disease}", i * 37 % 997, 20_000 + i * 7919 % 50_000).unwrap();
    }
    text
}

const COLUMNS: [&str; 4] = ["--quasi", "height,income,city", "--sensitive", "disease"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", people(0));
    folder.write("control.csv", people(1000));
    folder
}

#[test]
fn rates_with_and_without_a_control() {
    let folder = folder();
    let attack = ["check", "in.csv", "--attacks", "--original", "in.csv", "--json", "--attacks-number", "60"];
    let told = |more: &[&str]| -> Value {
        let run = folder.succeed(&[&attack[..], &COLUMNS, more].concat());
        let told: Value = serde_json::from_slice(&run.stdout).unwrap();
        told["attacks"].clone()
    };
    let (alone, with) = (told(&[]), told(&["--control", "control.csv"]));
    assert_eq!(
        alone["linkability"]["main"], with["linkability"]["main"],
        "the control does not change the main rate"
    );
    assert!(alone["linkability"]["residual_risk"].is_null() && alone["control_rows"].is_null());
    assert_eq!(with["control_rows"], 80);
    assert_eq!(with["inference"]["main"]["rate"], 1.0);
    assert_eq!(with["inference"]["main"]["attacks"], 60);
    let residual = &with["linkability"]["residual_risk"];
    assert!(
        residual["value"].as_f64().unwrap() > 0.5 && residual["low"].as_f64() < residual["value"].as_f64()
    );
    assert_eq!(told(&["--control", "control.csv"]), with, "a seed gives the same answer");
    assert_ne!(told(&["--attacks-seed", "2"])["singling_out"], alone["singling_out"]);
    let first = told(&["--attacks-first", "city", "--attacks-secret", "income"]);
    assert_eq!(
        (first["linkability"]["first"][0].as_str(), first["secret"].as_str()),
        (Some("city"), Some("income"))
    );
}

#[test]
fn flags_that_mean_nothing_are_refused() {
    let folder = folder();
    let refused = |flags: &[&str], why: &str| {
        let run = folder.run(&[&["check", "in.csv"], &COLUMNS[..], flags].concat());
        assert_eq!(run.code, Some(2), "{flags:?}: {}", run.stderr);
        assert!(run.stderr.contains(why), "{flags:?}: {}", run.stderr);
    };
    refused(&["--attacks"], "--original");
    refused(&["--model", "k-anonymity", "--k", "2", "--control", "control.csv"], "--attacks");
    let attack = ["--attacks", "--original", "in.csv"];
    refused(&[&attack[..], &["--attacks-confidence", "1"]].concat(), "between 0 and 1");
    refused(&[&attack[..], &["--attacks-first", "size"]].concat(), "size");
    refused(&[&attack[..], &["--attacks-number", "0"]].concat(), "at least one attack");
    folder.write("other.csv", "height,income,city\n170,1,Bath\n");
    refused(&[&attack[..], &["--control", "other.csv"]].concat(), "the control has no column");
}
