//! The integer programme of Tobar 2024 (section III-C): m-eligibility with the fewest changes.
//!
//! With counts `c` of the sensitive values, additions `a` and deletions `d` per value, the published counts are
//! `x = c + a - d`, and the programme is
//!
//! ```text
//! min  sum (a_i + d_i)    s.t.  m x_i <= sum_j x_j  for every i,    x, a, d >= 0 and integer
//! ```
//!
//! [`programme`] says how it is stated for a solver. Every answer is rounded and checked again in integers, so that
//! a back end can be slow or wrong, but never believed wrongly.

mod message;
mod programme;

pub use message::EligibilityFault;

use crate::{Backend, Error, Failure};

/// No count may be larger: the solvers work with `f64` tolerances and, in microlp, with 32-bit integer bounds. Up to
/// 10^7 no back end was seen to fail; towards 10^9 their tolerances may, with [`Error::Backend`].
pub const MAX_COUNT: u64 = 1_000_000_000;

/// No cost may be larger, so that objectives stay exact.
pub const MAX_COST: u64 = 1_000_000;

/// Which changes are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Counterfeits may be added.
    pub additions: bool,
    /// Records may be deleted.
    pub deletions: bool,
}

impl Allowed {
    /// Counterfeits only.
    pub const ADDITIONS: Self = Self { additions: true, deletions: false };
    /// Partial publication only.
    pub const DELETIONS: Self = Self { additions: false, deletions: true };
    /// Both: the hybrid problem.
    pub const BOTH: Self = Self { additions: true, deletions: true };
}

/// What one change costs, per sensitive value; at least 1, at most [`MAX_COST`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Cost of one counterfeit, per value.
    pub addition: Vec<u64>,
    /// Cost of one deleted record, per value.
    pub deletion: Vec<u64>,
}

impl Costs {
    /// Every change of every one of `values` values costs 1.
    #[must_use]
    pub fn unit(values: usize) -> Self {
        Self { addition: vec![1; values], deletion: vec![1; values] }
    }

    /// What `changes` cost in total.
    #[must_use]
    pub fn of(&self, changes: &Changes) -> u128 {
        let sum = |costs: &[u64], amounts: &[u64]| -> u128 {
            costs.iter().zip(amounts).map(|(&c, &a)| u128::from(c) * u128::from(a)).sum()
        };
        sum(&self.addition, &changes.additions) + sum(&self.deletion, &changes.deletions)
    }
}

/// Changes per sensitive value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Counterfeits added, per value.
    pub additions: Vec<u64>,
    /// Records deleted, per value.
    pub deletions: Vec<u64>,
}

impl Changes {
    /// No change of any of `values` values.
    #[must_use]
    pub fn none(values: usize) -> Self {
        Self { additions: vec![0; values], deletions: vec![0; values] }
    }

    /// Counterfeits in total.
    #[must_use]
    pub fn added(&self) -> u64 {
        self.additions.iter().sum()
    }

    /// Deleted records in total.
    #[must_use]
    pub fn deleted(&self) -> u64 {
        self.deletions.iter().sum()
    }

    /// All changes: the distance of Tobar 2024, Definition 7, when no value is both added to and deleted from.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.added() + self.deleted()
    }

    /// The counts after the changes; `None` if the lengths differ, a value has fewer records than are to be deleted,
    /// or a count overflows.
    #[must_use]
    pub fn apply(&self, counts: &[u64]) -> Option<Vec<u64>> {
        if self.additions.len() != counts.len() || self.deletions.len() != counts.len() {
            return None;
        }
        let changes = self.additions.iter().zip(&self.deletions);
        counts.iter().zip(changes).map(|(c, (&a, &d))| c.checked_sub(d)?.checked_add(a)).collect()
    }
}

/// The fewest changes that make `counts` m-eligible: `m * max(x) <= sum(x)`. At least one record is left over, unless
/// there was none.
///
/// `counts` has one entry a sensitive value of the domain; values that do not occur (0) may be faked. `m` is at
/// least 1. Which of several equally small answers is returned depends on the back end.
///
/// # Errors
/// [`Error::Infeasible`] if no allowed change does it (fewer than `m` values); [`Error::Input`] if a count exceeds
/// [`MAX_COUNT`]; [`Error::Backend`] if the solver fails or answers something that is not m-eligible.
pub fn fewest_changes(counts: &[u64], m: u64, allowed: Allowed, backend: Backend) -> Result<Changes, Error> {
    fewest_changes_weighted(counts, m, allowed, &Costs::unit(counts.len()), backend)
}

/// As [`fewest_changes`], with the least total cost instead of the least number.
///
/// # Errors
/// As [`fewest_changes`]; [`Error::Input`] also if `costs` has another length than `counts` or a cost is 0 or exceeds
/// [`MAX_COST`].
pub fn fewest_changes_weighted(
    counts: &[u64],
    m: u64,
    allowed: Allowed,
    costs: &Costs,
    backend: Backend,
) -> Result<Changes, Error> {
    check_input(counts, m, costs)?;
    if counts.iter().all(|&c| c == 0) {
        return Ok(Changes::none(counts.len()));
    }
    // Fewer than m values: m x_i <= sum x forces x = 0. Said here, because a solver may need long to find out.
    let usable = counts.iter().filter(|&&c| c > 0 || allowed.additions).count() as u64;
    if usable < m {
        return Err(Error::Infeasible);
    }
    let changes = programme::solve(counts, m, allowed, costs, backend)?;
    check_answer(counts, m, allowed, &changes, backend)?;
    Ok(changes)
}

fn check_input(counts: &[u64], m: u64, costs: &Costs) -> Result<(), Error> {
    if m == 0 {
        return Err(Error::input(EligibilityFault::NoM));
    }
    if let Some((value, &count)) = counts.iter().enumerate().find(|&(_, &c)| c > MAX_COUNT) {
        return Err(Error::input(EligibilityFault::Count { value, count, most: MAX_COUNT }));
    }
    if counts.iter().map(|&c| u128::from(c)).sum::<u128>() > 1 << 52 {
        return Err(Error::input(EligibilityFault::Total));
    }
    if costs.addition.len() != counts.len() || costs.deletion.len() != counts.len() {
        return Err(Error::input(EligibilityFault::Costs {
            counts: counts.len(),
            additions: costs.addition.len(),
            deletions: costs.deletion.len(),
        }));
    }
    if let Some(&cost) = costs.addition.iter().chain(&costs.deletion).find(|&&c| c == 0 || c > MAX_COST) {
        return Err(Error::input(EligibilityFault::Cost { cost, most: MAX_COST }));
    }
    Ok(())
}

/// Checks an answer in integers. Minimality is for the caller to check: it needs another method.
fn check_answer(
    counts: &[u64],
    m: u64,
    allowed: Allowed,
    changes: &Changes,
    backend: Backend,
) -> Result<(), Error> {
    let fail = |why: Failure| Err(Error::Backend { backend: backend.name(), why });
    let Some(after) = changes.apply(counts) else {
        return fail(Failure::DeletesTooMany);
    };
    if (!allowed.additions && changes.added() > 0) || (!allowed.deletions && changes.deleted() > 0) {
        return fail(Failure::NotAllowed);
    }
    let largest = after.iter().copied().max().unwrap_or(0);
    let total: u128 = after.iter().map(|&x| u128::from(x)).sum();
    if total == 0 {
        return fail(Failure::DeletesAll);
    }
    if u128::from(m) * u128::from(largest) > total {
        return fail(Failure::NotEligible);
    }
    Ok(())
}
