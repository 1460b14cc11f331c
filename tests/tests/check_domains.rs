//! `lookalike check` with declared domains: the certainty penalty is divided by what may occur, as in the run that published.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::{Folder, Run};
use serde_json::Value;

const ORDER: &str = "school=none<Primary<Secondary<College";
const DOMAINS: [&str; 8] = [
    "--domain",
    "age=0..120",
    "--domain",
    "seen=01.01.2023..31.12.2024",
    "--domain",
    "school=none..College",
    "--domain",
    "city=Bath|Hull|Kent|Rye|York|\"St. {Ives}\"",
];

/// Forty people: numbers, dates with dots, an order without its ends, labels of which one has braces.
fn people() -> String {
    let mut text = String::from("age,seen,school,city\n");
    for i in 0..40_u32 {
        let seen = format!("{:02}.{:02}.2024", 13 + i * 5 % 16, 1 + i * 7 % 12);
        let school = ["Primary", "Secondary"][(i / 3 % 2) as usize];
        let city = ["Bath", "Hull", "Kent", "Rye"][(i * i % 7 % 4) as usize];
        writeln!(text, "{},{seen},{school},{city}", 18 + i * 13 % 71).unwrap();
    }
    text
}

fn anonymize(folder: &Folder, more: &[&str]) {
    folder.write("in.csv", people());
    let run =
        ["anonymize", "in.csv", "--quasi", "age,seen,school,city", "--model", "k-anonymity", "--k", "3"];
    let how =
        ["--order", ORDER, "--seed", "4", "--effort", "0.2", "-o", "out.csv", "--report", "report.json"];
    folder.succeed(&[&run[..], &how, more].concat());
}

fn check(folder: &Folder, more: &[&str]) -> Run {
    let ask = ["check", "out.csv", "--quasi", "age,seen,school,city", "--model", "k-anonymity", "--k", "3"];
    folder.run(&[&ask[..], more].concat())
}

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr))
}

#[track_caller]
fn assert_close(found: &Value, told: f64, what: &str) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{what}: nothing is found"));
    assert!((found - told).abs() <= 1e-9 * told.max(1.0), "{what}: {found}, not {told}");
}

/// Mean widths of the published ages and numbers of further cities, as parts of 120 years and of six cities.
fn by_hand(published: &str) -> (f64, f64) {
    let mut reader = csv::Reader::from_reader(published.as_bytes());
    let (mut ages, mut cities, mut rows) = (0.0, 0.0, 0.0);
    for row in reader.records().map(Result::unwrap) {
        let ends: Vec<f64> = row[0].trim_matches(['[', ']']).split('-').map(|x| x.parse().unwrap()).collect();
        ages += (ends[ends.len() - 1] - ends[0]) / 120.0;
        cities += (row[3].split(", ").count() as f64 - 1.0) / 6.0;
        rows += 1.0;
    }
    (ages / rows, cities / rows)
}

#[test]
fn the_figure_is_that_of_the_run() {
    for loss in ["ncp", "sse"] {
        let folder = Folder::new();
        anonymize(&folder, &[&DOMAINS[..], &["--loss", loss]].concat());
        let report = folder.json("report.json");
        let found = json(&check(&folder, &[&DOMAINS[..], &["--column-order", ORDER, "--json"]].concat()));
        let told = report["utility"]["gcp_mean"].as_f64().unwrap();
        assert_close(&found["figures"]["gcp_mean"], told, loss);
        for (column, told) in found["figures"]["columns"]
            .as_array()
            .unwrap()
            .iter()
            .zip(report["utility"]["columns"].as_array().unwrap())
        {
            assert_eq!(column["name"], told["name"]);
            assert_close(&column["ncp"], told["ncp"].as_f64().unwrap(), loss);
        }
        let (age, city) = by_hand(&folder.text("out.csv"));
        assert_close(&found["figures"]["columns"][0]["ncp"], age, "age by hand");
        assert_close(&found["figures"]["columns"][3]["ncp"], city, "city by hand");
        assert_eq!(found["domains"]["passed"], true, "{}", found["domains"]);
        assert_eq!(found["passed"], true);
        // Without them it is a part of what is published, and of a smaller whole.
        let bare = json(&check(&folder, &["--column-order", ORDER, "--json"]));
        assert!(bare["figures"]["gcp_mean"].as_f64().unwrap() > told + 0.01, "{}", bare["figures"]);
        assert_eq!(bare["domains"], Value::Null);
    }
}

/// The configuration has the domains, the limits at which numbers were coded, and a hierarchy that is a distance only.
#[test]
fn a_configuration_declares_domains_and_limits() {
    let folder = Folder::new();
    folder.write("tree.csv", "Bath;west;*\nHull;north;*\nKent;east;*\nRye;east;*\n");
    let more = ["--top", "age=80", "--bottom", "age=25", "--hierarchy", "city=tree.csv", "--loss", "ncp"];
    anonymize(&folder, &[&DOMAINS[..], &more, &["--save-config", "settings.json"]].concat());
    let published = folder.text("out.csv");
    assert!(published.contains(">=") && published.contains("<="), "{published}");
    let told = folder.json("report.json")["utility"]["gcp_mean"].as_f64().unwrap();
    let run = folder.run(&["check", "out.csv", "--config", "settings.json", "--json"]);
    let found = json(&run);
    assert_close(&found["figures"]["gcp_mean"], told, "by the configuration");
    assert_eq!(found["domains"]["passed"], true, "{}", found["domains"]);
    // Flags overrule it, and its domains of columns that are not asked about do not matter.
    let wider = ["check", "out.csv", "--config", "settings.json", "--domain", "age=0..240", "--json"];
    let city = |found: &Value| found["figures"]["columns"][3]["ncp"].clone();
    let wide = json(&folder.run(&wider));
    assert_eq!(city(&wide), city(&found));
    let ncp = |found: &Value| found["figures"]["columns"][0]["ncp"].as_f64().unwrap();
    assert!(ncp(&wide) <= ncp(&found));
    let few = ["check", "out.csv", "--config", "settings.json", "--quasi", "school", "--json"];
    assert_eq!(json(&folder.run(&few))["domains"]["passed"], true);
}

#[test]
fn a_value_outside_is_a_failed_check() {
    let folder = Folder::new();
    anonymize(&folder, &[]);
    for (domain, column) in
        [("age=0..60", "age"), ("seen=01.01.2024..01.06.2024", "seen"), ("city=Bath|Hull", "city")]
    {
        let run = check(&folder, &["--column-order", ORDER, "--domain", domain]);
        let told = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.code, Some(1), "{domain}: {told}");
        let line = told.lines().find(|line| line.starts_with("FAILS")).unwrap();
        assert!(
            line.contains("lie in the declared domains") && line.contains(&format!("\"{column}\"")),
            "{line}"
        );
        // As many rows as the published table has with a value outside.
        if column == "city" {
            let outside = folder
                .text("out.csv")
                .lines()
                .filter(|row| row.contains("Kent") || row.contains("Rye"))
                .count();
            assert!(line.contains(&format!("{outside} rows have values outside")), "{line}, not {outside}");
        }
    }
}

#[test]
fn a_domain_that_does_not_fit_is_refused() {
    let folder = Folder::new();
    anonymize(&folder, &[]);
    for (flags, says) in [
        (&["--domain", "age=Bath|Hull"][..], "FROM..TO (--domain)"),
        (&["--domain", "city=Bath..Hull"], "LABEL|LABEL (--domain)"),
        (&["--domain", "age=0..old"], "'old' is not a finite number"),
        (&["--domain", "age=120..0"], "must begin with a smaller value"),
        (&["--domain", "age=0"], "is not a domain of \"age\""),
        (&["--domain", "age=0..9", "--domain", "age=0..90"], "a domain is given twice for \"age\""),
        (&["--domain", "income=0..9"], "there is no column \"income\""),
        (&["--domain", "class=0..99"], "only quasi-identifiers and kept columns are"),
    ] {
        let run = check(&folder, &[&["--column-order", ORDER], flags].concat());
        assert_eq!(run.code, Some(2), "{flags:?}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{flags:?}: {}", run.stderr);
    }
    let series =
        ["check", "out.csv", "out.csv", "--model", "m-invariance", "--m", "2", "--domain", "age=0..9"];
    let series = folder.run(&[&series[..], &["--quasi", "age", "--sensitive", "city"]].concat());
    assert!(series.code == Some(2) && series.stderr.contains("--domain"), "{}", series.stderr);
}
