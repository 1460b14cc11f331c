//! From a numeric job to its answer, step by step.

use std::sync::Arc;

use lookalike_wire::{
    event::Progress,
    job::{Answer, Job, Rule as RuleName, Status},
    settings::{Budget, Loss as LossName, Method},
};

use crate::{
    Ctx, Error,
    colgen::ColumnGeneration,
    construct,
    instance::Instance,
    loss::{Loss, Sse},
    partition::Partition,
    rule::{Distinct, MinSize, Rule},
    search::schedule::Annealing,
};

/// A relative difference between two computations of one loss that rounding can explain.
const LOSS_TOLERANCE: f64 = 1e-9;

/// A running search. It advances in steps of some ten milliseconds, so that a single-threaded host can listen to its
/// user in between.
pub struct Solve {
    search: Box<dyn Search>,
    started: f64,
    seconds: f64,
}

/// What [`Solve`] needs of a search, loss and rule forgotten.
trait Search {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error>;
    fn finish(&mut self) -> Answer;
}

impl<R: Rule> Search for ColumnGeneration<R> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        ColumnGeneration::step(self, ctx, started)
    }

    fn finish(&mut self) -> Answer {
        ColumnGeneration::finish(self)
    }
}

impl Solve {
    /// Checks the job (finite numbers, consistent lengths, dense colours, feasible rule) and builds the starting
    /// partition.
    ///
    /// # Errors
    /// [`Error::Input`] for an inconsistent job, [`Error::Infeasible`] if no admissible partition exists.
    pub fn new(job: &Job, ctx: &Ctx) -> Result<Self, Error> {
        let started = (ctx.clock)();
        check_budget(job.budget)?;
        let search: Box<dyn Search> = match (job.loss, job.rule) {
            (LossName::Sse, RuleName::MinSize { k }) if job.method == Method::ColumnGeneration => {
                Box::new(ColumnGeneration::new(job, MinSize { k })?)
            }
            (LossName::Sse, RuleName::Distinct { m }) if job.method == Method::ColumnGeneration => {
                Box::new(ColumnGeneration::new(job, Distinct { m })?)
            }
            (LossName::Sse, RuleName::MinSize { k }) => Box::new(Running::new(job, Sse, MinSize { k })?),
            (LossName::Sse, RuleName::Distinct { m }) => Box::new(Running::new(job, Sse, Distinct { m })?),
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

/// Checks that an answer is an admissible partition of the job's records, and that its loss is the one it claims.
///
/// # Errors
/// [`Error::Answer`], with the first violation found; [`Error::Input`] for an inconsistent job.
pub fn verify(job: &Job, answer: &Answer) -> Result<(), Error> {
    let instance = Instance::from_job(job)?;
    let partition = Partition::from_labels(&answer.labels);
    match job.rule {
        RuleName::MinSize { k } => partition.check(&instance, &MinSize { k })?,
        RuleName::Distinct { m } => partition.check(&instance, &Distinct { m })?,
    }
    let loss = match job.loss {
        LossName::Sse => partition.loss(&instance, &Sse),
    };
    // Written so that a claimed NaN fails too.
    if (loss - answer.loss).abs() <= LOSS_TOLERANCE * loss.max(1.0) {
        return Ok(());
    }
    Err(Error::Answer(format!("it claims a loss of {}, its classes lose {loss}", answer.loss)))
}

fn check_budget(budget: Budget) -> Result<(), Error> {
    let (what, value) = match budget {
        Budget::Effort(e) => ("effort", e),
        Budget::Seconds(s) => ("time limit", s),
    };
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Error::Input(format!("the {what} must be a number of at least 0, not {value}")))
}

/// A search of one loss and one rule: the construction, then annealing within the budget.
struct Running<L: Loss, R: Rule> {
    instance: Arc<Instance>,
    loss: L,
    rule: R,
    start: Partition,
    annealing: Option<Annealing<L>>,
    method: &'static str,
    status: Status,
}

impl<L: Loss + 'static, R: Rule> Running<L, R> {
    fn new(job: &Job, loss: L, rule: R) -> Result<Self, Error> {
        if rule.min_size() < 2 {
            return Err(Error::Input(format!("{} protects nobody: it must be at least 2", rule.describe())));
        }
        let instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let start = construct::classic(&instance, &rule, job.seed);
        start.check(&instance, &rule)?;
        let effortless = matches!(job.budget, Budget::Effort(0.0) | Budget::Seconds(0.0));
        let (annealing, method) = match job.method {
            Method::Classic => (None, "bucketization (assignment and recursive halving)"),
            Method::Auto | Method::Annealing if effortless => (
                None,
                "bucketization (assignment and recursive halving); the budget left nothing for annealing",
            ),
            // Column generation is taken care of before; annealing is what it starts with.
            Method::Auto | Method::Annealing | Method::ColumnGeneration => {
                let annealing = Annealing::new(&instance, &loss, &rule, &start, job.budget, job.seed);
                (Some(annealing), "bucketization, then simulated annealing")
            }
        };
        Ok(Self { instance, loss, rule, start, annealing, method, status: Status::EffortSpent })
    }
}

impl<L: Loss + 'static, R: Rule> Search for Running<L, R> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let Some(annealing) = &mut self.annealing else { return Ok(true) };
        if (ctx.cancelled)() {
            self.status = Status::Cancelled;
            return Ok(true);
        }
        let elapsed = (ctx.clock)() - started;
        let stop = annealing.advance(elapsed);
        (ctx.progress)(&Progress {
            phase: String::from("annealing"),
            fraction: Some(annealing.fraction()),
            incumbent: Some(annealing.loss()),
            bound: None,
            moves: Some(annealing.moves()),
            seconds: (ctx.clock)() - started,
        });
        if let Some(status) = stop {
            self.status = status;
            return Ok(true);
        }
        Ok(false)
    }

    fn finish(&mut self) -> Answer {
        let (partition, moves, threads) = match &self.annealing {
            Some(a) => (a.best(), a.moves(), a.threads()),
            None => (self.start.clone(), 0, 1),
        };
        // The answer is checked where it is used; here it is only a matter of honesty about the loss.
        let loss = partition.loss(&self.instance, &self.loss);
        debug_assert!(partition.check(&self.instance, &self.rule).is_ok());
        Answer {
            labels: partition.labels,
            loss,
            status: self.status.clone(),
            bound: None,
            method: self.method.to_owned(),
            moves,
            threads,
            seconds: 0.0,
        }
    }
}
