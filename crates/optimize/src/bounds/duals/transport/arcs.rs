//! Which boxes a kind of record may go to.

use super::boxes::Found;

/// Boxes whose cost is within so many times the softness of the cheapest stay.
const WITHIN: f64 = 10.0;

/// Boxes of a kind at the least and the most that may stay, and of all kinds about.
const MOST: (usize, usize) = (16, 250);
const ALL: usize = 6_000_000;

/// A box that a kind may go to, and what that costs without fees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) leaf: u32,
    pub(super) price: f64,
}

/// The arcs, by kinds and by boxes.
#[derive(Default)]
pub(super) struct Arcs {
    /// Those of kind i end at `end[i]`.
    all: Vec<Arc>,
    end: Vec<usize>,
    /// Kind and price of the arcs of each box, by colour; those of box b end at `last[b]`.
    inwards: Vec<(u32, f64)>,
    last: Vec<usize>,
    /// The halves that came from a box since.
    halves: Vec<(u32, u32)>,
}

impl Arcs {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The boxes of a kind.
    pub(super) fn of(&self, kind: usize) -> &[Arc] {
        let from = kind.checked_sub(1).map_or(0, |before| self.end[before]);
        &self.all[from..self.end[kind]]
    }

    /// Kinds that may go to a box, by colour, with what that costs.
    pub(super) fn to(&self, leaf: usize) -> &[(u32, f64)] {
        let from = leaf.checked_sub(1).map_or(0, |before| self.last[before]);
        &self.inwards[from..self.last[leaf]]
    }

    /// A box was halved.
    pub(super) fn split(&mut self, leaf: u32, new: u32) {
        self.halves.push((leaf, new));
    }

    /// What goes to a box may go to both of its halves.
    pub(super) fn price(&mut self, price: impl Fn(usize, u32) -> f64) {
        let mut halves = std::mem::take(&mut self.halves);
        if halves.is_empty() || self.all.is_empty() {
            return;
        }
        halves.sort_unstable();
        let half = |leaf: u32| {
            let found = halves.binary_search_by_key(&leaf, |of| of.0).ok()?;
            Some(halves[found].1)
        };
        let (mut all, mut end) = (Vec::with_capacity(2 * self.all.len()), Vec::with_capacity(self.end.len()));
        for kind in 0..self.end.len() {
            for arc in self.of(kind) {
                let boxes = [Some(arc.leaf), half(arc.leaf)];
                all.extend(boxes.into_iter().flatten().map(|leaf| Arc { leaf, price: price(kind, leaf) }));
            }
            end.push(all.len());
        }
        (self.all, self.end) = (all, end);
    }

    /// Keeps what is cheap, one of each colour for each box, and the boxes that were found to be the best. `fee` is what a box adds for
    /// a kind, `paid` what each kind pays.
    pub(super) fn renew(
        &mut self,
        best: &[Vec<Found>],
        fee: impl Fn(usize, u32) -> f64,
        paid: &[f64],
        (colours, softness): (&[u32], f64),
    ) {
        let kinds = best.len();
        let of = |kind: usize| if self.end.is_empty() { &[][..] } else { self.of(kind) };
        // A box with no record of a colour at all would not know what that costs.
        let mut cheapest: rustc_hash::FxHashMap<(u32, u32), (f64, u32)> = rustc_hash::FxHashMap::default();
        for kind in 0..kinds {
            for arc in of(kind) {
                let over = arc.price + fee(kind, arc.leaf) - paid[kind];
                let held = cheapest.entry((arc.leaf, colours[kind])).or_insert((over, kind as u32));
                if over < held.0 {
                    *held = (over, kind as u32);
                }
            }
        }
        let most = (ALL / kinds.max(1)).clamp(MOST.0, MOST.1);
        let (mut all, mut end, mut leaves) = (Vec::new(), Vec::with_capacity(kinds), 0);
        for kind in 0..kinds {
            let from = all.len();
            all.extend(best[kind].iter().map(|found| Arc { leaf: found.leaf, price: found.price }));
            let known = all.len();
            for arc in of(kind) {
                let over = arc.price + fee(kind, arc.leaf) - paid[kind];
                let first =
                    cheapest.get(&(arc.leaf, colours[kind])).is_some_and(|held| held.1 == kind as u32);
                let wanted = first || (over < WITHIN * softness && all.len() - from < most);
                if wanted && !all[from..known].iter().any(|other: &Arc| other.leaf == arc.leaf) {
                    all.push(*arc);
                }
            }
            leaves = all[from..].iter().map(|arc| arc.leaf as usize + 1).fold(leaves, usize::max);
            end.push(all.len());
        }
        (self.all, self.end) = (all, end);
        self.turn(leaves);
    }

    /// The same by boxes.
    fn turn(&mut self, leaves: usize) {
        let mut last = vec![0; leaves];
        for arc in &self.all {
            last[arc.leaf as usize] += 1;
        }
        let mut next = 0;
        for place in &mut last {
            (*place, next) = (next, next + *place);
        }
        let mut inwards = vec![(0, 0.0); self.all.len()];
        for kind in 0..self.end.len() {
            for arc in self.of(kind) {
                let place = &mut last[arc.leaf as usize];
                inwards[*place] = (kind as u32, arc.price);
                *place += 1;
            }
        }
        (self.inwards, self.last) = (inwards, last);
    }

    /// Boxes that something may go to end before this.
    pub(super) fn leaves(&self) -> usize {
        self.last.len()
    }
}
