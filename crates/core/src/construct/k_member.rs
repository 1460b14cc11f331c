//! K-Member (Byun, Kamra, Bertino and Li 2007).
//!
//! Each class starts with the record farthest from the start of the class before (the first from a random record) and
//! takes, one after another, the record with which its loss rises least. Fewer than k records left join the class whose
//! loss rises least. O(n^2) values, each O(d).

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    instance::Instance,
    loss::{Loss, LossTable},
};

/// The classes of K-Member.
pub(super) fn k_member<L: Loss>(instance: &Arc<Instance>, loss: &L, k: usize, seed: u64) -> Vec<Vec<u32>> {
    let n = instance.records() as u32;
    let first = ChaCha8Rng::seed_from_u64(seed).random_range(0..n);
    from(instance, loss, k, first)
}

fn from<L: Loss>(instance: &Arc<Instance>, loss: &L, k: usize, mut start: u32) -> Vec<Vec<u32>> {
    let mut left: Vec<u32> = (0..instance.records() as u32).collect();
    let mut table = loss.table(instance, 1);
    let mut classes: Vec<Vec<u32>> = Vec::with_capacity(left.len() / k);
    while left.len() >= k {
        let far = left.iter().map(|&i| loss.distance(instance, start, i)).enumerate();
        let Some((at, _)) = far.reduce(|a, b| if b.1 > a.1 { b } else { a }) else { break };
        start = left.remove(at);
        let mut class = vec![start];
        table.refresh(0, &class);
        while class.len() < k {
            let with = |&j: &u32| table.value_after(0, &class, Some(j), None) + loss.record(instance, j);
            let best = left.iter().map(with).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
            let Some((at, _)) = best else { break };
            let j = left.remove(at);
            class.push(j);
            table.apply(0, &class, Some(j), None);
        }
        classes.push(class);
    }
    for x in left {
        let rise = |class: &Vec<u32>| {
            loss.class(instance, &[class.as_slice(), &[x]].concat()) - loss.class(instance, class)
        };
        let best = classes.iter().map(rise).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
        if let Some((at, _)) = best {
            classes[at].push(x);
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        loss::{Ncp, Sse},
        search::tests_support::{fars, instance},
    };

    #[test]
    fn by_hand() {
        // From 4: 12 is farthest and takes 10; 0 is farthest from 12 and takes 3; 4 joins {0, 3}: 8.67 instead of 4.5
        // is less than 34.67 instead of 2.
        let instance = Arc::new(instance(1, &[0., 3., 4., 10., 12.], &[0; 5]));
        assert_eq!(from(&instance, &Sse, 2, 2), [vec![4, 3], vec![0, 1, 2]]);
    }

    #[test]
    fn it_starts_elsewhere_than_greedy_search() {
        // The 20 records of paper 4: farthest from 12 (25, 1, 0, 0) is 3 (41, 2, 4, 1), not 14, the next in the list.
        let fars = Arc::new(fars(3));
        let classes = from(&fars, &Ncp::default(), 3, 12);
        assert_eq!(classes[0][0], 3);
        assert_ne!(classes, super::super::greedy_search::greedy_search(&fars, &Ncp::default(), 3));
    }
}
