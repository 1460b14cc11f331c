//! The distances to the nearest records that may share a class with a record.

use lookalike_model::neighbours::Visitor;

use super::kinds::{Kind, Kinds};

/// The nearest partners of the records of one kind.
pub(super) struct Partners<'a> {
    kinds: &'a Kinds,
    of: Kind,
    /// The colours that the class of a record has that keeps a signature, ascending.
    signature: Option<&'a [u32]>,
    /// How many are wanted.
    wanted: usize,
    /// Distances of those so far, ascending, with their colour or, where colours do not count, with their number.
    best: Vec<(f64, u32)>,
    /// How many these are.
    found: usize,
}

impl<'a> Partners<'a> {
    /// `wanted` partners of a kind; a record that keeps a signature has them among its colours.
    pub(super) fn new(kinds: &'a Kinds, of: Kind, signature: Option<&'a [u32]>, wanted: usize) -> Self {
        Self { kinds, of, signature, wanted, best: Vec::with_capacity(wanted + 1), found: 0 }
    }

    /// Distances to the nearest partners, ascending, or less; fewer than were wanted if there are no more. Records that were not
    /// looked at are no nearer than `left_out`, and may be partners.
    pub(super) fn distances(&self, left_out: f64) -> Vec<f64> {
        let count = |&(distance, of): &(f64, u32)| match self.of.tint {
            Some(_) => (distance, 1),
            None => (distance, of as usize),
        };
        let each = self.best.iter().map(count);
        let found = each.flat_map(|(distance, count)| std::iter::repeat_n(distance.min(left_out), count));
        // Without any left out there are no more.
        let more = std::iter::repeat_n(left_out, if left_out.is_finite() { self.wanted } else { 0 });
        found.chain(more).take(self.wanted).collect()
    }

    /// The nearest of its colour.
    fn coloured(&mut self, colour: u32, distance: f64) {
        if let Some(at) = self.best.iter().position(|b| b.1 == colour) {
            if self.best[at].0 <= distance {
                return;
            }
            self.best.remove(at);
        }
        let at = self.best.partition_point(|b| b.0 <= distance);
        self.best.insert(at, (distance, colour));
        self.best.truncate(self.wanted);
        self.found = self.best.len();
    }

    /// So many records.
    fn counted(&mut self, count: usize, distance: f64) {
        if count == 0 {
            return;
        }
        let at = self.best.partition_point(|b| b.0 <= distance);
        self.best.insert(at, (distance, count as u32));
        self.found += count;
        while let Some(&(_, last)) = self.best.last()
            && self.found - last as usize >= self.wanted
        {
            self.found -= last as usize;
            self.best.pop();
        }
    }
}

impl Visitor for Partners<'_> {
    fn radius(&self) -> f64 {
        let enough = self.found >= self.wanted;
        self.best.last().filter(|_| enough).map_or(f64::INFINITY, |farthest| farthest.0)
    }

    fn visit(&mut self, group: u32, distance: f64) {
        let kinds = self.kinds;
        let Some((own, kept)) = self.of.tint else {
            let records = kinds.points.members(group as usize).len();
            return self.counted(records - usize::from(group == self.of.point), distance);
        };
        for (colour, bound) in kinds.at(group).iter().filter_map(|kind| kind.tint) {
            let fits = self
                .signature
                .is_none_or(|of| [0, kept].contains(&bound) && of.binary_search(&colour).is_ok());
            if colour != own && fits {
                self.coloured(colour, distance);
            }
        }
    }
}
