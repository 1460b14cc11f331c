//! The duals of the kinds, and what a search for classes keeps of them.

use super::{measure::Measure, near::Near};

/// Duals, and for each node of the tree what its points are worth at the most.
pub(crate) struct Prices {
    pub(super) duals: Vec<f64>,
    /// The largest dual of the points below each node.
    largest: Vec<f64>,
    /// For each size of classes the largest dual less own part of the points below each node.
    dearest: Vec<Vec<f64>>,
}

impl Prices {
    /// O(n k).
    pub(super) fn new<L: Measure>(near: &Near<L>, duals: Vec<f64>) -> Self {
        let maxima = |value: &dyn Fn(usize) -> f64| {
            near.tree.maxima(|point| near.kinds.range(point).map(value).fold(f64::NEG_INFINITY, f64::max))
        };
        let largest = maxima(&|kind| duals[kind]);
        let by_size = |q: usize| maxima(&|kind| duals[kind] - near.loss.own(near.of(kind as u32), q));
        let dearest = near.sizes.clone().map(by_size).collect();
        Self { duals, largest, dearest }
    }

    /// The dual of a kind.
    pub(super) fn dual(&self, kind: u32) -> f64 {
        self.duals[kind as usize]
    }

    /// The sum of the duals of these.
    pub(super) fn sum(&self, kinds: &[u32]) -> f64 {
        kinds.iter().map(|&kind| self.dual(kind)).sum()
    }

    /// The largest dual below a node.
    pub(super) fn largest(&self, node: usize) -> f64 {
        self.largest[node]
    }

    /// The largest dual less own part below a node, for the size that is so many above the least.
    pub(super) fn dearest(&self, above: usize, node: usize) -> f64 {
        self.dearest[above][node]
    }
}
