//! What absence from a published table tells.

use super::{Choice, Known, RepairUsed};

/// How many values a person may have held who was deleted: those at the cap. `None` if no source with a deletion leads
/// to these counts.
///
/// With t the largest published count, s = n - m t and q the number of values that were cut: Algorithm 2 stops at the
/// largest cap that will do, so m (t + 1) > n + q, that is, q < m - s. The hybrid's cap is no worse than t + 1, so
/// 2 q <= m - s. One value at least was cut.
#[must_use]
pub fn absent_values(counts: &[u64], known: &Known) -> Option<usize> {
    if known.deletions == Some(0) {
        return None;
    }
    let cap = counts.iter().copied().max()?;
    let total: u128 = counts.iter().map(|&x| u128::from(x)).sum();
    let (m, slack) = (u128::from(known.m), total.checked_sub(u128::from(known.m) * u128::from(cap))?);
    let possible = match known.way {
        RepairUsed::Untouched | RepairUsed::Add => false,
        RepairUsed::Delete => m > slack + 1,
        // With costs of its own it may be as large as the deletions alone leave it.
        RepairUsed::Hybrid if known.choice == Choice::Cheapest => m > slack + 1,
        RepairUsed::Hybrid => m >= slack + 2,
    };
    possible.then(|| counts.iter().filter(|&&x| x == cap).count())
}
