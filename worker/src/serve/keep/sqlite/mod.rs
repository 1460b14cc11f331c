//! Jobs in a `SQLite` file.
//!
//! Every call is one transaction that is on the disk when it returns. What is removed is overwritten
//! (`secure_delete`), and the rollback journal, which holds it for a moment, is emptied with each transaction. Where the
//! disk is full, removing needs room for that journal: the [`reserve`] is given up for it, and a job that is larger goes
//! part by part.
//!
//! * [`schema`]: the tables and their versions; [`private`]: whose the file is; [`reserve`]; [`handed`]: results
//!   that are being sent.

mod handed;
mod private;
mod reserve;
mod schema;

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::body::Bytes;
use lookalike_wire::http::JobState;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use self::{handed::Handed, reserve::Reserve, schema::VERSION};
use super::{
    super::{
        fault::ServeFault,
        problem::{self, Detail},
    },
    Keep, KeepError, Record,
};
use crate::exit::Failure;

/// Name of the file in the data folder.
const FILE: &str = "jobs.sqlite3";

/// Bytes of a part of a payload or result: removing one needs little room beside it.
const PART: usize = 32 << 10;

/// Parts that are removed at a time where there is little room, at first.
const BATCH: u32 = 128;

/// Removes a job, and with it its parts and blocks.
const REMOVE: &str = "DELETE FROM jobs WHERE id = ?";

/// Jobs in a file.
pub(crate) struct Sqlite {
    connection: Connection,
    path: PathBuf,
    reserve: Reserve,
    handed: Handed,
}

impl Sqlite {
    /// Opens the file in this folder, or makes both.
    ///
    /// # Errors
    /// If the folder cannot be used, another worker uses it, or the file is damaged or of a newer version.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        private::folder(folder)?;
        let path = folder.join(FILE);
        private::file(&path)?;
        let connection = Connection::open(&path).and_then(prepared);
        let connection = connection.map_err(|e| refused(&path, &e))?;
        let wrong = |e: rusqlite::Error| refused(&path, &e);
        let found = schema::version(&connection).map_err(wrong)?;
        match usize::try_from(found) {
            Ok(old) if found <= VERSION => {
                if old > 0 {
                    check(&connection, &path)?;
                }
                if found < VERSION {
                    schema::bring_up(&connection, old).map_err(wrong)?;
                }
                if (1..VERSION).contains(&found) {
                    tracing::info!("the jobs' file was brought to format {VERSION}");
                }
            }
            _ => {
                return Err(Failure::system(ServeFault::Format {
                    path: path.display().to_string(),
                    found: found.to_string(),
                    known: VERSION.to_string(),
                }));
            }
        }
        let reserve = Reserve::in_folder(folder);
        Ok(Self { connection, path, reserve, handed: Handed::default() })
    }

    fn wrong(&self, error: &rusqlite::Error) -> KeepError {
        KeepError(format!("{}: {error}", self.path.display()))
    }

    /// What was written, if it still is.
    fn whole(&self, bytes: Vec<u8>, sum: Option<[u8; 32]>) -> Result<Vec<u8>, KeepError> {
        if sum.is_some_and(|sum| sum != *blake3::hash(&bytes).as_bytes()) {
            let what = "what is read is not what was written: it was changed on the disk";
            return Err(KeepError(format!("{}: {what}", self.path.display())));
        }
        Ok(bytes)
    }

    /// How many rows it changed.
    fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize, KeepError> {
        let done = self.connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values));
        done.map_err(|e| self.wrong(&e))
    }

    /// All or nothing.
    fn together(&self, changes: impl FnOnce() -> Result<(), KeepError>) -> Result<(), KeepError> {
        let transaction = self.connection.unchecked_transaction().map_err(|e| self.wrong(&e))?;
        changes()?;
        transaction.commit().map_err(|e| self.wrong(&e))
    }

    /// Writes a payload or a result.
    fn write(&self, id: &str, bytes: &[u8]) -> Result<(), KeepError> {
        let sum = blake3::hash(bytes);
        self.execute("UPDATE jobs SET sum = ? WHERE id = ?", params![sum.as_bytes(), id])?;
        // Also nothing is a part.
        let parts = bytes.chunks(PART).chain(bytes.is_empty().then_some(bytes));
        for (part, bytes) in (0_i64..).zip(parts) {
            self.execute("INSERT INTO parts (job, part, bytes) VALUES (?, ?, ?)", params![id, part, bytes])?;
        }
        Ok(())
    }

    /// Reads it: that of a job which has ended, or not.
    fn read(&self, id: &str, ended: bool) -> Result<Option<Vec<u8>>, KeepError> {
        let length = "SELECT SUM(length(parts.bytes)) FROM parts JOIN jobs ON job = id
                      WHERE id = ? AND (state IN ('done', 'failed')) = ?";
        let parts = "SELECT bytes FROM parts WHERE job = ? ORDER BY part";
        let read = || -> rusqlite::Result<Option<Vec<u8>>> {
            let mut found = self.connection.prepare_cached(length)?;
            let length: Option<i64> = found.query_row(params![id, ended], |row| row.get(0))?;
            let Some(length) = length else { return Ok(None) };
            let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
            let mut found = self.connection.prepare_cached(parts)?;
            let mut rows = found.query([id])?;
            while let Some(row) = rows.next()? {
                bytes.extend_from_slice(row.get_ref(0)?.as_blob()?);
            }
            Ok(Some(bytes))
        };
        let Some(bytes) = read().map_err(|e| self.wrong(&e))? else { return Ok(None) };
        let sum = "SELECT sum FROM jobs WHERE id = ?";
        let sum =
            self.connection.prepare_cached(sum).and_then(|mut found| found.query_row([id], |row| row.get(0)));
        self.whole(bytes, sum.map_err(|e| self.wrong(&e))?).map(Some)
    }

    /// Removes a job part by part, each for good. It has ended before the first one goes: nobody begins it again.
    fn remove_in_parts(&self, id: &str) -> Result<(), KeepError> {
        let deleted = serde_json::to_string(&problem::DELETED.because(Detail::Deleted));
        let deleted = deleted.map_err(|e| KeepError(e.to_string()))?;
        self.execute("UPDATE jobs SET state = 'failed', ended = 0, error = ? WHERE id = ?", [&deleted, id])?;
        let mut batch = BATCH;
        for some in [
            "DELETE FROM blocks WHERE rowid IN (SELECT rowid FROM blocks WHERE job = ? LIMIT ?)",
            "DELETE FROM parts WHERE rowid IN (SELECT rowid FROM parts WHERE job = ? ORDER BY part DESC LIMIT ?)",
        ] {
            loop {
                match self.execute(some, params![id, batch]) {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(_) if batch > 1 => batch /= 2,
                    Err(error) => return Err(error),
                }
            }
        }
        self.execute(REMOVE, [id]).map(drop)
    }

    fn count(&self, sql: &str, values: impl rusqlite::Params) -> Result<i64, KeepError> {
        let found = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut found| found.query_row(values, |row| row.get(0)));
        found.map_err(|e| self.wrong(&e))
    }
}

fn prepared(connection: Connection) -> rusqlite::Result<Connection> {
    // A second worker on the same file would search the same jobs: it is refused.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "secure_delete", "ON")?;
    connection.pragma_update(None, "auto_vacuum", "FULL")?;
    connection.pragma_update_and_check(None, "journal_mode", "TRUNCATE", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT;")?;
    Ok(connection)
}

fn check(connection: &Connection, path: &Path) -> Result<(), Failure> {
    let verdict: String = connection
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(|e| refused(path, &e))?;
    if verdict == "ok" { Ok(()) } else { Err(damaged(path, &verdict)) }
}

fn refused(path: &Path, error: &rusqlite::Error) -> Failure {
    use rusqlite::ErrorCode;
    let shown = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Failure::system(ServeFault::InUse { path: shown })
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(path, &error.to_string()),
        _ => Failure::system(ServeFault::Unusable { path: shown, why: error.to_string() }),
    }
}

fn damaged(path: &Path, why: &str) -> Failure {
    Failure::system(ServeFault::Damaged { path: path.display().to_string(), why: why.to_owned() })
}

impl Keep for Sqlite {
    fn insert(&mut self, record: &Record, payload: Vec<u8>) -> Result<(), KeepError> {
        let (key, digest) = record.key.as_ref().map(|(key, digest)| (key, digest.as_slice())).unzip();
        self.together(|| {
            self.execute(
                "INSERT INTO jobs (id, owner, state, key, digest, bytes, attempts) VALUES (?, ?, ?, ?, ?, ?, 0)",
                params![record.id, record.owner, name(record.state), key, digest, record.bytes.cast_signed()],
            )?;
            self.write(&record.id, &payload)
        })
    }

    fn payload(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        Ok(self.read(id, false)?.map(Bytes::from))
    }

    fn begin(&mut self, id: &str, attempts: u32) -> Result<(), KeepError> {
        self.execute("UPDATE jobs SET state = 'running', attempts = ? WHERE id = ?", params![attempts, id])
            .map(drop)
    }

    fn stop(&mut self, id: &str) -> Result<(), KeepError> {
        self.execute("UPDATE jobs SET stopped = 1 WHERE id = ?", [id]).map(drop)
    }

    fn end(&mut self, record: &Record, result: Option<Bytes>) -> Result<(), KeepError> {
        let error = record.error.as_ref().map(serde_json::to_string).transpose();
        let error = error.map_err(|e| KeepError(e.to_string()))?;
        let ended = record.ended.map(seconds);
        self.together(|| {
            self.execute("DELETE FROM blocks WHERE job = ?", [&record.id])?;
            self.execute("DELETE FROM parts WHERE job = ?", [&record.id])?;
            let changed = self.execute(
                "UPDATE jobs SET state = ?, error = ?, ended = ?, bytes = ? WHERE id = ?",
                params![name(record.state), error, ended, record.bytes.cast_signed(), record.id],
            )?;
            match result {
                // A job that was removed meanwhile stays removed.
                Some(result) if changed > 0 => self.write(&record.id, &result),
                _ => Ok(()),
            }
        })
    }

    fn result(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        if let Some(bytes) = self.handed.get(id) {
            return Ok(Some(bytes));
        }
        Ok(self.read(id, true)?.map(|bytes| self.handed.give(id, bytes)))
    }

    fn remove(&mut self, id: &str) -> Result<(), KeepError> {
        self.handed.forget(id);
        let mut removed = self.execute(REMOVE, [id]).map(drop);
        if removed.is_err() && self.reserve.give_up() {
            removed = self.remove_in_parts(id);
        }
        self.reserve.fill();
        removed
    }

    fn block(&mut self, id: &str, key: &[u8; 32]) -> Result<Option<Bytes>, KeepError> {
        let sql = "SELECT answer, sum FROM blocks WHERE job = ? AND key = ?";
        let found = self.connection.prepare_cached(sql).and_then(|mut statement| {
            statement.query_row(params![id, key], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        });
        let Some((bytes, sum)) = found.map_err(|e| self.wrong(&e))? else { return Ok(None) };
        self.whole(bytes, sum).map(Bytes::from).map(Some)
    }

    fn keep_block(&mut self, id: &str, key: &[u8; 32], answer: &[u8]) -> Result<i64, KeepError> {
        let before = "SELECT COALESCE(SUM(length(answer)), 0) FROM blocks WHERE job = ? AND key = ?";
        let before = self.count(before, params![id, key])?;
        self.execute(
            "INSERT OR REPLACE INTO blocks (job, key, answer, sum) VALUES (?, ?, ?, ?)",
            params![id, key, answer, blake3::hash(answer).as_bytes()],
        )?;
        Ok(i64::try_from(answer.len()).unwrap_or(i64::MAX) - before)
    }

    fn load(&mut self) -> Result<Vec<Record>, KeepError> {
        let records = self
            .connection
            .prepare(
                "SELECT id, owner, state, error, key, digest,
                 bytes + (SELECT COALESCE(SUM(length(answer)), 0) FROM blocks WHERE job = jobs.id),
                 attempts, ended, stopped FROM jobs ORDER BY number",
            )
            .and_then(|mut statement| statement.query_map([], record)?.collect::<Result<Vec<_>, _>>());
        records.map_err(|e| self.wrong(&e))
    }
}

fn record(row: &Row) -> rusqlite::Result<Record> {
    let text: String = row.get(2)?;
    let error: Option<String> = row.get(3)?;
    let key: Option<String> = row.get(4)?;
    let digest: Option<[u8; 32]> = row.get(5)?;
    Ok(Record {
        id: row.get(0)?,
        owner: row.get(1)?,
        state: state(&text),
        error: error.and_then(|text| serde_json::from_str(&text).ok()),
        key: key.zip(digest),
        bytes: row.get::<_, i64>(6)?.max(0) as u64,
        attempts: row.get(7)?,
        ended: row.get::<_, Option<f64>>(8)?.and_then(moment),
        stopped: row.get(9)?,
    })
}

fn name(state: JobState) -> &'static str {
    match state {
        JobState::Queued => "queued",
        JobState::Running => "running",
        JobState::Done => "done",
        JobState::Failed => "failed",
    }
}

/// The table allows no other names.
fn state(name: &str) -> JobState {
    match name {
        "queued" => JobState::Queued,
        "running" => JobState::Running,
        "done" => JobState::Done,
        _ => JobState::Failed,
    }
}

fn seconds(moment: SystemTime) -> f64 {
    moment.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

fn moment(seconds: f64) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

#[cfg(test)]
mod tests;
