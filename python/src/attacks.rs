//! Attacks on a published table, as Python asks for them.

use lookalike_core::{
    audit::attacks::{Attacked, Attacks},
    check::attack_record,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{arguments::spoken, failure::Failure};

/// What `attacks={...}` may say; what it leaves out is as on the command line.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct AttackSettings {
    /// `--attacks-secret`.
    secret: Option<String>,
    /// `--attacks-first`.
    first: Vec<String>,
    /// `--attacks-number`.
    number: Option<usize>,
    /// `--attacks-seed`.
    seed: Option<u64>,
    /// `--attacks-confidence`.
    confidence: Option<f64>,
    /// `--attacks-neighbours`.
    neighbours: Option<usize>,
    /// `--attacks-columns`.
    columns: Option<usize>,
    /// `--attacks-tolerance`.
    tolerance: Option<f64>,
}

/// What is to be tried; the core knows the columns.
///
/// # Errors
/// What is not known, or has another type.
pub(crate) fn wanted(asked: &str) -> Result<Attacks, Failure> {
    let asked: AttackSettings =
        serde_json::from_str(asked).map_err(|why| Failure::settings(format!("attacks: {}", plain(&why))))?;
    let usual = Attacks::default();
    Ok(Attacks {
        first: asked.first,
        secret: asked.secret,
        attacks: asked.number.unwrap_or(usual.attacks),
        seed: asked.seed.unwrap_or(usual.seed),
        confidence: asked.confidence.unwrap_or(usual.confidence),
        neighbours: asked.neighbours.unwrap_or(usual.neighbours),
        predicate_columns: asked.columns.unwrap_or(usual.predicate_columns),
        tolerance: asked.tolerance.unwrap_or(usual.tolerance),
        ..usual
    })
}

/// An error of the reader without its place in a text that the caller never wrote.
fn plain(why: &serde_json::Error) -> String {
    let said = why.to_string();
    said.split_once(" at line ").map_or(said.clone(), |(said, _)| said.to_owned())
}

/// What attacks reached, as `lookalike check --json` has it, with messages in Python's words.
pub(crate) fn record(wanted: &Attacks, found: &Attacked) -> Value {
    attack_record(wanted, found, |said| Value::from(spoken(said)))
}
