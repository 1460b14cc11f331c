//! What it costs to publish leaves of a generalisation hierarchy under one label.
//!
//! Leaves stand in an order in which the leaves of every node are neighbours. The lowest node above some leaves is then
//! the highest of the nodes above two neighbours between the first of them and the last; and since a node never costs
//! less than one below it, its penalty is the largest of theirs. Where a class begins and ends is all that its penalty
//! depends on: local search keeps both anyway.

/// Entries of a block.
const BLOCK: usize = 16;

/// Penalties of neighbours, with what the largest among any in a row is found by in constant time and linear memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Penalty of leaves i and i + 1 under one label.
    joins: Vec<f64>,
    /// The largest from the beginning of its block, and to the end of it.
    before: Vec<f64>,
    after: Vec<f64>,
    /// The largest of 2^level blocks in a row, by their first.
    blocks: Vec<Vec<f64>>,
}

impl Tree {
    /// The tree of these penalties, one fewer than leaves: moderate numbers, at least 0.
    #[must_use]
    pub fn new(joins: Vec<f64>) -> Self {
        let (mut before, mut after) = (joins.clone(), joins.clone());
        for block in before.chunks_mut(BLOCK) {
            for at in 1..block.len() {
                block[at] = block[at].max(block[at - 1]);
            }
        }
        for block in after.chunks_mut(BLOCK) {
            for at in (1..block.len()).rev() {
                block[at - 1] = block[at - 1].max(block[at]);
            }
        }
        let mut blocks = vec![after.iter().step_by(BLOCK).copied().collect::<Vec<f64>>()];
        let mut width = 1;
        while let Some(last) = blocks.last().filter(|last| last.len() > width) {
            let next = last.iter().zip(&last[width..]).map(|(a, b)| a.max(*b)).collect();
            blocks.push(next);
            width *= 2;
        }
        Self { joins, before, after, blocks }
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.joins.len() + 1
    }

    /// The penalties of neighbours.
    #[must_use]
    pub fn joins(&self) -> &[f64] {
        &self.joins
    }

    /// What a record loses that is published under the lowest label of these two leaves and all between; 0 for one leaf. Leaves
    /// that are not there cost nothing.
    #[inline]
    #[must_use]
    pub fn penalty(&self, first: u32, last: u32) -> f64 {
        let (from, to) = (first as usize, (last as usize).min(self.joins.len()));
        if from >= to {
            return 0.0;
        }
        let (low, high) = (from / BLOCK, (to - 1) / BLOCK);
        if low == high {
            return self.joins[from..to].iter().copied().fold(0.0, f64::max);
        }
        let ends = self.after[from].max(self.before[to - 1]);
        let between = high - low - 1;
        if between == 0 {
            return ends;
        }
        let level = between.ilog2() as usize;
        let row = &self.blocks[level];
        ends.max(row[low + 1]).max(row[high - (1 << level)])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        // (a b) (c (d e)): a and b cost 0.25, d and e 0.25, c with them 0.5, all 1.
        let tree = Tree::new(vec![0.25, 1.0, 0.5, 0.25]);
        assert_eq!(tree.leaves(), 5);
        let penalties = [(0, 0), (0, 1), (1, 2), (2, 4), (3, 4), (0, 4)].map(|(a, b)| tree.penalty(a, b));
        assert_eq!(penalties, [0.0, 0.25, 1.0, 0.5, 0.25, 1.0]);
        assert_eq!(Tree::new(Vec::new()).penalty(0, 0), 0.0);
        assert_eq!((tree.penalty(2, 9), tree.penalty(7, 9)), (0.5, 0.0), "leaves that are not there");
    }

    proptest! {
        #[test]
        fn it_is_the_largest_between(joins in prop::collection::vec(0u8..20, 0..200), a in 0usize..200, b in 0usize..200) {
            let tree = Tree::new(joins.iter().map(|&x| f64::from(x)).collect());
            let (first, last) = (a.min(b).min(joins.len()), a.max(b).min(joins.len()));
            let largest = joins[first..last].iter().max().map_or(0.0, |&x| f64::from(x));
            prop_assert_eq!(tree.penalty(first as u32, last as u32), largest);
        }
    }
}
