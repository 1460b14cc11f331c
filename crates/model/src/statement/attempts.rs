//! Attacks that were tried on the published bytes, as a statement has them (Giomi et al., `PoPETs` 2023).

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use super::Criterion;

/// Attacks that were tried, with the source as the original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempts {
    /// Columns that could be compared: those that attackers know, then the secret.
    pub columns: Vec<String>,
    /// The column that was to be inferred.
    pub secret: Option<String>,
    /// Rows of the control, of which nothing was published; `None` without one, and rates are then upper readings.
    pub control_rows: Option<usize>,
    /// Of the intervals.
    pub confidence: f64,
    /// What attackers draw follows from it.
    pub seed: u64,
    /// What came of each.
    pub results: Vec<Attempt>,
    /// What is told of them.
    pub words: Vec<Said>,
}

/// What came of one attack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// Which of the three it is about.
    pub criterion: Criterion,
    /// Columns of a predicate that was to single out.
    pub columns: Option<usize>,
    /// How often it was to be tried.
    pub asked: usize,
    /// On the source.
    pub main: Success,
    /// On the control.
    pub control: Option<Success>,
    /// By guessing.
    pub naive: Success,
    /// (main - control) / (1 - control).
    pub residual_risk: Option<Residual>,
}

/// How often an attack succeeded, with Wilson's interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Success {
    /// How often it was tried.
    pub attacks: usize,
    /// How often it succeeded; expected, where the control has another number of rows.
    pub successes: f64,
    /// Their share; `None` if it could not be tried.
    pub rate: Option<f64>,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A residual risk with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Residual {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}
