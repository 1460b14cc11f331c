//! What is written in messages and buckets: JSON.

use lookalike_model::kept::Kept;
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

/// A message of the queue: a block to be solved. Its numbers stand in the bucket of its job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Task {
    /// [`Names::version`](super::names::Names::version) of whoever wrote it.
    pub(super) version: String,
    /// The job.
    pub(super) job: String,
    /// BLAKE3 of the payload, in hexadecimal.
    pub(super) block: String,
    /// How often it may be begun.
    pub(super) attempts: u32,
}

lookalike_words::messages! {
    in "worker";

    /// Why a block was not solved.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum BlockFault {
        /// It was begun again and again, and never finished.
        GivenUp {
            /// How often.
            attempts: u32,
            /// The stream with the dead letter.
            stream: String,
        },
    }
}

/// What came of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    /// It is solved.
    Solved(Kept),
    /// It was given up: why.
    GivenUp(Said),
}

/// A worker says that it lives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Alive {
    /// Made up at its start.
    pub(super) worker: String,
    /// Blocks that it solves at a time; 0 when it leaves.
    pub(super) slots: u64,
}
