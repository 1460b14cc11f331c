//! The penalty on a grid of 2^15 values an attribute: nearly the same, at a quarter of the cost.
//!
//! Eight attributes fit one register and the edges of a class one line of the cache. Every record keeps its order along each
//! attribute, so what a search does here is a search by the penalty, with attributes rounded to 1/32767 of what they span.
//! Sums are whole numbers and do not drift.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::settings::Loss as Name;

use super::{
    super::{Loss, LossTable},
    Ncp,
};
use crate::instance::Instance;

/// Attributes that are computed on together.
const WIDE: usize = 8;

/// The largest value on the grid; the least is 0.
const TOP: i16 = i16::MAX;

/// Eight attributes of a record.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Wide([i16; WIDE]);

/// The two smallest and the two largest values of a class, eight attributes at once.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Ends {
    low: Wide,
    second_low: Wide,
    high: Wide,
    second_high: Wide,
}

impl Wide {
    #[inline]
    fn with(self, other: Self, f: impl Fn(i16, i16) -> i16) -> Self {
        let mut out = self;
        for l in 0..WIDE {
            out.0[l] = f(self.0[l], other.0[l]);
        }
        out
    }

    #[inline]
    fn least(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }

    #[inline]
    fn most(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    /// `next` where `x` is here, else what is here.
    #[inline]
    fn without(self, x: Self, next: Self) -> Self {
        let mut out = self;
        for l in 0..WIDE {
            out.0[l] = if x.0[l] == self.0[l] { next.0[l] } else { self.0[l] };
        }
        out
    }
}

impl Ends {
    /// Of nobody.
    const NONE: Self = Self {
        low: Wide([TOP; WIDE]),
        second_low: Wide([TOP; WIDE]),
        high: Wide([0; WIDE]),
        second_high: Wide([0; WIDE]),
    };

    #[inline]
    fn insert(&mut self, x: Wide) {
        self.enter(x, x);
    }

    /// `low` enters as far as small values go, `high` as far as large ones go.
    #[inline]
    fn enter(&mut self, low: Wide, high: Wide) {
        self.second_low = self.second_low.least(self.low.most(low));
        self.low = self.low.least(low);
        self.second_high = self.second_high.most(self.high.least(high));
        self.high = self.high.most(high);
    }

    /// The least and the largest values once `x` has entered and `out` has left.
    #[inline]
    fn after(&self, x: Wide, out: Wide) -> (Wide, Wide) {
        let low = self.low.without(out, self.second_low).least(x);
        (low, self.high.without(out, self.second_high).most(x))
    }

    /// Ends at which one member stands alone, a bit each: the low ones, then the high ones.
    #[inline]
    fn alone(&self) -> u32 {
        let mut bits = 0;
        for l in 0..WIDE {
            bits |= u32::from(self.low.0[l] != self.second_low.0[l]) << l;
            bits |= u32::from(self.high.0[l] != self.second_high.0[l]) << (WIDE + l);
        }
        bits
    }

    /// Whether the members must be read again when `out` leaves and `x` enters: where both are equal, nothing changes.
    #[inline]
    fn concerns(&self, out: Wide, x: Option<Wide>) -> bool {
        let mut any = 0;
        for l in 0..WIDE {
            let inside = out.0[l] > self.second_low.0[l] && out.0[l] < self.second_high.0[l];
            any |= u32::from(!inside && x.is_none_or(|x| x.0[l] != out.0[l]));
        }
        any != 0
    }
}

/// Sum over eight attributes of weight times width, in whole numbers.
#[inline]
fn widths(low: Wide, high: Wide, weights: &Wide) -> i32 {
    let mut sum = 0;
    for l in 0..WIDE {
        sum += i32::from(high.0[l] - low.0[l]) * i32::from(weights.0[l]);
    }
    sum
}

/// [`Ncp`] with attributes rounded to a grid, for numbers of real records.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    of: Ncp,
}

impl Grid {
    /// `None` where there are categories, hierarchies or counterfeits.
    pub(super) fn new(of: Ncp, instance: &Instance) -> Option<Self> {
        let numbers = instance.categories.is_empty() && instance.hierarchies.is_empty();
        (numbers && instance.reals == instance.records()).then_some(Self { of })
    }
}

impl Loss for Grid {
    type Table = GridTable;
    type Coarse = Self;

    fn name(&self) -> Name {
        self.of.name()
    }

    fn class(&self, instance: &Instance, members: &[u32]) -> f64 {
        self.of.class(instance, members)
    }

    fn table(&self, instance: &Arc<Instance>, classes: usize) -> GridTable {
        GridTable::new(instance, classes)
    }

    fn record(&self, instance: &Instance, i: u32) -> f64 {
        self.of.record(instance, i)
    }

    fn start_temperature(&self, min_size: usize) -> f64 {
        self.of.start_temperature(min_size)
    }

    fn distance(&self, instance: &Instance, i: u32, j: u32) -> f64 {
        self.of.distance(instance, i, j)
    }

    fn gap(&self, instance: &Instance, axis: usize, from: f64, to: f64) -> f64 {
        self.of.gap(instance, axis, from, to)
    }
}

/// Running ends of the classes.
#[derive(Clone, Debug)]
pub struct GridTable {
    /// Registers a record.
    lanes: usize,
    points: Vec<Wide>,
    /// What one step of each attribute costs a record, in `unit`; they sum to [`TOP`], up to rounding.
    weights: Vec<Wide>,
    unit: f64,
    ends: Vec<Ends>,
    values: Vec<f64>,
    /// Where among the members of a class the one at an end was last found.
    places: Vec<u32>,
}

impl GridTable {
    fn new(instance: &Instance, classes: usize) -> Self {
        let (n, lanes) = (instance.records(), instance.dims.div_ceil(WIDE));
        let spans: Vec<(f64, f64)> = (0..instance.dims)
            .map(|j| {
                let values = (0..n as u32).map(|i| instance.coordinate(i, j));
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
            })
            .collect();
        let span = |j: usize| (spans[j].1 - spans[j].0).max(0.0);
        let all: f64 = (0..instance.dims).map(span).sum();
        let top = f64::from(TOP);
        let mut weights = vec![Wide([0; WIDE]); lanes];
        let mut points = vec![Wide([0; WIDE]); n * lanes];
        for j in (0..instance.dims).filter(|&j| span(j) > 0.0) {
            weights[j / WIDE].0[j % WIDE] = (span(j) / all * top + 0.5) as i16;
            for i in 0..n {
                let part = (instance.coordinate(i as u32, j) - spans[j].0) / span(j);
                points[i * lanes + j / WIDE].0[j % WIDE] = (part * top + 0.5) as i16;
            }
        }
        Self {
            lanes,
            points,
            weights,
            unit: all / (top * top),
            ends: vec![Ends::NONE; classes * lanes],
            values: vec![0.0; classes],
            places: vec![0; classes * lanes * 2 * WIDE],
        }
    }

    #[inline]
    fn point(&self, i: u32, lane: usize) -> Wide {
        self.points[i as usize * self.lanes + lane]
    }

    #[inline]
    fn store(&mut self, class: u32, size: usize) {
        let at = class as usize * self.lanes;
        let ends = &self.ends[at..at + self.lanes];
        // An empty class has its ends crossed.
        let sum = |(e, w): (&Ends, &Wide)| f64::from(widths(e.low, e.high, w));
        let total: f64 = if size == 0 { 0.0 } else { ends.iter().zip(&self.weights).map(sum).sum() };
        self.values[class as usize] = size as f64 * self.unit * total;
    }
}

impl LossTable for GridTable {
    #[inline]
    fn value(&self, class: u32) -> f64 {
        self.values[class as usize]
    }

    #[inline]
    fn value_after(&self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>) -> f64 {
        let size = members.len() + usize::from(gains.is_some()) - usize::from(loses.is_some());
        if size == 0 {
            return 0.0;
        }
        let at = class as usize * self.lanes;
        let mut total = 0.0;
        for (lane, weights) in self.weights.iter().enumerate() {
            let ends = &self.ends[at + lane];
            let (mut low, mut high) = (ends.low, ends.high);
            if let Some(o) = loses {
                let x = self.point(o, lane);
                low = low.without(x, ends.second_low);
                high = high.without(x, ends.second_high);
            }
            if let Some(i) = gains {
                let x = self.point(i, lane);
                low = low.least(x);
                high = high.most(x);
            }
            total += f64::from(widths(low, high, weights));
        }
        size as f64 * self.unit * total
    }

    #[inline]
    fn apply(&mut self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>) {
        let at = class as usize * self.lanes;
        for lane in 0..self.lanes {
            let x = gains.map(|i| self.point(i, lane));
            let out = loses.map(|o| self.point(o, lane));
            let ends = &mut self.ends[at + lane];
            match (x, out) {
                (x, Some(out)) if ends.concerns(out, x) => {
                    let mut fresh = Ends::NONE;
                    for &i in members {
                        fresh.insert(self.points[i as usize * self.lanes + lane]);
                    }
                    *ends = fresh;
                }
                // Where one goes and an equal one comes, nothing enters.
                (Some(x), Some(out)) => {
                    let low = x.without(out, Ends::NONE.low);
                    ends.enter(low, x.without(out, Ends::NONE.high));
                }
                (Some(x), None) => ends.insert(x),
                (None, _) => {}
            }
        }
        self.store(class, members.len());
    }

    #[inline]
    fn best_swap(
        &self,
        i: u32,
        [a, b]: [u32; 2],
        [size_a, size_b]: [usize; 2],
        others: &[u32],
    ) -> Option<(u32, f64)> {
        let (at_a, at_b) = (a as usize * self.lanes, b as usize * self.lanes);
        let mut best: Option<(u32, f64)> = None;
        for &j in others {
            let (mut in_a, mut in_b) = (0.0, 0.0);
            for (lane, weights) in self.weights.iter().enumerate() {
                let (x, y) = (self.point(i, lane), self.point(j, lane));
                let (ends_a, ends_b) = (&self.ends[at_a + lane], &self.ends[at_b + lane]);
                let (low, high) = ends_a.after(y, x);
                in_a += f64::from(widths(low, high, weights));
                let (low, high) = ends_b.after(x, y);
                in_b += f64::from(widths(low, high, weights));
            }
            let value = size_a as f64 * in_a + size_b as f64 * in_b;
            if best.is_none_or(|best| value < best.1) {
                best = Some((j, value));
            }
        }
        let before = self.values[a as usize] + self.values[b as usize];
        best.map(|(j, value)| (j, value * self.unit - before))
    }

    /// A member that stands at an end alone: if another stood there too, nothing would be gained by its leaving.
    #[inline]
    fn extreme(&mut self, class: u32, members: &[u32], pick: u32) -> Option<u32> {
        let at = class as usize * self.lanes;
        let ends = &self.ends[at..at + self.lanes];
        let count: u32 = ends.iter().map(|e| e.alone().count_ones()).sum();
        let mut left = ((u64::from(pick) * u64::from(count)) >> 32) as u32;
        for (lane, e) in ends.iter().enumerate() {
            let mut bits = e.alone();
            if left >= bits.count_ones() {
                left -= bits.count_ones();
                continue;
            }
            for _ in 0..left {
                bits &= bits - 1;
            }
            let end = bits.trailing_zeros() as usize;
            let l = end % WIDE;
            let value = if end < WIDE { e.low.0[l] } else { e.high.0[l] };
            let stands = |i: u32| self.points[i as usize * self.lanes + lane].0[l] == value;
            let place = &mut self.places[(at + lane) * 2 * WIDE + end];
            if let Some(&i) = members.get(*place as usize)
                && stands(i)
            {
                return Some(i);
            }
            let found = members.iter().position(|&i| stands(i))?;
            *place = found as u32;
            return Some(members[found]);
        }
        None
    }

    #[inline]
    fn costs_nothing(&self, class: u32) -> bool {
        self.values[class as usize] == 0.0
    }

    #[inline]
    fn refresh(&mut self, class: u32, members: &[u32]) {
        for lane in 0..self.lanes {
            let mut fresh = Ends::NONE;
            for &i in members {
                fresh.insert(self.point(i, lane));
            }
            self.ends[class as usize * self.lanes + lane] = fresh;
        }
        self.store(class, members.len());
    }
}
