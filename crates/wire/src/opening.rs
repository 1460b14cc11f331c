//! How a file is opened: what is asked for, what it was taken for.

use lookalike_model::{described::Described, dialect::Dialect};
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

/// How to open a file. What is `None` is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Name of the encoding: "utf-8", "windows-1252", "utf-16le".
    #[serde(default)]
    pub encoding: Option<String>,
    /// What separates fields: one ASCII character.
    #[serde(default)]
    pub delimiter: Option<char>,
    /// What quotes them.
    #[serde(default)]
    pub quote: Option<QuoteMark>,
    /// Sheet of a workbook; the first that is shown when `None`.
    #[serde(default)]
    pub sheet: Option<String>,
    /// File of a ZIP archive; its only one when `None`.
    #[serde(default)]
    pub member: Option<String>,
    /// The columns that are read, of a file that has names for them; all of them when `None`, unless a table is to be opened that is
    /// large: then its columns are told, and nothing is read.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
    /// Where the columns of a text of fixed width stand: the text of a layout; none if blank.
    #[serde(default)]
    pub layout: String,
    /// Whether the cells that a short row lacks, at its end, are empty; otherwise such a row is an error.
    #[serde(default)]
    pub pad: bool,
    /// Whether the first row is the header; where that is not said and may be otherwise, the file is not opened.
    #[serde(default)]
    pub header: Option<bool>,
    /// Names of the columns of a file without a header, as many as there are columns; none for `column1`, `column2` and so on.
    #[serde(default)]
    pub names: Vec<String>,
    /// Lines at the beginning of the file, or rows of the sheet, that are no part of the table.
    #[serde(default)]
    pub skip_rows: u32,
    /// The same at its end.
    #[serde(default)]
    pub skip_last_rows: u32,
    /// Whether columns that have the name of an earlier one get a number; otherwise they are an error.
    #[serde(default)]
    pub number_duplicates: bool,
}

/// What quotes a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuoteMark {
    /// `"`
    #[default]
    Double,
    /// `'`
    Single,
    /// Nothing.
    Off,
}

/// What a file was taken for; known before its rows are read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// What it is packed by: "gzip", or "ZIP, file \"people.csv\"".
    pub packing: Option<Said>,
    /// All files of the archive that it stands in, or all tables of its file; none if it is the only one.
    #[serde(default)]
    pub members: Vec<String>,
    /// Name of its encoding; `None` for a workbook, and for an archive that does not say which file is meant.
    pub encoding: Option<String>,
    /// What separates the fields of its text.
    pub delimiter: char,
    /// What quotes them.
    pub quote: QuoteMark,
    /// Whether the first line names the delimiter (`sep=;`) and is no row.
    #[serde(default)]
    pub separator_line: bool,
    /// Whether its columns have names for certain.
    #[serde(default)]
    pub named: bool,
    /// Whether the file has one JSON object a line.
    #[serde(default)]
    pub json_lines: bool,
    /// Keys of these whose known values are all texts.
    #[serde(default)]
    pub texts: Vec<String>,
    /// The sheet of a workbook that is read.
    pub sheet: Option<String>,
    /// All sheets with cells.
    pub sheets: Vec<String>,
    /// Its form, as far as a published table can have it.
    #[serde(default)]
    pub dialect: Dialect,
    /// How it shows.
    pub notes: Vec<Said>,
    /// The first lines of the text as they stand, cut where they are long; none of a workbook.
    pub beginning: Vec<String>,
    /// The columns of a file that has names and types for them, where they can be chosen; none of any other.
    #[serde(default)]
    pub columns: Vec<FileColumn>,
}

/// A column that can be chosen before its cells are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileColumn {
    /// Its name.
    pub name: String,
    /// What its cells are, by its type.
    pub of: Said,
    /// Whether its cells have no text: it cannot be read.
    #[serde(default)]
    pub unreadable: bool,
}

/// What the import module says of a file after its text was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AfterReading {
    /// Why the text could not be had, if so.
    pub error: Option<Said>,
    /// If its columns are to be chosen first: what the file is taken for. Nothing was read then.
    #[serde(default)]
    pub offered: Option<Form>,
    /// If the file is an archive that does not say which of its files is meant: their names.
    #[serde(default)]
    pub members: Vec<String>,
    /// Whether these are the names of tables, of a file that does not say which of them is meant.
    #[serde(default)]
    pub tables: bool,
    /// How the file was read.
    pub notes: Vec<Said>,
    /// What it says of its columns.
    #[serde(default)]
    pub described: Vec<Described>,
    /// What is odd in it, beside what is odd in its rows.
    pub warnings: Vec<Said>,
}
