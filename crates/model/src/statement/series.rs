//! What a statement says of the series that a release is one of.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::ledger::{Chained, Mode, Vacancies};

/// A release and its series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesFacts {
    /// Number of the release, from 1.
    pub release: u32,
    /// Which updates are expected, and with them what is promised.
    pub mode: Mode,
    /// What takes the places of people who left.
    pub vacancies: Vacancies,
    /// BLAKE3 of the ledger before this release as compact JSON, in hexadecimal digits: what its file calls `checksum`; `null` for the first.
    pub ledger_before: Option<String>,
    /// The same of the ledger after this release.
    pub ledger_after: Option<String>,
    /// The published tables of all releases, what chains them, and what was found in all of them together.
    pub chain: Option<Chained>,
    /// The attacker against whom the promise over all releases holds, and the one against whom it does not.
    pub attacker: Said,
    /// Fewest values of a class: so many are left to this attacker of each person who keeps a value.
    pub fewest_values: usize,
    /// This attacker's greatest belief that such a person has a certain value: one in so many.
    pub belief: f64,
    /// The greatest belief of an attacker who also knew how many records of each class are made up; `null` if none are.
    pub belief_with_counts: Option<f64>,
    /// Fewest real people of a class.
    pub fewest_real: Option<usize>,
    /// People of this release whose value changed in it or before.
    pub ever_changed: usize,
    /// Those of them of whom an attacker who believes that values never change is left with one value.
    pub left_with_one: usize,
    /// Fewest values that this attacker is left with; `null` if no value changed.
    pub fewest_left: Option<usize>,
}
