//! Configurations that name files of hierarchies, and flags that change a part of what they say.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

const TREE: &str = "22071;2207*;süd 南\n22079;2207*;süd 南\n10115;1011*;nord\n10117;1011*;nord\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "in.csv",
        "plz,disease\n22071,flu\n22079,HIV\n10115,flu\n10117,HIV\n22071,HIV\n10115,flu\n22079,flu\n",
    );
    folder.write("mein Ordner ü/Bäume/plz baum.csv", TREE);
    let field = json!({ "role": "quasi-identifier", "kind": "category", "publish": "hierarchy",
                        "hierarchy": { "file": "Bäume/plz baum.csv" } });
    let file = json!({
        "fields": [{ "name": "plz", "lookalike": field }, { "name": "disease", "lookalike": { "role": "sensitive" } }],
        "lookalike": {
            "model": { "name": "m-invariance", "m": 2 },
            "eligibility": "add",
            "changes": { "prefer": ["HIV"], "costs": { "add": 2, "add_of": { "flu": 9 } } },
        },
    });
    folder.write("mein Ordner ü/konfig.json", file.to_string());
    folder
}

#[test]
fn a_hierarchy_is_found_beside_its_configuration() {
    let folder = folder();
    let run = ["anonymize", "in.csv", "--config", "mein Ordner ü/konfig.json", "--seed", "1"];
    folder.succeed(&[&run[..], &["-o", "out.csv", "--save-config", "saved.json"]].concat());
    assert!(folder.text("out.csv").contains("1011*"), "{}", folder.text("out.csv"));
    // What is saved stands alone, and says the same.
    assert!(folder.text("saved.json").contains("süd 南"));
    folder.succeed(&["anonymize", "in.csv", "--config", "saved.json", "--seed", "1", "-o", "again.csv"]);
    assert_eq!(folder.read("again.csv"), folder.read("out.csv"));
    folder.write("elsewhere.json", folder.text("mein Ordner ü/konfig.json"));
    let run = folder.run(&["anonymize", "in.csv", "--config", "elsewhere.json", "-o", "never.csv"]);
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains("plz baum.csv"), "{}", run.stderr);
}

#[test]
fn a_flag_replaces_a_field_of_the_changes() {
    let folder = folder();
    let run = [
        "anonymize",
        "in.csv",
        "--config",
        "mein Ordner ü/konfig.json",
        "--costs",
        "add:HIV=4",
        "-o",
        "out.csv",
    ];
    folder.succeed(&[&run[..], &["--save-config", "saved.json"]].concat());
    let saved: Value = folder.json("saved.json");
    let changes = &saved["lookalike"]["changes"];
    assert_eq!(changes["prefer"], json!(["HIV"]));
    assert_eq!(
        (&changes["costs"]["add"], &changes["costs"]["add_of"]),
        (&json!(2), &json!({ "HIV": 4, "flu": 9 }))
    );
}

#[test]
fn a_threshold_of_risk_goes_into_the_report_and_into_the_configuration() {
    let folder = folder();
    let run =
        ["anonymize", "in.csv", "--config", "mein Ordner ü/konfig.json", "--seed", "1", "-o", "out.csv"];
    let files = ["--report", "report.json", "--save-config", "saved.json"];
    folder.succeed(&[&run[..], &files, &["--risk-threshold", "0.09"]].concat());
    assert_eq!(folder.json("saved.json")["lookalike"]["risk_threshold"], json!(0.09));
    assert_eq!(folder.json("report.json")["risk"]["threshold"], json!(0.09));
    // Where nothing is said, none is written down.
    folder.succeed(&[&run[..], &files].concat());
    assert_eq!(folder.json("saved.json")["lookalike"]["risk_threshold"], json!(null));
    assert_eq!(folder.json("report.json")["risk"]["threshold"], json!(0.2));
    let refused = folder.run(&[&run[..], &["--risk-threshold", "1.5"]].concat());
    assert!(refused.code != Some(0) && refused.stderr.contains("--risk-threshold"), "{}", refused.stderr);
}
