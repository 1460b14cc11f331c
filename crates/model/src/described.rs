//! What a file says of its columns, beside their names.

use serde::{Deserialize, Serialize};

/// What a file says of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Described {
    /// The name of the column.
    pub column: String,
    /// Its description; none if blank.
    #[serde(default)]
    pub label: String,
    /// Whether its cells are the labels of codes.
    #[serde(default)]
    pub codes: bool,
    /// Whether the file weights its rows by it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weight: bool,
}
