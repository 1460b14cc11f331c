//! Whether matchings are what they should be.

use lookalike_model::freeform::Freeform;

use crate::Error;

/// Checks that there are k matchings of n records, each a permutation, no pair in two of them.
///
/// # Errors
/// [`Error::Answer`] with the first violation.
pub(crate) fn verify(freeform: &Freeform, n: usize, k: usize) -> Result<(), Error> {
    let bad = |what: String| Err(Error::Answer(what));
    let matchings = &freeform.matchings;
    if matchings.len() != k {
        return bad(format!("{} matchings where k = {k}", matchings.len()));
    }
    for (at, matching) in matchings.iter().enumerate() {
        let mut taken = vec![false; n];
        if matching.len() != n {
            return bad(format!("matching {at} has {} of {n} records", matching.len()));
        }
        for &row in matching {
            match taken.get_mut(row as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => return bad(format!("matching {at} gives row {row} twice, or there is no such row")),
            }
        }
    }
    for record in 0..n {
        let mut rows: Vec<u32> = matchings.iter().map(|matching| matching[record]).collect();
        rows.sort_unstable();
        if rows.windows(2).any(|w| w[0] == w[1]) {
            return bad(format!("record {record} is matched with a row twice"));
        }
    }
    Ok(())
}
