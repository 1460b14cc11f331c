//! What each way to m-eligibility would disclose, from the counts alone: to compare the ways before a run.

use lookalike_audit::disclosure::from_counts;
use lookalike_wire::assessment::{Told, Ways};

use crate::eligibility::{Changes, additions, deletions, hybrid_exact};

/// The most that a class of m records can disclose under each way (`docs/disclosure.md`).
#[must_use]
pub fn ways(counts: &[u64], m: u64) -> Ways {
    let of = |changes: Result<Changes, crate::Error>| {
        let changes = changes.ok()?;
        let informed = from_counts(counts, &changes.additions, &changes.deletions, m)?;
        Some(Told { present: informed.present, absent: informed.absent })
    };
    Ways {
        add: of(additions(counts, m)),
        delete: of(deletions(counts, m)),
        hybrid: of(hybrid_exact(counts, m)),
    }
}
