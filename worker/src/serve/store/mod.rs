//! The jobs: a queue, their states, and when they are forgotten. Payloads and results are somebody else's
//! ([`Keep`]).
mod gone;
mod inner;
mod news;

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::{Duration, Instant, SystemTime},
};

use axum::body::Bytes;
use lookalike_model::job::Job;
use lookalike_wire::{
    binary,
    http::{JobInfo, JobState, Problem},
};
use tokio::sync::{Notify, watch};

pub(crate) use self::news::{News, Task, is_final};
use self::{
    inner::{Entry, Inner, Known},
    news::publish,
};
use super::{
    keep::{Keep, KeepError, Record},
    limits::Limits,
    metrics::{Block, Metrics},
    problem::{self, Detail},
};
use crate::audit_log::{AuditLog, Event, What};

/// How long a repeated request waits for the first one to be stored.
const STORING: Duration = Duration::from_secs(10);

/// All jobs.
pub(crate) struct Store {
    /// What the worker takes on.
    pub(crate) limits: Limits,
    /// What there is to count.
    pub(crate) metrics: Metrics,
    /// Where it is written down who asked for what.
    pub(crate) audit_log: AuditLog,
    inner: Mutex<Inner>,
    /// Locked after `inner` or alone, never before it.
    keep: Mutex<Box<dyn Keep>>,
    /// What is kept outlives the process.
    durable: bool,
    wake: Notify,
    /// Some job is stored, or cannot be.
    stored: Condvar,
}

/// A job as it arrives.
pub(crate) struct Arrival {
    /// Name of the token it came with.
    pub(crate) owner: String,
    /// The client's key and the digest of what it sent.
    pub(crate) key: Option<(String, [u8; 32])>,
    /// The job, in the form in which jobs are stored.
    pub(crate) payload: Vec<u8>,
}

/// A page of a list.
pub(crate) struct Listed {
    /// The jobs, oldest first.
    pub(crate) jobs: Vec<JobInfo>,
    /// Whether there are more.
    pub(crate) more: bool,
}

impl Store {
    /// A store over what is kept already: jobs that had not ended wait again, in their old order.
    ///
    /// # Errors
    /// If what is kept cannot be read.
    pub(crate) fn new(limits: Limits, mut keep: Box<dyn Keep>, durable: bool) -> Result<Self, KeepError> {
        let mut inner = Inner::default();
        for record in keep.load()? {
            inner.restore(record, keep.as_mut())?;
        }
        let (inner, keep) = (Mutex::new(inner), Mutex::new(keep));
        let (wake, stored) = (Notify::new(), Condvar::new());
        let (metrics, audit_log) = (Metrics::new(), AuditLog::default());
        Ok(Self { limits, metrics, audit_log, inner, keep, durable, wake, stored })
    }

    /// The same, with an audit log.
    pub(crate) fn recorded_in(self, audit_log: AuditLog) -> Self {
        Self { audit_log, ..self }
    }

    /// Takes a job on. A request that is repeated with the same key gets the job that it made the first time.
    ///
    /// # Errors
    /// A problem if there is no place for it, or its key was used for something else.
    pub(crate) fn submit(&self, arrival: Arrival) -> Result<JobInfo, Problem> {
        let payload = arrival.payload;
        let record = {
            let mut inner = self.lock();
            if let Some((key, digest)) = &arrival.key {
                let arriving = |inner: &mut Inner| {
                    matches!(inner.known(&arrival.owner, key, digest), Ok(Known::Arriving))
                };
                // Nobody is told of a job that may yet be lost.
                let waited = self.stored.wait_timeout_while(inner, STORING, arriving);
                inner = waited.unwrap_or_else(PoisonError::into_inner).0;
                match inner.known(&arrival.owner, key, digest)? {
                    Known::Nothing => {}
                    Known::Arriving => {
                        return Err(problem::BUSY.because(Detail::BeingStored));
                    }
                    Known::Job(info) => return Ok(*info),
                }
            }
            inner.admit(&self.limits, &arrival.owner, payload.len() as u64)?;
            let record = Record {
                id: new_id().map_err(|why| problem::STORAGE.because(why))?,
                owner: arrival.owner,
                state: JobState::Queued,
                error: None,
                key: arrival.key,
                bytes: payload.len() as u64,
                attempts: 0,
                stopped: false,
                ended: None,
            };
            inner.add(record.clone());
            record
        };
        // Not under the first lock: it may take a while. Until it is done nobody sees the job.
        let kept = self.keep().insert(&record, payload);
        let mut inner = self.lock();
        if kept.is_err() {
            inner.forget(&record.id);
        }
        self.stored.notify_all();
        kept.map_err(|error| not_kept(&error))?;
        let Some(entry) = inner.stored(&record.id) else {
            return Err(problem::DELETED.because(Detail::DeletedOutOfLine));
        };
        self.metrics.submitted();
        let info = entry.news.borrow().info.clone();
        inner.queue.push(&record.owner, record.id);
        self.wake.notify_one();
        Ok(info)
    }

    /// The next job to be searched; waits for one. `None` once the store is closed.
    pub(crate) async fn next(&self) -> Option<Task> {
        loop {
            {
                let mut inner = self.lock();
                if inner.closed {
                    // Others may wait, too.
                    self.wake.notify_one();
                    return None;
                }
                if let Some(task) = inner.next() {
                    if inner.queue.len() > 0 {
                        self.wake.notify_one();
                    }
                    return Some(task);
                }
            }
            self.wake.notified().await;
        }
    }

    /// Notes that the search begins. A job that was deleted meanwhile is no error.
    ///
    /// # Errors
    /// If it cannot be noted: it may be tried again.
    pub(crate) fn begin(&self, task: &Task) -> Result<(), KeepError> {
        let attempts = {
            let inner = self.lock();
            let Some(entry) = inner.jobs.get(&task.id) else { return Ok(()) };
            entry.record.attempts + 1
        };
        self.keep().begin(&task.id, attempts)?;
        if let Some(entry) = self.lock().jobs.get_mut(&task.id) {
            entry.record.state = JobState::Running;
            entry.record.attempts = attempts;
        }
        Ok(())
    }

    /// The problem of a search that has begun.
    ///
    /// # Errors
    /// A problem if the payload is lost.
    pub(crate) fn job(&self, task: &Task) -> Result<Job, Problem> {
        let payload = self.keep().payload(&task.id).map_err(|e| not_kept(&e))?;
        publish(&task.news, |info| info.state = JobState::Running);
        let payload = payload.ok_or_else(deleted)?;
        binary::decode(&payload).map_err(|why| problem::STORAGE.because(Detail::Payload { why }))
    }

    /// A block of a job's decomposition that was finished before, if it was.
    pub(crate) fn block(&self, id: &str, key: &[u8; 32]) -> Option<Bytes> {
        let found = self.keep().block(id, key);
        // Without it the block is solved again: slower, not wrong.
        let found =
            found.inspect_err(|error| tracing::warn!(%error, "a finished block cannot be read")).ok()??;
        self.metrics.block(Block::found);
        Some(found)
    }

    /// A block of a job's decomposition is finished.
    pub(crate) fn keep_block(&self, id: &str, key: &[u8; 32], answer: &[u8]) {
        // Somebody may have deleted the job meanwhile.
        if self.lock().jobs.contains_key(id) {
            let kept = self.keep().keep_block(id, key, answer);
            match kept {
                Ok(more) => self.lock().grow(id, more),
                Err(error) => tracing::warn!(%error, "a finished block cannot be kept"),
            }
        }
        // Not before: whoever sees it counted may rely on it.
        self.metrics.block(Block::solved);
    }

    /// Notes how a search ended: with the bytes of its answer, or a problem. A job that was deleted meanwhile is
    /// ignored; so is every job of a store that was closed and outlives the process: it is searched again.
    ///
    /// # Errors
    /// If it cannot be kept. Then nobody was told, and it may be tried again.
    pub(crate) fn end(&self, id: &str, result: &Result<Bytes, Problem>) -> Result<(), KeepError> {
        let record = {
            let inner = self.lock();
            if inner.closed && self.durable {
                return Ok(());
            }
            let Some(entry) = inner.jobs.get(id) else { return Ok(()) };
            Record {
                bytes: result.as_ref().map_or(0, |answer| answer.len() as u64),
                ended: Some(SystemTime::now()),
                error: result.as_ref().err().cloned(),
                state: if result.is_ok() { JobState::Done } else { JobState::Failed },
                ..entry.record.clone()
            }
        };
        self.keep().end(&record, result.as_ref().ok().cloned())?;
        let mut inner = self.lock();
        let Some(entry) = inner.jobs.get_mut(id) else { return Ok(()) };
        let (state, error, bytes) = (record.state, record.error.clone(), record.bytes);
        let before = std::mem::replace(&mut entry.record, record).bytes;
        publish(&entry.news, |info| {
            info.state = state;
            info.error = error;
        });
        entry.ended = Some(Instant::now());
        let who = Some(entry.record.owner.clone());
        inner.held = inner.held.saturating_sub(before) + bytes;
        drop(inner);
        self.metrics.ended(state);
        let (job, problem) = (Some(id.to_owned()), result.as_ref().err().map(|problem| problem.kind.clone()));
        self.audit_log.note(Event { who, job, problem, ..Event::of(What::Finish) });
        Ok(())
    }

    /// A job's state. Jobs of other owners are not there.
    pub(crate) fn info(&self, owner: &str, id: &str) -> Option<JobInfo> {
        self.lock().of(owner, id).map(|e| e.news.borrow().info.clone())
    }

    /// The owner's jobs in the order of their arrival, from behind `after`; `None` if that one is not there.
    pub(crate) fn list(&self, owner: &str, after: Option<&str>, limit: usize) -> Option<Listed> {
        let inner = self.lock();
        let first = match after {
            Some(id) => inner.of(owner, id)?.number + 1,
            None => 0,
        };
        let mut found: Vec<&Entry> =
            inner.jobs.values().filter(|e| e.record.owner == owner && e.number >= first.max(1)).collect();
        found.sort_unstable_by_key(|e| e.number);
        let more = found.len() > limit;
        let jobs = found.into_iter().take(limit).map(|e| e.news.borrow().info.clone()).collect();
        Some(Listed { jobs, more })
    }

    /// A job's state, now and from now on.
    pub(crate) fn follow(&self, owner: &str, id: &str) -> Option<watch::Receiver<News>> {
        self.lock().of(owner, id).map(|e| e.news.subscribe())
    }

    /// The bytes of a job's answer; or its state, if it has none. `None` if there is no such job.
    ///
    /// # Errors
    /// A problem if the answer cannot be read.
    pub(crate) fn answer(&self, owner: &str, id: &str) -> Result<Option<Result<Bytes, JobInfo>>, Problem> {
        let Some(info) = self.info(owner, id) else { return Ok(None) };
        if info.state != JobState::Done {
            return Ok(Some(Err(info)));
        }
        let kept = self.keep().result(id).map_err(|e| not_kept(&e))?;
        Ok(kept.map(Ok))
    }

    /// Asks a job to end with its best so far, also after a restart; false if there is no such job.
    pub(crate) fn stop(&self, owner: &str, id: &str) -> bool {
        {
            let mut inner = self.lock();
            if inner.of(owner, id).is_none() {
                return false;
            }
            let Some(entry) = inner.jobs.get_mut(id) else { return false };
            entry.stop.store(true, Ordering::Relaxed);
            if is_final(entry.record.state) || std::mem::replace(&mut entry.record.stopped, true) {
                return true;
            }
        }
        if let Err(error) = self.keep().stop(id) {
            // It is stopped all the same; whoever asks again has it noted once there is room.
            tracing::warn!(%error, "a stop cannot be kept: a restart would forget it");
            if let Some(entry) = self.lock().jobs.get_mut(id) {
                entry.record.stopped = false;
            }
        }
        true
    }

    /// Whether the store takes and begins nothing more.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Jobs that wait, jobs that are searched, and bytes that are held.
    pub(crate) fn load(&self) -> (usize, usize, u64) {
        let inner = self.lock();
        let running = inner.jobs.values().filter(|e| e.record.state == JobState::Running).count();
        (inner.queue.len(), running, inner.held)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No code panics while it holds the lock; if some did, the maps would still be whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self) -> MutexGuard<'_, Box<dyn Keep>> {
        self.keep.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn deleted() -> Problem {
    problem::DELETED.because(Detail::DeletedUnbegun)
}

/// The reason goes to the log, not to the client: it may name paths.
fn not_kept(error: &KeepError) -> Problem {
    tracing::error!(%error, "a job cannot be kept");
    problem::STORAGE.because(Detail::Disk)
}

/// 128 random bits in hexadecimal: nobody guesses another one's job.
pub(in crate::serve) fn new_id() -> Result<String, Detail> {
    let halves = (getrandom::u64(), getrandom::u64());
    match halves {
        (Ok(a), Ok(b)) => Ok(format!("{a:016x}{b:016x}")),
        (Err(e), _) | (_, Err(e)) => Err(Detail::NoRandom { why: e.to_string() }),
    }
}

#[cfg(test)]
mod tests;
