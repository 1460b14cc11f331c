//! Hierarchies in files of their own, changes field by field, and what a file says of the values it holds.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_model::settings::Model;
use lookalike_wire::config::{self, Draft};
use serde_json::{Value, json};

fn draft(settings: Value) -> Draft {
    Draft { settings: serde_json::from_value(settings).unwrap(), ..Draft::default() }
}

fn file(field: &Value) -> String {
    json!({ "fields": [{ "name": "Post leitzahl \"ü\"", "lookalike": field }] }).to_string()
}

fn note(draft: &Draft) -> bool {
    let file: Value = serde_json::from_str(&config::write(draft)).unwrap();
    !file["lookalike"]["note"].as_str().unwrap().contains("no values of the table")
}

#[test]
fn a_hierarchy_may_be_a_file() {
    let (column, path) = ("Post leitzahl \"ü\"", "Bäume & Co/PLZ 数.csv");
    let text = file(&json!({ "role": "quasi-identifier", "hierarchy": { "file": path } }));
    let mut found = config::read(&text).unwrap().draft;
    assert_eq!(found.linked(), [(column.to_owned(), path.to_owned())]);
    // It is written as it was read, and tells no value of the table.
    assert!(!note(&found));
    assert_eq!(config::read(&config::write(&found)).unwrap().draft, found);
    // Settings hold rows: whoever cannot read the file must say so.
    found.settings.model = Some(Model::KAnonymity { k: 2 });
    let error = found.complete(None).unwrap_err().to_string();
    assert!(error.contains(path) && error.contains("put its rows into the configuration"), "{error}");
    let rows = vec![vec![String::from("22071"), String::from("2 ü"), String::from("*")]];
    found.put_hierarchy(column, &rows);
    assert_eq!((found.linked(), found.complete(None).unwrap().hierarchies[column].clone()), (vec![], rows));
    assert!(note(&found));
    assert_eq!(config::read(&config::write(&found)).unwrap().draft, found);
    for wrong in
        [json!({}), json!({ "file": " " }), json!({ "file": 3 }), json!({ "file": "a", "x": 1 }), json!("a")]
    {
        let error = config::read(&file(&json!({ "hierarchy": wrong }))).unwrap_err();
        assert_eq!(error.path, "fields[0].lookalike.hierarchy", "{wrong}");
    }
}

#[test]
fn changes_are_merged_field_by_field() {
    let below = json!({ "changes": {
        "delete": "least-loss",
        "prefer": ["a"],
        "costs": { "add": 2, "delete": 3, "add_of": { "x": 5, "y": 6 } },
    }});
    let above = json!({ "changes": { "prefer": ["b"], "costs": { "delete": 4, "add_of": { "y": 7 } } } });
    let merged = draft(above).over(draft(below.clone()));
    let expected = json!({
        "delete": "least-loss",
        "prefer": ["b"],
        "costs": { "add": 2, "delete": 4, "add_of": { "x": 5, "y": 7 } },
    });
    assert_eq!(serde_json::to_value(merged.settings.changes).unwrap(), expected);
    // Nothing said changes nothing.
    let same = draft(json!({ "changes": {} })).over(draft(below.clone()));
    assert_eq!(serde_json::to_value(same.settings).unwrap(), below);
    let same = Draft::default().over(draft(below.clone()));
    assert_eq!(serde_json::to_value(same.settings).unwrap(), below);
}

#[test]
fn values_with_costs_or_a_preference_are_told() {
    for (changes, told) in [
        (json!({ "prefer": ["HIV"] }), true),
        (json!({ "costs": { "add_of": { "HIV": 3 } } }), true),
        (json!({ "costs": { "delete_of": { "HIV": 3 } } }), true),
        (json!({ "prefer": [], "costs": { "add": 3, "add_of": {}, "delete_of": {} } }), false),
        (json!({ "fake": "frequent" }), false),
    ] {
        assert_eq!(note(&draft(json!({ "changes": changes }))), told, "{changes}");
    }
}
