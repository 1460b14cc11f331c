//! Questions to the desk, without a browser.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_core::{Ctx, pipeline::anonymize, table};
use lookalike_desk::desk::Desk;
use lookalike_wire::{
    check::{CheckSettings, Checked, Fakes},
    desk::{Ask, Configured, Told},
    settings::{Budget, Model, Repair, Settings},
};

/// 60 records; ages spread out, five diagnoses in turn.
fn csv() -> String {
    let diagnoses = ["flu", "asthma", "angina", "gout", "eczema"];
    (0..60).fold(String::from("name,age,diagnosis\n"), |csv, i| {
        csv + &format!("P{i},{},{}\n", 20 + (i * 37) % 61, diagnoses[i % 5])
    })
}

fn settings() -> Settings {
    Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        budget: Budget::Effort(1.0),
        seed: Some(7),
        ..Settings::of(Model::MInvariance { m: 3 })
    }
}

fn load(text: &str) -> Result<Configured, String> {
    let columns = ["name", "age", "diagnosis"].map(String::from).to_vec();
    match Desk::default().answer(Ask::LoadConfig { columns }, &[text.as_bytes().to_vec()]) {
        (Told::Configured { configured }, None) => configured.map(|configured| *configured),
        other => panic!("not configured: {other:?}"),
    }
}

#[test]
fn a_configuration_goes_out_and_comes_back() {
    let save = Ask::SaveConfig {
        settings: Box::new(settings()),
        identifiers: vec![String::from("name")],
        file: String::from("c.json"),
    };
    let (told, bytes) = Desk::default().answer(save, &[]);
    assert_eq!(told, Told::File { name: String::from("c.json") });
    let back = load(&String::from_utf8(bytes.expect("a file")).expect("text")).expect("it was just written");
    assert_eq!(back.settings, Settings { seed: None, ..settings() });
    assert_eq!((back.identifiers, back.notes), (vec![String::from("name")], Vec::<String>::new()));
}

#[test]
fn a_file_for_another_table_is_refused_and_what_is_open_is_said() {
    let why = load(r#"{"fields": [{"name": "aeg", "lookalike": {"role": "keep"}}]}"#);
    assert!(why.as_ref().expect_err("no such column").contains("\"aeg\" (near: age)"), "{why:?}");
    assert!(load("[]").is_err() && load("{").is_err());
    let open = load(r#"{"fields": [{"name": "age", "lookalike": {"role": "quasi-identifier"}}]}"#);
    let open = open.expect("it may leave much open");
    assert_eq!((open.settings.quasi, open.notes.len()), (vec![String::from("age")], 1));
    // A hierarchy in a file of its own cannot be read from here.
    let linked = load(
        r#"{"fields": [{"name": "age", "lookalike": {"hierarchy": {"file": "age.csv"}}}],
            "lookalike": {"model": {"name": "k-anonymity", "k": 5}}}"#,
    )
    .expect("the rest is taken over");
    assert!(linked.settings.hierarchies.is_empty());
    assert!(linked.notes[0].contains("age.csv: load it"), "{:?}", linked.notes);
}

fn asked(k: usize) -> CheckSettings {
    CheckSettings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        categories: Vec::new(),
        k: Some(k),
        diversity: None,
        closeness: None,
        m: Some(3),
        missing_as_value: false,
        population: None,
        repair: Repair::Error,
        fakes: Fakes::Rarest,
        counterfeits: None,
        deletions: None,
    }
}

fn check(desk: &mut Desk, k: usize, files: &[Vec<u8>]) -> Result<Checked, String> {
    match desk.answer(Ask::Check { asked: Box::new(asked(k)) }, files) {
        (Told::Checked { checked }, None) => checked.map(|checked| *checked),
        other => panic!("not checked: {other:?}"),
    }
}

#[test]
fn a_published_table_is_checked_with_and_without_its_original() {
    let table = table::read(csv().as_bytes(), &table::ReadOptions::default()).expect("a table");
    let outcome = anonymize(&table, &settings(), &Ctx::silent()).expect("it can be anonymized");
    let mut desk = Desk::default();
    assert!(check(&mut desk, 3, &[]).expect_err("nothing is open").contains("open the published table"));
    let (told, _) = desk.answer(Ask::OpenPublished, std::slice::from_ref(&outcome.published));
    assert!(matches!(told, Told::Opened { table: Ok(table) } if table.rows == 60));
    // classes.csv belongs to its original.
    let found = check(&mut desk, 3, &[csv().into_bytes(), outcome.classes]).expect("the table is ours");
    assert!(found.audit.passed, "{}", found.text);
    assert!(found.text.contains("against the original: 60 rows published"), "{}", found.text);
    let found = check(&mut desk, 61, &[]).expect("it can be asked");
    assert!(!found.audit.passed && found.text.contains("FAILS 61-anonymity"), "{}", found.text);
    assert!(check(&mut desk, 1, &[]).is_err());
    let (told, _) = desk.answer(Ask::OpenPublished, &[Vec::new()]);
    assert!(matches!(told, Told::Opened { table: Err(_) }));
}
