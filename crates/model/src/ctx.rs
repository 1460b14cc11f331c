//! What a long function gets from outside: progress, cancelling, time.

use crate::event::Progress;

use crate::checkpoint::Checkpoint;

/// What a long function gets from outside. The core itself has no clock, no thread and no way to print.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// Called with each progress report, a few times a second, always from the calling thread.
    pub progress: &'a dyn Fn(&Progress),
    /// Asked often: true means "stop and keep the best so far".
    pub cancelled: &'a dyn Fn() -> bool,
    /// Seconds since any fixed moment.
    pub clock: &'a dyn Fn() -> f64,
    /// Keeps finished parts of a long search, if anything does.
    pub checkpoint: Option<&'a dyn Checkpoint>,
}

impl Ctx<'static> {
    /// Never cancelled, silent, and time stands still: for tests and for runs with an effort budget.
    #[must_use]
    pub fn silent() -> Self {
        Self { progress: &|_| {}, cancelled: &|| false, clock: &|| 0.0, checkpoint: None }
    }
}
