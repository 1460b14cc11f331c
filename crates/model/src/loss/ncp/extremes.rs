//! The edges of a class: what a move reads.

use super::edge::Edge;
use crate::instance::{LANE, Lane};

/// The two smallest and the two largest values, four attributes at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extremes {
    pub(super) low: Lane,
    pub(super) second_low: Lane,
    pub(super) high: Lane,
    pub(super) second_high: Lane,
}

impl Extremes {
    pub(super) const NONE: Self = Self {
        low: [f64::INFINITY; LANE],
        second_low: [f64::INFINITY; LANE],
        high: [f64::NEG_INFINITY; LANE],
        second_high: [f64::NEG_INFINITY; LANE],
    };

    #[inline]
    pub(super) fn insert(&mut self, x: &Lane) {
        for (l, &x) in x.iter().enumerate() {
            self.second_low[l] = least(self.second_low[l], most(self.low[l], x));
            self.low[l] = least(self.low[l], x);
            self.second_high[l] = most(self.second_high[l], least(self.high[l], x));
            self.high[l] = most(self.high[l], x);
        }
    }

    /// Takes over what edges know of one attribute.
    #[inline]
    pub(super) fn set(&mut self, l: usize, ends: &[Edge; 2]) {
        let ((low, second_low), (high, second_high)) = (ends[0].two(), ends[1].two());
        (self.low[l], self.second_low[l]) = (low, second_low);
        (self.high[l], self.second_high[l]) = (-high, -second_high);
    }

    /// Whether a value that leaves is among the extremes.
    #[inline]
    pub(super) fn concerns(&self, x: &Lane) -> bool {
        (0..LANE).any(|l| x[l] <= self.second_low[l] || x[l] >= self.second_high[l])
    }
}

// One instruction each, unlike `f64::min`, which looks after NaN; coordinates are finite.
#[inline]
pub(super) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
pub(super) fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
