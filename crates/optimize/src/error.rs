//! What can go wrong in a search.

use lookalike_model::ErrorKind;

use crate::{
    construct::ConstructionFault, exact::ExactFault, params::OutOfRange, programme::ProgrammeFault,
    queue::BlockFault, solve::Unfit,
};

lookalike_words::messages! {
    in "optimize";

    /// What can go wrong in a search.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Error {
        /// The job contradicts itself, has no answer, or a partition is not one of it.
        Model(lookalike_model::Error),
        /// What is asked of the search contradicts itself, or does not go with the job.
        Unfit(Unfit),
        /// A construction is not defined for what is asked.
        Construction(ConstructionFault),
        /// Column generation cannot solve the job.
        Exact(ExactFault),
        /// The general programme does not know such a job.
        Programme(ProgrammeFault),
        /// Numbers are no block of a search.
        Block {
            /// Why.
            fault: BlockFault,
        },
        /// A parameter is out of its range.
        Parameter(OutOfRange),
        /// A solver of programmes failed.
        Lp(lookalike_lp::Error),
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What it means to whoever asked.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Model(error) => error.kind(),
            Self::Lp(_) => ErrorKind::Failed,
            Self::Unfit(Unfit::NoLevelsKeepTheRule { .. }) => ErrorKind::Infeasible,
            Self::Unfit(_)
            | Self::Construction(_)
            | Self::Exact(_)
            | Self::Programme(_)
            | Self::Block { .. }
            | Self::Parameter(_) => ErrorKind::Input,
        }
    }
}

impl From<lookalike_model::Error> for Error {
    fn from(error: lookalike_model::Error) -> Self {
        Self::Model(error)
    }
}

impl From<lookalike_lp::Error> for Error {
    fn from(error: lookalike_lp::Error) -> Self {
        Self::Lp(error)
    }
}

impl From<OutOfRange> for Error {
    fn from(error: OutOfRange) -> Self {
        Self::Parameter(error)
    }
}

impl From<Unfit> for Error {
    fn from(error: Unfit) -> Self {
        Self::Unfit(error)
    }
}

impl From<ConstructionFault> for Error {
    fn from(error: ConstructionFault) -> Self {
        Self::Construction(error)
    }
}

impl From<ExactFault> for Error {
    fn from(error: ExactFault) -> Self {
        Self::Exact(error)
    }
}

impl From<BlockFault> for Error {
    fn from(fault: BlockFault) -> Self {
        Self::Block { fault }
    }
}
