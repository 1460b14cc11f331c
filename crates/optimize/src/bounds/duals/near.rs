//! The records by kinds, with the distances of each kind to its nearest partners.

use std::{ops::Range, sync::Arc};

use lookalike_model::{instance::Instance, neighbours::PointTree, rule::Rule};
use rayon::prelude::*;

use super::{
    super::{
        kinds::{Kind, Kinds},
        nearest::Partners,
        neighbours::most_points,
    },
    measure::Measure,
};

/// What pricing knows of the records.
pub(super) struct Near<L> {
    pub(super) instance: Arc<Instance>,
    pub(super) loss: L,
    pub(super) kinds: Kinds,
    pub(super) tree: PointTree,
    /// The sizes of classes that matter: larger ones split into such.
    pub(super) sizes: Range<usize>,
    /// What is kept of the distances of each kind to its nearest partners, `sizes.end - 2` each; infinite where there are no more.
    distances: Vec<f64>,
    /// Kinds whose distances are known.
    known: usize,
}

impl<L: Measure> Near<L> {
    /// Sorts the records. O(n log n).
    pub(super) fn new(instance: &Arc<Instance>, loss: L, rule: &Rule) -> Self {
        let kinds = Kinds::new(instance, rule);
        let tree = PointTree::new(instance, &loss, &kinds.heads);
        let sizes = rule.min_size..2 * rule.min_size;
        Self { instance: Arc::clone(instance), loss, kinds, tree, sizes, distances: Vec::new(), known: 0 }
    }

    /// Looks at some more kinds; true when there are no more.
    pub(super) fn advance(&mut self, batch: usize) -> bool {
        let all = &self.kinds.all;
        let to = (self.known + batch).min(all.len());
        let found: Vec<Vec<f64>> = all[self.known..to].par_iter().map(|&kind| self.nearest(kind)).collect();
        self.distances.extend(found.into_iter().flatten());
        self.known = to;
        to == all.len()
    }

    fn nearest(&self, kind: Kind) -> Vec<f64> {
        let wanted = self.sizes.end - 2;
        let mut partners = Partners::new(&self.kinds, kind, None, wanted);
        let most = most_points(&self.instance);
        let left_out = self.tree.search_some(&self.instance, &self.loss, kind.head, &mut partners, most);
        let mut distances = partners.distances(left_out);
        distances.resize(wanted, f64::INFINITY);
        self.loss.near(&mut distances);
        distances
    }

    /// What is kept of the distances of a kind to its nearest partners.
    pub(super) fn of(&self, kind: u32) -> &[f64] {
        let width = self.sizes.end - 2;
        &self.distances[kind as usize * width..][..width]
    }

    /// The colour of a kind; `None` where colours do not count.
    pub(super) fn colour(&self, kind: u32) -> Option<u32> {
        self.kinds.all[kind as usize].tint.map(|tint| tint.0)
    }

    /// A record of a kind.
    pub(super) fn head(&self, kind: u32) -> u32 {
        self.kinds.all[kind as usize].head
    }

    /// The number of records of a kind.
    pub(super) fn records(&self, kind: u32) -> usize {
        self.kinds.all[kind as usize].records
    }
}
