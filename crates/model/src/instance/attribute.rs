//! Attributes that are no numbers.

use std::sync::Arc;

use super::Tree;

/// A category under NCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Category {
    /// Its attribute.
    pub axis: usize,
    /// What one more value costs a record: weight / |domain|.
    pub step: f64,
}

/// An attribute whose values are leaves of a tree. Under NCP it is published by its generalisation hierarchy, and the penalty of
/// leaves is what their lowest label loses; under SSE it is a category of many values, and that of two is their squared distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Generalised {
    /// Its place among the attributes.
    pub axis: usize,
    /// What the tree's penalties are multiplied with.
    pub weight: f64,
    /// Coordinate of the second leaf; the first has 0. More than 0.
    pub step: f64,
    /// Its leaves.
    pub tree: Arc<Tree>,
}

impl Generalised {
    /// The attribute at `axis`, its coordinates of the size that those of a category with as many values have.
    #[must_use]
    pub fn new(axis: usize, weight: f64, tree: Arc<Tree>) -> Self {
        let step = weight / tree.leaves() as f64;
        Self { axis, weight, step: if step > 0.0 { step } else { 1.0 }, tree }
    }

    /// The place of a leaf, by its coordinate.
    #[inline]
    #[must_use]
    pub fn leaf(&self, coordinate: f64) -> u32 {
        (coordinate / self.step + 0.5) as u32
    }

    /// What a record loses that is published by the label of the leaves from coordinate `low` to `high`, under SSE the squared
    /// distance of both.
    #[inline]
    #[must_use]
    pub fn penalty(&self, low: f64, high: f64) -> f64 {
        self.weight * self.tree.penalty(self.leaf(low), self.leaf(high))
    }

    /// The penalty of two leaves, whichever comes first.
    #[inline]
    #[must_use]
    pub fn between(&self, a: f64, b: f64) -> f64 {
        let (a, b) = (self.leaf(a), self.leaf(b));
        self.weight * self.tree.penalty(a.min(b), a.max(b))
    }

    /// A lower bound on the penalty of the leaf at coordinate `from` and any beyond `to`, which may lie between two leaves.
    #[must_use]
    pub fn gap(&self, from: f64, to: f64) -> f64 {
        // The nearer of two leaves is beyond `to` by no more.
        let (from, to) = (f64::from(self.leaf(from)), to / self.step);
        let to = if to > from { (to + 1e-6).floor().max(from) } else { (to - 1e-6).ceil().min(from) };
        self.weight * self.tree.penalty(from.min(to) as u32, from.max(to) as u32) * (1.0 - 1e-9)
    }

    /// The sum of the squared distances of all pairs of records with these leaves, which are ascending. O(n).
    #[must_use]
    pub fn pairs(&self, leaves: &[u32]) -> f64 {
        // Penalties between an earlier record and the last one, falling, each with the number of such records.
        let mut earlier: Vec<(f64, f64)> = Vec::new();
        let (mut of_last, mut sum) = (0.0, 0.0);
        for pair in leaves.windows(2) {
            let step = self.tree.penalty(pair[0], pair[1]);
            let mut joined = 1.0;
            of_last += step;
            while let Some(&(penalty, count)) = earlier.last().filter(|(penalty, _)| *penalty <= step) {
                of_last += (step - penalty) * count;
                joined += count;
                earlier.pop();
            }
            earlier.push((step, joined));
            sum += of_last;
        }
        self.weight * sum
    }
}
