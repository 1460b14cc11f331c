//! Parts of what can be wrong with a file.

use lookalike_words::Name;

use crate::Delimiter;

lookalike_words::messages! {
    in "table";

    /// Where a record stands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Place {
        /// It is the header.
        Header,
        /// It is a row of data.
        Row {
            /// 1-based row of data.
            row: usize,
            /// 1-based line of the file.
            line: usize,
        },
    }

    /// Forms of JSON that are taken for tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum JsonForm {
        /// A text sequence (RFC 7464).
        TextSequence,
        /// An array of objects or of arrays.
        Array,
        /// One array a line, or one array.
        Arrays,
    }

    /// What is wrong with a line of JSON lines.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum JsonFault {
        /// It is not an object.
        NotObject,
        /// It is not one whole object.
        Broken {
            /// 1-based character where that shows.
            column: usize,
        },
        /// A text with an escape that means nothing.
        BrokenText {
            /// Its key.
            key: Name,
        },
        /// A value that is an object or an array.
        Nested {
            /// Its key.
            key: Name,
        },
        /// A key that the object has twice.
        KeyTwice {
            /// The key.
            key: Name,
        },
        /// A key of white space or nothing.
        BlankKey,
        /// A NUL character, which no cell holds.
        Nul {
            /// The key.
            key: Name,
        },
        /// More keys than a table has columns.
        ManyKeys {
            /// The bound.
            limit: usize,
        },
        /// No line has a key.
        NoKey,
        /// It has another key than it had before.
        Changed,
    }

    /// What is wrong with a layout.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LayoutFault {
        /// It has no column.
        Nothing,
        /// A column without a name.
        NoName,
        /// A name that another column has.
        Twice {
            /// The name.
            name: Name,
        },
        /// A column without its first character.
        Start,
        /// A column without its number of characters.
        Width,
        /// More than a column is described by.
        More,
        /// A quotation mark that none follows.
        Quote,
        /// More columns, or longer lines, than are read.
        Large,
        /// A dictionary without its end.
        Open,
        /// A column of a dictionary without a format that says how wide it is.
        NoWidth {
            /// The column.
            name: Name,
        },
        /// A part of a dictionary that is not read.
        Dictionary {
            /// The part.
            what: String,
        },
    }

    /// Files that hold others.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Container {
        /// A file packed by gzip.
        Gzip,
        /// A ZIP archive.
        Zip,
        /// An XLSX workbook.
        Xlsx,
        /// An ODS workbook.
        Ods,
    }

    /// What is wrong with a packed file or a workbook.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Damage {
        /// What the unpacker says.
        Unpacker {
            /// Its words.
            says: String,
        },
        /// A workbook without a sheet of cells.
        NoSheet,
        /// A cell before the one that came before it, or beyond the largest sheet.
        CellOutside {
            /// 1-based row.
            row: u64,
            /// 1-based column.
            column: u64,
        },
    }

    /// Files that are no tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Foreign {
        /// A PDF.
        Pdf,
        /// A Parquet file.
        Parquet,
        /// An Arrow file.
        Arrow,
        /// An SQLite database.
        Sqlite,
        /// An SPSS file.
        Spss,
        /// A Stata file.
        Stata,
        /// An HDF5 file.
        Hdf5,
        /// A PNG or JPEG picture.
        Picture,
        /// A program.
        Program,
        /// A page of the web, as some systems save it under a spreadsheet's name.
        Html,
        /// XML.
        Xml,
        /// Rich text.
        RichText,
        /// Text in UTF-32.
        Utf32,
        /// Other bytes that are no text.
        Binary,
    }

    /// What does not go with a form of file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unfit {
        /// A workbook for which an encoding, a delimiter or a quotation mark was chosen.
        DialectOfWorkbook,
        /// JSON lines for which a delimiter or a quotation mark was chosen, or that are said to have no header.
        DialectOfJson,
        /// JSON lines were asked for, but the file is a workbook.
        WorkbookAsJson,
        /// A layout beside a delimiter, a quotation mark, a header row, names of columns or JSON lines.
        DialectOfLayout,
        /// A layout for a file that is no text.
        LayoutOfNoText,
        /// Names for the columns of a file that is not said to have none.
        NamesBesideHeader,
        /// A sheet of a file that is no workbook.
        SheetOfText,
        /// A member of a file that is no archive.
        MemberOfText,
    }

    /// Why a cell cannot be filled up with zeros.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PadFault {
        /// It has something else than digits.
        NotDigits,
        /// It has more digits than it is to have.
        TooLong {
            /// How many.
            digits: usize,
        },
    }

    /// Why a label cannot stand for a code.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LabelFault {
        /// The code is empty.
        NoCode,
        /// The label is empty.
        NoLabel,
        /// The label is a code of the column itself.
        AlsoACode,
    }

    /// Why rows may have another number of fields than the header.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum RaggedHint {
        /// A quote is never closed: it may be any up to the last one that opens, since one that is left open swallows what follows.
        UnclosedQuote {
            /// 1-based line of the file in which the last one opens.
            line: usize,
        },
        /// The header has one field only, and another usual delimiter in it.
        OtherDelimiter {
            /// The delimiter that was used, if it has a name.
            used: Option<Delimiter>,
            /// The one that the header holds.
            other: Delimiter,
        },
        /// Lines that look like a title above the header.
        Title {
            /// How many, from the first line of the file on.
            lines: usize,
        },
        /// Only the last rows differ, and are shorter: totals, a source.
        Footer {
            /// How many lines of the file there are from the first of them on.
            lines: usize,
        },
        /// Every row has one field more than the header, as where row names have no name of their own.
        OneMore,
        /// The same, where spaces separate the fields: R writes row names so.
        RowNames,
        /// Nothing more is known.
        Unknown,
    }

    /// Items of lists in messages.
    pub(crate) enum Part {
        /// A row with another number of fields than the header.
        RaggedRow { row: usize, line: usize, found: usize },
        /// A column name that occurs more than once.
        DuplicateName { name: Name, columns: Vec<usize> },
    }
}

impl Place {
    /// The place of a row; row 0 is the header.
    pub(crate) fn of(row: usize, line: usize) -> Self {
        if row == 0 { Self::Header } else { Self::Row { row, line } }
    }
}
