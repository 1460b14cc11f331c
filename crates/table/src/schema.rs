//! Roles, kinds, missing values: what the user has said about the columns.

use crate::{Kind, Reading};

/// What a column is for. A column without a stated role is [`Role::Other`], never silently a quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Names a person; never published.
    Identifier,
    /// An attacker may know it.
    QuasiIdentifier,
    /// To be protected.
    Sensitive,
    /// Published cell by cell as it is; no quasi-identifier.
    Unchanged,
    /// No role; dropped unless `keep`, and then audited as a quasi-identifier.
    Other,
}

/// What happens to a row whose cell is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingPolicy {
    /// An error that names the cells and the choices.
    Error,
    /// The row is not published.
    Drop,
    /// Missing is a value of its own.
    Value,
}

/// One column of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSpec {
    /// Index of the column in the table.
    pub index: usize,
    /// Header cell.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// What its cells are.
    pub kind: Kind,
    /// How its cells are compared.
    pub reading: Reading,
    /// What happens to missing cells.
    pub missing: MissingPolicy,
    /// Weight in the loss, relative to the others; only for quasi-identifiers.
    pub weight: f64,
    /// Published although its role is [`Role::Other`].
    pub keep: bool,
}

/// What the user has said about the columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// One entry a column of the table, in its order.
    pub columns: Vec<ColumnSpec>,
    /// Cell contents, after trimming, that mean "missing".
    pub markers: Vec<String>,
}
