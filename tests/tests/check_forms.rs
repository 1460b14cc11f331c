//! `lookalike check` measures what `lookalike anonymize` publishes, in every form.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::Value;

const TREE: &str = "22071;2207*;220**;*\n22079;2207*;220**;*\n22012;2201*;220**;*\n10115;1011*;101**;*\n";

/// Sixty people: whole and local numbers, dates of two spellings, an order, codes with a hierarchy, gaps.
fn people() -> String {
    let mut text = String::from("age;salary;visit;born;school;zip;disease\n");
    for i in 0..60_u32 {
        let age = if i % 20 == 7 { String::from("?") } else { (17 + i * 7 % 83).to_string() };
        let salary = format!("{}.{:03},{}", 1 + i % 3, i * 37 % 1000, i % 10);
        let visit = format!("2024-{:02}-{:02}", 1 + i % 12, 1 + i * 5 % 28);
        let born = format!("{}.{}.{}", 1 + i * 11 % 28, 1 + i * 5 % 12, 1950 + i % 40);
        let school = ["none", "Primary", "Post-secondary", "a - b"][(i * i % 4) as usize];
        let zip = ["22071", "22079", "22012", "10115"][(i / 3 % 4) as usize];
        let disease = ["flu", "HIV", "acne", "ulcer"][(i % 4) as usize];
        writeln!(text, "{age};{salary};{visit};{born};{school};{zip};{disease}").unwrap();
    }
    text
}

const QUASI: &str = "age,salary,visit,born,school,zip";

fn assert_same(found: &Value, told: &Value, within: f64, what: &str) {
    let (found, told) = (found.as_f64(), told.as_f64());
    let (Some(found), Some(told)) = (found, told) else { panic!("{what}: {found:?} {told:?}") };
    assert!((found - told).abs() <= within * told.abs(), "{what}: {found} against {told}");
}

/// Anonymizes, checks, and compares what the check finds with what the report tells.
fn publish_and_check(folder: &Folder, flags: &[&str]) -> (String, Value) {
    let order = "school=none<Primary<a - b<Post-secondary";
    let run = [
        "anonymize",
        "in.csv",
        "--quasi",
        QUASI,
        "--sensitive",
        "disease",
        "--model",
        "m-invariance",
        "--m",
        "3",
    ];
    let more = ["--kind", "zip=category", "--order", order, "--seed", "4", "--effort", "0.2"];
    let files = ["-o", "out.csv", "--classes", "classes.csv", "--report", "report.json"];
    folder.succeed(&[&run[..], &more, flags, &files].concat());
    let check = [
        "check",
        "out.csv",
        "--quasi",
        QUASI,
        "--sensitive",
        "disease",
        "--model",
        "m-uniqueness",
        "--m",
        "3",
    ];
    let how = [
        "--kind",
        "zip=category",
        "--column-order",
        order,
        "--original",
        "in.csv",
        "--classes",
        "classes.csv",
    ];
    let tree: &[&str] =
        if flags.contains(&"--hierarchy") { &["--hierarchy", "zip=zip tree.csv"] } else { &[] };
    let found: Value =
        serde_json::from_slice(&folder.succeed(&[&check[..], &how, tree, &["--json"]].concat()).stdout)
            .unwrap();
    let report = folder.json("report.json");
    for part in ["figures", "utility"] {
        for column in found[part]["columns"].as_array().unwrap() {
            assert_eq!(column["not_measurable"], Value::Null, "{flags:?} {part}: {column}");
        }
    }
    let (means, coded) = (flags.contains(&"centroid"), flags.contains(&"--top"));
    let (figures, utility, told) = (&found["figures"], &found["utility"], &report["utility"]);
    for name in ["ncp_total", "gcp_mean", "c_avg", "discernibility", "classification_metric"] {
        // That a number is the mean of its class, which hides how wide that is, and where an open end ends, only the run knows.
        if !((means || coded) && name.contains("cp_")) {
            assert_same(&figures[name], &told[name], 1e-9, name);
        }
    }
    for (at, column) in told["columns"].as_array().unwrap().iter().enumerate() {
        if coded && ["age", "salary"].contains(&column["name"].as_str().unwrap()) {
            continue;
        }
        if means && column["measurable"] == false {
            assert_eq!(column["ncp"], Value::Null, "{column}");
            continue;
        }
        assert_eq!(column["measurable"], true, "{column}");
        assert_eq!(column["name"], figures["columns"][at]["name"]);
        assert_same(&figures["columns"][at]["ncp"], &column["ncp"], 1e-9, "ncp");
        // Two digits are told.
        let loss = &utility["columns"][at]["information_loss_percent"];
        assert_same(loss, &column["information_loss_percent"], 0.05, "information loss");
    }
    (folder.text("out.csv"), serde_json::json!({ "check": found, "report": report }))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", people());
    folder.write("zip tree.csv", TREE);
    folder
}

#[test]
fn every_form_is_measured_as_the_report_tells() {
    let folder = folder();
    let cases: [(&[&str], &[&str]); 8] = [
        (&["--missing-quasi", "drop", "--publish", "range"], &["[none - ", "[2024-", " - "]),
        (&["--missing-quasi", "value"], &["{?, ["]),
        (
            &["--missing-quasi", "drop", "--publish", "min-max"],
            &[
                "age_min;age_max;salary_min;salary_max;visit_min;visit_max;born_min;born_max;school_min;school_max;zip;",
            ],
        ),
        (
            &["--missing-quasi", "drop", "--publish", "min-max-mid"],
            &["age_min;age_max;age_mid;", "school_min;school_max;zip;"],
        ),
        (&["--missing-quasi", "drop", "--publish", "set"], &["{2024-", "\\,"]),
        (&["--missing-quasi", "drop", "--publish", "centroid"], &[]),
        (&["--missing-quasi", "drop", "--top", "age=80", "--bottom", "age=25,salary=1500.5"], &["<=", ">="]),
        (
            &["--missing-quasi", "drop", "--hierarchy", "zip=zip tree.csv", "--publish", "hierarchy"],
            &["220**"],
        ),
    ];
    for (flags, marks) in cases {
        let (out, both) = publish_and_check(&folder, flags);
        for mark in marks {
            assert!(out.contains(mark), "{flags:?} publish no {mark}: {out}");
        }
        let (found, report) = (&both["check"]["utility"], &both["report"]);
        let uncovered = |c: &Value| c["uncovered"].as_u64().unwrap();
        let columns = found["columns"].as_array().unwrap();
        let centroid = flags.contains(&"centroid");
        assert_eq!(columns.iter().any(|c| uncovered(c) > 0), centroid, "{flags:?}: {columns:?}");
        // The run's own loss, computed again; there coded numbers count as their limit, and missing ones have a place.
        if flags.contains(&"--publish") {
            let loss = &report["objective"]["information_loss_percent"];
            assert_same(&found["information_loss_percent"], loss, 1e-9, "loss");
        }
    }
}

#[test]
fn a_hierarchy_of_numbers_and_dates() {
    let folder = folder();
    for (column, generator) in [("age", "interval:10,2:to=80"), ("visit", "date")] {
        let file = format!("{column}.csv");
        let run = ["hierarchy", "in.csv", "--column", column, "--generate", generator, "-o", &file];
        folder.succeed(&run);
    }
    let quasi = ["--quasi", "age,visit", "--missing-quasi", "drop"];
    let trees = ["--hierarchy", "age=age.csv", "--hierarchy", "visit=visit.csv"];
    let run = [
        "anonymize",
        "in.csv",
        "--model",
        "k-anonymity",
        "--k",
        "5",
        "--publish",
        "hierarchy",
        "--seed",
        "1",
    ];
    let files = ["-o", "out.csv", "--classes", "classes.csv", "--report", "report.json"];
    folder.succeed(&[&run[..], &quasi, &trees, &files].concat());
    let check = [
        "check",
        "out.csv",
        "--model",
        "k-anonymity",
        "--k",
        "5",
        "--original",
        "in.csv",
        "--classes",
        "classes.csv",
    ];
    let run = folder.succeed(&[&check[..], &quasi[..2], &trees, &["--json"]].concat());
    let (found, report): (Value, Value) =
        (serde_json::from_slice(&run.stdout).unwrap(), folder.json("report.json"));
    for at in 0..2 {
        assert_eq!(found["utility"]["columns"][at]["uncovered"], 0);
        assert_same(
            &found["figures"]["columns"][at]["ncp"],
            &report["utility"]["columns"][at]["ncp"],
            1e-9,
            "ncp",
        );
    }
    let loss = &report["objective"]["information_loss_percent"];
    assert_same(&found["utility"]["information_loss_percent"], loss, 1e-9, "loss");
    // Without the hierarchies nobody knows what the labels stand for.
    let run = folder.succeed(&[&check[..], &quasi[..2], &["--json"]].concat());
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    let why = found["utility"]["columns"][1]["not_measurable"]["text"].as_str().unwrap();
    assert!(why.contains("is of a form that is not known"), "{why}");
}

#[test]
fn wrong_readings_are_refused() {
    let folder = folder();
    folder.write("t.csv", "age,zip\n20,a\n20,a\n");
    let check = "check t.csv --quasi age,zip --model k-anonymity --k 2";
    for (flags, code, says) in [
        ("--kind age=ordinal", 2, "--column-order"),
        ("--kind age=roman", 2, "a kind is integer"),
        ("--kind size=number", 2, "no column \"size\""),
        ("--column-order size=a<b", 2, "no column \"size\""),
        ("--kind zip=category --column-order zip=a<b", 2, "two kinds or orders"),
        ("--hierarchy zip=in.csv", 2, "in.csv: "),
        ("--hierarchy zip=none.csv", 4, "none.csv"),
    ] {
        let run = folder.run(&format!("{check} {flags}").split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(code), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{flags}: {}", run.stderr);
    }
}
