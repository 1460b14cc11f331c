//! What can be wrong with a file.

use lookalike_words::{Arg, AsArg, Cell, Message, Name, Said};

use crate::{
    FirstRowDoubt,
    fault::{
        Container, Damage, Foreign, JsonFault, JsonForm, LabelFault, LayoutFault, PadFault, Part, Place,
        RaggedHint, Unfit,
    },
};

lookalike_words::messages! {
    in "table";

    /// What can be wrong with a file; every message says where and what to do.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Error {
        /// No bytes, or only white space.
        Empty,
        /// The first row may be the header or a record.
        FirstRow {
            /// What speaks for a record.
            why: FirstRowDoubt,
            /// Its first cells.
            cells: Vec<Cell>,
            /// How many cells more it has.
            more: usize,
        },
        /// JSON instead of a table.
        Json {
            /// Which form of it.
            form: JsonForm,
        },
        /// A line of JSON lines.
        JsonLine {
            /// 1-based line of the file.
            line: usize,
            /// What is wrong with it.
            why: JsonFault,
        },
        /// A header without data.
        HeaderOnly {
            /// Columns of the header.
            columns: usize,
        },
        /// A UTF-16 byte-order mark, or zero bytes in the header.
        Utf16,
        /// A ZIP container, as spreadsheet workbooks are.
        Workbook,
        /// An Office file of the form before XLSX.
        OldWorkbook,
        /// A workbook that only its password opens.
        LockedWorkbook,
        /// A ZIP archive that only its password opens.
        LockedArchive,
        /// A cell is not UTF-8.
        NotUtf8 {
            /// Its row.
            place: Place,
            /// 1-based column.
            column: usize,
        },
        /// The delimiter asked for cannot be one.
        Delimiter {
            /// The character.
            sign: Cell,
        },
        /// The quotation mark asked for cannot be one.
        QuoteMark {
            /// The character.
            sign: Cell,
        },
        /// A cell holds a NUL byte.
        Nul {
            /// Its row.
            place: Place,
            /// 1-based column.
            column: usize,
        },
        /// Bytes that are no text in any encoding.
        Foreign {
            /// What they are instead.
            what: Foreign,
        },
        /// A workbook's cell to the left of its table.
        Beside {
            /// The cell, such as "A7".
            cell: String,
            /// The header's first cell.
            corner: String,
        },
        /// A column asked for is not in the header.
        NoColumn {
            /// The name asked for.
            name: Name,
            /// The names there are.
            columns: Vec<Name>,
        },
        /// The same, and what was taken for the header looks like a title above it.
        Titled {
            /// The name asked for.
            name: Name,
            /// Lines of the file above what looks like the header.
            title: usize,
            /// The names there are.
            columns: Vec<Name>,
        },
        /// White space before the quotation mark that opens a cell, which is then part of its text.
        SpaceBeforeQuote {
            /// Its row.
            place: Place,
            /// 1-based column.
            column: usize,
        },
        /// Lines whose columns stand below each other, without a delimiter.
        FixedWidth {
            /// How many columns there seem to be.
            columns: usize,
        },
        /// A layout of fixed width that is none.
        Layout {
            /// 1-based line of it.
            line: usize,
            /// 1-based character of the line.
            column: usize,
            /// What is wrong there.
            why: LayoutFault,
        },
        /// A line of fixed width that ends before a column begins.
        ShortLine {
            /// 1-based line of the file.
            line: usize,
            /// Its characters.
            length: usize,
            /// The column.
            name: Name,
            /// Its first character, from 1.
            start: usize,
        },
        /// A record of more bytes than any has.
        LongRow {
            /// The row.
            place: Place,
            /// The bound.
            limit: usize,
        },
        /// A line of more bytes than are kept.
        LongLine {
            /// The bound.
            limit: usize,
        },
        /// Nothing is left but what is to be skipped.
        AllSkipped {
            /// Lines at the beginning that are.
            first: usize,
            /// Lines at the end that are.
            last: usize,
        },
        /// A record of more fields than any has.
        WideRow {
            /// The row.
            place: Place,
            /// The bound.
            limit: usize,
        },
        /// No encoding has this name.
        Encoding {
            /// The name asked for.
            label: Name,
        },
        /// Bytes that the encoding does not have.
        Undecodable {
            /// Name of the encoding.
            encoding: &'static str,
        },
        /// A file compressed in a way that is not read here.
        Packed {
            /// Name of the format.
            by: &'static str,
        },
        /// An archive without a file.
        EmptyArchive,
        /// An archive that does not say which of its files is meant.
        Members {
            /// How many files it holds.
            count: usize,
            /// Their names.
            members: Members,
        },
        /// A packed file or a workbook that is damaged, or made in a way that is not understood.
        Damaged {
            /// What it is.
            what: Container,
            /// What is wrong with it.
            why: Damage,
        },
        /// A packed file that would fill any disk.
        Unpacked {
            /// Bytes that it may hold.
            limit: u64,
        },
        /// A file with several tables that have names, and none is chosen.
        Tables {
            /// How many.
            count: usize,
            /// Their names.
            members: Members,
        },
        /// A table asked for is not in the file.
        NoTable {
            /// Its name.
            name: Name,
            /// The tables of the file.
            members: Vec<Name>,
        },
        /// A sheet asked for is not in the workbook.
        NoSheet {
            /// The name asked for.
            name: Name,
            /// The names there are.
            sheets: Vec<Name>,
        },
        /// A file asked for is not in the archive.
        NoMember {
            /// The name asked for.
            name: Name,
            /// The names there are.
            members: Vec<Name>,
        },
        /// Something that was asked for does not go with this form of file.
        Unfit(Unfit),
        /// The bytes could not be had.
        Io {
            /// What the system says.
            why: String,
        },
        /// A file of the browser that is no longer where it was, or was changed while it was read.
        Vanished,
        /// Rows with fewer or more fields than the header.
        Ragged {
            /// Fields of the header.
            expected: usize,
            /// The first rows that do not fit, at most 5.
            first: Vec<RaggedRow>,
            /// How many more there are.
            more: usize,
            /// What may have gone wrong.
            hint: RaggedHint,
        },
        /// Column names that occur more than once.
        DuplicateNames {
            /// Each such name and its columns.
            names: Vec<DuplicateName>,
        },
        /// Another number of names was given than there are columns.
        NamesGiven {
            /// How many were.
            names: usize,
            /// Fields of the first record.
            columns: usize,
        },
        /// A name that was given is blank.
        NameBlank {
            /// Its column, from 1.
            column: usize,
        },
        /// The first record of a file that is read as one without a header row holds the names that are given.
        NamesInFirst {
            /// Those that it holds.
            names: Vec<Cell>,
        },
        /// Names that were given more than once.
        NamesTwice {
            /// Each such name and its columns.
            names: Vec<DuplicateName>,
        },
        /// The first column and no other has no name: the index that a program wrote.
        BlankFirst,
        /// Columns without a name.
        BlankNames {
            /// Their places, from 1.
            columns: Vec<usize>,
            /// Lines that look like a title above the header; 0 if none does.
            title: usize,
        },
        /// A quoted field that does not end.
        UnclosedQuote {
            /// Its row.
            place: Place,
            /// 1-based column.
            column: usize,
            /// 1-based line of the file where the quote stands.
            line: usize,
        },
        /// A cell that cannot be filled up on the left with zeros, as asked.
        Pad {
            /// The column.
            column: Name,
            /// 1-based row of data.
            row: usize,
            /// The cell.
            cell: Cell,
            /// Digits that it is to have.
            width: usize,
            /// Why not.
            why: PadFault,
        },
        /// A number of digits that no column is filled up to.
        PadWidth {
            /// The column.
            column: Name,
            /// The number.
            width: usize,
            /// The largest.
            most: usize,
        },
        /// A label that cannot stand for its code.
        Label {
            /// The column.
            column: Name,
            /// The code.
            code: Cell,
            /// The label.
            label: Cell,
            /// Why not.
            why: LabelFault,
        },
        /// More rows than a row number can count: `u32::MAX`.
        TooManyRows,
        /// What another reader says of its form of file.
        Told(Said),
    }
}

impl std::error::Error for Error {}

impl Error {
    /// The error that a reader of ours sent through [`std::io::Error`], or the reader's own.
    #[must_use]
    pub fn from_io(error: &std::io::Error) -> Self {
        let ours = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        ours.cloned().unwrap_or_else(|| Self::Io { why: error.to_string() })
    }
}

/// A row whose number of fields differs from the header's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaggedRow {
    /// 1-based row of data.
    pub row: usize,
    /// 1-based line of the file where the row begins.
    pub line: usize,
    /// Fields found.
    pub found: usize,
}

impl AsArg for RaggedRow {
    fn as_arg(&self) -> Arg {
        let &Self { row, line, found } = self;
        Arg::Said(Part::RaggedRow { row, line, found }.said())
    }
}

/// A column name that occurs more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateName {
    /// The name.
    pub name: Name,
    /// Its columns, from 1.
    pub columns: Vec<usize>,
}

impl AsArg for DuplicateName {
    fn as_arg(&self) -> Arg {
        Arg::Said(Part::DuplicateName { name: self.name.clone(), columns: self.columns.clone() }.said())
    }
}

/// The names of the files of an archive, or of the tables of a file. A message lists the first 20.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members(pub Vec<String>);

impl AsArg for Members {
    fn as_arg(&self) -> Arg {
        const LISTED: usize = 20;
        let names = self.0.iter().take(LISTED).map(|name| Name::from(name.as_str()).as_arg());
        let more = (self.0.len() > LISTED).then(|| Arg::Text(String::from("...")));
        Arg::List(names.chain(more).collect())
    }
}
