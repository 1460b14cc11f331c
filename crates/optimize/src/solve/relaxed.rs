//! Column generation where classes must keep conditions on their values.
//!
//! Pricing knows sizes and no conditions. So half of the budget is for the usual search, which keeps them, and half for column generation
//! over the classes of the least size that the conditions leave: whatever it proves holds for fewer classes as well. Its partition, in which
//! classes that break a condition become one with near ones, is the answer where it loses less; where it breaks none and is proven, it is
//! the best with the conditions, too.

use std::collections::BTreeMap;

use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Answer, BoundOf, Job, Status},
    partition::Partition,
    settings::{Budget, Method},
};
use lookalike_words::Said;

use super::{FoundBy, Params, Solve, search::Search};
use crate::{Error, construct::unite, exact::loss::Priceable};

/// A relative difference of loss and bound that rounding can explain.
const CLOSED: f64 = 1e-9;

/// The search.
pub(super) struct Relaxed<L> {
    job: Job,
    instance: Instance,
    loss: L,
    /// The search that keeps the conditions, until it is over.
    kept: Option<Solve>,
    found: Option<Answer>,
    /// Column generation without the conditions.
    columns: Option<Solve>,
}

impl<L: Priceable> Relaxed<L> {
    pub(super) fn new(job: &Job, loss: L, params: &Params, ctx: &Ctx) -> Result<Self, Error> {
        let instance = Instance::from_job(job)?;
        job.rule.feasible(&instance)?;
        let budget = match job.budget {
            Budget::Effort(effort) => Budget::Effort(effort / 2.0),
            Budget::Seconds(seconds) => Budget::Seconds(seconds / 2.0),
        };
        let kept = Job { method: Method::default(), budget, duals: false, ..job.clone() };
        let rule = job.rule.relaxed();
        let columns = Job { rule, ranks: None, further: Vec::new(), budget, ..job.clone() };
        Ok(Self {
            kept: Some(Solve::part(&kept, params, ctx)?),
            columns: Some(Solve::part(&columns, params, ctx)?),
            found: None,
            job: job.clone(),
            instance,
            loss,
        })
    }

    /// One class of all, which keeps everything that can be kept.
    fn all(&self) -> Answer {
        let members: Vec<u32> = (0..self.instance.records() as u32).collect();
        Answer {
            labels: vec![0; members.len()],
            coarser: Vec::new(),
            loss: self.loss.class(&self.instance, &members),
            status: Status::EffortSpent,
            bound: None,
            claimed: None,
            work: None,
            duals: None,
            parameters: BTreeMap::new(),
            freeform: None,
            full_domain: None,
            method: Said::default(),
            moves: 0,
            threads: 1,
            seconds: 0.0,
        }
    }

    /// The classes of a partition without conditions, united until they keep them, and what they lose.
    fn united(&self, labels: &[u32]) -> (Vec<u32>, f64) {
        let (partition, _) = unite(&self.instance, &self.job.rule, Partition::from_labels(labels));
        let loss = partition.members().iter().map(|class| self.loss.class(&self.instance, class)).sum();
        (partition.labels, loss)
    }
}

impl<L: Priceable> Search for Relaxed<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let seconds = (ctx.clock)() - started;
        if let Some(kept) = &mut self.kept {
            let progress = |progress: &Progress| {
                (ctx.progress)(&Progress {
                    bound: None,
                    seconds,
                    fraction: half(progress, 0.0),
                    ..progress.clone()
                });
            };
            if kept.step(&Ctx { progress: &progress, ..*ctx })? {
                self.found = self.kept.take().map(Solve::finish);
            }
            return Ok(false);
        }
        // What column generation finds may break a condition: the loss that is told is that of the answer.
        let incumbent = self.found.as_ref().map(|found| found.loss);
        let progress = |progress: &Progress| {
            let bound = progress.bound.map(|bound| incumbent.map_or(bound, |loss| bound.min(loss)));
            let fraction = half(progress, 0.5);
            (ctx.progress)(&Progress { incumbent, bound, seconds, fraction, ..progress.clone() });
        };
        match &mut self.columns {
            Some(columns) => columns.step(&Ctx { progress: &progress, ..*ctx }),
            None => Ok(true),
        }
    }

    fn finish(&mut self) -> Answer {
        let found = self.found.take().or_else(|| self.kept.take().map(Solve::finish));
        let columns = self.columns.take().map(Solve::finish);
        // Each is there until this is called, which is once.
        let (found, columns) = match (found, columns) {
            (Some(found), Some(columns)) => (found, columns),
            (found, columns) => return found.or(columns).unwrap_or_else(|| self.all()),
        };
        let (labels, loss) = self.united(&columns.labels);
        let taken = loss < found.loss;
        let (labels, loss) = if taken { (labels, loss) } else { (found.labels.clone(), found.loss) };
        let bound = columns.bound.filter(|bound| bound.of == BoundOf::WholeProblem && bound.value > 0.0);
        let closed = bound.as_ref().is_some_and(|bound| loss <= bound.value + CLOSED * loss.abs().max(1.0));
        let status = match (found.status, columns.status) {
            (Status::Cancelled, _) | (_, Status::Cancelled) => Status::Cancelled,
            _ if closed => Status::Optimal,
            (Status::TimeLimit, _) | (_, Status::TimeLimit) => Status::TimeLimit,
            _ => Status::EffortSpent,
        };
        let method: Said =
            FoundBy::Relaxed { of: found.method.clone(), columns: columns.method, united: taken }.into();
        Answer {
            labels,
            loss,
            status,
            bound,
            claimed: columns.claimed,
            duals: columns.duals,
            work: columns.work,
            moves: found.moves + columns.moves,
            threads: found.threads.max(columns.threads),
            method,
            ..found
        }
    }
}

/// How much of the whole is done, of one half from `from` on.
fn half(progress: &Progress, from: f64) -> Option<f64> {
    progress.fraction.map(|fraction| from + fraction / 2.0)
}
