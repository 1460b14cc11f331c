//! For which m a table can be published, and what it would cost.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::assessment::RepairDisclosures;

/// What every m would cost, for one sensitive column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The sensitive column.
    pub sensitive: String,
    /// Rows that count, or persons where one may have several: those with a known value, or all of them if "missing" is a value of its own.
    pub rows: u64,
    /// Rows that are left out because their value is missing.
    pub dropped: u64,
    /// Different values among `rows`; of persons, groups of values that one and the same person holds.
    pub values: u64,
    /// The largest m for which nothing has to be changed; 0 or 1 if there is none.
    pub largest_m_without_changes: u64,
    /// What is odd in the values.
    #[serde(default)]
    pub warnings: Vec<Said>,
    /// One entry an m, ascending; none of persons, for whom nothing is changed.
    pub survey: Vec<SurveyRow>,
    /// The methods of the literature, an entry an m; empty unless asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<PublishedRow>,
}

/// What the methods of the literature would change for one m. `None` where a method does not reach m, or would take too
/// long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRow {
    /// Least number of different values in a class.
    pub m: u64,
    /// Algorithm 1 of the paper: counterfeits.
    pub algorithm_1: Option<u64>,
    /// Algorithm 2: deletions.
    pub algorithm_2: Option<u64>,
    /// Algorithm 3, the greedy hybrid.
    pub algorithm_3: Option<Hybrid>,
    /// The scheme of its reference 14: counterfeits with values drawn at random, for one seed.
    pub random_counterfeits: Option<u64>,
    /// The Cach table of its reference 18: records that stay out.
    pub cach_table: Option<u64>,
    /// The fewest changes there are.
    pub optimum: Option<Hybrid>,
}

/// What one m would cost. A way that cannot reach m is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyRow {
    /// Least number of different values in a class.
    pub m: u64,
    /// The table is m-eligible as it is.
    pub eligible: bool,
    /// Fewest counterfeits, if nothing is deleted.
    pub additions: Option<u64>,
    /// Fewest deletions, if nothing is added.
    pub deletions: Option<u64>,
    /// Fewest changes when both are allowed.
    pub hybrid: Option<Hybrid>,
    /// What each way would disclose.
    #[serde(default)]
    pub disclosure: RepairDisclosures,
    /// The changes of `hybrid` as a share of `rows`; it may exceed 1.
    pub share: Option<f64>,
    /// m is the number of values and the table is not eligible: every repair makes all counts equal.
    #[serde(default)]
    pub levels_all: bool,
}

/// The fewest changes when records may be added and deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hybrid {
    /// Counterfeits.
    pub additions: u64,
    /// Deletions.
    pub deletions: u64,
    /// Both together.
    pub changes: u64,
}
