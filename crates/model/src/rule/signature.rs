//! Signatures that records keep (m-invariance, tau-safety): a record that was published before is in a class of exactly
//! the colours of its old one, each once (Tobar 2023, Definitions II.1 and II.2). Such a class has no largest size and is
//! never split. All other classes follow the rule of different colours: both kinds are one problem.

use crate::{
    Error,
    instance::{Instance, JobFault},
    job::Series,
    rule::{Infeasible, Rule},
};

lookalike_words::messages! {
    in "model";

    /// What contradicts itself in a series.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SeriesFault {
        /// The rule does not ask for different colours.
        NotDistinct,
        /// Not each record is told its signature.
        Bound {
            /// Records that are told theirs.
            told: usize,
            /// Records there are.
            records: usize,
        },
        /// A signature is no ascending list of enough colours.
        Signature {
            /// Its place, from 0.
            signature: usize,
            /// Fewest colours.
            least: usize,
        },
        /// A record is of a colour that its signature does not have.
        Colour {
            /// The record, from 0.
            record: usize,
        },
        /// A record has a signature that does not exist.
        NoSignature {
            /// The record, from 0.
            record: usize,
            /// The place of the signature, from 0.
            signature: usize,
        },
    }

    /// Why a class does not keep a signature.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SignatureFault {
        /// Two of its records keep different signatures.
        Two {
            /// One, from 0.
            one: u32,
            /// The other, from 0.
            other: u32,
        },
        /// It is not of the colours that a record keeps.
        Other {
            /// The record, from 0.
            record: u32,
        },
    }
}

/// Refuses a series that does not fit the records: lengths, places, order, colours.
///
/// # Errors
/// [`Error::Job`], with the first thing that does not fit.
pub fn check(series: &Series, rule: &Rule, reals: usize, colours: &[u32]) -> Result<(), Error> {
    let bad = |fault: SeriesFault| Err(Error::from(JobFault::Series(fault)));
    if !rule.distinct() {
        return bad(SeriesFault::NotDistinct);
    }
    let m = rule.min_size;
    if series.bound.len() != reals {
        return bad(SeriesFault::Bound { told: series.bound.len(), records: reals });
    }
    let last = colours.iter().copied().max().unwrap_or(0);
    for (at, signature) in series.signatures.iter().enumerate() {
        let ascending = signature.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || signature.len() < m || signature.last().is_none_or(|&colour| colour > last) {
            return bad(SeriesFault::Signature { signature: at, least: m });
        }
    }
    for (record, &bound) in series.bound.iter().enumerate() {
        let Some(place) = (bound as usize).checked_sub(1) else { continue };
        match series.signatures.get(place) {
            Some(signature) if signature.binary_search(&colours[record]).is_ok() => {}
            Some(_) => return bad(SeriesFault::Colour { record }),
            None => return bad(SeriesFault::NoSignature { record, signature: place }),
        }
    }
    Ok(())
}

/// The series of some of the records, in ascending order; `names` are the new names of the colours, `u32::MAX` for those
/// that are gone.
#[must_use]
pub fn part(series: &Series, records: &[u32], names: &[u32]) -> Series {
    let renamed = |signature: &Vec<u32>| {
        let mut new: Vec<u32> = signature.iter().map(|&colour| names[colour as usize]).collect();
        new.sort_unstable();
        new
    };
    Series {
        signatures: series.signatures.iter().map(renamed).collect(),
        bound: records.iter().filter_map(|&i| series.bound.get(i as usize)).copied().collect(),
        keep: series.keep,
    }
}

/// For each signature the records that must keep it, by the place of their colour in it; O(n + sum of sizes).
#[must_use]
pub fn survivors(instance: &Instance, series: &Series) -> Vec<Vec<Vec<u32>>> {
    let mut found: Vec<Vec<Vec<u32>>> =
        series.signatures.iter().map(|signature| vec![Vec::new(); signature.len()]).collect();
    for i in 0..instance.reals as u32 {
        let Some(place) = (instance.bound(i) as usize).checked_sub(1) else { continue };
        if let Ok(key) = series.signatures[place].binary_search(&instance.colours[i as usize]) {
            found[place][key].push(i);
        }
    }
    found
}

/// Records of each colour that must keep no signature and are left when every signature's classes are filled up, a
/// signature making as many classes as its most frequent colour has records.
///
/// # Errors
/// [`Error::Infeasible`] if there are too few records of a colour.
pub fn left(instance: &Instance, series: &Series) -> Result<Vec<usize>, Error> {
    let mut free = vec![0_usize; instance.colour_count];
    for i in 0..instance.records() as u32 {
        free[instance.colours[i as usize] as usize] += usize::from(instance.bound(i) == 0);
    }
    for (signature, lists) in series.signatures.iter().zip(survivors(instance, series)) {
        let classes = lists.iter().map(Vec::len).max().unwrap_or(0);
        for (&colour, list) in signature.iter().zip(&lists) {
            let missing = classes - list.len();
            let Some(rest) = free[colour as usize].checked_sub(missing) else {
                return Err(Infeasible::SignaturesLack { missing, there: free[colour as usize] }.into());
            };
            free[colour as usize] = rest;
        }
    }
    Ok(free)
}

/// Why a class is not admissible in a series; `None` if it is. Its colours are known to differ.
#[must_use]
pub fn fault(instance: &Instance, members: &[u32]) -> Option<SignatureFault> {
    instance.series.as_ref()?;
    let (first, bound) = members.iter().map(|&i| (i, instance.bound(i))).find(|(_, bound)| *bound > 0)?;
    if let Some(&other) = members.iter().find(|&&i| ![0, bound].contains(&instance.bound(i))) {
        return Some(SignatureFault::Two { one: first, other });
    }
    let mut colours: Vec<u32> = members.iter().map(|&i| instance.colours[i as usize]).collect();
    colours.sort_unstable();
    (instance.signature(bound) != Some(&colours[..])).then_some(SignatureFault::Other { record: first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixtures::instance, partition::Partition, rule::Rule};

    fn series(signatures: &[&[u32]], bound: &[u32]) -> Series {
        let signatures = signatures.iter().map(|signature| signature.to_vec()).collect();
        Series { signatures, bound: bound.to_vec(), keep: false }
    }

    #[test]
    fn a_series_that_does_not_fit_is_refused() {
        let colours = [0, 1, 2, 0];
        let rule = Rule::all_different(2);
        let good = series(&[&[0, 2]], &[1, 0, 1, 0]);
        assert!(check(&good, &rule, 4, &colours).is_ok());
        assert!(check(&good, &Rule::at_least(2), 4, &colours).is_err());
        for bad in [
            series(&[&[2, 0]], &[1, 0, 1, 0]),
            series(&[&[0]], &[1, 0, 0, 0]),
            series(&[&[0, 3]], &[1, 0, 0, 0]),
            series(&[&[0, 2]], &[0, 1, 0, 0]),
            series(&[&[0, 2]], &[2, 0, 0, 0]),
            series(&[&[0, 2]], &[1, 0, 1]),
        ] {
            assert!(matches!(check(&bad, &rule, 4, &colours), Err(Error::Job { .. })), "{bad:?}");
        }
    }

    #[test]
    fn classes_of_old_records_are_their_signatures() {
        let mut table = instance(1, &[0., 1., 2., 3., 4.], &[0, 1, 2, 0, 1]);
        table.series = Some(series(&[&[0, 1], &[0, 2]], &[1, 0, 2, 0, 0]));
        let rule = Rule::all_different(2);
        let check = |labels: &[u32]| Partition::from_labels(labels).check(&table, &rule);
        assert!(check(&[0, 0, 1, 1, 0]).is_err(), "a colour twice");
        assert!(check(&[0, 1, 1, 1, 0]).is_err(), "a third value in the class of record 2");
        assert!(check(&[0, 1, 0, 1, 0]).is_err(), "two signatures in one class");
        let mut six = instance(1, &[0., 1., 2., 3., 4., 5.], &[0, 1, 2, 0, 1, 0]);
        six.series = Some(series(&[&[0, 1], &[0, 2]], &[1, 0, 2, 0, 0, 0]));
        assert!(Partition::from_labels(&[0, 0, 1, 1, 2, 2]).check(&six, &rule).is_ok());
        assert_eq!(left(&six, six.series.as_ref().unwrap()).unwrap(), [1, 1, 0]);
        // With no free record of colour 1 the first signature cannot be filled up.
        let mut few = instance(1, &[0., 1., 2., 3.], &[0, 2, 0, 1]);
        few.series = Some(series(&[&[0, 1], &[1, 2]], &[1, 2, 0, 0]));
        assert!(matches!(left(&few, few.series.as_ref().unwrap()), Err(Error::Infeasible(_))));
    }
}
