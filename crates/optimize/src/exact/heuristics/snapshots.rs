//! Starting columns: what annealing passes through on its way down.

use std::sync::Arc;

use lookalike_model::{instance::Instance, loss::Loss, partition::Partition, rule::Rule, settings::Budget};

use crate::local::{Params, improvement::Improvement, schedule::Annealing};

/// What a slice has come to.
pub(super) enum Slice {
    /// All runs were over before it.
    Over,
    /// The best partition of the current run is the one known.
    Same,
    /// The best partition of the current run is this one.
    Better(Partition),
}

/// Annealing runs one after another, whose best partitions are handed out as they change.
pub(super) struct Snapshots<L: Loss> {
    instance: Arc<Instance>,
    loss: L,
    start: Partition,
    /// What is left to be run, the next one last.
    budgets: Vec<Budget>,
    seed: u64,
    params: Arc<Params>,
    current: Option<Annealing<L>>,
    /// When that one began.
    began: f64,
    last: f64,
    /// What the runs that are over came to.
    reached: Vec<f64>,
    /// Moves of the runs that are over.
    moves: u64,
}

impl<L: Loss> Snapshots<L> {
    /// One run for each of `budgets`, each with a seed of its own.
    pub(super) fn new(
        instance: &Arc<Instance>,
        loss: L,
        start: &Partition,
        budgets: &[Budget],
        (seed, params): (u64, &Arc<Params>),
    ) -> Self {
        Self {
            instance: Arc::clone(instance),
            loss,
            start: start.clone(),
            budgets: budgets.iter().rev().copied().collect(),
            seed,
            params: Arc::clone(params),
            current: None,
            began: 0.0,
            last: f64::INFINITY,
            reached: Vec::new(),
            moves: 0,
        }
    }

    /// Runs one slice, `elapsed` seconds after the start of whatever this is a part of.
    pub(super) fn advance(&mut self, rule: &Rule, elapsed: f64) -> Slice {
        let annealing = match &mut self.current {
            Some(annealing) => annealing,
            none => {
                let Some(budget) = self.budgets.pop() else { return Slice::Over };
                self.began = elapsed;
                self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
                self.last = f64::INFINITY;
                let budget = (budget, self.seed);
                let (instance, start) = (&self.instance, &self.start);
                none.insert(Annealing::with_params(instance, &self.loss, rule, start, budget, &self.params))
            }
        };
        let over = annealing.advance(elapsed - self.began).is_some();
        let better = annealing.loss() < self.last;
        let slice = if better { Slice::Better(annealing.best()) } else { Slice::Same };
        self.last = annealing.loss();
        if over {
            self.moves += annealing.moves();
            self.reached.push(self.last);
            self.current = None;
        }
        slice
    }

    /// Whether all runs are over, and the last one came to less than those before it by more than this part.
    pub(super) fn fell(&self, part: f64) -> bool {
        let Some((last, before)) = self.reached.split_last() else { return false };
        let least = before.iter().copied().fold(f64::INFINITY, f64::min);
        self.budgets.is_empty() && self.current.is_none() && *last < (1.0 - part) * least
    }

    /// Moves proposed so far.
    pub(super) fn moves(&self) -> u64 {
        self.moves + self.current.as_ref().map_or(0, Annealing::moves)
    }
}

/// Descends from a partition to a local optimum of the annealing's moves.
pub(in crate::exact) fn descend<L: Loss>(
    instance: &Arc<Instance>,
    loss: L,
    rule: &Rule,
    start: &Partition,
    seed: u64,
) -> Partition {
    let mut annealing = Annealing::new(instance, &loss, rule, start, Budget::Effort(0.0), seed);
    while annealing.advance(0.0).is_none() {}
    annealing.best()
}

#[cfg(test)]
mod tests {
    use lookalike_model::{loss::Sse, rule::Rule};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn fell(records: usize, efforts: [f64; 3]) -> bool {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut column = || (0..records).map(|_| rng.random::<f64>()).collect::<Vec<f64>>();
        let instance = Instance::from_columns(&[column(), column()], &[], &vec![0; records]).unwrap();
        let start = Partition::from_labels(&(0..records as u32).map(|i| i / 3).collect::<Vec<u32>>());
        let budgets = efforts.map(Budget::Effort);
        let mut runs = Snapshots::new(&Arc::new(instance), Sse, &start, &budgets, (1, &Arc::default()));
        let over = |slice| matches!(slice, Slice::Over);
        assert!(!over(runs.advance(&Rule::at_least(3), 0.0)) && !runs.fell(1e-3), "they are not over");
        while !over(runs.advance(&Rule::at_least(3), 0.0)) {}
        runs.fell(1e-3)
    }

    #[test]
    fn runs_fall_while_longer_ones_find_more() {
        assert!(fell(600, [0.01, 0.01, 5.0]));
        assert!(!fell(9, [1.0, 1.0, 2.0]));
    }
}
