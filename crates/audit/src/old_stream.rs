//! A published table that is judged as it is read, for tables that nobody holds in memory.
//!
//! The rows of a sorted table that are published alike follow one another, and classes whose labels count up do, too. So
//! a run of equal rows is a whole group, unless the rows are out of order or a label is out of place, and either fails
//! the verdict. Nothing is hashed, and nothing is estimated.

mod run;

use std::io::Read;

use lookalike_table::{ReadOptions, Table, read_parts};

use self::run::Run;
use crate::{Attacker, Error, Judged, Question};

/// Rows that are in memory at a time.
const ROWS: usize = 1 << 15;

/// The verdict of [`crate::judge`] on a table that is read once, from its beginning to its end. Memory: the different
/// sensitive values, those of one group and of one class, and some ten thousand rows.
///
/// A table that passes there passes here, with the same words, and a table that fails there fails here. On a table whose
/// rows are out of order or whose labels are out of place all other findings are about runs of rows.
///
/// # Errors
/// As [`crate::judge`].
pub fn judge_stream(source: impl Read, question: &Question) -> Result<Judged, Error> {
    question.validate()?;
    let mut run: Option<Result<Run, Error>> = None;
    let read = read_parts(source, &ReadOptions::default(), ROWS, &mut |_, part: Table| {
        let state = run.get_or_insert_with(|| Run::new(&part, question));
        let Ok(state) = state else { return false };
        state.add(&part);
        true
    })
    .map_err(|e| Error::Source(0, e.to_string()))?;
    match run {
        Some(run) => Ok(run?.finish(read.rows, &Attacker::default())),
        // A table has a row at least: the reader says so before.
        None => Err(Error::NoRelease),
    }
}
