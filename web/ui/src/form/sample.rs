//! What a record stands for in the population.

use serde::{Deserialize, Serialize};

/// What a record stands for in the population: names of columns, empty for none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleForm {
    /// The column with the sampling weights.
    pub weight: String,
    /// The column with the key of households.
    pub household: String,
}
