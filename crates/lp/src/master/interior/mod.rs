//! The master by a primal-dual interior point method. Every solve starts afresh, but takes 15 to 25 factorisations
//! however degenerate the programme is, where the simplex method may not move for thousands of iterations. Its duals
//! lie in the middle of the optimal ones.

mod cholesky;
mod mehrotra;
mod normal;
mod order;
mod programme;

use super::{Column, Cut, Kind, Limits, Master, Pool, Solution, Target};
use crate::Error;
use programme::Programme;

/// See the module's description.
pub(super) struct Interior {
    pool: Pool,
}

impl Interior {
    pub(super) fn new(pool: Pool) -> Self {
        Self { pool }
    }
}

impl Master for Interior {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn kind(&self) -> Kind {
        Kind::Interior
    }

    fn add_columns(&mut self, columns: &[Column]) -> Result<(), Error> {
        self.pool.add_columns(columns)
    }

    fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error> {
        self.pool.add_cuts(cuts)
    }

    fn retain_columns(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.pool.retain_columns(keep)
    }

    fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.pool.retain_cuts(keep)
    }

    fn set_boxes(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
        self.pool.set_boxes(lower, upper)
    }

    fn solve(&mut self, _: Target, limits: &Limits<'_>) -> Result<Solution, Error> {
        let pool = &self.pool;
        let point = mehrotra::solve(&Programme::new(pool), limits)?;
        let (lambda, rest) = point.y.split_at(pool.rows());
        let boxes = pool.lower().iter().zip(pool.upper());
        let duals: Vec<f64> = lambda.iter().zip(boxes).map(|(d, (&l, &u))| d.clamp(l, u)).collect();
        let sigmas: Vec<f64> = rest.iter().map(|d| (-d).max(0.0)).collect();
        let value = pool.dual_value(&duals, &sigmas);
        let mut x = point.x;
        let artificial = x[pool.columns()..pool.columns() + 2 * pool.rows()].iter().sum();
        x.truncate(pool.columns());
        Ok(Solution { value, duals, sigmas, x, artificial: Some(artificial) })
    }
}
