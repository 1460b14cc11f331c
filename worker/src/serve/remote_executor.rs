//! Other workers that solve blocks of the searches here, whatever carries the blocks to them.

use std::sync::{Arc, mpsc};

use lookalike_model::{event::Elsewhere, kept::Kept};
use lookalike_words::Said;

/// Other workers.
pub(crate) trait RemoteExecutor: Send + Sync {
    /// Blocks of one search that they are given at a time.
    fn room(&self) -> usize;

    /// Begins with a job, again after a restart; what comes back of it comes by the channel.
    fn open(&self, job: &str) -> (Arc<dyn RemoteBlocks>, mpsc::Receiver<Returned>);
}

/// The blocks of one job that others solve. Nobody solves them any more once it is closed.
pub(crate) trait RemoteBlocks: Send + Sync {
    /// Hands a block on; its answer comes under this number.
    fn hand(&self, number: u64, block: Vec<u8>);

    /// What came back until now is kept here: nobody will ask for it again.
    fn settle(&self);

    /// How far they are.
    fn progress(&self) -> Elsewhere;

    /// Nothing of it is wanted any more. `keep` if the job goes on after a restart: then what is under way goes on, too.
    fn close(&self, keep: bool);
}

/// What comes back.
pub(crate) enum Returned {
    /// A block is solved.
    Solved(u64, Kept),
    /// A block was begun again and again and never finished: why.
    GivenUp(Said),
}
