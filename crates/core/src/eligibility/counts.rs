//! What counts of sensitive values tell by themselves.

use super::NotEligible;
use crate::Error;

/// Whether no value is held by more than 1/m of the records: `m * max(counts) <= sum(counts)` (Tobar 2024,
/// Definition 3). Then at least `m` values occur, unless there is no record at all.
#[must_use]
pub fn is_eligible(counts: &[u64], m: u64) -> bool {
    u128::from(m) * u128::from(largest(counts)) <= total(counts)
}

/// The largest `m` for which the table is m-eligible as it is: `floor(n / c_max)`. It never exceeds the number of
/// values that occur. 0 for a table without records.
#[must_use]
pub fn largest_m(counts: &[u64]) -> u64 {
    // At most the number of values, hence far below 2^64.
    total(counts).checked_div(u128::from(largest(counts))).map_or(0, |m| m as u64)
}

pub(super) fn total(counts: &[u64]) -> u128 {
    counts.iter().map(|&c| u128::from(c)).sum()
}

pub(super) fn largest(counts: &[u64]) -> u64 {
    counts.iter().copied().max().unwrap_or(0)
}

/// Number of values that occur.
pub(super) fn distinct(counts: &[u64]) -> u64 {
    counts.iter().filter(|&&c| c > 0).count() as u64
}

/// Refuses an `m` above the size of the domain: not even counterfeits of every value help then.
pub(super) fn check_domain(counts: &[u64], m: u64) -> Result<(), Error> {
    let l = counts.len() as u64;
    if m > l && total(counts) > 0 {
        return Err(NotEligible::TooFewValues { values: l, m, without: None }.into());
    }
    Ok(())
}
