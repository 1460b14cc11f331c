//! The store in memory, and the store on disk over a restart; [`stuck`]: over a disk that refuses.

mod stuck;

use std::{
    sync::mpsc,
    time::{Duration, Instant},
};

use lookalike_model::{
    event::Progress,
    job::JOB_VERSION,
    rule::Rule,
    settings::{Budget, Loss, MethodName},
};

use lookalike_words::Said;

use super::{
    super::keep::{Memory, Sqlite},
    inner::ATTEMPTS,
    *,
};

fn job(seed: u64) -> Job {
    Job {
        version: JOB_VERSION,
        dims: 1,
        points: vec![0.0, 1.0],
        colours: vec![0, 0],
        rule: Rule::at_least(2),
        loss: Loss::Sse,
        method: MethodName::Classic.into(),
        attributes: Vec::new(),
        ranks: None,
        further: Vec::new(),
        series: None,
        budget: Budget::Effort(0.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed,
    }
}

fn arrival(owner: &str, seed: u64) -> Arrival {
    Arrival { owner: owner.to_owned(), key: None, payload: binary::encode(job(seed)).unwrap() }
}

fn keyed(key: &str, digest: u8) -> Arrival {
    Arrival { key: Some((key.to_owned(), [digest; 32])), ..arrival("a", 1) }
}

fn limits() -> Limits {
    Limits { waiting: 2, held: 1000, keep: Duration::from_secs(10), ..Limits::default() }
}

fn store() -> Store {
    Store::new(limits(), Box::<Memory>::default(), false).unwrap()
}

fn on_disk(folder: &std::path::Path) -> Store {
    Store::new(limits(), Box::new(Sqlite::open(folder).unwrap()), true).unwrap()
}

fn start(store: &Store) -> (Task, Job) {
    let task = store.lock().next().unwrap();
    store.begin(&task).unwrap();
    let job = store.job(&task).unwrap();
    (task, job)
}

fn submit(store: &Store, seed: u64) -> String {
    store.submit(arrival("a", seed)).unwrap().id
}

fn state(store: &Store, id: &str) -> JobState {
    store.info("a", id).unwrap().state
}

#[test]
fn jobs_run_in_order_and_leave_a_result() {
    let store = store();
    let (first, second) = (submit(&store, 1), submit(&store, 2));
    assert_ne!(first, second);
    assert_eq!(first.len(), 32);
    let (task, problem) = start(&store);
    assert_eq!((task.id(), problem), (first.as_str(), job(1)));
    assert_eq!(state(&store, &first), JobState::Running);
    task.tell(&Progress { seconds: 1.0, ..Progress::default() });
    assert_eq!(store.info("a", &first).unwrap().progress.unwrap().seconds, 1.0);
    assert_eq!(store.answer("a", &first).unwrap().unwrap().unwrap_err().state, JobState::Running);
    store.end(&first, &Ok(Bytes::from_static(b"{}"))).unwrap();
    assert_eq!(state(&store, &first), JobState::Done);
    assert_eq!(store.answer("a", &first).unwrap().unwrap().unwrap(), "{}");
    assert_eq!(start(&store).0.id(), second);
}

#[test]
fn queue_and_memory_are_limited() {
    let store = store();
    submit(&store, 1);
    submit(&store, 2);
    let held = store.load().2;
    assert_eq!(store.submit(arrival("a", 3)).unwrap_err().kind, problem::QUEUE_FULL.code);
    // Each owner has a queue of its own.
    store.submit(arrival("b", 3)).unwrap();
    start(&store);
    let (waiting, running, _) = store.load();
    assert_eq!((waiting, running), (2, 1));
    let full = Store::new(Limits { held: held - 1, ..limits() }, Box::<Memory>::default(), false).unwrap();
    submit(&full, 1);
    assert_eq!(full.submit(arrival("a", 2)).unwrap_err().status, 429);
}

#[test]
fn a_deleted_job_is_gone_and_told_so() {
    let store = store();
    let id = submit(&store, 1);
    let (task, _) = start(&store);
    let listener = store.follow("a", &id).unwrap();
    assert!(!task.stopped());
    assert_eq!(store.delete("a", &id), Ok(true));
    assert!(task.stopped());
    assert_eq!(listener.borrow().info.error.as_ref().unwrap().kind, problem::DELETED.code);
    store.end(&id, &Ok(Bytes::new())).unwrap();
    assert!(store.info("a", &id).is_none() && store.answer("a", &id).unwrap().is_none());
    assert_eq!((store.delete("a", &id), store.load()), (Ok(false), (0, 0, 0)));
}

#[test]
fn jobs_of_others_are_not_there() {
    let store = store();
    let id = submit(&store, 1);
    assert!(store.info("b", &id).is_none() && store.follow("b", &id).is_none() && !store.stop("b", &id));
    assert_eq!(store.delete("b", &id), Ok(false));
    assert!(store.answer("b", &id).unwrap().is_none() && store.list("b", None, 9).unwrap().jobs.is_empty());
    assert!(store.info("a", &id).is_some());
}

#[test]
fn lists_come_in_pages() {
    let store = Store::new(Limits { waiting: 9, ..limits() }, Box::<Memory>::default(), false).unwrap();
    let ids: Vec<String> = (0..5).map(|seed| submit(&store, seed)).collect();
    let page = |after: Option<&str>| {
        let listed = store.list("a", after, 2).unwrap();
        (listed.jobs.into_iter().map(|job| job.id).collect::<Vec<_>>(), listed.more)
    };
    assert_eq!(page(None), (ids[..2].to_vec(), true));
    assert_eq!(page(Some(&ids[1])), (ids[2..4].to_vec(), true));
    assert_eq!(page(Some(&ids[3])), (ids[4..].to_vec(), false));
    assert!(store.list("a", Some("none"), 2).is_none());
}

#[test]
fn a_repeated_request_gets_the_same_job() {
    let store = store();
    let first = store.submit(keyed("k", 1)).unwrap();
    assert_eq!(store.submit(keyed("k", 1)).unwrap().id, first.id);
    assert_eq!(store.submit(keyed("k", 2)).unwrap_err().kind, problem::KEY_REUSED.code);
    let other = Arrival { owner: String::from("b"), ..keyed("k", 2) };
    assert_ne!(store.submit(other).unwrap().id, first.id, "keys belong to their owners");
    assert_eq!(store.delete("a", &first.id), Ok(true));
    assert_ne!(store.submit(keyed("k", 2)).unwrap().id, first.id);
}

#[test]
fn only_ended_jobs_are_forgotten() {
    let store = store();
    let (ended, waiting) = (submit(&store, 1), submit(&store, 2));
    start(&store);
    store.end(&ended, &Err(problem::SOLVER.because(Said::verbatim("no")))).unwrap();
    let later = |seconds| Instant::now() + Duration::from_secs(seconds);
    store.sweep(later(9)).unwrap();
    assert!(store.info("a", &ended).is_some());
    store.sweep(later(11)).unwrap();
    assert!(store.info("a", &ended).is_none());
    assert!(store.info("a", &waiting).is_some());
}

#[test]
fn a_closed_store_in_memory_ends_everything() {
    let store = store();
    let (running, waiting) = (submit(&store, 1), submit(&store, 2));
    let (task, _) = start(&store);
    store.close();
    assert!(task.stopped());
    for id in [running, waiting] {
        assert_eq!(store.info("a", &id).unwrap().error.unwrap().kind, problem::STOPPING.code);
    }
    assert_eq!(store.submit(arrival("a", 3)).unwrap_err().status, 503);
}

#[test]
fn on_disk_jobs_go_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    let (running, waiting) = (store.submit(keyed("k", 1)).unwrap().id, submit(&store, 2));
    let (task, _) = start(&store);
    let before = store.follow("a", &running).unwrap().borrow().number;
    store.close();
    assert!(task.stopped() && store.follow("a", &running).unwrap().borrow().over);
    // What the stopped search brings is not the answer.
    store.end(&running, &Ok(Bytes::from_static(b"half"))).unwrap();
    drop(store);

    let store = on_disk(folder.path());
    assert_eq!(state(&store, &running), JobState::Queued);
    assert!(store.follow("a", &running).unwrap().borrow().number > before, "ids of events grow");
    assert_eq!(store.submit(keyed("k", 1)).unwrap().id, running, "keys are remembered");
    let (task, problem) = start(&store);
    assert_eq!((task.id(), problem), (running.as_str(), job(1)));
    store.end(&running, &Ok(Bytes::from_static(b"{}"))).unwrap();
    assert_eq!(start(&store).0.id(), waiting);
    drop(store);

    let store = on_disk(folder.path());
    assert_eq!(store.answer("a", &running).unwrap().unwrap().unwrap(), "{}");
    assert_eq!(store.delete("a", &running), Ok(true));
    drop(store);
    assert!(on_disk(folder.path()).info("a", &running).is_none());
}

#[test]
fn a_job_that_takes_the_worker_down_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let id = submit(&on_disk(folder.path()), 1);
    for _ in 0..ATTEMPTS {
        let store = on_disk(folder.path());
        assert_eq!(state(&store, &id), JobState::Queued);
        start(&store);
    }
    let store = on_disk(folder.path());
    let info = store.info("a", &id).unwrap();
    assert_eq!(info.state, JobState::Failed);
    assert!(info.error.unwrap().detail.contains("100 times"));
    assert!(store.lock().next().is_none());
}

#[test]
fn an_attempt_that_was_cut_off_in_order_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let id = submit(&on_disk(folder.path()), 1);
    for _ in 0..=ATTEMPTS {
        let store = on_disk(folder.path());
        start(&store);
        store.close();
        store.forgive();
    }
    assert_eq!(state(&on_disk(folder.path()), &id), JobState::Queued);
}

#[test]
fn a_stop_outlives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    let (stopped, other) = (submit(&store, 1), submit(&store, 2));
    assert!(store.stop("a", &stopped) && !store.stop("b", &other));
    store.close();
    drop(store);
    let store = on_disk(folder.path());
    let (first, second) = (start(&store).0, start(&store).0);
    assert_eq!((first.id(), first.stopped()), (stopped.as_str(), true));
    assert_eq!((second.id(), second.stopped()), (other.as_str(), false), "the end of a worker is no stop");
}

#[test]
fn blocks_count_among_what_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    let id = submit(&store, 1);
    start(&store);
    let before = store.load().2;
    store.keep_block(&id, &[1; 32], &[0; 100]);
    // The same part again takes the place of the first.
    store.keep_block(&id, &[1; 32], &[0; 150]);
    store.keep_block(&id, &[2; 32], &[0; 7]);
    assert_eq!(store.load().2, before + 157);
    drop(store);
    let store = on_disk(folder.path());
    assert_eq!(store.load().2, before + 157);
    start(&store);
    store.end(&id, &Ok(Bytes::from_static(b"{}"))).unwrap();
    assert_eq!(store.load().2, 2);
}

/// Keeps in memory; what is new is stored when the other end says so.
struct Slow(Memory, mpsc::Receiver<()>);

impl Keep for Slow {
    fn insert(&mut self, record: &Record, payload: Vec<u8>) -> Result<(), KeepError> {
        self.1.recv().map_err(|e| KeepError(e.to_string()))?;
        self.0.insert(record, payload)
    }
    fn payload(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        self.0.payload(id)
    }
    fn begin(&mut self, id: &str, attempts: u32) -> Result<(), KeepError> {
        self.0.begin(id, attempts)
    }
    fn end(&mut self, record: &Record, result: Option<Bytes>) -> Result<(), KeepError> {
        self.0.end(record, result)
    }
    fn result(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        self.0.result(id)
    }
    fn remove(&mut self, id: &str) -> Result<(), KeepError> {
        self.0.remove(id)
    }
    fn load(&mut self) -> Result<Vec<Record>, KeepError> {
        self.0.load()
    }
}

#[test]
fn nobody_is_told_of_a_job_before_it_is_stored() {
    let (go, wait) = mpsc::channel();
    let store = &Store::new(limits(), Box::new(Slow(Memory::default(), wait)), false).unwrap();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| store.submit(keyed("k", 1)));
        let id = loop {
            if let Some(id) = store.lock().jobs.keys().next().cloned() {
                break id;
            }
            std::thread::yield_now();
        };
        assert!(store.info("a", &id).is_none() && store.list("a", None, 9).unwrap().jobs.is_empty());
        assert!(!store.stop("a", &id) && store.follow("a", &id).is_none());
        assert_eq!(store.delete("a", &id), Ok(false), "what is not there cannot come back");
        let again = scope.spawn(|| store.submit(keyed("k", 1)));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!first.is_finished() && !again.is_finished());
        assert_eq!(store.submit(keyed("k", 2)).unwrap_err().kind, problem::KEY_REUSED.code);
        go.send(()).unwrap();
        assert_eq!(first.join().unwrap().unwrap().id, again.join().unwrap().unwrap().id);
        assert_eq!(state(store, &id), JobState::Queued);
        // One that cannot be stored leaves nothing behind, its key neither.
        drop(go);
        assert_eq!(store.submit(keyed("other", 1)).unwrap_err().kind, problem::STORAGE.code);
        assert_eq!(store.submit(keyed("other", 2)).unwrap_err().kind, problem::STORAGE.code);
        assert_eq!(store.list("a", None, 9).unwrap().jobs.len(), 1);
    });
}
