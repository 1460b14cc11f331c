//! What the literature does, for comparison: random counterfeits, and the Cach table.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Changes, check_domain, is_eligible, largest, total};
use crate::Error;

/// Counterfeits with sensitive values drawn uniformly from the domain until the table is m-eligible: the scheme of
/// reference \[14\] of Tobar 2024 (Anjum and others, "tau-safety", 2017), as Tobar 2024 (section IV-B) compares with it. Its
/// authors expect at most `m - 1` of them; {10, 2} with m = 2 needs at least 8.
///
/// A draw of the most frequent value takes a step back; on average 1 - m/l of a draw is gained, nothing for m = l.
/// Therefore `limit` draws at most; `None` if they do not suffice.
///
/// # Errors
/// [`Error::NotEligible`] if the domain has fewer than `m` values.
pub fn random_counterfeits(
    counts: &[u64],
    m: u64,
    limit: u64,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Changes>, Error> {
    check_domain(counts, m)?;
    let mut x = counts.to_vec();
    let (mut n, mut top) = (total(counts), largest(counts));
    let mut changes = Changes::none(counts.len());
    for _ in 0..limit {
        if u128::from(m) * u128::from(top) <= n {
            break;
        }
        let value = rng.random_range(0..x.len());
        x[value] += 1;
        changes.additions[value] += 1;
        top = top.max(x[value]);
        n += 1;
    }
    Ok(is_eligible(&x, m).then_some(changes))
}

/// The Cach table of reference \[18\] of Tobar 2024 (Khan and others, 2022): one record of each value is taken out, and put
/// back as far as that helps; what stays out is not published. `None` if no choice of at most one record of each value
/// is enough.
///
/// A record of a value below the largest count C helps when it is put back. So either all are put back, or all but one
/// record of each of the k values with count C: the table becomes m-eligible iff m (C - 1) <= n - k.
///
/// # Errors
/// [`Error::NotEligible`] if the domain has fewer than `m` values.
pub fn cach_table(counts: &[u64], m: u64) -> Result<Option<Changes>, Error> {
    check_domain(counts, m)?;
    if is_eligible(counts, m) {
        return Ok(Some(Changes::none(counts.len())));
    }
    let top = largest(counts);
    let deletions: Vec<u64> = counts.iter().map(|&c| u64::from(c == top)).collect();
    let changes = Changes { additions: vec![0; counts.len()], deletions };
    let left = changes.apply(counts).filter(|left| is_eligible(left, m) && total(left) > 0);
    Ok(left.map(|_| changes))
}
