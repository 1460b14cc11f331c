//! The records of a CSV, with their places in the file.

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};

use crate::{Error, text::thousands};

/// Reads record by record and remembers what the `csv` crate does not tell: blank lines and where records begin.
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    delimiter: u8,
    reader: Reader<&'a [u8]>,
    /// Lines without anything in them, passed so far.
    pub(crate) blank: usize,
    /// 1-based line of the first of them.
    pub(crate) first_blank: usize,
    /// Where the newest record begins and ends.
    start: usize,
    end: usize,
}

impl<'a> Records<'a> {
    pub(crate) fn new(bytes: &'a [u8], delimiter: u8) -> Self {
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(1 << 16)
            .from_reader(bytes);
        Self { bytes, delimiter, reader, blank: 0, first_blank: 0, start: 0, end: 0 }
    }

    /// Reads the next record; false at the end. `row` is its 1-based number, 0 for the header.
    pub(crate) fn next(&mut self, record: &mut StringRecord, row: usize) -> Result<bool, Error> {
        let start = self.skip_blank(self.reader.position().byte() as usize);
        let read = self.reader.read_record(record);
        if !matches!(read, Ok(false)) {
            self.start = start;
            self.end = self.reader.position().byte() as usize;
        }
        read.map_err(|error| match error.kind() {
            ErrorKind::Utf8 { err, .. } => Error::NotUtf8 { place: self.place(row), column: err.field() + 1 },
            _ => Error::Malformed(error.to_string()),
        })
    }

    /// Whether the newest record is a line of white space; if so, it is counted as a blank line.
    pub(crate) fn pass_blank(&mut self, record: &StringRecord) -> bool {
        let blank = record.len() == 1 && self.bytes[self.start] != b'"' && record[0].trim().is_empty();
        if blank {
            self.note_blank(self.start);
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
        self.line_of(self.start)
    }

    /// If the newest record ends inside quotes: the error that says where they open.
    pub(crate) fn unclosed_quote(&self, row: usize) -> Option<Error> {
        let (column, at) = open_quote(&self.bytes[self.start..self.end], self.delimiter)?;
        Some(Error::UnclosedQuote { place: self.place(row), column, line: self.line_of(self.start + at) })
    }

    /// Passes over the line ends that the `csv` crate will skip silently; returns where the next record begins.
    fn skip_blank(&mut self, mut at: usize) -> usize {
        // The reader leaves the LF of a CRLF to the next record.
        if at > 0 && self.bytes.get(at - 1) == Some(&b'\r') && self.bytes.get(at) == Some(&b'\n') {
            at += 1;
        }
        loop {
            let end = match self.bytes.get(at..) {
                Some([b'\r', b'\n', ..]) => 2,
                Some([b'\r' | b'\n', ..]) => 1,
                _ => return at,
            };
            self.note_blank(at);
            at += end;
        }
    }

    fn note_blank(&mut self, at: usize) {
        if self.blank == 0 {
            self.first_blank = self.line_of(at);
        }
        self.blank += 1;
    }

    fn line_of(&self, at: usize) -> usize {
        let before = &self.bytes[..at.min(self.bytes.len())];
        let ends = before
            .iter()
            .enumerate()
            .filter(|&(i, &b)| b == b'\n' || (b == b'\r' && before.get(i + 1) != Some(&b'\n')));
        1 + ends.count()
    }
}

/// The 1-based field and the offset of the quote in which `record` ends, by the rules of the `csv` crate: a quote
/// opens only at the start of a field, a doubled one inside stands for itself, and text after a closing quote is
/// taken as it is.
fn open_quote(record: &[u8], delimiter: u8) -> Option<(usize, usize)> {
    let (mut field, mut at) = (1, 0);
    while at < record.len() {
        if record[at] == b'"' {
            let opened = at;
            at += 1;
            loop {
                match record.get(at..) {
                    Some([b'"', b'"', ..]) => at += 2,
                    Some([b'"', ..]) => break,
                    Some([_, ..]) => at += 1,
                    _ => return Some((field, opened)),
                }
            }
        }
        at += record[at..].iter().position(|&b| b == delimiter)? + 1;
        field += 1;
    }
    None
}
