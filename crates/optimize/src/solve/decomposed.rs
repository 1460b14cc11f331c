//! Column generation in blocks (Tobar 2023, section IV): a start; two-swapping, if asked for; whole classes one after another into
//! blocks, each of them solved by column generation; their union; two-swapping of all records, unless it is left out.
//!
//! The sum of the blocks' bounds is a bound of the decomposed problem: no partition that keeps to the blocks loses less. The whole
//! problem may, and what two-swapping has made of the union need not keep to them: the answer has that bound only where nothing
//! was swapped after the blocks.

mod blocks;
mod one_by_one;
mod side_by_side;

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Answer, Bound, BoundOf, Claimed, Job, Status},
    partition::Partition,
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions, Construction, InBlocks},
};
use lookalike_words::Figure;

use self::blocks::{Blocks, work};
use super::{
    FoundBy, ProvenByBlocks,
    search::{Chosen, Search},
};
use crate::{
    Error, construct,
    exact::loss::Priceable,
    local::{Improvement as _, two_swap::TwoSwap},
};

/// A running column generation in blocks.
pub(super) struct Decomposed<L: Priceable> {
    job: Job,
    options: ColumnGenerationOptions,
    asked: InBlocks,
    instance: Arc<Instance>,
    loss: L,
    rule: Rule,
    chosen: Chosen,
    stage: Stage<L>,
    /// Cut anew after a first two-swapping.
    blocks: Blocks<L>,
    /// What two-swapping has made of the union, or is making.
    swapped: Option<Partition>,
    /// Swaps looked at, and threads that took part.
    moves: u64,
    threads: usize,
    status: Status,
}

enum Stage<L: Priceable> {
    First(TwoSwap<L>),
    Blocks,
    Last(TwoSwap<L>),
    Over,
}

impl<L: Priceable> Decomposed<L> {
    /// Checks the job, builds the start and cuts it.
    ///
    /// # Errors
    /// As [`crate::exact::column_generation`].
    pub(super) fn new(
        job: &Job,
        (options, asked): (&ColumnGenerationOptions, InBlocks),
        loss: L,
        rule: Rule,
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
        let nothing = matches!(job.budget, Budget::Effort(0.0) | Budget::Seconds(0.0));
        let asked = if nothing { InBlocks { swap_first: false, final_swap: false, ..asked } } else { asked };
        let ends = Ends::new(job.budget, asked, chosen);
        let blocks =
            Blocks::new(job, (options, asked.count.get()), (&instance, &start), loss, ends.blocks, chosen);
        let mut decomposed = Self {
            job: job.clone(),
            options: *options,
            asked,
            instance,
            loss,
            rule,
            chosen: chosen.clone(),
            stage: Stage::Blocks,
            blocks,
            swapped: None,
            moves: 0,
            threads: 1,
            // Nothing is proven of the whole problem, however the blocks end.
            status: match job.budget {
                Budget::Effort(_) => Status::EffortSpent,
                Budget::Seconds(_) => Status::TimeLimit,
            },
        };
        if asked.swap_first {
            decomposed.stage = Stage::First(decomposed.two_swap(&start, ends.first));
        }
        Ok(decomposed)
    }

    /// Two-swapping of all records, until a time if there is a time limit.
    fn two_swap(&self, start: &Partition, until: f64) -> TwoSwap<L> {
        let budget = match self.job.budget {
            Budget::Effort(effort) => Budget::Effort(effort),
            Budget::Seconds(_) => Budget::Seconds(until),
        };
        let params = &self.chosen.local.two_swap;
        TwoSwap::with_params(&self.instance, &self.loss, &self.rule, start, budget, params)
    }

    /// Takes over what a two-swapping has reached.
    fn swapped(&mut self, swap: &TwoSwap<L>) -> Partition {
        self.moves += swap.moves();
        self.threads = self.threads.max(swap.threads());
        swap.best()
    }

    /// Cuts the blocks anew from what the first two-swapping has reached.
    fn cut(&mut self, swap: &TwoSwap<L>) {
        let start = self.swapped(swap);
        let ends = Ends::new(self.job.budget, self.asked, &self.chosen);
        let count = self.asked.count.get();
        self.blocks = Blocks::new(
            &self.job,
            (&self.options, count),
            (&self.instance, &start),
            self.loss,
            ends.blocks,
            &self.chosen,
        );
    }

    /// What comes after the blocks.
    fn after_blocks(&self) -> Stage<L> {
        match (self.asked.final_swap, self.job.budget) {
            (false, _) => Stage::Over,
            (true, Budget::Seconds(limit)) => Stage::Last(self.two_swap(&self.blocks.union(), limit)),
            (true, Budget::Effort(_)) => Stage::Last(self.two_swap(&self.blocks.union(), f64::INFINITY)),
        }
    }

    /// The bound that the blocks have together, if classes keep to them.
    fn bound(&self) -> Option<f64> {
        self.blocks.sum(|answer| answer.bound.as_ref().map(|bound| bound.value))
    }

    /// How much could still be gained within the blocks, in per cent, rounded up.
    fn within(&self) -> Option<Figure> {
        let (loss, bound) = (self.blocks.loss(), self.bound()?);
        let percent = if loss > 0.0 { (100.0 * (loss - bound) / loss).clamp(0.0, 100.0) } else { 0.0 };
        Some(Figure::fixed((percent * 1000.0).ceil() / 1000.0, 3))
    }
}

/// When stages end, in seconds; they do not where there is no time limit.
struct Ends {
    first: f64,
    blocks: f64,
}

impl Ends {
    fn new(budget: Budget, asked: InBlocks, chosen: &Chosen) -> Self {
        let Budget::Seconds(limit) = budget else {
            return Self { first: f64::INFINITY, blocks: f64::INFINITY };
        };
        let by = &chosen.local.decompose;
        let share = |asked: bool, share: f64| if asked { share } else { 0.0 };
        let first = share(asked.swap_first, by.first_share);
        let last = share(asked.final_swap, by.swap_share);
        let all = (first + by.blocks_share + last).max(f64::MIN_POSITIVE);
        Self { first: limit * first / all, blocks: limit * (first + by.blocks_share) / all }
    }
}

impl<L: Priceable> Search for Decomposed<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let cancelled = (ctx.cancelled)();
        let elapsed = (ctx.clock)() - started;
        self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Over => Stage::Over,
            Stage::First(mut swap) => {
                if cancelled || swap.advance(elapsed).is_some() {
                    self.cut(&swap);
                    Stage::Blocks
                } else {
                    report(&swap, self.moves, ctx, elapsed);
                    Stage::First(swap)
                }
            }
            Stage::Blocks => {
                if self.blocks.is_over() || self.blocks.step(ctx, started)? {
                    self.after_blocks()
                } else if (ctx.cancelled)() {
                    self.status = Status::Cancelled;
                    Stage::Over
                } else {
                    Stage::Blocks
                }
            }
            Stage::Last(mut swap) => {
                if cancelled {
                    self.status = Status::Cancelled;
                }
                if cancelled || swap.advance(elapsed).is_some() {
                    self.swapped = Some(self.swapped(&swap));
                    Stage::Over
                } else {
                    report(&swap, self.moves, ctx, elapsed);
                    Stage::Last(swap)
                }
            }
        };
        Ok(matches!(self.stage, Stage::Over))
    }

    fn finish(&mut self) -> Answer {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::First(swap) => self.cut(&swap),
            Stage::Last(swap) => self.swapped = Some(self.swapped(&swap)),
            Stage::Blocks | Stage::Over => {}
        }
        self.blocks.leave();
        let (mut best, mut loss) = (self.blocks.union(), self.blocks.loss());
        let last = self.swapped.is_some();
        if let Some(swapped) = self.swapped.take() {
            let after = swapped.loss(&self.instance, &self.loss);
            if after < loss {
                (best, loss) = (swapped, after);
            }
        }
        let of = BoundOf::DecomposedProblem;
        let kept = !self.asked.final_swap;
        let bound = self.bound().filter(|_| kept);
        let bound = bound.map(|value| Bound { value, proven_by: ProvenByBlocks::SumOfBounds.into(), of });
        let done = self.blocks.done();
        let proven = |answer: &Answer| answer.bound.as_ref().map(|bound| bound.value);
        let said = |answer: &Answer| proven(answer).or(answer.claimed.and_then(|claimed| claimed.bound));
        let claimed = done
            .iter()
            .any(|answer| answer.claimed.is_some())
            .then(|| Claimed { bound: self.blocks.sum(said).filter(|_| kept && bound.is_none()), of });
        Answer {
            freeform: None,
            full_domain: None,
            coarser: Vec::new(),
            labels: best.labels,
            loss,
            status: self.status.clone(),
            bound,
            claimed,
            method: FoundBy::ColumnGenerationInBlocks {
                blocks: self.blocks.count(),
                solved: self.blocks.ended(&Status::Optimal),
                claimed: self.blocks.ended(&Status::OptimalClaimed),
                first: self.asked.swap_first,
                last,
                within: self.within().filter(|_| last),
            }
            .into(),
            moves: self.moves + done.iter().map(|answer| answer.moves).sum::<u64>(),
            threads: done.iter().map(|answer| answer.threads).max().unwrap_or(1).max(self.threads),
            seconds: 0.0,
            work: Some(work(done)),
            // Those of the blocks prove nothing of the whole.
            duals: None,
            parameters: BTreeMap::new(),
        }
    }
}

/// Reports a two-swapping; `moves` were made before it.
fn report<L: Priceable>(swap: &TwoSwap<L>, moves: u64, ctx: &Ctx, seconds: f64) {
    (ctx.progress)(&Progress {
        phase: swap.phase().into(),
        incumbent: Some(swap.loss()),
        moves: Some(moves + swap.moves()),
        seconds,
        ..Progress::default()
    });
}
