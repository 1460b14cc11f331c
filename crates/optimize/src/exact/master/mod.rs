//! The master: the restricted master with its columns' pool, its cuts, and its last solution.

pub mod restricted;

use lookalike_lp::master::Target;

use self::restricted::RestrictedMaster;
use super::{
    column::{Column, Weighted},
    cuts::{ActiveCuts, SubsetRow},
    effort::Stop,
    params,
    pool::ColumnPool,
    problem::Problem,
};
use crate::Error;

/// The restricted master and what its last solution says.
pub(super) struct Master {
    restricted: RestrictedMaster,
    pool: ColumnPool,
    /// All cuts, with the sigma of the last solution.
    cuts: Vec<SubsetRow>,
    /// The active ones of them, indexed.
    active: ActiveCuts,
    /// lambda of the last solution.
    duals: Vec<f64>,
    /// The columns of the last solution with their values; none if the back end has its duals alone.
    solution: Vec<(u32, f64)>,
    /// Its value.
    value: f64,
    /// Solutions so far.
    rounds: u64,
    backend: Option<&'static str>,
    params: params::Master,
}

impl Master {
    /// A master without columns; `loss` is that of some partition.
    pub(super) fn new(problem: &Problem, loss: f64, params: &params::Master) -> Result<Self, Error> {
        let types = problem.types();
        Ok(Self {
            restricted: RestrictedMaster::new(problem, loss, params)?,
            pool: ColumnPool::default(),
            cuts: Vec::new(),
            active: ActiveCuts::none(types),
            duals: vec![0.0; types],
            solution: Vec::new(),
            value: 0.0,
            rounds: 0,
            backend: None,
            params: params.clone(),
        })
    }

    /// Takes classes into the pool.
    pub(super) fn insert<'a>(&mut self, problem: &Problem, classes: impl IntoIterator<Item = &'a Vec<u32>>) {
        for class in classes {
            self.pool.insert(problem, class);
        }
    }

    /// Begins with the classes of the incumbent and the latest columns of annealing; the pool holds the others.
    pub(super) fn begin(&mut self, problem: &Problem, incumbent: &[Vec<u32>]) -> Result<(), Error> {
        let mut first: Vec<u32> =
            incumbent.iter().filter(|c| problem.admits(c)).map(|c| self.pool.insert(problem, c)).collect();
        let from = self.pool.len().saturating_sub(self.params.first_columns * problem.types());
        first.extend(from as u32..self.pool.len() as u32);
        self.restricted.add_columns(&self.pool, &self.cuts, &first)
    }

    /// Solves the master anew; false when it was stopped or failed.
    pub(super) fn solve(&mut self, seconds: Option<f64>, stop: Stop) -> Result<bool, Error> {
        let Some(solution) = self.restricted.solve(Target::Duals, seconds, stop)? else { return Ok(false) };
        self.rounds += 1;
        self.backend = Some(self.restricted.backend());
        self.value = solution.value;
        self.duals = solution.duals;
        self.solution = solution.columns;
        for (cut, sigma) in self.cuts.iter_mut().zip(solution.sigmas) {
            cut.sigma = sigma;
        }
        self.active = ActiveCuts::new(&self.cuts, self.duals.len());
        Ok(true)
    }

    /// Makes sure that there are values of columns: some back ends have duals long before. False when it was stopped or failed.
    pub(super) fn solve_columns(&mut self, seconds: Option<f64>, stop: Stop) -> Result<bool, Error> {
        if self.solution.is_empty() {
            let Some(solution) = self.restricted.solve(Target::Primal, seconds, stop)? else {
                return Ok(false);
            };
            self.solution = solution.columns;
        }
        Ok(true)
    }

    /// Adds the columns of the pool that violate the duals, the worst ones first, not too many; returns how many. `reduced` are
    /// the reduced costs of the pool.
    pub(super) fn enter_violated(&mut self, reduced: &[f64], threshold: f64) -> Result<usize, Error> {
        self.purge(reduced)?;
        let mut violated: Vec<u32> = (0..self.pool.len() as u32)
            .filter(|&c| reduced[c as usize] < threshold && !self.restricted.holds(c))
            .collect();
        violated.sort_by(|&a, &b| reduced[a as usize].total_cmp(&reduced[b as usize]).then(a.cmp(&b)));
        violated.truncate(self.params.columns_per_round * self.duals.len());
        self.restricted.add_columns(&self.pool, &self.cuts, &violated)?;
        Ok(violated.len())
    }

    /// A master that has grown too large loses the half of its columns that is furthest from being used; they stay in
    /// the pool and may come back.
    fn purge(&mut self, reduced: &[f64]) -> Result<(), Error> {
        let limit = self.params.most_columns * self.duals.len().max(self.params.least_types);
        if self.restricted.columns() <= limit {
            return Ok(());
        }
        let mut order: Vec<f64> = (0..self.pool.len() as u32)
            .filter(|&c| self.restricted.holds(c))
            .map(|c| reduced[c as usize])
            .collect();
        let (_, middle, _) = order.select_nth_unstable_by(limit / 2, f64::total_cmp);
        let middle = middle.max(0.0);
        self.restricted.retain(|c| reduced[c as usize] <= middle)
    }

    /// Forgets cuts with a sigma of no more than `least` and takes new ones.
    pub(super) fn exchange_cuts(&mut self, least: f64, new: Vec<SubsetRow>) -> Result<(), Error> {
        let keep: Vec<bool> = self.cuts.iter().map(|c| c.sigma > least).collect();
        self.restricted.change_cuts(&self.pool, &keep, &new)?;
        self.cuts.retain(|c| c.sigma > least);
        self.cuts.extend(new);
        Ok(())
    }

    /// Forgets all cuts.
    pub(super) fn drop_cuts(&mut self) -> Result<(), Error> {
        self.restricted.change_cuts(&self.pool, &vec![false; self.cuts.len()], &[])?;
        self.cuts.clear();
        self.active = ActiveCuts::none(self.duals.len());
        Ok(())
    }

    /// Puts the box around feasible duals.
    pub(super) fn recentre(&mut self, duals: &[f64]) -> Result<(), Error> {
        self.restricted.recentre(duals)
    }

    /// Lets the box grow.
    pub(super) fn grow(&mut self) -> Result<(), Error> {
        self.restricted.grow()
    }

    /// Whether the box holds some of the duals back.
    pub(super) fn is_boxed(&self) -> bool {
        self.restricted.binds(&self.duals)
    }

    pub(super) fn pool(&self) -> &ColumnPool {
        &self.pool
    }

    pub(super) fn cuts(&self) -> &[SubsetRow] {
        &self.cuts
    }

    pub(super) fn active(&self) -> &ActiveCuts {
        &self.active
    }

    pub(super) fn duals(&self) -> &[f64] {
        &self.duals
    }

    pub(super) fn value(&self) -> f64 {
        self.value
    }

    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The columns of the last solution with their values.
    pub(super) fn weighted(&self) -> Vec<Weighted<'_>> {
        let column = |c: u32| -> &Column { self.pool.column(c) };
        self.solution.iter().map(|&(c, x)| (column(c).members.as_slice(), x)).collect()
    }

    /// Entries of the matrix.
    pub(super) fn entries(&self) -> usize {
        self.restricted.entries()
    }

    /// Columns that the last solution does not know.
    pub(super) fn unseen(&self) -> usize {
        self.restricted.unseen()
    }

    /// Cuts that the last solution does not know.
    pub(super) fn unsolved_cuts(&self) -> usize {
        self.restricted.unsolved_cuts()
    }

    /// Name of the back end that has solved it; "none" before.
    pub(super) fn backend(&self) -> Option<&'static str> {
        self.backend
    }

    /// Why its solver failed, if it did.
    pub(super) fn failure(&self) -> Option<&lookalike_lp::Error> {
        self.restricted.failure()
    }
}
