//! The blocks of one job, as its coordinator looks after them.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use async_nats::{
    HeaderMap,
    header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
    jetstream::{context::PublishErrorKind, object_store::ObjectStore},
};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use lookalike_model::event::Elsewhere;
use tokio::sync::{Notify, OnceCell, Semaphore};

use super::{
    executor::Workers,
    names,
    place::{Trouble, has, read, trouble, write},
    task::{Outcome, Task},
};
use crate::serve::remote_executor::{RemoteBlocks, Returned};

/// Blocks that are put on the queue, or looked after, side by side.
const AT_ONCE: usize = 32;

/// A block that nothing was heard of for so long is looked after.
const LOOK: Duration = Duration::from_secs(3);

/// How often the server is asked to remove a job, which may be down meanwhile.
const TRIES: u32 = 60;

/// A block that is under way.
struct Block {
    /// The numbers under which the search waits for it.
    numbers: Vec<u64>,
    payload: Bytes,
    looked: Instant,
}

/// The blocks of one job.
pub(super) struct Blocks {
    workers: Arc<Workers>,
    job: String,
    came: mpsc::Sender<Returned>,
    bucket: OnceCell<ObjectStore>,
    open: Mutex<BTreeMap<String, Block>>,
    /// Those whose answers are still on the server.
    settling: Mutex<Vec<String>>,
    done: AtomicU64,
    closed: AtomicBool,
    closing: Notify,
    side_by_side: Semaphore,
}

impl Blocks {
    /// Begins with a job.
    pub(super) fn open(workers: Arc<Workers>, job: &str, came: mpsc::Sender<Returned>) -> Arc<Self> {
        let blocks = Arc::new(Self {
            job: job.to_owned(),
            came,
            bucket: OnceCell::new(),
            open: Mutex::default(),
            settling: Mutex::default(),
            done: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            closing: Notify::new(),
            side_by_side: Semaphore::new(AT_ONCE),
            workers,
        });
        let runtime = blocks.workers.runtime.clone();
        runtime.spawn(Arc::clone(&blocks).hear());
        runtime.spawn(Arc::clone(&blocks).look_after());
        blocks
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<String, Block>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears which blocks have answers.
    async fn hear(self: Arc<Self>) {
        let subject = self.workers.place.names.done(&self.job);
        let Ok(mut said) = self.workers.place.client.subscribe(subject).await else { return };
        loop {
            tokio::select! {
                () = self.closing.notified() => return,
                message = said.next() => {
                    let Some(message) = message else { return };
                    if let Ok(block) = String::from_utf8(message.payload.to_vec()) {
                        Arc::clone(&self).spawn(block);
                    }
                }
            }
        }
    }

    /// Looks after blocks that nothing is heard of: what was said may be lost, and so may be the queue.
    async fn look_after(self: Arc<Self>) {
        while !self.is_closed() {
            tokio::time::sleep(LOOK / 3).await;
            let silent: Vec<String> = {
                let mut open = self.under_way();
                let silent = open.iter_mut().filter(|(_, block)| block.looked.elapsed() >= LOOK);
                silent
                    .map(|(hash, block)| {
                        block.looked = Instant::now();
                        hash.clone()
                    })
                    .collect()
            };
            if !silent.is_empty()
                && let Err(trouble) = self.workers.place.furnish().await
            {
                tracing::warn!(job = self.job, %trouble, "blocks wait for the NATS server");
                continue;
            }
            for hash in silent {
                Arc::clone(&self).spawn(hash);
            }
        }
    }

    fn spawn(self: Arc<Self>, hash: String) {
        let runtime = self.workers.runtime.clone();
        runtime.spawn(async move {
            if let Err(trouble) = self.see_to(&hash).await {
                tracing::warn!(job = self.job, %trouble, "a block waits for the NATS server");
            }
        });
    }

    /// The bucket of the job.
    async fn bucket(&self) -> Result<&ObjectStore, Trouble> {
        self.bucket.get_or_try_init(|| self.workers.place.bucket(&self.job)).await
    }

    /// Takes the answer to a block if there is one; else sees that its payload and its task are there. Whatever is done twice
    /// is done to the same end.
    async fn see_to(&self, hash: &str) -> Result<(), Trouble> {
        let _permit = self.side_by_side.acquire().await.map_err(trouble("wait"))?;
        let Some(payload) = self.under_way().get(hash).map(|block| block.payload.clone()) else {
            return Ok(());
        };
        if self.is_closed() {
            return Ok(());
        }
        let (name, bucket) = (names::answer(hash), self.bucket().await?);
        match read(bucket, &name).await {
            Ok(Some(bytes)) => {
                if let Ok(outcome) = serde_json::from_slice::<Outcome>(&bytes) {
                    self.take_in(hash, &outcome);
                    bucket.delete(names::payload(hash)).await.map_err(trouble("remove a payload"))?;
                    return Ok(());
                }
                // An answer that cannot be read is none.
                bucket.delete(&name).await.map_err(trouble("remove an answer"))?;
            }
            Ok(None) => {}
            Err(trouble) => {
                // The bucket may be lost with all that was in it.
                self.workers.place.bucket(&self.job).await?;
                tracing::warn!(job = self.job, %trouble, "a block's answer cannot be looked for");
            }
        }
        if !has(bucket, &names::payload(hash)).await? {
            write(bucket, &names::payload(hash), &payload).await?;
        }
        self.enqueue(hash).await
    }

    /// Puts a task on the queue, if it is not there.
    async fn enqueue(&self, hash: &str) -> Result<(), Trouble> {
        let place = &self.workers.place;
        let task = Task {
            version: place.names.version().to_owned(),
            job: self.job.clone(),
            block: hash.to_owned(),
            attempts: self.workers.attempts,
        };
        let task = serde_json::to_vec(&task).map_err(trouble("write a task"))?;
        let mut headers = HeaderMap::new();
        // There is no task of this block on the queue.
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
        let subject = place.names.task(&self.job, hash);
        let sent = place.context.publish_with_headers(subject, headers, task.into()).await;
        match sent.map_err(trouble("put a task on the queue"))?.await {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(()),
            Err(error) => Err(trouble("put a task on the queue")(error)),
        }
    }

    /// Takes in what came of a block, once.
    fn take_in(&self, hash: &str, outcome: &Outcome) {
        let Some(block) = self.under_way().remove(hash) else { return };
        self.done.fetch_add(1, Ordering::Relaxed);
        self.settling.lock().unwrap_or_else(PoisonError::into_inner).push(hash.to_owned());
        for number in block.numbers {
            let came = match outcome {
                Outcome::Solved(kept) => Returned::Solved(number, kept.clone()),
                Outcome::GivenUp(why) => Returned::GivenUp(why.clone()),
            };
            // A search that does not listen is over.
            let _ = self.came.send(came);
        }
    }

    /// Removes answers that nobody will ask for again.
    async fn forget(&self, hashes: Vec<String>) -> Result<(), Trouble> {
        let bucket = self.bucket().await?;
        for hash in hashes {
            bucket.delete(names::answer(&hash)).await.map_err(trouble("remove an answer"))?;
        }
        Ok(())
    }

    /// Ends with the job, and with the process that it belongs to.
    pub(super) async fn end(&self) {
        self.close();
        // What is being put there is there before it is looked at.
        let all = self.side_by_side.acquire_many(AT_ONCE as u32).await;
        let any = self.bucket.initialized();
        drop(all);
        if any {
            self.clear().await;
        }
    }

    /// Nothing of it is wanted any more.
    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.closing.notify_one();
        self.under_way().clear();
    }

    /// Removes all of the job.
    async fn clear(&self) {
        // What is being put on the queue is there before it is cleared; nothing is put there after.
        let _all = self.side_by_side.acquire_many(AT_ONCE as u32).await;
        for tries in 1..=TRIES {
            match self.workers.place.clear(&self.job).await {
                Ok(()) => return,
                Err(trouble) if tries == TRIES => {
                    tracing::warn!(job = self.job, %trouble, "a job stays on the NATS server until its time is up");
                }
                Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
            }
        }
    }
}

impl RemoteBlocks for Arc<Blocks> {
    fn hand(&self, number: u64, block: Vec<u8>) {
        let hash = blake3::hash(&block).to_hex().to_string();
        let fresh = |payload| Block { numbers: Vec::new(), payload, looked: Instant::now() };
        let mut open = self.under_way();
        open.entry(hash.clone()).or_insert_with(|| fresh(Bytes::from(block))).numbers.push(number);
        drop(open);
        Arc::clone(self).spawn(hash);
    }

    fn settle(&self) {
        let hashes = std::mem::take(&mut *self.settling.lock().unwrap_or_else(PoisonError::into_inner));
        let blocks = Arc::clone(self);
        self.workers.runtime.spawn(async move {
            if let Err(trouble) = blocks.forget(hashes).await {
                tracing::debug!(job = blocks.job, %trouble, "answers stay until the job is over");
            }
        });
    }

    fn progress(&self) -> Elsewhere {
        Elsewhere {
            done: self.done.load(Ordering::Relaxed),
            open: self.under_way().len() as u64,
            workers: self.workers.roll.slots(),
        }
    }

    fn close(&self, keep: bool) {
        Blocks::close(self);
        if !keep {
            let blocks = Arc::clone(self);
            self.workers.runtime.spawn(async move { blocks.clear().await });
        }
    }
}
