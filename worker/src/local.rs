//! The run's surroundings: threads, clock, progress, signals.

use std::time::Instant;

use lookalike_model::{
    Ctx,
    event::{Elsewhere, Progress},
};
use lookalike_words::Said;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{
    exit::{Failure, Fault},
    progress::View,
    signals,
};

/// A pool of this many threads; as many as the machine has by default.
pub(crate) fn pool(threads: Option<usize>) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .thread_name(|i| format!("search {i}"))
        .build()
        .map_err(|e| Failure::system(Fault::Threads { why: e.to_string() }))
}

/// What a run gets from outside: a view of its progress, a clock, the signals.
pub(crate) struct Surroundings {
    /// Where progress is shown.
    pub(crate) view: View,
    began: Instant,
}

impl Surroundings {
    /// The clock starts now.
    pub(crate) fn new() -> Self {
        Self { view: View::new(), began: Instant::now() }
    }

    /// The same, seen by this view.
    pub(crate) fn seen_by(view: View) -> Self {
        Self { view, began: Instant::now() }
    }

    /// Seconds since then.
    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Shows what is going on, and which part of it is done, where that is known.
    pub(crate) fn show(&self, phase: impl Into<Said>, fraction: Option<f64>) {
        self.show_tasks(phase, fraction, None);
    }

    /// The same, and how far others are.
    pub(crate) fn show_tasks(
        &self,
        phase: impl Into<Said>,
        fraction: Option<f64>,
        elsewhere: Option<Elsewhere>,
    ) {
        let (phase, seconds) = (phase.into(), self.seconds());
        self.view.show(&Progress { phase, fraction, seconds, elsewhere, ..Progress::default() });
    }

    /// Calls `work` with the core's view of these surroundings.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&Ctx) -> R) -> R {
        work(&Ctx {
            progress: &|progress| self.view.show(progress),
            cancelled: &|| signals::caught().is_some(),
            clock: &|| self.seconds(),
            checkpoint: None,
        })
    }
}

/// Seeds below this are found by trying.
pub(crate) const SMALL_SEED: u64 = 1 << 48;

/// A seed from the operating system.
pub(crate) fn entropy() -> Result<u64, Failure> {
    getrandom::u64().map_err(|e| Failure::system(Fault::NoRandom { why: e.to_string() }))
}
