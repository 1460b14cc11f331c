//! What can be wrong with a problem or its answer.

/// What can be wrong with a problem or its answer; each message says what, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The numbers, or what is asked of them, contradict themselves.
    #[error("{0}")]
    Input(String),
    /// No admissible partition exists; says why and names the nearest feasible value.
    #[error("{0}")]
    Infeasible(String),
    /// An answer from elsewhere is not a valid partition, or claims a loss that it does not have.
    #[error("the answer cannot be used: {0}")]
    Answer(String),
}
