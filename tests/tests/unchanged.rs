//! `--unchanged` on the command line: flags, files, words and refusals.

#[path = "../../crates/wire/tests/support/schema.rs"]
mod schema;

use lookalike_tests::{
    program::Folder,
    tables::{parse, patients},
};
use serde_json::json;

/// A table with a cost that the release is for.
fn folder() -> Folder {
    let folder = Folder::new();
    let table = patients(120);
    let costs = (0_u32..)
        .map(|row| if row == 0 { String::from("cost, net") } else { (row * 37 % 23 * 50).to_string() });
    let lines = table.lines().zip(costs).map(|(line, cost)| match cost.parse::<u32>() {
        Ok(cost) => format!("{line},{cost}\n"),
        Err(_) => format!("{line},\"{cost}\"\n"),
    });
    folder.write("in.csv", lines.collect::<String>());
    folder
}

const RUN: &str = "anonymize in.csv --quasi age,sex --sensitive disease --model k-anonymity --k 4 --effort 0.5 --seed 1 \
                   --report report.json --statement statement.html -o out.csv";

fn args<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

const UNCHANGED: [&str; 2] = ["--unchanged", "\"cost, net\""];

#[test]
fn a_column_is_published_unchanged_and_its_price_is_said() {
    let folder = folder();
    let told = folder.succeed(&args(RUN, &UNCHANGED)).stderr;
    let (header, rows) = parse(&folder.read("out.csv"));
    assert_eq!(header, ["age", "sex", "disease", "cost, net", "class"]);
    let sorted = |mut cells: Vec<String>| {
        cells.sort_unstable();
        cells
    };
    let (before, source) = parse(&folder.read("in.csv"));
    let at = before.iter().position(|name| name == "cost, net").unwrap();
    let column = |rows: &[Vec<String>], at: usize| sorted(rows.iter().map(|row| row[at].clone()).collect());
    assert_eq!(column(&rows, 3), column(&source, at), "cell by cell");

    let report = folder.json("report.json");
    schema::check(
        &report,
        &serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap(),
        "report",
    );
    let known = &report["unchanged"]["columns"][0]["known"];
    // An attacker who knows quasi-identifiers and cost, by the published rows alone.
    let fits = |a: &Vec<String>, b: &Vec<String>| a[0] == b[0] && a[1] == b[1] && a[3] == b[3];
    let matches: Vec<usize> =
        rows.iter().map(|row| rows.iter().filter(|other| fits(row, other)).count()).collect();
    let unique = matches.iter().filter(|&&found| found == 1).count();
    assert!(unique > 0 && unique < rows.len(), "{unique}");
    assert_eq!(known["unique_after"], json!(unique));
    let mean = matches.iter().map(|&found| 1.0 / found as f64).sum::<f64>() / rows.len() as f64;
    assert!((known["mean"].as_f64().unwrap() - mean).abs() < 1e-9);

    let before = known["unique_before"].as_u64().unwrap();
    for said in [
        format!("published unchanged, \"cost, net\": {before} of 120 records unique in the source"),
        format!("{unique} as published; an attacker who knows it"),
        format!("{mean:.4} in the mean"),
        String::from("Nor does it hold against an attacker who knows a person's cells"),
        String::from("alone by unchanged cells, without the quasi-identifiers: "),
    ] {
        assert!(told.contains(&said), "{said} is not in {told}");
    }
    assert!(folder.text("statement.html").contains("published unchanged: the guarantee is for attackers"));
}

#[test]
fn a_configuration_says_it_as_flags_do() {
    let folder = folder();
    folder.succeed(&args(RUN, &[&UNCHANGED[..], &["--save-config", "config.json"]].concat()));
    let published = folder.read("out.csv");
    let config = folder.json("config.json");
    let field =
        config["fields"].as_array().unwrap().iter().find(|field| field["name"] == "cost, net").unwrap();
    assert_eq!(field["lookalike"]["role"], "unchanged");
    folder.succeed(&["anonymize", "in.csv", "--config", "config.json", "--seed", "1", "-o", "again.csv"]);
    assert_eq!(folder.read("again.csv"), published);
    // A flag that makes it something else must replace the role.
    let other = folder.run(&[
        "anonymize",
        "in.csv",
        "--config",
        "config.json",
        "--keep",
        "\"cost, net\"",
        "-o",
        "x.csv",
    ]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(
        other.stderr.contains("a column that is published unchanged") && other.stderr.contains("--unchanged"),
        "{}",
        other.stderr
    );
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_written() {
    let folder = folder();
    let run = |more: &[&str]| {
        let all = [&UNCHANGED[..], more].concat();
        let refused = folder.run(&args(RUN, &all));
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert_eq!(folder.names(), ["in.csv"]);
        refused.stderr
    };
    let said = run(&["--method", "doka-greedy"]);
    assert!(said.contains("doka-greedy gives each record a row of its own"), "{said}");
    let folder_of_parts = folder.file("");
    let said = run(&["--out-of-core", &folder_of_parts]);
    assert!(said.contains("columns that are published unchanged (--unchanged)"), "{said}");
    let said = run(&["--missing-column", "\"cost, net\"=drop"]);
    assert!(said.contains("neither a quasi-identifier nor the sensitive column"), "{said}");
    let said = run(&["--publish-column", "\"cost, net\"=set"]);
    assert!(said.contains("\"cost, net\""), "{said}");
    let series = "republish in.csv --id id --ledger ledger.json --mode m-invariance --quasi age,sex --sensitive disease --model m-invariance --m 3 \
                  --seed 1 -o out.csv";
    let refused = folder.run(&args(series, &UNCHANGED));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("a series publishes no column unchanged (\"cost, net\")"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_price_is_told_before_a_run() {
    let folder = folder();
    let line = ["describe", "in.csv", "--quasi", "age,sex", "--unchanged", "\"cost, net\"", "--json"];
    let told: serde_json::Value = serde_json::from_slice(&folder.succeed(&line).stdout).unwrap();
    let (header, rows) = parse(&folder.read("in.csv"));
    let at = |name: &str| header.iter().position(|other| other == name).unwrap();
    let known = [at("age"), at("sex"), at("cost, net")];
    let alone = |row: &&Vec<String>| {
        rows.iter().filter(|other| known.iter().all(|&at| other[at] == row[at])).count() == 1
    };
    let unique = rows.iter().filter(alone).count();
    assert_eq!(told["unchanged"]["columns"][0]["unique"], json!(unique));
    let proposed = told["anonymize"].as_str().unwrap();
    assert!(proposed.contains("--quasi age,sex --unchanged '\"cost, net\"'"), "{proposed}");
    let text = String::from_utf8(folder.succeed(&line[..6]).stdout).unwrap();
    assert!(text.contains(&format!("make {unique} of 120 rows unique")), "{text}");
    let refused = folder.run(&["describe", "in.csv", "--unchanged", "age"]);
    assert_eq!(refused.code, Some(2));
}
