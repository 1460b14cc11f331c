//! One published table, judged from its bytes, as a stream of rows.
//!
//! This module is the whole way from the bytes of a release to the verdict on it, and uses nothing else of this package:
//! no reader, number, text or table of `lookalike-table`, by which releases are written. A release that is written wrongly
//! and would be read wrongly the same way is found out here. Of the rest of the program it knows the list of the missing
//! markers alone, which defines what "not known" means. `tests/audit/boundary.rs` checks this.
//!
//! Bytes of our own releases go through a strict reader ([`judge`], [`judge_stream`]); rows that another reader made go
//! to [`Judge`], and [`Verdict::reader`] says which of the two it was. There is one judge: whether a table is held in
//! memory or not makes no difference.

mod error;
mod fault;
mod near;
mod number;
mod order;
mod question;
mod reader;
mod risk;
mod roles;
mod row;
mod runs;
mod seen;
mod state;
mod tally;
pub(crate) mod text;
mod unnamed;
mod values;
mod verdict;
pub(crate) mod words;

use std::{collections::BTreeMap, io::Read};

pub use error::Error;
pub use fault::{Breach, Fault};
pub(crate) use order::compare;
pub use question::{Guarantee, Question};
pub(crate) use risk::of_sizes;
pub use risk::{Attacker, Exposure, Population, Risks};
pub use state::Judge;
pub use verdict::{Check, Reader, Risk, Verdict, WITNESSES, name};

use self::{reader::Rows, row::Row};

/// A published table, judged as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// As [`crate::risks`] has it.
    pub risks: Risks,
    /// Rows of the table.
    pub rows: usize,
    /// Sizes of the groups of equal published quasi-identifiers, and how many groups have each.
    pub groups: BTreeMap<usize, usize>,
    /// Sum of the squared group sizes.
    pub discernibility: f64,
    /// Largest share of one sensitive value among the rows of a group whose value is known. `None` if none is missing.
    pub known_share: Option<f64>,
    /// Share of rows that do not hold the most frequent sensitive value of their group. `None` without a sensitive
    /// column.
    pub classification_metric: Option<f64>,
}

/// Judges the bytes of a published table: [`judge_stream`] on one piece.
///
/// # Errors
/// As [`judge_stream`].
pub fn judge(published: &[u8], question: &Question) -> Result<Verdict, Error> {
    Ok(judge_stream(published, question)?.verdict)
}

/// Judges a published table that is read once, from its beginning to its end.
///
/// # The form of a release
/// UTF-8 without a byte-order mark; cells separated by commas; one header row with different names; every row, the last
/// one included, ends in one line feed. A cell is quoted, by `"`, if and only if it holds a comma, a quotation mark or a line
/// break, is empty and alone in its row, or begins the file with what other programs take for a mark; a quotation mark
/// in it is doubled.
///
/// # Order of the rows
/// Rows must be sorted, each at least as large as the one before. Two rows are compared column by column: the
/// quasi-identifiers in the order of [`Question::quasi`], the class column if there is one, all other columns in the
/// order of the table. The first column in which their cells differ decides:
/// * both cells are numbers (an optional sign, digits with an optional decimal point, an optional exponent): by value, equal
///   values ("2", "2.0") by their bytes;
/// * only one is a number: the number comes first;
/// * neither is: by their bytes.
///
/// # Labels
/// Class labels must be 1, 2, 3, ... (or 0, 1, 2, ...) in the order of their first appearance.
///
/// # Memory
/// That of [`Judge`], and the longest row. What a run of equal rows is, and what a whole group, is the same in a table in
/// order. In one that is out of order, or whose labels are, and which fails for that, the other findings are about whole
/// groups as long as these take less than some megabytes, and about runs of rows beyond.
///
/// # Errors
/// If the question makes no sense (k or m below 2, no quasi-identifier, no sensitive column for m-uniqueness, a
/// column named twice), a quasi-identifier or the sensitive column is missing, or the bytes are not of that form, with
/// row and column. A missing class column is no error: see [`Question::class`].
pub fn judge_stream(source: impl Read, question: &Question) -> Result<Judged, Error> {
    question.validate()?;
    let (mut rows, header) = Rows::new(source)?;
    let mut row = Row::default();
    let mut judge = Judge::new(&header, Reader::Strict, question);
    while rows.next(&mut row)? {
        // Bytes that are not a release are told before columns that it lacks.
        if let Ok(judge) = &mut judge {
            judge.take(&mut row);
        }
    }
    judge?.finish()
}

/// The rows of a release, one after another, cell by cell; the names of its columns.
///
/// # Errors
/// If the bytes do not have the form of a release: see [`judge_stream`].
pub(crate) fn rows(published: &[u8], each: &mut dyn FnMut(&[&str])) -> Result<Vec<String>, Error> {
    let (mut rows, header) = Rows::new(published)?;
    let mut row = Row::default();
    while rows.next(&mut row)? {
        let cells: Vec<&str> = (0..header.len()).map(|at| row.cell(at)).collect();
        each(&cells);
    }
    Ok(header)
}
