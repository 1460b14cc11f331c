//! A column of the master: a class with its loss.

/// A class of types with its loss.
#[derive(Clone, Debug)]
pub struct Column {
    /// The types, ascending; some may repeat.
    pub members: Vec<u32>,
    /// Its loss.
    pub cost: f64,
}

/// A class with its value in the master's solution.
pub type Weighted<'a> = (&'a [u32], f64);
