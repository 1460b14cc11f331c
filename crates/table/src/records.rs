//! The records of a CSV, one at a time from a stream, with their places in the file.
//!
//! The buffer is of fixed size and a record may have [`LONGEST`] bytes: that is all the memory it takes.

use std::{
    io::{ErrorKind, Read},
    ops::Range,
};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr2, memchr3};

use crate::{
    Error, Place as RowPlace, Quote,
    lines::line_ends,
    quotes::{Quotes, Slip},
};

/// Bytes of the file in memory at a time.
const BUFFER: usize = 1 << 17;

/// Bytes of the longest record: beyond, a quote was left open.
const LONGEST: usize = 16 << 20;

/// Fields of the widest record.
const WIDEST: usize = 1 << 20;

/// Reads record by record and remembers what the CSV parser does not tell: blank lines and where records begin.
pub(crate) struct Records<R> {
    source: R,
    parser: Reader,
    delimiter: u8,
    quote: Quote,
    buffer: Vec<u8>,
    /// Bytes of the buffer that are filled, and those that are parsed.
    filled: usize,
    at: usize,
    /// 1-based line of what is parsed next, and the byte before the buffer.
    next_line: usize,
    byte_before: u8,
    progress: Progress,
    /// The newest record: where its text is, where in that each field ends, how many there are, its line.
    place: Place,
    fields: Vec<u8>,
    ends: Vec<usize>,
    len: usize,
    line: usize,
    quoted: bool,
    open: bool,
    /// What is odd about the quotes of the newest record, in the first cell where something is.
    pub(crate) slip: Option<Slip>,
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

/// Where the text of the newest record is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The parser has put it into `fields`, without quotes and delimiters.
    Parsed,
    /// From here on in the buffer, as it stands in the file: nothing is quoted.
    Buffer(usize),
}

impl<R: Read> Records<R> {
    pub(crate) fn new(source: R, delimiter: u8, quote: Quote, lines_before: usize) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter);
        match quote {
            Quote::Mark(mark) => builder.quote(mark),
            Quote::Off => builder.quoting(false),
        };
        Self {
            source,
            parser: builder.build(),
            delimiter,
            quote,
            buffer: vec![0; BUFFER],
            filled: 0,
            at: 0,
            next_line: lines_before + 1,
            byte_before: 0,
            progress: Progress::Beginning,
            place: Place::Parsed,
            fields: vec![0; 1 << 12],
            ends: vec![0; 64],
            len: 0,
            line: 1,
            quoted: false,
            open: false,
            slip: None,
            blank: 0,
            first_blank: 0,
        }
    }

    /// Reads the next record; false at the end. `row` is its 1-based number, 0 for the header.
    pub(crate) fn next(&mut self, row: usize) -> Result<bool, Error> {
        if !self.pass_line_ends()? {
            return Ok(false);
        }
        self.line = self.next_line;
        self.quoted = self.quote == Quote::Mark(self.buffer[self.at]);
        self.slip = None;
        if self.split() {
            return Ok(true);
        }
        self.place = Place::Parsed;
        let mut quotes = Quotes::new(self.quote, self.delimiter);
        let (mut bytes, mut len) = (0, 0);
        loop {
            let before = self.byte_before_here();
            let (result, read, written, ended) = self.parser.read_record(
                &self.buffer[self.at..self.filled],
                &mut self.fields[bytes..],
                &mut self.ends[len..],
            );
            let text = &self.buffer[self.at..self.at + read];
            self.next_line += line_ends(text, before);
            self.slip = self.slip.or_else(|| quotes.slip(text));
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
                    return Err(Error::LongRow { place: self.place(row), limit: LONGEST });
                }
                ReadRecordResult::OutputFull => self.fields.resize(self.fields.len() * 2, 0),
                ReadRecordResult::OutputEndsFull if self.ends.len() >= WIDEST => {
                    return Err(Error::WideRow { place: self.place(row), limit: WIDEST });
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

    /// Passes over one line, whatever is in it; before the first record only.
    pub(crate) fn pass_line(&mut self) -> Result<(), Error> {
        loop {
            if self.at == self.filled && !self.refill()? {
                return Ok(());
            }
            let rest = &self.buffer[self.at..self.filled];
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                self.at = self.filled;
                continue;
            };
            self.next_line += 1;
            // The second half of a CRLF is passed over with the line ends before the next record.
            self.at += end + 1;
            return Ok(());
        }
    }

    /// Number of fields of the newest record.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The text of the newest record.
    pub(crate) fn text(&self) -> &[u8] {
        let end = self.ends[..self.len].last().copied().unwrap_or(0);
        match self.place {
            Place::Parsed => &self.fields[..end],
            Place::Buffer(start) => &self.buffer[start..start + end],
        }
    }

    /// Where a field of the newest record stands in its text; an empty place beyond the last.
    pub(crate) fn span(&self, at: usize) -> Range<usize> {
        let Some(&end) = self.ends[..self.len].get(at) else { return 0..0 };
        let delimiter = usize::from(self.place != Place::Parsed);
        let start = if at == 0 { 0 } else { self.ends[at - 1] + delimiter };
        start..end
    }

    /// A field of the newest record; nothing beyond its last.
    pub(crate) fn field(&self, at: usize) -> &[u8] {
        &self.text()[self.span(at)]
    }

    /// The fields of the newest record from `at` on.
    pub(crate) fn fields_from(&self, at: usize) -> impl Iterator<Item = &[u8]> {
        (at..self.len).map(|field| self.field(field))
    }

    /// Whether the newest record is a line of white space; if so, it is counted as a blank line.
    pub(crate) fn pass_blank(&mut self) -> bool {
        let blank = self.len == 1 && !self.quoted && is_blank(self.field(0));
        if blank {
            self.note_blank(self.line);
        }
        blank
    }

    /// Where the newest record stands.
    pub(crate) fn place(&self, row: usize) -> RowPlace {
        RowPlace::of(row, self.line)
    }

    /// 1-based line of the newest record.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// How many lines the file has, once all of it was read.
    pub(crate) fn lines(&self) -> usize {
        self.next_line - 1
    }

    /// If the newest record ends inside quotes: the error that says where they open. The open field is the last one,
    /// and the fields before it hold all line ends between.
    pub(crate) fn unclosed_quote(&self, row: usize) -> Option<Error> {
        let before = self.len.checked_sub(2).map_or(0, |field| self.ends[field]);
        self.open.then(|| Error::UnclosedQuote {
            place: self.place(row),
            column: self.len,
            line: self.line + line_ends(&self.fields[..before], 0),
        })
    }

    /// Takes the next record as it stands in the buffer, if it ends there and nothing in it may be quoted. The first
    /// one is the parser's, which looks for a byte-order mark before it.
    fn split(&mut self) -> bool {
        let rest = &self.buffer[self.at..self.filled];
        let stop = match self.quote {
            _ if self.len == 0 => None,
            Quote::Mark(mark) => memchr3(b'\n', b'\r', mark, rest),
            Quote::Off => memchr2(b'\n', b'\r', rest),
        };
        let Some(stop) = stop.filter(|&stop| matches!(rest[stop], b'\n' | b'\r')) else { return false };
        if self.ends.len() <= stop {
            self.ends.resize(stop + 1, 0);
        }
        let mut len = 0;
        for (at, &byte) in rest[..stop].iter().enumerate() {
            // Written always, kept if it is one: fields are too short to predict where they end.
            self.ends[len] = at;
            len += usize::from(byte == self.delimiter);
        }
        self.ends[len] = stop;
        self.len = len + 1;
        self.place = Place::Buffer(self.at);
        self.at += stop + 1;
        self.next_line += 1;
        true
    }

    /// Passes over the line ends that the parser would skip silently; false at the end of the file.
    fn pass_line_ends(&mut self) -> Result<bool, Error> {
        loop {
            if self.at == self.filled && !self.refill()? {
                return Ok(false);
            }
            match self.buffer[self.at] {
                // The second half of a CRLF.
                b'\n' if self.byte_before_here() == b'\r' => {}
                b'\r' | b'\n' => {
                    self.note_blank(self.next_line);
                    self.next_line += 1;
                }
                _ => return Ok(true),
            }
            self.at += 1;
        }
    }

    fn byte_before_here(&self) -> u8 {
        if self.at == 0 { self.byte_before } else { self.buffer[self.at - 1] }
    }

    /// Fills the buffer anew; false at the end of the file.
    fn refill(&mut self) -> Result<bool, Error> {
        if self.progress == Progress::Ended {
            return Ok(false);
        }
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

    fn note_blank(&mut self, line: usize) {
        if self.blank == 0 {
            self.first_blank = line;
        }
        self.blank += 1;
    }
}

/// Whether a cell is nothing but white space.
pub(crate) fn is_blank(cell: &[u8]) -> bool {
    cell.is_empty() || std::str::from_utf8(cell).is_ok_and(|cell| cell.trim().is_empty())
}
