//! Bucketization as in the literature on m-invariance (Xiao and Tao 2007; Tobar 2023, section II-A): assignment of the
//! records to balanced buckets, then recursive halving of each bucket. O(n log n) a level of halving.
//! Without colours everything is one bucket, and the halving alone remains.

use lookalike_model::{instance::Instance, partition::Partition, rule::Rule};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{
    buckets::{Bucket, assign, partition, places, trim},
    construction::{Construction, Partial},
};

/// Bucketization with a seeded choice of which record of a colour enters which bucket.
///
/// The instance must be feasible for the rule ([`Rule::feasible`]).
#[must_use]
pub fn classic(instance: &Instance, rule: &Rule, seed: u64) -> Partition {
    let mut halving = Halving::of_all(instance, rule.clone(), seed);
    while halving.advance(instance).is_some() {}
    partition(instance, &halving.classes, rule)
}

/// Balanced buckets being halved.
pub(super) struct Halving {
    rule: Rule,
    places: Vec<u32>,
    open: Vec<Bucket>,
    classes: Vec<Vec<u32>>,
}

impl Halving {
    /// The assignment of all records, to be halved.
    pub(super) fn of_all(instance: &Instance, rule: Rule, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let places = places(instance, &mut rng);
        let open = if rule.distinct() {
            assign(instance, rule.min_size, &mut rng)
        } else {
            vec![vec![(0..instance.records() as u32).collect()]]
        };
        Self { rule, places, open, classes: Vec::new() }
    }

    /// These buckets, to be halved.
    pub(super) fn new(instance: &Instance, rule: Rule, open: Vec<Bucket>, seed: u64) -> Self {
        let places = places(instance, &mut ChaCha8Rng::seed_from_u64(seed));
        Self { rule, places, open, classes: Vec::new() }
    }
}

impl Construction for Halving {
    /// Halves a bucket once, or makes classes of it.
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let bucket = self.open.pop()?;
        let size = bucket.iter().map(Vec::len).sum();
        match halve(instance, &self.places, bucket, self.rule.min_size) {
            Ok([low, high]) => self.open.extend([low, high]),
            Err(leaf) => self.classes.extend(trim(instance, leaf.concat(), &self.rule)),
        }
        Some(size)
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial { classes: self.classes, open: self.open }
    }
}

/// Halves a bucket along the attribute in which it is widest, each key's list at the same length, so that both halves
/// stay balanced. `Err` gives back a bucket too small to halve.
fn halve(instance: &Instance, places: &[u32], mut bucket: Bucket, min: usize) -> Result<[Bucket; 2], Bucket> {
    let length = bucket.first().map_or(0, Vec::len);
    if length < 2 || length / 2 * bucket.len() < min {
        return Err(bucket);
    }
    let extent = |j: usize| {
        let (low, high) = bucket.iter().flatten().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &i| {
            let x = instance.coordinate(places[i as usize], j);
            (a.min(x), b.max(x))
        });
        high - low
    };
    let widest =
        (0..instance.dims).map(|j| (j, extent(j))).fold((0, -1.0), |a, b| if b.1 > a.1 { b } else { a }).0;
    let key = |i: u32| instance.coordinate(places[i as usize], widest);
    let mut high = Vec::with_capacity(bucket.len());
    for list in &mut bucket {
        list.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        high.push(list.split_off(length / 2));
    }
    Ok([bucket, high])
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, rule::Rule};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halving_follows_the_widest_attribute() {
        // Widest in the second attribute: {0, 2} low and {1, 3} high.
        let instance = instance(2, &[0., 0., 1., 9., 2., 1., 3., 8.], &[0; 4]);
        assert_eq!(classic(&instance, &Rule::at_least(2), 1).labels, [0, 1, 0, 1]);
    }

    proptest! {
        #[test]
        fn every_eligible_table_is_partitioned(
            counts in prop::collection::vec(1usize..9, 2..9), m in 2usize..5, seed: u64,
        ) {
            let colours: Vec<u32> =
                counts.iter().enumerate().flat_map(|(c, &n)| std::iter::repeat_n(c as u32, n)).collect();
            let points: Vec<f64> = (0..colours.len()).map(|i| (i * 7 % 13) as f64).collect();
            let instance = instance(1, &points, &colours);
            let rule = Rule::all_different(m);
            if rule.feasible(&instance).is_ok() {
                let partition = classic(&instance, &rule, seed);
                prop_assert!(partition.check(&instance, &rule).is_ok());
            }
            let rule = Rule::at_least(m);
            if rule.feasible(&instance).is_ok() {
                let partition = classic(&instance, &rule, seed);
                prop_assert!(partition.check(&instance, &rule).is_ok());
                let largest = partition.members().iter().map(Vec::len).max();
                prop_assert!(largest <= Some(2 * m - 1));
            }
        }
    }
}
