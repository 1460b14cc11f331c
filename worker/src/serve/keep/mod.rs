//! Where payloads and results are kept: in memory, or in a file that outlives the process.

mod memory;
mod sqlite;

use std::time::SystemTime;

use axum::body::Bytes;
use lookalike_wire::http::{JobState, Problem};

pub(crate) use memory::Memory;
pub(crate) use sqlite::Sqlite;

/// What is known of a job apart from its payload and its result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Unguessable id.
    pub(crate) id: String,
    /// Name of the token it came with.
    pub(crate) owner: String,
    /// Where it stands.
    pub(crate) state: JobState,
    /// Why it failed.
    pub(crate) error: Option<Problem>,
    /// The client's key and the digest of what it sent, for a request that is repeated.
    pub(crate) key: Option<(String, [u8; 32])>,
    /// Bytes of payload and result.
    pub(crate) bytes: u64,
    /// How often its search was begun.
    pub(crate) attempts: u32,
    /// Whether it was asked to end with its best so far.
    pub(crate) stopped: bool,
    /// When it ended.
    pub(crate) ended: Option<SystemTime>,
}

/// What went wrong with keeping; nothing of a job's content is in it.
#[derive(Debug)]
pub(crate) struct KeepError(pub(crate) String);

impl std::fmt::Display for KeepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Keeps jobs. Each call that returns `Ok` has taken full effect, whatever happens to the process afterwards.
pub(crate) trait Keep: Send {
    /// A new job that waits, with its payload.
    fn insert(&mut self, record: &Record, payload: Vec<u8>) -> Result<(), KeepError>;
    /// The payload of a job that has not ended.
    fn payload(&mut self, id: &str) -> Result<Option<Bytes>, KeepError>;
    /// Its search begins; how often it was begun now.
    fn begin(&mut self, id: &str, attempts: u32) -> Result<(), KeepError>;
    /// It is asked to end with its best so far.
    fn stop(&mut self, _id: &str) -> Result<(), KeepError> {
        Ok(())
    }
    /// Its search has ended, with a result or for the reason in `record`; the payload is removed.
    fn end(&mut self, record: &Record, result: Option<Bytes>) -> Result<(), KeepError>;
    /// The result of a job.
    fn result(&mut self, id: &str) -> Result<Option<Bytes>, KeepError>;
    /// Removes all of it. No trace of payload and result stays.
    fn remove(&mut self, id: &str) -> Result<(), KeepError>;
    /// A finished block of a job's decomposition, by its key. What is gone with the process keeps none: a job is not
    /// begun twice there.
    fn block(&mut self, _id: &str, _key: &[u8; 32]) -> Result<Option<Bytes>, KeepError> {
        Ok(None)
    }
    /// A block is finished; it is removed with the job's payload. How many bytes more, or less, are kept now.
    fn keep_block(&mut self, _id: &str, _key: &[u8; 32], _answer: &[u8]) -> Result<i64, KeepError> {
        Ok(0)
    }
    /// All jobs, oldest first.
    fn load(&mut self) -> Result<Vec<Record>, KeepError>;
}
