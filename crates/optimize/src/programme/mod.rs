//! The general programme of Liang 2020, (21)-(28), over all records: solved to its optimum, or with a bound.
//!
//! 1. *Start*: what `auto` finds, which is annealing for so few records.
//! 2. *Prices*: the duals of column generation's linear relaxation. No class costs less than the prices of its records.
//! 3. *Solving*: [`general::prove`], which has the prices as cuts and fixes variables by them, in calls of growing size, each
//!    from the best solution so far, so that the search can be stopped between them.
//!
//! Nothing else is taken from column generation: no cut, no branching, no class.

mod message;
mod params;
mod proven;
mod suits;

use std::{collections::BTreeMap, sync::Arc};

use lookalike_lp::{
    Backend,
    general::{self, Attribute},
};
use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Answer, Job, Status},
    partition::Partition,
    settings::{Budget, MethodName},
};

pub use self::{
    message::{FoundByProgramme, ProgrammeFault, ProvenByProgramme},
    params::Params,
};
use self::{proven::ProvenBound, suits::suits};
use crate::{
    Error, Phase, construct,
    exact::{AllParams, ColumnGeneration, Options, loss::Priceable},
};

/// How it finds what it starts from.
pub(crate) type Start<'a> = &'a dyn Fn(&Job) -> Result<Answer, Error>;

/// A running search by the general programme.
pub(crate) struct Programme<L: Priceable> {
    instance: Arc<Instance>,
    loss: L,
    k: usize,
    attributes: Vec<Attribute>,
    values: Vec<f64>,
    params: Params,
    budget: Budget,
    backend: Backend,
    best: Partition,
    best_loss: f64,
    /// The search for prices, until it is over.
    pricing: Option<Box<ColumnGeneration<L>>>,
    prices: Vec<f64>,
    bound: ProvenBound,
    calls: u32,
    /// Nodes that are spent.
    nodes: f64,
    together: usize,
    failure: Option<lookalike_lp::Error>,
    /// Why it is over, once it is.
    status: Option<Status>,
    threads: usize,
}

impl<L: Priceable> Programme<L> {
    /// Checks the job and builds what it starts from.
    ///
    /// # Errors
    /// [`Error::Model`] for an inconsistent job, and if no admissible partition exists; [`Error::Programme`] for a job that
    /// the programme does not know.
    pub(crate) fn new(
        job: &Job,
        loss: L,
        (params, others): (&Params, &AllParams),
        start: Start<'_>,
    ) -> Result<Self, Error> {
        let rule = job.rule.clone();
        rule.protects()?;
        let instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let (attributes, values) = suits(&instance, &loss, &rule, params)?;
        let nothing = matches!(job.budget, Budget::Effort(0.0) | Budget::Seconds(0.0));
        let effort = if nothing { 0.0 } else { params.start_effort };
        let (method, budget) = (MethodName::Auto.into(), Budget::Effort(effort));
        let found = start(&Job { method, budget, duals: false, ..job.clone() })?;
        let best = construct::cut_large(&instance, &rule, Partition::from_labels(&found.labels));
        let best_loss = best.loss(&instance, &loss);
        let options = Options {
            budget: match job.budget {
                Budget::Seconds(limit) => Budget::Seconds(params.price_share * limit),
                effort @ Budget::Effort(_) => effort,
            },
            stop_gap_percent: 0.0,
            duals: true,
            seed: job.seed,
            params: Arc::clone(&others.exact),
            local: Arc::clone(&others.local),
            bound: Arc::clone(&others.bound),
        };
        let pricing = if nothing {
            None
        } else {
            Some(Box::new(ColumnGeneration::from(&instance, &best, loss, rule.clone(), &options)?))
        };
        Ok(Self {
            prices: vec![0.0; instance.records()],
            instance,
            loss,
            k: rule.min_size,
            attributes,
            values,
            params: params.clone(),
            budget: job.budget,
            backend: Backend::best(),
            best,
            best_loss,
            pricing,
            bound: ProvenBound::none(),
            calls: 0,
            nodes: 0.0,
            together: 0,
            failure: None,
            status: nothing.then(|| spent(job.budget)),
            threads: 1,
        })
    }

    /// One step of the search for prices; at its end they are taken over.
    fn price(&mut self, ctx: &Ctx, started: f64) {
        let Some(pricing) = &mut self.pricing else { return };
        // A solver that fails there leaves the prices found before, or none: the programme is the same without.
        let over = !matches!(pricing.step(ctx, started), Ok(false));
        if !over && pricing.relaxation().is_none() {
            return;
        }
        let found = pricing.finish();
        self.pricing = None;
        self.threads = found.threads;
        self.improve(Partition::from_labels(&found.labels));
        // With cuts a class may cost less than its prices.
        if let Some(duals) = found.duals.filter(|duals| duals.cuts.is_empty()) {
            let less = duals.tolerance / self.k as f64;
            self.prices = duals.values.iter().map(|price| price - less).collect();
            self.bound.by_prices(&self.prices, self.best_loss);
        }
    }

    /// One call of the solver.
    fn call(&mut self, elapsed: f64) {
        let growth = f64::from(self.calls).exp2();
        let limits = match self.budget {
            Budget::Seconds(limit) => general::Limits {
                seconds: (self.params.first_seconds * growth).min(limit - elapsed).max(0.0),
                ..general::Limits::none()
            },
            Budget::Effort(effort) => {
                let left = effort * self.params.nodes_per_effort - self.nodes;
                let nodes = (f64::from(self.params.first_nodes) * growth).min(left).max(1.0) as u32;
                self.nodes += f64::from(nodes);
                general::Limits { nodes, ..general::Limits::none() }
            }
        };
        self.calls += 1;
        let programme = general::Programme {
            attributes: &self.attributes,
            values: &self.values,
            k: self.k,
            start: &self.best.labels,
        };
        let found = match general::prove(&programme, &self.prices, self.backend, limits) {
            Ok(found) => found,
            Err(failure) => {
                self.failure = Some(failure);
                self.status = Some(spent(self.budget));
                return;
            }
        };
        self.together = found.together;
        let known = self.best_loss;
        if let Some(labels) = found.labels {
            self.improve(Partition::from_labels(&labels));
        }
        if found.complete {
            self.bound.completed(self.best_loss, self.backend.name());
            self.status = Some(Status::Optimal);
        } else {
            self.bound.by_solver(found.bound.min(known), self.best_loss, self.backend.name());
        }
    }

    fn improve(&mut self, partition: Partition) {
        let loss = partition.loss(&self.instance, &self.loss);
        if loss < self.best_loss {
            (self.best, self.best_loss) = (partition, loss);
        }
    }

    /// Goes one step; true when there is nothing left to do. `started` is by the clock of `ctx`.
    pub(crate) fn step(&mut self, ctx: &Ctx, started: f64) -> bool {
        if self.status.is_some() {
            return true;
        }
        let elapsed = (ctx.clock)() - started;
        let out = match self.budget {
            Budget::Seconds(limit) => elapsed >= limit,
            Budget::Effort(effort) => self.nodes >= effort * self.params.nodes_per_effort,
        };
        if (ctx.cancelled)() {
            self.status = Some(Status::Cancelled);
            return true;
        }
        if out {
            self.status = Some(spent(self.budget));
            return true;
        }
        let silent = |_: &Progress| {};
        if self.pricing.is_some() {
            self.price(&Ctx { progress: &silent, ..*ctx }, started);
        } else {
            self.call(elapsed);
        }
        (ctx.progress)(&Progress {
            phase: Phase::GeneralProgramme.into(),
            incumbent: Some(self.best_loss),
            bound: (self.bound.value > 0.0).then_some(self.bound.value),
            seconds: (ctx.clock)() - started,
            ..Progress::default()
        });
        self.status.is_some()
    }

    /// The best answer so far.
    pub(crate) fn finish(&mut self) -> Answer {
        let records = self.instance.records();
        let method = match self.calls {
            0 => FoundByProgramme::Start,
            calls => FoundByProgramme::Searched {
                calls,
                together: self.together,
                pairs: records * (records - 1) / 2,
                backend: self.backend.name(),
                failure: self.failure.clone(),
            },
        };
        Answer {
            freeform: None,
            full_domain: None,
            coarser: Vec::new(),
            labels: self.best.labels.clone(),
            loss: self.best_loss,
            status: self.status.clone().unwrap_or(Status::Cancelled),
            bound: self.bound.told(self.best_loss),
            claimed: None,
            work: None,
            duals: None,
            parameters: BTreeMap::new(),
            method: method.into(),
            moves: 0,
            threads: self.threads,
            seconds: 0.0,
        }
    }
}

fn spent(budget: Budget) -> Status {
    match budget {
        Budget::Effort(_) => Status::EffortSpent,
        Budget::Seconds(_) => Status::TimeLimit,
    }
}
