//! Classes within given groups: small ones, so that attributes outside the groups' set lose little.
//!
//! In each group the record that is farthest from the first one takes its nearest until the class is large enough, as long as enough
//! are left for another (after Domingo-Ferrer and Mateo-Sanz 2002). O(s² / k) for a group of s records; one that is larger than
//! [`LARGEST`] is left as it is.

use lookalike_model::{instance::Instance, loss::Loss, partition::Partition};

/// Records of a group that is divided, at most.
const LARGEST: usize = 4_000;

/// The classes, of at least `least` records, as labels of the records.
pub(crate) fn refine<L: Loss>(instance: &Instance, loss: &L, groups: &[u32], least: usize) -> Vec<u32> {
    let mut labels = vec![0; groups.len()];
    let mut next = 0;
    let mut class = |members: &[u32]| {
        for &i in members {
            labels[i as usize] = next;
        }
        next += 1;
    };
    for mut left in Partition::from_labels(groups).members() {
        while left.len() >= 2 * least && left.len() <= LARGEST {
            by_distance(instance, loss, &mut left);
            left.reverse();
            by_distance(instance, loss, &mut left);
            class(&left[..least]);
            left.drain(..least);
            left.sort_unstable();
        }
        class(&left);
    }
    labels
}

/// Puts records in the order of their distance from the first one.
fn by_distance<L: Loss>(instance: &Instance, loss: &L, records: &mut Vec<u32>) {
    let Some(&first) = records.first() else { return };
    let mut far: Vec<(f64, u32)> =
        records.iter().skip(1).map(|&i| (loss.distance(instance, first, i), i)).collect();
    far.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    records.truncate(1);
    records.extend(far.into_iter().map(|(_, i)| i));
}
