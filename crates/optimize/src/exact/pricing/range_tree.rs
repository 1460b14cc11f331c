//! Branch and bound for the normalised certainty penalty, with cuts; all sizes in one pass.
//!
//! Let R(S) be the weighted sum of the ranges of S, so that w(C) = |C| R(C), counting real records. R never falls when S
//! grows. Every class is found once: at the first of its types in a fixed order (the seed); then, S being chosen, at the
//! member j still to come for which R(S + j) is largest, the other members having smaller R(S + .). So for a class of
//! size z that goes on with j, the z - |S| - 1 others are among the types before j, and
//!
//! > rc(C) >= z R(S + j) - lambda(S + j) + cuts(S) + share(j) - sum of the z - |S| - 1 largest gains before j,
//!
//! the gain of l being lambda(l) - share(l), shares as in [`super::tree`]; the last member is charged in full. A type of
//! several records stands among those before itself as long as there are more of them.

use std::sync::Arc;

use super::{Best, PartResult, PreparedPricer, Pricer, PricerName, Request, pending::Pending, seeds::Seeds};
use crate::exact::{
    loss::ranges::{Ranges, Span},
    problem::Problem,
};

/// Depth-first search from each seed.
#[derive(Clone, Debug)]
pub struct RangeTree(pub Arc<Ranges>);

/// One part a seed.
struct Parted {
    seeds: Seeds,
    ranges: Arc<Ranges>,
}

impl Pricer for RangeTree {
    fn name(&self) -> PricerName {
        PricerName::Ranges
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Parted {
            seeds: Seeds::new(request, |d, lambda| d < 0.5 * lambda),
            ranges: Arc::clone(&self.0),
        })
    }
}

impl PreparedPricer for Parted {
    fn count(&self) -> usize {
        self.seeds.order.len()
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let seed = self.seeds.of(part);
        let mut search = Search::new(request, &self.ranges);
        search.seed(seed, &self.seeds);
        let columns = search.best.into_sorted();
        let least = columns.first().map_or(0.0, |c| c.reduced_cost);
        let lambda = request.duals[seed as usize];
        // Every class of this part holds the seed once at least.
        let lowered = if least < -request.tolerance { vec![(seed, lambda + least)] } else { Vec::new() };
        PartResult { columns, lowered, complete: search.nodes <= request.nodes, nodes: search.nodes }
    }
}

/// A type that may still join.
#[derive(Clone, Copy)]
struct Candidate {
    /// R(S + j).
    range: f64,
    lambda: f64,
    pend: f64,
    /// Its share of that if others join, too.
    share: f64,
    of: u32,
    /// Records of the type that are left.
    left: u32,
}

impl Candidate {
    fn gain(&self) -> f64 {
        self.lambda - self.share
    }
}

/// The largest gains of different colours, descending.
#[derive(Default)]
struct Largest {
    list: Vec<(f64, u32)>,
    most: usize,
    /// Counterfeits seen.
    fakes: usize,
}

impl Largest {
    fn clear(&mut self, most: usize) {
        self.list.clear();
        self.most = most;
        self.fakes = 0;
    }

    /// Takes in `copies` of a type. A colour counts once if all of a class differ.
    fn insert(&mut self, problem: &Problem, c: &Candidate, copies: u32) {
        if copies == 0 {
            return;
        }
        self.fakes += usize::from(!problem.real[c.of as usize]);
        let (gain, colour) = (c.gain(), problem.colours[c.of as usize]);
        for _ in 0..(copies as usize).min(self.most) {
            if self.list.len() == self.most && self.list.last().is_none_or(|x| gain <= x.0) {
                return;
            }
            if problem.distinct
                && let Some(at) = self.list.iter().position(|x| x.1 == colour)
            {
                if self.list[at].0 >= gain {
                    return;
                }
                self.list.remove(at);
            } else if self.list.len() == self.most {
                self.list.pop();
            }
            let at = self.list.partition_point(|x| x.0 >= gain);
            self.list.insert(at, (gain, colour));
        }
    }
}

struct Search<'a, 'b> {
    request: &'a Request<'b>,
    problem: &'b Problem,
    ranges: &'a Ranges,
    best: Best,
    nodes: u64,
    class: Vec<u32>,
    /// By depth, reused.
    spans: Vec<Span>,
    levels: Vec<Vec<Candidate>>,
    largest: Vec<Largest>,
    pending: Pending<'b>,
    all_real: bool,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(request: &'a Request<'b>, ranges: &'a Ranges) -> Self {
        let depths = request.problem.max + 1;
        Self {
            request,
            problem: request.problem,
            ranges,
            best: Best::new(request),
            nodes: 0,
            class: Vec::new(),
            spans: vec![Span::new(ranges); depths],
            levels: vec![Vec::new(); depths],
            largest: (0..depths).map(|_| Largest::default()).collect(),
            pending: Pending::new(request.cuts),
            all_real: request.problem.real.iter().all(|&r| r),
        }
    }

    fn seed(&mut self, seed: u32, seeds: &Seeds) {
        let problem = self.problem;
        let mut first = std::mem::take(&mut self.levels[1]);
        first.clear();
        first.extend((0..problem.types() as u32).filter_map(|u| {
            let copies = problem.copies(u) - usize::from(u == seed);
            let fits = (u == seed || seeds.later(self.request, seed, u)) && copies > 0;
            (fits && problem.joins(&[seed], u)).then(|| self.candidate(u, copies as u32))
        }));
        self.levels[1] = first;
        self.enter(seed, 0.0, 0);
    }

    fn candidate(&self, of: u32, left: u32) -> Candidate {
        Candidate { range: 0.0, lambda: self.request.duals[of as usize], pend: 0.0, share: 0.0, of, left }
    }

    /// Puts a type into the class and looks at all that begin so; `value` is lambda less the charges so far, `reals` the
    /// number of real records so far.
    fn enter(&mut self, t: u32, value: f64, reals: usize) {
        let depth = self.class.len();
        let (before, after) = self.spans.split_at_mut(depth + 1);
        self.ranges.join(&before[depth], &self.class, t, &mut after[0]);
        let value = value + self.request.duals[t as usize] - self.pending.of(t);
        self.class.push(t);
        self.pending.put(t);
        self.extend(value, reals + usize::from(self.problem.real[t as usize]));
        self.pending.take(t);
        self.class.pop();
    }

    fn extend(&mut self, value: f64, reals: usize) {
        self.nodes += 1;
        let depth = self.class.len();
        if depth >= self.problem.min {
            let reduced_cost = reals as f64 * self.spans[depth].sum - value;
            if reduced_cost < self.best.limit() && reals >= self.problem.min_real {
                self.best.offer(self.class.clone(), reduced_cost);
            }
        }
        if depth == self.problem.max || self.nodes > self.request.nodes {
            return;
        }
        let mut level = std::mem::take(&mut self.levels[depth]);
        let mut largest = std::mem::take(&mut self.largest[depth]);
        self.branch(value, reals, &mut level, &mut largest);
        self.levels[depth] = level;
        self.largest[depth] = largest;
    }

    fn branch(&mut self, value: f64, reals: usize, level: &mut Vec<Candidate>, largest: &mut Largest) {
        let (depth, problem) = (self.class.len(), self.problem);
        let most = problem.max - depth - 1;
        if problem.is_full_of_counterfeits(&self.class, problem.max) {
            level.retain(|c| problem.real[c.of as usize]);
        }
        largest.clear(most);
        for c in level.iter_mut() {
            c.range = self.ranges.with(&self.spans[depth], &self.class, c.of);
            c.pend = self.pending.of(c.of);
            c.share = self.pending.share(c.of, most + 1);
            largest.insert(problem, c, c.left);
        }
        // Whoever is no use with the best of all others is none with those before it.
        level.retain(|c| self.least(c, value, reals, largest) < self.best.limit());
        level.sort_unstable_by(|a, b| a.range.total_cmp(&b.range).then(a.of.cmp(&b.of)));
        largest.clear(most);
        for at in 0..level.len() {
            let c = level[at];
            largest.insert(problem, &c, c.left - 1);
            if self.least(&c, value, reals, largest) < self.best.limit() {
                let mut next = std::mem::take(&mut self.levels[depth + 1]);
                next.clear();
                let colour = problem.colours[c.of as usize];
                let fits = |u: &&Candidate| !problem.distinct || problem.colours[u.of as usize] != colour;
                next.extend(level[..at].iter().filter(fits));
                if c.left > 1 {
                    next.push(Candidate { left: c.left - 1, ..c });
                }
                self.levels[depth + 1] = next;
                self.enter(c.of, value, reals);
            }
            largest.insert(problem, &c, 1);
        }
    }

    /// A lower bound on the reduced costs of all classes that go on with `c`, the others being among `largest`.
    fn least(&self, c: &Candidate, value: f64, reals: usize, largest: &Largest) -> f64 {
        let depth = self.class.len();
        let reals = reals + usize::from(self.problem.real[c.of as usize]);
        let mut least = f64::INFINITY;
        let mut others = 0.0;
        for open in 0..self.problem.max - depth {
            if open > 0 {
                let Some(x) = largest.list.get(open - 1) else { break };
                others += x.0;
            }
            if depth + 1 + open < self.problem.min {
                continue;
            }
            let size = if self.all_real { reals + open } else { reals + open.saturating_sub(largest.fakes) };
            let own = if open == 0 { c.lambda - c.pend } else { c.gain() };
            least = least.min(size as f64 * c.range - value - own - others);
        }
        least
    }
}
