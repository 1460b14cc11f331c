//! The search for a class of too low a reduced cost under the certainty penalty, one record after another.
//!
//! Let W(S) be the weighted width of a set, so that w(C) = |C| W(C). If w(C) < sum of lambda over C, and s has the largest dual of C, then W(C) < `lambda_s`; W never
//! falls when a set grows, so that each member a is no farther than W({a, s}) <= W(C) < `lambda_s` from s. So the classes of s and of records of no larger duals
//! within that distance are searched, for each s and each size.
//!
//! W(C) is no less than `D_j`, the distance of its member j to its (q - 1)-th nearest partner. With P chosen, the *reach* of j is the larger of
//! W(P + j) and `D_j`. The member j with the largest reach is chosen next (among equals the later one), which builds each class once. The r - 1
//! others that are to come have smaller reaches; so a class that goes on with j costs at least
//!
//! ```text
//! q max(the reaches of P and j) - lambda(P) - g_j - (the r - 1 largest g before j, of different colours) + cuts(P)
//! ```
//!
//! with `g_l = lambda_l - p_l`, `p_l` being [`pending`]. A candidate is dropped if neither a class that goes on with it, nor one that goes on with a later one
//! and holds it, can be cheap enough.

mod largest;

use self::largest::Largest;
use super::{
    Certificate, Refusal,
    chosen::Chosen,
    extent::{Extent, Places},
    kinds::Kinds,
    listed::Listed,
    low::Low,
    nearest::nearest,
    nodes::Nodes,
    pending::pending,
    roots::Rooted,
    tree::{Space as _, Tree, Visitor},
};

/// A record that may join.
#[derive(Clone, Copy)]
struct Candidate {
    kind: u32,
    mark: u32,
    /// How many of its kind may.
    copies: usize,
    reach: f64,
    /// g, at least.
    gain: f64,
}

/// A class in the making.
struct Partial<'a> {
    chosen: Chosen,
    extent: &'a Extent,
    /// The largest reach in it.
    reach: f64,
}

/// What all searches know.
pub(super) struct Penalties<'a> {
    places: &'a Places<'a>,
    kinds: &'a Kinds,
    certificate: &'a Certificate,
    tree: Tree,
    /// Of each kind the distances to its nearest partners; infinite where there are no more.
    distances: Vec<f64>,
    /// The sizes of classes.
    least: usize,
    largest: usize,
    /// By size the least distance to the (q - 1)-th nearest partner below each node.
    farthest: Vec<Vec<f64>>,
    low: Low,
    nodes: &'a Nodes<'a>,
    /// Classes of a reduced cost below this are looked for.
    limit: f64,
    /// Where they are put; without it the first one is a refusal.
    listed: Option<&'a Listed>,
}

/// What a search of one thread keeps.
pub(super) struct Search {
    /// The kinds that are chosen.
    members: Vec<u32>,
    /// Per cut: how many of the chosen records are in it.
    inside: Vec<u32>,
}

impl<'a> Penalties<'a> {
    pub(super) fn new(
        places: &'a Places<'a>,
        kinds: &'a Kinds,
        certificate: &'a Certificate,
        largest: usize,
        nodes: &'a Nodes<'a>,
    ) -> Result<Self, Refusal> {
        let (least, most) = (certificate.rule.least(), 2 * certificate.rule.least());
        let tree = Tree::new(places, kinds.len());
        let distances = nearest(places, &tree, kinds, largest - 1, nodes)?;
        let low = Low::new(8 * places.axes() + 2 * most + certificate.cuts.len() * most);
        let farthest =
            (least..=largest).map(|q| tree.least(|kind| distances[kind as usize * (largest - 1) + q - 2]));
        let farthest = farthest.collect();
        let limit = -certificate.tolerance;
        Ok(Self {
            places,
            kinds,
            certificate,
            tree,
            distances,
            least,
            largest,
            farthest,
            low,
            nodes,
            limit,
            listed: None,
        })
    }

    /// The same search for all classes of a reduced cost below `limit`, above 0, which are listed.
    pub(super) fn listing(self, limit: f64, listed: &'a Listed) -> Self {
        Self { limit, listed: Some(listed), ..self }
    }

    /// The distance of a kind to its (q - 1)-th nearest partner.
    fn far(&self, kind: u32, q: usize) -> f64 {
        self.distances[kind as usize * (self.largest - 1) + q - 2]
    }

    /// g, at least: a larger one makes classes cheaper.
    fn gain(&self, kind: u32, open: usize, inside: &[u32]) -> f64 {
        let pending = pending(self.certificate, self.kinds.cuts(kind), inside, open);
        let dual = self.kinds.dual(kind);
        -self.low.of(pending - dual, pending + dual.abs())
    }

    /// Whether a class may be too cheap; what is no number is, so that it is refused in the end.
    fn cheap(&self, reduced_cost: f64) -> bool {
        reduced_cost.is_nan() || reduced_cost < self.limit
    }
}

impl Rooted for Penalties<'_> {
    type Scratch = Search;

    fn scratch(&self) -> Search {
        Search { members: Vec::new(), inside: vec![0; self.certificate.cuts.len()] }
    }

    fn root(&self, kind: u32, search: &mut Search) -> Result<(), Refusal> {
        (self.least..=self.largest).try_for_each(|q| self.size(kind, q, search))
    }
}

impl Penalties<'_> {
    /// Proves that no class of q with a record of a kind, and others of no larger duals, is too cheap.
    fn size(&self, of: u32, q: usize, search: &mut Search) -> Result<(), Refusal> {
        // A class that costs q W < q lambda + limit is narrower than this, and its rounding.
        let (dual, more) = (self.kinds.dual(of), self.limit / q as f64);
        let radius = dual + more + 4.0 * f64::EPSILON * (dual.abs() + more.abs());
        if radius <= 0.0 || self.far(of, q) >= radius {
            return Ok(());
        }
        self.nodes.visit()?;
        let mut near = Near { penalties: self, of, q, radius, list: Vec::new(), looks: 0 };
        self.tree.search(self.places, of, &mut near);
        let list = near.list;
        self.nodes.looked(near.looks)?;
        if list.is_empty() {
            return Ok(());
        }
        let chosen = Chosen::default().with(self.certificate, self.kinds, of, 0.0, &mut search.inside);
        search.members.push(of);
        let extent = self.places.extent(of);
        let partial = Partial { chosen, extent: &extent, reach: self.far(of, q) };
        let found = self.visit(&partial, list, q, search);
        search.members.pop();
        Chosen::withdraw(self.kinds, of, &mut search.inside);
        found
    }

    /// Proves that no class of q with what is chosen and these candidates, of which some are to come, is too cheap. Their reaches are
    /// those without what was chosen last.
    fn visit(
        &self,
        partial: &Partial<'_>,
        mut list: Vec<Candidate>,
        q: usize,
        search: &mut Search,
    ) -> Result<(), Refusal> {
        self.nodes.visit()?;
        self.nodes.looked(list.iter().map(|c| self.kinds.looks(c.kind)).sum())?;
        let open = q - search.members.len();
        for c in &mut list {
            c.reach = c.reach.max(self.places.width(partial.extent, c.kind));
            c.gain = self.gain(c.kind, open, &search.inside);
        }
        list.sort_unstable_by(|a, b| a.reach.total_cmp(&b.reach).then(a.kind.cmp(&b.kind)));
        self.filter(partial, &mut list, (q, open))?;
        if open == 1 {
            // Whoever is kept makes a class that may be too cheap.
            return list.iter().try_for_each(|last| {
                let kinds: Vec<u32> = search.members.iter().copied().chain([last.kind]).collect();
                let cost = self.cost(partial, last.reach, (last.gain, last.gain.abs()), q);
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
        for at in 0..list.len() {
            self.choose(partial, &list[..=at], q, search)?;
        }
        Ok(())
    }

    /// Goes on with the last of these candidates, and with it and the others as candidates.
    fn choose(
        &self,
        partial: &Partial<'_>,
        list: &[Candidate],
        q: usize,
        search: &mut Search,
    ) -> Result<(), Refusal> {
        let Some((last, _)) = list.split_last() else { return Ok(()) };
        let open = q - search.members.len() - 1;
        let copies = |c: &Candidate| {
            let beside = c.copies.min(self.kinds.beside(last.kind, c.kind));
            if c.kind == last.kind { (c.copies - 1).min(beside) } else { beside }
        };
        let rest = list.iter().map(|c| Candidate { copies: copies(c), ..*c });
        let rest: Vec<Candidate> = rest.filter(|c| c.copies > 0).collect();
        if rest.iter().map(|c| c.copies.min(open)).sum::<usize>() < open {
            return Ok(());
        }
        let chosen = partial.chosen.with(self.certificate, self.kinds, last.kind, 0.0, &mut search.inside);
        let extent = self.places.with(partial.extent, last.kind);
        let next = Partial { chosen, extent: &extent, reach: partial.reach.max(last.reach) };
        search.members.push(last.kind);
        let found = self.visit(&next, rest, q, search);
        search.members.pop();
        Chosen::withdraw(self.kinds, last.kind, &mut search.inside);
        found
    }

    /// Drops candidates again and again until all that are left may be in a cheap class.
    fn filter(
        &self,
        partial: &Partial<'_>,
        list: &mut Vec<Candidate>,
        (q, open): (usize, usize),
    ) -> Result<(), Refusal> {
        loop {
            self.nodes.looked(list.len() as u64)?;
            let before = list.len();
            let costs = self.costs(partial, list, (q, open));
            let mut later = f64::INFINITY;
            let mut keep = vec![false; before];
            for at in (0..before).rev() {
                let (own, shared) = costs[at];
                let gain = list[at].gain;
                let held = if later == f64::INFINITY {
                    later
                } else {
                    self.low.of(later - gain, later.abs() + gain.abs())
                };
                keep[at] = self.cheap(own) || self.cheap(held);
                later = if shared.is_nan() { f64::NEG_INFINITY } else { later.min(shared) };
            }
            let mut kept = keep.into_iter();
            list.retain(|_| kept.next().unwrap_or(true));
            if list.len() == before {
                return Ok(());
            }
        }
    }

    /// For each candidate the least that a class costs which goes on with it; and the same with a place left among the
    /// others, whose gain is not counted.
    fn costs(&self, partial: &Partial<'_>, list: &[Candidate], (q, open): (usize, usize)) -> Vec<(f64, f64)> {
        let mut best = Largest::new(open);
        let mut costs = Vec::with_capacity(list.len());
        for c in list {
            // Its copies may come before it.
            best.offer(c.mark, c.gain, c.copies);
            let cost = |others: usize| match best.beside(c.mark, others) {
                Some((gains, mass)) => self.cost(partial, c.reach, (c.gain + gains, c.gain.abs() + mass), q),
                None => f64::INFINITY,
            };
            costs.push(match (cost(open - 1), open) {
                (own, 1) => (own, f64::INFINITY),
                // Without enough others there is no class, with a place left or not.
                (own, _) if own == f64::INFINITY => (own, own),
                (own, _) => (own, cost(open - 2)),
            });
        }
        costs
    }

    /// At most the reduced cost of classes of a reach; `gains` are their sum and that of their absolute values.
    fn cost(&self, partial: &Partial<'_>, reach: f64, gains: (f64, f64), q: usize) -> f64 {
        let (chosen, penalty) = (&partial.chosen, q as f64 * reach.max(partial.reach));
        let value = penalty - chosen.duals - gains.0 + chosen.cuts;
        self.low.of(value, penalty + chosen.mass + gains.1 + chosen.cuts)
    }
}

/// Looks for the candidates around a kind.
struct Near<'a> {
    penalties: &'a Penalties<'a>,
    of: u32,
    q: usize,
    radius: f64,
    list: Vec<Candidate>,
    looks: u64,
}

impl Visitor for Near<'_> {
    fn wants(&mut self, node: usize, apart: f64) -> bool {
        apart < self.radius && self.penalties.farthest[self.q - self.penalties.least][node] < self.radius
    }

    fn visit(&mut self, kind: u32) {
        let (penalties, kinds) = (self.penalties, self.penalties.kinds);
        self.looks += 1;
        let copies = kinds.beside(self.of, kind).min(self.q - 1);
        if copies == 0 || !kinds.follows(kind, self.of) {
            return;
        }
        let reach = penalties.far(kind, self.q).max(penalties.places.distance(self.of, kind));
        if reach < self.radius {
            self.list.push(Candidate { kind, mark: kinds.mark(kind), copies, reach, gain: 0.0 });
        }
    }
}
