//! A bound that is raised after a search, from the classes that it has found.

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Answer, Bound, Job, Status},
    partition::Partition,
    proof::Duals,
    settings::{BoundWork, Budget, Method},
};

use lookalike_words::Said;

use crate::{
    Error, Phase,
    bounds::{Allowance, Params, ProvenByDuals, Raise, raise},
    construct::cut_large,
};

/// A bound that is being raised.
pub(super) struct Raising {
    work: Box<dyn Raise>,
    /// Seconds from the beginning of the whole at which it ends.
    limit: f64,
    loss: f64,
}

/// The budget of the search: of a time limit this leaves a part, unless the search has a bound of its own.
pub(super) fn left_to_search(job: &Job, params: &Params) -> Budget {
    let by_itself =
        matches!(job.method, Method::ColumnGeneration(_) | Method::Programme | Method::Freeform(_));
    match (job.budget, job.bound) {
        (budget, _) if by_itself => budget,
        (Budget::Seconds(limit), BoundWork::Quick) => Budget::Seconds(limit * (1.0 - params.share)),
        (Budget::Seconds(limit), BoundWork::Full) => Budget::Seconds(limit * (1.0 - params.full_share)),
        (budget, _) => budget,
    }
}

impl Raising {
    /// Begins after a search that has proven nothing by itself; `None` if nothing is to be done or can be.
    ///
    /// # Errors
    /// [`Error::Model`] for an inconsistent job.
    pub(super) fn new(job: &Job, answer: &Answer, params: &Params) -> Result<Option<Self>, Error> {
        // What column generation has before its first pricing is the bound that comes first here, too.
        let rule = job.rule.relaxed();
        let (others, different) = (rule.min_size.saturating_sub(1), rule.distinct());
        let nearest: Said = ProvenByDuals::Nearest { others, different }.into();
        let priced = answer.bound.as_ref().is_some_and(|bound| bound.proven_by != nearest);
        if priced
            || answer.freeform.is_some()
            || answer.loss <= 0.0
            || job.bound == BoundWork::Off
            || answer.status == Status::Cancelled
        {
            return Ok(None);
        }
        let instance = Arc::new(Instance::from_job(job)?);
        let classes = answer.labels.iter().max().map_or(0, |&last| last as usize + 1);
        let mut partition = Partition { labels: answer.labels.clone(), classes };
        if job.rule.has_values() {
            // The bound is of the relaxed rule, whose best classes are no larger than this.
            partition = cut_large(&instance, &rule, partition);
        }
        let times = if job.bound == BoundWork::Full { params.full } else { 1.0 };
        let (allowed, limit) = match job.budget {
            Budget::Effort(effort) => {
                let looks = effort * instance.records() as f64 * params.quick;
                let least = params.least * (effort / params.whole).clamp(params.floor, 1.0);
                (looks.max(least) * times, f64::INFINITY)
            }
            Budget::Seconds(limit) => (f64::INFINITY, limit),
        };
        let work = raise(&instance, job.loss, &rule, partition, (Allowance::Looks(allowed), params));
        Ok(work.map(|work| Self { work, limit, loss: answer.loss }))
    }

    /// Goes one step; true when there is nothing left to do.
    pub(super) fn step(&mut self, ctx: &Ctx, elapsed: f64) -> bool {
        if elapsed >= self.limit {
            return true;
        }
        let done = self.work.advance();
        (ctx.progress)(&Progress {
            phase: Phase::RaisingTheBound { round: self.work.rounds() + 1 }.into(),
            fraction: Some(self.work.fraction()),
            incumbent: Some(self.loss),
            bound: self.bound().map(|bound| bound.value.min(self.loss)),
            seconds: elapsed,
            ..Progress::default()
        });
        done
    }

    /// The bound so far.
    pub(super) fn bound(&self) -> Option<Bound> {
        self.work.bound()
    }

    /// The same with its duals, if they are `asked` for.
    pub(super) fn proof(&self, asked: bool) -> Option<(Bound, Option<Duals>)> {
        self.bound().map(|bound| (bound, if asked { self.work.duals() } else { None }))
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{rule::Rule, settings::MethodName};

    use super::*;

    #[test]
    fn a_bound_has_its_part_of_a_time_limit_and_none_of_an_effort() {
        let job = |budget, bound, method: MethodName| Job {
            budget,
            bound,
            method: method.into(),
            ..Job::of(1, vec![0.0; 4], Rule::at_least(2))
        };
        let left = |bound, method| match left_to_search(
            &job(Budget::Seconds(60.0), bound, method),
            &Params::default(),
        ) {
            Budget::Seconds(limit) => limit,
            Budget::Effort(_) => f64::NAN,
        };
        let annealing = MethodName::Annealing;
        assert!((left(BoundWork::Quick, annealing) - 54.0).abs() < 1e-9);
        assert!((left(BoundWork::Full, annealing) - 30.0).abs() < 1e-9);
        assert!((left(BoundWork::Off, annealing) - 60.0).abs() < 1e-9);
        // Column generation has a bound of its own, and the whole of the time.
        assert!((left(BoundWork::Full, MethodName::ColumnGeneration) - 60.0).abs() < 1e-9);
        let effort = job(Budget::Effort(2.0), BoundWork::Full, annealing);
        assert_eq!(left_to_search(&effort, &Params::default()), Budget::Effort(2.0));
    }
}
