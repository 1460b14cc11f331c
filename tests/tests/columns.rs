//! What the columns are, through the program: describe, dates, local numbers, orders, missing cells, configuration.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::{
    program::{Folder, Run},
    tables::{assert_release, parse, patients},
};
use serde_json::{Value, json};

fn folder(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table);
    folder
}

/// Runs with flags in the shell's way, but for quotes.
fn run(folder: &Folder, flags: &str) -> Run {
    folder.run(&flags.split(' ').collect::<Vec<_>>())
}

fn succeed(folder: &Folder, flags: &str) -> Run {
    let run = run(folder, flags);
    assert_eq!(run.code, Some(0), "{flags}: {}", run.stderr);
    run
}

fn refused(folder: &Folder, flags: &str, says: &[&str]) {
    let run = run(folder, flags);
    assert_eq!(run.code, Some(2), "{flags}: {}", run.stderr);
    for text in says {
        assert!(run.stderr.contains(text), "{flags}: {text:?} is not in {}", run.stderr);
    }
    assert!(!folder.names().iter().any(|name| name == "out.csv"));
}

/// Patients with a local date, a decimal comma, an ordered label and an e-mail address.
fn visits(rows: usize) -> String {
    let mut text = String::from("e-mail;Besuch;Betrag;Bildung;Diagnose\n").replace(';', ",");
    for i in 0..rows {
        let (day, month) = (1 + i * 7 % 28, 1 + i % 12);
        let school = ["Primary", "Secondary", "Tertiary, any"][i * 5 % 3];
        let disease = ["flu", "cold", "cough", "asthma", "gout"][i % 5];
        let _ = writeln!(
            text,
            "p{i}@example.org,{day:02}.{month:02}.2024,\"{}.{:03},{}\",\"{school}\",{disease}",
            1 + i % 3,
            i % 1000,
            i % 10
        );
    }
    text
}

const ORDER: &str = "Bildung=Primary<Secondary<Tertiary, any";

#[test]
fn describe_says_what_the_columns_are_and_decides_nothing() {
    let folder = folder(&visits(100));
    let text = String::from_utf8(succeed(&folder, "describe in.csv").stdout).unwrap();
    let line =
        |name: &str| text.lines().find(|l| l.starts_with(name)).unwrap_or_else(|| panic!("{name}: {text}"));
    assert!(line("e-mail").contains("identifier (surely)"));
    assert!(line("e-mail").contains("100 of 100 different values look like e-mail addresses"));
    assert!(line("Besuch").contains("date") && line("Besuch").contains("day.month.year"));
    assert!(line("Betrag").contains("a decimal comma and points between thousands"));
    assert!(line("Diagnose").contains("sensitive (surely)"));
    let command = text.lines().find(|l| l.trim_start().starts_with("lookalike anonymize")).unwrap();
    assert!(command.contains("--quasi Bildung --sensitive Diagnose --model m-invariance --m 3"), "{command}");
    assert_eq!(folder.names(), ["in.csv"]);

    let json: Value = serde_json::from_slice(&succeed(&folder, "describe in.csv --json").stdout).unwrap();
    assert_eq!((&json["rows"], &json["columns"][1]["kind"]), (&json!(100), &json!("date")));
    assert_eq!(json["columns"][4]["suggestion"]["role"], "sensitive");
    assert_eq!(json["columns"][0]["distinct"], 100);
    assert_eq!(json["anonymize"].as_str(), Some(command.trim()));
}

#[test]
fn the_line_to_paste_works() {
    let folder = folder(&patients(100));
    let json: Value = serde_json::from_slice(&succeed(&folder, "describe in.csv --json").stdout).unwrap();
    let line = json["anonymize"].as_str().unwrap();
    assert!(line.contains("--sensitive disease"), "{line}");
    succeed(&folder, &line.replace("lookalike ", "").replace("OUT.csv", "out.csv"));
    assert_release(&folder.read("out.csv"), Some("disease"), 3);
}

#[test]
fn describe_asks_where_two_readings_are_possible() {
    let folder = folder("when,amount,x\n01/02/2024,\"1,234\",?\n03/04/2024,\"5,678\",1\n");
    let text = String::from_utf8(succeed(&folder, "describe in.csv").stdout).unwrap();
    assert!(text.contains("--kind when=date-dmy") && text.contains("--kind amount=integer"), "{text}");
    let flags = "anonymize in.csv --quasi when --model k-anonymity --k 2 -o out.csv";
    refused(&folder, flags, &["'01/02/2024' may be day/month or month/day"]);
    succeed(&folder, &format!("{flags} --kind when=date-mdy"));
    assert!(folder.text("out.csv").contains("[01/02/2024 - 03/04/2024]"));
}

/// Stays with a time of admission that others write, a month of birth and a quarter.
fn stays(rows: usize) -> String {
    let mut text = String::from("admitted,born,quarter,disease\n");
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    for i in 0..rows {
        let (day, month, hour, minute) = (1 + i * 11 % 28, i * 5 % 12, i * 7 % 24, i * 13 % 60);
        let disease = ["flu", "cold", "cough", "asthma", "gout"][i % 5];
        let month = months[month];
        let _ = writeln!(
            text,
            "{day:02} {month} 2024 {hour:02}:{minute:02},{:02}.{}.{:02},Q{} 2024,{disease}",
            1 + i * 3 % 28,
            1 + i % 12,
            (i * 17 + 20) % 100,
            1 + i % 4,
        );
    }
    text
}

#[test]
fn times_formats_and_quarters_end_to_end() {
    let folder = folder(&stays(120));
    let text = String::from_utf8(succeed(&folder, "describe in.csv").stdout).unwrap();
    for says in [
        "with a time of day, written as %d %b %Y %H:%M, 01",
        "quarters, written as Q%q %Y",
        "--kind \"born=date:%-d.%-m.%y from 1930\"",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
    let flags = "anonymize in.csv --quasi admitted,born,quarter --sensitive disease --model m-invariance --m 3 \
                 --effort 1 --seed 1 -o out.csv";
    refused(&folder, flags, &["two-digit year", "born=date:"]);
    let with = |kind: &str| {
        let mut args: Vec<&str> = flags.split(' ').collect();
        let kind = format!("born={kind}");
        args.extend(["--kind", &kind, "--save-config", "c.json"]);
        folder.run(&args)
    };
    let wrong = with("date:%d.%m.%q");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("no year"), "{}", wrong.stderr);
    let right = with("date:%d.%m.%y from 1920");
    assert_eq!(right.code, Some(0), "{}", right.stderr);
    let first = folder.read("out.csv");
    assert_eq!(assert_release(&first, Some("disease"), 3), 120);
    let (_, rows) = parse(&first);
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // As texts that sort by time.
    let admitted = |cell: &str| {
        let month = months.iter().position(|month| *month == &cell[3..6]).unwrap();
        format!("{month:02} {} {}", &cell[..2], &cell[12..])
    };
    let born = |cell: &str| {
        let parts: Vec<u32> = cell.split('.').map(|part| part.parse().unwrap()).collect();
        (if parts[2] < 20 { 2000 } else { 1900 } + parts[2], parts[1], parts[0])
    };
    for row in &rows {
        let (low, high) = bounds(&row[0], " - ");
        assert!(low.len() == 17 && admitted(low) <= admitted(high), "{}", row[0]);
        let (low, high) = bounds(&row[1], " - ");
        assert!(born(low) <= born(high), "{}", row[1]);
        let (low, high) = bounds(&row[2], " - ");
        assert!(low <= high && low.starts_with('Q'), "{}", row[2]);
    }
    // The saved configuration repeats the run, and tells `check` how to read the cells.
    succeed(
        &folder,
        "anonymize in.csv --config c.json --seed 1 -o out.csv --generate-hierarchy admitted=date \
         --publish-column admitted=hierarchy --save-config again.json",
    );
    succeed(&folder, "anonymize in.csv --config c.json --seed 1 -o out.csv --classes classes.csv");
    assert!(folder.read("out.csv") == first);
    let check = "check out.csv --original in.csv --classes classes.csv --config c.json --json";
    let checked: Value = serde_json::from_slice(&succeed(&folder, check).stdout).unwrap();
    let text = checked.to_string();
    assert!(!text.contains("may be") && !text.contains("no date"), "{text}");
}

#[test]
fn dates_local_numbers_and_orders_end_to_end() {
    let folder = folder(&visits(120));
    let mut args: Vec<&str> =
        "anonymize in.csv --quasi Besuch,Betrag,Bildung --sensitive Diagnose --model m-invariance \
                               --m 3 --effort 1 --seed 1 -o out.csv --report r.json"
            .split(' ')
            .collect();
    args.extend(["--order", ORDER]);
    folder.succeed(&args);
    let out = folder.read("out.csv");
    assert_eq!(assert_release(&out, Some("Diagnose"), 3), 120);
    assert_eq!(folder.json("r.json")["audit"]["passed"], true);
    let (header, rows) = parse(&out);
    assert_eq!(header, ["Besuch", "Betrag", "Bildung", "Diagnose", "class"]);
    let (_, input) = parse(visits(120).as_bytes());
    // Every published range is made of cells of its own class, byte for byte, and covers them.
    let day = |cell: &str| format!("{}{}{}", &cell[6..], &cell[3..5], &cell[..2]);
    let amount = |cell: &str| cell.replace('.', "").replace(',', ".").parse::<f64>().unwrap();
    for row in &rows {
        let (low, high) = bounds(&row[0], " - ");
        assert!(input.iter().any(|r| r[1] == low) && day(low) <= day(high), "{}", row[0]);
        let (low, high) = bounds(&row[1], "-");
        assert!(input.iter().any(|r| r[2] == low) && amount(low) <= amount(high), "{}", row[1]);
        let (low, high) = bounds(&row[2], " - ");
        let rank =
            |label: &str| ["Primary", "Secondary", "Tertiary, any"].iter().position(|l| *l == label).unwrap();
        assert!(rank(low) <= rank(high));
    }
    args.extend(["--publish", "centroid"]);
    folder.succeed(&args);
    let (_, rows) = parse(&folder.read("out.csv"));
    for row in &rows {
        assert!(!row.iter().any(|cell| cell.contains('[')), "a centroid is a value: {row:?}");
        assert_eq!((row[0].len(), &row[0][2..3], &row[0][5..]), (10, ".", ".2024"));
        assert_eq!(row[1].rsplit_once(',').unwrap().1.len(), 1, "one decimal, as in the column: {}", row[1]);
    }
    assert_release(&folder.read("out.csv"), Some("Diagnose"), 3);
}

/// Both ends of a range, or the one value.
fn bounds<'a>(cell: &'a str, between: &str) -> (&'a str, &'a str) {
    let inside = cell.strip_prefix('[').and_then(|c| c.strip_suffix(']'));
    inside.map_or((cell, cell), |inside| {
        inside.split_once(between).unwrap_or_else(|| panic!("{cell} is no range"))
    })
}

#[test]
fn policies_by_column_are_stated() {
    let folder = folder(
        "age,zip,disease\n18,A,flu\n-,A,HIV\n20,?,cold\n21,B,flu\n44,B,cold\n45,B,HIV\n,B,flu\n47,A,cold\n",
    );
    let flags = "anonymize in.csv --quasi age,zip --sensitive disease --model m-invariance --m 2 -o out.csv";
    refused(&folder, flags, &["\"age\"", "row 2"]);
    refused(&folder, &format!("{flags} --missing-column age=keep"), &["drop, value or error"]);
    refused(&folder, &format!("{flags} --missing-column aeg=drop"), &["\"aeg\""]);
    succeed(
        &folder,
        &format!("{flags} --missing-column age=drop,zip=value --report r.json --private p.json"),
    );
    let missing = &folder.json("r.json")["missing"];
    assert_eq!(missing["markers"], json!(["", "?", "NA", "N/A", "#N/A", "#NA", "null", "-", "NaN", "."]));
    assert_eq!(missing["columns"][0], json!({ "column": "age", "policy": "drop", "rows": 0 }));
    assert_eq!(missing["columns"][1]["policy"], "value");
    let (_, rows) = parse(&folder.read("out.csv"));
    let says = rows.iter().filter(|row| row[1].contains('?')).count();
    assert_eq!(missing["columns"][1]["rows"], json!(says));
    assert!(says >= 2);
    let counts = &folder.json("p.json")["missing"];
    assert_eq!(counts[0], json!({ "column": "age", "policy": "drop", "cells": 2, "dropped": 2 }));
    assert!(!folder.text("r.json").contains("\"cells\""));
    // A marker that is not named is a value again.
    let run = run(&folder, &format!("{flags} --missing NA --missing-quasi drop"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(folder.text("out.csv").contains('?'));
}

#[test]
fn a_run_is_repeated_from_its_configuration() {
    let folder = folder(&visits(120));
    let mut args: Vec<&str> = "anonymize in.csv --quasi Besuch,Betrag,Bildung --sensitive Diagnose --model m-invariance \
                               --m 3 --effort 0 --seed 1 --publish set --weights Besuch=0.5,Betrag=0.25,Bildung=0.25 \
                               --missing ?,x --missing-column Besuch=drop -o out.csv --save-config c.json"
        .split(' ')
        .collect();
    args.extend(["--order", ORDER]);
    folder.succeed(&args);
    let first = folder.read("out.csv");
    let saved = folder.json("c.json");
    assert_eq!(saved["fields"][2]["lookalike"]["order"], json!(["Primary", "Secondary", "Tertiary, any"]));
    assert!(saved["lookalike"]["note"].as_str().unwrap().contains("holds values of the table"));
    assert!(!folder.text("c.json").contains("seed"));

    succeed(&folder, "anonymize in.csv --config c.json --seed 1 -o out.csv --save-config again.json");
    assert!(folder.read("out.csv") == first);
    assert!(folder.read("again.json") == folder.read("c.json"));

    // A flag goes before the file.
    succeed(
        &folder,
        "anonymize in.csv --config c.json --seed 1 --m 4 --publish range -o out.csv --report r.json",
    );
    assert_eq!(folder.json("r.json")["model"], json!({ "name": "m-invariance", "m": 4 }));
    assert_release(&folder.read("out.csv"), Some("Diagnose"), 4);

    let counted = succeed(&folder, "eligibility in.csv --config c.json --json --save-config e.json").stdout;
    let counted: Value = serde_json::from_slice(&counted).unwrap();
    assert_eq!((&counted["sensitive"], &counted["values"]), (&json!("Diagnose"), &json!(5)));
    assert_eq!(folder.json("e.json")["fields"], saved["fields"]);
}

#[test]
fn contradictions_name_both_sides() {
    let folder = folder(&patients(60));
    folder.write(
        "c.json",
        json!({
            "fields": [
                { "name": "age", "lookalike": { "role": "quasi-identifier" } },
                { "name": "disease", "lookalike": { "role": "sensitive" } },
                { "name": "id", "lookalike": { "role": "identifier" } },
            ],
            "lookalike": { "model": { "name": "m-invariance", "m": 3 } },
        })
        .to_string(),
    );
    let with = |flags: &str| format!("anonymize in.csv --config c.json -o out.csv {flags}");
    refused(
        &folder,
        &with("--quasi age,disease"),
        &["--quasi names \"disease\"", "c.json makes it sensitive"],
    );
    refused(
        &folder,
        &with("--sensitive age"),
        &["--sensitive names \"age\"", "c.json makes it a quasi-identifier"],
    );
    refused(&folder, &with("--quasi id"), &["\"id\"", "an identifier"]);
    refused(&folder, &with("--k 3"), &["m-invariance, which c.json says, takes --m, not --k"]);
    refused(&folder, "anonymize in.csv --quasi age", &["--model"]);
    succeed(&folder, &with("--sensitive age --quasi disease,sex --model k-anonymity --k 3"));

    folder.write("other.csv", "Age,illness,sex\n1,flu,F\n");
    let other = run(&folder, "anonymize other.csv --config c.json");
    assert_eq!(other.code, Some(2));
    assert!(
        other
            .stderr
            .contains("c.json: fields: the table has no columns \"age\" (near: \"Age\"), \"disease\"")
    );
    folder.write("typo.json", "{\"fields\": [{\"name\": \"age\", \"lookalike\": {\"rol\": \"sensitive\"}}]}");
    let typo = run(&folder, "anonymize in.csv --config typo.json");
    assert!(typo.stderr.contains("typo.json: fields[0].lookalike.rol: unknown property"), "{}", typo.stderr);
}
