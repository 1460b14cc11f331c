//! What is generalised alike.

use lookalike_model::settings::Scheme;
use serde::{Deserialize, Serialize};

use super::ModelChoice;

/// What is generalised alike, as it stands in the fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SchemeForm {
    /// The records of a class, or each column as a whole.
    pub scheme: Scheme,
    /// Sets of quasi-identifiers with a larger k: `20 = age, sex`, one a line.
    pub sets: String,
}

impl SchemeForm {
    /// Whether there can be sets: they are of k-anonymity, which levels of columns need anyway.
    #[must_use]
    pub fn takes_sets(&self, model: ModelChoice) -> bool {
        self.scheme == Scheme::FullDomain || model == ModelChoice::KAnonymity
    }
}
