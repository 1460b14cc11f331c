//! What is wrong with tables and ledgers beside a release.

use lookalike_words::{Cell, Name, Said};

lookalike_words::messages! {
    in "audit";

    /// Why the cells of a published column cannot be measured, or compared with the original's.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Unmeasurable {
        /// A range of values that have no known order.
        Range {
            /// The cell.
            cell: Cell,
        },
        /// A form that is not known.
        Form {
            /// The cell.
            cell: Cell,
        },
        /// Neither a label nor a set of labels.
        NoSet {
            /// The cell.
            cell: Cell,
        },
        /// A label that the hierarchy does not have.
        NotInHierarchy {
            /// The label.
            label: Cell,
        },
        /// How its cells are read is not said.
        Unread,
        /// A label that the original does not have.
        NotInOriginal {
            /// The label.
            label: Cell,
        },
        /// A cell that is not of the declared kind.
        NotAsDeclared {
            /// The cell.
            cell: Cell,
            /// The kind.
            kind: CellKind,
        },
        /// A number of a declared column that has more digits than are told apart.
        LongNumber {
            /// The cell.
            cell: Cell,
        },
        /// Original cells that are not of the kind of their column.
        OriginalCells {
            /// The kind.
            kind: CellKind,
        },
        /// The cells can be read in two ways.
        Open {
            /// How, and what to say instead.
            question: Said,
        },
    }

    /// What a cell would have to be.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CellKind {
        /// A label.
        Label,
        /// A finite number.
        Number,
        /// A whole number.
        Whole,
        /// A number whose digits are few enough to tell it from all others.
        Exact,
        /// A date.
        Date,
        /// A value of an order.
        Ordered,
    }

    /// A table that attacks go by.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TableName {
        /// The published one.
        Published,
        /// What it was made of.
        Original,
        /// Rows that were not published.
        Control,
    }

    /// What is wrong with the linking key.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Unlinked {
        /// It lacks a column.
        NoColumn {
            /// Its name.
            column: Name,
        },
        /// It names a row that the original does not have.
        NoSuchRow {
            /// Its line, from 1.
            line: usize,
            /// What it names.
            row: Name,
            /// The last row, from 0.
            last: usize,
        },
        /// It names a row twice.
        Twice {
            /// The row, as it names it.
            row: String,
        },
        /// It leaves out a row.
        Lacks {
            /// The row, from 0.
            row: usize,
        },
        /// The class of a row is not published.
        NoSuchClass {
            /// The row, from 0.
            row: usize,
            /// Its class.
            class: Name,
        },
    }

    /// What is wrong with a source. Rows count from 1.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SourceFault {
        /// It lacks a column.
        NoColumn {
            /// Its name.
            column: Name,
        },
        /// An individual has no name.
        NoName {
            /// The row.
            row: usize,
            /// The column of names.
            column: Name,
        },
        /// An individual is in it twice.
        Twice {
            /// The row.
            row: usize,
            /// The column of names.
            column: Name,
            /// Who.
            individual: Cell,
            /// The earlier row.
            before: usize,
        },
    }

    /// What is wrong with a ledger.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LedgerFault {
        /// It is encrypted.
        Encrypted,
        /// It is not JSON of the form of a ledger.
        Json {
            /// What the parser says.
            why: String,
        },
        /// It does not say that it is a ledger.
        Format {
            /// What its field would say.
            format: &'static str,
        },
        /// It does not say its version.
        NoVersion {
            /// The version that is known.
            known: u32,
        },
        /// It is of another version.
        Version {
            /// Its version.
            version: u32,
            /// The version that is known.
            known: u32,
        },
        /// Its checksum is another one.
        Checksum,
        /// A signature has a value that is not there.
        Signature,
        /// Somebody is in it twice.
        Twice {
            /// Who.
            individual: Name,
        },
        /// Stays overlap, or are out of order.
        Stays {
            /// Whose.
            individual: Name,
        },
        /// A stay has a value or a signature that is not there.
        Stay {
            /// Whose.
            individual: Name,
        },
    }
}
