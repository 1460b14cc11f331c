//! What can go wrong in a search.

/// What can go wrong in a search; each message says what, where, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The job, or what is asked of its search, contradicts itself.
    #[error("{0}")]
    Input(String),
    /// No admissible partition exists; says why and names the nearest feasible value.
    #[error("{0}")]
    Infeasible(String),
    /// An answer from elsewhere is not a valid partition, or claims a loss that it does not have.
    #[error("the answer cannot be used: {0}")]
    Answer(String),
    /// A parameter is out of its range.
    #[error(transparent)]
    Parameter(#[from] crate::params::OutOfRange),
    /// A solver of programmes failed.
    #[error(transparent)]
    Lp(#[from] lookalike_lp::Error),
}

impl From<lookalike_model::Error> for Error {
    fn from(error: lookalike_model::Error) -> Self {
        match error {
            lookalike_model::Error::Input(what) => Self::Input(what),
            lookalike_model::Error::Infeasible(why) => Self::Infeasible(why),
            lookalike_model::Error::Answer(what) => Self::Answer(what),
        }
    }
}
