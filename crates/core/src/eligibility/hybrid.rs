//! The hybrid problem, solved exactly: the fewest additions and deletions together.

use lookalike_model::settings::Ties;

use super::{Changes, additions::raise_rarest, check_domain, largest, total};
use crate::Error;

/// The fewest changes that make `counts` m-eligible, additions and deletions together; the paper leaves this open.
///
/// For a cap `t` on the largest published count, `D(t) = sum max(0, c_i - t)` deletions and
/// `A(t) = max(0, m t - sum min(c_i, t))` additions are necessary and sufficient; `D + A` is convex in `t`, so the
/// best integer cap in `1..=c_max` is found by bisection. O(l (log l + log C)) for a largest
/// count C. Proof: `docs/eligibility.md`.
///
/// Among equally good caps the largest one is taken: it deletes the fewest records. Counterfeits go to the rarest
/// values, as in Algorithm 1. At least one record is left over; a value that is cut or that stands at the cap is never
/// faked.
///
/// # Errors
/// [`Error::NotEligible`] if the domain has fewer than `m` values.
pub fn hybrid_exact(counts: &[u64], m: u64) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let cost = |t| deleted_at(counts, t) + added_at(counts, m, t);
    let t = best_cap(largest(counts), Ties::FewestDeletions, cost);
    let capped: Vec<u64> = counts.iter().map(|&c| c.min(t)).collect();
    let room: Vec<u64> = capped.iter().map(|c| t - c).collect();
    let additions = raise_rarest(&capped, &room, added_at(counts, m, t));
    let deletions: Vec<u64> = counts.iter().zip(&capped).map(|(c, x)| c - x).collect();
    debug_assert!(
        counts.iter().zip(&additions).all(|(&c, &a)| c < t || a == 0),
        "a value at the cap is in every class; its records must be real"
    );
    Ok(Changes { additions, deletions })
}

/// The cap of least cost in `1..=most` for a convex cost; 0 if `most` is 0. Among equally good ones the largest has the
/// fewest deletions, the smallest the fewest additions.
pub(super) fn best_cap(most: u64, ties: Ties, cost: impl Fn(u64) -> u128) -> u64 {
    // The step from t to t + 1 pays off (or costs nothing) for every t below the answer and for none from it on.
    let (mut low, mut high) = (most.min(1), most);
    while low < high {
        let middle = low + (high - low) / 2;
        let (here, next) = (cost(middle), cost(middle + 1));
        if next < here || (next == here && ties == Ties::FewestDeletions) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// D(t).
fn deleted_at(counts: &[u64], t: u64) -> u128 {
    counts.iter().map(|&c| u128::from(c.saturating_sub(t))).sum()
}

/// A(t).
pub(super) fn added_at(counts: &[u64], m: u64, t: u64) -> u128 {
    (u128::from(m) * u128::from(t)).saturating_sub(total(counts) - deleted_at(counts, t))
}
