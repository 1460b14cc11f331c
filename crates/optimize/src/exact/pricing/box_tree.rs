//! Geometric branch and bound that carries cuts, for SSE in up to four dimensions.
//!
//! In a box with centre y0 and half-diagonal r the values f of [`super::boxes`] bound the loss less lambda of every class
//! with its centroid there, and what cuts charge is never negative: a box that can be closed without cuts is closed. In any
//! other the classes are built one type at a time from its few candidates, by a tree as in [`super::tree`], but with keys
//! that need no pairs of distances,
//!
//! > f(j) + share(j),
//!
//! so that the t smallest keys of different colours bound what t more types add; without colours a type stands there as often
//! as it has records left. Boxes are halved until their tree is small,
//! or until r is so small that halves would have the same tree.
//!
//! A class that is violated is reported, lambda is lowered on its members until it is not, and the box is begun anew. The
//! tree of pairs looks at all classes of a seed, near or far; this one at those around one place only.

use std::ops::ControlFlow;

use lookalike_model::instance::{LANE, Lane};

use super::{
    Best, PartResult, PreparedPricer, Pricer, PricerName, Request,
    cell::{Cell, cover, lowered, walk},
    different,
    pending::Pending,
    smallest::Smallest,
    sums::{Sums, Value},
};
use crate::exact::problem::Problem;

/// Centroids may be off by this part of their coordinates.
const ROUNDING: f64 = 1e-9;

/// Branch and bound over boxes of the centroid, and over the classes of each.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoxTree;

impl BoxTree {
    /// Whether this pricing can be used: few dimensions, and no number of real records of a class.
    #[must_use]
    pub fn fits(problem: &Problem) -> bool {
        problem.instance.hierarchies.is_empty() && problem.instance.lanes == 1 && problem.min_real == 1
    }
}

/// One part a cell.
struct Cells(Vec<Cell>);

impl Pricer for BoxTree {
    fn name(&self) -> PricerName {
        PricerName::BoxTree
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        debug_assert!(Self::fits(request.problem), "boxes have four dimensions");
        Box::new(Cells(cover(request.problem, |t| request.only.is_none_or(|only| only[t as usize]))))
    }
}

impl PreparedPricer for Cells {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let mut search = Search::new(request);
        let wanted = |t: &u32| request.only.is_none_or(|only| only[*t as usize]);
        let all: Vec<u32> = (0..request.problem.types() as u32).filter(wanted).collect();
        walk(self.0[part], all, |cell, candidates| {
            search.nodes += 1;
            (search.nodes <= request.nodes).then(|| search.visit(cell, candidates))
        });
        PartResult {
            lowered: lowered(request.duals, &search.duals),
            complete: search.nodes <= request.nodes,
            nodes: search.nodes,
            columns: search.best.into_sorted(),
        }
    }
}

/// Why a tree ended before its end.
enum Early {
    /// It has too many nodes.
    Nodes,
    /// A class was violated, and lambda was lowered.
    Repaired,
}

/// A type that may still join.
#[derive(Clone, Copy)]
struct Candidate {
    key: f64,
    /// f, by the lambda that the tree was begun with.
    value: f64,
    of: u32,
    /// Records of the type that are left.
    left: u32,
}

/// Keys of candidates, each as often as there are records left.
fn keys(candidates: &[Candidate]) -> impl Iterator<Item = f64> {
    candidates.iter().flat_map(|c| std::iter::repeat_n(c.key, c.left as usize))
}

struct Search<'a, 'b> {
    request: &'a Request<'b>,
    problem: &'b Problem,
    duals: Vec<f64>,
    /// Classes from here on need no look.
    limit: f64,
    best: Best,
    nodes: u64,
    /// Nodes that the tree under way may lead to.
    most: u64,
    cell: Cell,
    second: Sums,
    first: Sums,
    near: Vec<f64>,
    far: Vec<f64>,
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
            duals: request.duals.to_vec(),
            limit: request.threshold.max(-request.tolerance),
            best: Best::new(request),
            nodes: 0,
            most: 0,
            cell: Cell { low: [0.0; LANE], high: [0.0; LANE] },
            second: Sums::default(),
            first: Sums::default(),
            near: Vec::new(),
            far: Vec::new(),
            class: Vec::new(),
            levels: vec![Vec::new(); request.problem.max + 1],
            smallest: Smallest::default(),
            pending: Pending::new(request.cuts),
        }
    }

    /// Closes a box, or says along which axis to halve it and which candidates are left.
    fn visit(&mut self, cell: &Cell, candidates: &[u32]) -> Option<(usize, Vec<u32>)> {
        let (problem, limit) = (self.problem, self.limit);
        let square = cell.measure(problem, candidates, &mut self.near, &mut self.far);
        self.cell = *cell;
        loop {
            let value = |x: &[f64], at: usize| Value {
                value: x[at] - self.duals[candidates[at] as usize],
                of: candidates[at],
            };
            self.second.fill(problem, (0..candidates.len()).map(|at| value(&self.near, at)));
            let (bound, eta) = self.second.least();
            if bound >= limit {
                return None;
            }
            self.first.fill(problem, (0..candidates.len()).map(|at| value(&self.far, at)));
            if self.first.least().0 >= limit {
                return None;
            }
            let kept: Vec<usize> = (0..candidates.len())
                .filter(|&at| {
                    self.second.with(problem, value(&self.near, at)) < limit
                        && self.first.with(problem, value(&self.far, at)) < limit
                })
                .collect();
            let records: usize = kept.iter().map(|&at| copies(problem, candidates[at]) as usize).sum();
            if records < problem.min {
                return None;
            }
            let axis = cell.longest();
            let middle = cell.middle(axis);
            let last = middle <= cell.low[axis]
                || middle >= cell.high[axis]
                || eta as f64 * square <= problem.params.fine * (limit - bound);
            let end = if last || kept.len() <= problem.params.candidates {
                self.most = if last { u64::MAX } else { self.nodes + problem.params.tried_nodes };
                let first = kept.iter().map(|&at| {
                    let value = value(&self.near, at).value;
                    let of = candidates[at];
                    Candidate { key: value, value, of, left: copies(problem, of) }
                });
                let mut level = std::mem::take(&mut self.levels[0]);
                level.clear();
                level.extend(first);
                self.levels[0] = level;
                self.extend(0.0)
            } else {
                ControlFlow::Break(Early::Nodes)
            };
            match end {
                ControlFlow::Continue(()) => return None,
                ControlFlow::Break(Early::Nodes) if last => return None,
                ControlFlow::Break(Early::Nodes) => {
                    return Some((axis, kept.into_iter().map(|at| candidates[at]).collect()));
                }
                ControlFlow::Break(Early::Repaired) => {}
            }
        }
    }

    /// Extends the class, whose reduced cost is at least `base`, by candidates of its depth's level.
    fn extend(&mut self, base: f64) -> ControlFlow<Early> {
        self.nodes += 1;
        if self.nodes > self.most.min(self.request.nodes) {
            return ControlFlow::Break(Early::Nodes);
        }
        let depth = self.class.len();
        let mut level = std::mem::take(&mut self.levels[depth]);
        let end = if depth + 1 == self.problem.max {
            self.complete(base, &level)
        } else {
            self.branch(base, &mut level)
        };
        self.levels[depth] = level;
        end
    }

    /// One last type, which is charged in full.
    fn complete(&mut self, base: f64, level: &[Candidate]) -> ControlFlow<Early> {
        for c in level {
            if base + c.value + self.pending.of(c.of) < self.limit {
                self.class.push(c.of);
                let end = self.look();
                self.class.pop();
                end?;
            }
        }
        ControlFlow::Continue(())
    }

    fn branch(&mut self, base: f64, level: &mut Vec<Candidate>) -> ControlFlow<Early> {
        let (problem, limit, depth) = (self.problem, self.limit, self.class.len());
        let (fewest, most) = (problem.min.saturating_sub(depth).max(1), problem.max - depth);
        for c in &mut *level {
            c.key = c.value + self.pending.share(c.of, most);
        }
        self.smallest.fill(problem, level.iter().map(|c| (c.key, c.of, c.left as usize)), most);
        let smallest = || self.smallest.list.iter().map(|x| x.0);
        let (all, others) = (least(smallest(), fewest), least(smallest(), fewest - 1));
        if base + all >= limit {
            return ControlFlow::Continue(());
        }
        level.retain(|c| base + others + c.key < limit);
        level.sort_unstable_by(|a, b| a.key.total_cmp(&b.key).then(a.of.cmp(&b.of)));
        for at in 0..level.len() {
            let rest = &level[at..];
            // Keys ascend, so what this candidate and the next ones cannot do, no later ones can.
            if base + least(keys(rest).take(most), fewest) >= limit {
                break;
            }
            let c = level[at];
            let below = base + c.value + self.pending.of(c.of);
            let colour = problem.colours[c.of as usize];
            let mut next = std::mem::take(&mut self.levels[depth + 1]);
            next.clear();
            next.extend(rest[1..].iter().filter(|r| problem.colours[r.of as usize] != colour));
            if c.left > 1 {
                next.push(Candidate { left: c.left - 1, ..c });
            }
            self.levels[depth + 1] = next;
            self.class.push(c.of);
            self.pending.put(c.of);
            let mut end = ControlFlow::Continue(());
            if depth + 1 >= problem.min && below < limit {
                end = self.look();
            }
            if end.is_continue() {
                end = self.extend(below);
            }
            self.pending.take(c.of);
            self.class.pop();
            end?;
        }
        ControlFlow::Continue(())
    }

    /// Looks at the class itself: reports it if it is wanted, and lowers lambda until it is not violated.
    fn look(&mut self) -> ControlFlow<Early> {
        let problem = self.problem;
        let mut members = self.class.clone();
        members.sort_unstable();
        if !members.iter().any(|&t| problem.real[t as usize]) {
            return ControlFlow::Continue(());
        }
        let lambda: f64 = members.iter().map(|&t| self.duals[t as usize]).sum();
        let reduced_cost = problem.cost(&members) - lambda + self.request.cuts.charge(&members);
        if reduced_cost >= self.limit {
            return ControlFlow::Continue(());
        }
        if reduced_cost < -self.request.tolerance {
            let share = reduced_cost / members.len() as f64;
            for t in different(&members) {
                let dual = &mut self.duals[t as usize];
                *dual = (*dual + share).min(dual.next_down());
            }
            self.best.offer(members, reduced_cost);
            return ControlFlow::Break(Early::Repaired);
        }
        // Boxes around it see it, too; one is enough.
        let (centroid, size) = centroid(problem, &members);
        if self.cell.holds(&centroid, ROUNDING * size) {
            self.best.offer(members, reduced_cost);
        }
        ControlFlow::Continue(())
    }
}

/// Records of a type that a class could hold, or more.
fn copies(problem: &Problem, t: u32) -> u32 {
    problem.copies(t).min(problem.max) as u32
}

/// The least sum of the first values, at least so many of them; infinite if there are fewer.
fn least(values: impl Iterator<Item = f64>, fewest: usize) -> f64 {
    let (mut sum, mut least, mut count) = (0.0, f64::INFINITY, 0);
    if fewest == 0 {
        least = 0.0;
    }
    for x in values {
        sum += x;
        count += 1;
        if count >= fewest {
            least = f64::min(least, sum);
        }
    }
    least
}

/// The centroid of a class's real members, and its largest coordinate.
fn centroid(problem: &Problem, members: &[u32]) -> (Lane, f64) {
    let mut sum = [0.0; LANE];
    let (mut count, mut size) = (0.0, 0.0f64);
    for &t in members.iter().filter(|&&t| problem.real[t as usize]) {
        count += 1.0;
        for (s, x) in sum.iter_mut().zip(problem.point(t as usize)[0]) {
            *s += x;
            size = size.max(x.abs());
        }
    }
    (sum.map(|s| s / f64::max(count, 1.0)), size)
}
