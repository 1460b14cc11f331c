//! The records of a CSV, one at a time from a stream, with their places in the file.
//!
//! The buffer is of fixed size and a record may have [`LONGEST`] bytes: that is all the memory it takes.

use std::io::{ErrorKind, Read};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::{Error, Quote, lines::line_ends, text::thousands};

/// Bytes of the file in memory at a time.
const BUFFER: usize = 1 << 16;

/// Bytes of the longest record: beyond, a quote was left open.
const LONGEST: usize = 16 << 20;

/// Fields of the widest record.
const WIDEST: usize = 1 << 20;

/// Reads record by record and remembers what the CSV parser does not tell: blank lines and where records begin.
pub(crate) struct Records<R> {
    source: R,
    parser: Reader,
    quote: Quote,
    buffer: Vec<u8>,
    /// Bytes of the buffer that are filled, and those that are parsed.
    filled: usize,
    at: usize,
    /// Line ends before the buffer, and the byte before it.
    lines_before: usize,
    byte_before: u8,
    progress: Progress,
    /// The newest record: its fields without quotes, where each ends, how many there are.
    fields: Vec<u8>,
    ends: Vec<usize>,
    len: usize,
    start: Start,
    quoted: bool,
    open: bool,
    /// Lines without anything in them, passed so far.
    pub(crate) blank: usize,
    /// 1-based line of the first of them.
    pub(crate) first_blank: usize,
}

/// How far the source is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Beginning,
    Within,
    Ended,
}

/// Where the newest record begins.
#[derive(Clone, Copy)]
enum Start {
    /// In the buffer: its line is counted when somebody asks.
    Here(usize),
    /// In a buffer that is gone: its 1-based line.
    Line(usize),
}

impl<R: Read> Records<R> {
    pub(crate) fn new(source: R, delimiter: u8, quote: Quote) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter);
        match quote {
            Quote::Mark(mark) => builder.quote(mark),
            Quote::Off => builder.quoting(false),
        };
        Self {
            source,
            parser: builder.build(),
            quote,
            buffer: vec![0; BUFFER],
            filled: 0,
            at: 0,
            lines_before: 0,
            byte_before: 0,
            progress: Progress::Beginning,
            fields: vec![0; 1 << 12],
            ends: vec![0; 64],
            len: 0,
            start: Start::Line(1),
            quoted: false,
            open: false,
            blank: 0,
            first_blank: 0,
        }
    }

    /// Reads the next record; false at the end. `row` is its 1-based number, 0 for the header.
    pub(crate) fn next(&mut self, row: usize) -> Result<bool, Error> {
        if !self.pass_line_ends()? {
            return Ok(false);
        }
        self.start = Start::Here(self.at);
        self.quoted = self.quote == Quote::Mark(self.buffer[self.at]);
        let (mut bytes, mut len) = (0, 0);
        loop {
            let (result, read, written, ended) = self.parser.read_record(
                &self.buffer[self.at..self.filled],
                &mut self.fields[bytes..],
                &mut self.ends[len..],
            );
            self.at += read;
            bytes += written;
            len += ended;
            match result {
                ReadRecordResult::InputEmpty if self.progress == Progress::Ended => self.open = true,
                ReadRecordResult::InputEmpty => {
                    if !self.refill()? {
                        // One more line end: if it does not end the record, the record is within quotes.
                        (self.buffer[0], self.filled) = (b'\n', 1);
                    }
                }
                ReadRecordResult::OutputFull if self.fields.len() >= LONGEST => {
                    return Err(self.too_long(row, "bytes", LONGEST));
                }
                ReadRecordResult::OutputFull => self.fields.resize(self.fields.len() * 2, 0),
                ReadRecordResult::OutputEndsFull if self.ends.len() >= WIDEST => {
                    return Err(self.too_long(row, "fields", WIDEST));
                }
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::Record => {
                    self.len = len;
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Number of fields of the newest record.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// A field of the newest record; nothing beyond its last.
    pub(crate) fn field(&self, at: usize) -> &[u8] {
        let ends = &self.ends[..self.len];
        let start = if at == 0 { 0 } else { ends.get(at - 1).copied().unwrap_or(0) };
        ends.get(at).map_or(&[], |&end| &self.fields[start..end])
    }

    /// The fields of the newest record from `at` on.
    pub(crate) fn fields_from(&self, at: usize) -> impl Iterator<Item = &[u8]> {
        (at..self.len).map(|field| self.field(field))
    }

    /// Whether the newest record is a line of white space; if so, it is counted as a blank line.
    pub(crate) fn pass_blank(&mut self) -> bool {
        let blank = self.len == 1 && !self.quoted && is_blank(self.field(0));
        if blank {
            self.note_blank(self.line());
        }
        blank
    }

    /// Where the newest record stands, for people.
    pub(crate) fn place(&self, row: usize) -> String {
        if row == 0 {
            return String::from("the header");
        }
        format!("row {} (line {} of the file)", thousands(row), thousands(self.line()))
    }

    /// 1-based line of the newest record.
    pub(crate) fn line(&self) -> usize {
        match self.start {
            Start::Here(at) => self.line_of(at),
            Start::Line(line) => line,
        }
    }

    /// If the newest record ends inside quotes: the error that says where they open. The open field is the last one,
    /// and the fields before it hold all line ends between.
    pub(crate) fn unclosed_quote(&self, row: usize) -> Option<Error> {
        let before = self.len.checked_sub(2).map_or(0, |field| self.ends[field]);
        self.open.then(|| Error::UnclosedQuote {
            place: self.place(row),
            column: self.len,
            line: self.line() + line_ends(&self.fields[..before], 0),
        })
    }

    /// Passes over the line ends that the parser would skip silently; false at the end of the file.
    fn pass_line_ends(&mut self) -> Result<bool, Error> {
        loop {
            if self.at == self.filled && !self.refill()? {
                return Ok(false);
            }
            let before = if self.at == 0 { self.byte_before } else { self.buffer[self.at - 1] };
            match self.buffer[self.at] {
                // The second half of a CRLF.
                b'\n' if before == b'\r' => {}
                b'\r' | b'\n' => self.note_blank(self.line_of(self.at)),
                _ => return Ok(true),
            }
            self.at += 1;
        }
    }

    /// Fills the buffer anew; false at the end of the file.
    fn refill(&mut self) -> Result<bool, Error> {
        if self.progress == Progress::Ended {
            return Ok(false);
        }
        self.start = Start::Line(self.line());
        self.lines_before += line_ends(&self.buffer[..self.filled], self.byte_before);
        if self.filled > 0 {
            self.byte_before = self.buffer[self.filled - 1];
        }
        (self.at, self.filled) = (0, 0);
        while self.filled < BUFFER {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => break,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::from_io(&error)),
            }
        }
        if self.progress == Progress::Beginning && self.buffer[..self.filled].starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        let more = self.at < self.filled;
        self.progress = if more { Progress::Within } else { Progress::Ended };
        Ok(more)
    }

    fn too_long(&self, row: usize, what: &'static str, limit: usize) -> Error {
        Error::LongRow { place: self.place(row), what, limit }
    }

    fn note_blank(&mut self, line: usize) {
        if self.blank == 0 {
            self.first_blank = line;
        }
        self.blank += 1;
    }

    fn line_of(&self, at: usize) -> usize {
        1 + self.lines_before + line_ends(&self.buffer[..at], self.byte_before)
    }
}

/// Whether a cell is nothing but white space.
pub(crate) fn is_blank(cell: &[u8]) -> bool {
    cell.is_empty() || std::str::from_utf8(cell).is_ok_and(|cell| cell.trim().is_empty())
}
