//! From a numeric job to its answer, step by step.

use lookalike_wire::job::{Answer, Job};

use crate::{Ctx, Error};

/// A running search. It advances in steps of some ten milliseconds, so that a single-threaded host can listen to its
/// user in between.
pub struct Solve {
    job: Job,
}

impl Solve {
    /// Checks the job (finite numbers, consistent lengths, dense colours, feasible rule) and prepares the search.
    ///
    /// # Errors
    /// [`Error::Input`] for an inconsistent job, [`Error::Infeasible`] if no admissible partition exists.
    pub fn new(job: Job, ctx: &Ctx) -> Result<Self, Error> {
        let _ = ctx;
        Ok(Self { job })
    }

    /// Searches on for one step; reports progress; true when there is nothing left to do. After `ctx.cancelled()`
    /// it returns true at once.
    ///
    /// # Errors
    /// If the search fails; the best so far is still in [`Solve::finish`].
    pub fn step(&mut self, ctx: &Ctx) -> Result<bool, Error> {
        let _ = ctx;
        Ok(self.job.dims > 0)
    }

    /// The best answer so far.
    #[must_use]
    pub fn finish(self) -> Answer {
        unimplemented!()
    }
}

/// Solves a job to the end of its budget.
///
/// # Errors
/// As [`Solve::new`] and [`Solve::step`].
pub fn solve(job: &Job, ctx: &Ctx) -> Result<Answer, Error> {
    let mut solve = Solve::new(job.clone(), ctx)?;
    while !solve.step(ctx)? {}
    Ok(solve.finish())
}

/// Checks that an answer is an admissible partition of the job's records, and that its loss is the one it claims.
///
/// # Errors
/// [`Error::Answer`], with the first violation found.
pub fn verify(job: &Job, answer: &Answer) -> Result<(), Error> {
    let _ = (job, answer);
    Ok(())
}
