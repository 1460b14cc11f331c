//! What each way to m-eligibility would disclose, from the counts alone: to compare the ways before a run.

use lookalike_audit::disclosure::{from_counts, real_records};
use lookalike_model::assessment::{RealRecords, RepairDisclosure, RepairDisclosures};

use crate::eligibility::{Changes, additions, deletions, hybrid_exact};

/// The most that a class of m records can disclose under each way (`docs/disclosure.md`).
#[must_use]
pub fn ways(counts: &[u64], m: u64) -> RepairDisclosures {
    let of = |changes: Result<Changes, crate::Error>| {
        let changes = changes.ok()?;
        let informed = from_counts(counts, &changes.additions, &changes.deletions, m)?;
        let real = real_records(counts, &changes.additions, &changes.deletions, m).map(|found| RealRecords {
            least: found.least,
            least_at_best: found.least_at_best,
            single: found.single,
            single_at_most: found.single_at_most,
        });
        Some(RepairDisclosure { present: informed.present, absent: informed.absent, real })
    };
    RepairDisclosures {
        add: of(additions(counts, m)),
        delete: of(deletions(counts, m)),
        hybrid: of(hybrid_exact(counts, m)),
    }
}
