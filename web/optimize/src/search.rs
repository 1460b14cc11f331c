//! One job from its bytes to its answer, in short steps, so that the Web Worker can hear "stop" in between.

use lookalike_model::{Ctx, beside, event::Progress, job::Answer};
use lookalike_optimize::{Phase, solve::Solve};
use lookalike_words::Said;

use crate::throttle::Throttle;

lookalike_words::messages! {
    in "optimize";

    /// Why a search cannot begin or end.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Refused {
        /// What came is not a job.
        NoJob {
            /// Why and where.
            why: String,
        },
        /// No search has begun.
        NotBegun,
        /// The answer cannot be written.
        Answer {
            /// Why.
            why: String,
        },
    }
}

/// What the search needs of its surroundings.
pub trait Host {
    /// Takes a report.
    fn progress(&self, progress: &Progress);
    /// Seconds since any fixed moment.
    fn now(&self) -> f64;
}

/// A search, once it has begun.
#[derive(Default)]
pub struct Search {
    solve: Option<Solve>,
    stop: bool,
    throttle: Throttle,
}

impl Search {
    /// Takes a job, as [`beside::write`] writes it.
    ///
    /// # Errors
    /// What is wrong with the job.
    pub fn begin(&mut self, job: &[u8], host: &dyn Host) -> Result<(), Said> {
        *self = Self::default();
        let beginning = Progress { phase: Phase::Beginning.into(), ..Progress::default() };
        let job = beside::read(job).map_err(|error| Refused::NoJob { why: error.to_string() })?;
        let solve = self.with(host, |ctx| {
            (ctx.progress)(&beginning);
            Solve::new(&job, ctx)
        });
        self.solve = Some(solve.map_err(Said::from)?);
        Ok(())
    }

    /// Searches on for some ten milliseconds; true if there is more to do.
    ///
    /// # Errors
    /// If the search fails.
    pub fn step(&mut self, host: &dyn Host) -> Result<bool, Said> {
        let Some(mut solve) = self.solve.take() else { return Ok(false) };
        let done = self.with(host, |ctx| solve.step(ctx)).map_err(Said::from)?;
        self.solve = Some(solve);
        Ok(!done)
    }

    /// Makes the next step the last one.
    pub fn stop(&mut self) {
        self.stop = true;
    }

    /// The best answer so far; `None` before the beginning, and a second time.
    pub fn finish(&mut self) -> Option<Answer> {
        self.solve.take().map(Solve::finish)
    }

    fn with<T>(&self, host: &dyn Host, work: impl FnOnce(&Ctx) -> T) -> T {
        work(&Ctx {
            progress: &|progress| {
                if self.throttle.passes(progress, host.now()) {
                    host.progress(progress);
                }
            },
            cancelled: &|| self.stop,
            clock: &|| host.now(),
            checkpoint: None,
        })
    }
}
