//! The fewest counterfeits of a release, against all ways to put its records into classes.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use lookalike_core::republish::{
    balance::Bucket,
    ways::{classic, fewest, tau, tobar_2024},
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Sensitive values 0 to 3.
const VALUES: usize = 4;

/// What is left: survivors of each bucket by value, then the new records by value.
type Left = Vec<[u8; VALUES]>;

/// Tries every class of the first record left, and all that follow.
struct Brute {
    signatures: Vec<u8>,
    m: u32,
    known: BTreeMap<Left, u32>,
}

impl Brute {
    fn least(&mut self, left: &Left) -> u32 {
        if let Some(&known) = self.known.get(left) {
            return known;
        }
        let first = left.iter().enumerate().find_map(|(group, counts)| {
            counts.iter().position(|&count| count > 0).map(|value| (group, value))
        });
        let Some((group, value)) = first else { return 0 };
        let mut best = u32::MAX;
        for set in 1_u8..1 << VALUES {
            let bucket = self.signatures.iter().position(|&signature| signature == set);
            let allowed = set >> value & 1 == 1
                && set.count_ones() >= self.m
                && (group == self.signatures.len() || bucket == Some(group));
            if allowed {
                let mut next = left.clone();
                next[group][value] -= 1;
                let others = (0..VALUES).filter(|&v| v != value && set >> v & 1 == 1).collect::<Vec<_>>();
                best = best.min(self.fill(&next, &others, bucket, 0));
            }
        }
        self.known.insert(left.clone(), best);
        best
    }

    /// Fills the other places of a class in every way: an old record of the same signature, a new one, a counterfeit.
    fn fill(&mut self, left: &Left, places: &[usize], bucket: Option<usize>, fakes: u32) -> u32 {
        let Some((&value, rest)) = places.split_first() else { return fakes + self.least(left) };
        let mut best = self.fill(left, rest, bucket, fakes + 1);
        for group in bucket.into_iter().chain([self.signatures.len()]) {
            if left[group][value] > 0 {
                let mut next = left.clone();
                next[group][value] -= 1;
                best = best.min(self.fill(&next, rest, bucket, fakes));
            }
        }
        best
    }
}

/// Signatures as sets of bits, at least two values each and different.
fn signatures() -> impl Strategy<Value = Vec<u8>> {
    let all: Vec<u8> = (1_u8..1 << VALUES).filter(|set| set.count_ones() >= 2).collect();
    prop::sample::subsequence(all, 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn nobody_needs_fewer(
        signatures in signatures(),
        survivors in prop::collection::vec(prop::array::uniform4(0_u8..3), 2),
        new in prop::array::uniform4(0_u8..3),
        m in 2_u32..4,
        seed: u64,
    ) {
        let signatures: Vec<u8> = signatures.into_iter().filter(|set| set.count_ones() >= m).collect();
        let within = |set: u8, counts: &[u8; VALUES]| {
            let mut kept = *counts;
            (0..VALUES).filter(|&v| set >> v & 1 == 0).for_each(|v| kept[v] = 0);
            kept
        };
        let mut left: Left =
            signatures.iter().zip(&survivors).map(|(&set, counts)| within(set, counts)).collect();
        left.push(new);
        let least = Brute { signatures: signatures.clone(), m, known: BTreeMap::new() }.least(&left);

        let buckets: Vec<Bucket> = signatures
            .iter()
            .zip(&left)
            .map(|(&set, counts)| {
                let values: Vec<u32> = (0..VALUES as u32).filter(|v| set >> v & 1 == 1).collect();
                let survivors = values.iter().map(|&v| u64::from(counts[v as usize])).collect();
                Bucket { signature: values, survivors }
            })
            .collect();
        let new: Vec<u64> = new.iter().map(|&count| u64::from(count)).collect();
        let m = u64::from(m);
        let ours = fewest(&buckets, &new, m, None).unwrap();
        prop_assert_eq!(ours.total(), u64::from(least));
        prop_assert_eq!(tobar_2024(&buckets, &new, m).unwrap().total(), u64::from(least));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        prop_assert!(tau(&buckets, &new, m, &mut rng).unwrap().total() >= ours.total());
        prop_assert!(classic(&buckets, &new, m, &mut rng).unwrap().total() >= ours.total());
        // Sets of exactly m values cost less than one class more.
        let exact = fewest(&buckets, &new, m, Some(0)).unwrap();
        let records: u64 = exact.rest.iter().chain(&exact.added).sum();
        prop_assert_eq!(records % m, 0);
        prop_assert!(exact.total() < ours.total() + m);
    }
}
