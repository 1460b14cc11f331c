//! Attacks on what the program publishes, in its forms, and what is told of them.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_audit::{
    Attacker, Inquiry, Sampled,
    attacks::{Attacked, Attacks},
    measure::Reading,
};
use lookalike_core::{
    check::{Asked, DeclaredColumns, attack, tell_attacks},
    pipeline::anonymize,
};
use lookalike_model::{Ctx, lines, settings::Settings};
use lookalike_table::{ReadOptions, Table, read};
use serde_json::{Value, json};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// People that are told apart by height and income; others with another start.
fn people(from: u32) -> Table {
    let mut text = String::from("height,income,city,disease\n");
    for i in from..from + 120 {
        let city = ["Bath", "Hull", "Kent"][(i * 5 % 3) as usize];
        let disease = ["flu", "HIV", "acne", "ulcer"][(i * i % 7 % 4) as usize];
        writeln!(text, "{},{},{city},{disease}", i * 37 % 997, 20_000 + i * 7919 % 50_000).unwrap();
    }
    table(&text)
}

fn published(original: &Table, form: &Value) -> Table {
    let mut settings = json!({
        "quasi": ["height", "income", "city"],
        "sensitive": "disease",
        "model": { "name": "k-anonymity", "k": 4 }, "seed": 1,
    });
    settings.as_object_mut().unwrap().extend(form.as_object().unwrap().clone());
    let settings: Settings = serde_json::from_value(settings).unwrap();
    table(std::str::from_utf8(&anonymize(original, &settings, &Ctx::silent()).unwrap().published).unwrap())
}

fn asked(quasi: &[&str]) -> Asked {
    Asked {
        inquiry: Inquiry {
            quasi: quasi.iter().map(|name| (*name).to_owned()).collect(),
            sensitive: Some(String::from("disease")),
            class: None,
            models: Vec::new(),
            suppressed: vec![String::from("*")],
            missing: lookalike_table::usual_markers(),
            missing_is_value: false,
            attacker: Attacker::default(),
        },
        no_class: false,
        notions: Vec::new(),
        reading: Reading::default(),
        declared: DeclaredColumns::default(),
        known: None,
        person: None,
        sampled: Sampled::default(),
        queries: (1, 0),
    }
}

fn tried(published: &Table, original: &Table, control: Option<&Table>) -> Attacked {
    let wanted = Attacks { attacks: 120, ..Attacks::default() };
    attack(published, &asked(&["height", "income", "city"]), (original, control), &wanted).unwrap()
}

#[test]
fn classes_link_less_than_the_table_they_were_made_of() {
    let (original, control) = (people(0), people(400));
    let raw = tried(&original, &original, Some(&control));
    let classes = tried(&published(&original, &json!({})), &original, Some(&control));
    let linked = |found: &Attacked| found.linkability.as_ref().unwrap().outcome.main.share().unwrap();
    assert!(linked(&raw) > 0.9, "{raw:?}");
    assert!(linked(&classes) < 0.4, "{classes:?}");
    assert_eq!(classes.columns, ["height", "income", "city", "disease"]);
    assert!(classes.left_out.is_empty() && classes.foreign.is_empty());
    // A class holds at least four rows, and no predicate on what is known of them tells them apart.
    assert_eq!(classes.univariate.main.attacks, 0);
}

/// The same ranges in one column and in two are the same cells.
#[test]
fn ranges_in_two_columns_are_one() {
    let original = people(0);
    let one = published(&original, &json!({}));
    let two = published(&original, &json!({ "publish": "min-max" }));
    assert!(two.column("height_min").is_some());
    // Rows stand in another order, and draws follow it; what can be attacked does not.
    let of = |published: &Table| {
        let found = tried(published, &original, None);
        let single = [found.univariate, found.multivariate.unwrap().1].map(|outcome| outcome.main.attacks);
        (found.columns, found.left_out, single)
    };
    assert_eq!(of(&one), of(&two));
}

#[test]
fn what_is_told() {
    let (original, control) = (people(0), people(400));
    let said = lines::text(&tell_attacks(&tried(&original, &original, Some(&control))));
    for wanted in [
        "attacks by people who know \"height\", \"income\" and \"city\" and want to know \"disease\"; intervals hold with a confidence of 95 %",
        "the control has 120 rows that were not published",
        "inferring \"disease\": succeeds in 100.0 % (96.9 to 100.0 %) of 120 attacks; on the control in ",
        "; residual risk ",
        "a low rate does not prove that no attacker reaches more",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    let said = lines::text(&tell_attacks(&tried(&published(&original, &json!({})), &original, None)));
    for wanted in
        ["there is no control", "the rates are upper readings", "singling out by one column: not tried"]
    {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    assert!(!said.contains("residual risk "), "{said}");
}
