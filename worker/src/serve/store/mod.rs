//! The jobs: a queue, their states, and when they are forgotten. Payloads and results are somebody else's
//! ([`Keep`]).
mod inner;
mod news;

use std::{
    sync::{Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::SystemTime,
};

use axum::body::Bytes;
use lookalike_wire::{
    binary,
    http::{JobInfo, JobState, Problem},
    job::Job,
};
use tokio::sync::{Notify, watch};

pub(crate) use self::news::{News, Task, is_final};
use self::{
    inner::{Entry, Inner},
    news::publish,
};
use super::{
    keep::{Keep, KeepError, Record},
    limits::Limits,
    metrics::{Block, Metrics},
    problem,
};

/// All jobs.
pub(crate) struct Store {
    /// What the worker takes on.
    pub(crate) limits: Limits,
    /// What there is to count.
    pub(crate) metrics: Metrics,
    inner: Mutex<Inner>,
    /// Locked after `inner` or alone, never before it.
    keep: Mutex<Box<dyn Keep>>,
    /// What is kept outlives the process.
    durable: bool,
    wake: Notify,
}

/// A job as it arrives.
pub(crate) struct Arrival {
    /// Name of the token it came with.
    pub(crate) owner: String,
    /// The client's key and the digest of what it sent.
    pub(crate) key: Option<(String, [u8; 32])>,
    /// The job.
    pub(crate) job: Job,
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
        Ok(Self { limits, metrics: Metrics::new(), inner, keep, durable, wake: Notify::new() })
    }

    /// Takes a job on. A request that is repeated with the same key gets the job that it made the first time.
    ///
    /// # Errors
    /// A problem if there is no place for it, or its key was used for something else.
    pub(crate) fn submit(&self, arrival: Arrival) -> Result<JobInfo, Problem> {
        let payload = binary::encode(arrival.job).map_err(|e| problem::INVALID.because(e.to_string()))?;
        let record = {
            let mut inner = self.lock();
            if let Some((key, digest)) = &arrival.key
                && let Some(known) = inner.known(&arrival.owner, key, digest)?
            {
                return Ok(known);
            }
            inner.admit(&self.limits, payload.len() as u64)?;
            let record = Record {
                id: new_id().map_err(|e| problem::STORAGE.because(e))?,
                owner: arrival.owner,
                state: JobState::Queued,
                error: None,
                key: arrival.key,
                bytes: payload.len() as u64,
                attempts: 0,
                ended: None,
            };
            inner.add(record.clone());
            record
        };
        // Not under the first lock: it may take a while. Until it is done the job is known, but not in line.
        let kept = self.keep().insert(&record, payload);
        let mut inner = self.lock();
        if let Err(error) = kept {
            inner.forget(&record.id);
            return Err(not_kept(&error));
        }
        self.metrics.submitted();
        let Some(entry) = inner.jobs.get(&record.id) else {
            return Err(problem::DELETED.because("it was deleted before it was in line"));
        };
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

    /// Notes that the search begins, and brings the problem.
    ///
    /// # Errors
    /// A problem if the payload is lost.
    pub(crate) fn begin(&self, task: &Task) -> Result<Job, Problem> {
        let attempts = {
            let mut inner = self.lock();
            let Some(entry) = inner.jobs.get_mut(&task.id) else { return Err(deleted()) };
            entry.record.state = JobState::Running;
            entry.record.attempts += 1;
            entry.record.attempts
        };
        let payload = {
            let mut keep = self.keep();
            keep.begin(&task.id, attempts).map_err(|e| not_kept(&e))?;
            keep.payload(&task.id).map_err(|e| not_kept(&e))?
        };
        publish(&task.news, |info| info.state = JobState::Running);
        let payload = payload.ok_or_else(deleted)?;
        binary::decode(&payload)
            .map_err(|e| problem::STORAGE.because(format!("its payload is damaged: {e:?}")))
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
        if self.lock().jobs.contains_key(id)
            && let Err(error) = self.keep().keep_block(id, key, answer)
        {
            tracing::warn!(%error, "a finished block cannot be kept");
        }
        // Not before: whoever sees it counted may rely on it.
        self.metrics.block(Block::solved);
    }

    /// Notes how a search ended: with the bytes of its answer, or a problem. A job that was deleted meanwhile is
    /// ignored; so is every job of a store that was closed and outlives the process: it is searched again.
    pub(crate) fn end(&self, id: &str, result: Result<Bytes, Problem>) {
        let record = {
            let mut inner = self.lock();
            if inner.closed && self.durable {
                return;
            }
            let Some(entry) = inner.jobs.get_mut(id) else { return };
            let bytes = result.as_ref().map_or(0, |answer| answer.len() as u64);
            let before = std::mem::replace(&mut entry.record.bytes, bytes);
            entry.record.ended = Some(SystemTime::now());
            entry.record.error = result.as_ref().err().cloned();
            entry.record.state = if result.is_ok() { JobState::Done } else { JobState::Failed };
            let record = entry.record.clone();
            inner.held = inner.held.saturating_sub(before) + bytes;
            record
        };
        let kept = self.keep().end(&record, result.ok());
        let mut inner = self.lock();
        let Some(entry) = inner.jobs.get_mut(id) else { return };
        if let Err(error) = kept {
            entry.record.state = JobState::Failed;
            entry.record.error = Some(not_kept(&error));
        }
        let (state, error) = (entry.record.state, entry.record.error.clone());
        self.metrics.ended(state);
        publish(&entry.news, |info| {
            info.state = state;
            info.error = error;
        });
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
            inner.jobs.values().filter(|e| e.record.owner == owner && e.number >= first).collect();
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

    /// Asks a job to end with its best so far; false if there is no such job.
    pub(crate) fn stop(&self, owner: &str, id: &str) -> bool {
        let inner = self.lock();
        let Some(entry) = inner.of(owner, id) else { return false };
        entry.stop.store(true, Ordering::Relaxed);
        true
    }

    /// Cancels a job and removes all of it; false if there is no such job.
    ///
    /// # Errors
    /// A problem if it cannot be removed from the disk; it is still there then, and waits on if it did.
    pub(crate) fn delete(&self, owner: &str, id: &str) -> Result<bool, Problem> {
        let waited = {
            let mut inner = self.lock();
            if inner.of(owner, id).is_none() {
                return Ok(false);
            }
            inner.queue.remove(id)
        };
        // Not under the first lock: it may take a while.
        let removed = self.keep().remove(id);
        if let Err(error) = removed {
            if waited {
                self.lock().queue.push(owner, id.to_owned());
                self.wake.notify_one();
            }
            return Err(not_kept(&error));
        }
        if let Some(entry) = self.lock().forget(id) {
            // Only now: a search that is stopped ends with an answer, and its listeners would hear of that instead.
            entry.stop.store(true, Ordering::Relaxed);
            let told = problem::DELETED.because("it was deleted");
            publish(&entry.news, |info| {
                info.state = JobState::Failed;
                info.error = Some(told);
            });
        }
        Ok(true)
    }

    /// Removes what ended too long ago.
    ///
    /// # Errors
    /// If something cannot be removed; it is tried again next time.
    pub(crate) fn sweep(&self, now: SystemTime) -> Result<(), KeepError> {
        let keep = self.limits.keep;
        let old = |record: &Record| {
            record.ended.is_some_and(|ended| now.duration_since(ended).is_ok_and(|age| age >= keep))
        };
        let gone: Vec<String> =
            self.lock().jobs.values().filter(|e| old(&e.record)).map(|e| e.record.id.clone()).collect();
        for id in gone {
            self.keep().remove(&id)?;
            self.lock().forget(&id);
        }
        Ok(())
    }

    /// Jobs that wait, jobs that are searched, and bytes that are held.
    pub(crate) fn load(&self) -> (usize, usize, u64) {
        let inner = self.lock();
        let running = inner.jobs.values().filter(|e| e.record.state == JobState::Running).count();
        (inner.queue.len(), running, inner.held)
    }

    /// Takes no more jobs, and stops all that there are. Those that outlive the process are not ended by that.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.queue.clear();
        for entry in inner.jobs.values_mut() {
            entry.stop.store(true, Ordering::Relaxed);
            if self.durable {
                entry.news.send_modify(|news| news.over = true);
            } else {
                publish(&entry.news, |info| {
                    info.state = JobState::Failed;
                    info.error =
                        Some(problem::STOPPING.because("the worker stopped before the job was done"));
                });
            }
        }
        self.wake.notify_one();
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
    problem::DELETED.because("it was deleted before it was begun")
}

/// The reason goes to the log, not to the client: it may name paths.
fn not_kept(error: &KeepError) -> Problem {
    tracing::error!(%error, "a job cannot be kept");
    problem::STORAGE.because("the worker's disk refuses to store or to read the job; its log says why")
}

/// 128 random bits in hexadecimal: nobody guesses another one's job.
fn new_id() -> Result<String, String> {
    let halves = (getrandom::u64(), getrandom::u64());
    match halves {
        (Ok(a), Ok(b)) => Ok(format!("{a:016x}{b:016x}")),
        (Err(e), _) | (_, Err(e)) => Err(format!("the operating system gives no random numbers: {e}")),
    }
}

#[cfg(test)]
mod tests;
