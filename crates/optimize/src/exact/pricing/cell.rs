//! Boxes of the plane of centroids, and how far points are from them.

use lookalike_model::instance::{LANE, Lane};

use crate::exact::problem::Problem;

/// Lets r^2 pay for the rounding of squared distances.
const ROUNDING: f64 = 1.0 + 1e-12;

/// An axis-parallel box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) low: Lane,
    pub(super) high: Lane,
}

/// The cells that cover the bounding box of the real types that are wanted: the centroid of any class of them is in one.
pub(super) fn cover(problem: &Problem, wanted: impl Fn(u32) -> bool) -> Vec<Cell> {
    let real = |&t: &u32| problem.real[t as usize] && wanted(t);
    let mut types: Vec<u32> = (0..problem.types() as u32).filter(real).collect();
    if types.is_empty() {
        return Vec::new();
    }
    let (mut low, mut high) = ([f64::INFINITY; LANE], [f64::NEG_INFINITY; LANE]);
    for &t in &types {
        for l in 0..LANE {
            let x = problem.point(t as usize)[0][l];
            low[l] = low[l].min(x);
            high[l] = high[l].max(x);
        }
    }
    let mut cells = Vec::new();
    cut(problem, Cell { low, high }, &mut types, problem.params.cells, &mut cells);
    cells
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

/// What a look at a box leaves: the axis along which to halve it, and the candidates for its halves.
pub(super) type Halved = Option<(usize, Vec<u32>)>;

/// Looks at a cell, at halves of it that are left, and so on, depth first, until a look says no more.
pub(super) fn walk(cell: Cell, all: Vec<u32>, mut look: impl FnMut(&Cell, &[u32]) -> Option<Halved>) {
    let mut stack = vec![(cell, all)];
    while let Some((cell, candidates)) = stack.pop() {
        let Some(halved) = look(&cell, &candidates) else { return };
        if let Some((axis, kept)) = halved {
            let [low, high] = cell.halves(axis, cell.middle(axis));
            stack.push((high, kept.clone()));
            stack.push((low, kept));
        }
    }
}

/// The types whose dual is lower than before.
pub(super) fn lowered(before: &[f64], now: &[f64]) -> Vec<(u32, f64)> {
    let both = now.iter().zip(before).enumerate();
    both.filter(|(_, (now, before))| now < before).map(|(t, (&now, _))| (t as u32, now)).collect()
}

impl Cell {
    pub(super) fn longest(&self) -> usize {
        (1..LANE).fold(0, |a, l| if self.high[l] - self.low[l] > self.high[a] - self.low[a] { l } else { a })
    }

    pub(super) fn middle(&self, axis: usize) -> f64 {
        f64::midpoint(self.low[axis], self.high[axis])
    }

    pub(super) fn halves(&self, axis: usize, at: f64) -> [Self; 2] {
        let (mut low, mut high) = (*self, *self);
        low.high[axis] = at;
        high.low[axis] = at;
        [low, high]
    }

    /// Whether a point is in the box, or within this of it.
    pub(super) fn holds(&self, point: &Lane, slack: f64) -> bool {
        (0..LANE).all(|l| point[l] >= self.low[l] - slack && point[l] <= self.high[l] + slack)
    }

    /// For each candidate |a - y0|^2 - r^2 and the squared distance to the box, both 0 for counterfeits; gives r^2. y0 is
    /// the centre and r half the diagonal.
    pub(super) fn measure(
        &self,
        problem: &Problem,
        candidates: &[u32],
        near: &mut Vec<f64>,
        far: &mut Vec<f64>,
    ) -> f64 {
        let mut centre = [0.0; LANE];
        let mut square = 0.0;
        for (l, c) in centre.iter_mut().enumerate() {
            *c = self.middle(l);
            let half = (self.high[l] - *c).max(*c - self.low[l]);
            square += half * half;
        }
        square *= ROUNDING;
        near.clear();
        far.clear();
        for &t in candidates {
            let (mut close, mut off) = (0.0, 0.0);
            if problem.real[t as usize] {
                let a = &problem.point(t as usize)[0];
                for l in 0..LANE {
                    let (d, o) = (a[l] - centre[l], (self.low[l] - a[l]).max(a[l] - self.high[l]).max(0.0));
                    close += d * d;
                    off += o * o;
                }
                close -= square;
            }
            near.push(close);
            far.push(off);
        }
        square
    }
}
