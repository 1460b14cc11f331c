//! Records on their way into the columns.
//!
//! Columns are coded one after another, for many records at once: a column's dictionary stays in the memory cache
//! meanwhile.

use std::{io::Read, ops::Range};

use crate::records::Records;

/// Most records of a batch.
const ROWS: usize = 1 << 12;

/// Bytes from which on a batch is full.
const BYTES: usize = 1 << 19;

/// Records, of which some fields are kept.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Fields kept, by their places in the record.
    fields: Vec<usize>,
    bytes: Vec<u8>,
    /// Where in the bytes the fields kept stand, record after record. In u32: a record is far shorter.
    spans: Vec<(u32, u32)>,
    /// Each record's number and line.
    places: Vec<(usize, usize)>,
}

impl Batch {
    pub(crate) fn new(fields: Vec<usize>) -> Self {
        Self { fields, bytes: Vec::new(), spans: Vec::new(), places: Vec::new() }
    }

    /// Takes the newest record; true if the batch is full.
    pub(crate) fn push<R: Read>(&mut self, row: usize, records: &Records<R>) -> bool {
        let base = self.bytes.len();
        self.bytes.extend_from_slice(records.text());
        self.spans.extend(self.fields.iter().map(|&field| {
            let Range { start, end } = records.span(field);
            ((base + start) as u32, (base + end) as u32)
        }));
        self.places.push((row, records.line()));
        self.places.len() >= ROWS || self.bytes.len() >= BYTES
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Number of records.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Number and line of a record.
    pub(crate) fn place(&self, at: usize) -> (usize, usize) {
        self.places[at]
    }

    /// The records' bytes.
    pub(crate) fn text(&self) -> &[u8] {
        &self.bytes
    }

    /// Where in the text the cells of a field kept stand (by its place among these).
    pub(crate) fn cells(&self, kept: usize) -> impl Iterator<Item = (u32, u32)> + Clone {
        self.spans.chunks_exact(self.fields.len()).map(move |spans| spans[kept])
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
        self.places.clear();
    }
}
