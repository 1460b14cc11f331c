//! The candidates that add the least to a class.

use super::low::Low;

/// The smallest keys of different marks, or of copies, ascending.
pub(super) struct Least {
    best: Vec<(f64, u32)>,
    wanted: usize,
}

impl Least {
    pub(super) fn new(wanted: usize) -> Self {
        Self { best: Vec::with_capacity(wanted + 1), wanted }
    }

    pub(super) fn is_full(&self) -> bool {
        self.best.len() == self.wanted
    }

    /// Larger keys do not matter.
    pub(super) fn end(&self) -> f64 {
        if self.is_full() { self.best.last().map_or(f64::INFINITY, |last| last.0) } else { f64::INFINITY }
    }

    /// A candidate with its copies; infinite keys are none.
    pub(super) fn offer(&mut self, mark: u32, key: f64, copies: usize) {
        // What is no number counts as the smallest, so that it is looked at.
        let key = if key.is_nan() { f64::NEG_INFINITY } else { key };
        if key >= self.end() || key == f64::INFINITY {
            return;
        }
        if let Some(at) = self.best.iter().position(|best| best.1 == mark) {
            if self.best[at].0 <= key {
                return;
            }
            self.best.remove(at);
        }
        for _ in 0..copies.min(self.wanted) {
            let at = self.best.partition_point(|best| best.0 <= key);
            self.best.insert(at, (key, mark));
            self.best.truncate(self.wanted);
        }
    }

    /// At most what all of them add to `base`; with `one` it takes the place of one of its mark, or of the largest.
    pub(super) fn total(&self, low: Low, base: f64, one: Option<(u32, f64)>) -> f64 {
        let out = one.map(|(mark, _)| {
            self.best.iter().position(|best| best.1 == mark).unwrap_or(self.best.len().saturating_sub(1))
        });
        let (mut sum, mut mass) = (0.0, 0.0);
        for (at, (key, _)) in self.best.iter().enumerate() {
            if Some(at) != out {
                sum += key;
                mass += key.abs();
            }
        }
        let key = one.map_or(0.0, |(_, key)| key);
        low.of(base + key + sum, base.abs() + key.abs() + mass)
    }

    /// At most what all but the largest of them add to `base`, and a key.
    pub(super) fn beside(&self, low: Low, base: f64, key: f64) -> f64 {
        let few = &self.best[..self.best.len().saturating_sub(1)];
        let sum: f64 = few.iter().map(|best| best.0).sum();
        let mass: f64 = few.iter().map(|best| best.0.abs()).sum();
        low.of(base + key + sum, base.abs() + key.abs() + mass)
    }
}
