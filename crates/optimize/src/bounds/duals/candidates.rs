//! The partners of a record that may share a class of low reduced cost with it.

use lookalike_model::neighbours::NodeVisitor;

use super::{heights::Heights, measure::Measure, near::Near, prices::Prices};

/// A record that may join a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// What it adds to the reduced cost of the class at the least.
    pub(super) key: f64,
    /// No class with it has a lower reduced cost, by its loss alone.
    pub(super) bound: f64,
    pub(super) reach: f64,
    pub(super) kind: u32,
    pub(super) colour: Option<u32>,
}

/// By key, the same everywhere.
pub(super) fn by_key(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    a.key.total_cmp(&b.key).then(a.kind.cmp(&b.kind))
}

/// Whose partners are looked for, for classes of which size.
pub(super) struct Of<'a, L: Measure> {
    pub(super) near: &'a Near<L>,
    pub(super) prices: &'a Prices,
    pub(super) partial: &'a L::Partial,
    pub(super) kind: u32,
    pub(super) q: usize,
}

impl<L: Measure> Of<'_, L> {
    fn dearest(&self, node: usize) -> f64 {
        self.prices.dearest(self.q - self.near.sizes.start, node)
    }

    fn node(&self, node: usize, distance: f64) -> f64 {
        self.near.loss.node(distance, self.dearest(node), self.q)
    }

    /// The partners at a point, each with the number of its copies that a class of q can have.
    fn at(&self, point: u32, mut show: impl FnMut(Candidate, usize)) {
        let (near, own) = (self.near, self.near.colour(self.kind));
        let head = near.head(self.kind);
        for kind in near.kinds.range(point) {
            let kind = kind as u32;
            let colour = near.colour(kind);
            let copies = match colour {
                Some(_) => usize::from(colour != own),
                None => (near.records(kind) - usize::from(kind == self.kind)).min(self.q - 1),
            };
            if copies > 0 {
                let reach = near.loss.reach(&near.instance, self.partial, head, 0.0, near.head(kind));
                let key = near.loss.key(reach, near.of(kind), 1, self.q) - self.prices.dual(kind);
                show(Candidate { key, bound: f64::NEG_INFINITY, reach, kind, colour }, copies);
            }
        }
    }

    fn search(&self, visitor: &mut impl NodeVisitor) {
        let near = self.near;
        near.tree.search_nodes(&near.instance, &near.loss, near.head(self.kind), visitor);
    }

    /// The q - 1 partners with the smallest keys, of different colours where these count, ascending; fewer if there are no more.
    pub(super) fn smallest(&self, looks: &mut u64) -> Vec<Candidate> {
        let mut smallest = Smallest { of: self, list: Vec::with_capacity(self.q), looks: 0 };
        self.search(&mut smallest);
        *looks += smallest.looks;
        smallest.list
    }

    /// All partners with keys below `limit` that can be in a class with a reduced cost below `worst`: the `most` of the smallest keys, and the
    /// least key that may have been left out.
    pub(super) fn all(
        &self,
        (limit, worst, most): (f64, f64, usize),
        heights: &Heights,
        looks: &mut u64,
    ) -> (Vec<Candidate>, Option<f64>) {
        let list = Vec::new();
        let mut all = All { of: self, heights, list, limit, worst, most, is_cut: false, looks: 0 };
        self.search(&mut all);
        *looks += all.looks;
        (all.list, all.is_cut.then_some(all.limit))
    }
}

/// The smallest keys so far.
struct Smallest<'a, 'b, L: Measure> {
    of: &'b Of<'a, L>,
    list: Vec<Candidate>,
    looks: u64,
}

impl<L: Measure> Smallest<'_, '_, L> {
    fn end(&self) -> f64 {
        let full = self.list.len() + 1 >= self.of.q;
        self.list.last().filter(|_| full).map_or(f64::INFINITY, |last| last.key)
    }

    fn put(&mut self, candidate: Candidate) {
        let of_colour = |held: &Candidate| candidate.colour.is_some() && held.colour == candidate.colour;
        if let Some(at) = self.list.iter().position(of_colour) {
            if by_key(&self.list[at], &candidate).is_le() {
                return;
            }
            self.list.remove(at);
        }
        let at = self.list.partition_point(|held| by_key(held, &candidate).is_le());
        self.list.insert(at, candidate);
        self.list.truncate(self.of.q - 1);
    }
}

impl<L: Measure> NodeVisitor for Smallest<'_, '_, L> {
    fn wants(&self, node: usize, distance: f64) -> bool {
        self.of.node(node, distance) < self.end()
    }

    fn visit(&mut self, point: u32) {
        let of = self.of;
        of.at(point, |candidate, copies| {
            self.looks += 1;
            for _ in 0..copies {
                if candidate.key < self.end() {
                    self.put(candidate);
                }
            }
        });
    }
}

/// All that matter so far.
struct All<'a, 'b, L: Measure> {
    of: &'b Of<'a, L>,
    heights: &'b Heights,
    list: Vec<Candidate>,
    /// Keys from here on do not matter, or are left out.
    limit: f64,
    /// Reduced costs from here on do not matter.
    worst: f64,
    most: usize,
    is_cut: bool,
    looks: u64,
}

impl<L: Measure> All<'_, '_, L> {
    /// Whether a class with a record so far away, of this dual, may matter.
    fn reaches(&self, distance: f64, dual: f64) -> bool {
        let Some(height) = self.heights.at(distance) else { return true };
        let both = 2.0 * distance - self.of.prices.dual(self.of.kind) - dual;
        both + (self.of.q - 2) as f64 * height < self.worst
    }

    /// Keeps those of the smallest keys; no larger key is taken any more.
    fn cut(&mut self) {
        let (_, last, _) = self.list.select_nth_unstable_by(self.most, by_key);
        self.limit = last.key;
        self.is_cut = true;
        self.list.truncate(self.most);
    }
}

impl<L: Measure> NodeVisitor for All<'_, '_, L> {
    fn wants(&self, node: usize, distance: f64) -> bool {
        self.of.node(node, distance) < self.limit && self.reaches(distance, self.of.prices.largest(node))
    }

    fn visit(&mut self, point: u32) {
        let of = self.of;
        of.at(point, |candidate, copies| {
            self.looks += 1;
            let dual = of.prices.dual(candidate.kind);
            if candidate.key < self.limit && self.reaches(candidate.reach, dual) {
                self.list.extend(std::iter::repeat_n(candidate, copies));
                if self.list.len() > 2 * self.most {
                    self.cut();
                }
            }
        });
    }
}
