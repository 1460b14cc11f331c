//! m-eligibility from the command line: what each m costs, and how a table is changed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests; the lint's exception covers test functions only"
)]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_tests::{
    data,
    program::Folder,
    tables::{assert_release, parse},
};
use serde_json::Value;

/// How often each value of a column occurs, `?` left out.
fn counts(table: &[u8], column: &str) -> BTreeMap<String, u64> {
    let (header, rows) = parse(table);
    let at = header.iter().position(|h| h == column).unwrap();
    let mut counts = BTreeMap::new();
    for row in rows {
        if row[at] != "?" {
            *counts.entry(row[at].clone()).or_default() += 1;
        }
    }
    counts
}

/// The three costs by trying every cap: additions, deletions, hybrid.
fn by_every_cap(counts: &[u64], m: u64) -> (u64, u64, u64) {
    let (n, top) = (counts.iter().sum::<u64>(), *counts.iter().max().unwrap());
    let deleted = |t: u64| counts.iter().map(|c| c.saturating_sub(t)).sum::<u64>();
    let added = |t: u64| (m * t).saturating_sub(n - deleted(t));
    let deletions = (1..=top).filter(|&t| added(t) == 0).map(deleted).min().unwrap();
    let hybrid = (1..=top).map(|t| deleted(t) + added(t)).min().unwrap();
    ((m * top).saturating_sub(n), deletions, hybrid)
}

#[test]
fn adult_occupations() {
    let Some(input) = data::file("adult-train.csv") else { return };
    let counts: Vec<u64> = counts(&std::fs::read(&input).unwrap(), "occupation").into_values().collect();
    let folder = Folder::new();
    let input = input.to_str().unwrap();
    let args = ["eligibility", input, "--sensitive", "occupation", "--missing-sensitive", "drop", "--json"];
    let told: Value = serde_json::from_slice(&folder.succeed(&args).stdout).unwrap();
    assert_eq!(told["rows"], 30_718);
    assert_eq!(told["values"], 14);
    assert_eq!(told["largest_m_without_changes"], 7);
    let survey = told["survey"].as_array().unwrap();
    assert_eq!(survey.len(), 13, "every m from 2 to 14");
    for (row, m) in survey.iter().zip(2..) {
        assert_eq!(row["m"], m);
        assert_eq!(row["eligible"], m <= 7);
        let (additions, deletions, hybrid) = by_every_cap(&counts, m);
        assert_eq!(row["additions"], additions, "m = {m}");
        assert_eq!(row["deletions"], deletions, "m = {m}");
        assert_eq!(row["hybrid"]["changes"], hybrid, "m = {m}");
        let share = row["share"].as_f64().unwrap();
        assert!((share - hybrid as f64 / 30_718.0).abs() < 1e-12);
        assert_eq!(row["levels_all"], m == 14);
    }
    assert_eq!(survey[6]["additions"], 8 * 4140 - 30_718);
    assert_eq!(survey[6]["additions"], 2402);
}

/// Ten of flu, three of each of four others, ages far apart for the last two of flu.
fn skewed() -> String {
    let mut table = String::from("age,disease\n");
    for i in 0..10 {
        let age = if i < 8 { 30 + i } else { 80 + i };
        writeln!(table, "{age},flu").unwrap();
    }
    for disease in ["HIV", "asthma", "cold", "ulcer"] {
        for i in 0..3 {
            writeln!(table, "{},{disease}", 30 + 2 * i).unwrap();
        }
    }
    table
}

fn run(folder: &Folder, flags: &str) -> lookalike_tests::program::Run {
    let base =
        "anonymize in.csv --quasi age --sensitive disease --model m-invariance --m 4 --seed 3 --effort 1";
    let more = "-o out.csv --report report.json --private private.json --classes classes.csv";
    let all = format!("{base} {flags} {more}");
    folder.run(&all.split_whitespace().collect::<Vec<_>>())
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", skewed());
    folder
}

#[test]
fn counterfeits_with_quasi_identifiers_are_covered_by_their_class() {
    let folder = folder();
    let done = run(&folder, "--eligibility add --counterfeit-points drawn");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    // 4 * 10 - 22.
    let out = folder.read("out.csv");
    assert_eq!(assert_release(&out, Some("disease"), 4), 40);
    let (_, published) = parse(&out);
    let (_, input) = parse(skewed().as_bytes());
    let private = folder.json("private.json");
    let fakes = private["counterfeits"].as_array().unwrap();
    assert_eq!(fakes.len(), 18);
    for fake in fakes {
        let lender = &input[fake["drawn_from"].as_u64().unwrap() as usize];
        assert_eq!(lender[1], fake["sensitive"].as_str().unwrap(), "drawn from the same value");
        let class = fake["class"].to_string();
        let row = published.iter().find(|row| row[2] == class).unwrap();
        let inner = row[0].trim_matches(|c| c == '[' || c == ']');
        let (low, high) = inner.split_once('-').unwrap_or((inner, inner));
        let age: u32 = lender[0].parse().unwrap();
        assert!((low.parse().unwrap()..=high.parse().unwrap()).contains(&age), "{age} in {}", row[0]);
    }
    let done = run(&folder, "--eligibility add");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(folder.json("private.json")["counterfeits"][0].get("drawn_from").is_none());
}

#[test]
fn deletions_for_the_least_loss_take_the_far_ones_and_warn() {
    let folder = folder();
    let deleted = |folder: &Folder| -> Vec<u64> {
        let private = folder.json("private.json");
        let fates = private["fates"].as_array().unwrap();
        fates.iter().map(|fate| fate["row"].as_u64().unwrap()).collect()
    };
    // 4 of flu may stay beside 12 others.
    let done = run(&folder, "--eligibility delete --delete least-loss");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let rows = deleted(&folder);
    assert_eq!(rows.len(), 6);
    assert!(rows.contains(&8) && rows.contains(&9), "{rows:?}");
    let report = folder.text("report.json");
    assert!(report.contains("predictable"), "{report}");
    let done = run(&folder, "--eligibility delete");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(!folder.text("report.json").contains("predictable"));
    assert_eq!(deleted(&folder).len(), 6);
}

#[test]
fn preferences_costs_and_ties_decide_the_changes() {
    let folder = folder();
    let changes = |flags: &str| -> (BTreeMap<String, u64>, u64) {
        let done = run(&folder, flags);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let private = folder.json("private.json");
        let mut added = BTreeMap::new();
        for fake in private["counterfeits"].as_array().unwrap() {
            *added.entry(fake["sensitive"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
        (added, private["fates"].as_array().unwrap().len() as u64)
    };
    let of =
        |pairs: &[(&str, u64)]| pairs.iter().map(|(v, n)| ((*v).to_owned(), *n)).collect::<BTreeMap<_, _>>();
    // 18 counterfeits over four equally rare values: the first two, sorted, get one more.
    assert_eq!(changes("--eligibility add").0, of(&[("HIV", 5), ("asthma", 5), ("cold", 4), ("ulcer", 4)]));
    assert_eq!(
        changes("--eligibility add --prefer ulcer,cold").0,
        of(&[("HIV", 4), ("asthma", 4), ("cold", 5), ("ulcer", 5)])
    );
    // HIV is faked only where the others are full: 3 * 7 = 21 fit below 10.
    assert_eq!(
        changes("--eligibility add --costs add:HIV=9").0,
        of(&[("asthma", 6), ("cold", 6), ("ulcer", 6)])
    );
    // All values are equally frequent: the first two are filled up to 10, the third gets the rest.
    assert_eq!(changes("--eligibility add --fake frequent").0, of(&[("HIV", 7), ("asthma", 7), ("cold", 4)]));
    // A deletion saves 4 - 1 counterfeits: cheaper at cost 1, dearer at cost 4.
    let (added, deleted) = changes("--eligibility hybrid");
    assert_eq!((added, deleted), (BTreeMap::new(), 6));
    let (added, deleted) = changes("--eligibility hybrid --costs add=1,delete=5");
    assert_eq!((added.values().sum::<u64>(), deleted), (18, 0));
    // Costs 1, 2, 3, 4, ... of deletion against 3 saved counterfeits: two or, at equal cost, three.
    let growing = "--eligibility hybrid --costs delete-growth=1";
    assert_eq!(changes(&format!("{growing} --ties fewest-deletions")).1, 2);
    assert_eq!(changes(&format!("{growing} --ties fewest-additions")).1, 3);
}

#[test]
fn flags_that_would_be_ignored_are_refused() {
    let folder = folder();
    for (flags, told) in [
        ("--eligibility delete --counterfeit-points drawn", "--counterfeit-points"),
        ("--eligibility add --delete least-loss", "--delete"),
        ("--prefer flu", "--prefer"),
        ("--eligibility add --ties fewest-additions", "--ties"),
        ("--eligibility delete --fake frequent", "--fake"),
        ("--eligibility delete --costs delete=2", "--costs"),
        ("--eligibility add --prefer gout", "no record holds it"),
        ("--eligibility add --costs add:gout=2", "no record holds it"),
        ("--eligibility add --costs add=0", "from 1"),
        ("--eligibility add --costs steal=1", "steal"),
    ] {
        let run = run(&folder, flags);
        assert_eq!(run.code, Some(2), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{flags}: {}", run.stderr);
    }
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_slice(&folder.succeed(args).stdout).unwrap()
}

/// What the repair discloses of real records stands beside the ways; {10, 2} by hand.
#[test]
fn real_records_stand_beside_the_ways() {
    let folder = Folder::new();
    let rows: String = (0..12).map(|row| if row < 10 { "flu\n" } else { "HIV\n" }).collect();
    folder.write("in.csv", format!("disease\n{rows}"));
    let told: Value = json(&folder, &["eligibility", "in.csv", "--sensitive", "disease", "--json"]);
    let ways = &told["survey"][0]["disclosure"];
    let alone = serde_json::json!({ "least": 1, "least_at_best": 1, "single": 8, "single_at_most": 8 });
    assert_eq!(ways["add"]["real"], alone);
    assert_eq!(ways["delete"]["real"]["least"], 2);
    assert_eq!(ways["delete"]["real"]["single_at_most"], 0);
    let text = folder.succeed(&["eligibility", "in.csv", "--sensitive", "disease"]);
    let text = String::from_utf8(text.stdout).unwrap();
    let table = text.split("Real records of the poorest class").nth(1).unwrap();
    let line: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(
        line,
        ["2", "1", "8", "2", "0", "1", "8"],
        "eight counterfeits cost as much as eight deletions"
    );
}

/// The literature's methods beside the optimum.
#[test]
fn the_literature_can_be_asked_for() {
    let folder = Folder::new();
    let mut table = String::from("d\n");
    for (value, count) in [3, 3, 3, 2, 2, 2, 1, 1].into_iter().enumerate() {
        table.push_str(&format!("v{value}\n").repeat(count));
    }
    folder.write("in.csv", table);
    let base = ["eligibility", "in.csv", "--sensitive", "d", "--m", "7"];
    let plain: Value = json(&folder, &[&base[..], &["--json"]].concat());
    assert!(plain.get("published").is_none());
    let told: Value = json(&folder, &[&base[..], &["--published", "--json"]].concat());
    let row = &told["published"][0];
    // 7 * 3 - 17 counterfeits; Algorithm 3 misses the optimum by one.
    assert_eq!((&row["algorithm_1"], &row["algorithm_3"]["changes"]), (&4.into(), &4.into()));
    assert_eq!(row["optimum"]["changes"], 3);
    assert!(row["random_counterfeits"].as_u64().unwrap() >= 4);
    // One record of each of the three most frequent values out: 7 * 2 = 14 are left.
    assert_eq!(row["cach_table"], 3);
    let text = folder.succeed(&[&base[..], &["--published", "--seed", "2"]].concat());
    assert!(String::from_utf8(text.stdout).unwrap().contains("The methods of the literature"));
    assert_eq!(folder.run(&[&base[..], &["--seed", "2"]].concat()).code, Some(2), "a seed of nothing");
}

#[test]
fn values_that_people_read_as_one_are_warned_about() {
    let folder = Folder::new();
    let rows = (0..12).map(|row| format!("{},{}", 20 + row, ["p", "P", "q", "p "][row % 4]));
    folder.write("in.csv", format!("age,d\n{}\n", rows.collect::<Vec<_>>().join("\n")));
    let words =
        "'P' (3 rows), 'p' (3 rows) and 'p ' (3 rows): these differ in white space, case or hyphens only";
    let told = folder.succeed(&["eligibility", "in.csv", "--sensitive", "d"]);
    assert!(told.stderr.contains(words), "{}", told.stderr);
    let line = "anonymize in.csv --quasi age --sensitive d --model m-invariance --m 4 --effort 0.1 -o out.csv --report r.json";
    let run = folder.succeed(&line.split(' ').collect::<Vec<_>>());
    assert!(run.stderr.contains("warning: column \"d\": 'P', 'p' and 'p ': these differ"), "{}", run.stderr);
    let check = "check out.csv --quasi age --sensitive d --model m-uniqueness --m 4";
    let check = folder.succeed(&check.split(' ').collect::<Vec<_>>());
    let said = String::from_utf8(check.stdout).unwrap();
    assert!(said.contains("note   sensitive values that are nearly the same: 'P' (3 rows)"), "{said}");
}

/// Real records of each class: its published rows less the counterfeits that the private record names.
fn people_by_class(folder: &Folder) -> BTreeMap<String, i64> {
    let (_, rows) = parse(&folder.read("out.csv"));
    let mut people: BTreeMap<String, i64> = BTreeMap::new();
    for row in &rows {
        *people.entry(row[2].clone()).or_default() += 1;
    }
    for fake in folder.json("private.json")["counterfeits"].as_array().unwrap() {
        *people.get_mut(&fake["class"].to_string()).unwrap() -= 1;
    }
    people
}

#[test]
fn real_people_in_each_class_are_as_many_as_was_asked_for() {
    let folder = folder();
    // Ten classes of four records, 22 people: two of them in each is the most that can be.
    for flags in [
        "--min-real 2",
        "--max-belief 0.5",
        "--min-real 2 --method column-generation",
        "--min-real 2 --counterfeit-points drawn",
    ] {
        let done = run(&folder, &format!("--eligibility add {flags}"));
        assert_eq!(done.code, Some(0), "{flags}: {}", done.stderr);
        assert!(!done.stderr.contains("single real record"), "{}", done.stderr);
        let people = people_by_class(&folder);
        assert!(people.len() == 10 && people.values().all(|&real| real >= 2), "{flags}: {people:?}");
        assert_eq!(folder.json("report.json")["changes"].get("min_real"), None);
        assert_eq!(folder.json("private.json")["exact"]["changes"]["min_real"], 2);
    }
    let names = folder.names();
    for (flags, says) in [
        ("--eligibility add --min-real 3", "at most 2 real people can be asked for"),
        ("--eligibility add --max-belief 0.4", "choose --eligibility hybrid"),
        ("--eligibility add --min-real 5", "more than m = 4"),
        ("--eligibility delete --max-belief 0.5", "missing in the published table"),
        ("--min-real 2", "--min-real"),
    ] {
        let done = run(&folder, flags);
        assert!(
            matches!(done.code, Some(2 | 3)) && done.stderr.contains(says),
            "{flags}: {:?} {}",
            done.code,
            done.stderr
        );
        assert_eq!(folder.names(), names);
    }
    let done = run(&folder, "--eligibility hybrid --min-real 3");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(people_by_class(&folder).values().all(|&real| real >= 3));
    // The same by a configuration.
    folder.write(
        "min.json",
        r#"{"fields": [], "lookalike": {"version": 1, "eligibility": "add", "changes": {"min_real": 2}}}"#,
    );
    let done = run(&folder, "--config min.json");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(people_by_class(&folder).values().all(|&real| real >= 2));
    // In a series, who left decides.
    let series = "republish in.csv --begin --ledger l.json --id age --mode tau-safety --quasi age --sensitive disease --m 4 -o o.csv --min-real 2";
    let done = folder.run(&series.split_whitespace().collect::<Vec<_>>());
    assert!(done.code == Some(2) && done.stderr.contains("for a single release"), "{}", done.stderr);
}
