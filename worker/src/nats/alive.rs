//! Who is at work: workers say so again and again.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::StreamExt as _;

use super::{place::Place, task::Alive};

/// A worker that was not heard of for so long is gone.
const SILENT: Duration = Duration::from_secs(7);

/// Pause after trouble with the server.
const AGAIN: Duration = Duration::from_secs(1);

/// Workers: the slots of each, and when it was heard of.
#[derive(Default)]
pub(super) struct Roll(Mutex<BTreeMap<String, (u64, Instant)>>);

impl Roll {
    /// Blocks that all workers together can solve at a time.
    pub(super) fn slots(&self) -> u64 {
        let mut heard = self.heard();
        heard.retain(|_, (_, heard)| heard.elapsed() < SILENT);
        heard.values().map(|(slots, _)| slots).sum()
    }

    fn heard(&self) -> MutexGuard<'_, BTreeMap<String, (u64, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears the workers.
    pub(super) async fn hear(&self, place: &Place) {
        loop {
            if let Ok(mut said) = place.client.subscribe(place.names.alive()).await {
                while let Some(message) = said.next().await {
                    if let Ok(Alive { worker, slots }) = serde_json::from_slice(&message.payload) {
                        self.heard().insert(worker, (slots, Instant::now()));
                    }
                }
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}
