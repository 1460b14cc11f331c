//! What the store knows of its jobs: which there are, whose turn it is, which keys stand for which.

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant, SystemTime},
};

use lookalike_wire::http::{JobInfo, JobState, Problem};
use tokio::sync::watch;

use super::{
    super::{
        fair::Queue,
        keep::{Keep, KeepError, Record},
        limits::Limits,
        problem::{self, Detail},
    },
    news::{News, Task, is_final},
};

/// A job that was begun this often and never ended takes the worker down with it.
pub(super) const ATTEMPTS: u32 = 100;

/// What the store knows of its jobs.
#[derive(Default)]
pub(super) struct Inner {
    pub(super) jobs: HashMap<String, Entry>,
    pub(super) queue: Queue,
    /// Jobs by owner and the client's key.
    pub(super) keys: HashMap<(String, String), String>,
    /// Numbers the jobs in the order of their arrival.
    pub(super) arrived: u64,
    pub(super) held: u64,
    pub(super) closed: bool,
}

/// How long ago a moment was by the clock on the wall, which is all that is known of one from before a start: at least nothing.
fn age(moment: SystemTime) -> Duration {
    SystemTime::now().duration_since(moment).unwrap_or_default()
}

/// What a client's key stands for.
pub(super) enum Known {
    /// Nothing yet.
    Nothing,
    /// A job that is being stored.
    Arriving,
    /// A job.
    Job(Box<JobInfo>),
}

/// A job.
pub(super) struct Entry {
    pub(super) record: Record,
    /// 0 until it is stored: nobody sees it before.
    pub(super) number: u64,
    /// To end with the best so far.
    pub(super) stop: Arc<AtomicBool>,
    /// To end without an answer.
    pub(super) unwanted: Arc<AtomicBool>,
    pub(super) news: watch::Sender<News>,
    /// When it ended, by a clock that nobody sets.
    pub(super) ended: Option<Instant>,
}

impl Inner {
    /// A job from before a restart.
    pub(super) fn restore(&mut self, mut record: Record, keep: &mut dyn Keep) -> Result<(), KeepError> {
        if !is_final(record.state) && record.attempts >= ATTEMPTS {
            record.state = JobState::Failed;
            record.ended = Some(SystemTime::now());
            record.bytes = 0;
            record.error = Some(problem::SOLVER.because(Detail::Attempts { attempts: ATTEMPTS }));
            keep.end(&record, None)?;
        } else if !is_final(record.state) {
            record.state = JobState::Queued;
            self.queue.push(&record.owner, record.id.clone());
        }
        let id = record.id.clone();
        self.add(record);
        self.stored(&id);
        Ok(())
    }

    /// A job that is not stored yet.
    pub(super) fn add(&mut self, record: Record) {
        let info = JobInfo {
            id: record.id.clone(),
            state: record.state,
            progress: None,
            error: record.error.clone(),
        };
        if let Some((key, _)) = &record.key {
            self.keys.insert((record.owner.clone(), key.clone()), record.id.clone());
        }
        self.held += record.bytes;
        let stop = Arc::new(AtomicBool::new(record.stopped));
        let (unwanted, news) = (Arc::default(), watch::Sender::new(News::new(info)));
        let ended = record.ended.and_then(|ended| Instant::now().checked_sub(age(ended)));
        let ended = ended.or_else(|| record.ended.map(|_| Instant::now()));
        self.jobs.insert(record.id.clone(), Entry { record, number: 0, stop, unwanted, news, ended });
    }

    /// It is stored: from here on it is seen.
    pub(super) fn stored(&mut self, id: &str) -> Option<&Entry> {
        let entry = self.jobs.get_mut(id)?;
        self.arrived += 1;
        entry.number = self.arrived;
        Some(entry)
    }

    /// It takes so many bytes more, or less.
    pub(super) fn grow(&mut self, id: &str, by: i64) {
        if let Some(entry) = self.jobs.get_mut(id) {
            entry.record.bytes = entry.record.bytes.saturating_add_signed(by);
            self.held = self.held.saturating_add_signed(by);
        }
    }

    pub(super) fn forget(&mut self, id: &str) -> Option<Entry> {
        let entry = self.jobs.remove(id)?;
        self.queue.remove(id);
        self.held = self.held.saturating_sub(entry.record.bytes);
        if let Some((key, _)) = &entry.record.key {
            self.keys.remove(&(entry.record.owner.clone(), key.clone()));
        }
        Some(entry)
    }

    pub(super) fn of(&self, owner: &str, id: &str) -> Option<&Entry> {
        self.jobs.get(id).filter(|e| e.record.owner == owner && e.number > 0)
    }

    /// What this key stands for.
    pub(super) fn known(&self, owner: &str, key: &str, digest: &[u8; 32]) -> Result<Known, Problem> {
        let Some(id) = self.keys.get(&(owner.to_owned(), key.to_owned())) else { return Ok(Known::Nothing) };
        let Some(entry) = self.jobs.get(id) else { return Ok(Known::Nothing) };
        if entry.record.key.as_ref().is_some_and(|(_, known)| known == digest) {
            if entry.number == 0 {
                return Ok(Known::Arriving);
            }
            return Ok(Known::Job(Box::new(entry.news.borrow().info.clone())));
        }
        Err(problem::KEY_REUSED.because(Detail::KeyReused))
    }

    /// Whether its owner has a place for a payload of this size. What others have waiting or held does not count.
    pub(super) fn admit(&self, limits: &Limits, owner: &str, bytes: u64) -> Result<(), Problem> {
        if self.closed {
            return Err(problem::STOPPING.because(Detail::Closed));
        }
        let waiting = self.queue.len_of(owner);
        if waiting >= limits.waiting {
            return Err(problem::QUEUE_FULL.because(Detail::QueueFull { waiting }));
        }
        let own = self.jobs.values().filter(|entry| entry.record.owner == owner);
        let held = own.fold(bytes, |held, entry| held.saturating_add(entry.record.bytes));
        if held > limits.held {
            return Err(problem::QUEUE_FULL.because(Detail::HeldFull));
        }
        Ok(())
    }

    pub(super) fn next(&mut self) -> Option<Task> {
        while let Some(id) = self.queue.pop() {
            if let Some(entry) = self.jobs.get(&id) {
                let (stop, unwanted) = (Arc::clone(&entry.stop), Arc::clone(&entry.unwanted));
                return Some(Task { stop, unwanted, news: entry.news.clone(), id });
            }
        }
        None
    }
}
