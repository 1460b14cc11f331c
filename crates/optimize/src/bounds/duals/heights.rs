//! Where a class is as wide as it reaches: what its records add the least by how far it reaches.
//!
//! Every record k of a class with one at distance x adds max(x, d(i, k)) - lambda(k) or more. The least of that over all k does not fall as x
//! grows, so that its values at some x bound it at all.

use lookalike_model::neighbours::NodeVisitor;

use super::{measure::Measure, near::Near, prices::Prices};

/// Distances at which it is looked up, and how many of them are within the scale of the duals.
const PLACES: u32 = 16;
const WITHIN: f64 = 8.0;

/// The least that a record adds, by how far the class reaches; empty where that says nothing.
#[derive(Default)]
pub(super) struct Heights {
    step: f64,
    all: Vec<f64>,
}

impl Heights {
    /// Of the classes of a kind; `looks` goes up by the records that it looks at.
    pub(super) fn new<L: Measure>(near: &Near<L>, prices: &Prices, of: u32, looks: &mut u64) -> Self {
        let partial = near.loss.begin(&near.instance, near.head(of));
        let mut height = |reach: f64| {
            let height = f64::INFINITY;
            let mut lowest = Lowest { near, prices, partial: &partial, of, reach, height, looks: 0 };
            near.tree.search_nodes(&near.instance, &near.loss, near.head(of), &mut lowest);
            *looks += lowest.looks;
            lowest.height
        };
        let scale = prices.dual(of).max(-height(0.0));
        if !(scale > 0.0 && scale.is_finite()) {
            return Self::default();
        }
        let step = scale / WITHIN;
        Self { step, all: (0..PLACES).map(|place| height(f64::from(place) * step)).collect() }
    }

    /// What each record adds at the least to a class that reaches so far.
    pub(super) fn at(&self, reach: f64) -> Option<f64> {
        let last = self.all.len().checked_sub(1)?;
        Some(self.all[((reach / self.step) as usize).min(last)])
    }
}

/// The record that adds the least.
struct Lowest<'a, L: Measure> {
    near: &'a Near<L>,
    prices: &'a Prices,
    partial: &'a L::Partial,
    of: u32,
    reach: f64,
    height: f64,
    looks: u64,
}

impl<L: Measure> NodeVisitor for Lowest<'_, L> {
    fn wants(&self, node: usize, distance: f64) -> bool {
        distance.max(self.reach) - self.prices.largest(node) < self.height
    }

    fn visit(&mut self, point: u32) {
        let near = self.near;
        for kind in near.kinds.range(point) {
            let kind = kind as u32;
            if kind == self.of && near.records(kind) < 2 {
                continue;
            }
            self.looks += 1;
            let reach =
                near.loss.reach(&near.instance, self.partial, near.head(self.of), 0.0, near.head(kind));
            self.height = self.height.min(reach.max(self.reach) - self.prices.dual(kind));
        }
    }
}
