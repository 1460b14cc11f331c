//! What the report says of columns that are published unchanged. All of it is a function of the published table, but for
//! [`Known::unique_before`].

use serde::{Deserialize, Serialize};

/// What columns that are published unchanged cost: what an attacker gains who knows them of a person, beside the
/// quasi-identifiers. The guarantee does not hold against such an attacker.
///
/// The *match group* of a row are the rows with the same published quasi-identifiers and the same unchanged cells. A match of the
/// person is right with a probability of 1 over its rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnchangedReport {
    /// Each column, the riskiest first: by the mean match probability, then by minimal sample uniques.
    pub columns: Vec<UnchangedColumn>,
    /// All of these columns known together.
    pub together: Known,
    /// Rows that the unchanged columns single out alone.
    pub minimal_uniques: MinimalUniques,
}

/// What a column that is published unchanged costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnchangedColumn {
    /// Its name.
    pub name: String,
    /// For an attacker who knows it beside the quasi-identifiers.
    pub known: Known,
    /// Rows with a minimal sample unique that this column belongs to: of one column, of two, ...
    pub minimal_uniques: Vec<usize>,
    /// Rows with such a minimal sample unique, of whatever size.
    pub singled_out: usize,
}

/// What an attacker gains by unchanged cells that are known beside the quasi-identifiers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Published records that are unique in the source, by their quasi-identifiers as they were and these cells.
    pub unique_before: usize,
    /// Published records that are unique in the published table, by their published quasi-identifiers and these cells: they are
    /// matched with certainty.
    pub unique_after: usize,
    /// Largest match probability of a record.
    pub highest: f64,
    /// Mean over the records.
    pub mean: f64,
    /// Largest mean over the records of a class.
    pub highest_mean: f64,
    /// The classes by the largest match probability in them, from the largest on.
    pub classes: Vec<ClassesAt>,
    /// Largest share of one sensitive value in a match group; `None` without a sensitive column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_attribute_disclosure: Option<f64>,
    /// Records whose match group holds one sensitive value alone, so that it is told with certainty; `None` without a
    /// sensitive column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_values: Option<usize>,
}

/// Classes whose largest match probability is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassesAt {
    /// The probability.
    pub highest: f64,
    /// How many classes.
    pub classes: usize,
}

/// Minimal sample uniques: a row is alone in a set of unchanged columns, and in no part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimalUniques {
    /// Columns of the largest sets that were looked at: 3, or less where there are fewer columns, or too many for 3.
    pub largest_set: usize,
    /// Rows that have one: of one column, of two, ...
    pub rows: Vec<usize>,
}
