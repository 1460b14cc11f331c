//! Bucketization as in the literature on m-invariance (Xiao and Tao 2007; paper 1, section II-A): assignment of the
//! records to balanced buckets, then recursive halving of each bucket. O(n log n) a level of halving.
//!
//! Assignment also proves paper 2's Proposition 1 by construction: an m-eligible table always splits into classes of
//! at least m different colours. Without colours everything is one bucket, and the halving alone remains.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::assignment::next_bucket;
use crate::{instance::Instance, partition::Partition, rule::Rule};

/// A balanced bucket: one list of records for each key (colour), all of the same length.
type Bucket = Vec<Vec<u32>>;

/// Bucketization with a seeded choice of which record of a colour enters which bucket.
///
/// The instance must be feasible for the rule ([`Rule::feasible`]).
#[must_use]
pub fn classic(instance: &Instance, rule: &impl Rule, seed: u64) -> Partition {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let places = places(instance, &mut rng);
    let mut labels = vec![0; instance.records()];
    let mut next = 0;
    let mut open = if rule.distinct() {
        assign(instance, rule.min_size(), &mut rng)
    } else {
        vec![vec![(0..instance.records() as u32).collect()]]
    };
    while let Some(bucket) = open.pop() {
        match halve(instance, &places, bucket, rule.min_size()) {
            Ok([low, high]) => open.extend([low, high]),
            Err(leaf) => {
                for class in trim(instance, leaf.concat(), rule) {
                    for i in class {
                        labels[i as usize] = next;
                    }
                    next += 1;
                }
            }
        }
    }
    give_each_a_real(instance, &mut labels, next as usize);
    Partition::from_labels(&labels)
}

/// Lets a counterfeit of a class without real records change places with a real record of the same colour, out of a
/// class that can spare one. With the fewest counterfeits that eligibility needs this never happens: every class then
/// holds the most frequent value, which is not faked (METHODS, section 2).
fn give_each_a_real(instance: &Instance, labels: &mut [u32], classes: usize) {
    let mut reals = vec![0usize; classes];
    for i in 0..instance.reals {
        reals[labels[i] as usize] += 1;
    }
    if reals.iter().all(|&r| r > 0) {
        return;
    }
    for fake in instance.reals..labels.len() {
        let class = labels[fake] as usize;
        if reals[class] > 0 {
            continue;
        }
        let donor = (0..instance.reals)
            .find(|&i| instance.colours[i] == instance.colours[fake] && reals[labels[i] as usize] > 1);
        if let Some(donor) = donor {
            reals[labels[donor] as usize] -= 1;
            reals[class] += 1;
            labels.swap(fake, donor);
        }
    }
}

/// Where each record is sorted: real records at their own point, counterfeits at that of a random real one, so that
/// they spread like the table.
fn places(instance: &Instance, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let real = instance.reals as u32;
    (0..instance.records() as u32).map(|i| if i < real { i } else { rng.random_range(0..real) }).collect()
}

/// Xiao and Tao's assignment: take `alpha` records of each of the `beta` most frequent colours, with the least
/// `beta >= m`, and for it the largest `alpha`, that leave the remainder m-eligible.
fn assign(instance: &Instance, m: usize, rng: &mut ChaCha8Rng) -> Vec<Bucket> {
    let mut stock: Vec<Vec<u32>> = vec![Vec::new(); instance.colour_count];
    for (i, &c) in instance.colours.iter().enumerate() {
        stock[c as usize].push(i as u32);
    }
    // Real records are taken first: `pop` takes from the end, so counterfeits go to the front.
    for list in &mut stock {
        list.shuffle(rng);
        list.sort_by_key(|&i| instance.is_real(i));
    }
    let mut buckets = Vec::new();
    let mut left = instance.records();
    while left > 0 {
        stock.sort_by_key(|list| std::cmp::Reverse(list.len()));
        let counts: Vec<usize> = stock.iter().map(Vec::len).collect();
        let Some((alpha, beta)) = next_bucket(&counts, m) else {
            // Unreachable for an m-eligible table (Proposition 1); what is left joins one bucket a record so that
            // the caller's check names the problem instead of losing records.
            buckets.extend(stock.iter().flatten().map(|&i| vec![vec![i]]));
            break;
        };
        let bucket =
            stock.iter_mut().take(beta).map(|list| list.split_off(list.len() - alpha)).collect::<Bucket>();
        left -= alpha * beta;
        buckets.push(bucket);
    }
    buckets
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

/// Cuts a class that is larger than it needs to be; each part keeps a real record.
fn trim(instance: &Instance, mut class: Vec<u32>, rule: &impl Rule) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    // Real records first and then dealt out from both ends, so that no part is left with counterfeits only.
    class.sort_by_key(|&i| !instance.is_real(i));
    let mut reals = class.iter().filter(|&&i| instance.is_real(i)).count();
    while class.len() > rule.max_size() && reals >= 2 {
        let mut part = vec![class.remove(0)];
        part.extend(class.drain(class.len() - (rule.min_size() - 1)..));
        reals -= part.iter().filter(|&&i| instance.is_real(i)).count();
        if reals == 0 {
            class.extend(part);
            break;
        }
        parts.push(part);
    }
    parts.push(class);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        rule::{Distinct, MinSize},
        search::tests_support::instance,
    };

    #[test]
    fn assignment_takes_from_the_most_frequent() {
        // Counts {4, 2, 2}, m = 2: (0,1) twice would leave {2, 0, 2}, which is eligible, so alpha = 2 of the first
        // two, then alpha = 2 of the rest: four classes of two.
        let colours = [0, 0, 0, 0, 1, 1, 2, 2];
        let instance = instance(1, &[0., 1., 10., 11., 0., 1., 10., 11.], &colours);
        let buckets = assign(&instance, 2, &mut ChaCha8Rng::seed_from_u64(1));
        let shape: Vec<_> = buckets.iter().map(|b| (b.len(), b[0].len())).collect();
        assert_eq!(shape, [(2, 2), (2, 2)]);
        assert!(classic(&instance, &Distinct { m: 2 }, 1).check(&instance, &Distinct { m: 2 }).is_ok());
    }

    #[test]
    fn halving_follows_the_widest_attribute() {
        // Widest in the second attribute: {0, 2} low and {1, 3} high.
        let instance = instance(2, &[0., 0., 1., 9., 2., 1., 3., 8.], &[0; 4]);
        assert_eq!(classic(&instance, &MinSize { k: 2 }, 1).labels, [0, 1, 0, 1]);
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
            let rule = Distinct { m };
            if rule.feasible(&instance).is_ok() {
                let partition = classic(&instance, &rule, seed);
                prop_assert!(partition.check(&instance, &rule).is_ok());
            }
            let rule = MinSize { k: m };
            if rule.feasible(&instance).is_ok() {
                let partition = classic(&instance, &rule, seed);
                prop_assert!(partition.check(&instance, &rule).is_ok());
                let largest = partition.members().iter().map(Vec::len).max();
                prop_assert!(largest <= Some(2 * m - 1));
            }
        }
    }
}
