//! Bytes to tables and back. Knows file formats; nobody else does.
//!
//! [`read`] makes a [`Table`] of a CSV: dictionary-coded columns whose cells are kept byte for byte. [`infer`] says
//! what the cells of a column are and why; [`write()`] is the way back, and `read(write(x))` is `x` again.
//!
//! ```
//! use lookalike_table::{ReadOptions, read};
//!
//! let table = read(b"name,age\nAnn,34\nBob,61\n", &ReadOptions::default())?;
//! assert_eq!((table.rows, table.columns[1].cell(1)), (2, "61"));
//! # Ok::<(), lookalike_table::Error>(())
//! ```
//!
//! * Encoding: UTF-8 with or without byte-order mark; `open` (feature `encodings`) takes others and
//!   finds out the dialect; it reads packed files (feature `compressed`) and XLSX workbooks (feature `xlsx`). Records end in LF, CRLF or CR; fields may be quoted by `"`, and
//!   quoted fields may hold delimiters, line breaks and doubled quotes.
//! * A row number counts rows of data from 1, the header and blank lines not counted; a line number counts lines of
//!   the file from 1. Messages give both.
//! * Cost: one pass over the bytes; memory is 4 bytes a cell plus each column's different cells once, and an index of
//!   them while reading.
//!
//! **Invariants.** Nothing here reads a file, guesses a missing value or alters a cell on its own: not even a cell that a
//! spreadsheet would take for a formula. Leading zeros are put back where that is asked ([`Edits`]).

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

mod above;
mod affixes;
mod aligned;
mod batch;
mod below;
#[cfg(feature = "encodings")]
mod binary;
mod coded;
mod coder;
mod columns;
#[cfg(feature = "encodings")]
mod compound;
mod date;
mod decimal;
mod declare;
mod delimiter;
pub mod dialect;
mod dictionary;
mod digest;
mod doubt;
mod edits;
#[cfg(feature = "encodings")]
mod encoding;
mod error;
mod evidence;
mod fault;
mod formula;
mod header;
pub mod hierarchy;
mod infer;
mod json;
mod json_lines;
mod kind;
mod layout;
mod lines;
mod long_numbers;
mod markup;
mod names;
mod near;
mod note;
mod number;
mod number_format;
mod oddity;
#[cfg(feature = "encodings")]
mod open;
mod pad;
mod plain;
mod quote;
mod quotes;
mod ragged;
mod read;
mod reading;
mod records;
mod resemble;
mod schema;
mod separator;
mod skip;
mod source_form;
mod table;
pub mod text;
#[cfg(feature = "compressed")]
mod unpack;
#[cfg(feature = "xlsx")]
mod workbook;
mod write;

pub use affixes::Affixes;
pub use coded::{CodeCells, Coded, NoText, read_coded};
pub use date::{DateFault, DateFormat, DateOrder, DateUnit};
pub use declare::{Declared, Undeclarable, declare};
pub use delimiter::{Delimiter, DelimiterEvidence};
pub use dictionary::{Dictionary, Iter};
pub use doubt::{DoubtfulCell, FirstRowDoubt, HeaderRow};
pub use edits::Edits;
pub use error::{DuplicateName, Error, Members, RaggedRow};
pub use evidence::{
    DateEvidence, DatePattern, Differ, Evidence, Finding, Misfit, Noun, NumberMark, Question, Span,
};
pub use fault::{
    Container, Damage, Foreign, JsonFault, JsonForm, LabelFault, LayoutFault, PadFault, Place, RaggedHint,
    Unfit,
};
pub use formula::{is_formula, undefused};
pub use infer::{infer, infer_all};
pub use kind::{Inferred, Kind};
pub use layout::Layout;
pub use long_numbers::LongNumbers;
pub use lookalike_model::missing::{is_missing, is_usually_missing, usual as usual_markers, usual_and};
pub use names::{DuplicateNames, Renamed, trimmed};
pub use near::{Near, NearGroup, NearValue, near_synonyms, near_words};
pub use note::{EncodingEvidence, Note, Packing, SheetEvidence};
pub use number::{is_nonfinite, parse_number, resolution};
pub use number_format::NumberFormat;
pub use oddity::{Oddity, Warning};
#[cfg(feature = "encodings")]
pub use open::{decode, open, unpacked_if};
pub use pad::{WIDEST, code_digits};
pub use plain::plain;
pub use quote::Quote;
pub use ragged::Ragged;
pub use read::{Also, ReadOptions, read, read_from, read_parts};
pub use reading::{MISFITS_CAP, Reading, misfits};
pub use schema::{ColumnSpec, MissingPolicy, Role, Schema};
pub use skip::Skip;
pub use source_form::{Consume, Form, OpenOptions, Remarks};
pub use table::{Column, Table};
pub use write::{Writer, write, write_as, write_row};
