//! Small series: sources and releases as text, ledgers as JSON.

use lookalike_audit::{
    Check, Error, Subject,
    measure::Reading,
    series::{Evidence, Invariance, Ledger, Published, Question, Verdict, fingerprint, judge},
};
use lookalike_table::{ReadOptions, Table, read};

/// A table from lines of cells that are separated by spaces.
pub(crate) fn table(text: &str) -> Table {
    let lines: Vec<String> =
        text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(",")).collect();
    read((lines.join("\n") + "\n").as_bytes(), &ReadOptions::default()).unwrap()
}

pub(crate) fn question(model: Invariance, m: usize) -> Question {
    Question {
        model,
        m,
        quasi: vec![String::from("age")],
        sensitive: String::from("disease"),
        class: Some(String::from("class")),
        suppressed: vec![String::from("*")],
        individuals: Vec::new(),
        worst: usize::MAX,
    }
}

pub(crate) fn tables(texts: &[&str]) -> Vec<Table> {
    texts.iter().map(|text| table(text)).collect()
}

pub(crate) fn ask(releases: &[Table], question: &Question, evidence: Evidence) -> Result<Verdict, Error> {
    let published: Vec<Published> = releases.iter().map(|table| Published { table, hash: None }).collect();
    judge(&published, question, evidence)
}

/// Judges with sources that name individuals in the column `id`.
pub(crate) fn with_sources(
    releases: &[&str],
    sources: &[&str],
    model: Invariance,
    m: usize,
) -> Result<Verdict, Error> {
    let (releases, sources) = (tables(releases), tables(sources));
    let evidence = Evidence::Sources { tables: &sources, id: "id", reading: &Reading::default() };
    ask(&releases, &question(model, m), evidence)
}

/// A ledger: releases as (rows, counterfeits by class), individuals with stays (first, last, value, signature).
pub(crate) fn ledger_text(
    values: &[&str],
    signatures: &[&[u32]],
    releases: &[(usize, &[u32])],
    people: &[(String, Vec<[u32; 4]>)],
) -> String {
    let releases: Vec<serde_json::Value> = releases
        .iter()
        .map(|(rows, fakes)| serde_json::json!({"hash": "", "rows": rows, "counterfeits": fakes, "version": "0"}))
        .collect();
    // Written by hand where an individual may be named twice.
    let people: Vec<String> = people
        .iter()
        .map(|(name, stays)| format!("{}:{}", serde_json::json!(name), serde_json::json!(stays)))
        .collect();
    let body = format!(
        "{{\"settings\":{{\"quasi\":[\"age\"],\"sensitive\":\"disease\"}},\"values\":{},\"signatures\":{},\"releases\":{},\
         \"individuals\":{{{}}}}}",
        serde_json::json!(values),
        serde_json::json!(signatures),
        serde_json::json!(releases),
        people.join(",")
    );
    let checksum = fingerprint(body.as_bytes());
    format!(
        "{{\"do not publish\":\"private\",\"format\":\"lookalike ledger\",\"version\":1,\"checksum\":\"{checksum}\",\
         \"ledger\":{body}}}"
    )
}

pub(crate) fn ledger(
    values: &[&str],
    signatures: &[&[u32]],
    releases: &[(usize, &[u32])],
    people: &[(&str, &[[u32; 4]])],
) -> Ledger {
    let people: Vec<(String, Vec<[u32; 4]>)> =
        people.iter().map(|(name, stays)| ((*name).to_owned(), stays.to_vec())).collect();
    Ledger::read(ledger_text(values, signatures, releases, &people).as_bytes()).unwrap()
}

pub(crate) fn check<'a>(verdict: &'a Verdict, name: &Subject) -> &'a Check {
    let found = verdict.checks.iter().find(|check| check.name == *name);
    found.unwrap_or_else(|| panic!("{name}: {:?}", verdict.checks))
}

/// What does not hold; each release is told as the size of its classes.
pub(crate) fn failed(verdict: &Verdict) -> Vec<Subject> {
    let releases = verdict.releases.iter().filter(|release| !release.passed).map(|_| Subject::ClassSize);
    let checks = verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name.clone());
    let failed: Vec<Subject> = releases.chain(checks).collect();
    assert_eq!(verdict.passed, failed.is_empty());
    failed
}

/// Values left to the attacker after each release, of one individual.
pub(crate) fn left(verdict: &Verdict, individual: &str) -> Vec<String> {
    let traces = &verdict.attack.as_ref().unwrap().traces;
    let trace = traces.iter().find(|trace| trace.individual == individual).unwrap();
    trace.steps.iter().map(|step| step.left.join(" ")).collect()
}

/// Messages in words.
pub(crate) fn words(messages: &[impl std::fmt::Display]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}
