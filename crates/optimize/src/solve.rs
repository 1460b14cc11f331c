//! From a numeric job to its answer, step by step.

mod block;
mod bounding;
mod decomposed;
mod equal_records;
mod freeform;
mod levels;
mod message;
mod params;
mod plan;
mod raising;
mod relaxed;
mod running;
mod search;
mod sets;
mod starting;

use std::{cell::Cell, collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Answer, Bound, BoundOf, Job, Status},
    loss::{Ncp, Sse},
    received::Proof,
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions, Extent, FreeformMethod, InBlocks, Loss as LossName, Method},
};

use lookalike_words::{Figure, Said};

pub(crate) use self::equal_records::Settled;
pub use self::{
    block::solve_block,
    message::{FoundBy, ProvenByBlocks, ProvenByLevels, ProvenByRelaxation, SearchStep, Start, Unfit, Why},
    params::Params,
};
use self::{
    bounding::Bounding,
    decomposed::Decomposed,
    raising::Raising,
    running::Running,
    search::{Chosen, Search},
};
use crate::{
    Error,
    exact::{self, loss::Priceable},
    params::Parameters as _,
    programme::Programme,
};

/// A running search. It advances in steps of some ten milliseconds, so that a single-threaded host can listen to its
/// user in between.
pub struct Solve {
    search: Box<dyn Search>,
    /// The bound that comes first.
    bounding: Bounding,
    /// The answer of the search, once it is over, and the bound that is raised from it then.
    answer: Option<Answer>,
    raising: Option<Raising>,
    /// What the bound is raised for, and by; `None` in a part of another search, which has a bound of its own.
    raised: Option<(Job, Arc<Params>)>,
    /// What of its parameters differs from the defaults.
    parameters: BTreeMap<String, String>,
    started: f64,
    seconds: f64,
    /// Whether a clock steers it, however it ends.
    timed: bool,
    /// The rule that bounds are of, if it is not the whole rule.
    relaxed: Option<Rule>,
    /// The least loss that was reported.
    shown: Cell<f64>,
}

impl Solve {
    /// Checks the job (finite numbers, consistent lengths, dense colours, feasible rule) and begins the starting
    /// partition, which the first steps build.
    ///
    /// # Errors
    /// [`Error::Model`] for an inconsistent job, and if no admissible partition exists; what does not go together in what is
    /// asked of the search, by its kind.
    pub fn new(job: &Job, ctx: &Ctx) -> Result<Self, Error> {
        Self::whole(job, Chosen::default(), ctx)
    }

    /// The same with these parameters. A search whose parameters are not the defaults keeps its blocks to itself: others would
    /// solve them with theirs.
    ///
    /// # Errors
    /// As [`Solve::new`], and [`Error::Parameter`] for a parameter out of its range.
    pub fn with_params(job: &Job, params: &Params, ctx: &Ctx) -> Result<Self, Error> {
        params.check()?;
        Self::whole(job, Chosen::new(params), ctx)
    }

    /// A search with the bounds before and after it.
    fn whole(job: &Job, chosen: Chosen, ctx: &Ctx) -> Result<Self, Error> {
        check_budget(job.budget)?;
        if job.lattice.is_some() || !job.sets.is_empty() {
            // These have bounds of their own; those of classes say nothing of levels, and too little of sets.
            return Self::begin(job, chosen, Bounding::none(), ctx);
        }
        let params = Arc::clone(&chosen.params);
        let budget = raising::left_to_search(job, &params.bound);
        let bounding = Bounding::new(job, params.plan.bound_share)?;
        let solve = Self::begin(&Job { budget, ..job.clone() }, chosen, bounding, ctx)?;
        Ok(Self { raised: Some((job.clone(), params)), ..solve })
    }

    /// A search that is part of another one, which has a bound of its own.
    fn part(job: &Job, params: &Params, ctx: &Ctx) -> Result<Self, Error> {
        Self::begin(job, Chosen::new(params), Bounding::none(), ctx)
    }

    fn begin(job: &Job, chosen: Chosen, bounding: Bounding, ctx: &Ctx) -> Result<Self, Error> {
        let started = (ctx.clock)();
        check_budget(job.budget)?;
        keeps_values(job)?;
        let search = match job.method {
            _ if job.lattice.is_some() => Box::new(levels::Levels::new(job)?),
            _ if !job.sets.is_empty() => of_sets(job, &chosen)?,
            Method::ColumnGeneration(_) if job.rule.has_values() => of_relaxed(job, &chosen, ctx)?,
            Method::ColumnGeneration(options) => column_generation(job, &options, &chosen)?,
            Method::Programme => programme(job, &chosen)?,
            Method::Freeform(method) => rows_of_their_own(job, method)?,
            Method::Auto { .. }
            | Method::Construct(_)
            | Method::Annealing { .. }
            | Method::Spatial { .. }
            | Method::LargeNeighbourhood { .. }
            | Method::TwoSwap { .. }
            | Method::Decompose(_) => planned(job, &chosen)?,
        };
        let parameters = chosen.changes.into_iter().collect();
        let timed = matches!(job.budget, Budget::Seconds(_));
        let (answer, raising, raised, shown) = (None, None, None, Cell::new(f64::INFINITY));
        let whole = job.lattice.is_none() && job.sets.is_empty();
        let relaxed = (job.rule.has_values() && whole).then(|| job.rule.relaxed());
        Ok(Self {
            relaxed,
            search,
            bounding,
            answer,
            raising,
            raised,
            parameters,
            started,
            seconds: 0.0,
            timed,
            shown,
        })
    }

    /// Searches on for one step; reports progress; true when there is nothing left to do. After `ctx.cancelled()`
    /// it returns true at once.
    ///
    /// # Errors
    /// If the search fails; the best so far is still in [`Solve::finish`].
    pub fn step(&mut self, ctx: &Ctx) -> Result<bool, Error> {
        let elapsed = || (ctx.clock)() - self.started;
        if !(ctx.cancelled)() && self.bounding.step(ctx, elapsed()) {
            self.seconds = elapsed();
            return Ok(false);
        }
        let progress = |progress: &Progress| {
            // Sums that run along a search round a little differently from those of its answer.
            let shown = self.shown.get().min(progress.incumbent.unwrap_or(f64::INFINITY));
            self.shown.set(shown);
            let incumbent = progress.incumbent.map(|_| shown);
            (ctx.progress)(&self.bounding.told(&Progress { incumbent, ..progress.clone() }));
        };
        let ctx = &Ctx { progress: &progress, ..*ctx };
        if let (Some(answer), Some(raising)) = (&mut self.answer, &mut self.raising) {
            let stopped = (ctx.cancelled)();
            if stopped {
                // The classes are those of a search to its end, but another run would not stop at this bound.
                answer.status = Status::Cancelled;
            }
            let done = stopped || raising.step(ctx, (ctx.clock)() - self.started);
            self.seconds = (ctx.clock)() - self.started;
            return Ok(done);
        }
        if self.answer.is_some() {
            return Ok(true);
        }
        let done = self.search.step(ctx, self.started)?;
        let raised = if done && !(ctx.cancelled)() { self.raised.take() } else { None };
        if let Some((job, params)) = raised {
            let answer = nothing_lost(self.search.finish(), self.timed);
            self.raising = Raising::new(&job, &answer, &params.bound)?;
            self.answer = Some(answer);
        }
        self.seconds = elapsed();
        Ok(done && self.raising.is_none())
    }

    /// The best answer so far.
    #[must_use]
    pub fn finish(mut self) -> Answer {
        let answer = self.answer.take().unwrap_or_else(|| nothing_lost(self.search.finish(), self.timed));
        let raised = self.raising.as_ref().and_then(|raising| raising.proof(self.bounding.asked()));
        let answer = self.bounding.answer(answer, raised);
        let answer = match &self.relaxed {
            Some(relaxed) => of_relaxation(answer, relaxed),
            None => answer,
        };
        Answer { seconds: self.seconds, parameters: self.parameters, ..answer }
    }
}

/// Says of a bound that it is one of the rule without its conditions on values. It holds under them, too.
fn of_relaxation(mut answer: Answer, relaxed: &Rule) -> Answer {
    let nothing = Said::from(Proof::NoLossBelowZero);
    if let Some(bound) = answer.bound.as_mut().filter(|bound| bound.proven_by != nothing) {
        let proof = std::mem::take(&mut bound.proven_by);
        bound.proven_by = ProvenByRelaxation::Sizes { least: relaxed.least(), proof }.into();
    }
    answer
}

/// No loss is below 0: an answer that loses nothing is the best, whatever found it. One of a reproducible search (`timed` is none)
/// that a clock or a person ended nevertheless stays one, since another of the best may be found next time.
fn nothing_lost(answer: Answer, timed: bool) -> Answer {
    let whole = answer.bound.as_ref().is_some_and(|bound| bound.of == BoundOf::WholeProblem);
    let nothing = answer.loss <= 0.0 && answer.freeform.is_none();
    if !nothing || whole {
        return answer;
    }
    let bound = Bound { value: 0.0, proven_by: Proof::NoLossBelowZero.into(), of: BoundOf::WholeProblem };
    let status = match answer.status {
        Status::EffortSpent | Status::GapReached => Status::Optimal,
        Status::TimeLimit if timed => Status::Optimal,
        other => other,
    };
    Answer { status, bound: Some(bound), ..answer }
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

/// Solves what is part of another search.
fn solve_part(job: &Job, params: &Params) -> Result<Answer, Error> {
    let ctx = Ctx::silent();
    let mut solve = Solve::part(job, params, &ctx)?;
    while !solve.step(&ctx)? {}
    Ok(solve.finish())
}

/// NCP by its name.
fn ncp(loss: LossName) -> Ncp {
    Ncp { binary: loss == LossName::NcpBinary }
}

/// Constructions, and local searches after them.
fn planned(job: &Job, chosen: &Chosen) -> Result<Box<dyn Search>, Error> {
    let rule = job.rule.clone();
    Ok(match job.loss {
        LossName::Sse => Box::new(Running::new(job, Sse, rule, chosen)?),
        LossName::Ncp | LossName::NcpBinary => Box::new(Running::new(job, ncp(job.loss), rule, chosen)?),
    })
}

/// Classes with groups of sets of attributes.
fn of_sets(job: &Job, chosen: &Chosen) -> Result<Box<dyn Search>, Error> {
    Ok(match job.loss {
        LossName::Sse => Box::new(sets::Sets::new(job, Sse, &chosen.params)?),
        LossName::Ncp | LossName::NcpBinary => Box::new(sets::Sets::new(job, ncp(job.loss), &chosen.params)?),
    })
}

/// Column generation where classes must keep conditions on their values.
fn of_relaxed(job: &Job, chosen: &Chosen, ctx: &Ctx) -> Result<Box<dyn Search>, Error> {
    Ok(match job.loss {
        LossName::Sse => Box::new(relaxed::Relaxed::new(job, Sse, &chosen.params, ctx)?),
        LossName::Ncp | LossName::NcpBinary => {
            Box::new(relaxed::Relaxed::new(job, ncp(job.loss), &chosen.params, ctx)?)
        }
    })
}

fn rows_of_their_own(job: &Job, method: FreeformMethod) -> Result<Box<dyn Search>, Error> {
    Ok(match job.loss {
        LossName::Sse => Box::new(freeform::Freeform::new(job, method, Sse)?),
        LossName::Ncp | LossName::NcpBinary => Box::new(freeform::Freeform::new(job, method, ncp(job.loss))?),
    })
}

/// The general programme.
fn programme(job: &Job, chosen: &Chosen) -> Result<Box<dyn Search>, Error> {
    let others = whole(chosen);
    let params = (&chosen.params.programme, &others);
    let start = |job: &Job| solve_part(job, &chosen.params);
    Ok(match job.loss {
        LossName::Sse => Box::new(Programme::new(job, Sse, params, &start)?),
        LossName::Ncp | LossName::NcpBinary => Box::new(Programme::new(job, ncp(job.loss), params, &start)?),
    })
}

fn column_generation(
    job: &Job,
    options: &ColumnGenerationOptions,
    chosen: &Chosen,
) -> Result<Box<dyn Search>, Error> {
    if let Some(series) = &job.series {
        if let Some(start) = options.start {
            plan::check_series(start.name(), &Instance::from_job(job)?)?;
        }
        if series.keep {
            return Err(Unfit::ColumnGenerationKeeps.into());
        }
        if blocks(options).is_some() {
            return Err(Unfit::ColumnGenerationBlocks.into());
        }
    }
    Ok(match job.loss {
        LossName::Sse => columns(job, options, Sse, chosen)?,
        LossName::Ncp | LossName::NcpBinary => columns(job, options, ncp(job.loss), chosen)?,
    })
}

/// The blocks, if there is more than one: one block is the whole.
fn blocks(options: &ColumnGenerationOptions) -> Option<InBlocks> {
    match options.extent {
        Extent::Blocks(blocks) if blocks.count.get() > 1 => Some(blocks),
        Extent::Blocks(_) | Extent::Whole { .. } => None,
    }
}

/// The parameters that column generation of the whole goes by.
fn whole(chosen: &Chosen) -> exact::AllParams {
    exact::AllParams {
        exact: Arc::clone(&chosen.exact),
        local: Arc::clone(&chosen.local),
        construct: chosen.params.construct.clone(),
        bound: Arc::new(chosen.params.bound.clone()),
    }
}

/// Column generation of the whole, or in blocks.
fn columns<L: Priceable>(
    job: &Job,
    options: &ColumnGenerationOptions,
    loss: L,
    chosen: &Chosen,
) -> Result<Box<dyn Search>, Error> {
    let rule = job.rule.clone();
    Ok(match blocks(options) {
        Some(blocks) => Box::new(Decomposed::new(job, (options, blocks), loss, rule, chosen)?),
        None => Box::new(exact::column_generation(job, loss, rule, &whole(chosen))?),
    })
}

/// Refuses searches that cannot keep conditions on how sensitive values are distributed: their classes would be priced, split or matched as
/// if there were none.
fn keeps_values(job: &Job) -> Result<(), Error> {
    let knows = match job.method {
        Method::Programme | Method::Freeform(_) | Method::LargeNeighbourhood { .. } => false,
        Method::ColumnGeneration(_)
        | Method::Auto { .. }
        | Method::Construct(_)
        | Method::Annealing { .. }
        | Method::Spatial { .. }
        | Method::TwoSwap { .. }
        | Method::Decompose(_) => true,
    };
    if knows || !job.rule.has_values() {
        return Ok(());
    }
    Err(Unfit::NoValues { method: job.method.name().name() }.into())
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
