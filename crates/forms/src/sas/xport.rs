//! A `.xpt`: SAS's form for transport.
//!
//! It does not say what its texts are in, nor, in version 5, how many rows it has: one pass over the rows finds out both. Blanks fill
//! its last record up, so that rows of blanks within that record are none. It may hold several tables, one after another, each with what
//! stands before its rows: one must be chosen by its name.

use std::{
    cell::RefCell,
    io::{BufReader, Read, Seek, SeekFrom},
    sync::Arc,
};

use arrow_schema::{Schema, SchemaRef};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use lookalike_model::described::Described;
use lookalike_table::{Error, Members, Note};
use lookalike_words::Name;

use super::{
    numbers::Numbers,
    rows::{About, Lines, Rows},
    variable::Variable,
    xport_records::{LIBRARY, RECORD, Records, begins_table, broken, short, version},
};
use crate::{
    FormName, FormNote,
    columns::{Batches, Columns, chosen_encoding, damaged},
    form::rewound,
    labelled::{self, Tally},
};

/// A table of a file.
pub(crate) struct XportFile<R> {
    source: R,
    records: Records,
    rows: u64,
    encoding: &'static Encoding,
    variables: Vec<Variable>,
    schema: SchemaRef,
    tallies: RefCell<Vec<Tally>>,
    /// The names of all tables of the file, in its order.
    tables: Vec<String>,
}

impl<R: Read + Seek> XportFile<R> {
    /// The table of this name, or the only one.
    pub(crate) fn open(mut source: R, encoding: Option<&str>, table: Option<&str>) -> Result<Self, Error> {
        let (records, end, tables) = chosen(&mut source, table)?;
        if records.row_length == 0 {
            return Err(broken("its columns have no bytes"));
        }
        let chosen = chosen_encoding(encoding)?;
        let (rows, is_utf8) = passed(&mut source, &records, end)?;
        let encoding = chosen.unwrap_or(if is_utf8 { UTF_8 } else { WINDOWS_1252 });
        let variables = records.variables(encoding);
        let schema = Arc::new(Schema::new(variables.iter().map(Variable::field).collect::<Vec<_>>()));
        let tallies = RefCell::new(vec![Tally::default(); variables.len()]);
        Ok(Self { source, records, rows, encoding, variables, schema, tallies, tables })
    }
}

/// The table that is asked for, or the only one; the byte behind it; and the names of all.
fn chosen<R: Read + Seek>(
    source: &mut R,
    wanted: Option<&str>,
) -> Result<(Records, u64, Vec<String>), Error> {
    let version = version(BufReader::new(rewound(source)?))?;
    let (mut tables, mut found, mut at) = (Vec::new(), None, Some(LIBRARY));
    while let Some(begin) = at {
        source.seek(SeekFrom::Start(begin)).map_err(|why| short(&why))?;
        let records = Records::read(BufReader::new(&mut *source), version, begin)?;
        let end = end_of_table(source, records.data)?;
        let name = records.name();
        if wanted.is_none_or(|wanted| wanted == name) {
            if wanted.is_some() && found.is_some() {
                return Err(broken("two of its tables have the name that is asked for"));
            }
            found = found.or(Some((records, end.at)));
        }
        tables.push(name);
        at = end.has_more.then_some(end.at);
    }
    match (wanted, found) {
        (None, Some(_)) if tables.len() > 1 => {
            Err(Error::Tables { count: tables.len(), members: Members(tables) })
        }
        (_, Some((records, end))) => Ok((records, end, tables)),
        (wanted, None) => {
            let members = tables.into_iter().map(Name).collect();
            Err(Error::NoTable { name: Name::from(wanted.unwrap_or_default()), members })
        }
    }
}

impl<R> XportFile<R> {
    /// Names and labels of its columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|variable| (variable.name.as_str(), variable.label.as_str()))
    }
}

/// How many rows there are before this byte, and whether all texts are in UTF-8.
fn passed<R: Read + Seek>(source: &mut R, records: &Records, end: u64) -> Result<(u64, bool), Error> {
    let bytes = end.saturating_sub(records.data);
    let length = records.row_length as u64;
    let whole = bytes / length;
    if records.rows.is_some_and(|rows| rows > whole) {
        return Err(broken("it has fewer rows than it says"));
    }
    let most = records.rows.unwrap_or(whole);
    let texts = records.texts();
    source.seek(SeekFrom::Start(records.data)).map_err(|why| short(&why))?;
    let mut source = BufReader::with_capacity(1 << 16, source.take(bytes));
    // Fits, since a row is no longer than what there is; with none there is nothing to read.
    let mut row = vec![0; if most > 0 { records.row_length } else { 0 }];
    // The row behind the last one that is more than blanks.
    let (mut utf8, mut known) = (Utf8::default(), 0);
    for at in 0..most {
        source.read_exact(&mut row).map_err(|why| short(&why))?;
        for text in &texts {
            utf8.see(&row[text.clone()]);
        }
        if row.iter().any(|byte| *byte != b' ') {
            known = at + 1;
        }
    }
    if records.rows.is_some() {
        return Ok((most, utf8.is_it()));
    }
    let mut rest = Vec::new();
    source.take(RECORD as u64).read_to_end(&mut rest).map_err(|why| short(&why))?;
    if rest.len() == RECORD || rest.iter().any(|byte| *byte != b' ') {
        return Err(broken("it ends within a row"));
    }
    // Rows of blanks before the last record are rows.
    let filled = end.saturating_sub(RECORD as u64 - 1).saturating_sub(records.data).div_ceil(length);
    Ok((known.max(filled.min(whole)), utf8.is_it()))
}

/// Where a table ends.
struct End {
    /// The byte behind it.
    at: u64,
    /// Whether another table begins there: with a record of its own.
    has_more: bool,
}

/// Where the table ends whose rows begin at this byte.
fn end_of_table<R: Read + Seek>(source: &mut R, from: u64) -> Result<End, Error> {
    let end = source.seek(SeekFrom::End(0)).map_err(|why| short(&why))?;
    source.seek(SeekFrom::Start(from)).map_err(|why| short(&why))?;
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut record = [0; RECORD];
    let mut at = from;
    loop {
        match source.read_exact(&mut record) {
            Ok(()) if record[0] == b'H' && begins_table(&record) => return Ok(End { at, has_more: true }),
            Ok(()) => at += RECORD as u64,
            Err(why) if why.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Ok(End { at: end, has_more: false });
            }
            Err(why) => return Err(short(&why)),
        }
    }
}

/// Whether texts are in UTF-8, of which the last character of one may be cut off where others have such characters.
#[derive(Default)]
struct Utf8 {
    has_other: bool,
    has_cut: bool,
    has_more_than_ascii: bool,
}

impl Utf8 {
    fn see(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        match std::str::from_utf8(text) {
            Ok(_) => self.has_more_than_ascii = true,
            Err(why) if why.error_len().is_none() => self.has_cut = true,
            Err(_) => self.has_other = true,
        }
    }

    fn is_it(&self) -> bool {
        !self.has_other && (!self.has_cut || self.has_more_than_ascii)
    }
}

impl<R: Read + Seek> Columns for XportFile<R> {
    fn form(&self) -> FormName {
        FormName::SasTransport
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        let form = FormName::SasTransport;
        let schema = self.schema.project(columns).map_err(|why| damaged(form, &why))?;
        let (encoding, variables, tallies) = (self.encoding, &self.variables, &self.tallies);
        let about = About { form, numbers: Numbers::Ibm, encoding, variables, tallies };
        self.source.seek(SeekFrom::Start(self.records.data)).map_err(|why| short(&why))?;
        let source = BufReader::with_capacity(1 << 16, &mut self.source);
        let row = vec![0; if self.rows > 0 { self.records.row_length } else { 0 }];
        Ok(Box::new(Rows::new(Cases { source, left: self.rows, row }, about, schema, columns)))
    }

    fn is_text(&self, column: usize) -> bool {
        self.variables[column].is_text
    }

    fn takes_encoding(&self) -> bool {
        true
    }

    fn tables(&self) -> &[String] {
        &self.tables
    }

    fn found(&self) -> Vec<FormNote> {
        let table = FormNote::Table { table: Name(self.records.name()), of: self.tables.len() };
        let table = (self.tables.len() > 1).then_some(table);
        table.into_iter().chain([FormNote::Encoding { encoding: self.encoding.name() }]).collect()
    }

    fn notes(&self, columns: &[usize]) -> Vec<Note> {
        let tallies = self.tallies.borrow();
        let about = columns
            .iter()
            .map(|&at| (self.variables[at].name.as_str(), self.variables[at].label.as_str(), &tallies[at]));
        labelled::notes(about)
    }

    fn described(&self, columns: &[usize]) -> Vec<Described> {
        let variables = columns.iter().map(|&at| &self.variables[at]);
        labelled::described(variables.map(|of| (of.name.as_str(), of.label.as_str(), false)), None)
    }
}

/// The rows of a file.
struct Cases<R> {
    source: R,
    left: u64,
    row: Vec<u8>,
}

impl<R: Read> Lines for Cases<R> {
    fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.source.read_exact(&mut self.row).map_err(|why| short(&why))?;
        Ok(Some(&self.row))
    }
}
