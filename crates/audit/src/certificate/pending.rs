//! What a record that joins adds to the terms of the cuts, at least.

use super::Certificate;

/// The share of a record in these cuts' terms if it is one of `open` records that are still to come.
///
/// `inside` has for each cut how many of its records are chosen. A cut of divisor p with as many over a multiple of p as it
/// can hold, p - 1, is charged ceil(q / p) times if q more of its records come: that is at least q / min(p, open) for any q of
/// `open`, so each of them is charged sigma / min(p, open). Other cuts may not be charged at all.
pub(super) fn pending(certificate: &Certificate, cuts: &[u32], inside: &[u32], open: usize) -> f64 {
    let share = |&index: &u32| {
        let cut = &certificate.cuts[index as usize];
        let full = (inside[index as usize] + 1).is_multiple_of(cut.divisor);
        if full { cut.sigma / (cut.divisor as usize).min(open) as f64 } else { 0.0 }
    };
    cuts.iter().map(share).sum()
}
