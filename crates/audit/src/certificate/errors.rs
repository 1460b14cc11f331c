//! The search for a class of too low a reduced cost under squared errors, one record after another.
//!
//! If w(C) < sum of lambda over C, and s has the largest dual of C, then C is near s: with c the centroid, w(C) >= |a - c|^2 + |s - c|^2 >=
//! d(a, s) / 2 for each member a, so that d(a, s) <= 2 w(C) < 2 |C| `lambda_s`; and 2 l farther for classes that cost up to l more. So the classes of s and of records of no larger duals within that
//! ball are searched, for each s and each size.
//!
//! Depth first, each class once. With P chosen and r records to go of a class of q, r >= 1, a candidate j adds at least its *key*
//!
//! ```text
//! max(D_j(P) + N_j(r - 1) / 2, (D_j(P) + N_j(q - 1)) / 2) / q - lambda_j + p_j,
//! ```
//!
//! where `D_j(P)` is the sum of its squared distances to P, `N_j(t)` that to its t nearest partners, and `p_j` is [`pending`]: q w(C) is the sum of the
//! squared distances of pairs, so that each pair of new members is counted by half at both; and the distances of j to P and to them are those to q - 1 different
//! partners. Any class then costs at least what P does and the r smallest keys, of different colours.

mod around;

use self::around::Near;
use super::{
    Certificate, Refusal,
    chosen::Chosen,
    kinds::Kinds,
    least::Least,
    listed::Listed,
    low::{Low, squared_distance},
    nearest::nearest,
    nodes::Nodes,
    pending::pending,
    roots::Rooted,
    tree::{Space, Tree},
};

/// Kinds as points.
pub(super) struct Points<'a> {
    /// Coordinates, kind by kind.
    pub(super) points: Vec<f64>,
    pub(super) weights: &'a [f64],
}

impl Points<'_> {
    fn point(&self, kind: u32) -> &[f64] {
        &self.points[kind as usize * self.weights.len()..][..self.weights.len()]
    }
}

impl Space for Points<'_> {
    fn axes(&self) -> usize {
        self.weights.len()
    }

    fn at(&self, kind: u32, axis: usize) -> f64 {
        self.points[kind as usize * self.weights.len() + axis]
    }

    fn gap(&self, axis: usize, place: f64, low: f64, high: f64) -> f64 {
        let apart = (low - place).max(place - high);
        self.weights[axis] * (apart * apart)
    }

    fn lowered(&self, gaps: f64) -> f64 {
        let axes = self.weights.len();
        (Low::new(axes).of(gaps, gaps) - axes as f64 * f64::MIN_POSITIVE).max(0.0)
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        squared_distance(self.point(a), self.point(b), self.weights)
    }
}

/// A record that may join.
#[derive(Clone, Copy)]
struct Candidate {
    kind: u32,
    /// How many of its kind may.
    copies: usize,
    /// The sum of its squared distances to what is chosen.
    sum: f64,
    key: f64,
}

/// What all searches know.
pub(super) struct Errors<'a> {
    space: &'a Points<'a>,
    kinds: &'a Kinds,
    certificate: &'a Certificate,
    tree: Tree,
    /// Of each kind the sums of its squared distances to its nearest 0, 1, 2, ... partners; infinite where there are no more.
    sums: Vec<f64>,
    /// The sizes of classes.
    least: usize,
    largest: usize,
    /// By size, for each node the least of both parts of a key that do not depend on what is chosen: with half of the nearest r - 1, and with half
    /// of the nearest q - 1.
    parts: Vec<[Vec<f64>; 2]>,
    low: Low,
    nodes: &'a Nodes<'a>,
    /// Classes of a reduced cost below this are looked for.
    limit: f64,
    /// Where they are put; without it the first one is a refusal.
    listed: Option<&'a Listed>,
}

impl<'a> Errors<'a> {
    pub(super) fn new(
        space: &'a Points<'a>,
        kinds: &'a Kinds,
        certificate: &'a Certificate,
        largest: usize,
        nodes: &'a Nodes<'a>,
    ) -> Result<Self, Refusal> {
        let (least, most) = (certificate.rule.least(), 2 * certificate.rule.least());
        let tree = Tree::new(space, kinds.len());
        let distances = nearest(space, &tree, kinds, largest - 1, nodes)?;
        let running = |of: &[f64]| {
            let mut sum = 0.0;
            let next = |distance: &f64| {
                sum += distance;
                sum
            };
            let sums: Vec<f64> = std::iter::once(0.0).chain(of.iter().map(next)).collect();
            sums
        };
        let sums: Vec<f64> = distances.chunks(largest - 1).flat_map(running).collect();
        let low = Low::new(space.weights.len() + most * most + certificate.cuts.len() * most);
        let mut this = Self {
            space,
            kinds,
            certificate,
            tree,
            sums,
            least,
            largest,
            parts: Vec::new(),
            low,
            nodes,
            limit: -certificate.tolerance,
            listed: None,
        };
        this.parts = (least..=largest).map(|q| [q - 2, q - 1].map(|others| this.part(others, q))).collect();
        Ok(this)
    }

    /// The same search for all classes of a reduced cost below `limit`, above 0, which are listed.
    pub(super) fn listing(self, limit: f64, listed: &'a Listed) -> Self {
        Self { limit, listed: Some(listed), ..self }
    }

    /// For each node the least of half of the sums of the nearest partners, over q, less lambda.
    fn part(&self, others: usize, q: usize) -> Vec<f64> {
        self.tree.least(|kind| {
            let (half, dual) = (self.near(kind, others) / (2 * q) as f64, self.kinds.dual(kind));
            if half.is_infinite() { half } else { self.low.of(half - dual, half + dual.abs()) }
        })
    }

    fn near(&self, kind: u32, others: usize) -> f64 {
        self.sums[kind as usize * self.largest + others]
    }

    /// The key of a candidate; infinite for a record that is in no class of q.
    fn key(&self, kind: u32, sum: f64, (q, open): (usize, usize), inside: &[u32]) -> f64 {
        let all = self.near(kind, q - 1);
        if all.is_infinite() {
            return all;
        }
        let apart = (sum + self.near(kind, open - 1) / 2.0).max(f64::midpoint(sum, all)) / q as f64;
        let pending = pending(self.certificate, self.kinds.cuts(kind), inside, open);
        let dual = self.kinds.dual(kind);
        self.low.of(apart - dual + pending, apart + dual.abs() + pending)
    }
}

impl Rooted for Errors<'_> {
    type Scratch = Search;

    fn scratch(&self) -> Search {
        let levels = vec![Vec::new(); self.largest + 1];
        Search { levels, members: Vec::new(), inside: vec![0; self.certificate.cuts.len()], looks: 0 }
    }

    fn root(&self, kind: u32, search: &mut Search) -> Result<(), Refusal> {
        for q in self.least..=self.largest {
            self.size(kind, q, search)?;
        }
        self.nodes.looked(std::mem::take(&mut search.looks))
    }
}

/// What a search of one thread keeps.
pub(super) struct Search {
    /// Candidates by the number of what is chosen.
    levels: Vec<Vec<Candidate>>,
    /// The kinds that are chosen.
    members: Vec<u32>,
    /// Per cut: how many of the chosen records are in it.
    inside: Vec<u32>,
    looks: u64,
}

impl Errors<'_> {
    /// Proves that no class of q with a record of a kind, and others of no larger duals, is too cheap.
    fn size(&self, of: u32, q: usize, search: &mut Search) -> Result<(), Refusal> {
        let dual = self.kinds.dual(of);
        // The class costs less than q of these duals, and the limit where that is above 0; all that, and its rounding.
        let (own, more) = (q as f64 * dual, self.limit.max(0.0));
        let radius = 2.0 * (own + more + 8.0 * f64::EPSILON * (own.abs() + more));
        if radius <= 0.0 || self.near(of, q - 1).is_infinite() {
            return Ok(());
        }
        self.nodes.visit()?;
        let chosen = Chosen::default().with(self.certificate, self.kinds, of, 0.0, &mut search.inside);
        search.members.push(of);
        let found = self.around(of, (q, radius), &chosen, search);
        search.members.pop();
        Chosen::withdraw(self.kinds, of, &mut search.inside);
        found
    }

    fn around(
        &self,
        of: u32,
        (q, radius): (usize, f64),
        chosen: &Chosen,
        search: &mut Search,
    ) -> Result<(), Refusal> {
        let base = chosen.base(self.low, q);
        let least = Least::new(q - 1);
        let inside = &search.inside;
        let mut near = Near { errors: self, of, q, radius, base, least, all: None, inside, looks: 0 };
        self.tree.search(self.space, of, &mut near);
        search.looks += near.looks;
        let least = near.least;
        if !least.is_full() || !self.cheap(least.total(self.low, base, None)) {
            return Ok(());
        }
        let mut list = std::mem::take(&mut search.levels[1]);
        list.clear();
        let mut near = Near { errors: self, of, q, radius, base, least, all: Some(list), inside, looks: 0 };
        self.tree.search(self.space, of, &mut near);
        search.looks += near.looks;
        search.levels[1] = near.all.unwrap_or_default();
        self.visit(chosen, q, search)
    }

    /// Whether a class may be too cheap; what is no number is, so that it is refused in the end.
    fn cheap(&self, reduced_cost: f64) -> bool {
        reduced_cost.is_nan() || reduced_cost < self.limit
    }

    /// Proves that no class of q with what is chosen and candidates of its level is too cheap.
    fn visit(&self, chosen: &Chosen, q: usize, search: &mut Search) -> Result<(), Refusal> {
        self.nodes.visit()?;
        let t = search.members.len();
        let mut level = std::mem::take(&mut search.levels[t]);
        let looks = level.iter().map(|c| self.kinds.looks(c.kind)).sum::<u64>();
        self.nodes.looked(looks + std::mem::take(&mut search.looks))?;
        let found = self.extend(chosen, (q, q - t), &mut level, search);
        search.levels[t] = level;
        found
    }

    fn extend(
        &self,
        chosen: &Chosen,
        (q, open): (usize, usize),
        level: &mut Vec<Candidate>,
        search: &mut Search,
    ) -> Result<(), Refusal> {
        let base = chosen.base(self.low, q);
        let mut least = Least::new(open);
        for c in level.iter_mut() {
            c.key = self.key(c.kind, c.sum, (q, open), &search.inside);
            least.offer(self.kinds.mark(c.kind), c.key, c.copies);
        }
        if !least.is_full() {
            return Ok(());
        }
        level.retain(|c| {
            let mark = self.kinds.mark(c.kind);
            self.cheap(least.total(self.low, base, Some((mark, c.key))))
        });
        level.sort_unstable_by(|a, b| a.key.total_cmp(&b.key).then(a.kind.cmp(&b.kind)));
        if open == 1 {
            return level.iter().try_for_each(|last| {
                let kinds: Vec<u32> = search.members.iter().copied().chain([last.kind]).collect();
                let cost = self.low.of(base + last.key, base.abs() + last.key.abs());
                match self.listed {
                    Some(listed) => listed.put(kinds, cost),
                    None => Err(Refusal::Negative {
                        class: self.kinds.records(&kinds),
                        reduced_cost: cost,
                        tolerance: self.certificate.tolerance,
                    }),
                }
            });
        }
        for at in 0..level.len() {
            // Keys ascend: what the next ones cannot do, no later ones can.
            let mut next = Least::new(open);
            for c in &level[at..] {
                search.looks += 1;
                next.offer(self.kinds.mark(c.kind), c.key, c.copies);
                if next.is_full() {
                    break;
                }
            }
            if !next.is_full() || !self.cheap(next.total(self.low, base, None)) {
                break;
            }
            self.choose(chosen, (q, open), &level[at..], search)?;
        }
        Ok(())
    }

    /// Goes on with the first of these candidates, and with it and the others as candidates.
    fn choose(
        &self,
        chosen: &Chosen,
        (q, open): (usize, usize),
        level: &[Candidate],
        search: &mut Search,
    ) -> Result<(), Refusal> {
        let Some((first, _)) = level.split_first() else { return Ok(()) };
        let mut list = std::mem::take(&mut search.levels[q - open + 1]);
        list.clear();
        for c in level {
            let copies = c.copies.min(self.kinds.beside(first.kind, c.kind));
            let copies = if c.kind == first.kind { (c.copies - 1).min(copies) } else { copies };
            if copies > 0 {
                list.push(Candidate { copies, sum: c.sum + self.space.distance(first.kind, c.kind), ..*c });
            }
        }
        search.levels[q - open + 1] = list;
        let next = chosen.with(self.certificate, self.kinds, first.kind, first.sum, &mut search.inside);
        search.members.push(first.kind);
        let found = self.visit(&next, q, search);
        search.members.pop();
        Chosen::withdraw(self.kinds, first.kind, &mut search.inside);
        found
    }
}
