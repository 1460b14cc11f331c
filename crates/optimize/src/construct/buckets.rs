//! What the bucketizations share: Xiao and Tao's assignment of the records to balanced buckets (Tobar 2023, section II-A).
//!
//! Assignment also proves Tobar 2024's Proposition 1 by construction: an m-eligible table always splits into classes of
//! at least m different colours.

use lookalike_model::{
    instance::Instance,
    partition::Partition,
    rule::{Rule, signature},
};
use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{assignment::next_bucket, enough_real::enough_real};

/// A balanced bucket: one list of records for each key (colour), all of the same length.
pub(super) type Bucket = Vec<Vec<u32>>;

/// The partition into these classes, each with as many real records as the rule asks for.
pub(super) fn partition(instance: &Instance, classes: &[Vec<u32>], rule: &Rule) -> Partition {
    if rule.min_real > 1 && instance.reals < instance.records() {
        return Partition::from_classes(instance.records(), &enough_real(instance, classes, rule));
    }
    let mut labels = vec![0; instance.records()];
    for (label, class) in classes.iter().enumerate() {
        for &i in class {
            labels[i as usize] = label as u32;
        }
    }
    give_each_a_real(instance, &mut labels, classes.len());
    Partition::from_labels(&labels)
}

/// Lets a counterfeit of a class without real records change places with a real record of the same colour, out of a
/// class that can spare one. With the fewest counterfeits that eligibility needs this never happens: every class then
/// holds the most frequent value, which is not faked.
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
        let donor = (0..instance.reals).find(|&i| {
            instance.colours[i] == instance.colours[fake]
                && reals[labels[i] as usize] > 1
                && instance.bound(i as u32) == 0
        });
        if let Some(donor) = donor {
            reals[labels[donor] as usize] -= 1;
            reals[class] += 1;
            labels.swap(fake, donor);
        }
    }
}

/// Where each record is sorted: real records at their own point, counterfeits at that of a random real one, so that
/// they spread like the table.
pub(super) fn places(instance: &Instance, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let real = instance.reals as u32;
    (0..instance.records() as u32).map(|i| if i < real { i } else { rng.random_range(0..real) }).collect()
}

/// Buckets of the records that must keep a signature, each filled up with others of the colours it lacks, real ones
/// first; takes those from `stock`.
fn balanced(instance: &Instance, stock: &mut [Vec<u32>]) -> Vec<Bucket> {
    let Some(series) = &instance.series else { return Vec::new() };
    for list in stock.iter_mut() {
        list.retain(|&i| instance.bound(i) == 0);
    }
    let mut buckets = signature::survivors(instance, series);
    for (signature, bucket) in series.signatures.iter().zip(&mut buckets) {
        let classes = bucket.iter().map(Vec::len).max().unwrap_or(0);
        for (&colour, list) in signature.iter().zip(bucket) {
            let others = &mut stock[colour as usize];
            // Enough are left: the rule has seen to that.
            list.extend(others.split_off(others.len().saturating_sub(classes - list.len())));
        }
    }
    buckets.retain(|bucket| bucket.iter().any(|list| !list.is_empty()));
    buckets
}

/// Xiao and Tao's assignment, after the records that must keep a signature: take `alpha` records of each of the `beta` most frequent colours, with the least
/// `beta >= m`, and for it the largest `alpha`, that leave the remainder m-eligible.
pub(super) fn assign(instance: &Instance, m: usize, rng: &mut ChaCha8Rng) -> Vec<Bucket> {
    let mut stock: Vec<Vec<u32>> = vec![Vec::new(); instance.colour_count];
    for (i, &c) in instance.colours.iter().enumerate() {
        stock[c as usize].push(i as u32);
    }
    // Real records are taken first: `pop` takes from the end, so counterfeits go to the front.
    for list in &mut stock {
        list.shuffle(rng);
        list.sort_by_key(|&i| instance.is_real(i));
    }
    let mut buckets = balanced(instance, &mut stock);
    let mut left: usize = stock.iter().map(Vec::len).sum();
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

/// Cuts a class that is larger than it needs to be; each part keeps a real record.
pub(super) fn trim(instance: &Instance, mut class: Vec<u32>, rule: &Rule) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    if class.iter().any(|&i| instance.bound(i) > 0) {
        return vec![class];
    }
    // Real records first and then dealt out from both ends, so that no part is left with counterfeits only.
    class.sort_by_key(|&i| !instance.is_real(i));
    let mut reals = class.iter().filter(|&&i| instance.is_real(i)).count();
    while class.len() > rule.max_size && reals >= 2 * rule.min_real {
        let mut part: Vec<u32> = class.drain(..rule.min_real).collect();
        part.extend(class.drain(class.len() - (rule.min_size - rule.min_real)..));
        reals -= part.iter().filter(|&&i| instance.is_real(i)).count();
        if reals < rule.min_real {
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
    use lookalike_model::fixtures::instance;
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn assignment_takes_from_the_most_frequent() {
        // Counts {4, 2, 2}, m = 2: (0,1) twice would leave {2, 0, 2}, which is eligible, so alpha = 2 of the first
        // two, then alpha = 2 of the rest: four classes of two.
        let colours = [0, 0, 0, 0, 1, 1, 2, 2];
        let instance = instance(1, &[0., 1., 10., 11., 0., 1., 10., 11.], &colours);
        let buckets = assign(&instance, 2, &mut ChaCha8Rng::seed_from_u64(1));
        let shape: Vec<_> = buckets.iter().map(|b| (b.len(), b[0].len())).collect();
        assert_eq!(shape, [(2, 2), (2, 2)]);
    }
}
