//! One block on the solving side: from the message to its acknowledgement.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::jetstream::{
    AckKind, Message, kv,
    object_store::ObjectStore,
    stream::{LastRawMessageErrorKind, Stream},
};
use axum::body::Bytes;
use lookalike_model::{Ctx, kept::Kept};
use lookalike_optimize::solve::solve_block;
use lookalike_wire::block;
use lookalike_words::Said;

use super::{
    names,
    place::{Place, Trouble, has, read, trouble, write},
    slot::{Slot, Turn},
    task::{BlockFault, Outcome, Task},
};

/// Pause before a block that could not be solved is tried again.
const LATER: Duration = Duration::from_secs(1);

/// How often an answer is tried to be written.
const WRITES: u32 = 5;

/// What one block needs.
///
/// A job that ends loses its bucket first and its counts then. So an attempt that finds the bucket after it was counted may
/// leave its count to whoever ends the job; one that does not removes it.
pub(super) struct Attempt<'a> {
    pub(super) place: &'a Place,
    /// The counts of attempts.
    pub(super) counts: &'a kv::Store,
    /// Where it is solved.
    pub(super) slot: &'a Slot,
    /// Time after which the server gives a silent task to somebody else.
    pub(super) ack_wait: Duration,
    /// The task's job is over, or this worker ends.
    pub(super) stop: Arc<AtomicBool>,
    /// Only this worker ends.
    pub(super) leaving: Arc<AtomicBool>,
}

/// How the search of a block ended.
enum End {
    Solved(Kept),
    /// Nobody wants it any more.
    Unwanted,
    /// It cannot be solved, here at least: why.
    Failed(String),
}

impl Attempt<'_> {
    /// Does what a message asks for; `fetching` is the right to fetch, which the next one has as soon as this one is solved.
    pub(super) async fn at(&self, task: &Task, message: &Message, fetching: Turn) -> Result<(), Trouble> {
        let began = Instant::now();
        // No bucket: the job is over, and with it the task.
        let Ok(bucket) = self.place.bucket_if_any(&task.job).await else { return later(message).await };
        if has(&bucket, &names::answer(&task.block)).await? {
            // Somebody was faster.
            return self.announce(task, message).await;
        }
        let Some(payload) = read(&bucket, &names::payload(&task.block)).await? else {
            // The coordinator puts it back.
            return later(message).await;
        };
        if blake3::hash(&payload).to_hex().as_str() != task.block {
            tracing::error!(job = task.job, "a block is not what its name says; it is left alone");
            return later(message).await;
        }
        let fetch = began.elapsed().as_secs_f64();
        let solving = self.slot.to_solve(message, self.ack_wait).await;
        drop(fetching);
        if self.stop.load(Ordering::Relaxed) {
            return ack(message, self.unwanted()).await;
        }
        // From here on it may take this worker down.
        let begun = Instant::now();
        let count = self.count(task).await?;
        if self.place.is_over(&task.job).await? {
            // It ended before this was counted: its counts may have been removed before.
            self.place.clear_counts(&task.job).await?;
            return ack(message, AckKind::Term).await;
        }
        if count > task.attempts {
            return self.give_up(task, message, &bucket).await;
        }
        let count = begun.elapsed().as_secs_f64();
        let end = self.solve(payload, message).await?;
        let search = begun.elapsed().as_secs_f64() - count;
        drop(solving);
        match end {
            End::Solved(kept) => {
                let ended = Instant::now();
                let outcome =
                    serde_json::to_vec(&Outcome::Solved(kept)).map_err(trouble("write an answer"))?;
                self.keep(&bucket, task, &outcome).await?;
                self.announce(task, message).await?;
                let write = ended.elapsed().as_secs_f64();
                tracing::debug!(job = task.job, block = task.block, fetch, count, search, write, "solved");
                Ok(())
            }
            End::Unwanted => {
                ack(message, self.unwanted()).await?;
                if self.leaving.load(Ordering::Relaxed) { self.take_back(task).await } else { Ok(()) }
            }
            End::Failed(why) => {
                tracing::error!(job = task.job, block = task.block, why, "a block cannot be solved here");
                later(message).await
            }
        }
    }

    /// What the server hears of a block that is broken off: somebody else is to have it, or nobody.
    fn unwanted(&self) -> AckKind {
        if self.leaving.load(Ordering::Relaxed) { AckKind::Nak(None) } else { AckKind::Term }
    }

    /// Writes an answer; what was solved is worth some patience with the server.
    async fn keep(&self, bucket: &ObjectStore, task: &Task, outcome: &[u8]) -> Result<(), Trouble> {
        let mut tries = 1;
        loop {
            match write(bucket, &names::answer(&task.block), outcome).await {
                Err(_) if tries < WRITES && !self.stop.load(Ordering::Relaxed) => {
                    tokio::time::sleep(LATER).await;
                    tries += 1;
                }
                written => return written,
            }
        }
    }

    /// Says that there is an answer, and takes the task off the queue.
    async fn announce(&self, task: &Task, message: &Message) -> Result<(), Trouble> {
        let block = Bytes::from(task.block.clone());
        let said = self.place.client.publish(self.place.names.done(&task.job), block).await;
        said.map_err(trouble("say that a block is solved"))?;
        message.double_ack().await.map_err(trouble("take a task off the queue"))
    }

    /// Counts this attempt; how many there were with it.
    async fn count(&self, task: &Task) -> Result<u32, Trouble> {
        let (counts, key) = (self.counts, names::count(&task.job, &task.block));
        loop {
            let entry = counts.entry(&key).await.map_err(trouble("read the count of attempts"))?;
            let before =
                entry.as_ref().and_then(|entry| std::str::from_utf8(&entry.value).ok()?.parse().ok());
            let count = before.unwrap_or(0_u32) + 1;
            let revision = entry.map_or(0, |entry| entry.revision);
            if counts.update(&key, count.to_string().into(), revision).await.is_ok() {
                return Ok(count);
            }
            // Somebody counted at the same time, or the server is in trouble: the next look tells.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// An attempt that was broken off in order does not count.
    async fn take_back(&self, task: &Task) -> Result<(), Trouble> {
        let (counts, key) = (self.counts, names::count(&task.job, &task.block));
        if let Ok(Some(entry)) = counts.entry(&key).await
            && let Some(count) =
                std::str::from_utf8(&entry.value).ok().and_then(|count| count.parse::<u32>().ok())
        {
            // If somebody counts at the same time, one more is counted than there was.
            let _ = counts.update(&key, count.saturating_sub(1).to_string().into(), entry.revision).await;
        }
        Ok(())
    }

    /// Gives a block up that was begun too often: a dead letter, and an answer that says so.
    async fn give_up(&self, task: &Task, message: &Message, bucket: &ObjectStore) -> Result<(), Trouble> {
        let stream = self.place.names.dead();
        let why = Said::from(BlockFault::GivenUp { attempts: task.attempts, stream });
        tracing::error!(job = task.job, block = task.block, "{why}");
        let letter = self.place.names.dead_task(&task.job, &task.block);
        let sent = self.place.context.publish(letter, message.payload.clone()).await;
        sent.map_err(trouble("write a dead letter"))?.await.map_err(trouble("write a dead letter"))?;
        let outcome = serde_json::to_vec(&Outcome::GivenUp(why)).map_err(trouble("write an answer"))?;
        write(bucket, &names::answer(&task.block), &outcome).await?;
        self.announce(task, message).await
    }

    /// Solves a block; tells the server meanwhile that it is at work, and looks whether it is still wanted.
    async fn solve(&self, payload: Vec<u8>, message: &Message) -> Result<End, Trouble> {
        let sequence = message.info().map_err(trouble("read a task's number"))?.stream_sequence;
        let (pool, stop) = (Arc::clone(&self.slot.pool), Arc::clone(&self.stop));
        let mut solving = tokio::task::spawn_blocking(move || pool.install(|| solve(&payload, &stop)));
        let tasks = self.place.tasks().await?;
        loop {
            match tokio::time::timeout(self.ack_wait / 3, &mut solving).await {
                // A panic: the log has its place.
                Ok(Err(_)) => return Ok(End::Failed(String::from("the search broke down"))),
                Ok(Ok(end)) => return Ok(end),
                Err(_) => {
                    // What the server does not hear it takes for silence.
                    let _ = message.ack_with(AckKind::Progress).await;
                    if gone(&tasks, sequence).await {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// Whether a task is certainly off the queue: its job is over, or somebody else has solved it.
async fn gone(tasks: &Stream<()>, sequence: u64) -> bool {
    let found = tasks.get_raw_message(sequence).await;
    found.is_err_and(|error| error.kind() == LastRawMessageErrorKind::NoMessageFound)
}

fn solve(payload: &[u8], stop: &AtomicBool) -> End {
    let began = Instant::now();
    let ctx = Ctx {
        progress: &|_| {},
        cancelled: &|| stop.load(Ordering::Relaxed),
        clock: &|| began.elapsed().as_secs_f64(),
        checkpoint: None,
    };
    let solved = match block::decode(payload) {
        Ok(block) => solve_block(&block, &ctx),
        Err(wrong) => return End::Failed(format!("{wrong:?}")),
    };
    match solved {
        Ok(Some(kept)) => End::Solved(kept),
        Ok(None) => End::Unwanted,
        Err(error) => End::Failed(error.to_string()),
    }
}

async fn ack(message: &Message, kind: AckKind) -> Result<(), Trouble> {
    message.ack_with(kind).await.map_err(trouble("give a task back"))
}

/// Gives a task back, to be tried again a little later.
async fn later(message: &Message) -> Result<(), Trouble> {
    ack(message, AckKind::Nak(Some(LATER))).await
}
