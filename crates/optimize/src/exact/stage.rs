//! The stages of column generation.

use lookalike_model::job::Status;

use crate::Phase;

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    /// A slice of annealing.
    Annealing,
    /// A step of raising duals before the first master.
    FirstDuals { round: usize },
    /// Solve the restricted master, and price the columns of the pool.
    Master,
    /// A batch of a heuristic pricing.
    HeuristicPricing,
    /// A batch of an exact pricing, which proves a bound.
    ExactPricing,
    /// Round the master's solution.
    Rounding,
    /// Look for cuts.
    Separation,
    /// A batch of the enumeration of all classes that can improve on the incumbent.
    Enumeration,
    /// The best partition into the enumerated classes.
    IntegerMaster,
    /// A large neighbourhood.
    Neighbourhoods,
    /// A node of branching over the enumerated classes.
    Branching,
    /// The run is over.
    Done(Status),
}

impl Stage {
    /// Whether it belongs to a round of cuts: the master, its pricing and the search for more.
    pub(super) fn raises_the_bound(&self) -> bool {
        matches!(
            self,
            Self::Master | Self::HeuristicPricing | Self::ExactPricing | Self::Rounding | Self::Separation
        )
    }

    /// Whether it goes on from a solution of the master, which has to know all cuts then.
    pub(super) fn relies_on_the_master(&self) -> bool {
        !matches!(self, Self::Annealing | Self::FirstDuals { .. } | Self::Master | Self::Done(_))
    }

    /// Its name in progress.
    pub(super) fn phase(&self) -> Phase {
        match self {
            Self::Annealing => Phase::Annealing,
            Self::FirstDuals { round } => Phase::RaisingTheBound { round: *round },
            Self::Master
            | Self::HeuristicPricing
            | Self::ExactPricing
            | Self::Rounding
            | Self::Separation => Phase::ColumnGeneration,
            Self::IntegerMaster => Phase::IntegerProgramme,
            Self::Enumeration => Phase::Enumerating,
            Self::Neighbourhoods => Phase::Neighbourhoods,
            Self::Branching => Phase::Branching,
            Self::Done(_) => Phase::Done,
        }
    }
}
