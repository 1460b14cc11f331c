//! Geometric branch and bound with dual repair, for SSE in up to four dimensions, without cuts.
//!
//! A class has its centroid in some box. For a box with centre y0 and half-diagonal r, and with
//! f(i) = |a(i) - y0|^2 - r^2 - lambda(i) for a real type and f(i) = -lambda(i) for a counterfeit,
//!
//! > w(C) - sum over C of lambda >= sum over C of f,
//!
//! because sum |a - y0|^2 = w(C) + q |centroid - y0|^2 for q real members. So the eta smallest f of different colours
//! bound all classes of size eta whose centroid is in the box; the same sum over squared distances to the box itself
//! is the better bound while boxes are large. What cannot be part of a violated class is not looked at in the box's
//! halves.
//!
//! **Dual repair.** Once r is small beside the violation, the violating set is reported and lambda is lowered on its
//! members until the bound holds; boxes that were closed before stay closed. A box whose few candidates can be
//! enumerated is closed by enumeration, so the search ends at classes of reduced cost 0 too.
//! The cost depends on the dimension, hardly on the size of the classes. A type of several records has its f as often as it may
//! be in a class.

use super::{
    Best, PartResult, PreparedPricer, Pricer, PricerName, Request,
    cell::{Cell, cover, lowered, walk},
    different,
    sums::{Sums, Value},
};
use crate::exact::problem::Problem;

/// Branch and bound over boxes of the centroid.
#[derive(Clone, Copy, Debug, Default)]
pub struct Boxes;

impl Boxes {
    /// Whether this pricing can be used: few dimensions, and no number of real records of a class. No cut may be active either.
    #[must_use]
    pub fn fits(problem: &Problem) -> bool {
        problem.instance.hierarchies.is_empty() && problem.instance.lanes == 1 && problem.min_real == 1
    }
}

/// The cells that cover the bounding box of the points.
struct Cells(Vec<Cell>);

impl Pricer for Boxes {
    fn name(&self) -> PricerName {
        PricerName::Boxes
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        let problem = request.problem;
        debug_assert!(Self::fits(problem) && request.cuts.sets.is_empty(), "boxes carry no cuts");
        Box::new(Cells(cover(problem, |_| true)))
    }
}

impl PreparedPricer for Cells {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let mut search = Search::new(request);
        let all: Vec<u32> = (0..request.problem.types() as u32).collect();
        walk(self.0[part], all, |cell, candidates| {
            search.nodes += 1;
            (search.nodes <= request.nodes).then(|| search.visit(cell, candidates))
        });
        PartResult {
            lowered: lowered(request.duals, &search.duals),
            columns: search.best.into_sorted(),
            complete: search.nodes <= request.nodes,
            nodes: search.nodes,
        }
    }
}

struct Search<'a, 'b> {
    request: &'a Request<'b>,
    problem: &'b Problem,
    duals: Vec<f64>,
    best: Best,
    nodes: u64,
    second: Sums,
    first: Sums,
    near: Vec<f64>,
    far: Vec<f64>,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(request: &'a Request<'b>) -> Self {
        Self {
            request,
            problem: request.problem,
            duals: request.duals.to_vec(),
            best: Best::new(request),
            nodes: 0,
            second: Sums::default(),
            first: Sums::default(),
            near: Vec::new(),
            far: Vec::new(),
        }
    }

    /// Closes a box, or says along which axis to halve it and which candidates are left.
    fn visit(&mut self, cell: &Cell, candidates: &[u32]) -> Option<(usize, Vec<u32>)> {
        let problem = self.problem;
        let square = cell.measure(problem, candidates, &mut self.near, &mut self.far);
        loop {
            let value = |x: &[f64], at: usize| Value {
                value: x[at] - self.duals[candidates[at] as usize],
                of: candidates[at],
            };
            let tolerance = self.request.tolerance;
            self.second.fill(problem, (0..candidates.len()).map(|at| value(&self.near, at)));
            let (bound, eta) = self.second.least();
            if bound >= -tolerance {
                return None;
            }
            self.first.fill(problem, (0..candidates.len()).map(|at| value(&self.far, at)));
            if self.first.least().0 >= -tolerance {
                return None;
            }
            if eta as f64 * square <= problem.params.repair * -bound {
                self.repair(eta, bound);
                continue;
            }
            let kept: Vec<u32> = (0..candidates.len())
                .filter(|&at| {
                    self.second.with(problem, value(&self.near, at)) < -tolerance
                        && self.first.with(problem, value(&self.far, at)) < -tolerance
                })
                .map(|at| candidates[at])
                .collect();
            if records(problem, &kept) < problem.min {
                return None;
            }
            let axis = cell.longest();
            let middle = cell.middle(axis);
            if middle <= cell.low[axis] || middle >= cell.high[axis] {
                // Floating point cannot halve the box any more.
                self.repair(eta, bound);
                continue;
            }
            if few(problem, &kept) {
                self.enumerate(&kept);
                return None;
            }
            return Some((axis, kept));
        }
    }

    /// Reports the set behind the bound and lowers lambda on its members.
    fn repair(&mut self, eta: usize, bound: f64) {
        let members: Vec<u32> = self.second.list[..eta].iter().map(|v| v.of).collect();
        // A little more than the share, so that rounding cannot keep the loop alive.
        let share = -bound / eta as f64 * (1.0 + 1e-9);
        self.report(&members);
        for t in different(&members) {
            let dual = &mut self.duals[t as usize];
            *dual = (*dual - share).min(dual.next_down());
        }
    }

    fn report(&mut self, members: &[u32]) {
        let mut class = members.to_vec();
        class.sort_unstable();
        if self.problem.admits(&class) {
            let lambda: f64 = class.iter().map(|&t| self.duals[t as usize]).sum();
            self.best.offer(class.clone(), self.problem.cost(&class) - lambda);
        }
    }

    /// Closes a box by looking at every class of its candidates.
    fn enumerate(&mut self, candidates: &[u32]) {
        let mut class = Vec::with_capacity(self.problem.max);
        self.extend(candidates, &mut class, 0.0, 0.0);
    }

    /// `pairs` is the sum of squared distances within the class, `lambda` the sum of its duals at the time.
    fn extend(&mut self, rest: &[u32], class: &mut Vec<u32>, pairs: f64, lambda: f64) {
        let problem = self.problem;
        let size = class.len();
        if size >= problem.min {
            self.repair_class(class, pairs);
        }
        if size == problem.max || size + records(problem, rest) < problem.min {
            return;
        }
        // Whatever joins, the loss is at least pairs / max and the duals gain at most the largest ones left.
        let most = rest.iter().map(|&t| self.duals[t as usize]).fold(0.0, f64::max);
        if pairs / problem.max as f64 - lambda - most * (problem.max - size) as f64 >= 0.0 {
            return;
        }
        for (at, &t) in rest.iter().enumerate() {
            if !problem.joins(class, t) {
                continue;
            }
            let row = problem.distances(t);
            let more: f64 = class.iter().map(|&u| row.to(u)).sum();
            class.push(t);
            // It may join again if there are more of it.
            let from = at + usize::from(problem.copies(t) == 1);
            self.extend(&rest[from..], class, pairs + more, lambda + self.duals[t as usize]);
            class.pop();
        }
    }

    /// Lowers lambda until this class is not violated.
    fn repair_class(&mut self, class: &[u32], pairs: f64) {
        let reals = class.iter().filter(|&&t| self.problem.real[t as usize]).count();
        if reals == 0 {
            return;
        }
        let lambda: f64 = class.iter().map(|&t| self.duals[t as usize]).sum();
        let reduced_cost = pairs / reals as f64 - lambda;
        if reduced_cost >= -self.request.tolerance {
            return;
        }
        self.report(class);
        let share = reduced_cost / class.len() as f64;
        for t in different(class) {
            self.duals[t as usize] += share;
        }
    }
}

/// Records of these candidates that a class could hold, or more.
fn records(problem: &Problem, candidates: &[u32]) -> usize {
    candidates.iter().map(|&t| problem.copies(t).min(problem.max)).sum()
}

/// Whether all classes of these candidates, colours apart, can be looked at.
fn few(problem: &Problem, candidates: &[u32]) -> bool {
    // By sizes, of the candidates so far; a type with several records joins as often as it has some.
    let mut classes = vec![0.0; problem.max + 1];
    classes[0] = 1.0;
    for &t in candidates {
        for size in (1..=problem.max).rev() {
            let joined = problem.copies(t).min(size);
            classes[size] += (1..=joined).map(|copies| classes[size - copies]).sum::<f64>();
        }
        if classes[1..].iter().sum::<f64>() > problem.params.enumerated_classes {
            return false;
        }
    }
    true
}
