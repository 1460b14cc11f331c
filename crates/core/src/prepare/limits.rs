//! What is too large to be encoded.

/// Most dummies of one category: each is a coordinate of every record. The penalty has none.
pub(crate) const MAX_DUMMIES: usize = 1000;

/// Numbers above this overflow when squared.
pub(crate) const LARGEST: f64 = 1e100;
