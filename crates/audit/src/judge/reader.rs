//! The strict reader of releases: it takes one dialect and nothing else.
//!
//! Which one is said beforehand ([`Dialect`]) and not found out: what separates cells, whether a byte-order mark stands before
//! them, whether rows end in a line feed or in a carriage return and a line feed. UTF-8; every row, the header and the last one
//! included, ends in that line end; a cell is quoted, by `"`, if it must be and not otherwise, and a quotation mark in it is
//! doubled. A cell must be quoted that holds the delimiter, a quotation mark or a line break, that is empty and alone in its
//! row, or that begins the file and is a mark to other programs. Where formulas are to be defused, an apostrophe stands before
//! each cell that would be one, or that begins with an apostrophe, and before no other. Whatever differs is a fault of the program that wrote the bytes, and is reported
//! with its row and column; nothing is mended, skipped or trimmed.

use std::io::{ErrorKind, Read};

use lookalike_words::Name;

use super::{
    fault::{Breach, Fault},
    formula,
    question::Dialect,
    row::Row,
};

/// Bytes in memory at a time, unless a row is longer.
const BUFFER: usize = 1 << 16;

/// Bytes of the longest row: what is longer has lost a quotation mark.
const LONGEST: usize = 16 << 20;

/// The rows of a release, from its first byte to its last.
pub(super) struct Rows<R> {
    source: R,
    dialect: Dialect,
    buffer: Vec<u8>,
    /// What is in the buffer and was not handed out yet.
    from: usize,
    to: usize,
    ended: bool,
    /// Rows that were handed out, the header included.
    handed: usize,
    /// Cells of the header.
    width: usize,
}

impl<R: Read> Rows<R> {
    /// Reads the header.
    pub(super) fn new(source: R, dialect: Dialect) -> Result<(Self, Vec<String>), Fault> {
        let (buffer, from, to) = (vec![0; BUFFER], 0, 0);
        let mut rows = Self { source, dialect, buffer, from, to, ended: false, handed: 0, width: 0 };
        let mut header = Row::default();
        let fault = |column, breach| Err(Fault { row: 0, column, breach });
        rows.pass_mark()?;
        if !rows.next(&mut header)? {
            return fault(1, Breach::Empty);
        }
        rows.width = header.spans.len();
        let names: Vec<String> = (0..rows.width).map(|at| header.cell(at).to_owned()).collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&at| &names[at]);
        if let Some(at) = names.iter().position(String::is_empty) {
            return fault(at + 1, Breach::NoName);
        }
        match order.windows(2).find(|pair| names[pair[0]] == names[pair[1]]) {
            Some(pair) => fault(pair[1] + 1, Breach::SameName { name: Name::from(names[pair[1]].as_str()) }),
            None => Ok((rows, names)),
        }
    }

    /// Puts the next row in place of the one that `row` holds; false after the last.
    pub(super) fn next(&mut self, row: &mut Row) -> Result<bool, Fault> {
        let Some((end, plain)) = self.line()? else { return Ok(false) };
        let mut text = std::mem::take(&mut row.text).into_bytes();
        text.clear();
        row.spans.clear();
        let line = self.without_end(end)?;
        let split = if plain { split_plain } else { split_quoted };
        split(line, self.begins(), &mut text, &mut row.spans).map_err(|breach| {
            // The cell at hand is the one after those that were taken.
            self.fault(row.spans.len() + 1, breach)
        })?;
        if self.handed > 0 && row.spans.len() != self.width {
            let (found, expected) = (row.spans.len(), self.width);
            return Err(self.fault(found.min(expected + 1), Breach::Cells { found, expected }));
        }
        row.text = String::from_utf8(text).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let column = row.spans.iter().filter(|(_, end)| *end <= valid).count() + 1;
            self.fault(column, Breach::NotUtf8)
        })?;
        if self.dialect.defused {
            formula::pass_apostrophes(row).map_err(|(column, breach)| self.fault(column, breach))?;
        }
        self.from = end + 1;
        self.handed += 1;
        Ok(true)
    }

    fn fault(&self, column: usize, breach: Breach) -> Fault {
        Fault { row: self.handed, column, breach }
    }

    /// Passes over the byte-order mark, which must be there if there is to be one.
    fn pass_mark(&mut self) -> Result<(), Fault> {
        if !self.dialect.bom {
            return Ok(());
        }
        self.fill()?;
        if self.from == self.to {
            return Err(self.fault(1, Breach::Empty));
        }
        if !self.buffer[self.from..self.to].starts_with(MARK) {
            return Err(self.fault(1, Breach::NoMark));
        }
        self.from += MARK.len();
        Ok(())
    }

    /// The delimiter, and whether the row is the first.
    fn begins(&self) -> Line {
        Line { delimiter: self.dialect.delimiter, first: self.handed == 0 }
    }

    /// The row that ends here, without the carriage return that belongs to its end.
    fn without_end(&self, end: usize) -> Result<&[u8], Fault> {
        let line = &self.buffer[self.from..end];
        if !self.dialect.crlf {
            return Ok(line);
        }
        line.strip_suffix(b"\r").ok_or_else(|| {
            let (mut text, mut spans) = (Vec::new(), Vec::new());
            match split_quoted(line, self.begins(), &mut text, &mut spans) {
                Ok(()) => self.fault(spans.len(), Breach::LineFeed),
                Err(breach) => self.fault(spans.len() + 1, breach),
            }
        })
    }

    /// Where in the buffer the next row ends, and whether it is without any quotation mark; `None` at the end.
    fn line(&mut self) -> Result<Option<(usize, bool)>, Fault> {
        loop {
            if let Some((length, plain)) = line_end(&self.buffer[self.from..self.to]) {
                return Ok(Some((self.from + length, plain)));
            }
            if self.ended && self.from == self.to {
                return Ok(None);
            }
            if self.ended {
                return Err(self.unfinished(Breach::NoLineEnd));
            }
            self.fill()?;
        }
    }

    /// Reads on until the buffer is full, which grows if all of it is one row.
    fn fill(&mut self) -> Result<(), Fault> {
        self.buffer.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        if self.to >= LONGEST {
            return Err(self.unfinished(Breach::Long { most: LONGEST }));
        }
        if self.to == self.buffer.len() {
            self.buffer.resize(self.to * 2, 0);
        }
        while self.to < self.buffer.len() && !self.ended {
            match self.source.read(&mut self.buffer[self.to..]) {
                Ok(read) => (self.to, self.ended) = (self.to + read, read == 0),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.fault(1, Breach::Source { why: error.to_string() })),
            }
        }
        Ok(())
    }

    /// A row without an end: the first fault in what is there of it, or else this one.
    fn unfinished(&self, breach: Breach) -> Fault {
        let (mut text, mut spans) = (Vec::new(), Vec::new());
        let found = split_quoted(&self.buffer[self.from..self.to], self.begins(), &mut text, &mut spans);
        match found {
            Ok(()) => self.fault(spans.len(), breach),
            Err(breach) => self.fault(spans.len() + 1, breach),
        }
    }
}

/// The byte-order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What is to be known of a row besides its bytes.
#[derive(Clone, Copy)]
struct Line {
    delimiter: u8,
    /// It is the first of the file.
    first: bool,
}

/// Where a row ends, and whether it is without any quotation mark. A doubled mark closes a cell and opens it again.
fn line_end(text: &[u8]) -> Option<(usize, bool)> {
    let first = text.iter().position(|byte| matches!(byte, b'"' | b'\n'))?;
    if text[first] == b'\n' {
        return Some((first, true));
    }
    let mut within = false;
    let end = text[first..].iter().position(|byte| {
        within ^= *byte == b'"';
        *byte == b'\n' && !within
    });
    end.map(|end| (first + end, false))
}

/// Takes the cells of a row without quotation marks.
fn split_plain(
    line: &[u8],
    Line { delimiter, first: begins }: Line,
    text: &mut Vec<u8>,
    spans: &mut Vec<(usize, usize)>,
) -> Result<(), Breach> {
    let mut start = 0;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            byte if *byte == delimiter => {
                spans.push((start, at));
                start = at + 1;
            }
            b'\r' => return Err(Breach::CarriageReturn),
            0 => return Err(Breach::Nul),
            _ => {}
        }
    }
    if line.is_empty() {
        return Err(Breach::EmptyLine);
    }
    spans.push((start, line.len()));
    if begins && is_mark(&line[..spans[0].1]) {
        spans.clear();
        return Err(Breach::Mark);
    }
    text.extend_from_slice(line);
    Ok(())
}

/// Takes the cells of a row that has quotation marks.
fn split_quoted(
    line: &[u8],
    Line { delimiter, first: begins }: Line,
    text: &mut Vec<u8>,
    spans: &mut Vec<(usize, usize)>,
) -> Result<(), Breach> {
    let mut rest = line;
    loop {
        let first = spans.is_empty();
        let start = text.len();
        let quoted = rest.first() == Some(&b'"');
        rest = if quoted { quoted_cell(&rest[1..], text)? } else { bare_cell(rest, delimiter, text)? };
        let cell = &text[start..];
        let marked = begins && first && is_mark(cell);
        let needed = cell.iter().any(|&byte| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r'));
        match (quoted, rest.first()) {
            (_, Some(byte)) if *byte != delimiter => return Err(Breach::AfterQuote),
            (true, next) if !(needed || marked || (first && next.is_none() && cell.is_empty())) => {
                return Err(Breach::NeedlessQuotes);
            }
            (false, _) if marked => return Err(Breach::Mark),
            _ => {}
        }
        spans.push((start, text.len()));
        let Some((_, after)) = rest.split_first() else { return Ok(()) };
        // Between two cells as in the file: half a character each would otherwise make a whole one.
        text.push(delimiter);
        rest = after;
    }
}

/// Takes a cell after its opening quotation mark, up to what follows its closing one.
fn quoted_cell<'a>(mut rest: &'a [u8], text: &mut Vec<u8>) -> Result<&'a [u8], Breach> {
    loop {
        let mark = rest.iter().position(|byte| *byte == b'"').ok_or(Breach::OpenQuote)?;
        if rest[..mark].contains(&0) {
            return Err(Breach::Nul);
        }
        text.extend_from_slice(&rest[..mark]);
        rest = &rest[mark + 1..];
        if rest.first() != Some(&b'"') {
            return Ok(rest);
        }
        text.push(b'"');
        rest = &rest[1..];
    }
}

/// Takes a cell without quotation marks, up to the delimiter or the end behind it.
fn bare_cell<'a>(rest: &'a [u8], delimiter: u8, text: &mut Vec<u8>) -> Result<&'a [u8], Breach> {
    let end = rest.iter().position(|byte| *byte == delimiter).unwrap_or(rest.len());
    let (cell, after) = rest.split_at(end);
    for byte in cell {
        match byte {
            b'"' => return Err(Breach::StrayQuote),
            b'\r' => return Err(Breach::CarriageReturn),
            0 => return Err(Breach::Nul),
            _ => {}
        }
    }
    text.extend_from_slice(cell);
    Ok(after)
}

/// Whether the first cell of a file would be taken for something else: a byte-order mark, or a spreadsheet's line that
/// names the delimiter, such as `sep=;`.
fn is_mark(cell: &[u8]) -> bool {
    let sign = |byte: u8| {
        matches!(byte, b'\t' | b' ') || byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'\'')
    };
    cell.starts_with(MARK) || (cell.len() == 5 && cell[..4].eq_ignore_ascii_case(b"sep=") && sign(cell[4]))
}
