//! A `.xpt`: SAS's form for transport.
//!
//! It does not say what its texts are in, nor, in version 5, how many rows it has: one pass over the rows finds out both. Blanks fill
//! its last record up, so that rows of blanks within that record are none.

use std::{
    cell::RefCell,
    io::{BufReader, Read, Seek, SeekFrom},
    sync::Arc,
};

use arrow_schema::{Schema, SchemaRef};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use lookalike_model::described::Described;
use lookalike_table::{Error, Note};

use super::{
    numbers::Numbers,
    rows::{About, Lines, Rows},
    variable::Variable,
    xport_records::{RECORD, Records, begins, broken, short},
};
use crate::{
    FormFault, FormName, FormNote,
    columns::{Batches, Columns, chosen_encoding, damaged},
    form::rewound,
    labelled::{self, Tally},
};

/// A file.
pub(crate) struct XportFile<R> {
    source: R,
    records: Records,
    rows: u64,
    encoding: &'static Encoding,
    variables: Vec<Variable>,
    schema: SchemaRef,
    tallies: RefCell<Vec<Tally>>,
}

impl<R: Read + Seek> XportFile<R> {
    pub(crate) fn open(mut source: R, encoding: Option<&str>) -> Result<Self, Error> {
        let records = Records::read(BufReader::new(rewound(&mut source)?))?;
        if records.row_length == 0 {
            return Err(broken("its columns have no bytes"));
        }
        let chosen = chosen_encoding(encoding)?;
        let (rows, is_utf8) = passed(&mut source, &records)?;
        let encoding = chosen.unwrap_or(if is_utf8 { UTF_8 } else { WINDOWS_1252 });
        let variables = records.variables(encoding);
        let schema = Arc::new(Schema::new(variables.iter().map(Variable::field).collect::<Vec<_>>()));
        let tallies = RefCell::new(vec![Tally::default(); variables.len()]);
        Ok(Self { source, records, rows, encoding, variables, schema, tallies })
    }
}

impl<R> XportFile<R> {
    /// Names and labels of its columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|variable| (variable.name.as_str(), variable.label.as_str()))
    }
}

/// How many rows there are, and whether all texts are in UTF-8.
fn passed<R: Read + Seek>(source: &mut R, records: &Records) -> Result<(u64, bool), Error> {
    let end = source.seek(SeekFrom::End(0)).map_err(|why| short(&why))?;
    let bytes = end.saturating_sub(records.data);
    let length = records.row_length as u64;
    let whole = bytes / length;
    if records.rows.is_some_and(|rows| rows > whole) {
        return Err(broken("it has fewer rows than it says"));
    }
    let most = records.rows.unwrap_or(whole);
    let texts = records.texts();
    if has_more_tables(source, records.data)? {
        return Err(FormFault::Tables { form: FormName::SasTransport }.into());
    }
    source.seek(SeekFrom::Start(records.data)).map_err(|why| short(&why))?;
    let mut source = BufReader::with_capacity(1 << 16, source);
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

/// Whether another table begins in the records from this byte on: with a record of its own.
fn has_more_tables<R: Read + Seek>(source: &mut R, from: u64) -> Result<bool, Error> {
    source.seek(SeekFrom::Start(from)).map_err(|why| short(&why))?;
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut record = [0; RECORD];
    loop {
        match source.read_exact(&mut record) {
            Ok(()) if record[0] != b'H' => {}
            Ok(()) if ["MEMBER", "MEMBV8"].iter().any(|name| begins(&record, name)) => return Ok(true),
            Ok(()) => {}
            Err(why) if why.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(false),
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

    fn notes(&self, columns: &[usize]) -> Vec<Note> {
        let tallies = self.tallies.borrow();
        let about = columns
            .iter()
            .map(|&at| (self.variables[at].name.as_str(), self.variables[at].label.as_str(), &tallies[at]));
        let encoding = FormNote::Encoding { encoding: self.encoding.name() }.into();
        std::iter::once(encoding).chain(labelled::notes(about)).collect()
    }

    fn described(&self, columns: &[usize]) -> Vec<Described> {
        let variables = columns.iter().map(|&at| &self.variables[at]);
        labelled::described(variables.map(|of| (of.name.as_str(), of.label.as_str(), false)))
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
