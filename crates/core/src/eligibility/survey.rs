//! What every `m` would cost.

use super::{additions, deletions, distinct, hybrid_exact, is_eligible, total};

/// What one `m` would cost. A way that cannot reach `m` is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurveyRow {
    /// The parameter.
    pub m: u64,
    /// The table is m-eligible as it is.
    pub eligible: bool,
    /// Fewest counterfeits.
    pub additions: Option<u64>,
    /// Fewest deletions.
    pub deletions: Option<u64>,
    /// Fewest changes of both kinds together.
    pub hybrid: Option<Hybrid>,
    /// The hybrid changes as a share of the records, 0 to 1 or more.
    pub share: Option<f64>,
}

/// The fewest changes of both kinds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hybrid {
    /// Counterfeits.
    pub additions: u64,
    /// Deletions.
    pub deletions: u64,
}

impl Hybrid {
    /// Changes in total.
    #[must_use]
    pub fn total(self) -> u64 {
        self.additions + self.deletions
    }
}

/// What each `m` would cost: one row an `m`, in the order given.
#[must_use]
pub fn survey(counts: &[u64], ms: impl IntoIterator<Item = u64>) -> Vec<SurveyRow> {
    ms.into_iter().map(|m| row(counts, m)).collect()
}

pub(super) fn row(counts: &[u64], m: u64) -> SurveyRow {
    let hybrid =
        hybrid_exact(counts, m).ok().map(|c| Hybrid { additions: c.added(), deletions: c.deleted() });
    let n = total(counts);
    SurveyRow {
        m,
        eligible: is_eligible(counts, m) && distinct(counts) >= m,
        additions: additions(counts, m).ok().map(|c| c.added()),
        deletions: deletions(counts, m).ok().map(|c| c.deleted()),
        hybrid,
        share: hybrid.filter(|_| n > 0).map(|h| h.total() as f64 / n as f64),
    }
}
