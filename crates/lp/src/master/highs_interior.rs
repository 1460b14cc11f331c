//! The master with HiGHS's interior point method. Every solve starts afresh. Without crossover its duals lie in the
//! middle of the optimal ones; with it, `x` is a vertex.

use highs::{ColProblem, HighsModelStatus, HighsStatus, Row, Sense};

use super::{Column, Cut, Kind, Limits, Master, Programme, Solution, Target};
use crate::{Error, Failure};

/// Accuracy of the gap and the residuals.
const AIM: f64 = 1e-10;

/// See the module's description.
pub(super) struct HighsInterior {
    programme: Programme,
}

impl HighsInterior {
    pub(super) fn new(programme: Programme) -> Self {
        Self { programme }
    }

    fn programme(&self) -> ColProblem {
        let programme = &self.programme;
        let mut problem = ColProblem::new();
        let mut rows: Vec<Row> = programme.b().iter().map(|&b| problem.add_row(b..=b)).collect();
        rows.extend(programme.rhs().iter().map(|&rhs| problem.add_row(..=rhs)));
        for column in programme.stored() {
            let cuts = column.cuts.iter().map(|&(cut, a)| (rows[programme.rows() + cut as usize], a));
            let entries = column.rows.iter().map(|&(row, a)| (rows[row as usize], a)).chain(cuts);
            problem.add_column(column.cost, 0.0.., entries);
        }
        for (row, (&lower, &upper)) in rows.iter().zip(programme.lower().iter().zip(programme.upper())) {
            problem.add_column(upper, 0.0.., [(*row, 1.0)]);
            problem.add_column(-lower, 0.0.., [(*row, -1.0)]);
        }
        problem
    }

    /// One solve of at most so many seconds; `None` if it is too inaccurate.
    fn run(&self, crossover: bool, seconds: f64) -> Result<Option<Solution>, Error> {
        let mut model = self.programme().try_optimise(Sense::Minimise).map_err(status)?;
        let crossover = if crossover { "on" } else { "off" };
        // One thread: HiGHS's thread pool would outlive the solve.
        for (option, value) in [("solver", "ipx"), ("run_crossover", crossover), ("parallel", "off")] {
            model.try_set_option(option, value).map_err(|_| failed(Failure::RefusesOption { option }))?;
        }
        for (option, value) in [("time_limit", seconds.max(0.0)), ("ipm_optimality_tolerance", AIM)] {
            model.try_set_option(option, value).map_err(|_| failed(Failure::RefusesOption { option }))?;
        }
        let solved = model.try_solve().map_err(status)?;
        match solved.status() {
            HighsModelStatus::Optimal => {
                let found = solved.get_solution();
                let (lambda, cuts) = found.dual_rows().split_at(self.programme.rows());
                let sigma: Vec<f64> = cuts.iter().map(|d| -d).collect();
                let (x, artificial) = found.columns().split_at(self.programme.columns());
                Ok(Some(solution(&self.programme, lambda, &sigma, x, artificial)))
            }
            HighsModelStatus::ReachedTimeLimit => Err(Error::Stopped),
            HighsModelStatus::Infeasible
            | HighsModelStatus::Unbounded
            | HighsModelStatus::UnboundedOrInfeasible => Err(Error::Infeasible),
            HighsModelStatus::Unknown => Ok(None),
            other => Err(failed(Failure::Ended { status: format!("{other:?}") })),
        }
    }
}

impl Master for HighsInterior {
    fn programme(&self) -> &Programme {
        &self.programme
    }

    fn kind(&self) -> Kind {
        Kind::HighsInterior
    }

    fn add_columns(&mut self, columns: &[Column]) -> Result<(), Error> {
        self.programme.add_columns(columns)
    }

    fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error> {
        self.programme.add_cuts(cuts)
    }

    fn retain_columns(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.programme.retain_columns(keep)
    }

    fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error> {
        self.programme.retain_cuts(keep)
    }

    fn set_boxes(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
        self.programme.set_boxes(lower, upper)
    }

    fn solve(&mut self, target: Target, limits: &Limits<'_>) -> Result<Solution, Error> {
        if (limits.stop)() {
            return Err(Error::Stopped);
        }
        // What is too inaccurate without crossover is cleaned by it; both share the time that there is.
        let seconds = 0.5 * limits.seconds;
        if let Some(solution) = self.run(target == Target::Primal, seconds)? {
            return Ok(solution);
        }
        if (limits.stop)() {
            return Err(Error::Stopped);
        }
        self.run(true, seconds)?.ok_or_else(|| failed(Failure::NotConverging))
    }
}

fn status(status: HighsStatus) -> Error {
    failed(Failure::Answers { status: format!("{status:?}") })
}

fn failed(why: Failure) -> Error {
    Error::Backend { backend: "highs (interior point)", why }
}

/// Moves an answer that holds to a tolerance into the boxes and the non-negative numbers.
fn solution(programme: &Programme, lambda: &[f64], sigma: &[f64], x: &[f64], artificial: &[f64]) -> Solution {
    let boxes = programme.lower().iter().zip(programme.upper());
    let duals: Vec<f64> = lambda.iter().zip(boxes).map(|(d, (&l, &u))| d.clamp(l, u)).collect();
    let sigmas: Vec<f64> = sigma.iter().map(|s| s.max(0.0)).collect();
    let value = programme.dual_value(&duals, &sigmas);
    let positive = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| x.max(0.0)).collect() };
    let artificial = positive(artificial).iter().sum();
    Solution { value, duals, sigmas, x: positive(x), artificial: Some(artificial) }
}
