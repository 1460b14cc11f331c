//! Combinatorial branch and bound, for any number of dimensions, with cuts.
//!
//! Every class is found once: at the first of its types in a fixed order (the seed), the rest depth-first; without colours a
//! type may join as often as it has records. For a class of size eta that holds S and t more types T, the loss splits as
//!
//! > eta w = pairs(S) + sum over T of D(j) + pairs(T),
//!
//! D(j) being the sum of squared distances from j to S, and pairs(T) at least half the sum over T of the squared
//! distances from j to the t - 1 records nearest to it. So each candidate has a key
//!
//! > D(j) / eta - lambda(j) + near(j, t - 1) / (2 eta) + share(j),
//!
//! and the t smallest keys of different colours bound what T adds. A cut with divisor p
//! that is charged at its next member adds ceil(q / p) >= q / min(p, t) for q <= t more members: share(j) is the sum of
//! sigma / min(p, t) over those cuts that hold j. With counterfeits, pairs with one count 0 and the true divisor is at most eta: still a bound.

use super::{
    Best, PartResult, PreparedPricer, Pricer, PricerName, Request, pending::Pending, seeds::Seeds,
    smallest::Smallest,
};
use crate::exact::problem::Problem;

/// Depth-first search from each seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tree;

/// One part a seed.
struct Parted(Seeds);

impl Pricer for Tree {
    fn name(&self) -> PricerName {
        PricerName::Tree
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        let min = request.problem.min as f64;
        Box::new(Parted(Seeds::new(request, |d, lambda| d < 0.5 * min * lambda)))
    }
}

impl PreparedPricer for Parted {
    fn count(&self) -> usize {
        self.0.order.len()
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let seed = self.0.of(part);
        let mut search = Search::new(request);
        search.seed(seed, &self.0);
        let lambda = request.duals[seed as usize];
        let columns = search.best.into_sorted();
        let least = columns.first().map_or(0.0, |c| c.reduced_cost);
        let lowered = if least < -request.tolerance { vec![(seed, lambda + least)] } else { Vec::new() };
        PartResult { columns, lowered, complete: search.nodes <= request.nodes, nodes: search.nodes }
    }
}

/// A type that may still join.
#[derive(Clone, Copy)]
struct Candidate {
    key: f64,
    /// Sum of squared distances to the members so far.
    distance: f64,
    of: u32,
    /// Records of the type that are left.
    left: u32,
}

/// The sum of the `t` smallest keys of candidates in ascending order, each as often as there are records left; infinite if there
/// are not so many.
fn least(candidates: &[Candidate], t: usize) -> f64 {
    let (mut sum, mut open) = (0.0, t);
    for c in candidates {
        for _ in 0..open.min(c.left as usize) {
            sum += c.key;
            open -= 1;
        }
        if open == 0 {
            return sum;
        }
    }
    f64::INFINITY
}

struct Search<'a, 'b> {
    request: &'a Request<'b>,
    problem: &'b Problem,
    best: Best,
    nodes: u64,
    class: Vec<u32>,
    /// Candidates by depth, reused.
    levels: Vec<Vec<Candidate>>,
    smallest: Smallest,
    pending: Pending<'b>,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(request: &'a Request<'b>) -> Self {
        Self {
            request,
            problem: request.problem,
            best: Best::new(request),
            nodes: 0,
            class: Vec::new(),
            levels: vec![Vec::new(); request.problem.max + 1],
            smallest: Smallest::default(),
            pending: Pending::new(request.cuts),
        }
    }

    fn seed(&mut self, seed: u32, seeds: &Seeds) {
        let row = self.problem.distances(seed);
        let colour = self.problem.colours[seed as usize];
        self.pending.put(seed);
        self.class.push(seed);
        for eta in self.problem.min..=self.problem.max {
            let mut first = std::mem::take(&mut self.levels[1]);
            first.clear();
            let full = self.problem.is_full_of_counterfeits(&self.class, eta);
            let others = (0..self.problem.types() as u32).filter(|&u| {
                u == seed
                    || seeds.later(self.request, seed, u)
                        && self.problem.colours[u as usize] != colour
                        && (!full || self.problem.real[u as usize])
            });
            first.extend(others.filter_map(|u| {
                let left = (self.problem.copies(u) - usize::from(u == seed)) as u32;
                (left > 0).then(|| Candidate { key: 0.0, distance: row.to(u), of: u, left })
            }));
            self.levels[1] = first;
            self.extend(eta, -self.request.duals[seed as usize]);
        }
        self.class.pop();
        self.pending.take(seed);
    }

    /// Extends the class, whose reduced cost so far is `base`, by candidates of its depth's level.
    fn extend(&mut self, eta: usize, base: f64) {
        self.nodes += 1;
        let depth = self.class.len();
        let t = eta - depth;
        let mut level = std::mem::take(&mut self.levels[depth]);
        let scale = 1.0 / eta as f64;
        for c in &mut level {
            c.key = c.distance * scale - self.request.duals[c.of as usize]
                + 0.5 * scale * self.problem.near(c.of, t - 1)
                + self.pending.share(c.of, t);
        }
        if t == 1 {
            for c in &level {
                if base + c.key < self.best.limit() {
                    self.report(c, base + c.key);
                }
            }
        } else if self.nodes <= self.request.nodes {
            self.branch(eta, base, &mut level);
        }
        self.levels[depth] = level;
    }

    fn report(&mut self, last: &Candidate, reduced_cost: f64) {
        let mut members = self.class.clone();
        members.push(last.of);
        // With counterfeits the key is only a bound; the true divisor is known now.
        let exact = if members.iter().all(|&t| self.problem.real[t as usize]) {
            reduced_cost
        } else {
            members.sort_unstable();
            self.request.reduced_cost(&members)
        };
        // The last one may be one counterfeit too many.
        if self.problem.has_real(&members) {
            self.best.offer(members, exact);
        }
    }

    fn branch(&mut self, eta: usize, base: f64, level: &mut Vec<Candidate>) {
        let depth = self.class.len();
        let t = eta - depth;
        let problem = self.problem;
        let mut smallest = std::mem::take(&mut self.smallest);
        smallest.fill(problem, level.iter().map(|c| (c.key, c.of, c.left as usize)), t);
        let limit = self.best.limit();
        let enough = smallest.list.len() == t;
        let others: f64 = smallest.list.iter().take(t - 1).map(|x| x.0).sum();
        let bound = base + others + smallest.list.last().map_or(0.0, |x| x.0);
        self.smallest = smallest;
        if !enough || bound >= limit {
            return;
        }
        level.retain(|c| base + others + c.key < limit);
        level.sort_unstable_by(|a, b| a.key.total_cmp(&b.key).then(a.of.cmp(&b.of)));
        for at in 0..level.len() {
            let rest = &level[at..];
            // Keys ascend, so what this candidate and the next ones cannot do, no later ones can.
            if base + least(rest, t) >= self.best.limit() {
                break;
            }
            let c = level[at];
            let row = problem.distances(c.of);
            let colour = problem.colours[c.of as usize];
            let mut next = std::mem::take(&mut self.levels[depth + 1]);
            next.clear();
            self.class.push(c.of);
            let full = problem.is_full_of_counterfeits(&self.class, eta);
            let fits = |r: &&Candidate| {
                problem.colours[r.of as usize] != colour && (!full || problem.real[r.of as usize])
            };
            next.extend(rest[1..].iter().filter(fits).map(|r| Candidate {
                key: 0.0,
                distance: r.distance + row.to(r.of),
                ..*r
            }));
            if c.left > 1 {
                next.push(Candidate { left: c.left - 1, ..c });
            }
            self.levels[depth + 1] = next;
            let scale = 1.0 / eta as f64;
            let below = base + c.distance * scale - self.request.duals[c.of as usize] + self.pending.of(c.of);
            self.pending.put(c.of);
            self.extend(eta, below);
            self.pending.take(c.of);
            self.class.pop();
        }
    }
}
