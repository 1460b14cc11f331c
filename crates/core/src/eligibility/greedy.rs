//! Algorithm 3: additions and deletions chosen greedily. For comparison; [`super::hybrid_exact`] is optimal.

use super::{Changes, check_domain, is_eligible, total};
use crate::Error;

/// Algorithm 3 as published: as long as `counts` is not m-eligible, either delete a record of the most frequent value
/// or add a counterfeit of the rarest, whichever leaves the smaller `R = sum max(0, c_i - n/m)`; the deletion in a
/// tie; the first value among equally frequent ones.
///
/// R is compared as the integer `m R`: in floating point some ties are decided otherwise. Not always optimal:
/// {3,3,3,2,2,2,1,1} with m = 7 takes 4 changes, where 3 do. A value is never both added to and deleted from, as the
/// two changes are netted. O(l) a change; meant for comparisons on tables of moderate size.
///
/// # Errors
/// [`Error::NotEligible`] if the domain has fewer than `m` values.
pub fn hybrid_greedy(counts: &[u64], m: u64) -> Result<Changes, Error> {
    check_domain(counts, m)?;
    let mut x = counts.to_vec();
    while !is_eligible(&x, m) {
        let (Some(rarest), Some(most_frequent)) = (
            (0..x.len()).min_by_key(|&value| (x[value], value)),
            (0..x.len()).min_by_key(|&value| (std::cmp::Reverse(x[value]), value)),
        ) else {
            break;
        };
        let n = total(&x);
        x[most_frequent] -= 1;
        let deleted = violation(&x, m, n - 1);
        x[most_frequent] += 1;
        x[rarest] += 1;
        let added = violation(&x, m, n + 1);
        if deleted <= added {
            x[rarest] -= 1;
            x[most_frequent] -= 1;
        }
    }
    Ok(Changes {
        additions: x.iter().zip(counts).map(|(x, c)| x.saturating_sub(*c)).collect(),
        deletions: counts.iter().zip(&x).map(|(c, x)| c.saturating_sub(*x)).collect(),
    })
}

/// `m R = sum max(0, m c_i - n)`.
fn violation(counts: &[u64], m: u64, n: u128) -> u128 {
    counts.iter().map(|&c| (u128::from(m) * u128::from(c)).saturating_sub(n)).sum()
}
