//! Why a programme was not solved.

/// Why a programme was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No solution exists.
    #[error("the programme has no solution")]
    Infeasible,
    /// The back end gave up.
    #[error("{backend} failed: {why}")]
    Backend {
        /// Which back end.
        backend: &'static str,
        /// What it said.
        why: String,
    },
}
