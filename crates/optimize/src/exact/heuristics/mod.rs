//! Heuristics: what finds better partitions, and columns on the way. One file a heuristic.

pub(super) mod annealing;
pub(super) mod integer_master;
pub(super) mod neighbourhoods;
pub(super) mod rounding;
pub(super) mod set_aside;
pub(super) mod snapshots;

use super::{effort::Stop, loss::Priceable, state::State};
use crate::Error;

/// How a run of a heuristic has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It has not ended: there is more to do in the next step.
    Unfinished,
    /// The incumbent loses less than before.
    Improved,
    /// It does not.
    Unimproved,
    /// The incumbent is proven optimal.
    Optimal,
    /// A solver was stopped, or failed.
    Stopped,
}

impl Outcome {
    /// Whether the incumbent has lost less than before.
    pub(super) fn of(improved: bool) -> Self {
        if improved { Self::Improved } else { Self::Unimproved }
    }
}

/// A primal heuristic. What it finds it offers to the state as incumbent, and its classes to the pool.
pub(super) trait Heuristic<L: Priceable> {
    /// One step of it.
    ///
    /// # Errors
    /// If a programme cannot be stated.
    fn run(&mut self, state: &mut State<L>, stop: Stop) -> Result<Outcome, Error>;
}
