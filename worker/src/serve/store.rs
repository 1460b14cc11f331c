//! The jobs, in memory: a queue, their states, and when they are forgotten.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::body::Bytes;
use lookalike_wire::{
    event::Progress,
    http::{JobInfo, JobState, Problem},
    job::Job,
};
use tokio::sync::{Notify, watch};

use super::problem;

/// What the worker takes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Jobs that wait.
    pub(crate) waiting: usize,
    /// Bytes of payloads and results that are held.
    pub(crate) held: usize,
    /// Bytes of one payload.
    pub(crate) body: usize,
    /// Time that a finished job is kept.
    pub(crate) keep: Duration,
    /// Time that a job may be searched; then its best so far is the answer.
    pub(crate) search: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let hour = Duration::from_secs(3600);
        Self { waiting: 8, held: 1 << 30, body: 256 << 20, keep: hour, search: hour }
    }
}

/// All jobs.
pub(crate) struct Store {
    /// What the worker takes on.
    pub(crate) limits: Limits,
    inner: Mutex<Inner>,
    wake: Notify,
}

#[derive(Default)]
struct Inner {
    jobs: HashMap<String, Entry>,
    queue: VecDeque<String>,
    closed: bool,
}

struct Entry {
    /// Taken out when the search begins, and gone when it ends.
    job: Option<Job>,
    answer: Option<Bytes>,
    /// Bytes held for this job.
    bytes: usize,
    stop: Arc<AtomicBool>,
    news: watch::Sender<News>,
    ended: Option<Instant>,
}

/// A job's state, numbered.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// Grows with each change.
    pub(crate) number: u64,
    /// The state.
    pub(crate) info: JobInfo,
}

/// A job to be searched.
pub(crate) struct Task {
    id: String,
    /// The problem.
    pub(crate) job: Job,
    stop: Arc<AtomicBool>,
    news: watch::Sender<News>,
}

impl News {
    /// Whether nothing more will come.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self.info.state, JobState::Done | JobState::Failed)
    }
}

impl Task {
    /// Whether the search is to end with its best so far.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells a progress report to whoever listens.
    pub(crate) fn tell(&self, progress: &Progress) {
        publish(&self.news, |info| info.progress = Some(progress.clone()));
    }
}

impl Store {
    /// An empty store.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, inner: Mutex::default(), wake: Notify::new() }
    }

    /// Takes a job of `bytes` bytes into the queue.
    ///
    /// # Errors
    /// If there is no room, or the worker is stopping.
    pub(crate) fn submit(&self, job: Job, bytes: usize) -> Result<JobInfo, Problem> {
        let id = new_id().map_err(|e| problem::SOLVER.because(e))?;
        let mut inner = self.lock();
        if inner.closed {
            return Err(problem::STOPPING.because("the worker takes no more jobs"));
        }
        inner.forget_old(Instant::now(), self.limits.keep);
        if inner.queue.len() >= self.limits.waiting {
            let waiting = inner.queue.len();
            return Err(problem::QUEUE_FULL.because(format!("{waiting} jobs are waiting: try again later")));
        }
        let held: usize = inner.jobs.values().map(|e| e.bytes).sum();
        if held + bytes > self.limits.held {
            return Err(problem::QUEUE_FULL
                .because("the worker's memory is full: delete jobs that are done, or try again later"));
        }
        let info = JobInfo { id: id.clone(), state: JobState::Queued, progress: None, error: None };
        let news = watch::Sender::new(News { number: 0, info: info.clone() });
        let stop = Arc::default();
        inner.jobs.insert(id.clone(), Entry { job: Some(job), answer: None, bytes, stop, news, ended: None });
        inner.queue.push_back(id);
        self.wake.notify_one();
        Ok(info)
    }

    /// The next job to be searched; waits for one. `None` once the store is closed.
    pub(crate) async fn next(&self) -> Option<Task> {
        loop {
            {
                let mut inner = self.lock();
                if inner.closed {
                    return None;
                }
                if let Some(task) = inner.start() {
                    return Some(task);
                }
            }
            self.wake.notified().await;
        }
    }

    /// Notes how a search ended: with the bytes of its answer, or a problem. A job that was deleted meanwhile is
    /// ignored.
    pub(crate) fn end(&self, id: &str, result: Result<Bytes, Problem>) {
        let mut inner = self.lock();
        let Some(entry) = inner.jobs.get_mut(id) else { return };
        entry.ended = Some(Instant::now());
        match result {
            Ok(answer) => {
                entry.bytes = answer.len();
                entry.answer = Some(answer);
                publish(&entry.news, |info| info.state = JobState::Done);
            }
            Err(problem) => {
                entry.bytes = 0;
                entry.fail(problem);
            }
        }
    }

    /// A job's state.
    pub(crate) fn info(&self, id: &str) -> Option<JobInfo> {
        self.lock().jobs.get(id).map(|e| e.news.borrow().info.clone())
    }

    /// A job's state, now and from now on.
    pub(crate) fn follow(&self, id: &str) -> Option<watch::Receiver<News>> {
        self.lock().jobs.get(id).map(|e| e.news.subscribe())
    }

    /// The bytes of a job's answer; or its state, if it has none. `None` if there is no such job.
    pub(crate) fn answer(&self, id: &str) -> Option<Result<Bytes, JobInfo>> {
        let inner = self.lock();
        let entry = inner.jobs.get(id)?;
        Some(entry.answer.clone().ok_or_else(|| entry.news.borrow().info.clone()))
    }

    /// Asks a job to end with its best so far; false if there is no such job.
    pub(crate) fn stop(&self, id: &str) -> bool {
        let inner = self.lock();
        let Some(entry) = inner.jobs.get(id) else { return false };
        entry.stop.store(true, Ordering::Relaxed);
        true
    }

    /// Cancels a job and forgets all of it; false if there is no such job.
    pub(crate) fn delete(&self, id: &str) -> bool {
        let mut inner = self.lock();
        let Some(mut entry) = inner.jobs.remove(id) else { return false };
        inner.queue.retain(|queued| queued != id);
        entry.stop.store(true, Ordering::Relaxed);
        if entry.ended.is_none() {
            entry.fail(problem::DELETED.because("it was deleted before it was done"));
        }
        true
    }

    /// Forgets what ended too long ago.
    pub(crate) fn sweep(&self, now: Instant) {
        self.lock().forget_old(now, self.limits.keep);
    }

    /// Takes no more jobs, and ends all that there are.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.queue.clear();
        for entry in inner.jobs.values_mut() {
            entry.stop.store(true, Ordering::Relaxed);
            if entry.ended.is_none() {
                entry.fail(problem::STOPPING.because("the worker stopped before the job was done"));
            }
        }
        self.wake.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No code panics while it holds the lock; if some did, the maps would still be whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Task {
    /// The job's id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

impl Inner {
    fn start(&mut self) -> Option<Task> {
        while let Some(id) = self.queue.pop_front() {
            let Some(entry) = self.jobs.get_mut(&id) else { continue };
            let Some(job) = entry.job.take() else { continue };
            publish(&entry.news, |info| info.state = JobState::Running);
            return Some(Task { id, job, stop: Arc::clone(&entry.stop), news: entry.news.clone() });
        }
        None
    }

    fn forget_old(&mut self, now: Instant, keep: Duration) {
        self.jobs.retain(|_, entry| entry.ended.is_none_or(|ended| now.duration_since(ended) < keep));
    }
}

impl Entry {
    fn fail(&mut self, problem: Problem) {
        self.job = None;
        publish(&self.news, |info| {
            info.state = JobState::Failed;
            info.error = Some(problem);
        });
    }
}

/// Changes a job's state, unless it is final.
fn publish(news: &watch::Sender<News>, change: impl FnOnce(&mut JobInfo)) {
    news.send_if_modified(|news| {
        if news.is_final() {
            return false;
        }
        change(&mut news.info);
        news.number += 1;
        true
    });
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
mod tests {
    use lookalike_wire::{
        job::{JOB_VERSION, Rule},
        settings::{Budget, Loss, Method},
    };

    use super::*;

    fn job() -> Job {
        Job {
            version: JOB_VERSION,
            dims: 1,
            points: vec![0.0, 1.0],
            colours: vec![0, 0],
            rule: Rule::MinSize { k: 2 },
            loss: Loss::Sse,
            method: Method::Classic,
            budget: Budget::Effort(0.0),
            stop_gap_percent: None,
            seed: 1,
        }
    }

    fn store() -> Store {
        Store::new(Limits { waiting: 2, held: 100, keep: Duration::from_secs(10), ..Limits::default() })
    }

    fn start(store: &Store) -> Task {
        store.lock().start().unwrap()
    }

    #[test]
    fn jobs_run_in_order_and_leave_a_result() {
        let store = store();
        let (first, second) = (store.submit(job(), 10).unwrap().id, store.submit(job(), 10).unwrap().id);
        assert_ne!(first, second);
        assert_eq!(first.len(), 32);
        let task = start(&store);
        assert_eq!(task.id(), first);
        assert_eq!(store.info(&first).unwrap().state, JobState::Running);
        task.tell(&Progress { seconds: 1.0, ..Progress::default() });
        assert_eq!(store.info(&first).unwrap().progress.unwrap().seconds, 1.0);
        assert_eq!(store.answer(&first).unwrap().unwrap_err().state, JobState::Running);
        store.end(&first, Ok(Bytes::from_static(b"{}")));
        assert_eq!(store.info(&first).unwrap().state, JobState::Done);
        assert_eq!(store.answer(&first).unwrap().unwrap(), "{}");
        assert_eq!(start(&store).id(), second);
    }

    #[test]
    fn queue_and_memory_are_limited() {
        let store = store();
        store.submit(job(), 10).unwrap();
        store.submit(job(), 10).unwrap();
        assert_eq!(store.submit(job(), 10).unwrap_err().kind, problem::QUEUE_FULL.code);
        start(&store);
        assert_eq!(store.submit(job(), 81).unwrap_err().status, 429);
        store.submit(job(), 80).unwrap();
    }

    #[test]
    fn a_deleted_job_is_gone_and_told_so() {
        let store = store();
        let id = store.submit(job(), 10).unwrap().id;
        let task = start(&store);
        let listener = store.follow(&id).unwrap();
        assert!(!task.stopped());
        assert!(store.delete(&id));
        assert!(task.stopped());
        assert_eq!(listener.borrow().info.error.as_ref().unwrap().kind, problem::DELETED.code);
        store.end(&id, Ok(Bytes::new()));
        assert!(store.info(&id).is_none() && store.answer(&id).is_none() && !store.delete(&id));
    }

    #[test]
    fn only_ended_jobs_are_forgotten() {
        let store = store();
        let (ended, waiting) = (store.submit(job(), 10).unwrap().id, store.submit(job(), 10).unwrap().id);
        start(&store);
        store.end(&ended, Err(problem::SOLVER.because("no")));
        store.sweep(Instant::now() + Duration::from_secs(9));
        assert!(store.info(&ended).is_some());
        store.sweep(Instant::now() + Duration::from_secs(11));
        assert!(store.info(&ended).is_none());
        assert!(store.info(&waiting).is_some());
    }

    #[test]
    fn a_closed_store_ends_everything() {
        let store = store();
        let (running, waiting) = (store.submit(job(), 10).unwrap().id, store.submit(job(), 10).unwrap().id);
        let task = start(&store);
        store.close();
        assert!(task.stopped());
        for id in [running, waiting] {
            assert_eq!(store.info(&id).unwrap().error.unwrap().kind, problem::STOPPING.code);
        }
        assert_eq!(store.submit(job(), 1).unwrap_err().status, 503);
    }
}
