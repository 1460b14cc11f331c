//! `lookalike demo`: a made-up hospital table through the whole way, with words around it.

use std::{collections::BTreeMap, fmt::Write as _};

use clap::Args;
use lookalike_core::{
    demo,
    pipeline::{Outcome, anonymize},
    table::{self, ReadOptions, Table},
};
use lookalike_model::settings::{Model, Settings};

use crate::{
    anonymize::AuditFault,
    exit::Failure,
    files,
    local::{self, Surroundings},
    summary,
};

/// Patients, and the seed of table and search: everybody sees the same demonstration.
const PATIENTS: usize = 1000;
const SEED: u64 = 1;

/// Different diagnoses in a class.
const M: usize = 5;

/// What a neighbour may know.
const QUASI: [&str; 3] = ["sex", "age", "postcode"];
const SENSITIVE: &str = "diagnosis";

/// Rows that are shown before and after.
const BEFORE: usize = 5;
const AFTER: usize = 2 * M;

/// No flags.
#[derive(Debug, Args)]
pub(crate) struct Demo {}

/// Runs the command.
pub(crate) fn run(_: &Demo) -> Result<(), Failure> {
    let table = table::read(demo::hospital(PATIENTS, SEED).as_bytes(), &ReadOptions::default())?;
    let around = Surroundings::new();
    let pool = local::pool(None)?;
    let outcome = pool.install(|| around.with(|ctx| anonymize(&table, &settings(), ctx)));
    around.view.clear();
    let outcome = outcome?;
    if !outcome.report.audit.passed {
        return Err(Failure::audit(AuditFault::Demo));
    }
    files::tell(&tell(&table, &outcome))
}

fn settings() -> Settings {
    Settings {
        quasi: QUASI.map(String::from).to_vec(),
        sensitive: Some(String::from(SENSITIVE)),
        seed: Some(SEED),
        ..Settings::of(Model::MInvariance { m: M })
    }
}

fn tell(table: &Table, outcome: &Outcome) -> String {
    let header: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let before: Vec<Vec<String>> = (0..table.rows.min(BEFORE))
        .map(|row| table.columns.iter().map(|c| c.cell(row).to_owned()).collect())
        .collect();
    let risk = &outcome.report.risk;
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "BEFORE: a hospital's admissions, made up, {} patients\n\n{}\n\
         Without names and numbers {} of them would still be the only one of their sex, age and postcode: a neighbour \
         who knows these reads the diagnosis.\n\n",
        table.rows,
        grid(&header, &before),
        unique(table),
    );
    let _ = write!(
        text,
        "AFTER: every patient looks like at least {} others, all of a class with different diagnoses (first {} rows)\n\n{}\n",
        risk.smallest_group - 1,
        AFTER.min(outcome.preview.len()),
        grid(&outcome.header, &outcome.preview[..AFTER.min(outcome.preview.len())]),
    );
    let _ = write!(text, "REPORT\n\n");
    for line in summary::lines(outcome.exact()) {
        let _ = writeln!(text, "  {line}");
    }
    let _ = write!(
        text,
        "\nYour own table: lookalike anonymize IN.csv --quasi {} --sensitive {SENSITIVE} --model m-invariance --m {M} \
         -o OUT.csv\nIn the browser: lookalike serve\n",
        QUASI.join(","),
    );
    text
}

/// Patients who are alone with their quasi-identifiers.
fn unique(table: &Table) -> usize {
    let columns: Vec<_> = QUASI.iter().filter_map(|name| table.column(name)).collect();
    let mut groups: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for row in 0..table.rows {
        *groups.entry(columns.iter().map(|c| c.cell(row)).collect()).or_default() += 1;
    }
    groups.values().filter(|&&size| size == 1).count()
}

/// Rows in aligned columns, indented.
fn grid(header: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|r| r.get(column)).chain(header.get(column));
        cells.map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut text = String::new();
    for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &w)| format!("{cell:<w$}")).collect();
        text.push_str("  ");
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        assert_eq!(grid(&row("a", "long"), &[row("Zoë", "1")]), "  a    long\n  Zoë  1\n");
    }

    #[test]
    fn records_alone_are_counted() {
        let csv = b"sex,age,postcode,diagnosis\nF,1,01,x\nF,1,01,y\nM,1,01,x\nF,2,01,x\n";
        assert_eq!(unique(&table::read(csv, &ReadOptions::default()).unwrap()), 2);
    }
}
