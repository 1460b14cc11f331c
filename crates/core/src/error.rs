//! What can go wrong between a table and its release.

/// What can go wrong; each message says what, where, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error(transparent)]
    Table(#[from] lookalike_table::Error),
    /// A hierarchy cannot be made.
    #[error(transparent)]
    Hierarchy(#[from] crate::hierarchies::HierarchyRefused),
    /// Something must be said that the table does not say.
    #[error("{0}")]
    Asked(crate::persons::Question),
    /// Settings exclude each other.
    #[error(transparent)]
    Conflict(#[from] crate::pipeline::Conflict),
    /// The settings do not fit the table.
    #[error(transparent)]
    Misfit(#[from] crate::pipeline::Misfit),
    /// The settings do not fit the table, or contradict themselves.
    #[error("{0}")]
    Input(String),
    /// No admissible partition exists; says why and names the nearest feasible value.
    #[error("{0}")]
    Infeasible(String),
    /// An answer from elsewhere is not a valid partition, or claims a loss that it does not have.
    #[error("the answer cannot be used: {0}")]
    Answer(String),
    /// The audit could not read what is about to be published.
    #[error(transparent)]
    Audit(#[from] lookalike_audit::Error),
    /// A solver failed.
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

#[cfg(feature = "optimize")]
impl From<lookalike_optimize::Error> for Error {
    fn from(error: lookalike_optimize::Error) -> Self {
        match error {
            lookalike_optimize::Error::Input(what) => Self::Input(what),
            lookalike_optimize::Error::Infeasible(why) => Self::Infeasible(why),
            lookalike_optimize::Error::Answer(what) => Self::Answer(what),
            lookalike_optimize::Error::Parameter(error) => Self::Input(error.to_string()),
            lookalike_optimize::Error::Lp(error) => Self::Lp(error),
        }
    }
}
