//! Delimiters, and how one was found.

use lookalike_words::Cell;

lookalike_words::messages! {
    in "table";

    /// What separates fields.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Delimiter {
        /// `,`
        Comma,
        /// `;`
        Semicolon,
        /// A tab.
        Tab,
        /// `|`
        VerticalBar,
        /// Another character.
        Other {
            /// The character.
            sign: Cell,
        },
    }

    /// How a delimiter was found.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DelimiterEvidence {
        /// It was asked for.
        AsChosen {
            /// The delimiter.
            delimiter: Delimiter,
        },
        /// The same, and the first line that names one (`sep=;`) is no row.
        AsChosenWithoutFirstLine {
            /// The delimiter.
            delimiter: Delimiter,
            /// The first line.
            line: String,
        },
        /// The first line names it (`sep=;`).
        FirstLine {
            /// The delimiter.
            delimiter: Delimiter,
            /// The first line.
            line: String,
        },
        /// There is none: the table has one column.
        OneColumn,
        /// There is only a header to tell by.
        HeaderAlone {
            /// The delimiter.
            delimiter: Delimiter,
            /// Fields of the header.
            fields: usize,
        },
        /// Each row has as many fields as the header.
        EachRow {
            /// The delimiter.
            delimiter: Delimiter,
            /// Fields of the header.
            fields: usize,
            /// Rows that were looked at.
            rows: usize,
        },
        /// Some rows have as many fields as the header.
        SomeRows {
            /// The delimiter.
            delimiter: Delimiter,
            /// Fields of the header.
            fields: usize,
            /// How many rows have as many.
            fitting: usize,
            /// Rows that were looked at.
            rows: usize,
        },
    }
}

/// The usual delimiters.
pub(crate) const USUAL: [u8; 4] = [b',', b';', b'\t', b'|'];

impl Delimiter {
    /// The delimiter of this byte.
    pub(crate) fn of(byte: u8) -> Self {
        Self::usual(byte).unwrap_or_else(|| Self::Other { sign: sign(byte) })
    }

    /// The delimiter of this byte, if it is a usual one.
    pub(crate) fn usual(byte: u8) -> Option<Self> {
        match byte {
            b',' => Some(Self::Comma),
            b';' => Some(Self::Semicolon),
            b'\t' => Some(Self::Tab),
            b'|' => Some(Self::VerticalBar),
            _ => None,
        }
    }
}

/// A byte as messages quote it.
pub(crate) fn sign(byte: u8) -> Cell {
    Cell::from(char::from(byte).to_string().as_str())
}
