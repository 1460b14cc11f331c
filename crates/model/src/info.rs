//! What a table looks like before anything is decided.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::settings::Role;

/// What is known of a table after reading it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableInfo {
    /// Number of data rows.
    pub rows: usize,
    /// One entry a column, in the file's order.
    pub columns: Vec<ColumnInfo>,
    /// The first rows, cell by cell.
    pub preview: Vec<Vec<String>>,
    /// What is odd in the file, with row numbers.
    pub warnings: Vec<Said>,
}

/// One column as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnInfo {
    /// Header cell.
    pub name: String,
    /// Inferred kind: "integer", "real", "date", "category", "identifier".
    pub kind: String,
    /// Why: "1,000 of 1,000 values are integers, 17 to 90".
    pub evidence: Said,
    /// Number of different values, missing not counted.
    pub distinct: usize,
    /// Number of missing cells.
    pub missing: usize,
    /// The role that the column seems to have; nothing applies it but the user.
    #[serde(default)]
    pub suggestion: Option<Suggestion>,
    /// If the cells can be read in two ways: which, and what to declare.
    #[serde(default)]
    pub question: Option<Said>,
    /// If its cells are whole numbers that look like codes: how it is better read. Nothing applies it but the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// Numbers of it that may mean "not known". Nothing applies it but the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownCodes>,
    /// Whether the file weights its rows by it: it may be the sampling weight. Nothing applies it but the user.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weight: bool,
    /// Whether it is to be asked if a person has several rows.
    #[serde(default)]
    pub key: PersonKey,
    /// How its values are spread; empty where that tells nothing.
    #[serde(default)]
    pub bars: Vec<Bar>,
}

/// How a column of whole numbers is better read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// How.
    pub reading: Proposed,
    /// Why.
    pub why: Said,
}

/// What whole numbers may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proposed {
    /// Labels, as they stand.
    Category,
    /// Labels that have lost leading zeros: digits to which they are filled up.
    Pad(u8),
}

/// Numbers that may mean "not known".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownCodes {
    /// As they stand, ascending.
    pub codes: Vec<String>,
    /// Why.
    pub why: Said,
}

/// Whether a column tells that a person may have several rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonKey {
    /// It tells nothing.
    #[default]
    None,
    /// Its name says nothing, but its values repeat: if it names persons, they have several rows.
    IfIdentifier,
    /// It looks like the key of a person, and its values repeat.
    Repeats,
}

/// A range of values or a label, and its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// "30 - 39", a label; empty for all rarer labels together, and for a range without a row.
    pub label: String,
    /// Rows.
    pub count: usize,
}

/// The role that a column seems to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// The role.
    pub role: Role,
    /// How sure it is.
    pub confidence: Confidence,
    /// Why.
    pub reason: Said,
}

/// How sure a suggestion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// It may be otherwise.
    Low,
    /// It is usually so.
    Medium,
    /// It is hardly otherwise.
    High,
}

impl Confidence {
    /// One step less sure.
    #[must_use]
    pub fn lower(self) -> Self {
        match self {
            Self::High => Self::Medium,
            Self::Medium | Self::Low => Self::Low,
        }
    }
}
