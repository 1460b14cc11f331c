//! Decomposition (paper 1, section IV, steps 3 to 5): whole classes of the start are put one after another into blocks
//! of about n/s records; each block is a problem of its own, and they are solved side by side. The paper solves a block
//! by column generation, this does it by annealing. What is reached is a solution of the whole; a bound of the blocks
//! would bound the decomposed problem only.

use std::sync::Arc;

use lookalike_wire::{job::Status, settings::Budget};
use rayon::prelude::*;

use super::{Improvement, out_of_time, schedule::Annealing, spent};
use crate::{instance::Instance, loss::Loss, partition::Partition, rule::Rule};

/// Blocks that are advanced in one step; a fixed number, so that a host can listen in between.
const AT_ONCE: usize = 4;

/// One block: its records, ascending, and its search.
struct Block<L: Loss> {
    records: Vec<u32>,
    search: Annealing<L>,
    done: bool,
}

/// A running decomposition.
pub struct Blocks<L: Loss> {
    all: Vec<Block<L>>,
    records: usize,
    budget: Budget,
    next: usize,
}

impl<L: Loss> Blocks<L> {
    /// Fills `count` blocks (fewer if there are fewer classes) with the classes of an admissible start.
    pub fn new(
        instance: &Arc<Instance>,
        loss: L,
        rule: &impl Rule,
        start: &Partition,
        count: usize,
        budget: Budget,
        seed: u64,
    ) -> Self {
        let n = instance.records();
        let filled = fill(n, start, count);
        let blocks = filled.into_par_iter().enumerate().map(|(b, classes)| {
            let (records, part) = local(&classes);
            let sub = Arc::new(instance.subset(&records));
            let seed = seed.wrapping_add(b as u64);
            Block { records, search: Annealing::new(&sub, &loss, rule, &part, budget, seed), done: false }
        });
        Self { all: blocks.collect(), records: n, budget, next: 0 }
    }
}

/// The classes of a start, put one after another into `count` blocks (fewer if there are fewer classes) of about
/// `n / count` records.
pub(crate) fn fill(n: usize, start: &Partition, count: usize) -> Vec<Vec<Vec<u32>>> {
    let mut filled: Vec<Vec<Vec<u32>>> = Vec::with_capacity(count.min(n));
    let mut placed = 0;
    for class in start.members() {
        // Block b ends once (b + 1) n / s records are placed.
        if filled.is_empty() || placed * count >= filled.len() * n {
            filled.push(Vec::new());
        }
        placed += class.len();
        if let Some(block) = filled.last_mut() {
            block.push(class);
        }
    }
    filled
}

/// The records of some classes, ascending, and the classes as a partition of them.
pub(crate) fn local(classes: &[Vec<u32>]) -> (Vec<u32>, Partition) {
    let mut records: Vec<u32> = classes.iter().flatten().copied().collect();
    records.sort_unstable();
    let mut labels = vec![0; records.len()];
    for (label, class) in classes.iter().enumerate() {
        for i in class {
            // Every record of a class is among `records`.
            if let Ok(at) = records.binary_search(i) {
                labels[at] = label as u32;
            }
        }
    }
    (records, Partition::from_labels(&labels))
}

impl<L: Loss> Improvement for Blocks<L> {
    fn phase(&self) -> &'static str {
        "annealing of blocks"
    }

    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        if out_of_time(self.budget, elapsed) {
            return Some(Status::TimeLimit);
        }
        let count = self.all.len();
        let last = (self.next + AT_ONCE).min(count);
        self.all[self.next..last].par_iter_mut().filter(|b| !b.done).for_each(|block| {
            block.done = block.search.advance(elapsed).is_some();
        });
        self.next = if last == count { 0 } else { last };
        self.all.iter().all(|b| b.done).then(|| spent(self.budget))
    }

    fn fraction(&self) -> Option<f64> {
        let sum: f64 = self.all.iter().filter_map(|b| b.search.fraction()).sum();
        Some(sum / self.all.len().max(1) as f64)
    }

    fn loss(&self) -> f64 {
        self.all.iter().map(|b| b.search.loss()).sum()
    }

    fn best(&self) -> Partition {
        let mut labels = vec![0; self.records];
        let mut first = 0;
        for block in &self.all {
            let part = block.search.best();
            for (&i, label) in block.records.iter().zip(&part.labels) {
                labels[i as usize] = first + label;
            }
            first += part.classes as u32;
        }
        Partition::from_labels(&labels)
    }

    fn moves(&self) -> u64 {
        self.all.iter().map(|b| b.search.moves()).sum()
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads().min(self.all.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{loss::Sse, rule::MinSize, search::tests_support::instance};

    #[test]
    fn blocks_are_filled_with_whole_classes_and_solved_apart() {
        // Classes {0, 10} {1, 11} {20, 30} {21, 31}: two blocks of two classes, each solved to the optimum, nothing
        // across.
        let points = [0., 10., 1., 11., 20., 30., 21., 31.];
        let instance = Arc::new(instance(1, &points, &[0; 8]));
        let start = Partition::from_labels(&[0, 0, 1, 1, 2, 2, 3, 3]);
        let rule = MinSize { k: 2 };
        let mut blocks = Blocks::new(&instance, Sse, &rule, &start, 2, Budget::Effort(2.0), 1);
        assert_eq!(
            blocks.all.iter().map(|b| b.records.clone()).collect::<Vec<_>>(),
            [[0, 1, 2, 3], [4, 5, 6, 7]]
        );
        while blocks.advance(0.0).is_none() {}
        assert_eq!(blocks.best().labels, [0, 1, 0, 1, 2, 3, 2, 3]);
        assert!((blocks.loss() - 2.0).abs() < 1e-9);
        // One block a class leaves nothing to improve.
        let mut single = Blocks::new(&instance, Sse, &rule, &start, 4, Budget::Effort(2.0), 1);
        while single.advance(0.0).is_none() {}
        assert_eq!(single.best(), start);
    }
}
