//! Blocks of a search as tasks of a [`Queue`](lookalike_model::checkpoint::Queue): put there, and taken finished, in any order.
//!
//! A search has one path, whoever solves its blocks: the threads of this process ([`here`]), or others, to whom blocks travel as
//! plain numbers ([`others`]). The answer to a block depends on the block alone, so whoever solves it, and however often, the
//! search goes on the same way. It asks of an answer that it is one, and solves a block itself whose answer is none.

mod anneal_block;
pub(crate) mod in_process;
mod message;
pub(crate) mod others;
mod run;

use std::sync::Arc;

use lookalike_model::{
    block::{AnnealBlock, Work},
    instance::Instance,
    kept::Annealed,
    loss::{Loss, Ncp, Sse},
    partition::Partition,
    rule::Rule,
    settings::Loss as LossName,
};

pub use self::message::BlockFault;
use self::run::Run;
use crate::{Error, local::Params};

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

/// Anneals a block of a search; `None` if it was cancelled.
///
/// # Errors
/// As [`Classes::read`].
pub(crate) fn anneal(part: &AnnealBlock, cancelled: &dyn Fn() -> bool) -> Result<Option<Annealed>, Error> {
    let classes = Classes::read(part, &part.rule)?;
    // A search with other parameters keeps its blocks to itself.
    let usual = Arc::default();
    Ok(match part.loss {
        LossName::Sse => carry_out(&classes, Sse, &part.rule, &usual, cancelled),
        LossName::Ncp => carry_out(&classes, Ncp { binary: false }, &part.rule, &usual, cancelled),
        LossName::NcpBinary => carry_out(&classes, Ncp { binary: true }, &part.rule, &usual, cancelled),
    })
}

/// Does the work of a block; `None` if it was cancelled.
pub(crate) fn carry_out(
    task: &Classes,
    loss: impl Loss,
    rule: &Rule,
    params: &Arc<Params>,
    cancelled: &dyn Fn() -> bool,
) -> Option<Annealed> {
    let mut run = Run::new(task, loss, rule, params);
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
