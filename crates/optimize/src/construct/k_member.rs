//! K-Member (Byun, Kamra, Bertino and Li 2007).
//!
//! Each class starts with the record farthest from the start of the class before (the first: from a random record) and
//! takes, one after another, the record with which its loss rises least. Fewer than k records left join the class whose
//! loss rises least. O(n g) values for g distinct points, each O(d).
//!
//! The paper leaves open where the first class starts: at the random record by its text, at the record farthest from that
//! one by its algorithm. Here the algorithm decides: all classes then start alike, at the edge of what is left, and a seed
//! in the middle of the crowd does not take its nearest away from it. It leaves open, too, from what the next start is
//! farthest: from the start before by its text, from the record taken last by its algorithm, whose variable has been
//! written over by then. Here the text decides, since a start is what it means to go away from.

use std::sync::Arc;

use lookalike_model::{instance::Instance, loss::Loss};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{
    construction::{Construction, Partial},
    stock::Stock,
};

/// K-Member, a class at a time.
pub(super) struct KMember<L: Loss> {
    loss: L,
    k: usize,
    left: Stock,
    /// Where the class before started.
    start: u32,
    /// Values of a class by itself.
    table: L::Table,
    classes: Vec<Vec<u32>>,
}

impl<L: Loss> KMember<L> {
    pub(super) fn new(instance: &Arc<Instance>, loss: &L, k: usize, seed: u64) -> Self {
        let n = instance.records() as u32;
        Self::from(instance, loss, k, ChaCha8Rng::seed_from_u64(seed).random_range(0..n))
    }

    fn from(instance: &Arc<Instance>, loss: &L, k: usize, start: u32) -> Self {
        let left = Stock::of_all(instance);
        Self { loss: *loss, k, left, start, table: loss.table(instance, 1), classes: Vec::new() }
    }
}

impl<L: Loss> Construction for KMember<L> {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let looked = self.k * self.left.points();
        let (loss, table) = (&self.loss, &mut self.table);
        if self.left.len() >= self.k {
            // Among equals the lowest record, wherever its point stands in the stock.
            self.start = self.left.least(|i| (-loss.distance(instance, self.start, i), i))?;
            self.classes.push(self.left.grow(instance, loss, table, self.start, self.k, |i| i));
            return Some(looked);
        }
        let x = self.left.least(|i| i)?;
        let rise = |class: &Vec<u32>| {
            loss.class(instance, &[class.as_slice(), &[x]].concat()) - loss.class(instance, class)
        };
        let best = self.classes.iter().map(rise).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
        if let Some((at, _)) = best {
            self.classes[at].push(x);
        }
        Some(self.k * self.classes.len())
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial::new(self.classes, self.left.rest())
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        fixtures::{fars, instance},
        loss::{Ncp, Sse},
    };

    use super::*;
    use crate::construct::construction::to_the_end;

    fn from<L: Loss>(instance: &Arc<Instance>, loss: &L, k: usize, start: u32) -> Vec<Vec<u32>> {
        to_the_end(KMember::from(instance, loss, k, start), instance)
    }

    #[test]
    fn by_hand() {
        // From 4: 12 is farthest and takes 10; 0 is farthest from 12 and takes 3; 4 joins {0, 3}: 8.67 instead of 4.5
        // is less than 34.67 instead of 2.
        let instance = Arc::new(instance(1, &[0., 3., 4., 10., 12.], &[0; 5]));
        assert_eq!(from(&instance, &Sse, 2, 2), [vec![4, 3], vec![0, 1, 2]]);
    }

    #[test]
    fn it_starts_elsewhere_than_greedy_search() {
        // The 20 records of Liang 2020: farthest from 12 (25, 1, 0, 0) is 3 (41, 2, 4, 1), not 14, the next in the list.
        let fars = Arc::new(fars(3));
        let classes = from(&fars, &Ncp::default(), 3, 12);
        assert_eq!(classes[0][0], 3);
        let first =
            super::super::variance_sort::sorted(&fars, lookalike_model::settings::SortOrder::Variance)[..2]
                .to_vec();
        assert_eq!(first[0], 12);
        assert_ne!(first[1], 3);
    }
}
