//! Rows that do not fit the header.

use std::io::Read;

use crate::{
    Error, RaggedRow, Warning,
    header::Header,
    records::{Records, is_blank},
    text::{counted, thousands},
};

/// How many ragged rows an error lists.
const LISTED: usize = 5;

/// How many rows are warned about one by one.
const WARNED: usize = 20;

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
                let line = thousands(records.line());
                let message = format!(
                    "line {line} of the file has {} instead of {}: the cells that are not there were taken as empty",
                    counted(found, "field", "fields"),
                    thousands(header.named)
                );
                self.warnings.push(Warning { row: Some(row), message });
            }
            return true;
        }
        if self.first.len() < LISTED {
            self.first.push(RaggedRow { row, line: records.line(), found });
        }
        self.total += 1;
        self.one_more += usize::from(found == header.width + 1);
        false
    }

    /// The error, if there are rows that must not be read. `unclosed` is the error that the last record ends in
    /// quotes: a quote left open somewhere swallows rows up to the next quote, so the first row that does not fit
    /// tells more than the end of the file.
    pub(crate) fn error(&self, rows: usize, header: &Header, unclosed: Option<&Error>) -> Result<(), Error> {
        if let Some(unclosed) = unclosed
            && self.first.first().is_none_or(|first| first.row == rows)
        {
            return Err(unclosed.clone());
        }
        if self.total == 0 {
            return Ok(());
        }
        let hint = if unclosed.is_some() {
            "a quote in or before the first of these rows is never closed"
        } else if let Some(hint) = &header.hint {
            hint
        } else if self.one_more == rows {
            "every row has one field more than the header: give the first column a name"
        } else {
            "every row needs as many fields as the header; quote a cell that contains the delimiter"
        };
        let hint = hint.to_owned();
        Err(Error::Ragged { expected: header.width, first: self.first.clone(), total: self.total, hint })
    }

    /// What was odd, but did no harm.
    pub(crate) fn into_warnings(mut self) -> Vec<Warning> {
        if let Some(more) = self.padded.checked_sub(WARNED).filter(|&more| more > 0) {
            let rows = counted(more, "more row", "more rows");
            let message =
                format!("{rows} with too few fields: the cells that are not there were taken as empty");
            self.warnings.push(Warning { row: None, message });
        }
        if self.trailing > 0 {
            let message = format!(
                "{} more fields than the header, all of them blank: they were left out, first in row {}",
                if self.trailing == 1 {
                    String::from("1 row has")
                } else {
                    format!("{} rows have", thousands(self.trailing))
                },
                thousands(self.first_trailing)
            );
            self.warnings.push(Warning { row: None, message });
        }
        self.warnings
    }
}
