//! A run: it advances in steps, and says how far it is.

use std::sync::Arc;

use lookalike_model::{
    Ctx, event::Progress, instance::Instance, job::Status, partition::Partition, rule::Rule, settings::Budget,
};

use super::{
    branching::Branching,
    controller::Controller,
    dual_bound::DualBound,
    effort::Effort,
    enumeration::Enumeration,
    first_duals::FirstDuals,
    heuristics::{
        annealing::Annealing, integer_master::IntegerMaster, neighbourhoods::Neighbourhoods,
        rounding::Rounding,
    },
    incumbent::Incumbent,
    loss::Priceable,
    master::Master,
    params::Params,
    pricers::Pricers,
    pricing_loop::PricingLoop,
    problem::Problem,
    separation::CutRounds,
    stage::Stage,
    state::{Input, State},
    turns::Turns,
};
use crate::{Error, bounds, local};

/// A running column generation. It advances in steps, so that a host can listen to its user in between.
pub struct ColumnGeneration<L: Priceable> {
    pub(super) controller: Controller<L>,
    pub(super) stage: Stage,
}

/// How a run goes about it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it may take.
    pub budget: Budget,
    /// The gap at which it may stop, in per cent of the loss; 0 is none.
    pub stop_gap_percent: f64,
    /// Whether its answer brings the duals.
    pub duals: bool,
    /// The seed of its random choices.
    pub seed: u64,
    /// The parameters.
    pub params: Arc<Params>,
    /// Those of the annealing that it does.
    pub local: Arc<local::Params>,
    /// Those by which duals are raised before the first master.
    pub bound: Arc<bounds::Params>,
}

impl Options {
    /// Those of a run that goes on to the end of its budget, with the usual parameters and the seed 0.
    #[must_use]
    pub fn of(budget: Budget) -> Self {
        Self {
            budget,
            stop_gap_percent: 0.0,
            duals: false,
            seed: 0,
            params: Arc::default(),
            local: Arc::default(),
            bound: Arc::default(),
        }
    }
}

impl<L: Priceable> ColumnGeneration<L> {
    /// A run over an instance from an admissible partition.
    ///
    /// # Errors
    /// [`Error::Model`] for a partition that is not admissible, [`Error::Exact`] for too many records.
    pub fn from(
        instance: &Arc<Instance>,
        start: &Partition,
        objective: L,
        rule: Rule,
        options: &Options,
    ) -> Result<Self, Error> {
        start.check(instance, &rule)?;
        let &Options { budget, stop_gap_percent, duals, seed, ref params, ref local, ref bound } = options;
        let problem = Problem::with_params(instance, &objective, &rule, &params.pricers)?;
        let pricers = Pricers::new(&problem, &objective)?;
        let stage = match budget {
            Budget::Effort(0.0) => Stage::Done(Status::EffortSpent),
            Budget::Seconds(0.0) => Stage::Done(Status::TimeLimit),
            _ => Stage::Annealing,
        };
        let loss = start.loss(instance, &objective);
        let by = (&params.annealing, local);
        let annealing = Annealing::new(&problem, objective, start, (budget, seed), by);
        let mut state = State {
            incumbent: Incumbent::new(start.clone(), loss),
            dual_bound: DualBound::default(),
            master: Master::new(&problem, loss, &params.master)?,
            list: None,
            effort: Effort::new(budget, &params.work),
            input: Input {
                problem,
                pricers,
                objective,
                rule,
                start: start.clone(),
                seed,
                stop_gap: stop_gap_percent / 100.0,
                duals_asked: duals,
                params: Arc::clone(params),
                local: Arc::clone(local),
            },
        };
        state.begin_bound();
        let controller = Controller {
            state,
            pricing: PricingLoop::new(&params.pricing),
            cuts: CutRounds::new(params),
            enumeration: Enumeration::new(&params.enumeration),
            branching: Branching::default(),
            annealing,
            first_duals: FirstDuals::new(&params.first_duals, bound),
            rounding: Rounding,
            integer_master: IntegerMaster::new(&params.integer_master),
            neighbourhoods: Neighbourhoods::new(seed, &params.neighbourhoods),
            turns: Turns::default(),
        };
        Ok(Self { controller, stage })
    }

    /// The proven bound so far.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.controller.state.bound()
    }

    /// The value of the linear relaxation without cuts, proven from below; `None` until column generation has converged
    /// (or for ever, if the gap was closed before).
    #[must_use]
    pub fn relaxation(&self) -> Option<f64> {
        self.controller.state.dual_bound.relaxation()
    }

    /// Goes one step; true when there is nothing left to do. `started` is by the clock of `ctx`.
    ///
    /// # Errors
    /// If a solver fails; the best so far is still in [`ColumnGeneration::finish`].
    pub fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        if let Stage::Done(_) = self.stage {
            return Ok(true);
        }
        let elapsed = || (ctx.clock)() - started;
        let controller = &mut self.controller;
        controller.state.effort.clock(elapsed());
        let stage = std::mem::replace(&mut self.stage, Stage::Done(Status::Cancelled));
        if (ctx.cancelled)() {
            return Ok(true);
        }
        let (spent, long) = (controller.state.effort.spent(), controller.annealing.is_long());
        let budget = controller.state.effort.budget();
        let late = || matches!(budget, Budget::Seconds(limit) if elapsed() >= limit);
        let stop = || (ctx.cancelled)() || late();
        let next = controller.advance(stage.clone(), &stop)?;
        // Cuts that the last solution does not know come first: pricing, rounding and separation would rely on a solution
        // that is out of date, and such cuts would never raise the bound.
        let state = &mut controller.state;
        let stale = next.relies_on_the_master() && state.master.unsolved_cuts() > 0;
        self.stage = if stale { Stage::Master } else { next };
        state.effort.end_step();
        state.effort.clock(elapsed());
        let took = state.effort.spent() - spent;
        controller.turns.took(&stage, long, took);
        self.report(ctx, &stage);
        let over = self.controller.state.over();
        // A solver that was stopped in the middle says so by being done.
        if (ctx.cancelled)() && !matches!(over, Some(Status::Optimal | Status::GapReached)) {
            self.stage = Stage::Done(Status::Cancelled);
        }
        if let Stage::Done(_) = self.stage {
            return Ok(true);
        }
        if let Some(status) = over {
            self.stage = Stage::Done(status);
            return Ok(true);
        }
        Ok(false)
    }

    fn report(&self, ctx: &Ctx, stage: &Stage) {
        let state = &self.controller.state;
        (ctx.progress)(&Progress {
            phase: stage.phase().into(),
            fraction: Some(state.effort.spent().min(1.0)),
            incumbent: Some(state.incumbent.loss()),
            bound: state.bound(),
            moves: Some(self.controller.annealing.moves()),
            seconds: state.effort.elapsed(),
            ..Progress::default()
        });
    }
}

#[cfg(test)]
mod tests;
