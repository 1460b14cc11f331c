//! From a frame to a table: its cells are read as the command line reads them from a CSV, by the same reader, without there
//! being a CSV at any time.

use std::{
    collections::BTreeMap,
    io::{self, Read},
};

use lookalike_core::{
    persons,
    table::{Also, Edits, ReadOptions, Table, Writer, read_from},
};
use lookalike_model::{dialect::Dialect, settings::Kind};

use crate::{
    cells::{self, Put},
    failure::Failure,
    stream::Frame,
};

/// Text that is made in one go: large enough that a call costs nothing beside it, small enough for a cache.
const PIECE: usize = 1 << 17;

/// Which columns are needed, and what is put in place of cells.
pub(crate) struct Wanted {
    /// Names of columns; `None` are all.
    pub(crate) columns: Option<Vec<String>>,
    /// Whether columns that may name persons are kept beside them, whose rows a run counts.
    pub(crate) keys: bool,
    /// Whether texts are never taken for numbers; otherwise all cells are as those of a CSV.
    pub(crate) typed: bool,
    pub(crate) edits: Edits,
}

impl Frame {
    /// Kinds of the columns whose type says what they are.
    pub(crate) fn kinds(&self) -> BTreeMap<String, Kind> {
        let fields = self.schema.fields().iter();
        fields.filter_map(|field| Some((field.name().clone(), cells::kind(field.data_type())?))).collect()
    }

    /// The table that a CSV of this frame would be read as.
    ///
    /// # Errors
    /// Columns of types that have no text, and what a table of these cells must not be.
    pub(crate) fn table(&self, wanted: Wanted) -> Result<Table, Failure> {
        self.check()?;
        let texts =
            self.schema.fields().iter().filter(|field| wanted.typed && cells::is_text(field.data_type()));
        let options = ReadOptions {
            columns: wanted.columns,
            also: wanted.keys.then_some(Also(persons::may_be_key)),
            texts: texts.map(|field| field.name().trim().to_owned()).collect(),
            edits: wanted.edits,
            ..ReadOptions::default()
        };
        Ok(read_from(Text::of(self), &options).map_err(lookalike_core::Error::from)?)
    }

    fn check(&self) -> Result<(), Failure> {
        let empty = |of| arrow_array::new_empty_array(of);
        for field in self.schema.fields() {
            if cells::texts(&empty(field.data_type()), false).is_none() {
                let (name, of) = (field.name(), field.data_type());
                return Err(Failure::table(format!(
                    "column \"{name}\" is of the Arrow type {of}, whose cells have no text: convert it to text, numbers or dates"
                )));
            }
        }
        Ok(())
    }
}

/// The text of a frame as CSV, made while it is read.
struct Text<'a> {
    frame: &'a Frame,
    /// Whether each column is written in the short form of its type.
    short: Vec<bool>,
    writer: Writer,
    /// The batch and its row that come next.
    batch: usize,
    row: usize,
    puts: Vec<Put<'a>>,
    scratch: Vec<String>,
    piece: Vec<u8>,
    at: usize,
}

impl<'a> Text<'a> {
    fn of(frame: &'a Frame) -> Self {
        let fields = frame.schema.fields();
        let short = |at: usize| frame.batches.iter().all(|batch| cells::are_short(batch.column(at)));
        let short = (0..fields.len()).map(short).collect();
        let (mut writer, mut piece) = (Writer::new(Dialect::PLAIN), Vec::with_capacity(PIECE + 4_096));
        if !fields.is_empty() {
            writer.row(&mut piece, fields.iter().map(|field| field.name().as_str()));
        }
        let scratch = vec![String::new(); fields.len()];
        Self { frame, short, writer, batch: 0, row: 0, puts: Vec::new(), scratch, piece, at: 0 }
    }

    fn next_piece(&mut self) {
        (self.at, self.piece) = (0, std::mem::take(&mut self.piece));
        self.piece.clear();
        while self.piece.len() < PIECE && self.batch < self.frame.batches.len() {
            let batch = &self.frame.batches[self.batch];
            if self.row == 0 {
                let columns = batch.columns().iter().zip(&self.short);
                self.puts = columns.filter_map(|(column, short)| cells::texts(column, *short)).collect();
            }
            while self.row < batch.num_rows() && self.piece.len() < PIECE {
                for (put, text) in self.puts.iter().zip(&mut self.scratch) {
                    text.clear();
                    put(self.row, text);
                }
                self.writer.row(&mut self.piece, self.scratch.iter().map(String::as_str));
                self.row += 1;
            }
            if self.row >= batch.num_rows() {
                (self.row, self.batch) = (0, self.batch + 1);
            }
        }
    }
}

impl Read for Text<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            self.next_piece();
        }
        let length = into.len().min(self.piece.len() - self.at);
        into[..length].copy_from_slice(&self.piece[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
