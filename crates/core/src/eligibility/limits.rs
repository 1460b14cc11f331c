//! What classes and deletions must keep beside eligibility: real people in each class, and what a deletion tells.

use lookalike_model::settings::{Repair, Ties};
use lookalike_words::Figure;

use super::{Changes, NotEligible, Rates, Wanted, largest, least_cost::at_cap, total};
use crate::Error;

/// Limits of the changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Real records that each class is to have, at least 1.
    pub real: u64,
    /// The largest probability that a value may have for a person who was deleted, if there is one.
    pub absent: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { real: 1, absent: None }
    }
}

impl Limits {
    /// Whether a table of these counts keeps the limits after the changes.
    ///
    /// There are at least as many classes as records of the most frequent value, and there is a partition into so many in
    /// which each class has the mean number of real records or one next to it (docs/eligibility.md).
    #[must_use]
    pub fn hold(&self, counts: &[u64], changes: &Changes) -> bool {
        self.enough_real(counts, changes) && self.told(&changes.deletions).is_none()
    }

    fn enough_real(&self, counts: &[u64], changes: &Changes) -> bool {
        let added: u128 = changes.additions.iter().map(|&a| u128::from(a)).sum();
        let Some(after) = changes.apply(counts) else { return false };
        added == 0 || total(&after) - added >= u128::from(self.real) * u128::from(largest(&after))
    }

    /// The probability of a value for a person who was deleted, if it is above what is allowed.
    fn told(&self, deletions: &[u64]) -> Option<f64> {
        let all: u64 = deletions.iter().sum();
        let told = largest(deletions) as f64 / all as f64;
        self.absent.filter(|most| all > 0 && told > most + ROUNDING).map(|_| told)
    }
}

/// A third is 0.3333 to people.
const ROUNDING: f64 = 1e-3 / 3.0;

/// The cheapest changes within the limits, where the cheapest of all are not.
///
/// With fewer records of the most frequent value there are fewer classes, and the same people are more for each; and the
/// share of one value among those deleted never rises as the cap falls: at a cap t it is (c - t) / sum `max(0, c_i - t)` for the largest
/// count c, whose numerator falls by 1 and whose denominator by the number of values above t, with each of them at most c.
/// So the caps within the limits are all up to one of them, and perhaps the largest count, at which nothing is deleted. Costs are
/// convex in the cap, and the best one is above: the last one within is the best of those.
///
/// # Errors
/// [`Error::NotEligible`] if no changes of the kind asked for are within.
pub(super) fn within(counts: &[u64], m: u64, wanted: &Wanted) -> Result<Changes, Error> {
    let order = order(counts.len(), &wanted.order);
    let permuted: Vec<u64> = order.iter().map(|&value| counts[value]).collect();
    let rates = wanted.rates.clone().unwrap_or_else(|| Rates::unit(counts.len())).permuted(&order);
    let at = |cap| at_cap(&permuted, m, cap, &rates, wanted.among);
    let holds = |cap: u64| wanted.limits.hold(&permuted, &at(cap));
    let top = largest(counts);
    if wanted.way != Repair::Hybrid {
        return Err(refused(counts, m, wanted, &at(top), (1..top).any(holds)));
    }
    let (mut low, mut high) = (0, top.saturating_sub(1));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    let cost = |cap| rates.of(&at(cap));
    let cap = match (low > 0, holds(top)) {
        (false, false) => return Err(refused(counts, m, wanted, &at(top), false)),
        (true, false) => low,
        (false, true) => top,
        (true, true) if cost(low) == cost(top) => match wanted.among.ties {
            Ties::FewestDeletions => top,
            Ties::FewestAdditions => low,
        },
        (true, true) => {
            if cost(low) < cost(top) {
                low
            } else {
                top
            }
        }
    };
    let Changes { additions, deletions } = at(cap);
    let back = |amounts: Vec<u64>| {
        let mut by_value = vec![0; amounts.len()];
        for (&value, amount) in order.iter().zip(amounts) {
            by_value[value] = amount;
        }
        by_value
    };
    Ok(Changes { additions: back(additions), deletions: back(deletions) })
}

/// All values in the order in which they are changed among equals.
fn order(values: usize, wanted: &[usize]) -> Vec<usize> {
    if wanted.is_empty() { (0..values).collect() } else { wanted.to_vec() }
}

/// Why there are no changes of the kind asked for.
fn refused(counts: &[u64], m: u64, wanted: &Wanted, added: &Changes, hybrid: bool) -> Error {
    if wanted.way == Repair::Delete
        && let Ok(Changes { deletions, .. }) = super::deletions(counts, m)
        && let Some(told) = wanted.limits.told(&deletions)
    {
        let most = Figure::shortest(wanted.limits.absent.unwrap_or(1.0));
        return NotEligible::ToldByDeletion { most, told: Figure::shortest((told * 1e4).round() / 1e4) }
            .into();
    }
    let classes = added.apply(counts).map_or(1, |after| largest(&after)).max(1);
    let largest = u64::try_from(total(counts) / u128::from(classes)).unwrap_or(u64::MAX).max(1);
    NotEligible::TooFewReal { real: wanted.limits.real, largest, hybrid }.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eligibility::{Backend, is_eligible, repair};

    /// All changes of tables so small that none can be overlooked.
    fn cheapest_by_hand(counts: &[u64], m: u64, limits: Limits) -> Option<u64> {
        let most = counts.iter().max().copied().unwrap_or(0);
        let mut best = None;
        let mut after = vec![0; counts.len()];
        loop {
            let additions: Vec<u64> =
                after.iter().zip(counts).map(|(&x, &c): (&u64, &u64)| x.saturating_sub(c)).collect();
            let deletions: Vec<u64> = after.iter().zip(counts).map(|(&x, &c)| c.saturating_sub(x)).collect();
            let (added, gone) = (additions.iter().sum::<u64>(), deletions.iter().sum::<u64>());
            let (all, top) = (after.iter().sum::<u64>(), *after.iter().max().unwrap());
            let enough = added == 0 || all - added >= limits.real * top;
            let told = deletions.iter().max().map_or(0.0, |&d| d as f64 / gone.max(1) as f64);
            // No more is deleted of a value than its excess over the largest count.
            let forced = deletions.iter().zip(&after).all(|(&d, &x)| d == 0 || x == top);
            let hidden = gone == 0 || limits.absent.is_none_or(|most| told <= most + ROUNDING);
            if forced && all > 0 && is_eligible(&after, m) && enough && hidden {
                best = Some(best.unwrap_or(u64::MAX).min(added + gone));
            }
            let Some(at) = after.iter().position(|&x| x < most) else { return best };
            after[at] += 1;
            after[..at].fill(0);
        }
    }

    proptest! {
        #[test]
        fn the_cheapest_changes_within_limits_are_those_of_all_tables(
            counts in prop::collection::vec(0_u64..7, 2..5), m in 2_u64..4, real in 1_u64..4, third in any::<bool>(),
        ) {
            let limits = Limits { real: real.min(m), absent: third.then_some(0.5) };
            prop_assume!(counts.len() as u64 >= m && counts.iter().sum::<u64>() > 0 && !is_eligible(&counts, m));
            let wanted = Wanted { limits, ..Wanted::fewest(Repair::Hybrid) };
            let found = repair(&counts, m, &wanted, Backend::Microlp).map(|plan| plan.changes);
            let best = cheapest_by_hand(&counts, m, limits);
            if let Ok(changes) = found {
                prop_assert!(limits.hold(&counts, &changes));
                prop_assert_eq!(Some(changes.added() + changes.deleted()), best);
            } else {
                prop_assert_eq!(best, None);
            }
        }
    }
}
