//! The changes that were asked for, computed twice.

use lookalike_lp::{
    Backend,
    eligibility::{Allowed, fewest_changes},
};
use lookalike_wire::settings::Repair;

use super::{Changes, additions, deletions, explain, hybrid_exact, is_eligible};
use crate::Error;

/// The changes that a table gets, and who confirmed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Changes per sensitive value.
    pub changes: Changes,
    /// Name of the back end that confirmed that no fewer do; `None` if the table is eligible as it is.
    pub backend: Option<&'static str>,
}

/// The fewest changes of the kind asked for that make `counts` m-eligible.
///
/// The changes come from the closed forms ([`additions`], [`deletions`], [`hybrid_exact`]) with their tie order; the
/// integer programme of paper 2, solved by `backend`, is an independent check that no fewer do.
///
/// # Errors
/// [`Error::Infeasible`] if the table is not eligible and `repair` is [`Repair::Error`], or if changes of that kind do
/// not reach `m`; [`Error::Lp`] if the back end fails or needs another number of changes.
pub fn repair(counts: &[u64], m: u64, repair: Repair, backend: Backend) -> Result<Plan, Error> {
    if is_eligible(counts, m) {
        return Ok(Plan { changes: Changes::none(counts.len()), backend: None });
    }
    let (changes, allowed) = match repair {
        Repair::Error => return Err(explain(counts, &[], m)),
        Repair::Add => (additions(counts, m)?, Allowed::ADDITIONS),
        Repair::Delete => (deletions(counts, m)?, Allowed::DELETIONS),
        Repair::Hybrid => (hybrid_exact(counts, m)?, Allowed::BOTH),
    };
    let confirmed = fewest_changes(counts, m, allowed, backend)?;
    let holds = changes.apply(counts).is_some_and(|after| is_eligible(&after, m));
    if !holds || confirmed.total() != changes.total() {
        return Err(Error::Lp(lookalike_lp::Error::Backend {
            backend: backend.name(),
            why: format!(
                "it makes the table {m}-eligible with {} changes, the closed form with {}; please report this",
                confirmed.total(),
                changes.total()
            ),
        }));
    }
    Ok(Plan { changes, backend: Some(backend.name()) })
}
