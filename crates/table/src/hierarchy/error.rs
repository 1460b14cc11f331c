//! What can be wrong with a hierarchy.

use lookalike_words::Cell;

use crate::Error;

lookalike_words::messages! {
    in "table";

    /// What can be wrong with a hierarchy, its file, or its making. Rows are lines of the file, columns count from 1.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum HierarchyError {
        /// No row.
        Empty,
        /// Values alone.
        NoLevel,
        /// More levels than any use has.
        TooDeep {
            /// Levels above the values.
            levels: usize,
            /// How many there may be.
            most: usize,
        },
        /// A row with more or fewer cells than the first.
        Width {
            /// The row.
            row: usize,
            /// Its first cell.
            value: Cell,
            /// Cells of the first row.
            expected: usize,
            /// Cells of this row.
            found: usize,
        },
        /// A value that stands twice.
        Twice {
            /// The second row.
            row: usize,
            /// The first row.
            first: usize,
            /// The value.
            value: Cell,
        },
        /// A label with two different coarser ones.
        NotNested {
            /// The row.
            row: usize,
            /// Column of the coarser label.
            column: usize,
            /// The label that both rows share.
            label: Cell,
            /// What it leads to here.
            coarser: Cell,
            /// The first row with the label.
            first: usize,
            /// What it leads to there.
            other: Cell,
        },
        /// A value of the column that the hierarchy lacks.
        Uncovered {
            /// The first such value.
            value: Cell,
            /// Its first rows, counted from 1.
            rows: Vec<usize>,
            /// How many rows more it has.
            more_rows: usize,
            /// How many values more are lacking.
            more_values: usize,
        },
        /// A label that a reader takes for "not known".
        MissingLabel {
            /// A value under it.
            value: Cell,
            /// The label.
            label: Cell,
        },
        /// The file is not UTF-8.
        NotUtf8 {
            /// The row.
            row: usize,
            /// The column.
            column: usize,
        },
        /// The file is no CSV.
        Malformed {
            /// What the parser says.
            why: String,
        },
        /// The file is no text.
        NoText {
            /// What it is.
            why: Error,
        },
        /// A value that is no number, for intervals.
        NoNumber {
            /// The value.
            value: Cell,
        },
        /// A number too far from the anchor for intervals of their width.
        TooFar {
            /// The value.
            value: Cell,
        },
        /// A value that is no date, for months and years.
        NoDate {
            /// The value.
            value: Cell,
        },
        /// Parameters that make no hierarchy, or not of this column.
        Parameters(Parameters),
    }

    /// Why parameters make no hierarchy, or not of this column.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Parameters {
        /// The width of intervals is no number above 0.
        Width,
        /// A level joins fewer than 2 intervals.
        FanOut,
        /// The anchor or a limit of intervals is not finite.
        Infinite,
        /// The lower limit of intervals does not lie below the upper one.
        Limits,
        /// Days of a column that is not read as dates.
        NotDates,
        /// Codes that are empty or too long for a prefix.
        CodeLength {
            /// Characters of the longest.
            longest: usize,
            /// How many there may be.
            most: usize,
        },
        /// Groups of labels whose order is not given.
        NoOrder,
        /// Groups of fewer than 2 values, or none.
        GroupSize,
        /// A value that stands twice in an order.
        Twice {
            /// The value.
            value: Cell,
        },
    }
}

impl std::error::Error for HierarchyError {}
