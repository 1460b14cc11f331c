//! Rows of bytes as pieces of columns.

use std::{cell::RefCell, sync::Arc};

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema, SchemaRef};
use encoding_rs::Encoding;
use lookalike_table::Error;

use super::{numbers::Numbers, variable::Variable};
use crate::{
    FormName,
    columns::damaged,
    labelled::{Cells, ROWS, Tally},
};

/// Bytes of texts that a piece may have before it ends: packed rows can be much longer than their file.
const PIECE: usize = 1 << 23;

/// The rows of a file.
pub(super) trait Lines {
    /// The bytes of the next row; none at the end.
    fn next(&mut self) -> Result<Option<&[u8]>, Error>;
}

/// How the cells of a row are written.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) form: FormName,
    pub(super) numbers: Numbers,
    pub(super) encoding: &'static Encoding,
    pub(super) variables: &'a [Variable],
    pub(super) tallies: &'a RefCell<Vec<Tally>>,
}

/// The rows of some columns, a piece at a time.
pub(super) struct Rows<'a, L> {
    lines: L,
    about: About<'a>,
    columns: Vec<usize>,
    cells: Vec<Cells>,
    schema: SchemaRef,
    ended: bool,
}

impl<'a, L: Lines> Rows<'a, L> {
    pub(super) fn new(lines: L, about: About<'a>, schema: Schema, columns: &[usize]) -> Self {
        about.tallies.borrow_mut().fill(Tally::default());
        let cells = schema.fields().iter().map(|field| Cells::of(field.data_type())).collect();
        Self { lines, about, columns: columns.to_vec(), cells, schema: Arc::new(schema), ended: false }
    }

    fn piece(&mut self) -> Result<Option<RecordBatch>, Error> {
        let About { form, numbers, encoding, variables, tallies } = self.about;
        let mut tallies = tallies.borrow_mut();
        let (mut rows, mut bytes) = (0, 0);
        while rows < ROWS && bytes < PIECE {
            let Some(row) = self.lines.next()? else {
                self.ended = true;
                break;
            };
            rows += 1;
            for (&at, cells) in self.columns.iter().zip(&mut self.cells) {
                bytes += variables[at].put(row, (numbers, encoding), cells, &mut tallies[at]);
            }
        }
        drop(tallies);
        if rows == 0 {
            return Ok(None);
        }
        let arrays = self.cells.iter_mut().map(Cells::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options);
        batch.map(Some).map_err(|why| damaged(form, &why))
    }
}

impl<L: Lines> Iterator for Rows<'_, L> {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let piece = self.piece();
        self.ended |= piece.is_err();
        piece.transpose()
    }
}
