//! Rows of their own instead of classes, made piece by piece.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx,
    event::Progress,
    freeform::{self as model, covered, loss},
    instance::Instance,
    job::{Answer, Job, Status},
    loss::Loss,
    settings::{Budget, FreeformMethod},
};

use super::{FoundBy, Unfit, plan, search::Search};
use crate::{Error, Phase, freeform::Rounds};

/// Pairs looked at in one step, about: some ten milliseconds.
const STEP: usize = 400_000;

/// A freeform method being carried out.
pub(super) struct Freeform<L: Loss> {
    job: Job,
    method: FreeformMethod,
    instance: Arc<Instance>,
    loss: L,
    /// Until they are left.
    rounds: Option<Rounds<L>>,
    status: Status,
}

impl<L: Loss> Freeform<L> {
    pub(super) fn new(job: &Job, method: FreeformMethod, loss: L) -> Result<Self, Error> {
        let instance = Arc::new(Instance::from_job(job)?);
        plan::check_series(method.name(), &instance)?;
        let k = model::k(job)?;
        if instance.reals < instance.records() || instance.records() < k {
            let (records, counterfeits) = (instance.reals, instance.records() - instance.reals);
            let method = method.name().name();
            return Err(Unfit::RecordsOfTheirOwn { method, k, records, counterfeits }.into());
        }
        let rounds = Rounds::new(method, &instance, &loss, k)?;
        // The points are in the instance.
        let job = Job { points: Vec::new(), colours: Vec::new(), ..job.clone() };
        Ok(Self { job, method, instance, loss, rounds: Some(rounds), status: Status::EffortSpent })
    }
}

impl<L: Loss> Search for Freeform<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let Some(rounds) = &mut self.rounds else { return Ok(true) };
        let seconds = (ctx.clock)() - started;
        if (ctx.cancelled)() {
            self.status = Status::Cancelled;
            return Ok(true);
        }
        if matches!(self.job.budget, Budget::Seconds(limit) if limit > 0.0 && seconds >= limit) {
            self.status = Status::TimeLimit;
            return Ok(true);
        }
        let (mut looked, mut done) = (0, false);
        while looked < STEP && !done {
            match rounds.advance() {
                Some(pairs) => looked += pairs.max(1),
                None => done = true,
            }
        }
        (ctx.progress)(&Progress {
            phase: Phase::Matching { method: self.method.name().name() }.into(),
            fraction: Some(rounds.fraction().min(1.0)),
            seconds,
            ..Progress::default()
        });
        Ok(done)
    }

    fn finish(&mut self) -> Answer {
        let (freeform, late) = self.rounds.take().map_or_else(Default::default, Rounds::leave);
        let matchings = freeform.matchings.len().saturating_sub(1);
        let method = FoundBy::RowsOfTheirOwn { method: self.method.name().name(), matchings, late }.into();
        Answer {
            labels: (0..self.instance.records() as u32).collect(),
            loss: loss(&self.instance, &self.loss, &covered(&freeform)),
            status: self.status.clone(),
            bound: None,
            claimed: None,
            work: None,
            duals: None,
            parameters: BTreeMap::new(),
            freeform: Some(freeform),
            full_domain: None,
            coarser: Vec::new(),
            method,
            moves: 0,
            threads: 1,
            seconds: 0.0,
        }
    }
}
