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
//! The cost depends on the dimension, hardly on the size of the classes.

use super::{
    Best, Found, Parts, Pricing, Request,
    sums::{Sums, Value},
};
use crate::{
    colgen::problem::Problem,
    instance::{LANE, Lane},
};

/// Repair once the second-order term is below this share of the violation.
const REPAIR: f64 = 0.08;

/// Cells that the bounding box is cut into before the search, each a part.
const CELLS: usize = 128;

/// Lets r^2 pay for the rounding of squared distances.
const ROUNDING: f64 = 1.0 + 1e-12;

/// Branch and bound over boxes of the centroid.
#[derive(Clone, Copy, Debug, Default)]
pub struct Boxes;

impl Boxes {
    /// Whether this pricing can be used: few dimensions. Cuts must not be felt either.
    #[must_use]
    pub fn fits(problem: &Problem) -> bool {
        problem.instance.lanes == 1
    }
}

/// An axis-parallel box.
#[derive(Clone, Copy, Debug)]
struct Cell {
    low: Lane,
    high: Lane,
}

/// The cells that cover the bounding box of the points.
struct Cells(Vec<Cell>);

impl Pricing for Boxes {
    fn name(&self) -> &'static str {
        "geometric branch and bound with dual repair"
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn Parts> {
        let problem = request.problem;
        debug_assert!(Self::fits(problem) && request.cuts.sets.is_empty(), "boxes carry no cuts");
        let mut types: Vec<u32> = (0..problem.types() as u32).filter(|&t| problem.real[t as usize]).collect();
        let (mut low, mut high) = ([f64::INFINITY; LANE], [f64::NEG_INFINITY; LANE]);
        for &t in &types {
            for l in 0..LANE {
                let x = problem.point(t as usize)[0][l];
                low[l] = low[l].min(x);
                high[l] = high[l].max(x);
            }
        }
        let mut cells = Vec::new();
        cut(problem, Cell { low, high }, &mut types, CELLS, &mut cells);
        Box::new(Cells(cells))
    }
}

/// Cuts a cell at medians of the points in it.
fn cut(problem: &Problem, cell: Cell, types: &mut [u32], parts: usize, out: &mut Vec<Cell>) {
    let axis = cell.longest();
    if parts < 2 || types.len() < 8 || cell.high[axis] <= cell.low[axis] {
        out.push(cell);
        return;
    }
    let x = |t: u32| problem.point(t as usize)[0][axis];
    types.sort_unstable_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
    let median = x(types[types.len() / 2]);
    let at = if median > cell.low[axis] && median < cell.high[axis] { median } else { cell.middle(axis) };
    let split = types.partition_point(|&t| x(t) < at);
    let (lower, upper) = types.split_at_mut(split);
    let [low, high] = cell.halves(axis, at);
    cut(problem, low, lower, parts / 2, out);
    cut(problem, high, upper, parts - parts / 2, out);
}

impl Cell {
    fn longest(&self) -> usize {
        (1..LANE).fold(0, |a, l| if self.high[l] - self.low[l] > self.high[a] - self.low[a] { l } else { a })
    }

    fn middle(&self, axis: usize) -> f64 {
        f64::midpoint(self.low[axis], self.high[axis])
    }

    fn halves(&self, axis: usize, at: f64) -> [Self; 2] {
        let (mut low, mut high) = (*self, *self);
        low.high[axis] = at;
        high.low[axis] = at;
        [low, high]
    }
}

impl Parts for Cells {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn run(&self, request: &Request, part: usize) -> Found {
        let mut search = Search::new(request);
        let all: Vec<u32> = (0..request.problem.types() as u32).collect();
        let mut stack = vec![(self.0[part], all)];
        while let Some((cell, candidates)) = stack.pop() {
            search.nodes += 1;
            if search.nodes > request.nodes {
                break;
            }
            if let Some((axis, kept)) = search.visit(&cell, &candidates) {
                let [low, high] = cell.halves(axis, cell.middle(axis));
                stack.push((high, kept.clone()));
                stack.push((low, kept));
            }
        }
        let lowered = search
            .duals
            .iter()
            .zip(request.duals)
            .enumerate()
            .filter(|(_, (now, before))| now < before)
            .map(|(t, (&now, _))| (t as u32, now))
            .collect();
        Found {
            columns: search.best.into_sorted(),
            lowered,
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
        let mut centre = [0.0; LANE];
        let mut square = 0.0;
        for (l, c) in centre.iter_mut().enumerate() {
            *c = cell.middle(l);
            let half = (cell.high[l] - *c).max(*c - cell.low[l]);
            square += half * half;
        }
        square *= ROUNDING;
        self.near.clear();
        self.far.clear();
        for &t in candidates {
            let (mut near, mut far) = (0.0, 0.0);
            if problem.real[t as usize] {
                let a = &problem.point(t as usize)[0];
                for l in 0..LANE {
                    let (d, o) = (a[l] - centre[l], (cell.low[l] - a[l]).max(a[l] - cell.high[l]).max(0.0));
                    near += d * d;
                    far += o * o;
                }
                near -= square;
            }
            self.near.push(near);
            self.far.push(far);
        }
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
            if eta as f64 * square <= REPAIR * -bound {
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
            if kept.len() < problem.min {
                return None;
            }
            let axis = cell.longest();
            let middle = cell.middle(axis);
            if middle <= cell.low[axis] || middle >= cell.high[axis] {
                // Floating point cannot halve the box any more.
                self.repair(eta, bound);
                continue;
            }
            if few(problem, kept.len()) {
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
        for &t in &members {
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
            self.settle(class, pairs);
        }
        if size == problem.max || size + rest.len() < problem.min {
            return;
        }
        // Whatever joins, the loss is at least pairs / max and the duals gain at most the largest ones left.
        let most = rest.iter().map(|&t| self.duals[t as usize]).fold(0.0, f64::max);
        if pairs / problem.max as f64 - lambda - most * (problem.max - size) as f64 >= 0.0 {
            return;
        }
        for (at, &t) in rest.iter().enumerate() {
            let colour = problem.colours[t as usize];
            if class.iter().any(|&u| problem.colours[u as usize] == colour) {
                continue;
            }
            let row = problem.distances(t);
            let more: f64 = class.iter().map(|&u| row[u as usize]).sum();
            class.push(t);
            self.extend(&rest[at + 1..], class, pairs + more, lambda + self.duals[t as usize]);
            class.pop();
        }
    }

    /// Lowers lambda until this class is not violated.
    fn settle(&mut self, class: &[u32], pairs: f64) {
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
        for &t in class {
            self.duals[t as usize] += share;
        }
    }
}

/// Whether all classes of so many candidates can be looked at.
fn few(problem: &Problem, candidates: usize) -> bool {
    const MOST: f64 = 400.0;
    let mut count = 0.0;
    let mut choose = 1.0;
    for q in 1..=problem.max.min(candidates) {
        choose *= (candidates + 1 - q) as f64 / q as f64;
        count += choose;
        if count > MOST {
            return false;
        }
    }
    true
}
