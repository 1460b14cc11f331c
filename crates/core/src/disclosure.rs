//! What each way to m-eligibility would disclose, from the counts alone: to compare the ways before a run.

use lookalike_audit::disclosure::{Informed, from_counts};

use crate::eligibility::{Changes, additions, deletions, hybrid_exact};

/// What each way would disclose to an attacker who knows the counts; `None` where a way cannot reach m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ways {
    /// Counterfeits alone.
    pub add: Option<Informed>,
    /// Deletions alone.
    pub delete: Option<Informed>,
    /// The exact hybrid.
    pub hybrid: Option<Informed>,
}

/// The most that a class of m records can disclose under each way (`docs/disclosure.md`).
#[must_use]
pub fn ways(counts: &[u64], m: u64) -> Ways {
    let of = |changes: Result<Changes, crate::Error>| {
        let changes = changes.ok()?;
        from_counts(counts, &changes.additions, &changes.deletions, m)
    };
    Ways {
        add: of(additions(counts, m)),
        delete: of(deletions(counts, m)),
        hybrid: of(hybrid_exact(counts, m)),
    }
}
