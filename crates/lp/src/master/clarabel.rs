//! The master with clarabel, an interior point method in pure Rust, by way of the dual:
//!
//! ```text
//! min  -sum b_i lambda_i + sum rhs sigma    s.t.  A (lambda, sigma) + s = c,  s >= 0
//! ```
//!
//! The rows of `A` are the classes, the boxes' two sides and `sigma >= 0`; their multipliers are `x`, the artificial
//! columns and the cuts' slacks. Every solve starts afresh; the duals lie in the middle of the optimal ones.

use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus},
};

use super::{Column, Cut, Kind, Limits, Master, Pool, Solution, Target, interior};
use crate::Error;

/// Accuracy aimed at, relative and absolute.
const AIM: f64 = 1e-9;

/// Accuracy accepted when it gets no further.
const ACCEPT: f64 = 1e-7;

/// See the module's description.
pub(super) struct Clarabel {
    pool: Pool,
}

impl Clarabel {
    pub(super) fn new(pool: Pool) -> Self {
        Self { pool }
    }

    /// `A` by columns, and `c`.
    fn programme(&self) -> (CscMatrix<f64>, Vec<f64>) {
        let pool = &self.pool;
        let (rows, classes) = (pool.rows(), pool.columns());
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows + pool.cuts()];
        let mut c: Vec<f64> = Vec::with_capacity(classes + 2 * rows + pool.cuts());
        for (at, column) in pool.stored().iter().enumerate() {
            for &(row, a) in &column.rows {
                columns[row as usize].push((at, a));
            }
            for &(cut, a) in &column.cuts {
                columns[rows + cut as usize].push((at, -a));
            }
            c.push(column.cost);
        }
        for (column, (&lower, &upper)) in columns.iter_mut().zip(pool.lower().iter().zip(pool.upper())) {
            column.extend([(c.len(), 1.0), (c.len() + 1, -1.0)]);
            c.extend([upper, -lower]);
        }
        for column in &mut columns[rows..] {
            column.push((c.len(), -1.0));
            c.push(0.0);
        }
        let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
        for column in &columns {
            places.extend(column.iter().map(|e| e.0));
            values.extend(column.iter().map(|e| e.1));
            starts.push(places.len());
        }
        (CscMatrix::new(c.len(), columns.len(), starts, places, values), c)
    }
}

impl Master for Clarabel {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn kind(&self) -> Kind {
        Kind::Clarabel
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
        // Its callback would have to outlive this call: between iterations only its own clock stops it.
        if (limits.stop)() {
            return Err(Error::Stopped);
        }
        let pool = &self.pool;
        let (a, c) = self.programme();
        let objective: Vec<f64> = pool.b().iter().map(|b| -b).chain(pool.rhs().iter().copied()).collect();
        let settings = DefaultSettings {
            verbose: false,
            time_limit: limits.seconds,
            tol_gap_abs: AIM,
            tol_gap_rel: AIM,
            tol_feas: AIM,
            reduced_tol_gap_abs: ACCEPT,
            reduced_tol_gap_rel: ACCEPT,
            reduced_tol_feas: ACCEPT,
            ..DefaultSettings::default()
        };
        let none = CscMatrix::zeros((objective.len(), objective.len()));
        let mut solver =
            DefaultSolver::new(&none, &objective, &a, &c, &[NonnegativeConeT(c.len())], settings)
                .map_err(|why| failed(why.to_string()))?;
        solver.solve();
        let found = &solver.solution;
        match found.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => {
                let (lambda, sigma) = found.x.split_at(pool.rows());
                let (x, rest) = found.z.split_at(pool.columns());
                Ok(interior::solution(pool, lambda, sigma, x, &rest[..2 * pool.rows()]))
            }
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Err(Error::Infeasible),
            SolverStatus::MaxTime => Err(Error::Stopped),
            other => Err(failed(format!("it ended with {other}"))),
        }
    }
}

fn failed(why: String) -> Error {
    Error::Backend { backend: "clarabel", why }
}
