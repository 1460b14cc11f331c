//! A plan being carried out: the constructions, then its searches one after another.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx,
    checkpoint::Key,
    event::Progress,
    instance::Instance,
    job::{Answer, Job, Status},
    partition::Partition,
    rule::Rule,
    settings::Budget,
};
use lookalike_words::Said;

use super::{
    equal_records::Settled,
    plan::{Plan, Stage},
    search::{Chosen, Search},
    starting::Starting,
};
use crate::{
    Error, Phase,
    checkpoint::{StageParts, key},
    exact::loss::Priceable,
    local::{
        Improvement, blocks::Blocks, large_neighbourhood::LargeNeighbourhood, schedule::Annealing,
        spatial::Spatial, two_swap::TwoSwap,
    },
};

/// A plan for one loss and one rule, being carried out.
pub(super) struct Running<L: Priceable> {
    instance: Arc<Instance>,
    /// What is settled before; then `instance` is what is left.
    settled: Option<Settled>,
    loss: L,
    rule: Rule,
    budget: Budget,
    seed: u64,
    /// The job's, for the parts that are kept of it.
    key: Key,
    chosen: Chosen,
    plan: Plan,
    /// The constructions, until they are done.
    starting: Option<Starting>,
    /// Stages that have begun.
    begun: usize,
    stage: Option<Box<dyn Improvement>>,
    best: Partition,
    best_loss: f64,
    method: Said,
    moves: u64,
    threads: usize,
    status: Status,
    /// Whether a part of a construction ran into a time limit of its own.
    cut: bool,
    /// Least loss that was reported; running sums round a little differently in each search.
    shown: f64,
}

impl<L: Priceable> Running<L> {
    pub(super) fn new(job: &Job, loss: L, rule: Rule, chosen: &Chosen) -> Result<Self, Error> {
        rule.protects()?;
        let mut instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let settled = (!rule.has_values() && Plan::settles(job.method, &instance, &chosen.params))
            .then(|| Settled::new(&instance, &rule))
            .flatten();
        if let Some(settled) = &settled {
            instance = Arc::new(settled.instance(&instance));
        }
        // Effort is moves a record of the whole table: those of settled records are spent on the others.
        let budget = match job.budget {
            Budget::Effort(effort) => {
                Budget::Effort(effort * job.colours.len() as f64 / instance.records().max(1) as f64)
            }
            seconds @ Budget::Seconds(_) => seconds,
        };
        let plan = Plan::new(job.method, &instance, &rule, job.budget, &chosen.params)?;
        let starting = Starting::new(
            &instance,
            &loss,
            rule.clone(),
            (&plan.starts, &chosen.params.construct),
            job.seed,
        )?;
        Ok(Self {
            instance,
            settled,
            loss,
            rule,
            budget,
            seed: job.seed,
            key: key(job, job.budget, &chosen.changes),
            chosen: chosen.clone(),
            plan,
            starting: Some(starting),
            begun: 0,
            stage: None,
            best: Partition { labels: Vec::new(), classes: 0 },
            best_loss: f64::INFINITY,
            method: Said::default(),
            moves: 0,
            threads: 1,
            status: Status::EffortSpent,
            cut: false,
            shown: f64::INFINITY,
        })
    }

    /// One step of the constructions; true if there is nothing to do after them.
    fn start(&mut self, ctx: &Ctx, elapsed: f64) -> Result<bool, Error> {
        let Some(starting) = &mut self.starting else { return Ok(self.plan.stages.is_empty()) };
        if let Some(construction) = starting.construction() {
            (ctx.progress)(&Progress {
                phase: Phase::Building { method: construction.name().name() }.into(),
                seconds: elapsed,
                ..Progress::default()
            });
        }
        let made = starting.advance(&self.loss)?;
        // Searches need most of the time.
        let share = if self.plan.stages.is_empty() { 1.0 } else { self.chosen.params.plan.start_share };
        let late = matches!(self.budget, Budget::Seconds(limit) if limit > 0.0 && elapsed >= share * limit);
        if made || late {
            self.take_start()?;
            if late && !made && self.plan.stages.is_empty() {
                self.status = Status::TimeLimit;
            }
        }
        Ok(self.starting.is_none() && self.plan.stages.is_empty())
    }

    /// Takes over what the constructions have reached.
    fn take_start(&mut self) -> Result<(), Error> {
        let Some(starting) = self.starting.take() else { return Ok(()) };
        let mut start = starting.leave(&self.loss)?;
        let settled = self.settled.as_ref().map_or(0, Settled::settled);
        self.method = self.plan.told(&start, settled).into();
        self.cut = start.cut > 0;
        if !self.plan.stages.is_empty() {
            start.cut(&self.instance, &self.loss, &self.rule);
        }
        self.best = start.partition;
        self.best_loss = start.loss;
        self.shown = start.loss;
        Ok(())
    }

    /// The stage's part of the budget: of what is left, as its share to the shares left.
    fn budget(&self, elapsed: f64) -> Budget {
        let shares = &self.plan.stages[self.begun..];
        let all: f64 = shares.iter().map(|s| s.1).sum();
        match self.budget {
            Budget::Effort(effort) => Budget::Effort(effort * shares[0].1),
            Budget::Seconds(limit) => {
                Budget::Seconds(elapsed + (limit - elapsed).max(0.0) * shares[0].1 / all)
            }
        }
    }

    fn begin(&mut self, elapsed: f64) -> Box<dyn Improvement> {
        let (instance, loss, rule, start) = (&self.instance, &self.loss, &self.rule, &self.best);
        let (budget, by) = (self.budget(elapsed), &self.chosen.local);
        // Stages must not repeat each other's random choices.
        let seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(self.begun as u64));
        let stage: Box<dyn Improvement> = match self.plan.stages[self.begun].0 {
            Stage::Annealing => {
                Box::new(Annealing::with_params(instance, loss, rule, start, (budget, seed), by))
            }
            Stage::Spatial => {
                Box::new(Spatial::new(instance, *loss, rule.clone(), start, (budget, seed), by))
            }
            Stage::LargeNeighbourhood => {
                Box::new(LargeNeighbourhood::new(instance, *loss, rule, start, (budget, seed), by))
            }
            Stage::TwoSwap => {
                Box::new(TwoSwap::with_params(instance, loss, rule, start, budget, &by.two_swap))
            }
            Stage::Blocks { count } => {
                let start = (start, count);
                Box::new(Blocks::with_params(instance, *loss, rule.clone(), start, (budget, seed), by))
            }
        };
        self.begun += 1;
        stage
    }

    /// Takes over what a stage has reached.
    fn absorb(&mut self, stage: &dyn Improvement) {
        self.moves += stage.moves();
        self.threads = self.threads.max(stage.threads());
        let partition = stage.best();
        let loss = partition.loss(&self.instance, &self.loss);
        if loss < self.best_loss {
            self.best = partition;
            self.best_loss = loss;
        }
    }
}

impl<L: Priceable> Search for Running<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        if self.starting.is_none() && self.plan.stages.is_empty() {
            return Ok(true);
        }
        if (ctx.cancelled)() {
            self.status = Status::Cancelled;
            return Ok(true);
        }
        let elapsed = (ctx.clock)() - started;
        if self.starting.is_some() {
            return self.start(ctx, elapsed);
        }
        let mut stage = match self.stage.take() {
            Some(stage) => stage,
            None => self.begin(elapsed),
        };
        let (job, stage_number, usual) = (&self.key, self.begun, self.chosen.changes.is_empty());
        let parts =
            ctx.checkpoint.map(|checkpoint| StageParts { checkpoint, job, stage: stage_number, usual });
        let stop = stage.resume(elapsed, parts);
        self.shown = self.shown.min(stage.loss());
        (ctx.progress)(&Progress {
            phase: stage.phase().into(),
            fraction: stage.fraction(),
            incumbent: Some(self.shown),
            bound: None,
            moves: Some(self.moves + stage.moves()),
            seconds: (ctx.clock)() - started,
            ..Progress::default()
        });
        let Some(status) = stop else {
            self.stage = Some(stage);
            return Ok(false);
        };
        self.absorb(stage.as_ref());
        self.status = status;
        Ok(self.begun == self.plan.stages.len())
    }

    fn finish(&mut self) -> Answer {
        // If this failed there would be no labels, and whoever verifies the answer would refuse it.
        let started = self.take_start();
        if let Some(stage) = self.stage.take() {
            self.absorb(stage.as_ref());
        }
        // The answer is checked where it is used; here it is only a matter of honesty about the loss.
        debug_assert!(started.is_ok() && self.best.check(&self.instance, &self.rule).is_ok());
        let loss = self.best.loss(&self.instance, &self.loss);
        if let Some(settled) = &self.settled {
            self.best = settled.whole(&self.best);
        }
        Answer {
            freeform: None,
            full_domain: None,
            coarser: Vec::new(),
            labels: std::mem::take(&mut self.best.labels),
            loss,
            // Whatever was spent after it, a clock has decided what the search began with.
            status: match &self.status {
                Status::EffortSpent if self.cut => Status::TimeLimit,
                other => other.clone(),
            },
            bound: None,
            claimed: None,
            work: None,
            duals: None,
            parameters: BTreeMap::new(),
            method: self.method.clone(),
            moves: self.moves,
            threads: self.threads,
            seconds: 0.0,
        }
    }
}
