//! Column generation over several releases: which classes there are when some records keep a signature.
//!
//! A class of records that keep signature S has exactly the colours of S, and its other records keep S or none. A class
//! without such records follows the rule. So the classes are the union of *families*: one for the records that keep
//! nothing, and one for each signature, with the records of its colours that keep it or nothing, in which every class has
//! one record of each colour. A family is a problem of different colours by itself, whose sizes are known; its pricings
//! are those of such problems. Whoever prices all families has looked at every class.

use lookalike_model::job::Series;

use super::{
    ExactFault,
    loss::Priceable,
    problem::{Problem, Sizes},
};
use crate::Error;

/// Most entries of the tables of distances of all families together: 288 MB, as for one problem.
const MOST_ENTRIES: usize = 6000 * 6000;

/// Some of the types as a problem by itself.
#[derive(Debug)]
pub struct Family {
    /// Its types in the whole problem, ascending.
    pub types: Vec<u32>,
    /// The problem; its types are places in `types`.
    pub problem: Problem,
}

/// The families of a problem with a series; the problem's sizes are those of classes whose records keep nothing.
pub(super) fn families<L: Priceable>(
    problem: &Problem,
    loss: &L,
    series: &Series,
) -> Result<Vec<Family>, Error> {
    let (instance, records, sizes) = (&problem.instance, &problem.records, problem.sizes());
    let bound = |t: u32| instance.bound(records[t as usize][0]);
    let colour = |t: u32| instance.colours[records[t as usize][0] as usize];
    let all = || 0..records.len() as u32;
    let free: Vec<u32> = all().filter(|&t| bound(t) == 0).collect();
    let mut parts: Vec<(Vec<u32>, Sizes)> = vec![(free, sizes)];
    for (signature, place) in series.signatures.iter().zip(1..) {
        let of = |t: &u32| [0, place].contains(&bound(*t)) && signature.binary_search(&colour(*t)).is_ok();
        let types: Vec<u32> = all().filter(of).collect();
        if types.iter().any(|&t| bound(t) == place) {
            let size = signature.len();
            parts.push((types, Sizes { min: size, max: size, ..sizes }));
        }
    }
    parts.retain(|(types, _)| !types.is_empty());
    let entries: usize = parts.iter().map(|(types, _)| types.len() * types.len()).sum();
    if entries > MOST_ENTRIES {
        return Err(ExactFault::TooManyFit { signatures: series.signatures.len() }.into());
    }
    let family = |(types, sizes): (Vec<u32>, Sizes)| {
        let lists = types.iter().map(|&t| records[t as usize].clone()).collect();
        Ok(Family { problem: Problem::part(instance, loss, lists, sizes, &problem.params)?, types })
    };
    parts.into_iter().map(family).collect()
}
