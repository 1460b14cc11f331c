//! What the parts of column generation share: what the run was given, its incumbent, its dual bound, its master, the list of
//! classes once there is one, and its effort.

use std::sync::Arc;

use lookalike_model::{job::Status, partition::Partition, rule::Rule};

use super::{
    bound,
    cuts::ActiveCuts,
    dual_bound::DualBound,
    effort::{Effort, Stop},
    heuristics::{set_aside::Rest, snapshots::descend},
    incumbent::Incumbent,
    list::ClassList,
    loss::Priceable,
    master::Master,
    params::Params,
    pricers::Pricers,
    pricing::{Request, sweep},
    problem::Problem,
    stage::Stage,
};
use crate::{Error, bounds::ProvenByDuals, local};

/// A relative gap below which incumbent and bound are equal but for rounding.
const CLOSED: f64 = 1e-9;

/// What a run was given; it does not change.
pub(super) struct Input<L: Priceable> {
    pub(super) problem: Problem,
    /// The pricers of the problem.
    pub(super) pricers: Pricers,
    pub(super) objective: L,
    pub(super) rule: Rule,
    /// The partition that everything began with.
    pub(super) start: Partition,
    pub(super) seed: u64,
    /// The run ends at a gap of this part of the loss.
    pub(super) stop_gap: f64,
    /// Whether the answer brings the duals.
    pub(super) duals_asked: bool,
    pub(super) params: Arc<Params>,
    /// Those of the annealing that it does.
    pub(super) local: Arc<local::Params>,
}

/// What the parts share.
pub(super) struct State<L: Priceable> {
    pub(super) input: Input<L>,
    pub(super) incumbent: Incumbent,
    pub(super) dual_bound: DualBound,
    pub(super) master: Master,
    /// All classes that can improve on the incumbent, once they are enumerated.
    pub(super) list: Option<ClassList>,
    pub(super) effort: Effort,
}

impl<L: Priceable> State<L> {
    /// What the nearest neighbours prove is there before any pricing.
    pub(super) fn begin_bound(&mut self) {
        let problem = &self.input.problem;
        let Some(duals) = problem.neighbour_duals() else { return };
        let value = bound::value(problem, self.master.active(), &duals, self.tolerance());
        let (others, different) = (problem.min - 1, problem.distinct);
        self.dual_bound.begin(value, ProvenByDuals::Nearest { others, different });
    }

    /// UB - LB; the loss itself while there is no bound.
    pub(super) fn gap(&self) -> f64 {
        self.incumbent.loss() - self.dual_bound.proven()
    }

    /// A reduced cost that counts as 0: one for the run, so that all duals are judged alike.
    pub(super) fn tolerance(&self) -> f64 {
        1e-10 * self.incumbent.loss() / self.input.problem.instance.records() as f64
    }

    /// Asks for classes of negative reduced cost.
    pub(super) fn request<'a>(&'a self, duals: &'a [f64], cuts: &'a ActiveCuts, keep: usize) -> Request<'a> {
        Request {
            tolerance: self.tolerance(),
            threshold: -self.tolerance(),
            ..sweep::request(&self.input.problem, duals, cuts, keep)
        }
    }

    /// The same for the duals of the master.
    pub(super) fn master_request(&self, keep: usize) -> Request<'_> {
        self.request(self.master.duals(), self.master.active(), keep)
    }

    /// Solves the master, and prices what the pool holds already. Says whether so many columns of the pool have entered that it is
    /// to be solved again; `None` if the solver was stopped or failed.
    pub(super) fn solve_master(&mut self, stop: Stop) -> Result<Option<bool>, Error> {
        let problem = &self.input.problem;
        if self.master.rounds() == 0 {
            self.master.begin(problem, &problem.classes(self.incumbent.partition()))?;
        }
        if !self.master.solve(self.effort.seconds_left(), stop)? {
            return Ok(None);
        }
        let params = &self.input.params;
        self.effort.pay(params.work.master_entry * self.master.entries() as f64);
        let few = problem.types() / params.master.types_per_pool_column;
        Ok(Some(self.enter_violated()? > few))
    }

    /// Brings columns of the pool that violate the master's duals into the master; returns how many.
    pub(super) fn enter_violated(&mut self) -> Result<usize, Error> {
        let request = self.master_request(1);
        let threshold = request.threshold;
        let reduced = self.master.pool().reduced_costs(&request);
        self.master.enter_violated(&reduced, threshold)
    }

    /// Takes a partition into the pool, and as incumbent if it is admissible and better.
    pub(super) fn offer(&mut self, partition: Partition) {
        let Input { problem, objective, rule, .. } = &self.input;
        let classes = problem.classes(&partition);
        self.master.insert(problem, classes.iter().filter(|class| problem.admits(class)));
        if partition.check(&problem.instance, rule).is_ok() {
            let loss = partition.loss(&problem.instance, objective);
            self.incumbent.offer(partition, loss);
        }
    }

    /// Takes a partition, and what descent makes of it.
    pub(super) fn offer_descended(&mut self, partition: &Partition) {
        let Input { problem, objective, rule, seed, .. } = &self.input;
        let lower = match Rest::new(problem, partition) {
            Some(rest) => rest.whole(&descend(&rest.instance, *objective, rule, &rest.start, *seed)),
            None => descend(&problem.instance, *objective, rule, partition, *seed),
        };
        self.offer(partition.clone());
        self.offer(lower);
    }

    /// Drops listed classes that cannot improve on the incumbent any more.
    pub(super) fn shorten_list(&mut self) {
        let (Some(list), Some(proof)) = (&self.list, self.dual_bound.proof()) else { return };
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let gap = self.gap() * (1.0 + 1e-9) + self.tolerance();
        self.list = Some(list.below(gap, &request));
    }

    /// The proven bound so far.
    pub(super) fn bound(&self) -> Option<f64> {
        self.dual_bound.value(self.incumbent.loss())
    }

    /// Why the run is over, if it is.
    pub(super) fn over(&self) -> Option<Status> {
        let spent = || (self.effort.spent() >= 1.0).then(|| self.effort.status());
        let Some(bound) = self.bound() else { return spent() };
        let loss = self.incumbent.loss();
        let gap = loss - bound;
        if self.dual_bound.is_closed() || gap <= CLOSED * loss {
            return Some(Status::Optimal);
        }
        if gap <= self.input.stop_gap * loss {
            return Some(Status::GapReached);
        }
        spent()
    }

    /// The end of a run that has nothing left to do.
    pub(super) fn exhausted(&self) -> Stage {
        Stage::Done(self.over().unwrap_or_else(|| self.effort.status()))
    }
}
