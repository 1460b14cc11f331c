//! Blocks of a search as tasks of a [`Queue`]: put there, and taken finished, in any order.
//!
//! A search has one path, whoever solves its blocks: the threads of this process ([`here`]), or others, to whom blocks travel as
//! plain numbers ([`Others`]). The answer to a block depends on the block alone, so whoever solves it, and however often, the
//! search goes on the same way. It asks of an answer that it is one, and solves a block itself whose answer is none.

pub(crate) mod here;
mod part;
mod run;

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    block::{Block, Part, Work},
    checkpoint::Queue,
    instance::Instance,
    kept::{Annealed, Kept},
    loss::{Loss, Ncp, Sse},
    partition::Partition,
    rule::Rule,
    settings::Loss as LossName,
};

use self::run::Run;
use crate::{Error, solve};

/// Others, as a search sees them that does not know how blocks travel.
pub(crate) struct Others<'a>(pub(crate) &'a dyn Queue);

impl<T: Into<Block>> Queue<T> for Others<'_> {
    fn room(&self) -> usize {
        self.0.room()
    }

    fn put(&self, number: u64, task: T) {
        self.0.put(number, task.into());
    }

    fn take(&self) -> Option<(u64, Kept)> {
        self.0.take()
    }
}

/// Some classes to be annealed, and all that comes of it depends on.
pub(crate) struct Classes {
    pub(crate) instance: Arc<Instance>,
    pub(crate) names: (Rule, LossName),
    pub(crate) start: Partition,
    pub(crate) work: Work,
    /// Seconds that it may take, in place of its effort; for this process only.
    pub(crate) limit: Option<f64>,
    pub(crate) seed: u64,
}

/// Solves a block. `None` if it was cancelled: half a block is of no use.
///
/// # Errors
/// [`Error::Input`] for numbers that are no block, and for rows of a table, which are placed by whoever knows tables; and what the search of a block that is a job may say.
pub fn solve(block: &Block, ctx: &Ctx) -> Result<Option<Kept>, Error> {
    let part = match block {
        Block::Part(part) => part,
        Block::Rows(_) => return Err(Error::Input(String::from("rows of a table are placed, not searched"))),
        Block::Job(job) => {
            let answer = solve::solve(job, ctx)?;
            return Ok((!(ctx.cancelled)()).then(|| Kept::Solved(Box::new(answer))));
        }
    };
    let annealed = match part.loss {
        LossName::Sse => anneal(part, Sse, ctx),
        LossName::Ncp | LossName::NcpBinary => anneal(part, ncp(part.loss), ctx),
    };
    Ok(annealed?.map(Kept::Annealed))
}

fn ncp(name: LossName) -> Ncp {
    Ncp { binary: name == LossName::NcpBinary }
}

fn anneal<L: Loss>(part: &Part, loss: L, ctx: &Ctx) -> Result<Option<Annealed>, Error> {
    Ok(carry_out(&Classes::read(part, &part.rule)?, loss, &part.rule, ctx.cancelled))
}

/// Does the work of a block; `None` if it was cancelled.
pub(crate) fn carry_out(
    task: &Classes,
    loss: impl Loss,
    rule: &Rule,
    cancelled: &dyn Fn() -> bool,
) -> Option<Annealed> {
    let mut run = Run::new(task, loss, rule);
    while !run.advance(0.0) {
        if cancelled() {
            return None;
        }
    }
    Some(run.end())
}

/// Whether an answer can be that of a block with this instance.
pub(crate) fn fits(block: &Annealed, instance: &Instance, rule: &Rule) -> bool {
    let n = instance.records();
    block.labels.len() == n
        && block.labels.iter().all(|&label| (label as usize) < n)
        && Partition::from_labels(&block.labels).check(instance, rule).is_ok()
}
