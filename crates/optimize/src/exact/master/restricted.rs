//! The restricted master: which columns of the pool it holds, its cuts, and the box around the duals.
//!
//! Boxstep stabilisation: the duals may leave the best feasible ones by some width only. A box that holds the duals
//! back moves with the next better bound; if there is none it grows.

use lookalike_lp::master::{self, Algorithm, Column as LpColumn, Cut, Limits, Master, Programme, Target};

use crate::{
    Error,
    exact::{
        cuts::SubsetRow, effort::Stop, params, pool::ColumnPool, problem::Problem, set_partitioning::scale,
    },
};

/// Mean losses of a record for which a solver's tolerances are made.
const USUAL: std::ops::Range<f64> = 1e-6..1e6;

/// A solution of the master.
pub struct Solution {
    /// Its value.
    pub value: f64,
    /// Columns of the pool with their values; none if duals were asked for and the back end has no more.
    pub columns: Vec<(u32, f64)>,
    /// lambda, one a type.
    pub duals: Vec<f64>,
    /// sigma, one a cut.
    pub sigmas: Vec<f64>,
}

/// The master with its columns.
pub struct RestrictedMaster {
    master: Box<dyn Master>,
    /// The pool's number of each column.
    numbers: Vec<u32>,
    held: Vec<bool>,
    /// Half-width of the box beside the mean dual of a type, and its growth.
    width: f64,
    growth: f64,
    centre: Option<Vec<f64>>,
    /// Columns added since the last solution.
    unseen: usize,
    /// Cuts in the master, and how many of them (the first ones) the last solution knows.
    cuts: usize,
    cuts_solved: usize,
    /// Entries of the matrix.
    entries: usize,
    /// What costs and duals are multiplied by for the solver, whose tolerances are absolute; 1 for usual sizes.
    scale: f64,
    /// Why the solver failed, if it did.
    failure: Option<lookalike_lp::Error>,
}

/// The back end: an interior point method for large classes, over which the simplex method stalls for degeneracy.
fn kind(problem: &Problem, params: &params::Master) -> master::Kind {
    let few = !problem.distinct || problem.instance.colour_count <= params.interior_colours;
    let large = problem.min >= params.interior_size && problem.types() >= params.interior_types && few;
    let algorithm = if large { Algorithm::InteriorPoint } else { Algorithm::Simplex };
    let wanted = master::Kind::by(algorithm).or(master::Kind::by(Algorithm::Simplex));
    wanted.unwrap_or(master::Kind::Microlp)
}

impl RestrictedMaster {
    /// A master without columns. `loss` is that of some partition, for the scale of the duals.
    ///
    /// # Errors
    /// If the programme cannot be stated.
    pub fn new(problem: &Problem, loss: f64, params: &params::Master) -> Result<Self, Error> {
        let right: Vec<f64> = (0..problem.types()).map(|t| problem.multiplicity(t) as f64).collect();
        let mean = loss / right.iter().sum::<f64>();
        let scale = if USUAL.contains(&mean) { 1.0 } else { scale(std::iter::once(mean)) };
        let limit = if loss > 0.0 { params.first_box * loss * scale } else { 1.0 };
        let pool = Programme::new(&right, limit)?;
        let master = master::open_with(kind(problem, params), pool)?;
        Ok(Self {
            master,
            numbers: Vec::new(),
            held: Vec::new(),
            width: params.box_width,
            growth: params.box_growth,
            centre: None,
            unseen: 0,
            cuts: 0,
            cuts_solved: 0,
            entries: 0,
            scale,
            failure: None,
        })
    }

    /// Entries of the matrix that were ever added.
    pub(in crate::exact) fn entries(&self) -> usize {
        self.entries
    }

    /// Why the solver failed, if it did.
    pub(in crate::exact) fn failure(&self) -> Option<&lookalike_lp::Error> {
        self.failure.as_ref()
    }

    /// Name of the back end.
    pub(in crate::exact) fn backend(&self) -> &'static str {
        self.master.kind().name()
    }

    /// Whether the master holds a column of the pool.
    pub(in crate::exact) fn holds(&self, number: u32) -> bool {
        self.held.get(number as usize).copied().unwrap_or(false)
    }

    /// Adds columns of the pool; those that it holds already are left out. `cuts` are the ones in the master.
    ///
    /// # Errors
    /// If the programme cannot be stated.
    pub fn add_columns(
        &mut self,
        pool: &ColumnPool,
        cuts: &[SubsetRow],
        numbers: &[u32],
    ) -> Result<(), Error> {
        self.held.resize(self.held.len().max(pool.len()), false);
        let mut columns = Vec::new();
        for &number in numbers {
            if std::mem::replace(&mut self.held[number as usize], true) {
                continue;
            }
            self.numbers.push(number);
            let column = pool.column(number);
            let coefficients = cuts.iter().zip(0..).map(|(cut, at)| (at, cut.coefficient(&column.members)));
            columns.push(LpColumn {
                cost: self.scale * column.cost,
                rows: column.members.clone(),
                cuts: coefficients.filter(|c| c.1 > 0.0).collect(),
            });
            self.entries += column.members.len();
        }
        self.unseen += columns.len();
        Ok(self.master.add_columns(&columns)?)
    }

    /// Replaces the cuts: `keep` says which of the old ones stay, `new` come after them.
    pub(in crate::exact) fn change_cuts(
        &mut self,
        pool: &ColumnPool,
        keep: &[bool],
        new: &[SubsetRow],
    ) -> Result<(), Error> {
        self.master.retain_cuts(keep)?;
        self.cuts_solved = keep.iter().take(self.cuts_solved).filter(|&&keep| keep).count();
        self.cuts = keep.iter().filter(|&&keep| keep).count() + new.len();
        let cuts: Vec<Cut> = new
            .iter()
            .map(|cut| {
                let columns = self.numbers.iter().zip(0..);
                let coefficients =
                    columns.map(|(&number, at)| (at, cut.coefficient(&pool.column(number).members)));
                Cut { rhs: cut.limit, coefficients: coefficients.filter(|c| c.1 > 0.0).collect() }
            })
            .collect();
        Ok(self.master.add_cuts(&cuts)?)
    }

    /// Drops the columns for which `keep` is false.
    pub(in crate::exact) fn retain(&mut self, keep: impl Fn(u32) -> bool) -> Result<(), Error> {
        let kept: Vec<bool> = self.numbers.iter().map(|&number| keep(number)).collect();
        self.master.retain_columns(&kept)?;
        for (&number, _) in self.numbers.iter().zip(&kept).filter(|(_, kept)| !**kept) {
            self.held[number as usize] = false;
        }
        let mut at = 0;
        self.numbers.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        Ok(())
    }

    /// Columns that the last solution does not know.
    pub(in crate::exact) fn unseen(&self) -> usize {
        self.unseen
    }

    /// Cuts that the last solution does not know.
    pub(in crate::exact) fn unsolved_cuts(&self) -> usize {
        self.cuts - self.cuts_solved
    }

    /// Number of columns.
    pub(in crate::exact) fn columns(&self) -> usize {
        self.numbers.len()
    }

    /// Puts the box around feasible duals.
    pub(in crate::exact) fn recentre(&mut self, duals: &[f64]) -> Result<(), Error> {
        // By types: where most records have equals enough, theirs are 0, and a mean over the records would be next to nothing.
        let half = self.width * duals.iter().map(|dual| dual.abs()).sum::<f64>() / duals.len() as f64;
        if half > 0.0 {
            let lower: Vec<f64> = duals.iter().map(|x| self.scale * (x - half)).collect();
            let upper: Vec<f64> = duals.iter().map(|x| self.scale * (x + half)).collect();
            self.master.set_boxes(&lower, &upper)?;
        }
        self.centre = Some(duals.to_vec());
        Ok(())
    }

    /// Lets the box grow.
    pub(in crate::exact) fn grow(&mut self) -> Result<(), Error> {
        self.width *= self.growth;
        let centre = self.centre.clone().unwrap_or_default();
        self.recentre(&centre)
    }

    /// Whether the box holds some of the duals back.
    pub(in crate::exact) fn binds(&self, duals: &[f64]) -> bool {
        if self.centre.is_none() {
            return false;
        }
        let programme = self.master.programme();
        let own = || duals.iter().map(|x| self.scale * x);
        let close = 1e-7 * own().map(f64::abs).sum::<f64>() / duals.len().max(1) as f64;
        let mut sides = programme.lower().iter().zip(programme.upper()).zip(own());
        sides.any(|((low, high), x)| x - low <= close || high - x <= close)
    }

    /// Solves the master; `None` when the time is up, when `stop` says so, or when the solver fails.
    ///
    /// # Errors
    /// If the programme cannot be stated, or its boxes lie too high.
    pub fn solve(
        &mut self,
        target: Target,
        seconds: Option<f64>,
        stop: Stop,
    ) -> Result<Option<Solution>, Error> {
        let limits = Limits { seconds: seconds.unwrap_or(f64::INFINITY), stop };
        let solution = match self.master.solve(target, &limits) {
            Err(lookalike_lp::Error::Stopped) => return Ok(None),
            // The run ends with what it has.
            Err(error @ lookalike_lp::Error::Backend { .. }) => {
                self.failure = Some(error);
                return Ok(None);
            }
            other => other?,
        };
        self.unseen = 0;
        self.cuts_solved = self.cuts;
        let values = self.numbers.iter().copied().zip(solution.x);
        Ok(Some(Solution {
            value: solution.value / self.scale,
            columns: values.filter(|v| v.1 > 1e-9).collect(),
            duals: solution.duals.into_iter().map(|x| x / self.scale).collect(),
            sigmas: solution.sigmas.into_iter().map(|x| x / self.scale).collect(),
        }))
    }
}
