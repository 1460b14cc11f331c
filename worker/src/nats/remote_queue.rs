//! Tasks of a run of the command line, done by whoever is at work on the server. What is true stands in the run's own folder,
//! and nothing of it outlives the run.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use lookalike_model::{
    block::Block, checkpoint::Queue, event::Elsewhere, kept::Kept, received::plain_said, sent::Sent,
};
use lookalike_wire::block;
use lookalike_words::Said;
use tokio::runtime::Runtime;

use super::{
    connect::NatsFault,
    executor::{ExecutorArgs, Workers},
    job::Blocks,
};
use crate::{
    exit::{Failure, Fault},
    local,
    progress::say,
    sent::Outbox,
    serve::{
        log,
        remote_executor::{RemoteBlocks as _, RemoteExecutor as _, Returned},
    },
};

/// Longest wait for an answer: the run must hear that it is to end.
const WAIT: Duration = Duration::from_millis(30);

/// Time for what is on the server to be removed at the end.
const FAREWELL: Duration = Duration::from_secs(10);

/// Silence of all workers that is worth a word.
const LONELY: Duration = Duration::from_secs(10);

/// Answers that are on the server at a time though they are here, and more.
const SETTLED: usize = 32;

/// The queue of one run.
pub(crate) struct RemoteQueue {
    runtime: Runtime,
    workers: Arc<Workers>,
    blocks: Arc<Blocks>,
    came: Mutex<mpsc::Receiver<Returned>>,
    away: AtomicUsize,
    settled: AtomicUsize,
    /// Why a task was given up.
    given_up: Mutex<Option<Said>>,
    /// Since when no worker is heard of; `None` once that was said.
    lonely: Mutex<Option<Instant>>,
    outbox: Outbox,
}

impl RemoteQueue {
    /// Connects, where there is a server.
    ///
    /// # Errors
    /// If the server cannot be reached, or refuses.
    pub(crate) fn open(args: &ExecutorArgs) -> Result<Option<Self>, Failure> {
        if !args.is_given() {
            return Ok(None);
        }
        log::start_from(log::Form::Text, "warn");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|e| Failure::system(Fault::Start { why: e.to_string() }))?;
        let job = format!("{:016x}{:016x}", local::entropy()?, local::entropy()?);
        let Some(workers) = runtime.block_on(args.open())? else { return Ok(None) };
        let (came, coming) = mpsc::channel();
        Ok(Some(Self {
            blocks: Blocks::open(Arc::clone(&workers), &job, came),
            runtime,
            workers,
            came: Mutex::new(coming),
            away: AtomicUsize::new(0),
            settled: AtomicUsize::new(0),
            given_up: Mutex::default(),
            lonely: Mutex::new(Some(Instant::now())),
            outbox: Outbox::new(args.address().unwrap_or_default()),
        }))
    }

    /// What was sent to the server so far.
    pub(crate) fn sent(&self) -> Option<Sent> {
        self.outbox.sent()
    }

    /// How far they are.
    ///
    /// # Errors
    /// If a task was given up.
    pub(crate) fn look(&self) -> Result<Elsewhere, Failure> {
        if let Some(why) = held(&self.given_up).as_ref() {
            return Err(Failure::system(NatsFault::WorkersFail { why: plain_said(why) }));
        }
        let progress = self.blocks.progress();
        let mut lonely = held(&self.lonely);
        if progress.workers > 0 {
            *lonely = Some(Instant::now());
        } else if lonely.is_some_and(|since| since.elapsed() > LONELY) {
            say(&NatsFault::Lonely.to_string());
            *lonely = None;
        }
        Ok(progress)
    }
}

impl Queue for RemoteQueue {
    fn room(&self) -> usize {
        self.workers.room().saturating_sub(self.away.load(Ordering::Relaxed))
    }

    fn put(&self, number: u64, task: Block) {
        self.away.fetch_add(1, Ordering::Relaxed);
        match block::encode(task) {
            Ok(bytes) => {
                self.outbox.note(bytes.len());
                self.blocks.hand(number, bytes);
            }
            Err(error) => {
                *held(&self.given_up) = Some(NatsFault::Block { why: error.to_string() }.into());
            }
        }
    }

    fn take(&self) -> Option<(u64, Kept)> {
        match held(&self.came).recv_timeout(WAIT).ok()? {
            Returned::Solved(number, kept) => {
                self.away.fetch_sub(1, Ordering::Relaxed);
                if (self.settled.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(SETTLED) {
                    self.blocks.settle();
                }
                Some((number, kept))
            }
            Returned::GivenUp(why) => {
                *held(&self.given_up) = Some(why);
                None
            }
        }
    }
}

impl Drop for RemoteQueue {
    fn drop(&mut self) {
        let ended = async { tokio::time::timeout(FAREWELL, self.blocks.end()).await };
        if self.runtime.block_on(ended).is_err() {
            say(&NatsFault::Stays.to_string());
        }
    }
}

fn held<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
