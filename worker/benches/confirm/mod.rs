//! Lets the independent script judge an answer: `check_classes.py`, beside the data folder.

use std::{fs, path::PathBuf, process::Command};

use lookalike_core::{
    pipeline::{Prepared, finish},
    table::{Table, write},
};
use lookalike_model::{
    Ctx,
    job::Answer,
    settings::{Loss, Model, Settings},
};

/// The script, if `LOOKALIKE_CHECK` asks for it.
pub(super) fn script() -> Option<PathBuf> {
    std::env::var_os("LOOKALIKE_CHECK")?;
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/tools/check_classes.py"));
    if path.is_file() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there, so no answer is checked", path.display());
    None
}

/// Writes the input and `classes.csv` of an answer and has the script confirm it: every class admissible and, under SSE,
/// the same information loss to six decimals.
///
/// # Panics
/// If the script does not confirm the answer.
pub(super) fn confirm(
    script: &PathBuf,
    (table, settings): (&Table, &Settings),
    prepared: &Prepared,
    answer: &Answer,
    percent: f64,
) {
    let folder = tempfile::tempdir().unwrap();
    let (input, classes) = (folder.path().join("in.csv"), folder.path().join("classes.csv"));
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let rows: Vec<Vec<&str>> =
        (0..table.rows).map(|row| table.columns.iter().map(|column| column.cell(row)).collect()).collect();
    fs::write(&input, write(&header, rows.iter().map(|row| row.iter().copied()))).unwrap();
    fs::write(&classes, finish(table, prepared, answer, &Ctx::silent()).unwrap().classes).unwrap();
    let mut command = Command::new("python3");
    command.arg(script).arg(&input).arg(&classes).args(["--quasi", &settings.quasi.join(",")]);
    match settings.model {
        Model::KAnonymity { k } => command.args(["--k", &k.to_string()]),
        Model::MInvariance { m } => command.args(["--m", &m.to_string()]),
    };
    if let Some(sensitive) = &settings.sensitive {
        command.args(["--sensitive", sensitive]);
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.starts_with("holds:"), "not confirmed: {complaint}");
    if settings.loss == Loss::Sse {
        let theirs: f64 = told.trim().rsplit("IL ").next().unwrap().parse().unwrap();
        assert!(
            (theirs - percent).abs() < 2e-6,
            "the script finds an information loss of {theirs}, not {percent}"
        );
    }
    eprintln!("confirmed: {}", told.trim());
}
