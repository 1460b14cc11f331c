//! `lookalike check` of several releases: what `republish` makes holds, what is broken is found.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::{
    program::{Folder, Run},
    tables::{DIAGNOSES, patients},
};
use serde_json::Value;

fn run(folder: &Folder, flags: &str) -> Run {
    folder.run(&flags.split_whitespace().collect::<Vec<_>>())
}

fn told(run: &Run) -> &str {
    std::str::from_utf8(&run.stdout).unwrap()
}

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr))
}

/// The checks that do not hold.
fn failing(found: &Value) -> Vec<&str> {
    let checks = found["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["passed"] == false)
        .map(|check| check["name"]["text"].as_str().unwrap())
        .collect()
}

/// Tobar 2024, Figure 1.
fn figure_1() -> Folder {
    let folder = Folder::new();
    folder.write("s1.csv", "id,age,disease\n1,18,HIV\n2,20,FLU\n");
    folder.write("s2.csv", "id,age,disease\n1,18,HIV\n3,19,ACNE\n2,20,FLU\n4,21,COUCH\n");
    folder.write("a.csv", "age,disease\n[18-20],FLU\n[18-20],HIV\n");
    folder.write("b.csv", "age,disease\n[18-19],ACNE\n[18-19],HIV\n[20-21],COUCH\n[20-21],FLU\n");
    folder.write("c.csv", "age,disease\n[18-20],FLU\n[18-20],HIV\n[19-21],ACNE\n[19-21],COUCH\n");
    folder
}

const M2: &str = "--quasi age --sensitive disease --model m-invariance --m 2";
const SOURCES: &str = "--sources s1.csv s2.csv --id id";

#[test]
fn figure_1_of_the_paper() {
    let folder = figure_1();
    let broken = run(&folder, &format!("check a.csv b.csv {M2} {SOURCES}"));
    assert_eq!(broken.code, Some(1), "{}", broken.stderr);
    let text = told(&broken);
    assert!(
        text.contains("FAILS  intersection attack: 4 tuples, the most exposed one is left with 1 value"),
        "{text}"
    );
    assert!(
        text.contains("individual '1': release 1 {'FLU', 'HIV'}, release 2 {'ACNE', 'HIV'}; left {'HIV'}")
    );
    assert!(text.contains("FAILS  every tuple keeps its signature"), "{text}");
    let one = run(&folder, &format!("check a.csv b.csv {M2} {SOURCES} --individual 1 --json"));
    let found = json(&one);
    assert_eq!((&found["passed"], &found["evidence"]), (&Value::from(false), &Value::from("sources")));
    let traces = found["attack"]["traces"].as_array().unwrap();
    assert_eq!((traces.len(), &traces[0]["steps"][1]["left"]), (1, &Value::from(vec!["HIV"])));
    assert_eq!(found["attack"]["tuples_by_values_left"]["1"], 2);

    let kept = run(&folder, &format!("check a.csv c.csv {M2} {SOURCES}"));
    assert_eq!(kept.code, Some(0), "{}{}", told(&kept), kept.stderr);
    let alone = run(&folder, &format!("check a.csv c.csv {M2}"));
    assert_eq!(alone.code, Some(1), "{}", alone.stderr);
    assert!(told(&alone).contains("not judged across releases"), "{}", told(&alone));
    assert_eq!(run(&folder, &format!("check a.csv {M2}")).code, Some(0), "a first release");
}

#[test]
fn values_that_people_read_as_one_are_said_across_releases() {
    let folder = figure_1();
    let plain = run(&folder, &format!("check a.csv c.csv {M2} {SOURCES}"));
    assert!(!told(&plain).contains("white space"), "{}", told(&plain));
    // No release has both.
    folder.write("s1.csv", "id,age,disease\n1,18,HIV\n2,20,cold\n");
    folder.write("a.csv", "age,disease\n[18-20],HIV\n[18-20],cold\n");
    folder.write("s2.csv", "id,age,disease\n3,19,Cold\n4,21,COUCH\n");
    folder.write("c.csv", "age,disease\n[19-21],COUCH\n[19-21],Cold\n");
    let across = run(&folder, &format!("check a.csv c.csv {M2} {SOURCES}"));
    assert!(
        told(&across).contains("'Cold' (1 row) and 'cold' (1 row)"),
        "{}{}",
        told(&across),
        across.stderr
    );
}

/// Every fifth leaves, some come.
fn next_month(table: &str, month: usize) -> String {
    let kept = table.lines().enumerate().filter(|(at, _)| *at == 0 || at % 5 != month);
    let mut text: String = kept.map(|(_, line)| line.to_owned() + "\n").collect();
    for at in 0..20 {
        writeln!(text, "M{month}N{at},{},F,1000,{}", 20 + at, DIAGNOSES[(at + month) % 4]).unwrap();
    }
    text
}

#[test]
fn what_republish_makes_is_judged_by_other_code() {
    let folder = Folder::new();
    folder.write("s1.csv", patients(150));
    folder.write("s2.csv", next_month(&folder.text("s1.csv"), 1));
    // Those who left in the second month are back in the third, with the others.
    folder.write("s3.csv", folder.text("s1.csv"));
    let first = "--begin --id id --mode tau-safety --quasi age,sex --sensitive disease --m 3";
    for (month, flags) in [(1, first), (2, ""), (3, "")] {
        let flags = format!(
            "republish s{month}.csv --ledger ledger.json -o r{month}.csv --seed {month} --effort 0.2 {flags}"
        );
        let made = run(&folder, &flags);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
    }
    let model = "--model tau-safety --m 3";
    let exact = run(&folder, &format!("check r1.csv r2.csv r3.csv {model} --ledger ledger.json --json"));
    assert_eq!(exact.code, Some(0), "{}{}", told(&exact), exact.stderr);
    let found = json(&exact);
    assert_eq!((&found["passed"], &found["evidence"]), (&Value::from(true), &Value::from("ledger")));
    assert!(found["attack"]["returned"].as_u64().unwrap() > 0);
    let columns = "--quasi age,sex --sensitive disease";
    let sources = "--sources s1.csv s2.csv s3.csv --id id --json";
    let attacked = run(&folder, &format!("check r1.csv r2.csv r3.csv {columns} {model} {sources}"));
    assert_eq!(attacked.code, Some(0), "{}{}", told(&attacked), attacked.stderr);
    assert_eq!(json(&attacked)["attack"]["individuals"], found["attack"]["individuals"]);

    // Another order, a release that was edited, one that is missing.
    let ledger = "the ledger is the one of these releases";
    let check = |releases: &str| {
        let run = run(&folder, &format!("check {releases} {model} --ledger ledger.json --json"));
        assert_eq!(run.code, Some(1), "{releases}: {}", run.stderr);
        json(&run)
    };
    assert!(failing(&check("r1.csv r3.csv r2.csv")).contains(&ledger));
    assert_eq!(failing(&check("r1.csv r2.csv")), [ledger]);
    folder.write("edited.csv", folder.text("r3.csv").trim_end());
    let edited = check("r1.csv r2.csv edited.csv");
    assert_eq!(failing(&edited), [ledger]);
    assert!(edited["checks"][0]["witnesses"][0]["text"].as_str().unwrap().contains("the bytes differ"));
    let text = folder.text("ledger.json");
    folder.write("ledger.json", text.replacen("\"values\":[\"", "\"values\":[\"x", 1));
    let damaged = run(&folder, &format!("check r1.csv {model} --ledger ledger.json"));
    assert_eq!(damaged.code, Some(2), "{}", damaged.stderr);
    assert!(damaged.stderr.contains("checksum"), "{}", damaged.stderr);
}

#[test]
fn two_independent_releases_betray_people() {
    let folder = Folder::new();
    folder.write("s1.csv", patients(150));
    let anonymize = |weights: &str, output: &str| {
        let flags = "anonymize s1.csv --quasi age,sex --sensitive disease --model m-invariance --m 3 --seed 1 --effort 0.2";
        let run = run(&folder, &format!("{flags} --weights {weights} -o {output}"));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    };
    anonymize("age=0.9,sex=0.1", "r1.csv");
    anonymize("age=0.1,sex=0.9", "r2.csv");
    let columns = "--quasi age,sex --sensitive disease --model m-invariance --m 3";
    let found = run(&folder, &format!("check r1.csv r2.csv {columns} --sources s1.csv s1.csv --id id"));
    assert_eq!(found.code, Some(1), "{}", found.stderr);
    assert!(
        told(&found).contains("note   releases of one table: releases 1 and 2 are of one table"),
        "{}",
        told(&found)
    );
    let alone = run(&folder, &format!("check r1.csv r2.csv {columns}"));
    assert!(told(&alone).contains("hold the same sensitive values in other classes"), "{}", told(&alone));
}

#[test]
fn every_kind_of_break_is_found() {
    let folder = Folder::new();
    folder.write("s.csv", "id,age,disease\np,20,a\nq,21,b\nr,30,c\ns,31,d\n");
    let good = "[20-21],a,1\n[20-21],b,1\n[30-31],c,2\n[30-31],d,2\n";
    let second = |name: &str, rows: &str| folder.write(name, format!("age,disease,class\n{rows}"));
    second("good.csv", good);
    let judge = |releases: &str, model: &str| {
        let sources = "s.csv ".repeat(releases.split(' ').count());
        let flags = format!("check {releases} --quasi age --sensitive disease --model {model} --m 2");
        run(&folder, &format!("{flags} --sources {sources} --id id"))
    };
    assert_eq!(judge("good.csv good.csv", "tau-safety").code, Some(0));
    for (rows, says) in [
        // Twice in a class; alone in a class.
        (format!("[20-21],b,1\n{good}"), "'b' occurs 2 times"),
        (good.replace("[20-21],a,1\n[20-21],b,1", "20,a,3\n21,b,4"), "class '3': 1 row"),
        // A signature that grows, one that shrinks to others, two that are exchanged.
        (
            format!("[20-21],e,1\n{good}"),
            "individual 'p' with 'a': {'a', 'b'} in release 1, {'a', 'b', 'e'} in release 2",
        ),
        (
            String::from("[20-30],a,1\n[20-30],c,1\n[21-31],b,2\n[21-31],d,2\n"),
            "FAILS  intersection attack: 4 tuples, the most exposed one is left with 1 value",
        ),
        // Classes of other people.
        (good.replace("[30-31]", "[40-41]"), "covers no individual of their source"),
    ] {
        second("broken.csv", &rows);
        let found = judge("good.csv broken.csv", "m-invariance");
        assert_eq!(found.code, Some(1), "{rows}{}", found.stderr);
        assert!(told(&found).contains(says), "{rows}{}", told(&found));
    }
    // Back in another class after a release without them: the definition of m-invariance allows it, the attack does not.
    second("gone.csv", "[30-31],c,2\n[30-31],d,2\n");
    second("other.csv", "20,a,1\n20,e,1\n21,b,3\n21,f,3\n[30-31],c,2\n[30-31],d,2\n");
    folder.write("s2.csv", "id,age,disease\nr,30,c\ns,31,d\n");
    for (model, keeps) in [("m-invariance", true), ("tau-safety", false)] {
        let flags = "check good.csv gone.csv other.csv --quasi age --sensitive disease --m 2 --id id --json";
        let found = run(&folder, &format!("{flags} --model {model} --sources s.csv s2.csv s.csv"));
        let (found, signatures) = (json(&found), "every tuple keeps its signature");
        assert_eq!(!failing(&found).contains(&signatures), keeps, "{found}");
        assert!(failing(&found).contains(&"intersection attack"), "{found}");
    }
}

#[test]
fn one_individual_or_all_and_who_believes_that_values_never_change() {
    let folder = Folder::new();
    folder.write("s1.csv", "id,age,disease\np,20,HIV\nq,21,FLU\n");
    folder.write("s2.csv", "id,age,disease\np,20,ACNE\nq,21,FLU\n");
    folder.write("r1.csv", "age,disease\n[20-21],HIV\n[20-21],FLU\n");
    folder.write("r2.csv", "age,disease\n20,ACNE\n20,COUGH\n21,FLU\n21,HIV\n");
    let flags = "check r1.csv r2.csv --quasi age --sensitive disease --model tau-safety --m 2 --id id";
    let shown = |more: &str| {
        let found = run(&folder, &format!("{flags} --sources s1.csv s2.csv {more}"));
        assert_eq!(found.code, Some(0), "{}", found.stderr);
        told(&found).to_owned()
    };
    let people = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.strip_prefix("individual ")?.to_owned())).collect()
    };
    let all = shown("--worst 1000");
    assert_eq!(people(&all), ["'p'", "'q'"]);
    assert!(all.contains("by individuals: 0 values for 1, 2 values for 1"), "{all}");
    assert!(all.contains("if values never changed {}"), "{all}");
    assert_eq!(people(&shown("--worst 1")).len(), 1);
    assert_eq!(people(&shown("--individual q")), ["'q'"]);
    let nobody = run(&folder, &format!("{flags} --sources s1.csv s2.csv --individual z"));
    assert_eq!(nobody.code, Some(2), "{}", nobody.stderr);
    assert!(nobody.stderr.contains("individual \"z\""), "{}", nobody.stderr);
}

#[test]
fn wrong_questions_end_with_2() {
    let folder = figure_1();
    for (flags, says) in [
        ("a.csv b.csv --quasi age --model k-anonymity --k 2", "a second table is for a series of releases"),
        ("a.csv --quasi age --model k-anonymity --k 2 --ledger l.json", "--ledger is for a series"),
        ("a.csv b.csv --quasi age --model m-invariance --m 2", "m-invariance needs --sensitive"),
        ("a.csv b.csv --quasi age --sensitive disease --model m-invariance", "m-invariance needs --m"),
        (
            "a.csv b.csv --quasi age --sensitive disease --model m-invariance,tau-safety --m 2",
            "one at a time",
        ),
        (
            "a.csv b.csv --quasi age --sensitive disease --model tau-safety --m 2 --k 2",
            "--k is about one table",
        ),
        (
            "a.csv b.csv --quasi age --sensitive disease --model tau-safety --m 2 --alpha 0.01",
            "--alpha is about one table, not about a series",
        ),
        (
            "a.csv b.csv --quasi age --sensitive disease --model tau-safety --m 2 --set 500=age",
            "--set is about one table, not about a series",
        ),
        (
            "a.csv --quasi age --sensitive disease --model m-invariance --m 2 --distinct-l age=2",
            "--distinct-l is about one table, and of one table m-invariance is m-uniqueness",
        ),
        ("a.csv b.csv --quasi age --sensitive disease --model tau-safety --m 1", "m = 1 protects nobody"),
        (
            "a.csv --quasi age --sensitive disease --model m-invariance --m 2 --original s1.csv",
            "--original is about one table, and of one table m-invariance is m-uniqueness: give --model m-uniqueness",
        ),
        (
            "a.csv b.csv --quasi age --sensitive disease --model m-invariance --m 2 --original s1.csv",
            "--original is about one table, not about a series",
        ),
        (
            "a.csv b.csv --quasi age --sensitive disease --model tau-safety --m 2 --sources s1.csv --id id",
            "2 releases, but 1 sources",
        ),
        (
            "a.csv b.csv --quasi age --sensitive disease --model tau-safety --m 2 --sources s1.csv s2.csv --id name",
            "source 1: it has no column \"name\"",
        ),
        ("a.csv b.csv --model tau-safety --m 2 --ledger a.csv", "the ledger cannot be read"),
    ] {
        let run = run(&folder, &format!("check {flags}"));
        assert_eq!(run.code, Some(2), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{flags}: {}", run.stderr);
    }
    let both = format!("check a.csv b.csv {M2} {SOURCES} --ledger l.json");
    assert_eq!(run(&folder, &both).code, Some(2), "sources or a ledger");
}
