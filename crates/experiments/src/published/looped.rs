//! The loop of both papers: master, then pricing of the sizes in order until one has columns.

use std::sync::Arc;

use lookalike_lp::master::Target;
use lookalike_model::{instance::Instance, loss::Sse, partition::Partition, rule::Rule};

use super::{
    Deadline,
    cheapest::{Answer, Exact, cheapest, sized},
    greedy::grow,
};
use lookalike_optimize::{
    Error,
    exact::{
        cuts::ActiveCuts,
        master::restricted::{RestrictedMaster, Solution},
        params,
        pool::ColumnPool,
        pricing::{Request, sweep},
        problem::Problem,
    },
};

/// A reduced cost that counts as negative, relative to the mean loss of a record: solvers promise no more.
const NEGATIVE: f64 = 1e-7;

/// A value of a class that counts as 0 or 1 by this.
const INTEGER: f64 = 1e-6;

/// A column generation as published.
pub(super) struct Looped {
    pub(super) problem: Problem,
    pub(super) pool: ColumnPool,
    /// The problem with classes of one size, for each size in order.
    sizes: Vec<Problem>,
    master: RestrictedMaster,
    exact: Exact,
    negative: f64,
    /// Solutions of the master.
    pub(super) rounds: u64,
    /// Exact pricings.
    pub(super) exact_pricings: u64,
}

impl Looped {
    /// Starts from the classes of some partitions.
    pub(super) fn new(
        instance: &Arc<Instance>,
        rule: &Rule,
        starts: &[&Partition],
        exact: Exact,
    ) -> Result<Self, Error> {
        let problem = Problem::unmerged(instance, &Sse, rule)?;
        let loss = starts.iter().map(|p| p.loss(instance, &Sse)).fold(f64::INFINITY, f64::min);
        let mut pool = ColumnPool::default();
        for class in starts.iter().flat_map(|p| problem.classes(p)) {
            pool.insert(&problem, &class);
        }
        let mut master = RestrictedMaster::new(&problem, loss, &params::Master::default())?;
        master.add_columns(&pool, &[], &(0..pool.len() as u32).collect::<Vec<_>>())?;
        let sizes = (rule.min_size..=rule.max_size.min(instance.records()))
            .map(|size| Problem::unmerged(instance, &Sse, &sized(size, rule.distinct())))
            .collect::<Result<_, _>>()?;
        let negative = NEGATIVE * loss / instance.records() as f64;
        Ok(Self { problem, pool, sizes, master, exact, negative, rounds: 0, exact_pricings: 0 })
    }

    /// Goes on until no size has a column; `each` sees every solution of the master. The value of the last master if that
    /// was reached before the deadline.
    pub(super) fn run(
        &mut self,
        deadline: &Deadline,
        mut each: impl FnMut(&Self, &Solution),
    ) -> Result<Option<Solution>, Error> {
        while !deadline.over() {
            let stop = || deadline.over();
            let Some(solution) = self.master.solve(Target::Primal, None, &stop)? else { return Ok(None) };
            self.rounds += 1;
            each(self, &solution);
            match self.price(&solution.duals, deadline) {
                None => return Ok(None),
                Some(columns) if columns.is_empty() => return Ok(Some(solution)),
                Some(columns) => {
                    let numbers: Vec<u32> =
                        columns.iter().map(|c| self.pool.insert(&self.problem, c)).collect();
                    self.master.add_columns(&self.pool, &[], &numbers)?;
                }
            }
        }
        Ok(None)
    }

    /// `PricingProblem`: new classes of negative reduced cost of the first size that has any; `None` if it was stopped.
    fn price(&mut self, duals: &[f64], deadline: &Deadline) -> Option<Vec<Vec<u32>>> {
        let cuts = ActiveCuts::none(duals.len());
        for problem in &self.sizes {
            let base = sweep::request(problem, duals, &cuts, 1);
            let request = Request { threshold: -self.negative, tolerance: self.negative, ..base };
            let grown = grow(&request, problem.min);
            let mut found = self.new_ones(grown.into_iter().map(|c| c.members));
            if found.is_empty() {
                self.exact_pricings += 1;
                match cheapest(self.exact, &request, deadline) {
                    Answer::Stopped => return None,
                    Answer::Found(class) => found = self.new_ones(class.into_iter().map(|c| c.members)),
                }
            }
            if !found.is_empty() {
                return Some(found);
            }
        }
        Some(Vec::new())
    }

    /// The classes that the master does not hold: one that it holds is negative within its tolerances only.
    fn new_ones(&self, classes: impl Iterator<Item = Vec<u32>>) -> Vec<Vec<u32>> {
        classes.filter(|class| !self.pool.contains(class)).collect()
    }

    /// The partition of an integer solution.
    pub(super) fn integer(&self, solution: &Solution) -> Option<Partition> {
        let whole = solution.columns.iter().all(|c| (c.1 - 1.0).abs() < INTEGER || c.1 < INTEGER);
        let chosen = solution.columns.iter().filter(|c| c.1 > 0.5);
        let classes: Vec<Vec<u32>> = chosen.map(|c| self.pool.column(c.0).members.clone()).collect();
        whole.then(|| self.problem.partition(&classes)).flatten()
    }
}
