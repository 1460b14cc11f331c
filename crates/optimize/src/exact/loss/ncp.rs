//! The normalised certainty penalty over types: the number of records times the sum of the weighted ranges.

use std::sync::Arc;

use lookalike_lp::general::{Attribute, Kind};
use lookalike_model::{
    instance::Instance,
    loss::{Loss, Ncp},
};

use super::{
    Measure, Priceable,
    ranges::{Ranges, Span},
};
use crate::exact::{
    pricing::{Pricer, growth::Growth, range_tree::RangeTree},
    problem::Problem,
};

/// What is left of a difference of sums after all that rounding may have added to it.
const ROUNDING: f64 = 1e-12;

impl Priceable for Ncp {
    fn measure(&self, instance: &Instance, types: &[Vec<u32>]) -> Arc<dyn Measure> {
        Arc::new(OfNcp { loss: *self, ranges: Arc::new(Ranges::new(*self, instance, types)) })
    }

    /// Coordinates are weighted already: an attribute has the width of its values as weight, so that one unit costs 1.
    fn programme(&self, instance: &Instance) -> Option<(Vec<Attribute>, Vec<f64>)> {
        if !instance.hierarchies.is_empty() {
            return None;
        }
        let records = || 0..instance.reals as u32;
        let attributes = (0..instance.dims).map(|j| {
            if let Some(at) = instance.categories.iter().position(|c| c.axis == j) {
                let levels = records().map(|i| instance.codes_of(i)[at] + 1).max().unwrap_or(1);
                let weight = instance.categories[at].step * f64::from(levels);
                return Attribute { weight, kind: Kind::Category { levels, binary: self.binary } };
            }
            let values = records().map(|i| instance.coordinate(i, j));
            let (lower, upper) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            Attribute { weight: upper - lower, kind: Kind::Number { lower, upper, whole: false } }
        });
        let value = |i: u32, j: usize| match instance.categories.iter().position(|c| c.axis == j) {
            Some(at) => f64::from(instance.codes_of(i)[at]),
            None => instance.coordinate(i, j),
        };
        let values = records().flat_map(|i| (0..instance.dims).map(move |j| value(i, j))).collect();
        Some((attributes.collect(), values))
    }
}

#[derive(Debug)]
struct OfNcp {
    loss: Ncp,
    ranges: Arc<Ranges>,
}

impl Measure for OfNcp {
    fn distance(&self, problem: &Problem, t: u32, u: u32) -> f64 {
        let head = |t: u32| problem.records[t as usize][0];
        self.loss.distance(&problem.instance, head(t), head(u))
    }

    /// The distance to the last of them, or a little less.
    fn neighbour_dual(&self, sums: &[f64]) -> f64 {
        match sums {
            [.., before, all] => (all - before - ROUNDING * all).max(0.0),
            _ => 0.0,
        }
    }

    fn cost(&self, _: &Problem, members: &[u32]) -> f64 {
        let mut spans = [Span::new(&self.ranges), Span::new(&self.ranges)];
        let mut reals = 0;
        for (at, &t) in members.iter().enumerate() {
            let [from, into] = &mut spans;
            self.ranges.join(from, &members[..at], t, into);
            reals += usize::from(self.ranges.real[t as usize]);
            spans.swap(0, 1);
        }
        reals as f64 * spans[0].sum
    }

    fn heuristic(&self) -> Box<dyn Pricer> {
        Box::new(Growth(Arc::clone(&self.ranges)))
    }

    fn combinatorial(&self) -> Box<dyn Pricer> {
        Box::new(RangeTree(Arc::clone(&self.ranges)))
    }

    fn without_cuts(&self, _: &Problem) -> Box<dyn Pricer> {
        self.combinatorial()
    }
}
