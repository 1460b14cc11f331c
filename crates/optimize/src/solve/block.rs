//! A block of a search that another process has put on a queue.

use lookalike_model::{Ctx, block::Block, kept::Kept};

use super::solve;
use crate::{Error, queue::anneal};

/// Solves a block. `None` if it was cancelled: half a block is of no use.
///
/// # Errors
/// [`Error::Block`] for numbers that are no block; and what the search of a block that is a job may say.
pub fn solve_block(block: &Block, ctx: &Ctx) -> Result<Option<Kept>, Error> {
    match block {
        Block::Anneal(part) => Ok(anneal(part, ctx.cancelled)?.map(Kept::Annealed)),
        Block::Job(job) => {
            let answer = solve(job, ctx)?;
            Ok((!(ctx.cancelled)()).then(|| Kept::Solved(Box::new(answer))))
        }
    }
}
