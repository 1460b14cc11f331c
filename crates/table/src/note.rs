//! How a file was read: what was found out about its form, and by which evidence.

use lookalike_words::{Cell, Name, Said};

use crate::{Delimiter, DelimiterEvidence};

lookalike_words::messages! {
    in "table";

    /// Something that was found out about the form of a file.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Note {
        /// It is packed.
        Compression {
            /// By what.
            packing: Packing,
            /// Bytes of the text.
            bytes: u64,
        },
        /// Its encoding.
        Encoding {
            /// Name of the encoding.
            encoding: &'static str,
            /// Why this one.
            why: EncodingEvidence,
        },
        /// What separates its fields, and why.
        Delimiter {
            /// How it was found.
            found: DelimiterEvidence,
        },
        /// What separates the fields of a hierarchy.
        HierarchyDelimiter {
            /// The delimiter.
            delimiter: Delimiter,
        },
        /// It has one JSON object a line.
        JsonLines {
            /// How many objects.
            objects: usize,
            /// How many keys they have together.
            keys: usize,
        },
        /// Its columns stand where a layout says.
        FixedWidth {
            /// How many columns the layout has.
            columns: usize,
            /// Lines that were filled up with blanks.
            short: usize,
        },
        /// Fields are quoted by `'`.
        SingleQuotes,
        /// It is a workbook.
        Workbook {
            /// The sheet that is read.
            sheet: Name,
            /// Why this one.
            why: SheetEvidence,
        },
        /// It is a workbook of Open Document Format.
        OpenDocument {
            /// The sheet that is read.
            sheet: Name,
            /// Why this one.
            why: SheetEvidence,
        },
        /// The table does not begin in the first cell of its sheet.
        TableBegins {
            /// The cell, such as "B3".
            cell: String,
        },
        /// Numbers of a workbook are read with the leading zeros that their format shows.
        ZerosShown {
            /// How many.
            cells: usize,
            /// The first, such as "B3".
            cell: String,
        },
        /// Cells were filled up on the left with zeros, as asked.
        Padded {
            /// Their column.
            column: Name,
            /// Digits that they have now.
            width: usize,
            /// How many had fewer.
            cells: usize,
        },
        /// The same of cells that were written as decimals ("1067.0").
        WithoutDecimals {
            /// Their column.
            column: Name,
            /// Digits that they have now.
            width: usize,
            /// How many were.
            cells: usize,
        },
        /// Labels were put in place of codes, as declared.
        Labelled {
            /// Their column.
            column: Name,
            /// How many cells have a label now.
            cells: usize,
        },
        /// Codes that have a label occur nowhere.
        CodesUnseen {
            /// Their column.
            column: Name,
            /// The first of them.
            codes: Vec<Cell>,
            /// How many more there are.
            more: usize,
        },
        /// Known cells of a column with labels have none.
        WithoutLabel {
            /// Their column.
            column: Name,
            /// The first of their values.
            values: Vec<Cell>,
            /// How many more values there are.
            more: usize,
            /// How many cells.
            cells: usize,
        },
        /// What another program that read the file has said.
        Told(Said),
    }

    /// What a text is packed by.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Packing {
        /// gzip.
        Gzip,
        /// A ZIP archive.
        Zip {
            /// The file of the archive.
            member: Name,
        },
    }

    /// Why a text is taken to have its encoding.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum EncodingEvidence {
        /// It was asked for.
        AsChosen,
        /// The text begins with its byte-order mark.
        ByteOrderMark,
        /// All bytes that were read are UTF-8.
        AllRead,
        /// Every other byte is zero, as in UTF-16.
        ZeroBytes,
        /// A guess: the text is not UTF-8, and has too few letters beyond ASCII to tell more.
        MostUsual,
        /// A guess: the text is not UTF-8, and this fits its bytes best.
        BestFit,
        /// A guess: what fits the bytes best makes no words of them, and this does.
        ByWords {
            /// A word of the file.
            read: Cell,
            /// The encoding that fits best.
            other: &'static str,
            /// The word in it.
            otherwise: Cell,
        },
    }

    /// Why a sheet of a workbook is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SheetEvidence {
        /// It was asked for.
        AsChosen,
        /// There is no other.
        Only,
        /// It is the first.
        First {
            /// Of how many.
            sheets: usize,
        },
    }
}
