//! The hybrid problem with a cost per value.

use super::{
    Changes, Costs,
    additions::raise_rarest,
    check_domain,
    hybrid::{added_at, largest_best_cap},
    largest,
};
use crate::Error;

/// The changes of least total cost that make `counts` m-eligible, where adding and deleting a record of each value
/// has its own cost (at least 1).
///
/// The cap argument of [`super::hybrid_exact`] holds: at a cap `t` the deletions are forced, and the additions go to
/// the cheapest values that have room below `t`; the least cost is convex in `t`. Among values of equal cost the
/// rarest is faked first. O(l (log l + log C)) for a largest count C.
///
/// # Errors
/// [`Error::Infeasible`] if the domain has fewer than `m` values; [`Error::Input`] if `costs` do not fit.
pub fn cheapest(counts: &[u64], m: u64, costs: &Costs) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let l = counts.len();
    if costs.addition.len() != l || costs.deletion.len() != l {
        return Err(Error::Input(format!(
            "{l} sensitive values, but costs of {} additions and {} deletions",
            costs.addition.len(),
            costs.deletion.len()
        )));
    }
    if costs.addition.iter().chain(&costs.deletion).any(|&cost| cost == 0) {
        return Err(Error::Input(String::from("a change must cost at least 1")));
    }
    let mut by_cost: Vec<usize> = (0..l).collect();
    by_cost.sort_unstable_by_key(|&value| (costs.addition[value], value));

    let t = largest_best_cap(largest(counts), |t| {
        let deletions = counts.iter().zip(&costs.deletion);
        let deleted: u128 = deletions.map(|(&c, &cost)| product(c.saturating_sub(t), cost)).sum();
        let mut left = added_at(counts, m, t);
        let added = by_cost.iter().map(|&value| {
            let amount = u128::from(t.saturating_sub(counts[value])).min(left);
            left -= amount;
            amount * u128::from(costs.addition[value])
        });
        deleted + added.sum::<u128>()
    });

    let mut additions = vec![0; l];
    let mut left = added_at(counts, m, t);
    for equals in by_cost.chunk_by(|&a, &b| costs.addition[a] == costs.addition[b]) {
        let capped: Vec<u64> = equals.iter().map(|&value| counts[value].min(t)).collect();
        let room: u128 = capped.iter().map(|&x| u128::from(t - x)).sum();
        let amount = room.min(left);
        left -= amount;
        for (&value, added) in equals.iter().zip(raise_rarest(&capped, amount)) {
            additions[value] = added;
        }
    }
    Ok(Changes { additions, deletions: counts.iter().map(|&c| c.saturating_sub(t)).collect() })
}

fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}
