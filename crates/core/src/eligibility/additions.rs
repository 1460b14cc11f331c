//! Algorithm 1: the fewest counterfeits.

use super::{Changes, check_domain, largest, total};
use crate::Error;

/// The fewest counterfeits that make `counts` m-eligible: `max(0, m c_max - n)` of them, one after another to the
/// value that is rarest at the time (Algorithm 1), the first one among equals. O(l log l) for l values.
///
/// # Errors
/// [`Error::Infeasible`] if the domain has fewer than `m` values.
pub fn additions(counts: &[u64], m: u64) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let needed = (u128::from(m) * u128::from(largest(counts))).saturating_sub(total(counts));
    Ok(Changes { additions: raise_rarest(counts, needed), deletions: vec![0; counts.len()] })
}

/// What each value gets when `amount` records are added one after another to the value that is rarest at the time,
/// the first one among equals: the counts are filled up like vessels that share their water.
pub(super) fn raise_rarest(counts: &[u64], amount: u128) -> Vec<u64> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_unstable_by_key(|&value| (counts[value], value));
    let Some(&rarest) = order.first() else { return Vec::new() };

    // The common level of the `below` rarest values, and what is left to be added.
    let (mut level, mut left) = (u128::from(counts[rarest]), amount);
    let mut below = order.len();
    for (rank, &next) in order.iter().enumerate().skip(1) {
        let room = (u128::from(counts[next]) - level) * rank as u128;
        if room > left {
            below = rank;
            break;
        }
        left -= room;
        level = u128::from(counts[next]);
    }
    level += left / below as u128;
    let mut rest = (left % below as u128) as usize;

    let mut added = vec![0; counts.len()];
    let mut raised = order[..below].to_vec();
    raised.sort_unstable();
    for value in raised {
        // Fits: callers never raise a value above the largest count.
        added[value] = (level - u128::from(counts[value])) as u64 + u64::from(rest > 0);
        rest = rest.saturating_sub(1);
    }
    added
}
