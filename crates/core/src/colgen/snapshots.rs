//! Starting columns: what annealing passes through on its way down.

use std::sync::Arc;

use lookalike_wire::settings::Budget;

use crate::{
    instance::Instance,
    loss::Loss,
    partition::Partition,
    rule::Rule,
    search::{Improvement, schedule::Annealing},
};

/// Annealing runs one after another, whose best partitions are handed out as they change.
pub struct Snapshots<L: Loss> {
    instance: Arc<Instance>,
    loss: L,
    start: Partition,
    efforts: Vec<f64>,
    seed: u64,
    current: Option<Annealing<L>>,
    last: f64,
    /// Moves of the runs that are over.
    moves: u64,
}

impl<L: Loss> Snapshots<L> {
    /// One run for each of `efforts`, each with a seed of its own.
    #[must_use]
    pub fn new(instance: &Arc<Instance>, loss: L, start: &Partition, efforts: &[f64], seed: u64) -> Self {
        Self {
            instance: Arc::clone(instance),
            loss,
            start: start.clone(),
            efforts: efforts.iter().rev().copied().collect(),
            seed,
            current: None,
            last: f64::INFINITY,
            moves: 0,
        }
    }

    /// Runs one slice. `None` when all runs are over; else the best partition of the current run if it is new.
    pub fn advance(&mut self, rule: &impl Rule) -> Option<Option<Partition>> {
        let annealing = match &mut self.current {
            Some(annealing) => annealing,
            none => {
                let effort = self.efforts.pop()?;
                self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
                self.last = f64::INFINITY;
                none.insert(Annealing::new(
                    &self.instance,
                    &self.loss,
                    rule,
                    &self.start,
                    Budget::Effort(effort),
                    self.seed,
                ))
            }
        };
        let over = annealing.advance(0.0).is_some();
        let news = (annealing.loss() < self.last).then(|| annealing.best());
        self.last = annealing.loss();
        if over {
            self.moves += annealing.moves();
            self.current = None;
        }
        Some(news)
    }

    /// Moves proposed so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves + self.current.as_ref().map_or(0, Annealing::moves)
    }
}

/// Descends from a partition to a local optimum of the annealing's moves.
#[must_use]
pub fn descend<L: Loss>(
    instance: &Arc<Instance>,
    loss: L,
    rule: &impl Rule,
    start: &Partition,
    seed: u64,
) -> Partition {
    let mut annealing = Annealing::new(instance, &loss, rule, start, Budget::Effort(0.0), seed);
    while annealing.advance(0.0).is_none() {}
    annealing.best()
}
