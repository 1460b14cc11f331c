//! One published table, judged.

use crate::Error;

/// The guarantee to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// At least `k` records share each combination of published quasi-identifiers (and each class).
    KAnonymity {
        /// Least group size.
        k: usize,
    },
    /// By class: at least `m` records, all sensitive values different. By equal published quasi-identifiers: at
    /// least `m` records, no value held by more than 1/m of them (paper 1, Definition II.1).
    MUnique {
        /// Least number of different values.
        m: usize,
    },
}

/// What to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Columns that an attacker may know, kept columns included.
    pub quasi: Vec<String>,
    /// The protected column; needed by [`Guarantee::MUnique`].
    pub sensitive: Option<String>,
    /// The guarantee.
    pub guarantee: Guarantee,
    /// Name of the column with the class labels; without it only equal quasi-identifiers are judged, and the
    /// verdict says so.
    pub class: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// All checks hold.
    pub passed: bool,
    /// The checks, in a fixed order.
    pub checks: Vec<Check>,
    /// Risk figures.
    pub risk: Risk,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked, in one line.
    pub name: String,
    /// Whether it holds.
    pub passed: bool,
    /// The finding in words, with the worst case; publishable (no row numbers of the input).
    pub finding: String,
    /// Where it fails: published row numbers, classes, values (private; at most 10).
    pub witnesses: Vec<String>,
}

/// Risk figures for an attacker who knows the published quasi-identifiers of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risk {
    /// Size of the smallest group of equal published quasi-identifiers.
    pub smallest_group: usize,
    /// Its inverse: the most exposed record.
    pub highest_reidentification: f64,
    /// Groups / records: the mean.
    pub mean_reidentification: f64,
    /// Largest share of one sensitive value within a group.
    pub highest_attribute_disclosure: Option<f64>,
}

/// Judges the bytes of a published table.
///
/// # Errors
/// If the bytes are no table or a named column is missing.
pub fn judge(published: &[u8], question: &Question) -> Result<Verdict, Error> {
    let _ = published;
    Err(Error::NoColumn(question.quasi.concat()))
}
