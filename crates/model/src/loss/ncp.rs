//! Normalised certainty penalty (Liang 2020, Definition 8): what a record loses when it is published as the ranges of its
//! class.
//!
//! The table keeps the two smallest and the two largest values of each attribute and class, so that a move costs one
//! pass of vector operations; members are read again only when one that counts among these leaves. Large classes, where
//! that is much and nearly every change, count the members at their edges, too. Where records are many, annealing goes by
//! the same on a grid of whole numbers.

mod edge;
mod extremes;
mod grid;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::settings::Loss as Name;

use self::{
    edge::Edge,
    extremes::{Extremes, least, most},
    grid::Grid,
};
use super::{Loss, LossTable};
use crate::instance::{Instance, LANE, Lane, fold};

/// Records a class, on average, from which edges count their members.
const LARGE: usize = 16;

/// |C| times the weighted sum over the attributes of range / whole range, for a category of
/// (distinct values - 1) / |domain|, and for one that is published by its hierarchy of the penalty of the lowest label
/// above its values ([`Tree`](crate::instance::Tree)); |C| counts real records. It never grows when a class is split.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ncp {
    /// A category counts as its binaries: c >= 2 distinct values cost c / |domain|.
    pub binary: bool,
}

impl Ncp {
    /// What `distinct` values of a category cost, in steps.
    #[must_use]
    pub fn further(self, distinct: usize) -> f64 {
        match distinct {
            0 | 1 => 0.0,
            c if self.binary => c as f64,
            c => (c - 1) as f64,
        }
    }
}

impl Loss for Ncp {
    type Table = NcpTable;
    type Coarse = Grid;

    fn coarse(&self, instance: &Instance) -> Option<Grid> {
        Grid::new(*self, instance)
    }

    fn name(&self) -> Name {
        if self.binary { Name::NcpBinary } else { Name::Ncp }
    }

    fn class(&self, instance: &Instance, members: &[u32]) -> f64 {
        let reals: Vec<u32> = members.iter().copied().filter(|&i| instance.is_real(i)).collect();
        if reals.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0;
        for j in 0..instance.dims {
            if let Some(c) = instance.categories.iter().position(|c| c.axis == j) {
                let mut codes: Vec<u32> = reals.iter().map(|&i| instance.codes_of(i)[c]).collect();
                codes.sort_unstable();
                codes.dedup();
                sum += instance.categories[c].step * self.further(codes.len());
            } else {
                let values = || reals.iter().map(|&i| instance.coordinate(i, j));
                let (low, high) = values()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
                sum += match instance.hierarchies.iter().find(|h| h.axis == j) {
                    Some(hierarchy) => hierarchy.penalty(low, high),
                    None => high - low,
                };
            }
        }
        reals.len() as f64 * sum
    }

    fn table(&self, instance: &Arc<Instance>, classes: usize) -> NcpTable {
        let mut mask = vec![[1.0; LANE]; instance.lanes];
        let categories = instance.categories.iter().map(|c| c.axis);
        for axis in categories.chain(instance.hierarchies.iter().map(|h| h.axis)) {
            mask[axis / LANE][axis % LANE] = 0.0;
        }
        // With categories the members of a class are read at each change.
        let counted = instance.categories.is_empty() && instance.records() >= LARGE * classes;
        let edges = if counted { classes * instance.lanes * LANE } else { 0 };
        NcpTable {
            loss: *self,
            instance: Arc::clone(instance),
            mask,
            extremes: vec![Extremes::NONE; classes * instance.lanes],
            edges: vec![[Edge::NONE; 2]; edges],
            distinct: vec![0; classes * instance.categories.len()],
            reals: vec![0; classes],
            values: vec![0.0; classes],
        }
    }

    fn record(&self, _: &Instance, _: u32) -> f64 {
        0.0
    }

    fn start_temperature(&self, min_size: usize) -> f64 {
        if min_size < 20 { 3.0 } else { 0.5 }
    }

    fn distance(&self, instance: &Instance, i: u32, j: u32) -> f64 {
        let mut sum = [0.0; LANE];
        for (a, b) in instance.point(i).iter().zip(instance.point(j)) {
            for l in 0..LANE {
                sum[l] += (a[l] - b[l]).abs();
            }
        }
        // A category's coordinates are no lengths: take them out and count a difference as one step.
        let mut distance = fold(sum);
        for c in &instance.categories {
            let apart = (instance.coordinate(i, c.axis) - instance.coordinate(j, c.axis)).abs();
            if apart > 0.0 {
                distance += c.step - apart;
            }
        }
        for h in &instance.hierarchies {
            let (a, b) = (instance.coordinate(i, h.axis), instance.coordinate(j, h.axis));
            if a != b {
                distance += h.penalty(least(a, b), most(a, b)) - (a - b).abs();
            }
        }
        distance.max(0.0)
    }

    fn gap(&self, instance: &Instance, axis: usize, from: f64, to: f64) -> f64 {
        let apart = (from - to).abs();
        if let Some(h) = instance.hierarchies.iter().find(|h| h.axis == axis) {
            return h.gap(from, to);
        }
        match instance.categories.iter().find(|c| c.axis == axis) {
            // Rounding of `distance` must not cut off what is just as near.
            Some(c) => (c.step * (1.0 - 1e-9)).min(apart),
            None => apart * (1.0 - 1e-9),
        }
    }
}

/// Running extremes of the classes.
#[derive(Clone, Debug)]
pub struct NcpTable {
    loss: Ncp,
    instance: Arc<Instance>,
    /// 1 for a number, 0 for a category or what is published by a hierarchy.
    mask: Vec<Lane>,
    extremes: Vec<Extremes>,
    /// Both ends of each class along each attribute, for large classes; else empty.
    edges: Vec<[Edge; 2]>,
    /// Distinct values of each category.
    distinct: Vec<u32>,
    reals: Vec<u32>,
    values: Vec<f64>,
}

impl NcpTable {
    #[inline]
    fn real(&self, i: Option<u32>) -> Option<u32> {
        i.filter(|&i| self.instance.is_real(i))
    }

    /// Whether a real member other than `but` has the code in category `c`.
    #[inline]
    fn held(&self, members: &[u32], c: usize, code: u32, but: Option<u32>) -> bool {
        let width = self.instance.categories.len();
        members.iter().any(|&i| {
            Some(i) != but && self.instance.codes[i as usize * width + c] == code && self.instance.is_real(i)
        })
    }

    /// Distinct values of category `c` once `gains` has entered and `loses` has left; `members` before.
    #[inline]
    fn distinct_after(
        &self,
        class: u32,
        members: &[u32],
        c: usize,
        gains: Option<u32>,
        loses: Option<u32>,
    ) -> usize {
        let mut count = self.distinct[class as usize * self.instance.categories.len() + c] as usize;
        let code = |i: u32| self.instance.codes_of(i)[c];
        if let (Some(i), Some(o)) = (gains, loses)
            && code(i) == code(o)
        {
            return count;
        }
        if let Some(i) = gains {
            count += usize::from(!self.held(members, c, code(i), None));
        }
        if let Some(o) = loses {
            count -= usize::from(!self.held(members, c, code(o), Some(o)));
        }
        count
    }

    /// The least and the largest coordinate of a class along an attribute once `gains` has entered and `loses` has left.
    #[inline]
    fn ends_after(&self, class: u32, axis: usize, gains: Option<u32>, loses: Option<u32>) -> (f64, f64) {
        let (e, l) = (&self.extremes[class as usize * self.instance.lanes + axis / LANE], axis % LANE);
        let (mut low, mut high) = (e.low[l], e.high[l]);
        if let Some(o) = loses {
            let x = self.instance.coordinate(o, axis);
            low = if x <= low { e.second_low[l] } else { low };
            high = if x >= high { e.second_high[l] } else { high };
        }
        if let Some(i) = gains {
            let x = self.instance.coordinate(i, axis);
            (low, high) = (least(low, x), most(high, x));
        }
        (low, high)
    }

    /// Lets a member enter and one leave a large class; `members` after that.
    #[inline]
    fn change_edges(&mut self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>) {
        let instance = &self.instance;
        let first = class as usize * instance.lanes * LANE;
        for axis in 0..instance.lanes * LANE {
            let (enters, leaves) =
                (gains.map(|i| instance.coordinate(i, axis)), loses.map(|i| instance.coordinate(i, axis)));
            if enters == leaves {
                continue;
            }
            let ends = &mut self.edges[first + axis];
            for (edge, sign) in ends.iter_mut().zip([1.0, -1.0]) {
                if let Some(x) = enters {
                    edge.enter(sign * x);
                }
                if let Some(x) = leaves
                    && !edge.leave(sign * x)
                {
                    *edge = Edge::NONE;
                    for &i in members.iter().filter(|&&i| instance.is_real(i)) {
                        edge.enter(sign * instance.coordinate(i, axis));
                    }
                }
            }
            let (lane, l) = (class as usize * instance.lanes + axis / LANE, axis % LANE);
            self.extremes[lane].set(l, ends);
        }
    }

    fn refresh_edges(&mut self, class: u32, members: &[u32]) {
        if self.edges.is_empty() {
            return;
        }
        let instance = &self.instance;
        let first = class as usize * instance.lanes * LANE;
        let edges = &mut self.edges[first..first + instance.lanes * LANE];
        edges.fill([Edge::NONE; 2]);
        for &i in members.iter().filter(|&&i| instance.is_real(i)) {
            for (axis, [low, high]) in edges.iter_mut().enumerate() {
                let x = instance.coordinate(i, axis);
                low.enter(x);
                high.enter(-x);
            }
        }
    }

    #[inline]
    fn store(&mut self, class: u32) {
        let at = class as usize * self.instance.lanes;
        let reals = self.reals[class as usize];
        if reals == 0 {
            self.values[class as usize] = 0.0;
            return;
        }
        let mut sum = [0.0; LANE];
        for (e, mask) in self.extremes[at..].iter().zip(&self.mask) {
            for l in 0..LANE {
                sum[l] += mask[l] * (e.high[l] - e.low[l]);
            }
        }
        let width = self.instance.categories.len();
        let categories: f64 = (self.instance.categories.iter())
            .zip(&self.distinct[class as usize * width..])
            .map(|(c, &d)| c.step * self.loss.further(d as usize))
            .sum();
        let hierarchies: f64 = (self.instance.hierarchies.iter())
            .map(|h| {
                let e = &self.extremes[at + h.axis / LANE];
                h.penalty(e.low[h.axis % LANE], e.high[h.axis % LANE])
            })
            .sum();
        self.values[class as usize] = f64::from(reals) * (fold(sum) + categories + hierarchies);
    }
}

impl LossTable for NcpTable {
    #[inline]
    fn value(&self, class: u32) -> f64 {
        self.values[class as usize]
    }

    #[inline]
    fn value_after(&self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>) -> f64 {
        let (gains, loses) = (self.real(gains), self.real(loses));
        let reals = self.reals[class as usize] + u32::from(gains.is_some()) - u32::from(loses.is_some());
        if reals == 0 {
            return 0.0;
        }
        let at = class as usize * self.instance.lanes;
        let mut sum = [0.0; LANE];
        for (lane, mask) in self.mask.iter().enumerate() {
            let e = &self.extremes[at + lane];
            let (mut low, mut high) = (e.low, e.high);
            if let Some(o) = loses {
                let x = &self.instance.point(o)[lane];
                for l in 0..LANE {
                    low[l] = if x[l] <= low[l] { e.second_low[l] } else { low[l] };
                    high[l] = if x[l] >= high[l] { e.second_high[l] } else { high[l] };
                }
            }
            if let Some(i) = gains {
                let x = &self.instance.point(i)[lane];
                for l in 0..LANE {
                    low[l] = least(low[l], x[l]);
                    high[l] = most(high[l], x[l]);
                }
            }
            for l in 0..LANE {
                sum[l] += mask[l] * (high[l] - low[l]);
            }
        }
        let mut total = fold(sum);
        for (c, category) in self.instance.categories.iter().enumerate() {
            total += category.step * self.loss.further(self.distinct_after(class, members, c, gains, loses));
        }
        for h in &self.instance.hierarchies {
            let (low, high) = self.ends_after(class, h.axis, gains, loses);
            total += h.penalty(low, high);
        }
        f64::from(reals) * total
    }

    #[inline]
    fn apply(&mut self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>) {
        let (gains, loses) = (self.real(gains), self.real(loses));
        let at = class as usize * self.instance.lanes;
        let lanes = self.instance.lanes;
        if !self.edges.is_empty() {
            self.reals[class as usize] += u32::from(gains.is_some());
            self.reals[class as usize] -= u32::from(loses.is_some());
            self.change_edges(class, members, gains, loses);
            self.store(class);
            return;
        }
        let leaves_edge = loses.is_some_and(|o| {
            self.extremes[at..at + lanes].iter().zip(self.instance.point(o)).any(|(e, x)| e.concerns(x))
        });
        if leaves_edge || !self.instance.categories.is_empty() {
            self.refresh(class, members);
            return;
        }
        self.reals[class as usize] += u32::from(gains.is_some());
        self.reals[class as usize] -= u32::from(loses.is_some());
        if let Some(i) = gains {
            for (e, x) in self.extremes[at..at + lanes].iter_mut().zip(self.instance.point(i)) {
                e.insert(x);
            }
        }
        self.store(class);
    }

    #[inline]
    fn extreme(&mut self, class: u32, members: &[u32], pick: u32) -> Option<u32> {
        let axis = ((u64::from(pick) * 2 * self.instance.dims as u64) >> 32) as usize;
        let (axis, high) = (axis / 2, axis % 2 == 1);
        let e = &self.extremes[class as usize * self.instance.lanes + axis / LANE];
        let edge = if high { e.high } else { e.low }[axis % LANE];
        members
            .iter()
            .copied()
            .find(|&i| self.instance.is_real(i) && self.instance.coordinate(i, axis) == edge)
    }

    #[inline]
    fn costs_nothing(&self, class: u32) -> bool {
        self.values[class as usize] == 0.0
    }

    #[inline]
    fn refresh(&mut self, class: u32, members: &[u32]) {
        let at = class as usize * self.instance.lanes;
        let lanes = self.instance.lanes;
        self.extremes[at..at + lanes].fill(Extremes::NONE);
        self.reals[class as usize] = 0;
        for &i in members {
            if self.instance.is_real(i) {
                self.reals[class as usize] += 1;
                for (e, x) in self.extremes[at..at + lanes].iter_mut().zip(self.instance.point(i)) {
                    e.insert(x);
                }
            }
        }
        self.refresh_edges(class, members);
        let width = self.instance.categories.len();
        for c in 0..width {
            let code = |i: u32| self.instance.codes_of(i)[c];
            let new = |at: usize| {
                self.instance.is_real(members[at]) && !self.held(&members[..at], c, code(members[at]), None)
            };
            self.distinct[class as usize * width + c] =
                (0..members.len()).filter(|&at| new(at)).count() as u32;
        }
        self.store(class);
    }
}
