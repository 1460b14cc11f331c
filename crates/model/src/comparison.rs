//! A finished run beside its original, as the page shows it to whoever holds the data. None of it is published.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::{assessment::Statistic, report::Risk};

/// A row of the original, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its cells in the published columns.
    pub before: Vec<String>,
    /// The cells that are published for it; empty if it is not.
    pub after: Vec<String>,
    /// Its class; empty if it is not published.
    pub class: String,
    /// Why it is not published.
    #[serde(default)]
    pub fate: Option<Said>,
}

/// A range of numbers or a label, and how often it occurs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// "30-39", a label; empty for all rarer labels together.
    pub label: String,
    /// What is missing.
    pub missing: bool,
    /// Share of the original rows, 0 to 1.
    pub before: f64,
    /// Share of the published rows, 0 to 1.
    pub after: f64,
}

/// What a run did to the original as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Rows of the original.
    pub rows: usize,
    /// Why rows are not published, and how many.
    pub fates: Vec<(Said, usize)>,
    /// How means and variances changed.
    pub statistics: Vec<Statistic>,
    /// Risks of the original with the same quasi-identifiers.
    pub risk: Risk,
    /// How quasi-identifiers that hold numbers go together, before and after.
    #[serde(default)]
    pub correlations: Vec<Correlation>,
}

/// Pearson's correlation of two columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correlation {
    /// One column.
    pub one: String,
    /// The other.
    pub other: String,
    /// In the original, -1 to 1.
    pub before: f64,
    /// As published, -1 to 1; `None` where a published column is the same everywhere.
    pub after: Option<f64>,
}
