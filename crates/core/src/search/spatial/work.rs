//! One round of annealing over one block.

use std::sync::Arc;

use super::{
    super::{
        anneal::{Chain, Shared, Shares},
        neighbours::Neighbours,
        state::State,
    },
    NEIGHBOURS, SLICE,
};
use crate::{instance::Instance, loss::Loss, partition::Partition, rule::Rule};

/// A block that cools for one round.
pub(crate) struct Cooling<L: Loss> {
    pub(crate) chain: Chain<L>,
    /// Moves at each temperature.
    moves: u64,
}

impl<L: Loss> Cooling<L> {
    /// Begins with these classes; `random` are the seed and the stream of its random numbers.
    pub(crate) fn new<R: Rule>(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &R,
        start: &Partition,
        moves: u64,
        (seed, stream): (u64, u64),
    ) -> Self {
        let neighbours = Neighbours::new(instance, loss, NEIGHBOURS);
        let shared = Arc::new(Shared::new(neighbours, Shares::many_records(rule.min_size())));
        let state = State::new(instance, loss, rule, start);
        Self { chain: Chain::new(state, &shared, seed, stream), moves }
    }

    /// One slice; true when all temperatures are done.
    pub(crate) fn advance(&mut self, temperatures: &[f64]) -> bool {
        let done = self.chain.moves;
        let level = (done / self.moves.max(1)) as usize;
        let Some(&temperature) = temperatures.get(level) else { return true };
        self.chain.run(SLICE.min((level as u64 + 1) * self.moves - done), temperature);
        self.chain.moves >= self.moves * temperatures.len() as u64
    }
}
