//! The restricted master: rows for types and cuts, columns from the pool, a box around the duals.

use lookalike_lp::interim::Lp;

use super::{
    cuts::{OddSet, common},
    pool::Pool,
    problem::Problem,
};
use crate::Error;

/// Half-width of the box at the start, as a multiple of the largest dual.
pub(super) struct Solution {
    pub(super) value: f64,
    pub(super) columns: Vec<(u32, f64)>,
    pub(super) duals: Vec<f64>,
    pub(super) sigmas: Vec<f64>,
}

/// The master with its columns.
pub(super) struct Restricted {
    lp: Lp,
    right: Vec<f64>,
    columns: Vec<u32>,
    held: Vec<bool>,
    low: Vec<f64>,
    high: Vec<f64>,
    width: f64,
    centre: Option<Vec<f64>>,
    cut_rows: usize,
}

impl Restricted {
    pub(super) fn new(problem: &Problem) -> Result<Self, Error> {
        let right: Vec<f64> = (0..problem.types()).map(|t| problem.multiplicity(t) as f64).collect();
        let lp = Lp::new(&right, -1e9, 1e9);
        let n = right.len();
        Ok(Self { lp, right, columns: vec![], held: vec![], low: vec![-1e9; n], high: vec![1e9; n], width: 0.3, centre: None, cut_rows: 0 })
    }
    pub(super) fn size(&self) -> f64 { (self.columns.len() * 6) as f64 }
    pub(super) fn backend(&self) -> String { "highs".into() }
    pub(super) fn holds(&self, c: u32) -> bool { self.held.get(c as usize).copied().unwrap_or(false) }
    pub(super) fn add_columns(&mut self, pool: &Pool, cuts: &[OddSet], numbers: &[u32]) -> Result<(), Error> {
        for &c in numbers {
            if self.holds(c) { continue; }
            if self.held.len() <= c as usize { self.held.resize(c as usize + 1, false); }
            self.held[c as usize] = true;
            let col = pool.column(c);
            let f: Vec<(u32,f64)> = cuts[..self.cut_rows].iter().enumerate().filter_map(|(k,s)| { let x = s.coefficient(&col.members); (x > 0.0).then_some((k as u32, x)) }).collect();
            self.lp.add_column(col.cost, &col.members, &f);
            self.columns.push(c);
        }
        Ok(())
    }
    pub(super) fn rebuild(&mut self, pool: &Pool, cuts: &[OddSet]) {
        let cols = std::mem::take(&mut self.columns);
        self.held.clear();
        self.lp = Lp::new(&self.right, -1e9, 1e9);
        for r in 0..self.right.len() { self.lp.set_box(r, self.low[r], self.high[r]); }
        for s in cuts { self.lp.add_cut(s.limit, &[]); }
        self.cut_rows = cuts.len();
        let _ = self.add_columns(pool, cuts, &cols);
    }
    pub(super) fn recentre(&mut self, duals: &[f64]) {
        self.centre = Some(duals.to_vec());
        let avg = duals.iter().zip(&self.right).map(|(d, r)| d.abs() * r).sum::<f64>() / self.right.iter().sum::<f64>();
        for r in 0..duals.len() {
            self.low[r] = duals[r] - self.width * avg; self.high[r] = duals[r] + self.width * avg;
            self.lp.set_box(r, self.low[r], self.high[r]);
        }
    }
    pub(super) fn free(&mut self) {
        self.width *= 4.0;
        if let Some(c) = self.centre.clone() { self.recentre(&c); }
    }
    pub(super) fn boxed(&self, duals: &[f64]) -> bool {
        if self.centre.is_none() { return false; }
        let scale = duals.iter().map(|d| d.abs()).sum::<f64>() / duals.len() as f64 * 1e-7;
        duals.iter().enumerate().any(|(r, d)| *d <= self.low[r] + scale || *d >= self.high[r] - scale)
    }
    pub(super) fn solve(&mut self, _elapsed: f64) -> Result<Solution, Error> {
        let s = self.lp.solve().ok_or_else(|| Error::Input("lp failed".into()))?;
        let columns = s.x.iter().enumerate().filter(|(_, x)| **x > 1e-9).map(|(k, &x)| (self.columns[k], x)).collect();
        Ok(Solution { value: s.value, columns, duals: s.duals, sigmas: s.sigmas })
    }
}
