//! What the cells of a column are.

use crate::{Evidence, Question, Reading};

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All whole numbers.
    Integer,
    /// All numbers.
    Real,
    /// All calendar dates.
    Date,
    /// Labels.
    Category,
    /// Labels with an order that the user gave.
    Ordinal,
    /// Labels, all or nearly all of them different.
    Identifier,
}

/// A kind with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// The kind of the whole column.
    pub kind: Kind,
    /// How its cells are compared.
    pub reading: Reading,
    /// Why.
    pub evidence: Evidence,
    /// Number of different values, missing ones not counted.
    pub distinct: usize,
    /// Number of missing cells.
    pub missing: usize,
    /// If the cells can be read in two ways that differ: which, and what the user has to say. The kind is
    /// [`Kind::Category`] then.
    pub question: Option<Question>,
    /// A reading that nearly all values have; those that have not may be slips.
    pub nearly: Option<Reading>,
}
