//! What is odd in a file but does not make the answer wrong.

use std::fmt;

use lookalike_words::{Cell, Message, Name, Said};

use crate::Delimiter;

lookalike_words::messages! {
    in "table";

    /// What is odd, and what was done about it.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Oddity {
        /// White space around column names was removed.
        WhiteSpace {
            /// The names.
            names: Vec<Cell>,
        },
        /// The header holds numbers only.
        HeaderOfNumbers {
            /// The names.
            names: Vec<Cell>,
        },
        /// A column got another name, since an earlier one has its own.
        Renamed {
            /// Its place, from 1.
            column: usize,
            /// Its name in the table.
            to: Name,
            /// Its name in the file.
            from: Name,
        },
        /// Text after a closing quote was taken as part of the cell.
        TextAfterQuote {
            /// 1-based line of the file.
            line: usize,
            /// 1-based column.
            column: usize,
        },
        /// The same in further rows.
        MoreTextAfterQuotes {
            /// How many.
            rows: usize,
        },
        /// Blank lines were skipped.
        BlankLines {
            /// How many.
            lines: usize,
            /// 1-based line of the file of the first.
            first: usize,
            /// Whether the table has one column, whose empty cells look like blank lines.
            one_column: bool,
        },
        /// Every line ends in delimiters: columns without a name and without a cell were left out.
        BlankColumns {
            /// How many.
            columns: usize,
        },
        /// The header ends in delimiters: columns without a name, which not every row has, were left out.
        BlankHeaderColumns {
            /// How many.
            columns: usize,
        },
        /// The table has one column, in whose name another usual delimiter stands.
        OneColumn {
            /// The delimiter that was used, if it has a name.
            used: Option<Delimiter>,
            /// The one that the header holds.
            other: Delimiter,
        },
        /// The table has one column, and its lines have the same number of spaces.
        Spaces {
            /// How many.
            spaces: usize,
        },
        /// A row had too few fields, and was filled up.
        Padded {
            /// 1-based line of the file.
            line: usize,
            /// Its fields.
            found: usize,
            /// Columns with a name.
            expected: usize,
        },
        /// The same of further rows.
        MorePadded {
            /// How many.
            rows: usize,
        },
        /// Rows had more fields than the header, all of them blank.
        BlankFields {
            /// How many.
            rows: usize,
            /// The first, 1-based.
            first: usize,
        },
        /// The first lines were skipped, since that was asked.
        SkippedAbove {
            /// How many.
            lines: usize,
            /// How the first of them begin.
            shown: Vec<Cell>,
        },
        /// The last lines were skipped, since that was asked.
        SkippedBelow {
            /// How many.
            lines: usize,
            /// How the first of them begin.
            shown: Vec<Cell>,
        },
        /// The last rows look like a footer, and are read as rows.
        Footer {
            /// How many.
            rows: usize,
            /// Lines of the file that they are, to its end.
            lines: usize,
            /// How the first of them begin.
            shown: Vec<Cell>,
        },
        /// Cells of a workbook hold the error of a formula.
        FormulaErrors {
            /// How many.
            cells: usize,
            /// Row of the first in the sheet, from 1.
            row: u32,
            /// Its column, from 1.
            column: u32,
        },
        /// Cells of a workbook hold a time of day or a duration without a date.
        TimesAlone {
            /// How many.
            cells: usize,
            /// The first, such as "B3".
            cell: String,
        },
        /// What another program that read the file has said.
        Told(Said),
    }

    /// Something odd at its row.
    enum Placed {
        /// In a row of data.
        Row { row: usize, what: Oddity },
    }
}

/// Something odd at a place of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// 1-based line of data (the header is not counted), if it concerns one.
    pub row: Option<usize>,
    /// What is odd and what was done about it.
    pub what: Oddity,
}

impl Warning {
    /// Something that concerns no single row.
    pub(crate) fn of(what: Oddity) -> Self {
        Self { row: None, what }
    }

    /// It as a message, with its row.
    #[must_use]
    pub fn said(&self) -> Said {
        match self.row {
            Some(row) => Placed::Row { row, what: self.what.clone() }.said(),
            None => self.what.said(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}
