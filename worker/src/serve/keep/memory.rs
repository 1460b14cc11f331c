//! Jobs in memory; gone with the process.

use std::collections::HashMap;

use axum::body::Bytes;

use super::{Keep, KeepError, Record};

/// Payload or result of each job, never both.
#[derive(Default)]
pub(crate) struct Memory {
    payloads: HashMap<String, Bytes>,
    results: HashMap<String, Bytes>,
}

impl Keep for Memory {
    fn insert(&mut self, record: &Record, payload: Vec<u8>) -> Result<(), KeepError> {
        self.payloads.insert(record.id.clone(), Bytes::from(payload));
        Ok(())
    }

    fn payload(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        Ok(self.payloads.get(id).cloned())
    }

    fn begin(&mut self, _id: &str, _attempts: u32) -> Result<(), KeepError> {
        Ok(())
    }

    fn end(&mut self, record: &Record, result: Option<Bytes>) -> Result<(), KeepError> {
        // A job that was removed meanwhile stays removed.
        if self.payloads.remove(&record.id).is_some()
            && let Some(result) = result
        {
            self.results.insert(record.id.clone(), result);
        }
        Ok(())
    }

    fn result(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        Ok(self.results.get(id).cloned())
    }

    fn remove(&mut self, id: &str) -> Result<(), KeepError> {
        self.payloads.remove(id);
        self.results.remove(id);
        Ok(())
    }

    fn load(&mut self) -> Result<Vec<Record>, KeepError> {
        Ok(Vec::new())
    }
}
