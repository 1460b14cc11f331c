//! One published table, judged from its bytes, as a stream of rows.
//!
//! This module is the whole way from the bytes of a release to the verdict on it, and uses nothing else of this package:
//! no reader, number, text or table of `lookalike-table`, by which releases are written. A release that is written wrongly
//! and would be read wrongly the same way is found out here. Of the rest of the program it uses two things: the list of the
//! missing markers, which defines what "not known" means, and `lookalike-words`, which puts a verdict into words once it is
//! reached. `tests/audit/boundary.rs` checks this.
//!
//! Bytes of our own releases go through a strict reader ([`judge`], [`judge_stream`]); rows that another reader made go
//! to [`Judge`], and [`Verdict::reader`] says which of the two it was. There is one judge: whether a table is held in
//! memory or not makes no difference.

mod amount;
pub(crate) mod conditions;
mod error;
mod fault;
mod formula;
mod further;
mod group_checks;
mod near;
mod number;
mod order;
mod part;
mod persons;
mod question;
mod reader;
mod risk;
mod roles;
mod row;
mod runs;
mod sets;
mod state;
mod tally;
mod unchanged;
mod unnamed;
mod values;
mod verdict;
pub(crate) mod words;

use std::{collections::BTreeMap, io::Read};

pub use conditions::{Arrangement, Condition, Ground};
pub use error::{
    CellKind, Error, LedgerFault, Protecting, Senseless, SourceFault, TableName, Unlinked, Unmeasurable,
};
pub use fault::{Breach, Fault};
pub use further::{FurtherJudged, judge_further};
pub(crate) use number::number;
pub(crate) use order::compare;
pub use part::{Before, JudgedPart, PartOf, judge_part, judge_parts};
pub use persons::{JudgedPersons, Persons, ToldByRows, judge_persons};
pub use question::{Conditions, Dialect, Guarantee, Question};
pub use risk::{Attacker, Exposure, Population, Risks};
pub(crate) use risk::{of_each, of_sizes};
pub use sets::{SetJudged, judge_set};
pub use state::Judge;
pub use unchanged::{Source, judge_with_source};
pub use verdict::{
    Check, ClassName, Consistent, Diverse, Grouping, Left, Lifespans, LossNotRecomputed, NearGroup,
    NearValue, Needed, Observation, Pair, Parts, PersonsObservation, Promise, Reader, Risk, Seen, SeenSet,
    SeriesObservation, SeriesWitness, Shared, Sizes, Subject, Together, Unasked, ValueSet, Values, Verdict,
    WITNESSES, Wanted, Witness,
};

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
/// UTF-8, with or without a byte-order mark as [`Question::dialect`] says, cells separated by its delimiter; one header row with
/// different names; every row, the last one included, ends in its line end. A cell is quoted, by `"`, if and only if it holds
/// a delimiter, a quotation mark or a line break, is empty and alone in its row, or begins the file with what other programs
/// take for a mark; a quotation mark in it is doubled.
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
    judge_knowing(source, question, &[])
}

/// The same; these columns are judged elsewhere.
fn judge_knowing(source: impl Read, question: &Question, known: &[String]) -> Result<Judged, Error> {
    question.validate()?;
    let (mut rows, header) = Rows::new(source, question.dialect)?;
    let mut row = Row::default();
    let judge = Judge::new(&header, Reader::Strict, question);
    let mut judge = judge.map(|judge| judge.knowing(known));
    while rows.next(&mut row)? {
        // Bytes that are not a release are told before columns that it lacks.
        if let Ok(judge) = &mut judge {
            judge.take(&mut row);
        }
    }
    judge?.finish()
}

/// The rows of a release, one after another, cell by cell, each with the names of its columns; these names.
///
/// # Errors
/// If the bytes do not have the form of a release: see [`judge_stream`].
pub fn cells(
    published: &[u8],
    dialect: Dialect,
    each: &mut dyn FnMut(&[String], &[&str]),
) -> Result<Vec<String>, Error> {
    rows(published, dialect, each)
}

/// The same of a stream.
///
/// # Errors
/// As [`cells`], and what `published` says.
pub fn rows(
    published: impl Read,
    dialect: Dialect,
    each: &mut dyn FnMut(&[String], &[&str]),
) -> Result<Vec<String>, Error> {
    let (mut rows, header) = Rows::new(published, dialect)?;
    let mut row = Row::default();
    while rows.next(&mut row)? {
        let cells: Vec<&str> = (0..header.len()).map(|at| row.cell(at)).collect();
        each(&header, &cells);
    }
    Ok(header)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives some bytes at a time, and is interrupted before each.
    struct Pieces<'a>(&'a [u8], usize, bool);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            let (piece, rest) = self.0.split_at(self.1.min(into.len()).min(self.0.len()));
            into[..piece.len()].copy_from_slice(piece);
            self.0 = rest;
            Ok(piece.len())
        }
    }

    proptest! {
        /// Cell by cell what was written, by code that shares nothing with this reader, in pieces of any size.
        #[test]
        fn cells_are_read_as_they_were_written(
            name in "[a,\"\n\r\u{feff}é]{1,4}|sep=[;|a]",
            cells in prop::collection::vec(prop::collection::vec("[ab,\"\n\r é\u{feff}=]{0,4}|sep=;", 1..4), 1..6),
            piece in 1..30_usize,
        ) {
            let width = cells[0].len();
            let table: Vec<Vec<String>> = cells.into_iter().filter(|row| row.len() == width).collect();
            let header: Vec<String> = (0..width).map(|at| if at == 0 { name.clone() } else { format!("c{at}") }).collect();
            let bytes = lookalike_table::write(&header, table.iter().map(|row| row.iter().map(String::as_str)));
            let mut found = Vec::new();
            let names = rows(bytes.as_slice(), Dialect::PLAIN, &mut |_, cells| found.push(cells.iter().map(ToString::to_string).collect::<Vec<_>>()));
            prop_assert_eq!(names, Ok(header));
            prop_assert_eq!(&found, &table);
            let (mut source, _) = Rows::new(Pieces(&bytes, piece, false), Dialect::PLAIN).unwrap();
            let mut row = Row::default();
            for expected in &table {
                prop_assert!(source.next(&mut row).unwrap());
                prop_assert_eq!(&(0..width).map(|at| row.cell(at).to_owned()).collect::<Vec<_>>(), expected);
            }
            prop_assert!(!source.next(&mut row).unwrap());
        }
    }

    #[test]
    fn a_source_that_fails_is_named() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the disk is gone"))
            }
        }
        let found = Rows::new(Broken, Dialect::PLAIN).err().unwrap();
        assert_eq!(found.to_string(), "the header, column 1: the bytes cannot be read: the disk is gone");
    }
}
