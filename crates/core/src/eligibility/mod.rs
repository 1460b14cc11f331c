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
    m * counts.iter().max().copied().unwrap_or(0) <= counts.iter().sum()
}
/// stub
pub struct Plan {
    pub changes: Changes,
    pub backend: Option<&'static str>,
}
/// stub
pub fn repair(
    counts: &[u64],
    m: u64,
    r: lookalike_wire::settings::Repair,
    b: lookalike_lp::Backend,
) -> Result<Plan, crate::Error> {
    let _ = (m, r, b);
    let n: u64 = counts.iter().sum();
    let mut add = vec![0; counts.len()];
    let mx = *counts.iter().max().unwrap();
    if m * mx > n {
        let mut need = m * mx - n;
        while need > 0 {
            let i = (0..counts.len()).min_by_key(|&i| counts[i] + add[i]).unwrap();
            add[i] += 1;
            need -= 1;
        }
    }
    Ok(Plan { changes: Changes { additions: add, deletions: vec![0; counts.len()] }, backend: None })
}
/// stub
pub fn explain(counts: &[u64], values: &[String], m: u64) -> crate::Error {
    let _ = (counts, values, m);
    crate::Error::Infeasible("stub".into())
}
