//! Whole tables (`serve --accept-tables`): a queue of runs, each in a process of its own, whose tables and results are in memory
//! alone. Nothing of them is on a disk, in the log or on the way to other machines, and nothing outlives the process.
//!
//! * [`form`]: how a table arrives; [`process`]: one run.

pub(crate) mod form;
mod process;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::body::Bytes;
use lookalike_model::event::Progress;
use lookalike_wire::http::{JobInfo, JobState, Problem};

use self::form::Form;
use super::{
    fair::Queue,
    limits::Limits,
    problem::{self, Detail},
    store::{is_final, new_id},
};
use crate::audit_log::{Event, What};

/// How long a result is kept after it was fetched: a line that was cut may ask again.
const FETCHED: Duration = Duration::from_secs(60);

/// All runs on whole tables.
pub(crate) struct Tables {
    limits: Limits,
    /// Threads of one run.
    threads: usize,
    /// Hears of what the audit log is to hold beside requests.
    note: Note,
    inner: Mutex<Inner>,
}

/// Who hears of events.
pub(crate) type Note = Box<dyn Fn(Event) + Send + Sync>;

#[derive(Default)]
struct Inner {
    runs: HashMap<String, Run>,
    queue: Queue,
    running: usize,
    closed: bool,
}

/// A run.
struct Run {
    owner: String,
    info: JobInfo,
    /// Its table, until it is begun.
    form: Option<Form>,
    /// Its files, as an archive.
    result: Option<Bytes>,
    /// What it takes in memory.
    bytes: u64,
    asked_to: Arc<Wanted>,
    /// When it ended, or was fetched, and how long it is kept from then on.
    ends: Option<(Instant, Duration)>,
}

/// What is wanted of a run that is under way.
#[derive(Default)]
struct Wanted {
    /// Its best so far.
    stop: AtomicBool,
    /// Nothing: it was deleted, or the worker stops.
    gone: AtomicBool,
}

impl Tables {
    /// None yet.
    pub(crate) fn new(limits: Limits, threads: usize, note: Note) -> Self {
        Self { limits, threads, note, inner: Mutex::default() }
    }

    /// Takes a run on.
    ///
    /// # Errors
    /// A problem if there is no place for it.
    pub(crate) fn submit(self: &Arc<Self>, owner: &str, form: Form) -> Result<JobInfo, Problem> {
        let id = new_id().map_err(|why| problem::STORAGE.because(why))?;
        let info = JobInfo { id: id.clone(), state: JobState::Queued, progress: None, error: None };
        let bytes = form.table.len() as u64 + form.asked.configuration.len() as u64;
        {
            let mut inner = self.lock();
            if inner.closed {
                return Err(problem::STOPPING.because(Detail::Closed));
            }
            if inner.queue.len_of(owner) >= self.limits.waiting {
                return Err(problem::QUEUE_FULL.because(Detail::QueueFull { waiting: self.limits.waiting }));
            }
            let held: u64 = inner.runs.values().filter(|run| run.owner == owner).map(|run| run.bytes).sum();
            if held + bytes > self.limits.held {
                return Err(problem::STORAGE.because(Detail::HeldFull));
            }
            let run = Run {
                owner: owner.to_owned(),
                info: info.clone(),
                form: Some(form),
                result: None,
                bytes,
                asked_to: Arc::default(),
                ends: None,
            };
            inner.runs.insert(id.clone(), run);
            inner.queue.push(owner, id);
        }
        self.begin();
        Ok(info)
    }

    /// Begins what may be begun.
    fn begin(self: &Arc<Self>) {
        let mut inner = self.lock();
        while inner.running < self.limits.running && !inner.closed {
            let Some(id) = inner.queue.pop() else { return };
            let Some(run) = inner.runs.get_mut(&id) else { continue };
            let Some(form) = run.form.take() else { continue };
            run.info.state = JobState::Running;
            let wanted = Arc::clone(&run.asked_to);
            inner.running += 1;
            let tables = Arc::clone(self);
            tokio::task::spawn_blocking(move || {
                let told = |progress: Progress| tables.progress(&id, progress);
                let result = process::run(form, tables.threads, &tables.limits, &wanted, &told);
                tables.end(&id, result);
                tables.begin();
            });
        }
    }

    fn progress(&self, id: &str, progress: Progress) {
        if let Some(run) = self.lock().runs.get_mut(id) {
            run.info.progress = Some(progress);
        }
    }

    fn end(&self, id: &str, result: Result<Bytes, Problem>) {
        let mut inner = self.lock();
        inner.running -= 1;
        let keep = self.limits.keep;
        let Some(run) = inner.runs.get_mut(id) else { return };
        let who = Some(run.owner.clone());
        let (job, problem) = (Some(id.to_owned()), result.as_ref().err().map(|problem| problem.kind.clone()));
        run.info.progress = None;
        run.ends = Some((Instant::now(), keep));
        match result {
            Ok(files) => {
                run.info.state = JobState::Done;
                run.bytes = files.len() as u64;
                run.result = Some(files);
            }
            Err(problem) => {
                (run.info.state, run.bytes) = (JobState::Failed, 0);
                run.info.error = Some(problem);
            }
        }
        drop(inner);
        (self.note)(Event { who, job, problem, ..Event::of(What::Finish) });
    }

    /// Where a run stands. Those of other owners are not there.
    pub(crate) fn info(&self, owner: &str, id: &str) -> Option<JobInfo> {
        self.lock().of(owner, id).map(|run| run.info.clone())
    }

    /// Its files, which are gone a minute later; or where it stands, if it has none. `None` if there is no such run.
    pub(crate) fn fetch(&self, owner: &str, id: &str) -> Option<Result<Bytes, JobInfo>> {
        let mut inner = self.lock();
        let run = inner.of(owner, id)?;
        Some(match run.result.clone() {
            Some(files) => {
                // Asking again does not keep it longer.
                if run.ends.is_none_or(|(_, keep)| keep > FETCHED) {
                    run.ends = Some((Instant::now(), FETCHED));
                }
                Ok(files)
            }
            None => Err(run.info.clone()),
        })
    }

    /// Asks a run to end with its best so far; false if there is no such run.
    pub(crate) fn stop(&self, owner: &str, id: &str) -> bool {
        self.lock().of(owner, id).is_some_and(|run| {
            run.asked_to.stop.store(true, Ordering::Relaxed);
            true
        })
    }

    /// Forgets a run with all that it has; false if there is no such run.
    pub(crate) fn delete(&self, owner: &str, id: &str) -> bool {
        let mut inner = self.lock();
        if inner.of(owner, id).is_none() {
            return false;
        }
        inner.forget(id);
        true
    }

    /// Forgets those whose time is over.
    pub(crate) fn sweep(&self, now: Instant) {
        let mut inner = self.lock();
        let over = |run: &Run| run.ends.is_some_and(|(since, keep)| now.duration_since(since) >= keep);
        let old: Vec<String> =
            inner.runs.iter().filter(|(_, run)| over(run)).map(|(id, _)| id.clone()).collect();
        let expired: Vec<Event> = old
            .into_iter()
            .map(|id| {
                let who = inner.runs.get(&id).map(|run| run.owner.clone());
                inner.forget(&id);
                Event { who, job: Some(id), ..Event::of(What::Expire) }
            })
            .collect();
        drop(inner);
        expired.into_iter().for_each(&self.note);
    }

    /// Takes and begins nothing more, and ends what is under way.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        let all: Vec<String> = inner.runs.keys().cloned().collect();
        for id in all {
            inner.forget(&id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn of(&mut self, owner: &str, id: &str) -> Option<&mut Run> {
        self.runs.get_mut(id).filter(|run| run.owner == owner)
    }

    fn forget(&mut self, id: &str) {
        self.queue.remove(id);
        if let Some(run) = self.runs.remove(id)
            && !is_final(run.info.state)
        {
            run.asked_to.gone.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::asked::Asked;

    fn form(bytes: usize) -> Form {
        Form { asked: Asked::default(), table: vec![0; bytes] }
    }

    fn none_runs(limits: Limits) -> Arc<Tables> {
        // Nothing is begun: what is counted is what waits.
        Arc::new(Tables::new(Limits { running: 0, ..limits }, 1, Box::new(drop)))
    }

    #[test]
    fn a_place_is_each_owners_and_so_are_bytes() {
        let tables = none_runs(Limits { waiting: 2, held: 1000, ..Limits::default() });
        let submit = |owner: &str, bytes| tables.submit(owner, form(bytes)).map_err(|problem| problem.kind);
        let first = submit("a", 400).unwrap();
        assert_eq!(submit("a", 700).unwrap_err(), problem::STORAGE.code);
        submit("a", 400).unwrap();
        assert_eq!(submit("a", 1).unwrap_err(), problem::QUEUE_FULL.code);
        let other = submit("b", 900).unwrap();
        // Nobody sees or ends what is another's.
        assert!(tables.info("b", &first.id).is_none() && !tables.delete("b", &first.id));
        assert!(!tables.stop("b", &first.id) && tables.fetch("b", &first.id).is_none());
        assert!(tables.delete("a", &first.id) && tables.info("a", &first.id).is_none());
        submit("a", 600).unwrap();
        assert!(tables.info("b", &other.id).is_some());
        tables.close();
        assert_eq!(submit("b", 1).unwrap_err(), problem::STOPPING.code);
        assert!(tables.info("b", &other.id).is_none());
    }

    #[test]
    fn a_result_is_gone_a_minute_after_it_was_fetched_however_often() {
        let tables = none_runs(Limits::default());
        let id = tables.submit("a", form(10)).unwrap().id;
        assert!(matches!(tables.fetch("a", &id), Some(Err(_))));
        tables.lock().running = 1;
        tables.end(&id, Ok(Bytes::from_static(b"files")));
        let later = |seconds| Instant::now() + Duration::from_secs(seconds);
        tables.sweep(later(600));
        assert_eq!(tables.fetch("a", &id).unwrap().unwrap(), "files");
        tables.sweep(later(50));
        assert!(tables.fetch("a", &id).is_some());
        tables.sweep(later(61));
        assert!(tables.fetch("a", &id).is_none());
    }
}
