//! Greedy Search (Liang 2020, Algorithm 2).
//!
//! Down the list of variance-sort, each record takes k - 1 of the records left, one after another, each time the one
//! with which the class loses least. Fewer than k records left join the class that then loses least in itself (f(C + x),
//! not its increase: Liang 2020, Table 7). O(n g) values for g distinct points, each O(d).

use std::sync::Arc;

use lookalike_model::{instance::Instance, loss::Loss, settings::SortOrder};

use super::{
    construction::{Construction, Partial},
    stock::Stock,
    variance_sort::sorted,
};

/// Greedy Search, a class at a time.
pub(super) struct GreedySearch<L: Loss> {
    loss: L,
    k: usize,
    left: Stock,
    /// Values of a class by itself.
    table: L::Table,
    classes: Vec<Vec<u32>>,
}

impl<L: Loss> GreedySearch<L> {
    pub(super) fn new(instance: &Arc<Instance>, loss: &L, k: usize, by: SortOrder) -> Self {
        let left = Stock::in_order(instance, sorted(instance, by));
        Self { loss: *loss, k, left, table: loss.table(instance, 1), classes: Vec::new() }
    }
}

impl<L: Loss> Construction for GreedySearch<L> {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let looked = self.k * self.left.points();
        if self.left.len() >= self.k {
            let seed = self.left.first()?;
            // Among equals the first of the list.
            self.classes.push(self.left.grow(instance, &self.loss, &mut self.table, seed, self.k, |_| 0));
            return Some(looked);
        }
        let x = self.left.first()?;
        let with = |class: &Vec<u32>| self.loss.class(instance, &[class.as_slice(), &[x]].concat());
        let best = self.classes.iter().map(with).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
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
    use lookalike_model::{fixtures::fars, loss::Ncp};

    use super::*;
    use crate::construct::construction::to_the_end;

    #[test]
    fn the_papers_table_7() {
        let fars = Arc::new(fars(3));
        let mut classes =
            to_the_end(GreedySearch::new(&fars, &Ncp::default(), 3, SortOrder::Variance), &fars);
        for class in &mut classes {
            class.sort_unstable();
        }
        assert_eq!(
            classes,
            [
                vec![1, 11, 12],
                vec![4, 7, 10, 14],
                vec![5, 9, 16],
                vec![6, 13, 18, 19],
                vec![0, 8, 17],
                vec![2, 3, 15]
            ]
        );
    }
}
