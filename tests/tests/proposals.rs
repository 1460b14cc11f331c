//! What `lookalike describe` proposes runs as it stands, for every table at hand.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{path::Path, process::Command};

use lookalike_tests::{
    data,
    program::{Folder, binary, workspace},
};
use serde_json::Value;

/// Pastes the line that is proposed for a table into a shell, with columns in place of those that are to be named, and a
/// small effort; the published table is audited, and each class of it has what the line asked for.
fn pasted(table: &Path) {
    let folder = Folder::new();
    let shown = table.display().to_string();
    let described = folder.succeed(&["describe", &shown, "--json"]);
    let described: Value = serde_json::from_slice(&described.stdout).unwrap();
    let line = described["anonymize"].as_str().unwrap_or_else(|| panic!("{shown}: nothing is proposed"));
    let columns = described["columns"].as_array().unwrap().iter();
    let numbers = columns.filter(|column| matches!(column["kind"].as_str(), Some("integer" | "real")));
    let named: Vec<&str> = numbers.map(|column| column["name"].as_str().unwrap()).collect();
    let sensitive = line.split(" --sensitive ").nth(1).map(|rest| rest.split(' ').next().unwrap().to_owned());
    let free: Vec<&str> =
        named.into_iter().filter(|name| sensitive.as_deref() != Some(name)).take(2).collect();
    let line = line.replace("--quasi COLUMNS", &format!("--quasi '{}'", free.join(",")));
    let program = format!("'{}'", binary().display());
    let line = line.replacen("lookalike", &program, 1).replace("OUT.csv", "out.csv");
    let script = format!("{line} --effort 0.001 --report report.json");
    let run = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert!(run.status.success(), "{script}: {}", String::from_utf8_lossy(&run.stderr));
    let report = folder.json("report.json");
    assert_eq!(report["audit"]["passed"], true, "{script}");
    let least = report["model"].get("k").or(report["model"].get("m")).and_then(Value::as_u64).unwrap();
    assert!(report["classes"]["min_size"].as_u64().unwrap() >= least, "{script}: {}", report["classes"]);
    // Whatever was searched, it says how far the best possible table can be.
    let value = report["objective"]["value"].as_f64().unwrap();
    let bound = report["bound"]["value"].as_f64().unwrap_or_else(|| panic!("{script}: no bound"));
    assert!(0.0 < bound && bound <= value, "{script}: bound {bound}, loss {value}");
    let gap = report["bound"]["gap_percent"].as_f64().unwrap();
    assert!((gap - 100.0 * (value - bound) / value).abs() < 1e-6, "{script}: gap {gap}");
    assert_eq!(report["bound"]["of"], "whole problem", "{script}");
}

#[test]
fn for_the_samples() {
    let files = std::fs::read_dir(workspace().join("samples")).unwrap().map(|entry| entry.unwrap().path());
    let tables: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "csv")).collect();
    assert!(tables.len() >= 3, "{tables:?}");
    for table in &tables {
        pasted(table);
    }
}

#[test]
fn for_the_tables_of_the_data_folder() {
    let names = ["acs", "adult-test", "adult-train", "census", "eia-11", "fars", "tarragona"];
    let tables: Vec<_> = names.iter().filter_map(|name| data::file(&format!("{name}.csv"))).collect();
    for table in &tables {
        pasted(table);
    }
}
