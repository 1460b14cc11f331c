//! What a run does next, and what it has done.

use lookalike_model::job::Status;

use super::{measure::Priceable, pricing::Sweep, snapshots::Snapshots};

/// What happens next.
pub(super) enum Stage<L: Priceable> {
    Anneal(Box<Snapshots<L>>),
    Master,
    Heuristic(Sweep),
    Exact(Sweep),
    Round,
    Integer,
    Separate,
    Enumerate(Sweep),
    Neighbourhood,
    Branch,
    Done(Status),
}

impl<L: Priceable> Stage<L> {
    /// Whether it belongs to a round of cuts: the master, its pricing and the search for more.
    pub(super) fn bounds(&self) -> bool {
        matches!(self, Self::Master | Self::Heuristic(_) | Self::Exact(_) | Self::Round | Self::Separate)
    }

    /// Its name in progress.
    pub(super) fn phase(&self) -> &'static str {
        match self {
            Self::Anneal(_) => "annealing",
            Self::Master | Self::Heuristic(_) | Self::Exact(_) | Self::Round | Self::Separate => {
                "column generation"
            }
            Self::Integer => "integer programme",
            Self::Enumerate(_) => "enumerating classes",
            Self::Neighbourhood => "neighbourhoods",
            Self::Branch => "branching",
            Self::Done(_) => "done",
        }
    }
}

/// What was done, for the report.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) rounds: u64,
    pub(super) nodes: u64,
    pub(super) moves: u64,
    pub(super) exact: u64,
    pub(super) neighbourhoods: u64,
    pub(super) improved: u64,
    pub(super) enumerated: Option<u64>,
}

/// Parts of the budget that went into raising the bound and lowering the loss, over a list or after a long annealing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    pub(super) branching: f64,
    /// Rounds of cuts since the first long annealing.
    pub(super) cuts: f64,
    pub(super) neighbourhoods: f64,
}
