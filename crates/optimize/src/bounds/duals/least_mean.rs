//! The class of a record with the least mean reduced cost, by a local search that misses none.
//!
//! For one size of classes after another: the partners with the smallest keys bound all classes of the record; those that can be in a
//! better class than the best known are its candidates, and classes are built of them depth first. Where that takes too long, the
//! bounds of what is left open count.

use super::{
    candidates::{Candidate, Of, by_key},
    heights::Heights,
    measure::Measure,
    near::Near,
    params::Params,
    prices::Prices,
};

/// Smallest keys that are looked for exactly to drop candidates by; others count as the last of these.
const FEW: usize = 8;

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// No class of the record has a mean reduced cost below this.
    pub(super) mean: f64,
    /// The last classes that it met on its way to the best, by kinds, ascending, with their costs; the best is the last of them.
    pub(super) classes: Vec<(Vec<u32>, f64)>,
    /// Records that it looked at.
    pub(super) looks: u64,
}

/// What a search may look at.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// So many records.
    pub(super) looks: u64,
    /// Whether all of them count, or candidates alone.
    pub(super) all: bool,
}

/// What searches keep to reuse.
#[derive(Default)]
pub(super) struct Scratch {
    /// Candidates by depth.
    levels: Vec<Vec<Candidate>>,
}

/// The least mean reduced cost of the classes of a kind, or less; `known` is that of one, or infinite.
pub(super) fn search<L: Measure>(
    near: &Near<L>,
    prices: &Prices,
    (of, known): (u32, f64),
    params: &Params,
    limit: Limit,
    scratch: &mut Scratch,
) -> Found {
    let mut measured = 0;
    let heights = if L::WIDE { Heights::new(near, prices, of, &mut measured) } else { Heights::default() };
    scratch.levels.resize(near.sizes.end, Vec::new());
    let mut search = Search {
        near,
        prices,
        heights: &heights,
        params,
        of,
        q: 0,
        best: known,
        open: f64::INFINITY,
        classes: Vec::new(),
        limit,
        looks: 0,
        measured,
        members: vec![of],
        scratch,
    };
    for q in near.sizes.clone() {
        search.size(q);
    }
    let (looks, mean) = (search.looked(), search.best.min(search.open));
    let mut classes = search.classes;
    classes.drain(..classes.len().saturating_sub(params.kept));
    Found { mean, classes, looks }
}

/// A search under way.
struct Search<'a, L: Measure> {
    near: &'a Near<L>,
    prices: &'a Prices,
    heights: &'a Heights,
    params: &'a Params,
    of: u32,
    /// The size of the classes at hand.
    q: usize,
    /// Only classes of a lower mean are of interest.
    best: f64,
    /// No class that was left out has a lower mean.
    open: f64,
    classes: Vec<(Vec<u32>, f64)>,
    limit: Limit,
    /// Candidates that it looked at.
    looks: u64,
    /// Other records that it looked at: those that came to be no candidates.
    measured: u64,
    /// The class in the making.
    members: Vec<u32>,
    scratch: &'a mut Scratch,
}

impl<L: Measure> Search<'_, L> {
    /// What it looked at, of what counts.
    fn looked(&self) -> u64 {
        if self.limit.all { self.looks + self.measured } else { self.looks }
    }

    /// Classes from this reduced cost on are of no interest.
    fn dearest(&self) -> f64 {
        self.q as f64 * self.best
    }

    fn size(&mut self, q: usize) {
        let near = self.near;
        if near.of(self.of)[q - 2].is_infinite() {
            return;
        }
        self.q = q;
        let partial = near.loss.begin(&near.instance, near.head(self.of));
        let lambda = self.prices.dual(self.of);
        let base = near.loss.base(&partial, std::iter::once(near.of(self.of)), q) - lambda;
        let of = Of { near, prices: self.prices, partial: &partial, kind: self.of, q };
        let smallest = of.smallest(&mut self.looks);
        let least: f64 = smallest.iter().map(|c| c.key).sum();
        if smallest.len() < q - 1 || base + least >= self.dearest() {
            return;
        }
        self.complete(&partial, &smallest);
        let others: f64 = smallest[..q - 2].iter().map(|c| c.key).sum();
        let limits = (self.dearest() - base - others, self.dearest(), self.params.partners);
        let (mut list, left_out) = of.all(limits, self.heights, &mut self.looks);
        if let Some(key) = left_out {
            self.leave_open(base + others + key);
        }
        self.narrow(&mut list, lambda);
        self.scratch.levels[1] = list;
        self.branch(&partial, base);
    }

    /// Classes of at least this reduced cost are not looked at.
    fn leave_open(&mut self, reduced_cost: f64) {
        self.open = self.open.min(reduced_cost / self.q as f64);
    }

    /// The class of the record with these.
    fn complete(&mut self, partial: &L::Partial, others: &[Candidate]) {
        let (near, mut partial) = (self.near, partial.clone());
        let mut reaches: Vec<f64> = others.iter().map(|c| c.reach).collect();
        for (at, c) in others[..others.len() - 1].iter().enumerate() {
            let head = near.head(c.kind);
            partial = near.loss.with(&near.instance, &partial, head, reaches[at]);
            for (reach, r) in reaches[at + 1..].iter_mut().zip(&others[at + 1..]) {
                *reach = near.loss.reach(&near.instance, &partial, head, *reach, near.head(r.kind));
            }
        }
        let cost = near.loss.whole(&partial, reaches[others.len() - 1], self.q);
        let members: Vec<u32> = std::iter::once(self.of).chain(others.iter().map(|c| c.kind)).collect();
        let reduced_cost = cost - self.prices.sum(&members);
        self.offer(members, cost, reduced_cost);
    }

    /// Drops candidates that, beside the class in the making, can be in no class of interest.
    fn narrow(&self, list: &mut Vec<Candidate>, lambda: f64) {
        let (limit, t) = (self.dearest(), self.members.len());
        self.near.loss.bounds(list, self.prices, lambda, (t, self.q));
        list.retain(|c| c.bound < limit);
    }

    fn offer(&mut self, mut members: Vec<u32>, cost: f64, reduced_cost: f64) {
        let mean = reduced_cost / self.q as f64;
        if mean < self.best {
            self.best = mean;
            members.sort_unstable();
            self.classes.push((members, cost));
        }
    }

    /// Extends the class, whose reduced cost is at least `base`, by the candidates of its level.
    fn branch(&mut self, partial: &L::Partial, base: f64) {
        let t = self.members.len();
        let mut level = std::mem::take(&mut self.scratch.levels[t]);
        self.looks += 1 + level.len() as u64;
        level.sort_unstable_by(by_key);
        if t + 1 == self.q {
            self.end(partial, base, &level);
        } else {
            self.extend(partial, base, &level);
        }
        self.scratch.levels[t] = level;
    }

    /// One last record; its key is all that it adds.
    fn end(&mut self, partial: &L::Partial, base: f64, level: &[Candidate]) {
        let lambda = self.prices.sum(&self.members);
        for c in level {
            if base + c.key >= self.dearest() {
                break;
            }
            let cost = self.near.loss.whole(partial, c.reach, self.q);
            let reduced_cost = cost - lambda - self.prices.dual(c.kind);
            if reduced_cost < self.dearest() {
                let members = self.members.iter().copied().chain([c.kind]).collect();
                self.offer(members, cost, reduced_cost);
            }
        }
    }

    fn extend(&mut self, partial: &L::Partial, base: f64, level: &[Candidate]) {
        let (near, q, t) = (self.near, self.q, self.members.len());
        for (at, c) in level.iter().enumerate() {
            // Keys ascend, so what this candidate and the next ones cannot do, no later ones can.
            let Some(keys) = smallest(&level[at..], q - t) else { break };
            if base + keys >= self.dearest() {
                break;
            }
            if self.looked() >= self.limit.looks {
                let bound = level[at..].iter().map(|c| c.bound).fold(f64::INFINITY, f64::min);
                self.leave_open((base + keys).max(bound));
                break;
            }
            // With one of its kind left out, another one would lead to the same classes.
            let again = at > 0 && level[at - 1].kind == c.kind;
            if again || c.bound >= self.dearest() {
                continue;
            }
            let next = near.loss.with(&near.instance, partial, near.head(c.kind), c.reach);
            self.members.push(c.kind);
            let lambda = self.prices.sum(&self.members);
            let below = near.loss.base(&next, self.members.iter().map(|&kind| near.of(kind)), q) - lambda;
            self.fill(&next, c, (&level[at + 1..], below));
            let mut list = std::mem::take(&mut self.scratch.levels[t + 1]);
            self.narrow(&mut list, lambda);
            self.scratch.levels[t + 1] = list;
            self.branch(&next, below);
            self.members.pop();
        }
    }

    /// The candidates beside a class that `last` has joined.
    fn fill(&mut self, partial: &L::Partial, last: &Candidate, (rest, base): (&[Candidate], f64)) {
        let (near, q, t) = (self.near, self.q, self.members.len());
        let (head, colour) = (near.head(last.kind), last.colour);
        let mut list = std::mem::take(&mut self.scratch.levels[t]);
        list.clear();
        // What the others add at the least to a class with one of these.
        let others = q - t - 1;
        let few = others.min(FEW);
        let mut smallest = [f64::INFINITY; FEW];
        // Beside a wider class no record is nearer, so keys do not fall: what is too dear by those before need not be measured.
        let dearest = if L::WIDE {
            let before: f64 = rest.iter().take(others).map(|r| r.key).sum();
            self.dearest() - base - before
        } else {
            f64::INFINITY
        };
        let near_enough = rest.iter().take_while(|r| r.key < dearest);
        for r in near_enough.filter(|r| colour.is_none() || r.colour != colour) {
            self.measured += 1;
            let reach = near.loss.reach(&near.instance, partial, head, r.reach, near.head(r.kind));
            let key = near.loss.key(reach, near.of(r.kind), t, q) - self.prices.dual(r.kind);
            list.push(Candidate { key, reach, ..*r });
            if few > 0 && key < smallest[few - 1] {
                let place = smallest[..few].partition_point(|&k| k <= key);
                smallest[place..few].rotate_right(1);
                smallest[place] = key;
            }
        }
        let mut least: f64 = smallest[..few].iter().sum();
        if others > few {
            least += (others - few) as f64 * smallest[few - 1];
        }
        let limit = self.dearest() - base - least;
        list.retain(|r| r.key < limit);
        self.scratch.levels[t] = list;
    }
}

/// The sum of the first so many keys of different colours, if there are so many.
fn smallest(sorted: &[Candidate], count: usize) -> Option<f64> {
    let (mut sum, mut found) = (0.0, 0);
    for (at, c) in sorted.iter().enumerate() {
        if c.colour.is_some() && sorted[..at].iter().any(|before| before.colour == c.colour) {
            continue;
        }
        sum += c.key;
        found += 1;
        if found == count {
            return Some(sum);
        }
    }
    None
}
