//! The work of one block, slice by slice.

use std::sync::Arc;

use lookalike_model::{block::Work, kept::Annealed, loss::Loss, rule::Rule, settings::Budget};

use super::Classes;
use crate::local::{Params, improvement::Improvement as _, schedule::Annealing, spatial::work::Cooling};

/// A block that is being annealed.
#[allow(clippy::large_enum_variant, reason = "a few of them, and each has much more on the heap")]
pub(super) enum Run<L: Loss> {
    /// From hot to cold.
    Anneal(Annealing<L>),
    /// For one round, at these temperatures.
    Cool(Cooling<L>, Vec<f64>),
}

impl<L: Loss> Run<L> {
    pub(super) fn new(task: &Classes, loss: L, rule: &Rule, params: &Arc<Params>) -> Self {
        let Classes { instance, start, work, limit, seed, .. } = task;
        match work {
            Work::Anneal { effort } => {
                let budget = limit.map_or(Budget::Effort(*effort), Budget::Seconds);
                Self::Anneal(Annealing::with_params(instance, &loss, rule, start, (budget, *seed), params))
            }
            Work::Cool { temperatures, moves, stream } => {
                let cooling = Cooling::new(instance, &loss, rule, start, *moves, (*seed, *stream), params);
                Self::Cool(cooling, temperatures.clone())
            }
        }
    }

    /// One slice, `since` seconds after the beginning; true when all is done.
    pub(super) fn advance(&mut self, since: f64) -> bool {
        match self {
            Self::Anneal(search) => search.advance(since).is_some(),
            Self::Cool(cooling, temperatures) => cooling.advance(temperatures),
        }
    }

    pub(super) fn moves(&self) -> u64 {
        match self {
            Self::Anneal(search) => search.moves(),
            Self::Cool(cooling, _) => cooling.made(),
        }
    }

    /// What the block is in the end.
    pub(super) fn end(&self) -> Annealed {
        match self {
            Self::Anneal(_) => self.best(),
            // As they are, and as they are numbered there: the next round takes the classes in this order.
            Self::Cool(cooling, _) => Annealed { labels: cooling.labels().to_vec(), moves: cooling.made() },
        }
    }

    /// The best so far.
    pub(super) fn best(&self) -> Annealed {
        let labels = match self {
            Self::Anneal(search) => search.best().labels,
            Self::Cool(cooling, _) => cooling.best_labels().to_vec(),
        };
        Annealed { labels, moves: self.moves() }
    }

    pub(super) fn annealing(&self) -> Option<&Annealing<L>> {
        match self {
            Self::Anneal(search) => Some(search),
            Self::Cool(..) => None,
        }
    }
}
