//! MD, maximum distance (Domingo-Ferrer and Mateo-Sanz 2002).
//!
//! While at least 2k records are left: the two records that are farthest from each other each take their k - 1
//! nearest. Then k or more records left are a class; fewer go to the class of their nearest neighbour. Each record's
//! farthest partner is remembered until it is taken: O(n^2) distances to begin with.

use super::pool::{Pool, Scan, Tree, around, prefers_tree, to_nearest_class};
use crate::instance::{Instance, distance2};

/// The classes of MD.
pub(super) fn md(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
    if prefers_tree(instance) { run::<Tree>(instance, k) } else { run::<Scan>(instance, k) }
}

fn run<P: Pool>(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
    let n = instance.records();
    let mut pool = P::new(instance, (0..n as u32).collect());
    let farthest = |pool: &P, i: u32| {
        let j = pool.farthest(instance, instance.point(i)).unwrap_or(i);
        (distance2(instance.point(i), instance.point(j)), j)
    };
    let mut partner: Vec<(f64, u32)> = (0..n as u32).map(|i| farthest(&pool, i)).collect();
    let mut left = vec![true; n];
    let mut classes = Vec::with_capacity(n / k);
    while pool.len() >= 2 * k {
        let mut pair: Option<(f64, u32, u32)> = None;
        for i in 0..n as u32 {
            // Distances only shrink: a stale one that is no better cannot win.
            if !left[i as usize] || pair.is_some_and(|(d, ..)| partner[i as usize].0 <= d) {
                continue;
            }
            if !left[partner[i as usize].1 as usize] {
                partner[i as usize] = farthest(&pool, i);
            }
            let (d, j) = partner[i as usize];
            if pair.is_none_or(|(best, ..)| d > best) {
                pair = Some((d, i, j));
            }
        }
        let Some((_, first, second)) = pair else { break };
        for seed in [first, second] {
            // The first class may have taken the second record, if many are equal.
            if left[seed as usize] {
                let class = around(instance, &mut pool, seed, k);
                for &i in &class {
                    left[i as usize] = false;
                }
                classes.push(class);
            }
        }
    }
    if pool.len() >= k {
        classes.push(pool.rest());
    } else {
        to_nearest_class(instance, &pool, &mut classes);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests_support::instance;

    #[test]
    fn by_hand() {
        // (0, 0) and (8, 6) are 10 apart: {0, 1} and {5, 4}. Of the rest (4, 0) and (4, 7) are a class by themselves.
        let points = [0., 0., 1., 0., 4., 0., 4., 7., 8., 5., 8., 6.];
        let instance = instance(2, &points, &[0; 6]);
        assert_eq!(md(&instance, 2), [vec![0, 1], vec![5, 4], vec![2, 3]]);
        assert_eq!(run::<Tree>(&instance, 2), run::<Scan>(&instance, 2));
    }

    #[test]
    fn it_is_not_mdav() {
        // Six left: MD takes 12 and 0 as MDAV does, but one left goes to its neighbour instead of a class of three.
        let instance = instance(1, &[0., 1., 5., 11., 12.], &[0; 5]);
        assert_eq!(md(&instance, 2), [vec![0, 1, 2], vec![4, 3]]);
        assert_eq!(super::super::mdav::mdav(&instance, 2), [vec![4, 3], vec![0, 1, 2]]);
        // (0, 10) and (10, 0) are the most distant and both take a partner; (6, 6) is as near to (1, 9) as to (9, 1).
        // MDAV stops with five records, so it makes one class of two and one of three.
        let points = [0., 10., 1., 9., 9., 1., 10., 0., 6., 6.];
        let instance = self::instance(2, &points, &[0; 5]);
        assert_eq!(md(&instance, 2), [vec![0, 1, 4], vec![3, 2]]);
        assert_eq!(super::super::mdav::mdav(&instance, 2), [vec![0, 1], vec![2, 3, 4]]);
    }
}
