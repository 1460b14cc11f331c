//! A bound beside any search: it comes first, so that every answer, and whoever watches, knows how far there is to go.

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Answer, Bound, BoundOf, Job, Status},
    loss::{Loss, Ncp, Sse},
    proof::Duals,
    settings::{BoundWork, Budget, Loss as LossName},
};

use crate::{Error, Phase, bounds::NeighbourBound};

/// A bound that is being computed, or is.
pub(super) struct Bounding {
    /// What is left to do; `None` once it is done.
    work: Option<Box<dyn Work>>,
    /// The bound, once nothing is left to do.
    bound: Option<Bound>,
    /// Its duals, if they are asked for and a certificate can carry them.
    duals: Option<Duals>,
    asked: bool,
    /// Seconds that it may take before the search begins.
    limit: f64,
}

/// A bound in the making, its loss forgotten.
trait Work {
    fn advance(&mut self) -> bool;
    fn fraction(&self) -> f64;
    fn bound(&self) -> Option<Bound>;
    fn duals(&self) -> Option<Duals>;
}

impl<L: Loss> Work for NeighbourBound<L> {
    fn advance(&mut self) -> bool {
        NeighbourBound::advance(self)
    }

    fn fraction(&self) -> f64 {
        NeighbourBound::fraction(self)
    }

    fn bound(&self) -> Option<Bound> {
        NeighbourBound::bound(self)
    }

    fn duals(&self) -> Option<Duals> {
        NeighbourBound::duals(self)
    }
}

impl Bounding {
    /// None at all: for what is part of another search, and for rows that are no classes.
    pub(super) fn none() -> Self {
        Self { work: None, bound: None, duals: None, asked: false, limit: 0.0 }
    }

    /// The bound of a job; of a time limit it has this part.
    pub(super) fn new(job: &Job, share: f64) -> Result<Self, Error> {
        if job.method.is_freeform() || job.bound == BoundWork::Off {
            return Ok(Self::none());
        }
        let instance = Arc::new(Instance::from_job(job)?);
        let rule = job.rule.relaxed();
        let work: Box<dyn Work> = match job.loss {
            LossName::Sse => Box::new(NeighbourBound::new(&instance, Sse, &rule)),
            LossName::Ncp | LossName::NcpBinary => {
                let loss = Ncp { binary: job.loss == LossName::NcpBinary };
                Box::new(NeighbourBound::new(&instance, loss, &rule))
            }
        };
        let limit = match job.budget {
            Budget::Seconds(limit) => share * limit,
            Budget::Effort(_) => f64::INFINITY,
        };
        Ok(Self { work: Some(work), bound: None, duals: None, asked: job.wants_duals(), limit })
    }

    /// Whether the duals are asked for.
    pub(super) fn asked(&self) -> bool {
        self.asked
    }

    /// Goes one step, if there is one to go before the search; false if there is none. Of a time limit the first step always
    /// has its part.
    pub(super) fn step(&mut self, ctx: &Ctx, elapsed: f64) -> bool {
        let Some(work) = self.work.as_mut() else { return false };
        let done = work.advance();
        (ctx.progress)(&Progress {
            phase: Phase::Bounding.into(),
            fraction: Some(work.fraction()),
            seconds: elapsed,
            ..Progress::default()
        });
        if done || elapsed >= self.limit {
            self.bound = work.bound();
            self.duals = if self.asked { work.duals() } else { None };
            self.work = None;
        }
        true
    }

    /// A report of the search with the better one of both bounds.
    pub(super) fn told(&self, progress: &Progress) -> Progress {
        let own = self.bound.as_ref().map(|bound| bound.value);
        let own = own.map(|bound| progress.incumbent.map_or(bound, |loss| bound.min(loss)));
        let bound = match (progress.bound, own) {
            (Some(search), Some(own)) => Some(search.max(own)),
            (search, own) => search.or(own),
        };
        Progress { bound, ..progress.clone() }
    }

    /// The answer of the search with the best one of its bound, this one, and one that was `raised` after it, and with the duals of
    /// that one if they are asked for.
    pub(super) fn answer(&self, answer: Answer, raised: Option<(Bound, Option<Duals>)>) -> Answer {
        let first =
            self.bound.as_ref().filter(|first| raised.as_ref().is_none_or(|own| first.value > own.0.value));
        let (own, duals) = match (first, raised) {
            (Some(first), _) => (first.clone(), self.duals.clone()),
            (None, Some(raised)) => raised,
            (None, None) => return answer,
        };
        // What bounds the blocks of a search says how well these are solved, which this does not.
        let keeps = |bound: &Bound| bound.of == BoundOf::DecomposedProblem || bound.value >= own.value;
        if answer.bound.as_ref().is_some_and(keeps) || answer.freeform.is_some() {
            return answer;
        }
        let bound = Bound { value: own.value.min(answer.loss), ..own.clone() };
        let status = match answer.status {
            Status::EffortSpent | Status::GapReached if bound.value >= answer.loss => Status::Optimal,
            other => other,
        };
        let duals = if self.asked { duals } else { None };
        Answer { bound: Some(bound), status, duals, ..answer }
    }
}
