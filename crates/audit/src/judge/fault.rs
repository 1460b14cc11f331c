//! What is wrong with bytes that are not a release.

use std::fmt;

use lookalike_words::{Message, Name, Said, Variant};

/// Where the bytes are not what every release is, and in what; see [`crate::judge`] for the form that a release has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Row of the table, counted from 1; 0 is the header.
    pub row: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub breach: Breach,
}

impl std::error::Error for Fault {}

impl Message for Fault {
    const VARIANTS: &'static [Variant] = Place::VARIANTS;

    fn said(&self) -> Said {
        let (row, column, breach) = (self.row, self.column, self.breach.clone());
        if row == 0 {
            Place::Header { column, breach }.said()
        } else {
            Place::Row { row, column, breach }.said()
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.said(), f)
    }
}

lookalike_words::messages! {
    in "audit";

    /// A fault by its place.
    #[derive(Clone, Debug, PartialEq, Eq)]
    enum Place {
        /// In the header.
        Header {
            /// The column.
            column: usize,
            /// What is wrong.
            breach: Breach,
        },
        /// In a row.
        Row {
            /// The row.
            row: usize,
            /// The column.
            column: usize,
            /// What is wrong.
            breach: Breach,
        },
    }

    /// In what bytes can differ from the form of a release.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Breach {
        /// There is nothing at all.
        Empty,
        /// There is a header and nothing else.
        NoRows,
        /// A column has no name.
        NoName,
        /// Two columns have one name.
        SameName {
            /// The name.
            name: Name,
        },
        /// A row has more or fewer cells than the header.
        Cells {
            /// Cells of the row.
            found: usize,
            /// Cells of the header.
            expected: usize,
        },
        /// A line without anything in it.
        EmptyLine,
        /// The last row is cut off, or its line end is.
        NoLineEnd,
        /// A quotation mark opens a cell and nothing closes it.
        OpenQuote,
        /// A quotation mark inside a cell without quotation marks.
        StrayQuote,
        /// Something between a closing quotation mark and the next delimiter.
        AfterQuote,
        /// A cell is quoted, and nothing in it asks for that.
        NeedlessQuotes,
        /// A carriage return outside of quotation marks.
        CarriageReturn,
        /// The bytes begin with a byte-order mark, or with a line that names a delimiter to a spreadsheet.
        Mark,
        /// A row that ends in a line feed without a carriage return, where every row has both.
        LineFeed,
        /// The byte-order mark that the bytes are to begin with is not there.
        NoMark,
        /// A cell that a spreadsheet would run as a formula, where each is to have an apostrophe before it.
        Formula,
        /// An apostrophe before a cell that needs none.
        NeedlessApostrophe,
        /// A NUL byte.
        Nul,
        /// The bytes are not UTF-8.
        NotUtf8,
        /// A row that is longer than any row can be.
        Long {
            /// Bytes of the longest row.
            most: usize,
        },
        /// The source of the bytes failed.
        Source {
            /// What the operating system says.
            why: String,
        },
    }
}
