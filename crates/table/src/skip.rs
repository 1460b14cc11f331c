//! Lines above and below a table: the title and date of an export, its totals and sources. A person says how many there
//! are; nothing is left out on a guess.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind, Read},
};

use lookalike_words::Cell;
use memchr::memchr2;

use crate::{Error, Oddity, Warning};

/// Lines of a text, or rows of a sheet, that are no part of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skip {
    /// How many at the beginning.
    pub first: usize,
    /// How many at the end.
    pub last: usize,
}

/// What was left out, as far as a message shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    first: Lines,
    last: Lines,
}

/// Lines, and how the first of them begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lines {
    count: usize,
    shown: Vec<Cell>,
}

/// Lines that a message shows.
const SHOWN: usize = 3;

/// Bytes of a line that are kept for a message.
const KEPT: usize = 200;

/// Bytes of the last lines that are held back.
const HELD: usize = 1 << 26;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

impl Skip {
    /// Whether every line is read.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// An empty rest of a file is not an empty file.
    pub(crate) fn nothing_left(self, error: Error) -> Error {
        let Self { first, last } = self;
        match error {
            Error::Empty if first + last > 0 => Error::AllSkipped { first, last },
            error => error,
        }
    }
}

impl Skipped {
    /// Takes another line of the beginning.
    pub(crate) fn above(&mut self, line: &[u8]) {
        self.first.push(line);
    }

    /// Takes another line of the end.
    pub(crate) fn below(&mut self, line: &[u8]) {
        self.last.push(line);
    }

    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        let Self { first, last } = self;
        let above = |Lines { count: lines, shown }| Oddity::SkippedAbove { lines, shown };
        let below = |Lines { count: lines, shown }| Oddity::SkippedBelow { lines, shown };
        let there = |lines: &Lines| lines.count > 0;
        let above = Some(first).filter(there).map(above);
        above.into_iter().chain(Some(last).filter(there).map(below)).map(Warning::of).collect()
    }
}

impl Lines {
    fn push(&mut self, line: &[u8]) {
        self.count += 1;
        let text = String::from_utf8_lossy(&line[..line.len().min(KEPT)]);
        let text = text.trim_start_matches('\u{feff}').trim();
        if self.shown.len() < SHOWN && !text.is_empty() {
            self.shown.push(Cell::from(text));
        }
    }
}

/// A text in UTF-8 without its first and last lines. A line ends in LF, CRLF or CR, also within quotes: what stands above
/// a table has quotes of its own kind.
///
/// Memory: the last lines, as many as are left out.
pub(crate) struct Cut<R> {
    source: R,
    skip: Skip,
    skipped: Skipped,
    /// What was read and neither handed on nor left out, and how much of it may be handed on.
    held: VecDeque<u8>,
    free: usize,
    /// Where in `held` the last lines begin.
    starts: VecDeque<usize>,
    /// The line of the beginning that is passed now, as far as it is kept.
    line: Vec<u8>,
    /// Whether the next byte begins a line; if the one before was a CR, whether that was kept.
    fresh: bool,
    after_return: Option<bool>,
    ended: bool,
}

impl<R: Read> Cut<R> {
    pub(crate) fn new(source: R, skip: Skip) -> Self {
        Self {
            source,
            skip,
            skipped: Skipped::default(),
            held: VecDeque::new(),
            free: 0,
            starts: VecDeque::new(),
            line: Vec::new(),
            fresh: true,
            after_return: None,
            ended: false,
        }
    }

    /// What was left out: that of the end only once all was read.
    pub(crate) fn skipped(mut self) -> Skipped {
        if self.ended && self.skip.last > 0 {
            let held = self.held.make_contiguous();
            let ends = self.starts.iter().copied().skip(1).chain([held.len()]);
            for (&start, end) in self.starts.iter().zip(ends) {
                self.skipped.below(&held[start..end]);
            }
        }
        self.skipped
    }

    /// Reads the next piece; nothing more is to come at the end.
    fn fill(&mut self) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        let read = loop {
            match self.source.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                done => break done?,
            }
        };
        if read == 0 {
            self.ended = true;
            if self.skipped.first.count < self.skip.first && !self.fresh {
                self.skipped.above(&std::mem::take(&mut self.line));
            }
            return Ok(());
        }
        let mut rest = &piece[..read];
        while let Some((&first, _)) = rest.split_first() {
            let passing = self.skipped.first.count < self.skip.first;
            if let Some(kept) = self.after_return.take()
                && first == b'\n'
            {
                // It belongs to the line before.
                if kept {
                    self.held.push_back(first);
                }
                rest = &rest[1..];
                continue;
            }
            if std::mem::take(&mut self.fresh) && !passing {
                self.begin_line();
            }
            let end = memchr2(b'\n', b'\r', rest);
            let (part, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            rest = after;
            if passing {
                let room = KEPT.saturating_sub(self.line.len());
                self.line.extend_from_slice(&part[..part.len().min(room)]);
            } else {
                self.held.extend(part);
            }
            if let Some(end) = end {
                self.fresh = true;
                self.after_return = (part[end] == b'\r').then_some(!passing);
                if passing {
                    let line = std::mem::take(&mut self.line);
                    self.skipped.above(&line);
                }
            }
        }
        self.free = self.starts.front().map_or(self.held.len(), |start| *start);
        if self.held.len() - self.free > HELD {
            return Err(io::Error::other(Error::LongLine { limit: HELD }));
        }
        Ok(())
    }

    /// What comes next in `held` begins a line, so that an earlier one may be handed on.
    fn begin_line(&mut self) {
        if self.skip.last > 0 {
            self.starts.push_back(self.held.len());
            if self.starts.len() > self.skip.last {
                self.starts.pop_front();
            }
        }
    }
}

impl<R: Read> Read for Cut<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.skip.is_none() {
            return self.source.read(out);
        }
        while self.free == 0 && !self.ended {
            self.fill()?;
        }
        let size = out.len().min(self.free);
        let handed = (&mut self.held).take(size as u64).read(&mut out[..size])?;
        self.free -= handed;
        for start in &mut self.starts {
            *start -= handed;
        }
        Ok(handed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is left of a text that comes in pieces, and what is said.
    fn cut(text: &str, piece: usize, skip: Skip) -> (String, Vec<String>) {
        let mut source = Pieces { text: text.as_bytes(), piece };
        let mut cut = Cut::new(&mut source, skip);
        let mut left = String::new();
        cut.read_to_string(&mut left).unwrap();
        (left, cut.skipped().into_warnings().iter().map(ToString::to_string).collect())
    }

    struct Pieces<'a> {
        text: &'a [u8],
        piece: usize,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let size = out.len().min(self.piece);
            self.text.read(&mut out[..size])
        }
    }

    proptest! {
        /// However a text comes, its first and last lines are those of a plain split.
        #[test]
        fn leaves_what_a_split_leaves(text in "[a\r\n]{0,30}", piece in 1..7_usize, first in 0..4_usize, last in 0..4_usize) {
            let mut lines: Vec<String> = Vec::new();
            let mut rest = text.as_str();
            while let Some(end) = rest.find(['\n', '\r']) {
                let end = if rest[end..].starts_with("\r\n") { end + 2 } else { end + 1 };
                lines.push(rest[..end].to_owned());
                rest = &rest[end..];
            }
            if !rest.is_empty() {
                lines.push(rest.to_owned());
            }
            let kept: String = lines.iter().skip(first).take(lines.len().saturating_sub(first + last)).map(String::as_str).collect();
            let (left, said) = cut(&text, piece, Skip { first, last });
            prop_assert_eq!(left, kept);
            let beyond = lines.len().min(first);
            prop_assert_eq!(said.len(), usize::from(beyond > 0) + usize::from(last > 0 && lines.len() > beyond));
        }
    }

    #[test]
    fn what_was_left_out_is_said() {
        let text = "\u{feff}Patients, \"2024\n\n\nage,sex\n1,m\n2,f\nTotal,2\nSource: us";
        for piece in [1, 5, 1000] {
            let (left, said) = cut(text, piece, Skip { first: 3, last: 2 });
            assert_eq!(left, "age,sex\n1,m\n2,f\n");
            assert_eq!(
                said,
                [
                    "the first 3 lines of the file were skipped, as asked: 'Patients, \"2024'",
                    "the last 2 lines of the file were skipped, as asked: 'Total,2', 'Source: us'"
                ]
            );
        }
        assert_eq!(cut(text, 7, Skip::default()), (text.to_owned(), Vec::new()));
    }
}
