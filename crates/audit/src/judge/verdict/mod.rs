//! The answer.

mod conditions;
mod observation;
mod parts;
mod persons;
mod series;
mod subject;
mod witness;

pub use conditions::Wanted;
pub use observation::{
    Consistent, Diverse, LossNotRecomputed, NearGroup, NearValue, Needed, Observation, Sizes, Unasked, Values,
};
pub use parts::Parts;
pub use persons::PersonsObservation;
pub use series::{
    ClassName, Left, Lifespans, Pair, Seen, SeenSet, SeriesObservation, SeriesWitness, Together, ValueSet,
};
pub use subject::{Grouping, Promise, Subject};
pub use witness::{Shared, Witness};

use super::question::Dialect;

/// Most witnesses of a check.
pub const WITNESSES: usize = 10;

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// All checks hold.
    pub passed: bool,
    /// The checks, in the order of [`Subject`]; those that do not apply are left out.
    pub checks: Vec<Check>,
    /// Risk figures.
    pub risk: Risk,
    /// Who read the bytes.
    pub reader: Reader,
    /// The form that the bytes have; `None` if another reader than the strict one read them.
    pub dialect: Option<Dialect>,
    /// What the worst class or group reaches of each condition, in the order of the question.
    pub reached: Vec<f64>,
}

impl Verdict {
    /// The same with another check, after the others.
    pub fn add(&mut self, check: Check) {
        self.passed &= check.passed;
        self.checks.push(check);
    }
}

/// Who made rows of the bytes that were judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The audit's own reader, which takes nothing but the form that our releases have and shares no code with what wrote
    /// them.
    Strict,
    /// The reader that also reads the program's input, which takes tables of many forms: for tables of others.
    General,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked.
    pub name: Subject,
    /// Whether it holds.
    pub passed: bool,
    /// What was found, with the worst case; publishable (no row numbers, no labels, no values but missing markers).
    pub finding: Observation,
    /// Where it fails: published row numbers, classes, values (private; at most [`WITNESSES`]).
    pub witnesses: Vec<Witness>,
}

impl Check {
    /// A check that holds when there are no witnesses against it.
    pub(crate) fn new(
        name: Subject,
        finding: Observation,
        witnesses: impl IntoIterator<Item = Witness>,
    ) -> Self {
        let witnesses: Vec<Witness> = witnesses.into_iter().take(WITNESSES).collect();
        Self { name, passed: witnesses.is_empty(), finding, witnesses }
    }

    /// A finding that the reader should know and that fails nothing.
    pub(crate) fn note(
        name: Subject,
        finding: Observation,
        witnesses: impl IntoIterator<Item = Witness>,
    ) -> Self {
        Self { passed: true, ..Self::new(name, finding, witnesses) }
    }
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
    /// Groups whose rows with a known sensitive value, one at least, all hold the same, and all groups. `None` without a sensitive column.
    pub single_valued: Option<(usize, usize)>,
}
