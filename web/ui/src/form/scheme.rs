//! What is generalised alike.

use lookalike_model::settings::Scheme;
use serde::{Deserialize, Serialize};

/// What is generalised alike, as it stands in the fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SchemeForm {
    /// The records of a class, or each column as a whole.
    pub scheme: Scheme,
    /// Sets of quasi-identifiers with a k of their own: `20 = age, sex`, one a line.
    pub sets: String,
}
