//! The candidates around a record.

use super::{
    super::{
        least::Least,
        tree::{Space as _, Visitor},
    },
    Candidate, Errors,
};

/// Looks for the smallest keys around a kind, and after that for all candidates that matter beside them.
pub(super) struct Near<'a> {
    pub(super) errors: &'a Errors<'a>,
    pub(super) of: u32,
    pub(super) q: usize,
    pub(super) radius: f64,
    pub(super) base: f64,
    pub(super) least: Least,
    /// The candidates that matter, once the smallest keys are known.
    pub(super) all: Option<Vec<Candidate>>,
    pub(super) inside: &'a [u32],
    pub(super) looks: u64,
}

impl Near<'_> {
    /// Whether a candidate of this key matters, by its mark where that is known.
    fn matters(&self, key: f64, mark: Option<u32>) -> bool {
        if self.all.is_none() {
            return key.is_nan() || key < self.least.end();
        }
        let total = match mark {
            Some(mark) => self.least.total(self.errors.low, self.base, Some((mark, key))),
            // It takes the place of the largest: no other place makes a class cheaper.
            None => self.least.beside(self.errors.low, self.base, key),
        };
        key < f64::INFINITY && self.errors.cheap(total) || key.is_nan()
    }
}

impl Visitor for Near<'_> {
    fn wants(&mut self, node: usize, apart: f64) -> bool {
        if apart >= self.radius {
            return false;
        }
        let (q, low) = (self.q as f64, self.errors.low);
        let [few, all] = [0, 1].map(|which| self.errors.parts[self.q - self.errors.least][which][node]);
        if all == f64::INFINITY {
            return false;
        }
        let key = |apart: f64, part: f64| low.of(apart + part, apart + part.abs());
        self.matters(key(apart / q, few).max(key(apart / (2.0 * q), all)), None)
    }

    fn visit(&mut self, kind: u32) {
        let errors = self.errors;
        self.looks += 1;
        let copies = errors.kinds.beside(self.of, kind).min(self.q - 1);
        if copies == 0 || !errors.kinds.follows(kind, self.of) {
            return;
        }
        let sum = errors.space.distance(self.of, kind);
        if sum >= self.radius {
            return;
        }
        self.looks += errors.kinds.looks(kind) - 1;
        let key = errors.key(kind, sum, (self.q, self.q - 1), self.inside);
        let mark = errors.kinds.mark(kind);
        match &self.all {
            None => self.least.offer(mark, key, copies),
            Some(_) if !self.matters(key, Some(mark)) => {}
            Some(_) => {
                if let Some(all) = &mut self.all {
                    all.push(Candidate { kind, copies, sum, key });
                }
            }
        }
    }
}
