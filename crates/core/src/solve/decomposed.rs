//! Column generation in blocks (paper 1, section IV, steps 3 to 5): whole classes of a start are put one after another
//! into blocks of about n/s records, and each block is solved by column generation as a problem of its own. The sum of the
//! blocks' bounds is a bound of the decomposed problem: no partition that keeps to the blocks loses less. The whole
//! problem may.
//!
//! A block that is finished is kept by [`Checkpoint`](crate::checkpoint::Checkpoint), if there is one.

use std::sync::Arc;

use lookalike_wire::{
    event::Progress,
    job::{Answer, Bound, BoundOf, Job, Status},
    kept::Kept,
    proof::ColumnWork,
    settings::{Budget, Method, SearchOptions},
};

use super::Search;
use crate::{
    Ctx, Error,
    checkpoint::{Key, key},
    colgen::{ColumnGeneration, measure::Priceable},
    construct,
    instance::Instance,
    partition::Partition,
    rule::Rule,
    search::blocks::{fill, local},
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
pub(super) struct Decomposed<L: Priceable, R: Rule> {
    job: Job,
    loss: L,
    rule: R,
    blocks: Vec<Block>,
    /// Answers to the first blocks.
    done: Vec<Answer>,
    current: Option<(ColumnGeneration<L, R>, Key, f64)>,
    /// What the current block had reached when it was cancelled.
    broken_off: Option<Answer>,
    status: Status,
}

impl<L: Priceable, R: Rule> Decomposed<L, R> {
    /// Checks the job, builds the start and cuts it.
    ///
    /// # Errors
    /// As [`ColumnGeneration::new`].
    pub(super) fn new(job: &Job, loss: L, rule: R, count: usize) -> Result<Self, Error> {
        if rule.min_size() < 2 {
            return Err(Error::Input(format!("{} protects nobody: it must be at least 2", rule.describe())));
        }
        let instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let start = job.search.start.unwrap_or(Method::Classic);
        let start = construct::build(start, &instance, &loss, &rule, job.seed)?;
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
            job: job.clone(),
            loss,
            rule,
            blocks,
            done: Vec::new(),
            current: None,
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
        Job {
            points,
            colours: codes,
            budget,
            search: SearchOptions { blocks: None, ..job.search },
            seed: job.seed.wrapping_add(index as u64),
            ..job.clone()
        }
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
        self.done.get(block).or(self.broken_off.as_ref().filter(|_| block == self.done.len()))
    }

    fn report(&self, ctx: &Ctx, started: f64) {
        (ctx.progress)(&Progress {
            phase: format!(
                "column generation, block {} of {}",
                (self.done.len() + 1).min(self.blocks.len()),
                self.blocks.len()
            ),
            fraction: Some(self.done.len() as f64 / self.blocks.len().max(1) as f64),
            incumbent: Some(self.loss()),
            bound: None,
            moves: Some(self.done.iter().map(|a| a.moves).sum()),
            seconds: (ctx.clock)() - started,
        });
    }
}

impl<L: Priceable, R: Rule> Search for Decomposed<L, R> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let index = self.done.len();
        if index == self.blocks.len() || self.broken_off.is_some() {
            return Ok(true);
        }
        let quiet = Ctx { progress: &|_| {}, ..*ctx };
        if self.current.is_none() {
            let now = (ctx.clock)();
            let part = self.part(index, now - started);
            let key = key(&part, self.job.budget);
            let kept = ctx.checkpoint.and_then(|checkpoint| checkpoint.load(&key));
            if let Some(Kept::Solved(answer)) = kept
                && answer.labels.len() == part.colours.len()
            {
                self.done.push(*answer);
                self.report(ctx, started);
                return Ok(self.done.len() == self.blocks.len());
            }
            // Not before: what was finished belongs to the best so far.
            if (ctx.cancelled)() {
                self.status = Status::Cancelled;
                return Ok(true);
            }
            self.current = Some((ColumnGeneration::new(&part, self.loss, self.rule)?, key, now));
        }
        let Some((search, key, began)) = &mut self.current else { return Ok(false) };
        if !search.step(&quiet, *began)? {
            return Ok(false);
        }
        let answer = search.finish();
        if answer.status == Status::Cancelled {
            self.broken_off = Some(answer);
            self.status = Status::Cancelled;
            return Ok(true);
        }
        if let Some(checkpoint) = ctx.checkpoint {
            checkpoint.save(key, &Kept::Solved(Box::new(answer.clone())));
        }
        self.current = None;
        self.done.push(answer);
        self.report(ctx, started);
        Ok(self.done.len() == self.blocks.len())
    }

    fn finish(&mut self) -> Answer {
        if let Some((mut search, ..)) = self.current.take() {
            self.broken_off = Some(search.finish());
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
        let bounds: Option<Vec<f64>> =
            self.done.iter().map(|answer| answer.bound.as_ref().map(|bound| bound.value)).collect();
        let whole = self.done.len() == self.blocks.len();
        let bound = bounds.filter(|_| whole).map(|values| Bound {
            value: values.iter().sum(),
            proven_by: String::from("the sum of the blocks' bounds, each by feasible duals"),
            of: BoundOf::DecomposedProblem,
        });
        let optimal = self.done.iter().filter(|answer| answer.status == Status::Optimal).count();
        Answer {
            freeform: None,
            labels: Partition::from_labels(&labels).labels,
            loss: self.loss(),
            status: self.status.clone(),
            bound,
            method: format!(
                "column generation in {} blocks of whole classes, {optimal} of them solved to proven optimality",
                self.blocks.len()
            ),
            moves: self.done.iter().map(|answer| answer.moves).sum(),
            threads: self.done.iter().map(|answer| answer.threads).max().unwrap_or(1),
            seconds: 0.0,
            work: Some(work(&self.done)),
            // Those of the blocks prove nothing of the whole.
            duals: None,
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
