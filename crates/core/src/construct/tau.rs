//! Tau: bucketization as in `classic`, but each bucket is cut by nearest neighbours across its keys (the partitioning
//! of the tau-safety papers; paper 1, section II-A and Tables IV and V).
//!
//! Of a bucket with equally many records of each colour: the record farthest from the bucket's centroid and, of every
//! other colour, the record left that is nearest to it are a class; again until the bucket is empty. O(n log n) in few
//! attributes.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{
    buckets::{Bucket, assign, give_each_a_real, places, trim},
    pool::{Pool, Tree},
};
use crate::{
    instance::{Instance, LANE, distance2},
    partition::Partition,
    rule::Rule,
};

/// Bucketization with classes of nearest neighbours. The rule must ask for different colours.
pub(super) fn tau(instance: &Instance, rule: &impl Rule, seed: u64) -> Partition {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let places = places(instance, &mut rng);
    // Counterfeits stand at the point of a real record, so pools look into a copy of the instance.
    let points = places.iter().flat_map(|&i| instance.point(i)).copied().collect();
    let placed = Instance { points, ..instance.clone() };
    let mut labels = vec![0; instance.records()];
    let mut next = 0;
    for bucket in assign(instance, rule.min_size(), &mut rng) {
        for class in group(&placed, bucket) {
            for part in trim(instance, class, rule) {
                for i in part {
                    labels[i as usize] = next;
                }
                next += 1;
            }
        }
    }
    give_each_a_real(instance, &mut labels, next as usize);
    Partition::from_labels(&labels)
}

fn group(placed: &Instance, bucket: Bucket) -> Vec<Vec<u32>> {
    let count = bucket.iter().map(Vec::len).sum::<usize>() as f64;
    let mut centroid = vec![[0.0; LANE]; placed.lanes];
    for &i in bucket.iter().flatten() {
        for (c, x) in centroid.iter_mut().zip(placed.point(i)) {
            for l in 0..LANE {
                c[l] += x[l] / count;
            }
        }
    }
    let alpha = bucket.first().map_or(0, Vec::len);
    let mut pools: Vec<Tree> = bucket.into_iter().map(|list| Tree::new(placed, list)).collect();
    let mut classes = Vec::with_capacity(alpha);
    for _ in 0..alpha {
        let far = pools.iter().enumerate().filter_map(|(key, pool)| {
            let i = pool.farthest(placed, &centroid)?;
            Some((distance2(placed.point(i), &centroid), key, i))
        });
        let Some((_, key, seed)) = far.reduce(|a, b| if b.0 > a.0 { b } else { a }) else { break };
        let mut class = vec![seed];
        pools[key].remove(seed);
        for (_, pool) in pools.iter_mut().enumerate().filter(|(other, _)| *other != key) {
            if let Some(i) = pool.nearest(placed, placed.point(seed), None) {
                pool.remove(i);
                class.push(i);
            }
        }
        classes.push(class);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{construct::classic, rule::Distinct, search::tests_support::instance};

    #[test]
    fn by_hand() {
        // One bucket of two colours: 0, 4, 5 and 3.9, 4.1, 20. Classic halves both sorted lists: {0, 3.9} below, then
        // {4, 4.1} and {5, 20}. Tau starts at 20, which takes 5; then 0 takes 3.9, and 4 takes 4.1: the same here. With
        // 4.9 instead of 3.9, the record 4.1 is nearest to 0.
        let points = [0., 4., 5., 4.9, 4.1, 20.];
        let instance = instance(1, &points, &[0, 0, 0, 1, 1, 1]);
        let rule = Distinct { m: 2 };
        assert_eq!(tau(&instance, &rule, 1).labels, [0, 1, 2, 1, 0, 2]);
        assert_eq!(classic(&instance, &rule, 1).labels, [0, 1, 2, 1, 0, 2]);
        // In two attributes halving follows one at a time: classic cuts the wide first attribute at (1, 0) | (9, 0), and
        // the second colour's list likewise, although neighbours lie across.
        let points = [0., 0., 4., 9., 10., 0., 4., 0., 5., 9., 6., 0.];
        let plane = self::instance(2, &points, &[0, 0, 0, 1, 1, 1]);
        assert_eq!(tau(&plane, &rule, 1).labels, [0, 1, 2, 0, 1, 2]);
    }
}
