//! One round of annealing over one block.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance, loss::Loss, neighbours::Neighbours, partition::Partition, rule::Rule,
};

use super::super::{
    anneal::{Chain, Shared, Shares},
    params::Params,
    state::State,
};

/// A block that cools for one round.
pub(crate) struct Cooling<L: Loss> {
    by: By<L>,
    /// Moves at each temperature.
    moves: u64,
    /// Moves of a slice, at most.
    slice: u64,
}

/// What the moves of a block go by.
enum By<L: Loss> {
    Loss(Chain<L>),
    Coarse(Chain<L::Coarse>),
}

/// The same of either chain.
macro_rules! chain {
    ($by:expr, $chain:ident => $what:expr) => {
        match $by {
            By::Loss($chain) => $what,
            By::Coarse($chain) => $what,
        }
    };
}

impl<L: Loss> Cooling<L> {
    /// Begins with these classes; `random` are the seed and the stream of its random numbers. It goes by what is nearly the
    /// loss, if there is such.
    pub(crate) fn new(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &Rule,
        start: &Partition,
        moves: u64,
        random: (u64, u64),
        params: &Params,
    ) -> Self {
        let neighbours = Neighbours::new(instance, loss, params.spatial.neighbours);
        let shared =
            Arc::new(Shared::new(neighbours, Shares::many_records(rule.min_size, &params.spatial_moves)));
        let by = match loss.coarse(instance) {
            Some(coarse) => By::Coarse(begin(instance, &coarse, rule, start, &shared, random)),
            None => By::Loss(begin(instance, loss, rule, start, &shared, random)),
        };
        Self { by, moves, slice: params.spatial.slice }
    }

    /// One slice; true when all temperatures are done.
    pub(crate) fn advance(&mut self, temperatures: &[f64]) -> bool {
        let done = self.made();
        let level = (done / self.moves.max(1)) as usize;
        let Some(&temperature) = temperatures.get(level) else { return true };
        let slice = self.slice.min((level as u64 + 1) * self.moves - done);
        chain!(&mut self.by, chain => chain.run(slice, temperature));
        self.made() >= self.moves * temperatures.len() as u64
    }

    /// Moves made.
    pub(crate) fn made(&self) -> u64 {
        chain!(&self.by, chain => chain.moves)
    }

    /// Class of each record.
    pub(crate) fn labels(&self) -> &[u32] {
        chain!(&self.by, chain => chain.labels())
    }

    /// Class of each record at its best.
    pub(crate) fn best_labels(&self) -> &[u32] {
        chain!(&self.by, chain => chain.best_labels())
    }
}

fn begin<L: Loss>(
    instance: &Arc<Instance>,
    loss: &L,
    rule: &Rule,
    start: &Partition,
    shared: &Arc<Shared>,
    (seed, stream): (u64, u64),
) -> Chain<L> {
    Chain::new(State::new(instance, loss, rule, start), shared, seed, stream)
}
