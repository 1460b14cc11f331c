//! What can be wrong with a file.

use crate::text::{counted, thousands};

/// What can be wrong with a file; every message says where and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No bytes, or only white space.
    #[error("the file is empty: it needs a header row and at least one row of data")]
    Empty,
    /// The first row may be the header or a record.
    #[error(
        "the first row may be the names of the columns or the first record: {why}. As a header: the columns are named \
         {cells}. As data: the first record is {cells}. Say which it is"
    )]
    FirstRow {
        /// What speaks for a record.
        why: String,
        /// Its cells.
        cells: String,
    },
    /// JSON instead of a table.
    #[error(
        "the file is JSON ({0}), which this version does not read: save the table as CSV or XLSX; a later version reads JSON"
    )]
    Json(&'static str),
    /// A header without data.
    #[error(
        "the file has a header row ({}) but no row of data: add the data below the header",
        counted(*columns, "column", "columns")
    )]
    HeaderOnly {
        /// Columns of the header.
        columns: usize,
    },
    /// A UTF-16 byte-order mark, or zero bytes in the header.
    #[error(
        "the file is encoded as UTF-16, not as UTF-8: save it as UTF-8 (a spreadsheet calls it \"CSV UTF-8\")"
    )]
    Utf16,
    /// A ZIP container, as spreadsheet workbooks are.
    #[error(
        "the file is a spreadsheet workbook or another ZIP file, not a CSV: save the sheet as \"CSV UTF-8\""
    )]
    Workbook,
    /// An Office file of the form before XLSX.
    #[error(
        "the file is a workbook of the old form (.xls) or another old Office file: save it as .xlsx or \"CSV UTF-8\""
    )]
    OldWorkbook,
    /// A packed file or a workbook that only its password opens.
    #[error("the {0} is protected by a password: save it without one, and open that")]
    Locked(&'static str),
    /// A cell is not UTF-8.
    #[error(
        "{place}, column {column}: the text is not UTF-8: save the file as UTF-8 (it may be Windows-1252 or Latin-1)"
    )]
    NotUtf8 {
        /// "row 17 (line 18 of the file)" or "the header".
        place: String,
        /// 1-based column.
        column: usize,
    },
    /// The delimiter asked for cannot be one.
    #[error("{:?} cannot be a delimiter: use a comma, a semicolon, a tab or another ASCII character that is no quote and no line break", char::from(*.0))]
    Delimiter(u8),
    /// The quotation mark asked for cannot be one.
    #[error("{:?} cannot quote fields: use \", ' or another ASCII character that is no line break", char::from(*.0))]
    QuoteMark(u8),
    /// A cell holds a NUL byte.
    #[error(
        "{place}, column {column}: a NUL byte, which no text holds: the file is damaged, or it is no CSV"
    )]
    Nul {
        /// "row 17 (line 18 of the file)".
        place: String,
        /// 1-based column.
        column: usize,
    },
    /// Bytes that are no text in any encoding.
    #[error(
        "the file is no table: it is {0}; open a CSV, packed by gzip or ZIP if you like, or an XLSX workbook"
    )]
    Foreign(&'static str),
    /// A workbook's cell to the left of its table.
    #[error(
        "the table begins in cell {corner}, but cell {cell} stands to the left of it: give its column a name in the header, \
         or clear it"
    )]
    Beside {
        /// The cell, such as "A7".
        cell: String,
        /// The header's first cell.
        corner: String,
    },
    /// A column asked for is not in the header.
    #[error("there is no column {name:?}; the columns are {}", quoted_names(columns))]
    NoColumn {
        /// The name asked for.
        name: String,
        /// The names there are.
        columns: Vec<String>,
    },
    /// A record beyond all bounds.
    #[error(
        "{place}: the row has more than {} {what}: a quote that opens in it is probably never closed",
        thousands(*limit)
    )]
    LongRow {
        /// "row 17 (line 18 of the file)" or "the header".
        place: String,
        /// "bytes" or "fields".
        what: &'static str,
        /// The bound.
        limit: usize,
    },
    /// No encoding has this name.
    #[error("there is no encoding {0:?}: name one such as utf-8, windows-1252, iso-8859-2 or utf-16le")]
    Encoding(String),
    /// Bytes that the encoding does not have.
    #[error("the file holds bytes that are no {encoding}: choose another encoding")]
    Undecodable {
        /// Name of the encoding.
        encoding: &'static str,
    },
    /// A compressed file.
    #[error("the file is compressed by {0}: unpack it first")]
    Packed(&'static str),
    /// An archive that does not say which of its files is meant.
    #[error("{}", archive(.0))]
    Members(Vec<String>),
    /// A packed file or a workbook that is damaged, or made in a way that is not understood.
    #[error("the file is no sound {what}: {why}")]
    Damaged {
        /// "gzip file", "ZIP archive", "XLSX workbook".
        what: &'static str,
        /// What the unpacker says.
        why: String,
    },
    /// A packed file that would fill any disk.
    #[error(
        "the file unpacks to more than {} bytes: if that is meant, unpack it first, and give the text",
        thousands(usize::try_from(*.0).unwrap_or(usize::MAX))
    )]
    Unpacked(u64),
    /// A sheet asked for is not in the workbook.
    #[error("there is no sheet {name:?}; the sheets are {}", quoted_names(sheets))]
    NoSheet {
        /// The name asked for.
        name: String,
        /// The names there are.
        sheets: Vec<String>,
    },
    /// A file asked for is not in the archive.
    #[error("there is no file {name:?} in the ZIP archive; it holds {}", quoted_names(members))]
    NoMember {
        /// The name asked for.
        name: String,
        /// The names there are.
        members: Vec<String>,
    },
    /// Something that was asked for does not go with this form of file.
    #[error("{0}")]
    Unfit(&'static str),
    /// The bytes could not be had.
    #[error("the file cannot be read: {0}")]
    Io(String),
    /// Rows with fewer or more fields than the header.
    #[error("{}", ragged(*.expected, .first, *.total, .hint))]
    Ragged {
        /// Fields of the header.
        expected: usize,
        /// The first rows that do not fit, at most 5.
        first: Vec<RaggedRow>,
        /// How many there are.
        total: usize,
        /// What may have gone wrong.
        hint: String,
    },
    /// Column names that occur more than once.
    #[error("{}: give every column a name of its own, let the later ones get a number, or say that the file has no header row", duplicates(.0))]
    DuplicateNames(Vec<(String, Vec<usize>)>),
    /// Columns without a name, 1-based.
    #[error("{} no name in the header: give every column a name, or say that the file has no header row", columns_have(.0))]
    BlankNames(Vec<usize>),
    /// A quoted field that does not end.
    #[error(
        "{place}, column {column}: the quote that opens in line {line} of the file is never closed: close it, or double it if it belongs to the text"
    )]
    UnclosedQuote {
        /// "row 17 (line 18 of the file)" or "the header".
        place: String,
        /// 1-based column.
        column: usize,
        /// 1-based line of the file where the quote stands.
        line: usize,
    },
    /// More rows than a row number can count.
    #[error("the file has more than {} rows: split it", thousands(u32::MAX as usize))]
    TooManyRows,
}

impl Error {
    /// The error that a reader of ours sent through [`std::io::Error`], or the reader's own.
    #[must_use]
    pub fn from_io(error: &std::io::Error) -> Self {
        let ours = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        ours.cloned().unwrap_or_else(|| Self::Io(error.to_string()))
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

fn ragged(expected: usize, first: &[RaggedRow], total: usize, hint: &str) -> String {
    let rows: Vec<String> = first
        .iter()
        .map(|r| {
            let row = thousands(r.row);
            format!(
                "row {row} (line {} of the file) has {}",
                thousands(r.line),
                counted(r.found, "field", "fields")
            )
        })
        .collect();
    let more = match total.saturating_sub(first.len()) {
        0 => String::new(),
        rest => format!("; and {}", counted(rest, "more row", "more rows")),
    };
    let header = counted(expected, "column", "columns");
    format!("the header has {header}, but {}{more}: {hint}", rows.join(", "))
}

fn quoted_names(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    names.join(", ")
}

fn archive(members: &[String]) -> String {
    /// How many names a message lists.
    const LISTED: usize = 20;
    let held = match members.len() {
        0 => String::from("no file"),
        count => {
            let more = if count > LISTED { ", ..." } else { "" };
            let names = quoted_names(&members[..count.min(LISTED)]);
            format!("{} ({names}{more})", counted(count, "file", "files"))
        }
    };
    let advice = if members.is_empty() { "pack the table" } else { "say which one is the table" };
    format!("the ZIP archive holds {held}: {advice}")
}

fn duplicates(names: &[(String, Vec<usize>)]) -> String {
    let names: Vec<String> =
        names.iter().map(|(name, at)| format!("{name:?} in columns {}", numbers(at))).collect();
    format!("the header has the same name more than once ({})", names.join(", "))
}

fn columns_have(at: &[usize]) -> String {
    if at.len() == 1 {
        format!("column {} has", numbers(at))
    } else {
        format!("columns {} have", numbers(at))
    }
}

fn numbers(at: &[usize]) -> String {
    let at: Vec<String> = at.iter().map(|&n| thousands(n)).collect();
    crate::text::list(&at)
}
