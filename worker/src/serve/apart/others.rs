//! Whoever solves blocks of a search, as the process of the search sees them: through its worker.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use lookalike_model::{block::Block, checkpoint::Queue, kept::Kept};
use lookalike_wire::block;

use super::{child::tell, words::FromSearch};

/// Longest wait for a block: the search must hear that it is to end.
const WAIT: Duration = Duration::from_millis(30);

/// Others, and the blocks that they have.
pub(super) struct Others {
    /// Blocks that they take at a time.
    room: usize,
    away: AtomicUsize,
    solved: Mutex<mpsc::Receiver<(u64, Kept)>>,
}

impl Others {
    /// Nothing is handed on yet; what is solved comes from `solved`.
    pub(super) fn new(room: usize, solved: mpsc::Receiver<(u64, Kept)>) -> Self {
        Self { room, away: AtomicUsize::new(0), solved: Mutex::new(solved) }
    }
}

impl Queue for Others {
    fn room(&self) -> usize {
        self.room.saturating_sub(self.away.load(Ordering::Relaxed))
    }

    fn put(&self, number: u64, block: Block) {
        self.away.fetch_add(1, Ordering::Relaxed);
        let told =
            block::encode(block).map(|bytes| tell(&FromSearch::Hand(number, BASE64_STANDARD.encode(bytes))));
        if !matches!(told, Ok(Ok(()))) {
            // The worker is gone, and nobody waits for this search.
            std::process::exit(1);
        }
    }

    fn take(&self) -> Option<(u64, Kept)> {
        let solved = self.solved.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(WAIT).ok()?;
        self.away.fetch_sub(1, Ordering::Relaxed);
        Some(solved)
    }
}
