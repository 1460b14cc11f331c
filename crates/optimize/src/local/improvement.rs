//! What a local search is.

use lookalike_model::{job::Status, partition::Partition, settings::Budget};

use crate::{Phase, checkpoint::StageParts};

/// A search that improves a partition step by step. At any moment it has a valid partition.
pub trait Improvement {
    /// What it does, for progress reports.
    fn phase(&self) -> Phase;

    /// One step of some ten milliseconds; says why when all is done. `elapsed` is in seconds since the run began.
    fn advance(&mut self, elapsed: f64) -> Option<Status>;

    /// As [`Improvement::advance`], with parts that were finished before an interruption; for searches that have parts.
    fn resume(&mut self, elapsed: f64, _parts: Option<StageParts<'_>>) -> Option<Status> {
        self.advance(elapsed)
    }

    /// Part of the work that is done, 0 to 1, where known.
    fn fraction(&self) -> Option<f64>;

    /// Loss of the best partition so far.
    fn loss(&self) -> f64;

    /// The best partition so far.
    fn best(&self) -> Partition;

    /// Moves proposed, or whatever the search counts as such.
    fn moves(&self) -> u64;

    /// Number of different threads that took part.
    fn threads(&self) -> usize;
}

/// Whether a time budget is used up.
pub(super) fn out_of_time(budget: Budget, elapsed: f64) -> bool {
    matches!(budget, Budget::Seconds(limit) if elapsed >= limit)
}

/// Why a search that has nothing left to do stops.
pub(super) fn spent(budget: Budget) -> Status {
    match budget {
        Budget::Effort(_) => Status::EffortSpent,
        Budget::Seconds(_) => Status::TimeLimit,
    }
}
