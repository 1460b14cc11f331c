//! What is wrong with bytes that are not a release.

use super::text::thousands;

/// Where the bytes are not what every release is, and in what; see [`crate::judge`] for the form that a release has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}, column {column}: {breach}", place(*.row))]
pub struct Fault {
    /// Row of the table, counted from 1; 0 is the header.
    pub row: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub breach: Breach,
}

/// In what bytes can differ from the form of a release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// There is nothing at all.
    #[error("the file is empty")]
    Empty,
    /// There is a header and nothing else.
    #[error("the table has no rows")]
    NoRows,
    /// A column has no name.
    #[error("the column has no name")]
    NoName,
    /// Two columns have one name.
    #[error("another column is called {0:?}, too")]
    SameName(String),
    /// A row has more or fewer cells than the header.
    #[error("the row has {found} cells, the header {expected}")]
    Cells {
        /// Cells of the row.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },
    /// A line without anything in it.
    #[error("the line is empty")]
    EmptyLine,
    /// The last row is cut off, or its line end is.
    #[error("the last row does not end in a line feed: the file is cut off")]
    NoLineEnd,
    /// A quotation mark opens a cell and nothing closes it.
    #[error("a quotation mark opens the cell, and none closes it")]
    OpenQuote,
    /// A quotation mark inside a cell without quotation marks.
    #[error("a quotation mark stands in a cell that is not quoted")]
    StrayQuote,
    /// Something between a closing quotation mark and the next delimiter.
    #[error("text follows the closing quotation mark; a quotation mark in a quoted cell must be doubled")]
    AfterQuote,
    /// A cell is quoted, and nothing in it asks for that.
    #[error("the cell is quoted without need")]
    NeedlessQuotes,
    /// A carriage return outside of quotation marks.
    #[error("a carriage return stands outside of quotation marks; lines end in a line feed alone")]
    CarriageReturn,
    /// The bytes begin with a byte-order mark, or with a line that names a delimiter to a spreadsheet.
    #[error("the file begins with a mark (a byte-order mark, or \"sep=\") that is not quoted")]
    Mark,
    /// A NUL byte.
    #[error("the cell holds a NUL byte")]
    Nul,
    /// The bytes are not UTF-8.
    #[error("the cell is not UTF-8")]
    NotUtf8,
    /// A row that is longer than any row can be.
    #[error("the row has more than {} bytes", thousands(*.0))]
    Long(usize),
    /// The source of the bytes failed.
    #[error("the bytes cannot be read: {0}")]
    Source(String),
}

fn place(row: usize) -> String {
    if row == 0 { String::from("the header") } else { format!("row {}", thousands(row)) }
}
