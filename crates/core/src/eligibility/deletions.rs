//! Algorithm 2: the fewest deletions.

use super::{Changes, NotEligible, check_domain, distinct, is_eligible, largest, total};
use crate::Error;

/// The fewest deletions that make `counts` m-eligible (Algorithm 2): as long as it is not eligible, delete
/// `max(0, ceil((m c_i - n) / (m - 1)))` records of every value `i` at once.
///
/// The answer is the only one of its size (docs/eligibility.md), so there are no ties. At most about `m ln(n)` rounds
/// of O(l).
///
/// # Errors
/// [`Error::NotEligible`] if fewer than `m` values occur: only the empty table would be left.
pub fn deletions(counts: &[u64], m: u64) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let occurring = distinct(counts);
    if occurring < m && occurring > 0 {
        return Err(NotEligible::TooFewOccur { occurring, values: counts.len() as u64, m }.into());
    }
    let mut left = counts.to_vec();
    while !is_eligible(&left, m) {
        // m >= 2, since every table is 1-eligible; the largest count is above n / m, so something goes each round.
        let n = total(&left);
        for c in &mut left {
            let excess = (u128::from(m) * u128::from(*c)).saturating_sub(n);
            *c -= excess.div_ceil(u128::from(m) - 1) as u64;
        }
    }
    debug_assert!(
        largest(counts) == 0 || largest(&left) > 0,
        "a table with m values keeps one record of each"
    );
    let deletions = counts.iter().zip(&left).map(|(c, x)| c - x).collect();
    Ok(Changes { additions: vec![0; counts.len()], deletions })
}
