//! What the worker and the process of a search tell each other, after the job: a line of JSON each.

use lookalike_model::{checkpoint::Key, event::Progress, job::Answer, kept::Kept};
use lookalike_wire::http::Problem;
use serde::{Deserialize, Serialize};

/// From the search to the worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromSearch {
    /// How far it is.
    Progress(Progress),
    /// Whether this part was finished before; it waits for [`ToSearch::Found`].
    Find(Key),
    /// This part is finished.
    Keep(Key, Kept),
    /// A block that others may solve, under this number, as bytes in base64.
    Hand(u64, String),
    /// It is over.
    Ended {
        /// How.
        result: Box<Result<Answer, Problem>>,
        /// Most bytes that the process had, where the system tells.
        peak: Option<u64>,
    },
}

/// From the worker to the search.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToSearch {
    /// The part of this key that was finished before, if it was.
    Found(Key, Option<Kept>),
    /// The block with this number is solved.
    Solved(u64, Kept),
    /// End with the best so far.
    Stop,
}
