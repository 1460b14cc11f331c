//! A plan being carried out: the constructions, then its searches one after another.

use std::sync::Arc;

use lookalike_wire::{
    event::Progress,
    job::{Answer, Job, Status},
    settings::Budget,
};

use super::{
    Search,
    plan::{Plan, Stage},
};
use crate::{
    Ctx, Error, construct,
    instance::Instance,
    loss::Loss,
    partition::Partition,
    rule::Rule,
    search::{
        Improvement, blocks::Blocks, large_neighbourhood::LargeNeighbourhood, schedule::Annealing,
        spatial::Spatial, two_swap::TwoSwap,
    },
};

/// A plan for one loss and one rule, being carried out.
pub(super) struct Running<L: Loss, R: Rule> {
    instance: Arc<Instance>,
    loss: L,
    rule: R,
    budget: Budget,
    seed: u64,
    plan: Plan,
    /// Stages that have begun.
    begun: usize,
    stage: Option<Box<dyn Improvement>>,
    best: Partition,
    best_loss: f64,
    method: String,
    moves: u64,
    threads: usize,
    status: Status,
    /// Least loss that was reported; running sums round a little differently in each search.
    shown: f64,
}

impl<L: Loss, R: Rule> Running<L, R> {
    pub(super) fn new(job: &Job, loss: L, rule: R) -> Result<Self, Error> {
        if rule.min_size() < 2 {
            return Err(Error::Input(format!("{} protects nobody: it must be at least 2", rule.describe())));
        }
        let instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let plan = Plan::new(job.method, job.search, &instance, &rule, job.budget)?;
        let mut starts = Vec::with_capacity(plan.starts.len());
        for &start in &plan.starts {
            let partition = construct::build(start, &instance, &loss, &rule, job.seed)?;
            partition.check(&instance, &rule)?;
            starts.push((partition.loss(&instance, &loss), start, partition));
        }
        let best = starts.into_iter().reduce(|a, b| if b.0 < a.0 { b } else { a });
        let (best_loss, start, best) =
            best.ok_or_else(|| Error::Input(String::from("no construction fits this job")))?;
        let searched = !plan.stages.is_empty() || job.method.is_construction();
        let method = plan.words(start, searched);
        // A search never needs classes above the rule's largest.
        let best = if plan.stages.is_empty() { best } else { construct::cut_large(&instance, &rule, best) };
        let best_loss = if plan.stages.is_empty() { best_loss } else { best.loss(&instance, &loss) };
        Ok(Self {
            instance,
            loss,
            rule,
            budget: job.budget,
            seed: job.seed,
            plan,
            begun: 0,
            stage: None,
            best,
            best_loss,
            method,
            moves: 0,
            threads: 1,
            status: Status::EffortSpent,
            shown: best_loss,
        })
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
        let budget = self.budget(elapsed);
        // Stages must not repeat each other's random choices.
        let seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(self.begun as u64));
        let stage: Box<dyn Improvement> = match self.plan.stages[self.begun].0 {
            Stage::Annealing => Box::new(Annealing::new(instance, loss, rule, start, budget, seed)),
            Stage::Spatial => Box::new(Spatial::new(instance, *loss, *rule, start, budget, seed)),
            Stage::LargeNeighbourhood => {
                Box::new(LargeNeighbourhood::new(instance, *loss, rule, start, budget, seed))
            }
            Stage::TwoSwap => Box::new(TwoSwap::new(instance, loss, rule, start, budget)),
            Stage::Blocks { count } => {
                Box::new(Blocks::new(instance, *loss, rule, start, count, budget, seed))
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

impl<L: Loss, R: Rule> Search for Running<L, R> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        if self.plan.stages.is_empty() {
            return Ok(true);
        }
        if (ctx.cancelled)() {
            self.status = Status::Cancelled;
            return Ok(true);
        }
        let elapsed = (ctx.clock)() - started;
        let mut stage = match self.stage.take() {
            Some(stage) => stage,
            None => self.begin(elapsed),
        };
        let stop = stage.advance(elapsed);
        self.shown = self.shown.min(stage.loss());
        (ctx.progress)(&Progress {
            phase: String::from(stage.phase()),
            fraction: stage.fraction(),
            incumbent: Some(self.shown),
            bound: None,
            moves: Some(self.moves + stage.moves()),
            seconds: (ctx.clock)() - started,
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
        if let Some(stage) = self.stage.take() {
            self.absorb(stage.as_ref());
        }
        // The answer is checked where it is used; here it is only a matter of honesty about the loss.
        debug_assert!(self.best.check(&self.instance, &self.rule).is_ok());
        Answer {
            labels: self.best.labels.clone(),
            loss: self.best.loss(&self.instance, &self.loss),
            status: self.status.clone(),
            bound: None,
            method: self.method.clone(),
            moves: self.moves,
            threads: self.threads,
            seconds: 0.0,
        }
    }
}
