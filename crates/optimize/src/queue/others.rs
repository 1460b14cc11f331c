//! Others that solve blocks.

use lookalike_model::{block::Block, checkpoint::Queue, kept::Kept};

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
