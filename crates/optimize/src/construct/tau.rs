//! Tau: bucketization as in `classic`, but each bucket is cut by nearest neighbours across its keys (the partitioning
//! of the tau-safety papers; Tobar 2023, section II-A and Tables IV and V).
//!
//! Of a bucket with equally many records of each colour: the record farthest from the bucket's centroid and, of every
//! other colour, the record left that is nearest to it are a class; again until the bucket is empty. O(n log n) in few
//! attributes.

use lookalike_model::{
    instance::{Instance, LANE, Lane, distance2},
    rule::Rule,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{
    buckets::{Bucket, assign, places, trim},
    construction::{Construction, Partial},
    unassigned::{Tree, Unassigned},
};

/// Bucketization with classes of nearest neighbours. The rule must ask for different colours.
pub(super) struct Tau {
    rule: Rule,
    /// The instance, but counterfeits stand at the point of a real record.
    placed: Instance,
    open: Vec<Bucket>,
    group: Option<Group>,
    classes: Vec<Vec<u32>>,
}

/// A bucket being cut into classes: its centroid, and what is left of each key.
struct Group {
    centroid: Vec<Lane>,
    pools: Vec<Tree>,
}

impl Tau {
    pub(super) fn new(instance: &Instance, rule: Rule, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let places = places(instance, &mut rng);
        let points = places.iter().flat_map(|&i| instance.point(i)).copied().collect();
        let placed = Instance { points, ..instance.clone() };
        let mut open = assign(instance, rule.min_size, &mut rng);
        open.reverse();
        Self { rule, placed, open, group: None, classes: Vec::new() }
    }
}

impl Construction for Tau {
    /// Opens a bucket, or makes one class.
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let Some(group) = &mut self.group else {
            let bucket = self.open.pop()?;
            let size = bucket.iter().map(Vec::len).sum();
            self.group = Some(Group::new(&self.placed, bucket));
            return Some(size);
        };
        let keys = group.pools.len();
        match group.class(&self.placed) {
            Some(class) => self.classes.extend(trim(instance, class, &self.rule)),
            None => self.group = None,
        }
        // A query of a tree looks at some ten points, about.
        Some(20 * keys)
    }

    fn leave(self: Box<Self>) -> Partial {
        let mut open = self.open;
        // Every class takes one record of each key, so that what is left of a bucket is balanced.
        open.extend(self.group.map(|group| group.pools.iter().map(Tree::rest).collect::<Bucket>()));
        open.retain(|bucket| bucket.iter().any(|list| !list.is_empty()));
        Partial { classes: self.classes, open }
    }
}

impl Group {
    fn new(placed: &Instance, bucket: Bucket) -> Self {
        let count = bucket.iter().map(Vec::len).sum::<usize>() as f64;
        let mut centroid = vec![[0.0; LANE]; placed.lanes];
        for &i in bucket.iter().flatten() {
            for (c, x) in centroid.iter_mut().zip(placed.point(i)) {
                for l in 0..LANE {
                    c[l] += x[l] / count;
                }
            }
        }
        Self { centroid, pools: bucket.into_iter().map(|list| Tree::new(placed, list)).collect() }
    }

    /// The record farthest from the centroid, and of every other key the one nearest to it.
    fn class(&mut self, placed: &Instance) -> Option<Vec<u32>> {
        let far = self.pools.iter().enumerate().filter_map(|(key, unassigned)| {
            let i = unassigned.farthest(placed, &self.centroid)?;
            Some((distance2(placed.point(i), &self.centroid), key, i))
        });
        let (_, key, seed) = far.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let mut class = vec![seed];
        self.pools[key].remove(seed);
        for (_, unassigned) in self.pools.iter_mut().enumerate().filter(|(other, _)| *other != key) {
            if let Some(i) = unassigned.nearest(placed, placed.point(seed), None) {
                unassigned.remove(i);
                class.push(i);
            }
        }
        Some(class)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, partition::Partition, rule::Rule};

    use super::*;
    use crate::construct::{buckets::partition, classic, construction::to_the_end};

    fn tau(instance: &Instance, rule: &Rule, seed: u64) -> Partition {
        partition(instance, &to_the_end(Tau::new(instance, rule.clone(), seed), instance), rule)
    }

    #[test]
    fn by_hand() {
        // One bucket of two colours: 0, 4, 5 and 3.9, 4.1, 20. Classic halves both sorted lists: {0, 3.9} below, then
        // {4, 4.1} and {5, 20}. Tau starts at 20, which takes 5; then 0 takes 3.9, and 4 takes 4.1: the same here. With
        // 4.9 instead of 3.9, the record 4.1 is nearest to 0.
        let points = [0., 4., 5., 4.9, 4.1, 20.];
        let instance = instance(1, &points, &[0, 0, 0, 1, 1, 1]);
        let rule = Rule::all_different(2);
        assert_eq!(tau(&instance, &rule, 1).labels, [0, 1, 2, 1, 0, 2]);
        assert_eq!(classic(&instance, &rule, 1).labels, [0, 1, 2, 1, 0, 2]);
        // In two attributes halving follows one at a time: classic cuts the wide first attribute at (1, 0) | (9, 0), and
        // the second colour's list likewise, although neighbours lie across.
        let points = [0., 0., 4., 9., 10., 0., 4., 0., 5., 9., 6., 0.];
        let plane = self::instance(2, &points, &[0, 0, 0, 1, 1, 1]);
        assert_eq!(tau(&plane, &rule, 1).labels, [0, 1, 2, 0, 1, 2]);
    }
}
