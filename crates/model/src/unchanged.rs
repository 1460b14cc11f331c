//! What the report says of columns that are published unchanged. All of it is a function of the published table, but for
//! [`Known::unique_before`], and but for figures of persons who may have several rows.

use serde::{Deserialize, Serialize};

/// What columns that are published unchanged cost: what an attacker gains who knows them of a person, beside the
/// quasi-identifiers. The guarantee does not hold against such an attacker.
///
/// The *match group* of a row are the rows with the same published quasi-identifiers and the same unchanged cells. A match of the
/// person is right with a probability of 1 over its rows.
///
/// Where persons may have several rows ([`Report::persons`](crate::report::Report::persons)), all counts are of persons, and the attacker
/// knows the cells of all rows of a person. The match probability of a person is the largest share of the rows of the class with one cell
/// that are this person's. Probabilities are rounded up to the next tenth, of which 1 is certainty alone (0.99, 0.999 and so on are what is
/// between), and means to two significant digits.
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
    /// Published records that are unique in the source, by their quasi-identifiers as they were and these cells; persons with a row
    /// that no row of another person is like.
    pub unique_before: usize,
    /// Published records that are unique in the published table, by their published quasi-identifiers and these cells: they are
    /// matched with certainty. Persons with a cell that no other person of their class has.
    pub unique_after: usize,
    /// Largest match probability of a record.
    pub highest: f64,
    /// Mean over the records.
    pub mean: f64,
    /// Largest mean over the records of a class.
    pub highest_mean: f64,
    /// The classes by the largest match probability in them, from the largest on.
    pub classes: Vec<ClassesAt>,
    /// Largest share of one sensitive value in a match group; largest probability that a person has one value. `None` without a
    /// sensitive column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_attribute_disclosure: Option<f64>,
    /// Records whose match group holds one sensitive value alone, so that it is told with certainty; persons of whom one value is
    /// certain, since more rows of a match group are theirs than do without it. `None` without a sensitive column.
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

/// Minimal sample uniques: a row is alone in a set of unchanged columns, and in no part of it. A row of a person who may have
/// several is alone if no other person has one with these cells, and persons are counted who have such a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimalUniques {
    /// Columns of the largest sets that were looked at: 3, or less where there are fewer columns, or too many for 3.
    pub largest_set: usize,
    /// Rows that have one: of one column, of two, ...
    pub rows: Vec<usize>,
}
