//! The columns of a statement as data: what each is for, and what was done to it.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::settings::{Coding, MissingPolicy};

/// A column of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// What was done to its cells.
    pub technique: Technique,
    /// The same in words; `null` for a column that is not published.
    pub words: Option<Said>,
    /// Levels of the hierarchy that it is published by.
    pub levels: Option<usize>,
    /// The level that was chosen for the whole column, 0 for the values themselves.
    pub level: Option<usize>,
    /// Top and bottom coding.
    pub coding: Option<Coding>,
    /// A quasi-identifier's weight; `null` where all are alike.
    pub weight: Option<f64>,
    /// What becomes of missing cells.
    pub missing: Option<MissingPolicy>,
    /// Published rows that say "missing" here.
    pub missing_rows: Option<usize>,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// An attacker may know it.
    QuasiIdentifier,
    /// It is to stay secret: the sensitive column, and further ones with conditions, whose cells are published as they are.
    Sensitive,
    /// It is coarsened along with the quasi-identifiers.
    Kept,
    /// It is published cell by cell as it is.
    Unchanged,
    /// It is not published: identifiers, and what nobody asked for.
    NotPublished,
}

/// What was done to the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Technique {
    /// Nothing.
    None,
    /// The column was left out.
    Removed,
    /// Generalised by a hierarchy.
    Hierarchy,
    /// Generalised to ranges of numbers and sets of labels.
    Ranges,
    /// Ranges as two columns.
    RangeEnds,
    /// Ranges as two columns, and their middle.
    RangeEndsAndMiddle,
    /// Generalised to sets of the values that occur.
    Sets,
    /// Means of groups (microaggregation), labels as sets.
    Means,
}
