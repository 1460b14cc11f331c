//! What can be wrong with a problem or its answer.

use crate::{
    instance::{ColumnsFault, JobFault},
    received::AnswerFault,
    rule::{Infeasible, Least},
};

lookalike_words::messages! {
    in "model";

    /// What can be wrong with a problem or its answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Error {
        /// A job contradicts itself.
        Job {
            /// How.
            fault: JobFault,
        },
        /// Columns of numbers make no instance.
        Columns {
            /// Why.
            fault: ColumnsFault,
        },
        /// Classes of one record or none.
        ProtectsNobody {
            /// What was asked for.
            least: Least,
        },
        /// Rows of their own are for a least k, and nothing else is asked of them.
        KnowsNoSensitiveValues {
            /// The method.
            method: &'static str,
        },
        /// No admissible partition exists.
        Infeasible(Infeasible),
        /// An answer from elsewhere is not a valid partition, or claims what cannot be.
        Answer {
            /// What is wrong with it.
            fault: AnswerFault,
        },
    }
}

impl std::error::Error for Error {}

/// What an error means to whoever asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was given or asked for contradicts itself.
    Input,
    /// There is no admissible partition.
    Infeasible,
    /// An answer from elsewhere cannot be used.
    Answer,
    /// A part of the program or of its machine failed.
    Failed,
}

impl Error {
    /// What it means to whoever asked.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Job { .. }
            | Self::Columns { .. }
            | Self::ProtectsNobody { .. }
            | Self::KnowsNoSensitiveValues { .. } => ErrorKind::Input,
            Self::Infeasible(_) => ErrorKind::Infeasible,
            Self::Answer { .. } => ErrorKind::Answer,
        }
    }
}

impl From<JobFault> for Error {
    fn from(fault: JobFault) -> Self {
        Self::Job { fault }
    }
}

impl From<ColumnsFault> for Error {
    fn from(fault: ColumnsFault) -> Self {
        Self::Columns { fault }
    }
}

impl From<Infeasible> for Error {
    fn from(why: Infeasible) -> Self {
        Self::Infeasible(why)
    }
}

impl From<AnswerFault> for Error {
    fn from(fault: AnswerFault) -> Self {
        Self::Answer { fault }
    }
}
