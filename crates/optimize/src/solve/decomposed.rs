//! Column generation in blocks (Tobar 2023, section IV, steps 3 to 5): whole classes of a start are put one after another
//! into blocks of about n/s records, and each block is solved by column generation as a problem of its own. The sum of the
//! blocks' bounds is a bound of the decomposed problem: no partition that keeps to the blocks loses less. The whole
//! problem may.
//!
//! A block that is finished is kept by [`Checkpoint`](lookalike_model::checkpoint::Checkpoint), if there is one.

mod in_process;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use lookalike_model::{
    Ctx,
    checkpoint::{Key, Queue},
    event::Progress,
    instance::Instance,
    job::{Answer, Bound, BoundOf, Claimed, Job, Status},
    kept::Kept,
    partition::Partition,
    proof::ColumnWork,
    received::{received, unchecked},
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions, Construction, Extent},
};

use self::in_process::{Here, Stepped};
use super::{
    FoundBy, ProvenByBlocks,
    search::{Chosen, Search},
};
use crate::{
    Error, Phase,
    checkpoint::key,
    construct,
    exact::loss::Priceable,
    local::blocks::{fill, local},
    queue::others::Others,
};

/// A problem of its own within the whole.
struct Block {
    /// Its records, ascending.
    records: Vec<u32>,
    /// What it starts from: classes of the whole's start.
    start: Partition,
    start_loss: f64,
}

/// A running column generation in blocks.
pub(super) struct Decomposed<L: Priceable> {
    job: Job,
    loss: L,
    rule: Rule,
    chosen: Chosen,
    blocks: Vec<Block>,
    /// Answers to the first blocks.
    done: Vec<Answer>,
    /// The block that is being solved here.
    current: Option<Stepped<L>>,
    /// The first block that was not put on a queue.
    next: usize,
    /// Blocks on a queue, and the keys under which their answers are kept.
    away: BTreeMap<usize, Key>,
    /// Answers that came before those to earlier blocks.
    early: BTreeMap<usize, Answer>,
    /// Blocks to which others gave an answer that is none.
    refused: BTreeSet<usize>,
    /// What a block had reached when it was cancelled.
    broken_off: Option<(usize, Answer)>,
    status: Status,
}

impl<L: Priceable> Decomposed<L> {
    /// Checks the job, builds the start and cuts it.
    ///
    /// # Errors
    /// As [`crate::exact::column_generation`].
    pub(super) fn new(
        job: &Job,
        options: &ColumnGenerationOptions,
        loss: L,
        rule: Rule,
        count: usize,
        chosen: &Chosen,
    ) -> Result<Self, Error> {
        rule.protects()?;
        let instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let start = options.start.unwrap_or(Construction::Classic);
        let start =
            construct::build_with(start, &instance, &loss, &rule, job.seed, &chosen.params.construct)?;
        let start = construct::cut_large(&instance, &rule, start);
        start.check(&instance, &rule)?;
        let blocks = fill(&start, count).into_iter().map(|classes| {
            let start_loss = classes.iter().map(|class| loss.class(&instance, class)).sum();
            let (records, start) = local(&classes);
            Block { records, start, start_loss }
        });
        let status = spent(job.budget);
        let blocks = blocks.collect();
        Ok(Self {
            // A block is solved as a whole; its duals prove nothing of all blocks.
            job: Job {
                method: ColumnGenerationOptions { extent: Extent::default(), ..*options }.into(),
                ..job.clone()
            },
            loss,
            rule,
            chosen: chosen.clone(),
            blocks,
            done: Vec::new(),
            current: None,
            next: 0,
            away: BTreeMap::new(),
            early: BTreeMap::new(),
            refused: BTreeSet::new(),
            broken_off: None,
            status,
        })
    }

    /// The block as a job.
    fn part(&self, index: usize, elapsed: f64) -> Job {
        let (job, records) = (&self.job, &self.blocks[index].records);
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
            Budget::Seconds(limit) => {
                Budget::Seconds((limit - elapsed).max(0.0) / (self.blocks.len() - index) as f64)
            }
        };
        Job { points, colours: codes, budget, seed: job.seed.wrapping_add(index as u64), ..job.clone() }
    }

    /// The loss of all blocks so far; what the start had stays where it is better.
    fn loss(&self) -> f64 {
        self.blocks
            .iter()
            .enumerate()
            .map(|(b, block)| self.reached(b).map_or(block.start_loss, |a| a.loss.min(block.start_loss)))
            .sum()
    }

    fn reached(&self, block: usize) -> Option<&Answer> {
        self.done.get(block).or_else(|| self.early.get(&block)).or(self
            .broken_off
            .as_ref()
            .filter(|(of, _)| *of == block)
            .map(|(_, answer)| answer))
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
        self.done.len() == self.blocks.len()
    }

    /// The block that is put on a queue next.
    fn following(&mut self) -> Option<usize> {
        self.refused.pop_first().or_else(|| {
            let next = (self.next < self.blocks.len()).then_some(self.next);
            self.next += usize::from(next.is_some());
            next
        })
    }

    /// What has come back of a block. What others say is taken as far as it was checked.
    fn returned(&mut self, block: usize, key: &Key, kept: Kept, others: bool, ctx: &Ctx) {
        let answer = match kept {
            Kept::Solved(answer) if others => received(&self.part(block, 0.0), *answer, &unchecked).ok(),
            Kept::Solved(answer) if answer.status == Status::Cancelled => {
                self.broken_off = Some((block, *answer));
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
    fn sum(&self, bound: impl Fn(&Answer) -> Option<f64>) -> Option<f64> {
        let bounds: Option<Vec<f64>> = self.done.iter().map(bound).collect();
        bounds.filter(|bounds| bounds.len() == self.blocks.len()).map(|bounds| bounds.iter().sum())
    }

    fn report(&self, ctx: &Ctx, started: f64) {
        (ctx.progress)(&Progress {
            phase: Phase::ColumnGenerationInBlocks {
                block: (self.done.len() + 1).min(self.blocks.len()),
                blocks: self.blocks.len(),
            }
            .into(),
            fraction: Some(self.done.len() as f64 / self.blocks.len().max(1) as f64),
            incumbent: Some(self.loss()),
            bound: None,
            moves: Some(self.done.iter().map(|a| a.moves).sum()),
            seconds: (ctx.clock)() - started,
            ..Progress::default()
        });
    }
}

impl<L: Priceable> Search for Decomposed<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let before = self.done.len();
        if before == self.blocks.len() || self.broken_off.is_some() {
            return Ok(true);
        }
        let others = ctx.checkpoint.and_then(|checkpoint| checkpoint.queue());
        // With a time limit a block's share follows the clock, and parameters do not travel. What others have refused to do is done here.
        let others = others.filter(|_| {
            matches!(self.job.budget, Budget::Effort(_))
                && self.chosen.changes.is_empty()
                && self.refused.is_empty()
                && self.current.is_none()
        });
        let done = if let Some(others) = others {
            self.hand_on(&Others(others), true, ctx, started)
        } else {
            let here =
                Here::new(self.loss, self.rule.clone(), super::whole(&self.chosen), ctx, self.current.take());
            let done = self.hand_on(&here, false, ctx, started);
            self.current = here.leave()?;
            done
        };
        if others.is_some() || self.done.len() > before {
            self.report(ctx, started);
        }
        if !done && (ctx.cancelled)() {
            self.status = Status::Cancelled;
            return Ok(true);
        }
        Ok(done)
    }

    fn finish(&mut self) -> Answer {
        if let Some(stepped) = self.current.take() {
            self.broken_off = Some(stepped.leave());
        }
        let mut labels = vec![0; self.job.colours.len()];
        let mut first = 0;
        for (b, block) in self.blocks.iter().enumerate() {
            let better = self.reached(b).filter(|answer| answer.loss < block.start_loss);
            let part = better.map_or(block.start.clone(), |answer| Partition::from_labels(&answer.labels));
            for (&i, label) in block.records.iter().zip(&part.labels) {
                labels[i as usize] = first + label;
            }
            first += part.classes as u32;
        }
        let of = BoundOf::DecomposedProblem;
        let proven = |answer: &Answer| answer.bound.as_ref().map(|bound| bound.value);
        let bound =
            self.sum(proven).map(|value| Bound { value, proven_by: ProvenByBlocks::SumOfBounds.into(), of });
        let said = |answer: &Answer| proven(answer).or(answer.claimed.and_then(|claimed| claimed.bound));
        let claimed = self
            .done
            .iter()
            .any(|answer| answer.claimed.is_some())
            .then(|| Claimed { bound: self.sum(said).filter(|_| bound.is_none()), of });
        let ended = |status: &Status| self.done.iter().filter(|answer| answer.status == *status).count();
        Answer {
            freeform: None,
            labels: Partition::from_labels(&labels).labels,
            loss: self.loss(),
            status: self.status.clone(),
            bound,
            claimed,
            method: FoundBy::ColumnGenerationInBlocks {
                blocks: self.blocks.len(),
                solved: ended(&Status::Optimal),
                claimed: ended(&Status::OptimalClaimed),
            }
            .into(),
            moves: self.done.iter().map(|answer| answer.moves).sum(),
            threads: self.done.iter().map(|answer| answer.threads).max().unwrap_or(1),
            seconds: 0.0,
            work: Some(work(&self.done)),
            // Those of the blocks prove nothing of the whole.
            duals: None,
            parameters: BTreeMap::new(),
        }
    }
}

/// The work of all blocks.
fn work(done: &[Answer]) -> ColumnWork {
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

/// Why a search ends that has nothing left to do: nothing is proven of the whole problem.
fn spent(budget: Budget) -> Status {
    match budget {
        Budget::Effort(_) => Status::EffortSpent,
        Budget::Seconds(_) => Status::TimeLimit,
    }
}
