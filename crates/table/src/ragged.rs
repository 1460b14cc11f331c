//! Rows that do not fit the header.

use std::io::Read;

use crate::{
    Error, Oddity, RaggedHint, RaggedRow, Warning,
    header::Header,
    records::{Records, is_blank},
};

/// How many ragged rows an error lists.
const LISTED: usize = 5;

/// How many rows are warned about one by one.
const WARNED: usize = 20;

/// Rows that a footer has, at most.
pub(crate) const FOOTER: usize = 20;

/// What happens to a row with too few fields. One with too many (that are not blank) is always an error: a delimiter
/// within a cell has shifted the cells behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ragged {
    /// An error that lists such rows.
    #[default]
    Error,
    /// The cells that are not there, at the end of the row, are empty; each row is warned about.
    Pad,
}

/// Rows that do not fit, as they come.
pub(crate) struct RaggedRows {
    policy: Ragged,
    /// In which a wrong answer would follow.
    pub(crate) first: Vec<RaggedRow>,
    pub(crate) total: usize,
    /// Whether one of them has more fields than the header.
    longer: bool,
    /// How many of them have exactly one field more than the header.
    one_more: usize,
    /// Rows with blank fields beyond the header's.
    trailing: usize,
    first_trailing: usize,
    /// Rows that were filled up.
    padded: usize,
    warnings: Vec<Warning>,
}

impl RaggedRows {
    pub(crate) fn new(policy: Ragged) -> Self {
        Self {
            policy,
            first: Vec::new(),
            total: 0,
            longer: false,
            one_more: 0,
            trailing: 0,
            first_trailing: 0,
            padded: 0,
            warnings: Vec::new(),
        }
    }

    /// Takes the newest record, whose length is not the header's; true if its cells are to be read all the same.
    pub(crate) fn accept<R: Read>(&mut self, row: usize, records: &Records<R>, header: &Header) -> bool {
        let found = records.len();
        if found > header.width && records.fields_from(header.width).all(is_blank) {
            if self.trailing == 0 {
                self.first_trailing = row;
            }
            self.trailing += 1;
            return true;
        }
        // A nameless column at the end of the header need not be there.
        if found >= header.named && found < header.width {
            return true;
        }
        if found < header.width && self.policy == Ragged::Pad {
            self.padded += 1;
            if self.padded <= WARNED {
                let what = Oddity::Padded { line: records.line(), found, expected: header.named };
                self.warnings.push(Warning { row: Some(row), what });
            }
            return true;
        }
        if self.first.len() < LISTED {
            self.first.push(RaggedRow { row, line: records.line(), found });
        }
        self.total += 1;
        self.longer |= found > header.width;
        self.one_more += usize::from(found == header.width + 1);
        false
    }

    /// The rows at the end, if all that differ are there, and shorter than the header: how many lines they are.
    fn footer(&self, rows: usize, lines: usize) -> Option<usize> {
        let first = self.first.first()?;
        let contiguous = self.total == rows - first.row + 1 && !self.longer;
        (contiguous && self.total <= FOOTER && first.row > self.total).then(|| lines + 1 - first.line)
    }

    /// The error, if there are rows that must not be read. `title` lines look like one above the header, the file has
    /// `lines` lines. `unclosed` is the error that the last record ends in
    /// quotes: a quote left open somewhere swallows rows up to the next quote, so the first row that does not fit
    /// tells more than the end of the file.
    pub(crate) fn error(
        &self,
        rows: usize,
        header: &Header,
        unclosed: Option<&Error>,
        (title, lines): (Option<usize>, usize),
    ) -> Result<(), Error> {
        if let Some(unclosed) = unclosed
            && self.first.first().is_none_or(|first| first.row == rows)
        {
            return Err(unclosed.clone());
        }
        if self.total == 0 {
            return Ok(());
        }
        let hint = if let Some(Error::UnclosedQuote { line, .. }) = unclosed {
            RaggedHint::UnclosedQuote { line: *line }
        } else if let Some(lines) = title {
            RaggedHint::Title { lines }
        } else if let Some((used, other)) = header.hint.clone() {
            RaggedHint::OtherDelimiter { used, other }
        } else if self.one_more == rows {
            if header.spaced { RaggedHint::RowNames } else { RaggedHint::OneMore }
        } else if let Some(lines) = self.footer(rows, lines) {
            RaggedHint::Footer { lines }
        } else {
            RaggedHint::Unknown
        };
        let more = self.total - self.first.len();
        Err(Error::Ragged { expected: header.width, first: self.first.clone(), more, hint })
    }

    /// What was odd, but did no harm.
    pub(crate) fn into_warnings(mut self) -> Vec<Warning> {
        if let Some(rows) = self.padded.checked_sub(WARNED).filter(|&more| more > 0) {
            self.warnings.push(Warning::of(Oddity::MorePadded { rows }));
        }
        if self.trailing > 0 {
            let what = Oddity::BlankFields { rows: self.trailing, first: self.first_trailing };
            self.warnings.push(Warning::of(what));
        }
        self.warnings
    }
}
