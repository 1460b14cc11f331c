//! Parts of a long search that are finished, kept by whoever runs it: after an interruption they are not solved again.

use lookalike_wire::job::Answer;

/// Names a part by its content: the same problem with the same budget, seed and version has the same key.
pub type Key = [u8; 32];

/// Keeps finished parts of one job.
pub trait Checkpoint {
    /// The answer to a part that was finished before, if it was.
    fn load(&self, key: &Key) -> Option<Answer>;

    /// A part is finished. Where it cannot be kept, the search goes on without.
    fn save(&self, key: &Key, answer: &Answer);
}
