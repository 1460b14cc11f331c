//! How a table is made m-eligible.

use lookalike_model::settings::{CounterfeitPoints, DeletionChoice, Fake, Ties};
use serde::{Deserialize, Serialize};

/// How a table is made m-eligible. Numbers and lists are kept as they were typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangesForm {
    /// Whether counterfeits have quasi-identifiers.
    pub points: CounterfeitPoints,
    /// Which records of a too frequent value are deleted.
    pub delete: DeletionChoice,
    /// Which values are faked.
    pub fake: Fake,
    /// Which of several equally good hybrids is taken.
    pub ties: Ties,
    /// Sensitive values to change first, one a line.
    pub prefer: String,
    /// Cost of a value's first counterfeit.
    pub add: String,
    /// What each further one costs more.
    pub add_growth: String,
    /// Cost of a value's first deletion.
    pub delete_cost: String,
    /// What each further one costs more.
    pub delete_growth: String,
    /// Values whose first counterfeit costs something else: `value = cost`, one a line.
    pub add_of: String,
    /// Values whose first deletion costs something else: `value = cost`, one a line.
    pub delete_of: String,
    /// Least number of real people in a class; empty is one.
    #[serde(default)]
    pub min_real: String,
    /// Largest probability of a value for an attacker who knows the counterfeits' number; empty is no limit.
    #[serde(default)]
    pub max_belief: String,
}

impl Default for ChangesForm {
    fn default() -> Self {
        let (one, zero) = (String::from("1"), String::from("0"));
        Self {
            points: CounterfeitPoints::default(),
            delete: DeletionChoice::default(),
            fake: Fake::default(),
            ties: Ties::default(),
            prefer: String::new(),
            add: one.clone(),
            add_growth: zero.clone(),
            delete_cost: one,
            delete_growth: zero,
            add_of: String::new(),
            delete_of: String::new(),
            min_real: String::new(),
            max_belief: String::new(),
        }
    }
}
