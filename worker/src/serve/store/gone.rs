//! What is removed, and what ends with the worker.

use std::{sync::atomic::Ordering, time::Instant};

use lookalike_wire::http::{JobState, Problem};

use super::{
    super::{
        keep::KeepError,
        problem::{self, Detail},
    },
    Store,
    inner::Entry,
    news::publish,
    not_kept,
};
use crate::audit_log::{Event, What};

impl Store {
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
            entry.unwanted.store(true, Ordering::Relaxed);
            let told = problem::DELETED.because(Detail::Deleted);
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
    pub(crate) fn sweep(&self, now: Instant) -> Result<(), KeepError> {
        let keep = self.limits.keep;
        let old =
            |entry: &Entry| entry.ended.is_some_and(|ended| now.saturating_duration_since(ended) >= keep);
        let gone: Vec<String> =
            self.lock().jobs.values().filter(|entry| old(entry)).map(|e| e.record.id.clone()).collect();
        for id in gone {
            self.keep().remove(&id)?;
            let gone = self.lock().forget(&id);
            let who = gone.map(|entry| entry.record.owner);
            self.audit_log.note(Event { who, job: Some(id), ..Event::of(What::Expire) });
        }
        Ok(())
    }

    /// Takes no more jobs, and stops all that there are. Those that outlive the process are not ended by that.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.queue.clear();
        for entry in inner.jobs.values_mut() {
            entry.stop.store(true, Ordering::Relaxed);
            entry.unwanted.store(true, Ordering::Relaxed);
            if self.durable {
                entry.news.send_modify(|news| news.over = true);
            } else {
                publish(&entry.news, |info| {
                    info.state = JobState::Failed;
                    info.error = Some(problem::STOPPING.because(Detail::Stopped));
                });
            }
        }
        self.wake.notify_one();
    }

    /// Searches that were cut off in order do not count as attempts.
    pub(crate) fn forgive(&self) {
        let running: Vec<(String, u32)> = self
            .lock()
            .jobs
            .values()
            .filter(|e| e.record.state == JobState::Running && e.record.attempts > 0)
            .map(|e| (e.record.id.clone(), e.record.attempts - 1))
            .collect();
        for (id, attempts) in running {
            if let Err(error) = self.keep().begin(&id, attempts) {
                tracing::warn!(%error, "an attempt cannot be taken back");
            }
        }
    }
}
