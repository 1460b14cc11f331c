//! One search a record, of all threads.

use rayon::prelude::*;

use super::Refusal;

/// Searches that each begin at a kind.
pub(super) trait Rooted: Sync {
    /// What a thread keeps to reuse.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Proves that no class in which a record of this kind has the largest dual is too cheap.
    fn root(&self, kind: u32, scratch: &mut Self::Scratch) -> Result<(), Refusal>;
}

/// Proves it for all kinds; the refusal is that of the first one.
pub(super) fn all(rooted: &impl Rooted, kinds: usize) -> Result<(), Refusal> {
    let roots = (0..kinds as u32).into_par_iter();
    let refused = roots
        .map_init(|| rooted.scratch(), |scratch, kind| rooted.root(kind, scratch).err())
        .find_map_first(|refused| refused);
    refused.map_or(Ok(()), Err)
}
