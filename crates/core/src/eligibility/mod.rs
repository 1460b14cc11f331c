//! m-eligibility (paper 2): when a partition into classes of `m` different values exists, and the fewest changes
//! until it does.

/// Changes per sensitive value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Counterfeits added, per value.
    pub additions: Vec<u64>,
    /// Records deleted, per value.
    pub deletions: Vec<u64>,
}

/// Whether `m * max(counts) <= sum(counts)` and at least `m` values occur.
#[must_use]
pub fn is_eligible(counts: &[u64], m: u64) -> bool {
    let _ = (counts, m);
    false
}
