//! Decomposition (paper 1, section IV, steps 3 to 5): whole classes of the start are put one after another into blocks
//! of about n/s records; each block is a problem of its own, and they are solved side by side. The paper solves a block
//! by column generation, this does it by annealing. What is reached is a solution of the whole; a bound of the blocks
//! would bound the decomposed problem only.

use std::sync::Arc;

use lookalike_wire::{job::Status, kept::Annealed, settings::Budget};
use rayon::prelude::*;

use super::{Improvement, out_of_time, schedule::Annealing, spent};
use crate::{checkpoint::Parts, instance::Instance, loss::Loss, partition::Partition, rule::Rule};

/// Blocks that are annealed side by side; a fixed number, so that a host can listen in between.
const AT_ONCE: usize = 4;

/// A block being annealed.
struct Open<L: Loss> {
    /// Which it is.
    number: usize,
    /// Its records, ascending.
    records: Vec<u32>,
    start: Partition,
    search: Annealing<L>,
    done: bool,
}

/// A block: its classes, whose records are those of the whole, and what they lose.
struct Block {
    classes: Vec<Vec<u32>>,
    loss: f64,
}

/// A running decomposition.
pub struct Blocks<L: Loss, R: Rule> {
    instance: Arc<Instance>,
    loss: L,
    rule: R,
    budget: Budget,
    seed: u64,
    /// Annealed up to `next`, but for those that are open; from there on as the start has them.
    all: Vec<Block>,
    open: Vec<Open<L>>,
    next: usize,
    /// When the open ones were opened.
    opened: f64,
    moves: u64,
}

impl<L: Loss, R: Rule> Blocks<L, R> {
    /// Fills `count` blocks (fewer if there are fewer classes) with the classes of an admissible start.
    pub fn new(
        instance: &Arc<Instance>,
        loss: L,
        rule: R,
        start: &Partition,
        count: usize,
        budget: Budget,
        seed: u64,
    ) -> Self {
        let block = |classes: Vec<Vec<u32>>| {
            let value = classes.iter().map(|class| loss.class(instance, class)).sum();
            Block { classes, loss: value }
        };
        Self {
            all: fill(start, count).into_iter().map(block).collect(),
            instance: Arc::clone(instance),
            loss,
            rule,
            budget,
            seed,
            open: Vec::new(),
            next: 0,
            opened: 0.0,
            moves: 0,
        }
    }

    /// Opens the next few blocks; those that were finished before an interruption are taken as they are.
    fn some_blocks(&mut self, elapsed: f64, parts: Option<Parts<'_>>) {
        let mut some = Vec::new();
        while some.len() < AT_ONCE && self.next < self.all.len() {
            let (records, start) = local(&self.all[self.next].classes);
            match parts.and_then(|parts| parts.annealed(&records, &start.labels)) {
                Some(kept) => self.close(self.next, &records, &kept),
                None => some.push((self.next, records, start)),
            }
            self.next += 1;
        }
        let left = (some.len() + self.all.len() - self.next).div_ceil(AT_ONCE).max(1);
        let budget = match self.budget {
            Budget::Seconds(limit) => Budget::Seconds((limit - elapsed).max(0.0) / left as f64),
            effort @ Budget::Effort(_) => effort,
        };
        self.opened = elapsed;
        let opened = some.into_par_iter().map(|(number, records, start)| {
            let sub = Arc::new(self.instance.subset(&records));
            let seed = self.seed.wrapping_add(number as u64);
            let search = Annealing::new(&sub, &self.loss, &self.rule, &start, budget, seed);
            Open { number, records, start, search, done: false }
        });
        self.open = opened.collect();
    }

    /// Takes in a block that is done.
    fn close(&mut self, number: usize, records: &[u32], block: &Annealed) {
        let global = |class: Vec<u32>| class.into_iter().map(|i| records[i as usize]).collect();
        let classes: Vec<Vec<u32>> =
            Partition::from_labels(&block.labels).members().into_iter().map(global).collect();
        let loss = classes.iter().map(|class| self.loss.class(&self.instance, class)).sum();
        self.all[number] = Block { classes, loss };
        self.moves += block.moves;
    }
}

/// Puts whole classes one after another into `count` blocks of about equally many records; fewer blocks if there are
/// fewer classes.
pub(crate) fn fill(start: &Partition, count: usize) -> Vec<Vec<Vec<u32>>> {
    let n = start.labels.len();
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

impl<L: Loss, R: Rule> Improvement for Blocks<L, R> {
    fn phase(&self) -> &'static str {
        "annealing of blocks"
    }

    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        self.resume(elapsed, None)
    }

    fn resume(&mut self, elapsed: f64, parts: Option<Parts<'_>>) -> Option<Status> {
        if out_of_time(self.budget, elapsed) {
            return Some(Status::TimeLimit);
        }
        if self.open.is_empty() {
            self.some_blocks(elapsed, parts);
            if self.open.is_empty() {
                return Some(spent(self.budget));
            }
        }
        let since = elapsed - self.opened;
        self.open.par_iter_mut().filter(|block| !block.done).for_each(|block| {
            block.done = block.search.advance(since).is_some();
        });
        if self.open.iter().all(|block| block.done) {
            for block in std::mem::take(&mut self.open) {
                let kept = Annealed { labels: block.search.best().labels, moves: block.search.moves() };
                self.close(block.number, &block.records, &kept);
                if let Some(parts) = parts {
                    parts.keep_annealed(&block.records, &block.start.labels, kept);
                }
            }
        }
        None
    }

    fn fraction(&self) -> Option<f64> {
        let done = (self.next - self.open.len()) as f64;
        let open: f64 = self.open.iter().filter_map(|block| block.search.fraction()).sum();
        Some((done + open) / self.all.len().max(1) as f64)
    }

    fn loss(&self) -> f64 {
        let open = |number| self.open.iter().find(|block: &&Open<L>| block.number == number);
        let loss = |(number, block): (usize, &Block)| open(number).map_or(block.loss, |o| o.search.loss());
        self.all.iter().enumerate().map(loss).sum()
    }

    fn best(&self) -> Partition {
        let mut labels = vec![0; self.instance.records()];
        let mut classes = 0;
        let mut put = |class: &mut dyn Iterator<Item = u32>| {
            for i in class {
                labels[i as usize] = classes;
            }
            classes += 1;
        };
        for (number, block) in self.all.iter().enumerate() {
            match self.open.iter().find(|open| open.number == number) {
                Some(open) => {
                    for class in open.search.best().members() {
                        put(&mut class.into_iter().map(|i| open.records[i as usize]));
                    }
                }
                None => block.classes.iter().for_each(|class| put(&mut class.iter().copied())),
            }
        }
        Partition::from_labels(&labels)
    }

    fn moves(&self) -> u64 {
        self.moves + self.open.iter().map(|block| block.search.moves()).sum::<u64>()
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads().min(self.all.len()).min(AT_ONCE)
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
        let mut blocks = Blocks::new(&instance, Sse, rule, &start, 2, Budget::Effort(2.0), 1);
        assert_eq!(
            blocks.all.iter().map(|b| local(&b.classes).0).collect::<Vec<_>>(),
            [[0, 1, 2, 3], [4, 5, 6, 7]]
        );
        while blocks.advance(0.0).is_none() {}
        assert_eq!(blocks.best().labels, [0, 1, 0, 1, 2, 3, 2, 3]);
        assert!((blocks.loss() - 2.0).abs() < 1e-9);
        // One block a class leaves nothing to improve.
        let mut single = Blocks::new(&instance, Sse, rule, &start, 4, Budget::Effort(2.0), 1);
        while single.advance(0.0).is_none() {}
        assert_eq!(single.best(), start);
    }
}
