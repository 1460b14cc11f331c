//! The tables, and how older ones are brought to the newest form.

use rusqlite::Connection;

/// Version of the tables (`user_version`).
pub(super) const VERSION: i64 = 5;

/// What each version added to the one before.
pub(super) const STEPS: [&str; VERSION as usize] = [JOBS, BLOCKS, STOPPED, PARTS, SUMS];

const JOBS: &str = "
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

/// Finished blocks of decompositions.
const BLOCKS: &str = "
    CREATE TABLE blocks (
        job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
        key BLOB NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (job, key)
    ) STRICT;";

/// A stop outlives a restart.
const STOPPED: &str = "ALTER TABLE jobs ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0;";

/// Payloads and results in parts of their own: a change of a job's state writes a row of it, not all its numbers, and
/// what is too large for the room there is can be removed one part after another. A job has the parts of its result once
/// it has ended, those of its payload before.
const PARTS: &str = "
    CREATE TABLE parts (
        job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
        part INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (job, part)
    ) STRICT;
    INSERT INTO parts
        SELECT id, 0, COALESCE(payload, result) FROM jobs WHERE payload IS NOT NULL OR result IS NOT NULL;
    ALTER TABLE jobs DROP COLUMN payload;
    ALTER TABLE jobs DROP COLUMN result;";

/// What is read must be what was written: BLAKE3 of a payload or a result, and of a block. What older versions wrote has none.
const SUMS: &str = "
    ALTER TABLE jobs ADD COLUMN sum BLOB;
    ALTER TABLE blocks ADD COLUMN sum BLOB;";

/// The version of the file; 0 for a new one.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Brings tables of version `from` to the newest one, all or nothing.
pub(super) fn bring_up(connection: &Connection, from: usize) -> rusqlite::Result<()> {
    let steps = STEPS[from..].concat();
    connection.execute_batch(&format!("BEGIN; {steps} PRAGMA user_version = {VERSION}; COMMIT;"))
}
