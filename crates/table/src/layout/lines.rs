//! Lines of fixed width as the text of a CSV.

use std::io::{self, BufRead, BufReader, Read};

use lookalike_words::Name;

use super::Layout;
use crate::{Error, Place, Ragged, source_form::MARK, write::write_row};

/// Bytes of the longest line: the characters that a layout may name, each of 4 bytes.
const LONGEST: u64 = 4 << 20;

/// Text that is made in one go.
const PIECE: usize = 1 << 16;

/// The cells of a text in UTF-8, with the names of the columns before them. A blank line stays one.
pub(crate) struct Cells<'a, R> {
    source: BufReader<R>,
    layout: &'a Layout,
    ragged: Ragged,
    /// The line that was read last, from 1, in the file.
    number: usize,
    /// Lines that were filled up with blanks.
    short: usize,
    rows: usize,
    line: Vec<u8>,
    /// Where the characters of the line begin that was read last, if it has others than those of ASCII.
    places: Vec<u32>,
    text: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<'a, R: Read> Cells<'a, R> {
    /// So many lines were left out before the first one.
    pub(crate) fn new(source: R, layout: &'a Layout, skipped: usize, ragged: Ragged) -> Self {
        let mut text = Vec::new();
        write_row(&mut text, layout.columns.iter().map(|column| column.name.as_str()));
        let source = BufReader::with_capacity(PIECE, source);
        Self {
            source,
            layout,
            ragged,
            number: skipped,
            short: 0,
            rows: 0,
            line: Vec::new(),
            places: Vec::new(),
            text,
            at: 0,
            ended: false,
        }
    }

    /// How many lines were filled up with blanks, and what gave the lines.
    pub(crate) fn finish(self) -> (usize, R) {
        (self.short, self.source.into_inner())
    }

    fn next_piece(&mut self) -> Result<(), Error> {
        (self.at, self.text) = (0, std::mem::take(&mut self.text));
        self.text.clear();
        while self.text.len() < PIECE && !self.ended {
            self.line.clear();
            let mut line = self.source.by_ref().take(LONGEST);
            let read = line.read_until(b'\n', &mut self.line).map_err(|why| Error::from_io(&why))?;
            if read == 0 {
                self.ended = true;
                break;
            }
            if read as u64 == LONGEST {
                return Err(Error::LongLine { limit: LONGEST as usize });
            }
            self.number += 1;
            self.row()?;
        }
        Ok(())
    }

    fn row(&mut self) -> Result<(), Error> {
        let line = self.line.strip_prefix(MARK).filter(|_| self.number == 1).unwrap_or(&self.line);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.rows += 1;
        let Ok(line) = std::str::from_utf8(line) else {
            return Err(Error::NotUtf8 {
                place: Place::Row { row: self.rows, line: self.number },
                column: 1,
            });
        };
        if line.trim().is_empty() {
            self.rows -= 1;
            self.text.push(b'\n');
            return Ok(());
        }
        let is_ascii = line.is_ascii();
        self.places.clear();
        if !is_ascii {
            self.places.extend(line.char_indices().map(|(place, _)| place as u32));
        }
        let places = &self.places;
        let length = if is_ascii { line.len() } else { places.len() };
        if let Some(column) = self.layout.columns.iter().find(|column| column.start >= length) {
            if self.ragged == Ragged::Error {
                let (line, name, start) = (self.number, Name::from(column.name.as_str()), column.start + 1);
                return Err(Error::ShortLine { line, length, name, start });
            }
            self.short += 1;
        }
        let cells = self.layout.columns.iter().map(|column| {
            let place = |at: usize| match places.get(at) {
                Some(place) if !is_ascii => *place as usize,
                _ if is_ascii => at.min(length),
                _ => line.len(),
            };
            let cell = line.get(place(column.start)..place(column.start + column.width));
            cell.unwrap_or_default().trim_matches([' ', '\t', '\0'])
        });
        write_row(&mut self.text, cells);
        Ok(())
    }
}

impl<R: Read> Read for Cells<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.ended {
            self.next_piece().map_err(io::Error::other)?;
        }
        let length = into.len().min(self.text.len() - self.at);
        into[..length].copy_from_slice(&self.text[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
