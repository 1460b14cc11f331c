//! The blocks of a decomposition, and who solves them: whole classes of a start, put one after another into blocks of about n/s
//! records, each a problem of its own for column generation.
//!
//! A block that is finished is kept by [`Checkpoint`](lookalike_model::checkpoint::Checkpoint), if there is one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use lookalike_model::{
    Ctx,
    checkpoint::{Key, Queue},
    event::Progress,
    instance::Instance,
    job::{Answer, Job, Status},
    kept::Kept,
    partition::Partition,
    proof::ColumnWork,
    received::{received, unchecked},
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions, Extent},
};

use super::{
    one_by_one::{OneByOne, Stepped},
    side_by_side::SideBySide,
};
use crate::{
    Error, Phase,
    checkpoint::key,
    exact::loss::Priceable,
    local::blocks::{fill, local},
    queue::others::Others,
    solve::{search::Chosen, whole},
};

/// A problem of its own within the whole.
struct Block {
    /// Its records, ascending.
    records: Vec<u32>,
    /// What it starts from: classes of the whole's start.
    start: Partition,
    start_loss: f64,
}

/// Blocks that are being solved.
pub(super) struct Blocks<L: Priceable> {
    /// The whole's, with the method that solves a block.
    job: Job,
    /// When the blocks are to be solved, where there is a time limit.
    until: f64,
    loss: L,
    rule: Rule,
    chosen: Chosen,
    parts: Vec<Block>,
    /// Answers to the first blocks.
    done: Vec<Answer>,
    here: Here<L>,
    /// The first block that was not put on a queue.
    next: usize,
    /// Blocks on a queue, and the keys under which their answers are kept.
    away: BTreeMap<usize, Key>,
    /// Answers that came before those to earlier blocks.
    early: BTreeMap<usize, Answer>,
    /// Blocks to which others gave an answer that is none.
    refused: BTreeSet<usize>,
    /// What blocks had reached when the search was cancelled.
    broken_off: BTreeMap<usize, Answer>,
}

/// Who solves blocks in this process.
enum Here<L: Priceable> {
    /// Each with all threads, or the only one.
    OneByOne(Option<Box<Stepped<L>>>),
    /// Several at once.
    SideBySide(SideBySide<L>),
}

impl<L: Priceable> Here<L> {
    /// Whether no block is under way here.
    fn is_idle(&self) -> bool {
        match self {
            Self::OneByOne(current) => current.is_none(),
            Self::SideBySide(here) => here.is_idle(),
        }
    }
}

impl<L: Priceable> Blocks<L> {
    /// Cuts a partition into blocks; `until` is when they are to be solved.
    pub(super) fn new(
        job: &Job,
        (options, count): (&ColumnGenerationOptions, usize),
        (instance, start): (&Arc<Instance>, &Partition),
        loss: L,
        until: f64,
        chosen: &Chosen,
    ) -> Self {
        let parts = fill(start, count).into_iter().map(|classes| {
            let start_loss = classes.iter().map(|class| loss.class(instance, class)).sum();
            let (records, start) = local(&classes);
            Block { records, start, start_loss }
        });
        // A clock cannot be asked from other threads.
        let several = rayon::current_num_threads() > 1 && matches!(job.budget, Budget::Effort(_));
        let here = if several {
            Here::SideBySide(SideBySide::new(loss, job.rule.clone(), whole(chosen)))
        } else {
            Here::OneByOne(None)
        };
        Self {
            // A block is solved as a whole; its duals prove nothing of all blocks.
            job: Job {
                method: ColumnGenerationOptions { extent: Extent::default(), ..*options }.into(),
                duals: false,
                ..job.clone()
            },
            until,
            loss,
            rule: job.rule.clone(),
            chosen: chosen.clone(),
            parts: parts.collect(),
            done: Vec::new(),
            here,
            next: 0,
            away: BTreeMap::new(),
            early: BTreeMap::new(),
            refused: BTreeSet::new(),
            broken_off: BTreeMap::new(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.parts.len()
    }

    /// How many have ended like this.
    pub(super) fn ended(&self, status: &Status) -> usize {
        self.done.iter().filter(|answer| answer.status == *status).count()
    }

    /// Answers to the first blocks.
    pub(super) fn done(&self) -> &[Answer] {
        &self.done
    }

    /// Whether a block was under way when the search was cancelled.
    pub(super) fn is_over(&self) -> bool {
        self.done.len() == self.parts.len() || !self.broken_off.is_empty()
    }

    /// The block as a job.
    fn part(&self, index: usize, elapsed: f64) -> Job {
        let (job, records) = (&self.job, &self.parts[index].records);
        let reals = job.points.len() / job.dims;
        let real = records.iter().map(|&i| i as usize).filter(|&i| i < reals);
        let points = real.flat_map(|i| &job.points[i * job.dims..(i + 1) * job.dims]).copied().collect();
        let mut codes: Vec<u32> = records.iter().map(|&i| job.colours[i as usize]).collect();
        let mut known = codes.clone();
        known.sort_unstable();
        known.dedup();
        for code in &mut codes {
            // Every code is among those known.
            *code = known.partition_point(|k| k < code) as u32;
        }
        let budget = match job.budget {
            Budget::Effort(effort) => Budget::Effort(effort),
            Budget::Seconds(_) => {
                Budget::Seconds((self.until - elapsed).max(0.0) / (self.parts.len() - index) as f64)
            }
        };
        Job { points, colours: codes, budget, seed: job.seed.wrapping_add(index as u64), ..job.clone() }
    }

    /// The loss of all blocks so far; what the start had stays where it is better.
    pub(super) fn loss(&self) -> f64 {
        self.parts
            .iter()
            .enumerate()
            .map(|(b, block)| self.reached(b).map_or(block.start_loss, |a| a.loss.min(block.start_loss)))
            .sum()
    }

    fn reached(&self, block: usize) -> Option<&Answer> {
        self.done.get(block).or_else(|| self.early.get(&block)).or_else(|| self.broken_off.get(&block))
    }

    /// Puts blocks on a queue and takes in one that is done; true when all are. Those that were finished before an
    /// interruption are taken as they are.
    fn hand_on(&mut self, queue: &dyn Queue<Job>, others: bool, ctx: &Ctx, started: f64) -> bool {
        let mut room = queue.room();
        while room > 0
            && let Some(block) = self.following()
        {
            let part = self.part(block, (ctx.clock)() - started);
            let key = key(&part, self.job.budget, &self.chosen.changes);
            match ctx.checkpoint.and_then(|checkpoint| checkpoint.load(&key)) {
                Some(Kept::Solved(answer)) if answer.labels.len() == part.colours.len() => {
                    self.early.insert(block, *answer);
                }
                // Not before: what was finished belongs to the best so far.
                _ if (ctx.cancelled)() => break,
                _ => {
                    queue.put(block as u64, part);
                    self.away.insert(block, key);
                    room -= 1;
                }
            }
        }
        if let Some((number, kept)) = queue.take()
            && let Some(key) = self.away.remove(&(number as usize))
        {
            self.returned(number as usize, &key, kept, others, ctx);
        }
        while let Some(answer) = self.early.remove(&self.done.len()) {
            self.done.push(answer);
        }
        self.done.len() == self.parts.len()
    }

    /// The block that is put on a queue next.
    fn following(&mut self) -> Option<usize> {
        self.refused.pop_first().or_else(|| {
            let next = (self.next < self.parts.len()).then_some(self.next);
            self.next += usize::from(next.is_some());
            next
        })
    }

    /// What has come back of a block. What others say is taken as far as it was checked.
    fn returned(&mut self, block: usize, key: &Key, kept: Kept, others: bool, ctx: &Ctx) {
        let answer = match kept {
            Kept::Solved(answer) if others => received(&self.part(block, 0.0), *answer, &unchecked).ok(),
            Kept::Solved(answer) if answer.status == Status::Cancelled => {
                self.broken_off.insert(block, *answer);
                return;
            }
            Kept::Solved(answer) => Some(*answer),
            _ => None,
        };
        let Some(answer) = answer else {
            self.refused.insert(block);
            return;
        };
        if let Some(checkpoint) = ctx.checkpoint {
            checkpoint.save(key, &Kept::Solved(Box::new(answer.clone())));
        }
        self.early.insert(block, answer);
    }

    /// The sum of the blocks' bounds, if all blocks are done and each has one.
    pub(super) fn sum(&self, bound: impl Fn(&Answer) -> Option<f64>) -> Option<f64> {
        let bounds: Option<Vec<f64>> = self.done.iter().map(bound).collect();
        bounds.filter(|bounds| bounds.len() == self.parts.len()).map(|bounds| bounds.iter().sum())
    }

    /// Goes one step; true when all blocks are done, or none will be.
    pub(super) fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let before = self.done.len();
        let others = ctx.checkpoint.and_then(|checkpoint| checkpoint.queue());
        // With a time limit a block's share follows the clock, and parameters do not travel. What others have refused to do is done here.
        let others = others.filter(|_| {
            matches!(self.job.budget, Budget::Effort(_))
                && self.chosen.changes.is_empty()
                && self.refused.is_empty()
                && self.here.is_idle()
        });
        let done = match others {
            Some(others) => self.hand_on(&Others(others), true, ctx, started),
            None => self.go_on(ctx, started)?,
        };
        if others.is_some() || self.done.len() > before {
            self.report(ctx, started);
        }
        Ok(done)
    }

    /// Solves blocks here.
    fn go_on(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        match std::mem::replace(&mut self.here, Here::OneByOne(None)) {
            Here::OneByOne(current) => {
                let here = OneByOne::new(
                    self.loss,
                    self.rule.clone(),
                    whole(&self.chosen),
                    ctx,
                    current.map(|stepped| *stepped),
                );
                let done = self.hand_on(&here, false, ctx, started);
                self.here = Here::OneByOne(here.leave()?.map(Box::new));
                Ok(done)
            }
            Here::SideBySide(here) => {
                let done = self.hand_on(&here, false, ctx, started);
                if let Some(error) = here.failure() {
                    here.leave();
                    return Err(error);
                }
                self.here = Here::SideBySide(here);
                Ok(done)
            }
        }
    }

    /// Breaks off what is under way here.
    pub(super) fn leave(&mut self) {
        match std::mem::replace(&mut self.here, Here::OneByOne(None)) {
            Here::OneByOne(current) => self.broken_off.extend(current.map(|stepped| stepped.leave())),
            Here::SideBySide(here) => self.broken_off.extend(here.leave()),
        }
    }

    /// The classes of all blocks, at their best so far.
    pub(super) fn union(&self) -> Partition {
        let mut labels = vec![0; self.job.colours.len()];
        let mut first = 0;
        for (b, block) in self.parts.iter().enumerate() {
            let better = self.reached(b).filter(|answer| answer.loss < block.start_loss);
            let part = better.map_or(block.start.clone(), |answer| Partition::from_labels(&answer.labels));
            for (&i, label) in block.records.iter().zip(&part.labels) {
                labels[i as usize] = first + label;
            }
            first += part.classes as u32;
        }
        Partition::from_labels(&labels)
    }

    fn report(&self, ctx: &Ctx, started: f64) {
        (ctx.progress)(&Progress {
            phase: Phase::ColumnGenerationInBlocks {
                block: (self.done.len() + 1).min(self.parts.len()),
                blocks: self.parts.len(),
            }
            .into(),
            fraction: Some(self.done.len() as f64 / self.parts.len().max(1) as f64),
            incumbent: Some(self.loss()),
            bound: None,
            moves: Some(self.done.iter().map(|a| a.moves).sum()),
            seconds: (ctx.clock)() - started,
            ..Progress::default()
        });
    }
}

/// The work of all blocks.
pub(super) fn work(done: &[Answer]) -> ColumnWork {
    let mut all = ColumnWork::default();
    for part in done.iter().filter_map(|answer| answer.work) {
        all.rounds += part.rounds;
        all.columns += part.columns;
        all.exact_pricings += part.exact_pricings;
        all.nodes += part.nodes;
        all.cuts += part.cuts;
        all.neighbourhoods += part.neighbourhoods;
    }
    all
}
