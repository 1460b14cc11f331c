//! The master with microlp, which has no duals and adds no columns, but adds rows: hence the dual,
//!
//! ```text
//! max  sum b_i lambda_i - sum rhs sigma    s.t.  sum_{i in C} lambda_i - sum coefficient sigma <= w_C  for every class C,
//! lower <= lambda <= upper,  sigma >= 0
//! ```
//!
//! whose rows are the classes. New classes are added to the solved programme; new cuts or boxes start it afresh. `x`
//! comes from one primal solve over the columns whose reduced cost is 0, and over all if these do not reach the value.

use std::time::Duration;

use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOptions, SolveOutcome, Variable,
};

use super::{Column, Cut, Kind, Limits, Master, Programme, Solution, Target, programme::Stored};
use crate::Error;

/// How long microlp works before the caller is asked whether to stop.
const SLICE: f64 = 0.25;

/// Up to this many new columns, and a tenth of the old ones, are added one by one; more start afresh.
const FEW: usize = 50;

/// Columns with a reduced cost up to this, relative to the value a row, are tried first for `x`.
const TIGHT: f64 = 1e-7;

/// Largest relative difference between the two values that is taken for rounding.
const AGREE: f64 = 1e-8;

/// See the module's description.
pub(super) struct Microlp {
    programme: Programme,
    /// The solved dual and how many of the programme's columns it holds.
    live: Option<(microlp::Solution, usize)>,
}

impl Microlp {
    pub(super) fn new(programme: Programme) -> Self {
        Self { programme, live: None }
    }

    /// lambda, then sigma.
    fn variable_count(&self) -> usize {
        self.programme.rows() + self.programme.cuts()
    }

    fn solve_dual(&mut self, limits: &Limits<'_>) -> Result<Vec<f64>, Error> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let boxes = self.programme.lower().iter().zip(self.programme.upper());
        let mut variables: Vec<Variable> =
            self.programme.b().iter().zip(boxes).map(|(&b, (&l, &u))| problem.add_var(b, (l, u))).collect();
        variables.extend(self.programme.rhs().iter().map(|&rhs| problem.add_var(-rhs, (0.0, f64::INFINITY))));
        let live = self.live.take().filter(|(_, held)| self.programme.columns() - held <= FEW + held / 10);
        let solution = if let Some((mut solution, held)) = live {
            let before = solution.stats().elapsed.as_secs_f64();
            for column in &self.programme.stored()[held..] {
                // The solved programme has the same variables: both number them from 0.
                let row = dual_row(column, &variables, self.programme.rows());
                let outcome = solution.add_constraint(row, ComparisonOp::Le, column.cost);
                solution = finish(outcome, before, limits)?;
            }
            solution
        } else {
            for column in self.programme.stored() {
                let row = dual_row(column, &variables, self.programme.rows());
                problem.add_constraint(row, ComparisonOp::Le, column.cost);
            }
            solve(&problem, limits)?
        };
        let values = variables.iter().map(|&v| solution.var_value_raw(v)).collect();
        self.live = Some((solution, self.programme.columns()));
        Ok(values)
    }

    /// `x` and the artificial columns' total, by the primal over the columns in `among`; with the primal's value.
    fn solve_primal(&self, among: &[usize], limits: &Limits<'_>) -> Result<(Vec<f64>, f64, f64), Error> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut rows = vec![LinearExpr::empty(); self.programme.rows()];
        let mut cuts = vec![LinearExpr::empty(); self.programme.cuts()];
        let mut add = |cost: f64| problem.add_var(cost, (0.0, f64::INFINITY));
        let mut variables = Vec::with_capacity(among.len());
        for &index in among {
            let column = &self.programme.stored()[index];
            let variable = add(column.cost);
            variables.push(variable);
            for &(row, a) in &column.rows {
                rows[row as usize].add(variable, a);
            }
            for &(cut, a) in &column.cuts {
                cuts[cut as usize].add(variable, a);
            }
        }
        let mut artificials = Vec::with_capacity(2 * self.programme.rows());
        for (row, expression) in rows.iter_mut().enumerate() {
            for (cost, sign) in [(self.programme.upper()[row], 1.0), (-self.programme.lower()[row], -1.0)] {
                let variable = add(cost);
                expression.add(variable, sign);
                artificials.push(variable);
            }
        }
        for (expression, &b) in rows.into_iter().zip(self.programme.b()) {
            problem.add_constraint(expression, ComparisonOp::Eq, b);
        }
        for (expression, &rhs) in cuts.into_iter().zip(self.programme.rhs()) {
            problem.add_constraint(expression, ComparisonOp::Le, rhs);
        }
        let solution = solve(&problem, limits)?;
        let mut x = vec![0.0; self.programme.columns()];
        for (&index, &variable) in among.iter().zip(&variables) {
            x[index] = solution.var_value_raw(variable).max(0.0);
        }
        let artificial = artificials.iter().map(|&v| solution.var_value_raw(v).max(0.0)).sum();
        Ok((x, artificial, solution.objective()))
    }

    fn primal(
        &self,
        duals: &[f64],
        sigmas: &[f64],
        value: f64,
        limits: &Limits<'_>,
    ) -> Result<(Vec<f64>, f64), Error> {
        let scale = 1.0 + value.abs() / self.programme.rows() as f64;
        let reduced = self.programme.reduced_costs(duals, sigmas);
        let tight: Vec<usize> = (0..reduced.len()).filter(|&c| reduced[c] <= TIGHT * scale).collect();
        let (x, artificial, reached) = self.solve_primal(&tight, limits)?;
        if (reached - value).abs() <= AGREE * (1.0 + value.abs()) {
            return Ok((x, artificial));
        }
        let all: Vec<usize> = (0..reduced.len()).collect();
        let (x, artificial, _) = self.solve_primal(&all, limits)?;
        Ok((x, artificial))
    }
}

impl Master for Microlp {
    fn programme(&self) -> &Programme {
        &self.programme
    }

    fn kind(&self) -> Kind {
        Kind::Microlp
    }

    fn add_columns(&mut self, columns: &[Column]) -> Result<(), Error> {
        self.programme.add_columns(columns)
    }

    fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error> {
        self.live = None;
        self.programme.add_cuts(cuts)
    }

    fn retain_columns(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.live = None;
        self.programme.retain_columns(keep)
    }

    fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.live = None;
        self.programme.retain_cuts(keep)
    }

    fn set_boxes(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
        self.live = None;
        self.programme.set_boxes(lower, upper)
    }

    fn solve(&mut self, target: Target, limits: &Limits<'_>) -> Result<Solution, Error> {
        let mut duals = self.solve_dual(limits)?;
        debug_assert_eq!(duals.len(), self.variable_count());
        let mut sigmas = duals.split_off(self.programme.rows());
        for (dual, (&l, &u)) in
            duals.iter_mut().zip(self.programme.lower().iter().zip(self.programme.upper()))
        {
            *dual = dual.clamp(l, u);
        }
        for sigma in &mut sigmas {
            *sigma = sigma.max(0.0);
        }
        let value = self.programme.dual_value(&duals, &sigmas);
        let (x, artificial) = match target {
            Target::Duals => (Vec::new(), None),
            Target::Primal => {
                let (x, artificial) = self.primal(&duals, &sigmas, value, limits)?;
                (x, Some(artificial))
            }
        };
        Ok(Solution { value, duals, sigmas, x, artificial })
    }
}

fn dual_row(column: &Stored, variables: &[Variable], rows: usize) -> LinearExpr {
    let lambda = column.rows.iter().map(|&(row, a)| (variables[row as usize], a));
    let sigma = column.cuts.iter().map(|&(cut, a)| (variables[rows + cut as usize], -a));
    lambda.chain(sigma).collect()
}

/// Solves in slices, so that the caller can stop it.
pub(crate) fn solve(problem: &Problem, limits: &Limits<'_>) -> Result<microlp::Solution, Error> {
    let mut options = SolveOptions::default();
    options.time_limit = Some(Duration::from_secs_f64(SLICE.min(limits.seconds.max(0.0))));
    finish(problem.solve_with(options), 0.0, limits)
}

/// Goes on until there is a solution; `before` is what the programme had already taken, in seconds.
fn finish(
    mut outcome: Result<SolveOutcome, microlp::Error>,
    before: f64,
    limits: &Limits<'_>,
) -> Result<microlp::Solution, Error> {
    loop {
        match outcome.map_err(failed)?.into_solution() {
            Ok(solution) => return Ok(solution),
            Err(interrupted) => {
                let spent = interrupted.stats().elapsed.as_secs_f64();
                if spent - before >= limits.seconds || (limits.stop)() {
                    return Err(Error::Stopped);
                }
                outcome = SolveOutcome::Interrupted(interrupted).resume();
            }
        }
    }
}

fn failed(error: microlp::Error) -> Error {
    match error {
        microlp::Error::Infeasible => Error::Infeasible,
        other => Error::says("microlp", &other),
    }
}
