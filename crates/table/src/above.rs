//! Whether the lines above the header of a table were taken for the header: the title and date of an export.

use std::io::Read;

use crate::{
    header::Header,
    number_format::is_any,
    records::{Records, is_blank},
};

/// Rows that are looked at.
const ROWS: usize = 100;

/// Percent of the rows from the true header on that are as long as it.
const ALIKE: usize = 60;

/// The first rows of a file, as far as they tell.
#[derive(Default)]
pub(crate) struct Above(Vec<Seen>);

struct Seen {
    line: usize,
    fields: usize,
    /// Whether no field is blank.
    full: bool,
    /// Whether a field is a number.
    number: bool,
    /// Whether it holds the other delimiter of the header as often as the header.
    other: bool,
}

impl Above {
    /// Takes the newest record.
    pub(crate) fn row<R: Read>(&mut self, records: &Records<R>, header: &Header) {
        if self.0.len() >= ROWS {
            return;
        }
        let number = |cell: &[u8]| {
            let text = std::str::from_utf8(cell).unwrap_or_default().trim();
            is_any(text)
        };
        self.0.push(Seen {
            line: records.line(),
            fields: records.len(),
            full: !records.fields_from(0).any(is_blank),
            number: records.fields_from(0).any(number),
            other: (header.other)
                .is_some_and(|(sign, times)| memchr::memchr_iter(sign, records.text()).count() == times),
        });
    }

    /// Reads the rows that are to be looked at.
    pub(crate) fn look<R: Read>(records: &mut Records<R>, header: &Header) -> Self {
        let mut above = Self::default();
        // What is wrong further on is not what is asked here.
        while above.0.len() < ROWS && records.next(above.0.len() + 1).unwrap_or(false) {
            if !records.pass_blank() {
                above.row(records, header);
            }
        }
        above
    }

    /// How many lines stand above the row that looks like the header, if another one was taken for it.
    pub(crate) fn lines(&self, header: &Header) -> Option<usize> {
        let found = if header.named < header.width && self.0.first()?.fields <= header.width {
            self.padded(header)
        } else {
            self.longer(header)
        };
        Some(self.0[found?].line - 1)
    }

    /// The first of the rows that have more fields than what was taken for the header.
    fn longer(&self, header: &Header) -> Option<usize> {
        let mut lengths: Vec<usize> = self.0.iter().map(|row| row.fields).collect();
        lengths.sort_unstable();
        let common = lengths.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?[0];
        let at = self.0.iter().position(|row| row.fields == common)?;
        let (before, from) = self.0.split_at(at);
        let alike = from.iter().filter(|row| row.fields == common).count();
        // Where each row has one field more, the rows may have names of their own.
        let row_names =
            before.is_empty() && common == header.width + 1 && (header.width > 1 || from[0].number);
        let fits = common > header.width
            && before.iter().all(|row| row.fields < common)
            && alike * 100 >= from.len() * ALIKE
            && from.len() > 1
            && !row_names
            && !from[0].other;
        fits.then_some(at)
    }

    /// The first row without a blank cell, where what was taken for the header has mostly blank ones.
    fn padded(&self, header: &Header) -> Option<usize> {
        let mostly_blank = header.names.iter().filter(|name| name.is_empty()).count() * 2 >= header.width;
        let at = self.0.iter().position(|row| row.full && row.fields == header.width)?;
        (mostly_blank && !self.0[at].number && at + 1 < self.0.len()).then_some(at)
    }
}
