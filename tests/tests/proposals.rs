//! What `lookalike describe` proposes runs as it stands, for every table at hand.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{path::Path, process::Command};

use lookalike_tests::{
    data,
    program::{Folder, binary, workspace},
};
use serde_json::Value;

/// Pastes the line that is proposed for a table into a shell, with columns in place of those that are to be named, and no
/// effort; the published table is audited, and each class of it has what the line asked for.
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
    let script = format!("{line} --effort 0 --report report.json");
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

/// The line that `describe` proposes, run as it stands (but for its effort).
fn proposed_runs(file: &str) {
    proposed_with(file, &[]);
}

fn proposed_with(file: &str, more: &[&str]) {
    let folder = Folder::new();
    let described = [&["describe", file, "--json"], more].concat();
    let json: Value = serde_json::from_slice(&folder.succeed(&described).stdout).unwrap();
    let line = json["anonymize"].as_str().unwrap();
    if line.contains("COLUMNS") {
        let text = String::from_utf8(folder.succeed(&["describe", file]).stdout).unwrap();
        assert!(text.contains("instead of COLUMNS"), "{text}");
        return;
    }
    let program = binary();
    let line = line.replacen("lookalike", program.to_str().unwrap(), 1) + " --effort 0 --seed 1";
    let run = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    assert!(run.status.success(), "{line}: {}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn for_tables_with_odd_names_and_cells() {
    let folder = Folder::new();
    let table = |header: &str, row: &dyn Fn(usize) -> String| {
        let rows: String = (0..60).map(|at| row(at) + "\n").collect();
        folder.write("in.csv", format!("{header}\n{rows}"));
        folder.path().join("in.csv").to_str().unwrap().to_owned()
    };
    let illness = |at: usize| ["flu", "asthma", "gout"][at % 3];
    // Names that begin as flags do.
    let file =
        table("-age,--sex,diagnosis", &|at| format!("{},{},{}", 20 + at, ["F", "M"][at % 2], illness(at)));
    proposed_runs(&file);
    // Slips stop a run: the column is left out, and the reason is told.
    for slip in ["n/d", "90+", "NaN."] {
        let age = |at: usize| if at == 7 { slip.to_owned() } else { (20 + at).to_string() };
        let file =
            table("age,sex,diagnosis", &|at| format!("{},{},{}", age(at), ["F", "M"][at % 2], illness(at)));
        proposed_runs(&file);
        let text = String::from_utf8(folder.succeed(&["describe", &file]).stdout).unwrap();
        assert!(
            text.contains("leaves out age") && text.contains(&format!("\"{slip}\" is not a finite number")),
            "{text}"
        );
        let json: Value =
            serde_json::from_slice(&folder.succeed(&["describe", &file, "--json"]).stdout).unwrap();
        assert!(json["notes"].to_string().contains("is not a finite number"), "{json}");
        // Named as a missing marker it is none.
        proposed_with(&file, &["--missing", slip]);
    }
    // A key that repeats: nothing is said to run as it stands.
    let file = table("patient_id,age,sex,diagnosis", &|at| {
        format!("p{},{},{},{}", at % 20, 20 + at, ["F", "M"][at % 2], illness(at))
    });
    let text = String::from_utf8(folder.succeed(&["describe", &file]).stdout).unwrap();
    assert!(text.contains("say what a row is (below)") && !text.contains("then run"), "{text}");
    let json: Value = serde_json::from_slice(&folder.succeed(&["describe", &file, "--json"]).stdout).unwrap();
    let notes = json["notes"].to_string();
    assert!(
        notes.contains("--rows-are people") && notes.contains("--rows-are events-of=patient_id"),
        "{json}"
    );
    // One row has no others.
    folder.write("one.csv", "age,sex\n20,F\n");
    let json: Value =
        serde_json::from_slice(&folder.succeed(&["describe", "one.csv", "--json"]).stdout).unwrap();
    assert!(json["anonymize"].is_null(), "{json}");
    let text = String::from_utf8(folder.succeed(&["describe", "one.csv"]).stdout).unwrap();
    assert!(
        text.contains("one row alone has no others to be like") && !text.contains("lookalike anonymize"),
        "{text}"
    );
    // A file whose name begins as a flag does.
    folder.write("-in.csv", "age,sex\n20,F\n21,M\n22,F\n23,M\n24,F\n25,M\n");
    let json: Value =
        serde_json::from_slice(&folder.succeed(&["describe", "--json", "--", "-in.csv"]).stdout).unwrap();
    assert!(json["anonymize"].as_str().unwrap().starts_with("lookalike anonymize ./-in.csv "), "{json}");
}
