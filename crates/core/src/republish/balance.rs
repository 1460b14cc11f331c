//! Balancing: records that were published before stay in classes of their old signature (Tobar 2024, sections II-B and
//! III; Xiao and Tao's second phase).
//!
//! Surviving records are classified into buckets by the signature of their last class. A bucket becomes as many classes
//! as its most frequent value has survivors, and each class holds each value of the signature once; what is missing is
//! filled with new records, then with counterfeits. Everything here works on counts; whose record fills which gap is a
//! question of loss, not of counterfeits.

use super::SeriesFault;
use crate::Error;

/// Survivors of one signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Sensitive values of the signature, ascending and different.
    pub signature: Vec<u32>,
    /// Surviving records of each of these values.
    pub survivors: Vec<u64>,
}

/// A bucket with what fills it up; each entry stands for a value of the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balanced {
    /// Classes that the bucket becomes: each value occurs that often.
    pub classes: u64,
    /// New records that enter.
    pub new: Vec<u64>,
    /// Counterfeits that enter.
    pub counterfeits: Vec<u64>,
}

/// The buckets filled up, and what is left of the new records per value. Buckets earlier in the list are served first.
///
/// No other choice of new records needs fewer counterfeits in total, those included that [`crate::eligibility::additions`]
/// adds to the rest: a new record that stays out of a bucket costs one counterfeit there, and saves at most one in the
/// rest, where the additions `max(0, m c_max - n)` fall by at most one for each record more (docs/eligibility.md).
///
/// # Errors
/// [`Error::Series`] for a signature that is not ascending, is of another length than its survivors, or holds a value
/// beyond `new`.
pub fn balance(buckets: &[Bucket], new: &[u64]) -> Result<(Vec<Balanced>, Vec<u64>), Error> {
    let mut rest = new.to_vec();
    let mut balanced = Vec::with_capacity(buckets.len());
    for (at, bucket) in buckets.iter().enumerate() {
        let values = &bucket.signature;
        let fits = values.len() == bucket.survivors.len()
            && values.windows(2).all(|pair| pair[0] < pair[1])
            && values.last().is_none_or(|&value| (value as usize) < rest.len());
        if !fits {
            let Bucket { signature, survivors } = bucket.clone();
            return Err(SeriesFault::Bucket { place: at, signature, survivors }.into());
        }
        let classes = bucket.survivors.iter().copied().max().unwrap_or(0);
        let missing = bucket.survivors.iter().map(|survivors| classes - survivors);
        let mut filled = Balanced { classes, new: Vec::new(), counterfeits: Vec::new() };
        for (&value, missing) in values.iter().zip(missing) {
            let entering = missing.min(rest[value as usize]);
            rest[value as usize] -= entering;
            filled.new.push(entering);
            filled.counterfeits.push(missing - entering);
        }
        balanced.push(filled);
    }
    Ok((balanced, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eligibility::additions;

    fn bucket(signature: &[u32], survivors: &[u64]) -> Bucket {
        Bucket { signature: signature.to_vec(), survivors: survivors.to_vec() }
    }

    #[test]
    fn new_records_fill_the_gaps_first() {
        let buckets = [bucket(&[0, 1], &[3, 1]), bucket(&[1, 2, 3], &[0, 0, 1])];
        let (balanced, rest) = balance(&buckets, &[5, 2, 2, 0]).unwrap();
        assert_eq!(balanced[0], Balanced { classes: 3, new: vec![0, 2], counterfeits: vec![0, 0] });
        assert_eq!(balanced[1], Balanced { classes: 1, new: vec![0, 1, 0], counterfeits: vec![1, 0, 0] });
        assert_eq!(rest, [5, 0, 1, 0]);
        // A bucket without survivors is gone.
        let (gone, rest) = balance(&[bucket(&[0, 1], &[0, 0])], &[1, 1]).unwrap();
        assert_eq!((gone[0].classes, rest), (0, vec![1, 1]));
        for bad in [bucket(&[1, 0], &[1, 1]), bucket(&[0, 9], &[1, 1]), bucket(&[0, 1], &[1])] {
            let refused = balance(&[bad], &[1, 1]);
            assert!(
                matches!(refused, Err(Error::Series(why)) if matches!(*why, SeriesFault::Bucket { place: 0, .. }))
            );
        }
    }

    /// Counterfeits if each gap takes as many new records as `choice` says.
    fn total(gaps: &[(usize, u64)], new: &[u64], choice: &[u64], m: u64) -> Option<u64> {
        let mut rest = new.to_vec();
        let mut fakes = 0;
        for (&(value, missing), &taken) in gaps.iter().zip(choice) {
            rest[value] = rest[value].checked_sub(taken)?;
            fakes += missing.checked_sub(taken)?;
        }
        additions(&rest, m).ok().map(|changes| fakes + changes.added())
    }

    proptest! {
        #[test]
        fn no_other_filling_needs_fewer_counterfeits(
            new in prop::collection::vec(0_u64..4, 3),
            survivors in prop::collection::vec(prop::collection::vec(0_u64..3, 2), 1..3),
            m in 2_u64..4,
        ) {
            let buckets: Vec<Bucket> = survivors
                .iter()
                .zip([[0, 1], [1, 2]])
                .map(|(s, signature)| bucket(&signature, s))
                .collect();
            let (balanced, rest) = balance(&buckets, &new).unwrap();
            let ours = balanced.iter().flat_map(|b| &b.counterfeits).sum::<u64>()
                + additions(&rest, m).unwrap().added();
            let gaps: Vec<(usize, u64)> = buckets
                .iter()
                .flat_map(|b| {
                    let classes = b.survivors.iter().copied().max().unwrap_or(0);
                    b.signature.iter().zip(&b.survivors).map(move |(&v, s)| (v as usize, classes - s)).collect::<Vec<_>>()
                })
                .collect();
            let mut choice = vec![0; gaps.len()];
            loop {
                if let Some(theirs) = total(&gaps, &new, &choice, m) {
                    prop_assert!(ours <= theirs, "{:?}", choice);
                }
                let Some(i) = choice.iter().zip(&gaps).position(|(taken, (_, missing))| taken < missing) else { break };
                choice[i] += 1;
                choice[..i].fill(0);
            }
        }
    }
}
