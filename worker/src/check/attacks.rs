//! The flags of `lookalike check` that try attacks, and what came of these for programs.

use std::path::PathBuf;

use lookalike_core::{
    audit::attacks::{Attacked, Attacks, Interval, Outcome, Rate},
    check::tell_attacks,
};
use lookalike_words::Message;
use serde_json::{Value, json};

use crate::flag_values::List;

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct AttackArgs {
    /// Try singling out, linkability and inference on the table, by the columns of --quasi, and say how often they succeed
    #[arg(long, requires = "original", conflicts_with = "certificate", help_heading = "Attacks")]
    pub(super) attacks: bool,
    /// Rows like those of --original that were not published: attacks that succeed on them too learn what the table tells of
    /// people in general. Without them, rates are upper readings
    #[arg(long, value_name = "FILE", requires = "attacks", help_heading = "Attacks")]
    pub(super) control: Option<PathBuf>,
    /// The column that is to be inferred [default: that of --sensitive]
    #[arg(long, value_name = "COLUMN", requires = "attacks", help_heading = "Attacks")]
    attacks_secret: Option<String>,
    /// Columns of --quasi that one source has and the other does not, to link the two [default: every second one, from the first]
    #[arg(long, value_name = "COLUMNS", requires = "attacks", help_heading = "Attacks")]
    attacks_first: Option<List>,
    /// How often each attack is tried
    #[arg(long, value_name = "NUMBER", default_value_t = Attacks::default().attacks, help_heading = "Attacks")]
    attacks_number: usize,
    /// Seed of what attackers draw
    #[arg(long, value_name = "SEED", default_value_t = Attacks::default().seed, help_heading = "Attacks")]
    attacks_seed: u64,
    /// Confidence of the intervals, between 0 and 1
    #[arg(long, value_name = "SHARE", default_value_t = Attacks::default().confidence, help_heading = "Attacks")]
    attacks_confidence: f64,
    /// How many published rows count as near to either part of a person, to link the two
    #[arg(long, value_name = "NUMBER", default_value_t = Attacks::default().neighbours, help_heading = "Attacks")]
    attacks_neighbours: usize,
    /// How many columns a predicate has that singles out by several
    #[arg(long, value_name = "NUMBER", default_value_t = Attacks::default().predicate_columns, help_heading = "Attacks")]
    attacks_columns: usize,
    /// Relative error up to which a number counts as inferred
    #[arg(long, value_name = "SHARE", default_value_t = Attacks::default().tolerance, help_heading = "Attacks")]
    attacks_tolerance: f64,
}

impl AttackArgs {
    /// What is to be tried, if anything; the core knows the columns.
    pub(super) fn wanted(&self) -> Option<Attacks> {
        self.attacks.then(|| Attacks {
            columns: Vec::new(),
            first: self.attacks_first.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
            secret: self.attacks_secret.clone(),
            attacks: self.attacks_number,
            seed: self.attacks_seed,
            confidence: self.attacks_confidence,
            predicate_columns: self.attacks_columns,
            neighbours: self.attacks_neighbours,
            tolerance: self.attacks_tolerance,
            ..Attacks::default()
        })
    }
}

/// The attacks for programs.
pub(super) fn tell(wanted: &Attacks, found: &Attacked) -> Value {
    json!({
        "seed": wanted.seed,
        "confidence": found.confidence,
        "neighbours": wanted.neighbours,
        "tolerance": wanted.tolerance,
        "columns": found.columns,
        "secret": found.secret,
        "control_rows": found.control,
        "left_out": found.left_out.iter().map(|(column, why)| json!({ "column": column, "why": why.said() })).collect::<Vec<_>>(),
        "unknown_labels": found.foreign.iter().map(|(column, rows)| json!({ "column": column, "rows": rows })).collect::<Vec<_>>(),
        "singling_out": {
            "univariate": outcome(&found.univariate),
            "multivariate": found.multivariate.as_ref().map(|(columns, of)| with(outcome(of), &[("columns", json!(columns))])),
        },
        "linkability": found.linkability.as_ref().map(|linked| {
            with(outcome(&linked.outcome), &[("first", json!(linked.first)), ("second", json!(linked.second))])
        }),
        "inference": found.inference.as_ref().map(outcome),
        "findings": tell_attacks(found).into_iter().filter_map(|line| line.said).collect::<Vec<_>>(),
    })
}

fn with(mut object: Value, more: &[(&str, Value)]) -> Value {
    for (name, value) in more {
        object[*name] = value.clone();
    }
    object
}

fn outcome(of: &Outcome) -> Value {
    json!({
        "asked": of.asked,
        "main": rate(&of.main),
        "control": of.control.as_ref().map(rate),
        "naive": rate(&of.naive),
        "residual_risk": of.residual.as_ref().map(interval),
    })
}

fn rate(rate: &Rate) -> Value {
    json!({
        "attacks": rate.attacks,
        "successes": rate.successes,
        "rate": rate.share(),
        "wilson": interval(&rate.wilson),
    })
}

fn interval(of: &Interval) -> Value {
    json!({ "value": of.value, "low": of.low, "high": of.high })
}
