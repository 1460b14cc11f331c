//! A random admissible partition: what the other constructions are measured against.

use lookalike_model::{instance::Instance, rule::Rule};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::buckets::{assign, trim};

/// Shuffled records, cut into classes of the least size. With colours the records of each of the buckets of Xiao and
/// Tao's assignment are dealt at random.
pub(super) fn random(instance: &Instance, rule: &Rule, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = instance.records();
    let mut classes: Vec<Vec<u32>> = Vec::new();
    if rule.distinct() {
        for mut bucket in assign(instance, rule.min_size, &mut rng) {
            for list in &mut bucket {
                list.shuffle(&mut rng);
            }
            for row in 0..bucket.first().map_or(0, Vec::len) {
                let class = bucket.iter().filter_map(|list| list.get(row).copied()).collect();
                classes.extend(trim(instance, class, rule));
            }
        }
    } else {
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.shuffle(&mut rng);
        let count = (n / rule.min_size).max(1);
        classes.resize(count, Vec::new());
        for (at, i) in order.into_iter().enumerate() {
            classes[at % count].push(i);
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, partition::Partition, rule::Rule};

    use super::*;
    use crate::construct::buckets::partition;

    fn made(instance: &Instance, rule: &Rule, seed: u64) -> Partition {
        partition(instance, &random(instance, rule, seed), rule)
    }

    #[test]
    fn seeds_differ_and_every_partition_is_admissible() {
        let instance = instance(1, &(0..30).map(f64::from).collect::<Vec<_>>(), &[0, 1, 2].repeat(10));
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let free = made(&instance, &Rule::at_least(4), seed);
            assert!(free.check(&instance, &Rule::at_least(4)).is_ok());
            assert_eq!(free.classes, 7);
            let coloured = made(&instance, &Rule::all_different(2), seed);
            assert!(coloured.check(&instance, &Rule::all_different(2)).is_ok());
            seen.insert((free.labels, coloured.labels));
        }
        assert_eq!(seen.len(), 20);
    }
}
