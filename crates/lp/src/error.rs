//! Why a programme was not solved.

/// Why a programme was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The programme contradicts itself or its numbers are too large to be solved exactly.
    #[error("the programme cannot be stated: {0}")]
    Input(String),
    /// No solution exists.
    #[error("the programme has no solution")]
    Infeasible,
    /// The limit was reached, or the caller stopped it, before there was an answer.
    #[error("stopped before the programme was solved")]
    Stopped,
    /// The back end gave up, or its answer does not hold.
    #[error("{backend} failed: {why}")]
    Backend {
        /// Which back end.
        backend: &'static str,
        /// What it said.
        why: String,
    },
}
