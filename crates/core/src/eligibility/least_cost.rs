//! The eligibility problem with costs per value that may grow from change to change.

use lookalike_lp::eligibility::Allowed;
use lookalike_model::settings::{Fake, Ties};

use super::{
    Changes, Rate, Rates, WantedFault,
    additions::raise_rarest,
    check_domain, deletions,
    hybrid::{added_at, best_cap},
    largest,
};
use crate::Error;

/// Which of several answers of the same cost is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Among {
    /// Among caps.
    pub ties: Ties,
    /// Among values whose next counterfeit costs the same.
    pub fake: Fake,
}

/// The allowed changes of least total cost that make `counts` m-eligible; costs per value are monotone and convex
/// ([`Rate`]).
///
/// The cap argument of [`super::hybrid_exact`] survives (docs/eligibility.md): at a cap `t` the deletions are forced,
/// the additions go where the next one is cheapest, and the least cost is convex in `t`. `among`
/// decides between equally cheap values, the first one among equals, and between equally good caps. Deletions alone have
/// one answer whatever they cost. O(l log C log P) for a largest count C and a highest price P.
///
/// # Errors
/// [`Error::NotEligible`] if the domain has fewer than `m` values, or with deletions alone if fewer than `m` values
/// occur; [`Error::Wanted`] if `rates` do not fit, or if nothing is allowed.
pub fn least_cost(
    counts: &[u64],
    m: u64,
    allowed: Allowed,
    rates: &Rates,
    among: Among,
) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let l = counts.len();
    if rates.addition.len() != l || rates.deletion.len() != l {
        let (additions, deletions) = (rates.addition.len(), rates.deletion.len());
        return Err(WantedFault::Rates { values: l, additions, deletions }.into());
    }
    if rates.addition.iter().chain(&rates.deletion).any(|rate| rate.first == 0) {
        return Err(WantedFault::Free.into());
    }
    let top = largest(counts);
    let cap = match (allowed.additions, allowed.deletions) {
        (true, true) => best_cap(top, among.ties, |t| {
            let deleted = counts.iter().zip(&rates.deletion);
            let deleted =
                deleted.fold(0_u128, |sum, (c, rate)| sum.saturating_add(rate.of(c.saturating_sub(t))));
            deleted.saturating_add(Pouring::at(counts, m, t, &rates.addition).cost(&rates.addition))
        }),
        (true, false) => top,
        (false, true) => return deletions(counts, m),
        (false, false) => return Err(WantedFault::NoChange.into()),
    };
    Ok(at_cap(counts, m, cap, rates, among))
}

/// The changes of least cost at a cap.
pub(super) fn at_cap(counts: &[u64], m: u64, cap: u64, rates: &Rates, among: Among) -> Changes {
    let pouring = Pouring::at(counts, m, cap, &rates.addition);
    let below: Vec<u64> =
        counts.iter().zip(&pouring.cheaper).map(|(&c, &cheaper)| c.min(cap) + cheaper).collect();
    let last = match among.fake {
        Fake::Rarest => raise_rarest(&below, &pouring.equal, pouring.rest),
        Fake::Frequent => fill_frequent(&below, &pouring.equal, pouring.rest),
    };
    Changes {
        additions: pouring.cheaper.iter().zip(last).map(|(cheaper, last)| cheaper + last).collect(),
        deletions: counts.iter().map(|&c| c.saturating_sub(cap)).collect(),
    }
}

/// What each value gets when the most frequent one is filled up first, the first one among equals, then the next.
/// `amount` is at most the sum of `room`.
fn fill_frequent(counts: &[u64], room: &[u64], amount: u128) -> Vec<u64> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_unstable_by_key(|&value| (std::cmp::Reverse(counts[value]), value));
    let mut added = vec![0; counts.len()];
    let mut left = amount;
    for value in order {
        let here = u128::from(room[value]).min(left);
        left -= here;
        added[value] = here as u64;
    }
    debug_assert_eq!(left, 0, "more was to be added than there is room for");
    added
}

/// The cheapest way to add A(t) records below the cap t: all changes below a price, and some at that price.
struct Pouring {
    /// Cost of the dearest addition.
    price: u128,
    /// Additions below that price, per value.
    cheaper: Vec<u64>,
    /// Additions that would cost just that price, per value.
    equal: Vec<u64>,
    /// How many of these are needed.
    rest: u128,
}

impl Pouring {
    fn at(counts: &[u64], m: u64, t: u64, rates: &[Rate]) -> Self {
        let amount = added_at(counts, m, t);
        let room: Vec<u64> = counts.iter().map(|&c| t.saturating_sub(c)).collect();
        let affordable =
            |price: u128| rates.iter().zip(&room).map(move |(rate, &room)| rate.affordable(price, room));
        let (mut low, mut high) =
            (0, rates.iter().zip(&room).map(|(rate, &room)| rate.last(room)).max().unwrap_or(0));
        while low < high {
            let middle = low + (high - low) / 2;
            if affordable(middle).map(u128::from).sum::<u128>() >= amount {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let cheaper: Vec<u64> = match low.checked_sub(1) {
            Some(below) => affordable(below).collect(),
            None => vec![0; counts.len()],
        };
        let equal = affordable(low).zip(&cheaper).map(|(all, cheaper)| all - cheaper).collect();
        let rest = amount - cheaper.iter().map(|&a| u128::from(a)).sum::<u128>();
        Self { price: low, cheaper, equal, rest }
    }

    fn cost(&self, rates: &[Rate]) -> u128 {
        let cheaper = rates.iter().zip(&self.cheaper);
        let cheaper = cheaper.fold(0_u128, |sum, (rate, &amount)| sum.saturating_add(rate.of(amount)));
        cheaper.saturating_add(self.price.saturating_mul(self.rest))
    }
}
