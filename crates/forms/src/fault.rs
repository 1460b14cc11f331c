//! What can be said of files whose columns have types.

use lookalike_table::Members;
use lookalike_words::{Cell, Name, Said};

lookalike_words::messages! {
    in "forms";

    /// A form of file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FormName {
        /// Parquet.
        Parquet,
        /// A file of Arrow (also known as Feather).
        Arrow,
        /// A stream of Arrow, as a file.
        ArrowStream,
        /// Stata.
        Stata,
        /// SPSS.
        Spss,
        /// SAS.
        Sas,
        /// SAS's form for transport.
        SasTransport,
    }

    /// Why a file is not read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FormFault {
        /// It is damaged, or made in a way that its reader does not understand.
        Damaged {
            /// What it is.
            form: FormName,
            /// What its reader says.
            says: String,
        },
        /// A packer that is not read here.
        Codec {
            /// What the file is.
            form: FormName,
            /// The packer.
            codec: String,
            /// A column that is packed by it.
            column: Name,
        },
        /// The packer Zstandard in a file of Arrow.
        ArrowCodec,
        /// A column that is asked for has cells without a text, such as lists.
        Type {
            /// The column.
            column: Name,
            /// Its type.
            of: String,
        },
        /// Only a key opens it.
        Encrypted {
            /// What it is.
            form: FormName,
        },
        /// Something was chosen that only a text or a workbook has.
        Unfit {
            /// What the file is.
            form: FormName,
        },
        /// A version that is not read.
        Version {
            /// What the file is.
            form: FormName,
            /// The version.
            version: String,
        },
        /// It is packed, and holds several tables: a choice is then of what is packed.
        PackedTables {
            /// The names of its tables.
            tables: Members,
        },
        /// A form that is not read at all.
        NotRead {
            /// What it is.
            form: FormName,
        },
        /// A value that the form has no text for.
        Value {
            /// What the file is.
            form: FormName,
            /// The column.
            column: Name,
            /// 1-based row of data.
            row: usize,
        },
        /// An encoding that nobody knows.
        Encoding {
            /// Its name in the file.
            label: Name,
        },
    }

    /// What was found out about a file.
    #[derive(Clone, Debug, PartialEq)]
    pub enum FormNote {
        /// What it is, and how much of it was read.
        Read {
            /// What it is.
            form: FormName,
            /// Its columns.
            columns: usize,
            /// Those that were read.
            read: usize,
        },
        /// What the file says of its columns.
        Described {
            /// The columns with their labels.
            columns: Vec<Said>,
            /// How many more have one.
            more: usize,
        },
        /// A column with its label.
        Label {
            /// The column.
            column: Name,
            /// The label.
            label: Cell,
        },
        /// The file weights its rows.
        Weighted {
            /// The column that holds them.
            column: Name,
        },
        /// Labels of values stand in place of codes.
        Labelled {
            /// The column.
            column: Name,
            /// How many cells have one.
            cells: usize,
        },
        /// Codes that the file declares to mean "not known" count as missing.
        DeclaredMissing {
            /// The column.
            column: Name,
            /// The codes that occur, with their labels where they have one.
            codes: Vec<Cell>,
            /// How many cells hold one.
            cells: usize,
        },
        /// Which of its tables was read.
        Table {
            /// Its name.
            table: Name,
            /// How many tables there are.
            of: usize,
        },
        /// Its encoding.
        Encoding {
            /// The encoding.
            encoding: &'static str,
        },
    }
}

impl From<FormFault> for lookalike_table::Error {
    fn from(fault: FormFault) -> Self {
        Self::Told(fault.into())
    }
}

impl From<FormNote> for lookalike_table::Note {
    fn from(note: FormNote) -> Self {
        Self::Told(note.into())
    }
}
