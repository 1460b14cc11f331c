//! Files of version 0.1.0: each is read, or named with what to do. docs/upgrading.md says which.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_tests::program::{Folder, Run};
use serde_json::json;

/// Written by version 0.1.0 after its second release.
const LEDGER: &str = include_str!("../../crates/wire/tests/ledgers/version-1.json");

fn run(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

fn succeed(folder: &Folder, line: &str) -> Run {
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>())
}

/// People of 20 to 49 years at three schools, with three illnesses that are equally frequent.
fn table() -> String {
    let row = |i: usize| {
        let school = ["Primary", "Secondary", "College"][i % 3];
        format!("p{i},{},{school},{}\n", 20 + i * 7 % 30, ["flu", "gout", "asthma"][i / 2 % 3])
    };
    format!("patient,age,school,diagnosis\n{}", (0..60).map(row).collect::<String>())
}

/// All that its documents show of a configuration.
#[test]
fn a_configuration_of_0_1_0_is_read() {
    let folder = Folder::new();
    folder.write("in.csv", table());
    let configuration = json!({
        "fields": [
            { "name": "age", "type": "integer",
              "lookalike": { "role": "quasi-identifier", "weight": 0.5, "missing": "drop", "publish": "range",
                             "coding": { "bottom": 22, "top": 45 } } },
            { "name": "school", "type": "string",
              "lookalike": { "role": "quasi-identifier", "weight": 0.5, "order": ["Primary", "Secondary", "College"] } },
            { "name": "diagnosis", "lookalike": { "role": "sensitive" } },
            { "name": "patient", "lookalike": { "role": "identifier" } }
        ],
        "missingValues": ["", "?", "NA"],
        "lookalike": {
            "version": 1,
            "model": { "name": "m-invariance", "m": 3 },
            "loss": "sse", "method": "auto", "publish": "range", "eligibility": "error",
            "missing": { "quasi": "error", "sensitive": "drop" },
            "budget": { "effort": 0.5 }
        }
    });
    folder.write("config.json", configuration.to_string());
    let told = succeed(&folder, "anonymize in.csv --config config.json --seed 1 -o out.csv --report r.json");
    assert!(told.stderr.contains("m-invariance, m = 3: 60 records"), "{}", told.stderr);
    assert_eq!(folder.json("r.json")["model"]["m"], 3);
    let header = folder.text("out.csv").lines().next().unwrap().to_owned();
    assert_eq!(header, "age,school,diagnosis,class");
    // What is written today is version 1 as well: an older program names what it does not know.
    succeed(&folder, "anonymize in.csv --config config.json --seed 1 -o again.csv --save-config saved.json");
    assert_eq!(folder.json("saved.json")["lookalike"]["version"], 1);
    assert_eq!(folder.text("again.csv"), folder.text("out.csv"));
}

#[test]
fn a_certificate_of_0_1_0_is_verified() {
    let folder = Folder::new();
    // Two pairs, 2 apart and 4 apart, far from each other: squared distances to the centres are 2 and 8 before scaling.
    folder.write("in.csv", "age\n0\n2\n100\n104\n");
    let mean = 206.0 / 4.0;
    let spread: f64 = [0.0_f64, 2.0, 100.0, 104.0].iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 4.0;
    // Each record pays half of its pair, a little less for rounding.
    let dual = |pair: f64| pair / 2.0 / spread * (1.0 - 1e-9);
    let of_0_1_0 = |bound: f64| {
        json!({
            "do not publish": "these figures tell about single records",
            "format": "lookalike-certificate", "version": 1,
            "rule": { "kind": "min-size", "k": 2 },
            "bound": bound, "tolerance": 1e-9,
            "duals": [dual(2.0), dual(2.0), dual(8.0), dual(8.0)], "cuts": []
        })
    };
    let proven = 10.0 / spread;
    folder.write("c.json", of_0_1_0(proven * (1.0 - 1e-6)).to_string());
    let check = "check in.csv --quasi age --rows-are people --certificate c.json";
    let told = run(&folder, check);
    assert_eq!(told.code, Some(0), "{}{}", String::from_utf8(told.stdout).unwrap(), told.stderr);
    folder.write("c.json", of_0_1_0(proven * 1.01).to_string());
    assert_eq!(run(&folder, check).code, Some(1));
}

#[test]
fn a_series_of_0_1_0_goes_on() {
    let folder = Folder::new();
    folder.write("ledger.json", LEDGER);
    let people = "id,age,disease\nq,30,flu\nr,31,gout\ns,40,gout\nt,41,\"a \"\"b\"\"\"\n";
    folder.write("in.csv", people);
    let told = succeed(&folder, "republish in.csv --ledger ledger.json -o out.csv --seed 1");
    assert!(told.stderr.contains("release 3 (tau-safety)"), "{}", told.stderr);
    let ledger = folder.json("ledger.json");
    assert_eq!(ledger["ledger"]["releases"].as_array().unwrap().len(), 3);
    // The rule that it began with goes on, and its earlier releases are as they were.
    assert_eq!(ledger["ledger"]["mode"], "tau-safety");
    let before: serde_json::Value = serde_json::from_str(LEDGER).unwrap();
    assert_eq!(ledger["ledger"]["releases"][0], before["ledger"]["releases"][0]);
    assert_eq!(folder.text("out.csv").lines().count(), 5);
}
