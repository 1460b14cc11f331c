//! Jobs in a `SQLite` file.
//!
//! Every call is one transaction that is on the disk when it returns. What is removed is overwritten
//! (`secure_delete`), and the rollback journal, which holds it for a moment, is emptied with each transaction. Where the
//! disk is full, removing needs room for that journal: the [`reserve`] is given up for it.

mod reserve;

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::body::Bytes;
use lookalike_wire::http::JobState;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use self::reserve::Reserve;
use super::{Keep, KeepError, Record};
use crate::exit::Failure;

/// Name of the file in the data folder.
const FILE: &str = "jobs.sqlite3";

/// Version of the tables (`user_version`).
const VERSION: i64 = 3;

const TABLES: &str = "
    CREATE TABLE jobs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
        error TEXT,
        key TEXT,
        digest BLOB,
        bytes INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        ended REAL,
        payload BLOB,
        result BLOB
    ) STRICT;";

/// What version 2 added: finished blocks of decompositions.
const BLOCKS: &str = "
    CREATE TABLE blocks (
        job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
        key BLOB NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (job, key)
    ) STRICT;";

/// What version 3 added: a stop outlives a restart.
const STOPPED: &str = "
    ALTER TABLE jobs ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0;
    PRAGMA user_version = 3;";

/// Jobs in a file.
pub(crate) struct Sqlite {
    connection: Connection,
    path: PathBuf,
    reserve: Reserve,
}

impl Sqlite {
    /// Opens the file in this folder, or makes both.
    ///
    /// # Errors
    /// If the folder cannot be used, another worker uses it, or the file is damaged or of a newer version.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        make_private(folder)?;
        let path = folder.join(FILE);
        make_private_file(&path)?;
        let connection = Connection::open(&path).and_then(prepared);
        let connection = connection.map_err(|e| refused(&path, &e))?;
        let found: i64 = connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|e| refused(&path, &e))?;
        match found {
            0 => change(&connection, &[TABLES, BLOCKS, STOPPED]).map_err(|e| refused(&path, &e))?,
            1 | 2 => {
                check(&connection, &path)?;
                let steps: &[&str] = if found == 1 { &[BLOCKS, STOPPED] } else { &[STOPPED] };
                change(&connection, steps).map_err(|e| refused(&path, &e))?;
                tracing::info!("the jobs' file was brought to format {VERSION}");
            }
            VERSION => check(&connection, &path)?,
            other => {
                return Err(Failure::System(format!(
                    "{} was written by another version of this program (its format is {other}, this one knows {VERSION}): \
                     use that version, or another folder",
                    path.display()
                )));
            }
        }
        let reserve = Reserve::in_folder(folder);
        Ok(Self { connection, path, reserve })
    }

    fn wrong(&self, error: &rusqlite::Error) -> KeepError {
        KeepError(format!("{}: {error}", self.path.display()))
    }

    fn blob(&self, sql: &str, values: impl rusqlite::Params) -> Result<Option<Bytes>, KeepError> {
        let found = self.connection.prepare_cached(sql).and_then(|mut statement| {
            statement.query_row(values, |row| row.get::<_, Option<Vec<u8>>>(0)).optional()
        });
        Ok(found.map_err(|e| self.wrong(&e))?.flatten().map(Bytes::from))
    }

    fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<(), KeepError> {
        let done = self.connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values));
        done.map(drop).map_err(|e| self.wrong(&e))
    }

    fn count(&self, sql: &str, values: impl rusqlite::Params) -> Result<i64, KeepError> {
        let found = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut found| found.query_row(values, |row| row.get(0)));
        found.map_err(|e| self.wrong(&e))
    }
}

/// Changes the tables, all or nothing.
fn change(connection: &Connection, steps: &[&str]) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("BEGIN; {} COMMIT;", steps.concat()))
}

/// The folder holds pseudonymised records of people: nobody else may look into it.
fn make_private(folder: &Path) -> Result<(), Failure> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|e| Failure::io("make the folder", folder, &e))
}

/// The file is its owner's only, also in a folder that was there before; the journal takes over its mode.
fn make_private_file(path: &Path) -> Result<(), Failure> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let wrong = |e| Failure::io("open", path, &e);
    let file = options.open(path).map_err(wrong)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| std::fs::metadata(path).map(|about| about.permissions().mode());
        if mode(path).map_err(wrong)? & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600)).map_err(wrong)?;
        }
        let folder = path.parent().unwrap_or(path);
        if mode(folder).map_err(wrong)? & 0o077 != 0 {
            tracing::warn!(
                folder = %folder.display(),
                "others may look into the folder of the jobs: take that from them (chmod 700)"
            );
        }
    }
    drop(file);
    Ok(())
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
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Failure::System(format!(
            "another worker uses {}: give each worker a folder of its own",
            path.display()
        )),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(path, &error.to_string()),
        _ => Failure::System(format!("cannot use {}: {error}", path.display())),
    }
}

fn damaged(path: &Path, why: &str) -> Failure {
    Failure::System(format!(
        "{} is damaged ({why}): move it away to start with an empty queue; the jobs in it have to be sent again",
        path.display()
    ))
}

impl Keep for Sqlite {
    fn insert(&mut self, record: &Record, payload: Vec<u8>) -> Result<(), KeepError> {
        let (key, digest) = record.key.as_ref().map(|(key, digest)| (key, digest.as_slice())).unzip();
        self.execute(
            "INSERT INTO jobs (id, owner, state, key, digest, bytes, attempts, payload) VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
            params![record.id, record.owner, name(record.state), key, digest, record.bytes.cast_signed(), payload],
        )
    }

    fn payload(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        self.blob("SELECT payload FROM jobs WHERE id = ?", [id])
    }

    fn begin(&mut self, id: &str, attempts: u32) -> Result<(), KeepError> {
        self.execute("UPDATE jobs SET state = 'running', attempts = ? WHERE id = ?", params![attempts, id])
    }

    fn stop(&mut self, id: &str) -> Result<(), KeepError> {
        self.execute("UPDATE jobs SET stopped = 1 WHERE id = ?", [id])
    }

    fn end(&mut self, record: &Record, result: Option<Bytes>) -> Result<(), KeepError> {
        let error = record.error.as_ref().map(serde_json::to_string).transpose();
        let error = error.map_err(|e| KeepError(e.to_string()))?;
        let ended = record.ended.map(seconds);
        let transaction = self.connection.unchecked_transaction().map_err(|e| self.wrong(&e))?;
        self.execute("DELETE FROM blocks WHERE job = ?", [&record.id])?;
        self.execute(
            "UPDATE jobs SET state = ?, error = ?, ended = ?, bytes = ?, payload = NULL, result = ? WHERE id = ?",
            params![name(record.state), error, ended, record.bytes.cast_signed(), result.as_deref(), record.id],
        )?;
        transaction.commit().map_err(|e| self.wrong(&e))
    }

    fn result(&mut self, id: &str) -> Result<Option<Bytes>, KeepError> {
        self.blob("SELECT result FROM jobs WHERE id = ?", [id])
    }

    fn remove(&mut self, id: &str) -> Result<(), KeepError> {
        let statement = "DELETE FROM jobs WHERE id = ?";
        let mut removed = self.execute(statement, [id]);
        if removed.is_err() && self.reserve.give_up() {
            removed = self.execute(statement, [id]);
        }
        self.reserve.fill();
        removed
    }

    fn block(&mut self, id: &str, key: &[u8; 32]) -> Result<Option<Bytes>, KeepError> {
        self.blob("SELECT answer FROM blocks WHERE job = ? AND key = ?", params![id, key])
    }

    fn keep_block(&mut self, id: &str, key: &[u8; 32], answer: &[u8]) -> Result<i64, KeepError> {
        let before = "SELECT COALESCE(SUM(length(answer)), 0) FROM blocks WHERE job = ? AND key = ?";
        let before = self.count(before, params![id, key])?;
        self.execute(
            "INSERT OR REPLACE INTO blocks (job, key, answer) VALUES (?, ?, ?)",
            params![id, key, answer],
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
