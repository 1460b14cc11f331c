//! What can go wrong between a table and its release.

use lookalike_model::ErrorKind;
use lookalike_words::{Message as _, Said};

use crate::eligibility::RepairFault;

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
    /// A column is not the key of a person that it is said to be.
    #[error(transparent)]
    Key(#[from] crate::persons::KeyFault),
    /// Settings exclude each other.
    #[error(transparent)]
    Conflict(#[from] crate::pipeline::Conflict),
    /// The settings do not fit the table.
    #[error(transparent)]
    Misfit(Box<crate::pipeline::Misfit>),
    /// A table larger than memory does not fit.
    #[error(transparent)]
    Large(Box<crate::out_of_core::LargeMisfit>),
    /// The table cannot be the next release of its series.
    #[error(transparent)]
    Series(Box<crate::republish::SeriesFault>),
    /// The table is not m-eligible, and no change that is allowed makes it so.
    #[error(transparent)]
    NotEligible(Box<crate::eligibility::NotEligible>),
    /// The changes that are wanted are not changes of this table.
    #[error(transparent)]
    Wanted(#[from] crate::eligibility::WantedFault),
    /// No release gives the guarantee.
    #[error(transparent)]
    Impossible(#[from] crate::Impossible),
    /// An answer from elsewhere does not go with the table.
    #[error(transparent)]
    Unusable(#[from] crate::Unusable),
    /// The job contradicts itself, has no answer, or an answer from elsewhere is not one.
    #[error(transparent)]
    Model(#[from] lookalike_model::Error),
    /// The search does not take the job.
    #[cfg(feature = "optimize")]
    #[error(transparent)]
    Search(lookalike_optimize::Error),
    /// The audit could not read what is about to be published.
    #[error(transparent)]
    Audit(#[from] lookalike_audit::Error),
    /// The fewest changes that make a table eligible are not what they must be.
    #[error(transparent)]
    Repair(#[from] RepairFault),
    /// A solver failed.
    #[error(transparent)]
    Lp(#[from] lookalike_lp::Error),
}

impl From<crate::pipeline::Misfit> for Error {
    fn from(misfit: crate::pipeline::Misfit) -> Self {
        Self::Misfit(Box::new(misfit))
    }
}

impl From<crate::out_of_core::LargeMisfit> for Error {
    fn from(misfit: crate::out_of_core::LargeMisfit) -> Self {
        Self::Large(Box::new(misfit))
    }
}

impl From<crate::republish::SeriesFault> for Error {
    fn from(fault: crate::republish::SeriesFault) -> Self {
        Self::Series(Box::new(fault))
    }
}

impl From<crate::eligibility::NotEligible> for Error {
    fn from(why: crate::eligibility::NotEligible) -> Self {
        Self::NotEligible(Box::new(why))
    }
}

impl Error {
    /// What it means to whoever asked.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Table(_)
            | Self::Hierarchy(_)
            | Self::Asked(_)
            | Self::Conflict(_)
            | Self::Misfit(_)
            | Self::Large(_)
            | Self::Key(_)
            | Self::Wanted(_)
            // What a record stands for is found out before anything is searched.
            | Self::Audit(lookalike_audit::Error::Weight { .. } | lookalike_audit::Error::Household { .. }) => {
                ErrorKind::Input
            }
            Self::Impossible(_) | Self::NotEligible(_) => ErrorKind::Infeasible,
            Self::Series(fault) => fault.kind(),
            Self::Unusable(_) => ErrorKind::Answer,
            Self::Model(error) => error.kind(),
            #[cfg(feature = "optimize")]
            Self::Search(error) => error.kind(),
            Self::Audit(_) | Self::Repair(_) | Self::Lp(_) => ErrorKind::Failed,
        }
    }

    /// It as a message.
    #[must_use]
    pub fn said(&self) -> Said {
        match self {
            Self::Table(error) => error.said(),
            Self::Hierarchy(error) => error.said(),
            Self::Conflict(error) => error.said(),
            Self::Misfit(error) => error.said(),
            Self::Large(error) => error.said(),
            Self::Impossible(error) => error.said(),
            Self::Unusable(error) => error.said(),
            Self::Asked(question) => question.said(),
            Self::Key(error) => error.said(),
            Self::Series(error) => error.said(),
            Self::NotEligible(error) => error.said(),
            Self::Wanted(error) => error.said(),
            Self::Model(error) => error.said(),
            #[cfg(feature = "optimize")]
            Self::Search(error) => error.said(),
            Self::Repair(error) => error.said(),
            Self::Lp(error) => error.said(),
            Self::Audit(error) => error.said(),
        }
    }
}

#[cfg(feature = "optimize")]
impl From<lookalike_optimize::Error> for Error {
    fn from(error: lookalike_optimize::Error) -> Self {
        match error {
            lookalike_optimize::Error::Model(error) => Self::Model(error),
            lookalike_optimize::Error::Lp(error) => Self::Lp(error),
            other => Self::Search(other),
        }
    }
}
