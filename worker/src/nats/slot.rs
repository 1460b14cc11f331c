//! One place of a worker where a block is solved. Two loops share it, so that the next block is fetched and the last answer
//! written while a block is solved.

use std::{sync::Arc, time::Duration};

use async_nats::jetstream::{AckKind, Message};
use rayon::ThreadPool;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Time between two looks whether there is more to do than everybody can.
const LOOK: Duration = Duration::from_millis(20);

/// A thread, and the two things that only one hand does at a time.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) pool: Arc<ThreadPool>,
    fetching: Arc<Mutex<()>>,
    solving: Arc<Mutex<()>>,
}

/// The right to do one of them.
pub(super) type Turn = OwnedMutexGuard<()>;

impl Slot {
    pub(super) fn new(pool: ThreadPool) -> Self {
        Self { pool: Arc::new(pool), fetching: Arc::default(), solving: Arc::default() }
    }

    /// Waits until it is time to fetch a block: when none is solved here, or as soon as there is `plenty` for all. A block
    /// that waits here while somebody else has nothing to do would only be late. Says, too, whether none is solved.
    pub(super) async fn to_fetch(&self, plenty: impl Fn() -> bool) -> (Turn, bool) {
        let turn = Arc::clone(&self.fetching).lock_owned().await;
        loop {
            // Free, or looked at again.
            let free = tokio::time::timeout(LOOK, self.solving.lock()).await.is_ok();
            if free || plenty() {
                return (turn, free);
            }
        }
    }

    /// Waits until the thread is free; says meanwhile, often enough for `patience`, that the block is being worked on.
    pub(super) async fn to_solve(&self, message: &Message, patience: Duration) -> Turn {
        loop {
            let free = Arc::clone(&self.solving).lock_owned();
            match tokio::time::timeout(patience / 3, free).await {
                Ok(turn) => return turn,
                // What the server does not hear it takes for silence.
                Err(_) => drop(message.ack_with(AckKind::Progress).await),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[tokio::test]
    async fn one_block_is_fetched_at_a_time_and_ahead_only_if_there_are_plenty() {
        let slot = Slot::new(rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap());
        let (turn, free) = slot.to_fetch(|| false).await;
        assert!(free);
        let long = 3 * LOOK;
        assert!(
            tokio::time::timeout(long, slot.to_fetch(|| true)).await.is_err(),
            "one hand fetches already"
        );
        let solving = Arc::clone(&slot.solving).lock_owned().await;
        drop(turn);
        assert!(
            tokio::time::timeout(long, slot.to_fetch(|| false)).await.is_err(),
            "others may have nothing to do"
        );
        let plenty = AtomicBool::new(false);
        let ahead = slot.to_fetch(|| plenty.load(Ordering::Relaxed));
        let later = async {
            tokio::time::sleep(LOOK).await;
            plenty.store(true, Ordering::Relaxed);
        };
        let ((turn, free), ()) = tokio::join!(ahead, later);
        assert!(!free);
        drop((turn, solving));
        assert!(slot.to_fetch(|| false).await.1);
    }
}
