//! A table in memory: dictionary-coded columns of the cells as they stood in the file.

use lookalike_model::{described::Described, dialect::Dialect};

use crate::{Dictionary, HeaderRow, Note, Renamed, Warning};

/// A table as it was read. Cells are kept byte for byte.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The names of all columns of the file, kept or not, in its order; blank for one that is left out for having none. None in
    /// a part of a table.
    pub header: Vec<String>,
    /// The columns, in the file's order; all of length [`Table::rows`].
    pub columns: Vec<Column>,
    /// Number of data rows.
    pub rows: usize,
    /// Columns, kept or not, that got another name than they have in the file, by their places.
    pub renamed: Vec<Renamed>,
    /// What is odd in the file but does not make the answer wrong.
    pub warnings: Vec<Warning>,
    /// What was said of its first row; [`HeaderRow::Ask`] if nobody said.
    pub first_row: HeaderRow,
    /// How the file was read: what was found out about its form, and by which evidence. Empty if nothing was guessed.
    pub notes: Vec<Note>,
    /// What the file says of its columns, of those that were read.
    pub described: Vec<Described>,
    /// The form of its file, as far as a published table can have it; commas, line feeds and no byte-order mark where it was
    /// not found out.
    pub dialect: Dialect,
    /// SHA-256 of the text that was read, all of it, also of columns that were not kept. Private: whoever can guess the
    /// file can test the guess against it.
    pub digest: [u8; 32],
}

/// One column, dictionary-coded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Header cell, trimmed, or the name it got instead.
    pub name: String,
    /// Whether its known cells are texts in a file that tells texts from numbers: then they are not taken for numbers.
    pub texts: bool,
    /// The different cells, in order of first appearance.
    pub values: Dictionary,
    /// Per row, an index into `values`.
    pub cells: Vec<u32>,
}

impl Table {
    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }
}

impl Column {
    /// The cell of a data row (0-based).
    ///
    /// # Panics
    /// If `row` is not a row of the table.
    #[must_use]
    pub fn cell(&self, row: usize) -> &str {
        &self.values[self.cells[row] as usize]
    }
}
