//! The blocks of a round as tasks of a queue. They come back in any order and are taken in one that depends on the round
//! alone: the next round, and the sum of losses, follow it.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    block::Work,
    checkpoint::Queue,
    instance::Instance,
    kept::{Annealed, Kept},
    loss::Loss,
    partition::Partition,
};

use super::{AT_ONCE, Spatial};
use crate::{
    local::blocks::local,
    queue::{Classes, carry_out, fits},
};

/// A block that is done.
struct Done {
    value: f64,
    /// As records of the whole.
    classes: Vec<Vec<u32>>,
    moves: u64,
}

/// How far a round is.
#[derive(Default)]
pub(super) struct Round {
    /// Blocks that were put on the queue, of the last to the first; those that are done as they came back.
    blocks: Vec<Option<Done>>,
    /// The records of those that have not come back, and their classes.
    away: BTreeMap<u64, (Vec<u32>, Partition)>,
}

impl Round {
    /// How many have come back.
    pub(super) fn done(&self) -> usize {
        self.blocks.len() - self.away.len()
    }

    /// Moves made in them.
    pub(super) fn moves(&self) -> u64 {
        self.blocks.iter().flatten().map(|done| done.moves).sum()
    }
}

impl<L: Loss> Spatial<L> {
    /// Puts blocks of this round on the queue, and takes one that is done; takes in all when the last one is.
    pub(super) fn hand_on(&mut self, queue: &dyn Queue<Classes>) {
        for _ in 0..queue.room() {
            let Some(block) = self.open.len().checked_sub(self.under_way.blocks.len() + 1) else { break };
            let (records, start) = local(&std::mem::take(&mut self.open[block]));
            queue.put(block as u64, self.task(block as u64, &records, start.clone()));
            self.under_way.away.insert(block as u64, (records, start));
            self.under_way.blocks.push(None);
        }
        if let Some((block, kept)) = queue.take()
            && let Some((records, start)) = self.under_way.away.remove(&block)
        {
            let done = self.returned(block, &records, start, kept);
            let at = self.open.len() - 1 - block as usize;
            self.under_way.blocks[at] = Some(done);
        }
        if self.under_way.done() == self.open.len() {
            self.take_in();
        }
    }

    /// A block as a task.
    fn task(&self, block: u64, records: &[u32], start: Partition) -> Classes {
        let (temperatures, moves) = (self.temperatures.clone(), self.block_moves(records.len()));
        Classes {
            instance: Arc::new(self.instance.subset(records)),
            names: (self.rule.clone(), self.loss.name()),
            start,
            work: Work::Cool { temperatures, moves, stream: self.stream(block) },
            limit: None,
            seed: self.seed,
        }
    }

    /// What has come back of a block. An answer that is none is not taken: the block is annealed here.
    fn returned(&self, block: u64, records: &[u32], start: Partition, kept: Kept) -> Done {
        let instance = self.instance.subset(records);
        let annealed = match kept {
            Kept::Annealed(annealed) if fits(&annealed, &instance, &self.rule) => annealed,
            _ => {
                let whole = Annealed { labels: start.labels.clone(), moves: 0 };
                carry_out(&self.task(block, records, start), self.loss, &self.rule, &self.params, &|| false)
                    .unwrap_or(whole)
            }
        };
        self.done(&instance, records, &annealed)
    }

    fn done(&self, instance: &Instance, records: &[u32], annealed: &Annealed) -> Done {
        let part = Partition::from_labels(&annealed.labels);
        let global = |class: Vec<u32>| class.into_iter().map(|r| records[r as usize]).collect();
        let classes = part.members().into_iter().map(global).collect();
        Done { value: part.loss(instance, &self.loss), classes, moves: annealed.moves }
    }

    /// Takes in the blocks, in groups from the last one, each group from its first.
    fn take_in(&mut self) {
        let mut left = std::mem::take(&mut self.under_way).blocks;
        self.open.clear();
        // `blocks` begins with the last block.
        while !left.is_empty() {
            let rest = left.split_off(left.len().min(AT_ONCE));
            for done in std::mem::replace(&mut left, rest).into_iter().rev().flatten() {
                self.take(done);
            }
        }
    }

    fn take(&mut self, done: Done) {
        self.moves += done.moves;
        self.value += done.value;
        self.classes.extend(done.classes);
    }

    /// Ends a round early: what is being annealed joins at its best, what is not begun as it was.
    pub(super) fn break_off(&mut self) {
        let Round { blocks, mut away } = std::mem::take(&mut self.under_way);
        for done in blocks.into_iter().flatten() {
            self.take(done);
        }
        for (block, best) in self.here.best() {
            if let Some((records, _)) = away.remove(&block) {
                let instance = self.instance.subset(&records);
                self.take(self.done(&instance, &records, &best));
            }
        }
        self.here.clear();
        for (records, start) in away.into_values() {
            let instance = self.instance.subset(&records);
            self.take(self.done(&instance, &records, &Annealed { labels: start.labels, moves: 0 }));
        }
        for class in std::mem::take(&mut self.open).into_iter().flatten() {
            self.value += self.loss.class(&self.instance, &class);
            self.classes.push(class);
        }
    }
}
