//! The store over a disk that refuses.

use std::sync::{Arc, atomic::AtomicU32};

use super::*;

/// Keeps in memory, ends every second job that is to be ended, notes the second stop, and removes nothing.
#[derive(Default)]
struct Stuck(Memory, u32, Arc<AtomicU32>);

impl Keep for Stuck {
    fn insert(&mut self, record: &Record, payload: Vec<u8>) -> Result<(), KeepError> {
        self.0.insert(record, payload)
    }
    fn payload(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        self.0.payload(id)
    }
    fn begin(&mut self, id: &str, attempts: u32) -> Result<(), KeepError> {
        self.0.begin(id, attempts)
    }
    fn stop(&mut self, _id: &str) -> Result<(), KeepError> {
        let before = self.2.fetch_add(1, Ordering::Relaxed);
        if before == 0 { Err(KeepError(String::from("the disk is full"))) } else { Ok(()) }
    }
    fn end(&mut self, record: &Record, result: Option<Bytes>) -> Result<(), KeepError> {
        self.1 += 1;
        if self.1 % 2 == 1 {
            return Err(KeepError(String::from("the disk is full")));
        }
        self.0.end(record, result)
    }
    fn result(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        self.0.result(id)
    }
    fn remove(&mut self, _id: &str) -> Result<(), KeepError> {
        Err(KeepError(String::from("the disk is read-only")))
    }
    fn load(&mut self) -> Result<Vec<Record>, KeepError> {
        self.0.load()
    }
}

#[test]
fn a_job_that_cannot_be_deleted_still_waits() {
    let store = Store::new(limits(), Box::<Stuck>::default(), false).unwrap();
    let id = submit(&store, 1);
    assert_eq!(store.delete("a", &id).unwrap_err().kind, problem::STORAGE.code);
    assert_eq!(state(&store, &id), JobState::Queued);
    assert_eq!(start(&store).0.id(), id);
    // One that runs goes on, and does not wait again.
    assert!(store.delete("a", &id).is_err());
    assert_eq!(store.load(), (0, 1, store.load().2));
}

#[test]
fn a_stop_that_could_not_be_kept_is_kept_when_it_is_repeated() {
    let stuck = Stuck::default();
    let asked = Arc::clone(&stuck.2);
    let store = Store::new(limits(), Box::new(stuck), false).unwrap();
    let id = submit(&store, 1);
    for times in [1, 2, 2] {
        assert!(store.stop("a", &id));
        assert_eq!(asked.load(Ordering::Relaxed), times);
    }
    assert!(start(&store).0.stopped());
}

#[test]
fn an_answer_that_cannot_be_kept_is_not_lost() {
    let store = Store::new(limits(), Box::<Stuck>::default(), false).unwrap();
    let id = submit(&store, 1);
    start(&store);
    let answer = Ok(Bytes::from_static(b"{}"));
    assert!(store.end(&id, &answer).is_err());
    assert_eq!(state(&store, &id), JobState::Running, "no end that is taken back");
    store.end(&id, &answer).unwrap();
    assert_eq!(state(&store, &id), JobState::Done);
    assert_eq!(store.answer("a", &id).unwrap().unwrap().unwrap(), "{}");
}
