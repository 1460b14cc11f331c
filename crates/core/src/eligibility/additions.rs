//! Algorithm 1: the fewest counterfeits.

use super::{Changes, check_domain, largest, total};
use crate::Error;

/// The fewest counterfeits that make `counts` m-eligible: `max(0, m c_max - n)` of them, one after another to the
/// value that is rarest at the time (Algorithm 1), the first one among equals. O(l log C) for l values and a largest
/// count C.
///
/// # Errors
/// [`Error::NotEligible`] if the domain has fewer than `m` values.
pub fn additions(counts: &[u64], m: u64) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let top = largest(counts);
    let needed = (u128::from(m) * u128::from(top)).saturating_sub(total(counts));
    // l >= m: what is needed fits below the largest count.
    let room: Vec<u64> = counts.iter().map(|c| top - c).collect();
    Ok(Changes { additions: raise_rarest(counts, &room, needed), deletions: vec![0; counts.len()] })
}

/// What each value gets when `amount` records are added one after another to the value that is rarest at the time,
/// the first one among equals, no value getting more than its `room`: the counts are filled up like vessels with lids
/// that share their water. `amount` is at most the sum of `room`.
pub(super) fn raise_rarest(counts: &[u64], room: &[u64], amount: u128) -> Vec<u64> {
    let poured = |level: u64| {
        counts.iter().zip(room).map(move |(&c, &room)| level.saturating_sub(c).min(room)).collect::<Vec<_>>()
    };
    // The highest common level that the amount suffices for.
    let (mut low, mut high) =
        (0, counts.iter().zip(room).map(|(&c, &r)| c.saturating_add(r)).max().unwrap_or(0));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        let sum: u128 =
            counts.iter().zip(room).map(|(&c, &room)| u128::from(middle.saturating_sub(c).min(room))).sum();
        if sum <= amount {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let mut added = poured(low);
    let mut rest = amount - added.iter().map(|&a| u128::from(a)).sum::<u128>();
    for (value, added) in added.iter_mut().enumerate() {
        if rest > 0 && counts[value] + *added == low && *added < room[value] {
            *added += 1;
            rest -= 1;
        }
    }
    debug_assert_eq!(rest, 0, "more was to be added than there is room for");
    added
}
