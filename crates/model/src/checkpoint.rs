//! What a host gives to a long search: a place for finished parts, which after an interruption are not solved again, and others
//! who solve blocks.

use crate::{block::Block, kept::Kept};

/// Names a part by its content: the same problem with the same budget and seed has the same key, as long as [`crate::REVISION`] is the same.
pub type Key = [u8; 32];

/// Keeps finished parts of one job.
pub trait Checkpoint {
    /// A part that was finished before, if it was.
    fn load(&self, key: &Key) -> Option<Kept>;

    /// A part is finished; it takes the place of what has this key. Where it cannot be kept, the search goes on without.
    fn save(&self, key: &Key, part: &Kept);

    /// Whoever else solves parts of this job, if there is somebody. Then parts with a budget of effort go there.
    fn queue(&self) -> Option<&dyn Queue> {
        None
    }
}

/// Blocks of one search, and whoever solves them. `T` is how a block is handed over: as it is, or as it travels.
pub trait Queue<T = Block> {
    /// How many more blocks it takes for now.
    fn room(&self) -> usize;

    /// Takes a block under a number that no other block has which was not taken back.
    fn put(&self, number: u64, task: T);

    /// A finished block, if there is one, and its number. Works on its blocks, or waits for one, some ten milliseconds.
    fn take(&self) -> Option<(u64, Kept)>;
}
