//! MDAV, maximum distance to average vector (Domingo-Ferrer and Torra 2005; paper 3, section 1).
//!
//! While at least 3k records are left: the record farthest from their centroid and the record farthest from that one
//! each take their k - 1 nearest. Of 2k to 3k - 1 records left, the farthest from the centroid takes k, the others are
//! the last class. O(n^2 / k) by scans, about O(n log n) by the tree; both give the same classes.

use super::pool::{Pool, Scan, Tree, around, prefers_tree};
use crate::instance::{Instance, LANE, Lane};

/// The classes of MDAV.
pub(super) fn mdav(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
    if prefers_tree(instance) { run::<Tree>(instance, k) } else { run::<Scan>(instance, k) }
}

fn run<P: Pool>(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
    let all: Vec<u32> = (0..instance.records() as u32).collect();
    let mut sum = vec![[0.0; LANE]; instance.lanes];
    for &i in &all {
        shift(&mut sum, instance.point(i), 1.0);
    }
    let mut pool = P::new(instance, all);
    let mut classes = Vec::with_capacity(instance.records() / k);
    let mut take = |pool: &mut P, sum: &mut Vec<Lane>, seed: u32| {
        let class = around(instance, pool, seed, k);
        for &i in &class {
            shift(sum, instance.point(i), -1.0);
        }
        classes.push(class);
    };
    while pool.len() >= 2 * k {
        let count = pool.len() as f64;
        let centroid: Vec<Lane> = sum.iter().map(|s| s.map(|x| x / count)).collect();
        let Some(first) = pool.farthest(instance, &centroid) else { break };
        if pool.len() < 3 * k {
            take(&mut pool, &mut sum, first);
            break;
        }
        let second = pool.farthest(instance, instance.point(first));
        take(&mut pool, &mut sum, first);
        // Whether the first class took the second record depends on ties only: then the farthest that is left.
        let point = instance.point(first);
        let second = second.filter(|&i| pool.holds(i)).or_else(|| pool.farthest(instance, point));
        if let Some(second) = second {
            take(&mut pool, &mut sum, second);
        }
    }
    if pool.len() > 0 {
        classes.push(pool.rest());
    }
    classes
}

fn shift(sum: &mut [Lane], point: &[Lane], by: f64) {
    for (s, x) in sum.iter_mut().zip(point) {
        for l in 0..LANE {
            s[l] += by * x[l];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::tests_support::instance;

    #[test]
    fn by_hand() {
        // Centroid 5: 12 is farthest, 0 is farthest from 12. {12, 11}, {0, 1}; then 6 from 4.67 among 3, 5, 6: too few
        // for two classes, so {3, 5, 6}.
        let instance = instance(1, &[0., 1., 3., 5., 6., 11., 12.], &[0; 7]);
        assert_eq!(mdav(&instance, 2), [vec![6, 5], vec![0, 1], vec![2, 3, 4]]);
    }

    proptest! {
        #[test]
        fn tree_and_scan_give_the_same_classes(
            rows in prop::collection::vec((-9i8..9, -9i8..9), 6..150), k in 2usize..5,
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
            let instance = instance(2, &points, &vec![0; rows.len()]);
            prop_assert_eq!(run::<Scan>(&instance, k), run::<Tree>(&instance, k));
        }
    }
}
