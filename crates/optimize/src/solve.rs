//! From a numeric job to its answer, step by step.

mod block;
mod decomposed;
mod freeform;
mod message;
mod params;
mod plan;
mod running;
mod search;
mod settled;
mod starting;

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    instance::Instance,
    job::{Answer, Job},
    loss::{Ncp, Sse},
    settings::{Budget, Loss as LossName, Method},
};

use lookalike_words::Figure;

pub use self::{
    block::solve_block,
    message::{FoundBy, ProvenByBlocks, SearchStep, Start, Unfit, Why},
    params::Params,
};
use self::{
    decomposed::Decomposed,
    running::Running,
    search::{Chosen, Search},
};
use crate::{
    Error,
    exact::{ColumnGeneration, measure::Priceable},
    params::Parameters as _,
};

/// A running search. It advances in steps of some ten milliseconds, so that a single-threaded host can listen to its
/// user in between.
pub struct Solve {
    search: Box<dyn Search>,
    started: f64,
    seconds: f64,
}

impl Solve {
    /// Checks the job (finite numbers, consistent lengths, dense colours, feasible rule) and begins the starting
    /// partition, which the first steps build.
    ///
    /// # Errors
    /// [`Error::Model`] for an inconsistent job, and if no admissible partition exists; what does not go together in what is
    /// asked of the search, by its kind.
    pub fn new(job: &Job, ctx: &Ctx) -> Result<Self, Error> {
        Self::begin(job, &Chosen::default(), ctx)
    }

    /// The same with these parameters. A search whose parameters are not the defaults keeps its blocks to itself: others would
    /// solve them with theirs.
    ///
    /// # Errors
    /// As [`Solve::new`], and [`Error::Parameter`] for a parameter out of its range.
    pub fn with_params(job: &Job, params: &Params, ctx: &Ctx) -> Result<Self, Error> {
        params.check()?;
        let chosen = Chosen { exact: Arc::new(params.exact.clone()), changes: params.changes() };
        Self::begin(job, &chosen, ctx)
    }

    fn begin(job: &Job, chosen: &Chosen, ctx: &Ctx) -> Result<Self, Error> {
        let started = (ctx.clock)();
        check_budget(job.budget)?;
        if job.method == Method::ColumnGeneration {
            return Ok(Self { search: column_generation(job, chosen)?, started, seconds: 0.0 });
        }
        if job.method.is_freeform() {
            return Ok(Self { search: rows_of_their_own(job)?, started, seconds: 0.0 });
        }
        let rule = job.rule.clone();
        let search: Box<dyn Search> = match job.loss {
            LossName::Sse => Box::new(Running::new(job, Sse, rule)?),
            LossName::Ncp | LossName::NcpBinary => Box::new(Running::new(job, ncp(job.loss), rule)?),
        };
        Ok(Self { search, started, seconds: 0.0 })
    }

    /// Searches on for one step; reports progress; true when there is nothing left to do. After `ctx.cancelled()`
    /// it returns true at once.
    ///
    /// # Errors
    /// If the search fails; the best so far is still in [`Solve::finish`].
    pub fn step(&mut self, ctx: &Ctx) -> Result<bool, Error> {
        let done = self.search.step(ctx, self.started);
        self.seconds = (ctx.clock)() - self.started;
        done
    }

    /// The best answer so far.
    #[must_use]
    pub fn finish(mut self) -> Answer {
        Answer { seconds: self.seconds, ..self.search.finish() }
    }
}

/// Solves a job to the end of its budget.
///
/// # Errors
/// As [`Solve::new`] and [`Solve::step`].
pub fn solve(job: &Job, ctx: &Ctx) -> Result<Answer, Error> {
    let mut solve = Solve::new(job, ctx)?;
    while !solve.step(ctx)? {}
    Ok(solve.finish())
}

/// The same with parameters that are not the defaults.
///
/// # Errors
/// As [`Solve::with_params`] and [`Solve::step`].
pub fn solve_with(job: &Job, params: &Params, ctx: &Ctx) -> Result<Answer, Error> {
    let mut solve = Solve::with_params(job, params, ctx)?;
    while !solve.step(ctx)? {}
    Ok(solve.finish())
}

/// NCP by its name.
fn ncp(loss: LossName) -> Ncp {
    Ncp { binary: loss == LossName::NcpBinary }
}

fn rows_of_their_own(job: &Job) -> Result<Box<dyn Search>, Error> {
    Ok(match job.loss {
        LossName::Sse => Box::new(freeform::Freeform::new(job, Sse)?),
        LossName::Ncp | LossName::NcpBinary => Box::new(freeform::Freeform::new(job, ncp(job.loss))?),
    })
}

fn column_generation(job: &Job, chosen: &Chosen) -> Result<Box<dyn Search>, Error> {
    plan::check(job.method, job.search)?;
    if let Some(series) = &job.series {
        if let Some(start) = job.search.start {
            plan::check_series(start, &Instance::from_job(job)?)?;
        }
        if series.keep {
            return Err(Unfit::ColumnGenerationKeeps.into());
        }
        if job.search.blocks.is_some_and(|count| count > 1) {
            return Err(Unfit::ColumnGenerationBlocks.into());
        }
    }
    Ok(match job.loss {
        LossName::Sse => columns(job, Sse, chosen)?,
        LossName::Ncp | LossName::NcpBinary => columns(job, ncp(job.loss), chosen)?,
    })
}

/// Column generation of the whole, or in blocks.
fn columns<L: Priceable>(job: &Job, loss: L, chosen: &Chosen) -> Result<Box<dyn Search>, Error> {
    let rule = job.rule.clone();
    Ok(match job.search.blocks {
        Some(count) if count > 1 => Box::new(Decomposed::new(job, loss, rule, count, chosen)?),
        _ => Box::new(ColumnGeneration::with_params(job, loss, rule, &chosen.exact)?),
    })
}

fn check_budget(budget: Budget) -> Result<(), Error> {
    let (Budget::Effort(value) | Budget::Seconds(value)) = budget;
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    let value = Figure::shortest(value);
    Err(match budget {
        Budget::Effort(_) => Unfit::Effort { value },
        Budget::Seconds(_) => Unfit::TimeLimit { value },
    }
    .into())
}
