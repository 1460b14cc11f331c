//! The ranges of classes, for the normalised certainty penalty.

use lookalike_model::{
    instance::{Generalised, Instance, LANE, Lane, fold},
    loss::Ncp,
};

/// What the types add to the ranges of a class.
#[derive(Debug)]
pub struct Ranges {
    loss: Ncp,
    lanes: usize,
    /// Weighted coordinates, row by row; 0 where the attribute is a category or published by a hierarchy.
    points: Vec<Lane>,
    /// What one more value of each category costs a record.
    steps: Vec<f64>,
    /// Codes of the categories, row by row.
    codes: Vec<u32>,
    hierarchies: Vec<Generalised>,
    /// Their leaves, row by row.
    leaves: Vec<u32>,
    pub(in crate::exact) real: Vec<bool>,
}

/// The ranges of a class.
#[derive(Clone, Debug)]
pub(in crate::exact) struct Span {
    low: Vec<Lane>,
    high: Vec<Lane>,
    /// Number of different values of each category.
    distinct: Vec<u32>,
    /// First and last leaf of each hierarchy.
    ends: Vec<(u32, u32)>,
    /// Weighted sum of the ranges: what a record of the class loses.
    pub(in crate::exact) sum: f64,
}

impl Span {
    /// That of no record.
    pub(in crate::exact) fn new(ranges: &Ranges) -> Self {
        Self {
            low: vec![[f64::INFINITY; LANE]; ranges.lanes],
            high: vec![[f64::NEG_INFINITY; LANE]; ranges.lanes],
            distinct: vec![0; ranges.steps.len()],
            ends: vec![(u32::MAX, 0); ranges.hierarchies.len()],
            sum: 0.0,
        }
    }
}

impl Ranges {
    pub(in crate::exact) fn new(loss: Ncp, instance: &Instance, types: &[Vec<u32>]) -> Self {
        let heads = || types.iter().map(|list| list[0]);
        let mut points: Vec<Lane> = heads().flat_map(|i| instance.point(i)).copied().collect();
        for row in points.chunks_mut(instance.lanes) {
            let categories = instance.categories.iter().map(|c| c.axis);
            for axis in categories.chain(instance.hierarchies.iter().map(|h| h.axis)) {
                row[axis / LANE][axis % LANE] = 0.0;
            }
        }
        Self {
            loss,
            lanes: instance.lanes,
            points,
            steps: instance.categories.iter().map(|c| c.step).collect(),
            codes: heads().flat_map(|i| instance.codes_of(i)).copied().collect(),
            hierarchies: instance.hierarchies.clone(),
            leaves: heads()
                .flat_map(|i| {
                    (instance.hierarchies.iter()).map(move |h| h.leaf(instance.coordinate(i, h.axis)))
                })
                .collect(),
            real: heads().map(|i| instance.is_real(i)).collect(),
        }
    }

    fn point(&self, t: u32) -> &[Lane] {
        &self.points[t as usize * self.lanes..(t as usize + 1) * self.lanes]
    }

    fn codes(&self, t: u32) -> &[u32] {
        let width = self.steps.len();
        &self.codes[t as usize * width..(t as usize + 1) * width]
    }

    fn leaves(&self, t: u32) -> &[u32] {
        let width = self.hierarchies.len();
        &self.leaves[t as usize * width..(t as usize + 1) * width]
    }

    /// Whether the value of category `c` that `t` has is new to a class.
    fn new_to(&self, class: &[u32], c: usize, t: u32) -> bool {
        let code = self.codes(t)[c];
        class.iter().all(|&u| !self.real[u as usize] || self.codes(u)[c] != code)
    }

    /// The sum of the ranges after `t` has joined a class with ranges `from`.
    #[inline]
    pub(in crate::exact) fn with(&self, from: &Span, class: &[u32], t: u32) -> f64 {
        if !self.real[t as usize] {
            return from.sum;
        }
        let mut sum = [0.0; LANE];
        for ((low, high), x) in from.low.iter().zip(&from.high).zip(self.point(t)) {
            for l in 0..LANE {
                let least = if x[l] < low[l] { x[l] } else { low[l] };
                let most = if x[l] > high[l] { x[l] } else { high[l] };
                sum[l] += most - least;
            }
        }
        let mut total = fold(sum);
        for (c, &step) in self.steps.iter().enumerate() {
            let count = from.distinct[c] + u32::from(self.new_to(class, c, t));
            total += step * self.loss.further(count as usize);
        }
        for ((h, &(first, last)), &leaf) in self.hierarchies.iter().zip(&from.ends).zip(self.leaves(t)) {
            total += h.weight * h.tree.penalty(first.min(leaf), last.max(leaf));
        }
        total
    }

    /// The ranges after `t` has joined a class with ranges `from`.
    pub(in crate::exact) fn join(&self, from: &Span, class: &[u32], t: u32, into: &mut Span) {
        into.low.copy_from_slice(&from.low);
        into.high.copy_from_slice(&from.high);
        into.distinct.copy_from_slice(&from.distinct);
        into.ends.copy_from_slice(&from.ends);
        into.sum = self.with(from, class, t);
        if !self.real[t as usize] {
            return;
        }
        for ((low, high), x) in into.low.iter_mut().zip(&mut into.high).zip(self.point(t)) {
            for l in 0..LANE {
                low[l] = if x[l] < low[l] { x[l] } else { low[l] };
                high[l] = if x[l] > high[l] { x[l] } else { high[l] };
            }
        }
        for c in 0..self.steps.len() {
            into.distinct[c] += u32::from(self.new_to(class, c, t));
        }
        for ((first, last), &leaf) in into.ends.iter_mut().zip(self.leaves(t)) {
            (*first, *last) = ((*first).min(leaf), (*last).max(leaf));
        }
    }
}
