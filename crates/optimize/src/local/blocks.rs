//! Decomposition (Tobar 2023, section IV, steps 3 to 5): whole classes of the start are put one after another into blocks
//! of about n/s records; each block is a problem of its own, and they are solved side by side. The paper solves a block
//! by column generation, this does it by annealing. What is reached is a solution of the whole; a bound of the blocks
//! would bound the decomposed problem only.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use lookalike_model::{
    block::Work,
    checkpoint::Queue,
    instance::Instance,
    job::Status,
    kept::{Annealed, Kept},
    loss::Loss,
    partition::Partition,
    rule::Rule,
    settings::Budget,
};

use super::{
    improvement::{Improvement, out_of_time, spent},
    params::Params,
};
use crate::{
    checkpoint::StageParts,
    queue::{
        Classes, carry_out, fits,
        in_process::{AT_ONCE, Here},
    },
};

/// A block: its classes, whose records are those of the whole, and what they lose.
struct Block {
    classes: Vec<Vec<u32>>,
    loss: f64,
}

/// A running decomposition.
pub struct Blocks<L: Loss> {
    instance: Arc<Instance>,
    loss: L,
    rule: Rule,
    budget: Budget,
    seed: u64,
    params: Arc<Params>,
    /// Annealed up to `next`, but for those that are away; from there on as the start has them.
    all: Vec<Block>,
    next: usize,
    /// The records of blocks that are being annealed, and their classes.
    away: BTreeMap<u64, (Vec<u32>, Partition)>,
    /// Who anneals them, where nobody else does.
    here: Rc<Here<L>>,
    moves: u64,
}

impl<L: Loss> Blocks<L> {
    /// Fills `count` blocks (fewer if there are fewer classes) with the classes of an admissible start.
    pub fn new(
        instance: &Arc<Instance>,
        loss: L,
        rule: Rule,
        start: &Partition,
        count: usize,
        budget: Budget,
        seed: u64,
    ) -> Self {
        Self::with_params(instance, loss, rule, (start, count), (budget, seed), &Arc::default())
    }

    /// The same with these parameters.
    pub fn with_params(
        instance: &Arc<Instance>,
        loss: L,
        rule: Rule,
        (start, count): (&Partition, usize),
        (budget, seed): (Budget, u64),
        params: &Arc<Params>,
    ) -> Self {
        let block = |classes: Vec<Vec<u32>>| {
            let value = classes.iter().map(|class| loss.class(instance, class)).sum();
            Block { classes, loss: value }
        };
        Self {
            all: fill(start, count).into_iter().map(block).collect(),
            instance: Arc::clone(instance),
            loss,
            rule: rule.clone(),
            budget,
            seed,
            params: Arc::clone(params),
            next: 0,
            away: BTreeMap::new(),
            here: Rc::new(Here::new(loss, rule, params)),
            moves: 0,
        }
    }

    /// Puts blocks on the queue and takes one that is done; true when all are. Those that were finished before an
    /// interruption are taken as they are.
    fn hand_on(&mut self, elapsed: f64, parts: Option<StageParts<'_>>, queue: &dyn Queue<Classes>) -> bool {
        let room = queue.room();
        let mut some = Vec::new();
        while some.len() < room && self.next < self.all.len() {
            let (records, start) = local(&self.all[self.next].classes);
            match parts.and_then(|parts| parts.annealed(&records, &start.labels)) {
                Some(kept) => self.close(self.next, &records, &kept),
                None => some.push((self.next as u64, records, start)),
            }
            self.next += 1;
        }
        let left = (some.len() + self.all.len() - self.next).div_ceil(AT_ONCE).max(1);
        let limit = match self.budget {
            Budget::Seconds(limit) => Some((limit - elapsed).max(0.0) / left as f64),
            Budget::Effort(_) => None,
        };
        for (block, records, start) in some {
            queue.put(block, Classes { limit, ..self.task(block, &records, start.clone()) });
            self.away.insert(block, (records, start));
        }
        if let Some((block, kept)) = queue.take()
            && let Some((records, start)) = self.away.remove(&block)
        {
            let annealed = self.returned(block, &records, &start, kept);
            self.close(block as usize, &records, &annealed);
            if let Some(parts) = parts {
                parts.keep_annealed(&records, &start.labels, annealed);
            }
        }
        self.next == self.all.len() && self.away.is_empty()
    }

    /// A block as a task.
    fn task(&self, block: u64, records: &[u32], start: Partition) -> Classes {
        let effort = match self.budget {
            Budget::Effort(effort) => effort,
            Budget::Seconds(_) => 0.0,
        };
        Classes {
            instance: Arc::new(self.instance.subset(records)),
            names: (self.rule.clone(), self.loss.name()),
            start,
            work: Work::Anneal { effort },
            limit: None,
            seed: self.seed.wrapping_add(block),
        }
    }

    /// What has come back of a block. An answer that is none is not taken: the block is annealed here.
    fn returned(&self, block: u64, records: &[u32], start: &Partition, kept: Kept) -> Annealed {
        match kept {
            Kept::Annealed(annealed) if fits(&annealed, &self.instance.subset(records), &self.rule) => {
                annealed
            }
            _ => {
                let task = self.task(block, records, start.clone());
                let whole = Annealed { labels: start.labels.clone(), moves: 0 };
                carry_out(&task, self.loss, &self.rule, &self.params, &|| false).unwrap_or(whole)
            }
        }
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
#[must_use]
pub fn fill(start: &Partition, count: usize) -> Vec<Vec<Vec<u32>>> {
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
#[must_use]
pub fn local(classes: &[Vec<u32>]) -> (Vec<u32>, Partition) {
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
    fn phase(&self) -> crate::Phase {
        crate::Phase::Blocks
    }

    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        self.resume(elapsed, None)
    }

    fn resume(&mut self, elapsed: f64, parts: Option<StageParts<'_>>) -> Option<Status> {
        if out_of_time(self.budget, elapsed) {
            return Some(Status::TimeLimit);
        }
        let here = Rc::clone(&self.here);
        here.at(elapsed);
        let others = parts.and_then(|parts| parts.others(&self.instance, self.budget));
        let queue: &dyn Queue<Classes> = match &others {
            Some(others) => others,
            None => &*here,
        };
        self.hand_on(elapsed, parts, queue).then(|| spent(self.budget))
    }

    fn fraction(&self) -> Option<f64> {
        let done = (self.next - self.away.len()) as f64;
        let open: f64 = self.here.annealings(Improvement::fraction).iter().filter_map(|open| open.1).sum();
        Some((done + open) / self.all.len().max(1) as f64)
    }

    fn loss(&self) -> f64 {
        let open: BTreeMap<u64, f64> = self.here.annealings(Improvement::loss).into_iter().collect();
        let all = self.all.iter().enumerate();
        all.map(|(number, block)| open.get(&(number as u64)).copied().unwrap_or(block.loss)).sum()
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
        let open: BTreeMap<u64, Annealed> = self.here.best().into_iter().collect();
        for (number, block) in self.all.iter().enumerate() {
            let number = number as u64;
            match (open.get(&number), self.away.get(&number)) {
                (Some(best), Some((records, _))) => {
                    for class in Partition::from_labels(&best.labels).members() {
                        put(&mut class.into_iter().map(|i| records[i as usize]));
                    }
                }
                _ => block.classes.iter().for_each(|class| put(&mut class.iter().copied())),
            }
        }
        Partition::from_labels(&labels)
    }

    fn moves(&self) -> u64 {
        self.moves + self.here.moves()
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads().min(self.all.len()).min(AT_ONCE)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};

    use super::*;

    #[test]
    fn blocks_are_filled_with_whole_classes_and_solved_apart() {
        // Classes {0, 10} {1, 11} {20, 30} {21, 31}: two blocks of two classes, each solved to the optimum, nothing
        // across.
        let points = [0., 10., 1., 11., 20., 30., 21., 31.];
        let instance = Arc::new(instance(1, &points, &[0; 8]));
        let start = Partition::from_labels(&[0, 0, 1, 1, 2, 2, 3, 3]);
        let rule = Rule::at_least(2);
        let mut blocks = Blocks::new(&instance, Sse, rule.clone(), &start, 2, Budget::Effort(2.0), 1);
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
