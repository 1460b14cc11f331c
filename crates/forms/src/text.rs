//! Columns that have types as the text of a CSV, made while it is read.

use std::io::{self, Read};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use lookalike_model::dialect::Dialect;
use lookalike_table::{Error, Form, OpenOptions, ReadOptions, Remarks, Table, Writer, read_from, trimmed};
use lookalike_words::Name;

use crate::{
    FormFault, FormNote,
    cells::{self, are_short, may_be_long, texts},
    coded,
    columns::{Batches, Columns, guarded},
    open::Reader,
};

/// Text that is made in one go: large enough that a call costs nothing beside it, small enough for a cache.
const PIECE: usize = 1 << 17;

/// Reads a table from batches in memory, of these columns, as one would read a CSV of them.
///
/// # Errors
/// A column of a type that has no text, and what [`read_from`] says.
pub fn read_text(schema: &Schema, batches: &[RecordBatch], options: &ReadOptions) -> Result<Table, Error> {
    let all: Vec<usize> = (0..schema.fields().len()).collect();
    legible(schema, &all)?;
    let short: Vec<bool> =
        all.iter().map(|&at| batches.iter().all(|batch| are_short(batch.column(at)))).collect();
    let rows = || Box::new(batches.iter().cloned().map(Ok));
    match coded::read(schema, &all, &short, rows(), options)? {
        Some(table) => Ok(table),
        None => read_from(Text::new(schema, &all, short, rows()), options),
    }
}

/// Lets the columns of a file be read that are asked for, and says what there is to say of it.
pub(crate) fn consumed<T>(
    file: &mut dyn Columns,
    options: &OpenOptions,
    reader: &mut Reader<'_, '_, T>,
) -> Result<(T, Remarks), Error> {
    refuse_choices(file, options)?;
    let (of, schema) = (file.form(), file.schema());
    let wanted = wanted(&schema, &options.read);
    legible(&schema, &wanted)?;
    let name = |&at: &usize| trimmed(schema.field(at).name()).to_owned();
    let labels: Vec<String> = wanted.iter().filter(|&&at| file.is_text(at)).map(name).collect();
    let all = schema.fields().iter().map(|field| field.name().clone()).collect();
    let all = Some(all).filter(|_| wanted.len() < schema.fields().len());
    let note = FormNote::Read { form: of, columns: schema.fields().len(), read: wanted.len() };
    let members = if file.tables().len() > 1 { file.tables().to_vec() } else { Vec::new() };
    let form = Form {
        members,
        delimiter: b',',
        named: true,
        texts: labels,
        all,
        notes: std::iter::once(note).chain(file.found()).map(Into::into).collect(),
        ..Form::default()
    };
    let short = guarded(of, || short(file, &schema, &wanted))?;
    let done = guarded(of, || {
        if let Some(taken) = reader.table {
            let batches = Box::new(Guarded { of, batches: file.batches(&wanted)? });
            let options = form.read_options(&options.read);
            if let Some(table) = coded::read(&schema, &wanted, &short, batches, &options)? {
                return Ok(taken(table));
            }
        }
        let batches = Box::new(Guarded { of, batches: file.batches(&wanted)? });
        (reader.text)(&form, &mut Text::new(&schema, &wanted, short.clone(), batches))
    })?;
    let notes = form.notes.into_iter().chain(file.notes(&wanted)).collect();
    let described = file.described(&wanted);
    Ok((done, Remarks { notes, described, ..Remarks::default() }))
}

/// Refuses what only a text or a workbook has.
fn refuse_choices(file: &dyn Columns, options: &OpenOptions) -> Result<(), Error> {
    let OpenOptions { encoding, read, sheet, member, json_lines, skip, layout, .. } = options;
    let of_text = read.delimiter.is_some()
        || read.quote.is_some()
        || *json_lines
        || !skip.is_none()
        || layout.is_some();
    let encoding = encoding.is_some() && !file.takes_encoding();
    let header = read.header == lookalike_table::HeaderRow::Absent;
    let member = member.is_some() && file.tables().is_empty();
    if of_text || encoding || header || sheet.is_some() || member {
        return Err(FormFault::Unfit { form: file.form() }.into());
    }
    Ok(())
}

/// The places of the columns that are asked for: all of them where names may mean others, or none is.
fn wanted(schema: &Schema, options: &ReadOptions) -> Vec<usize> {
    let names: Vec<&str> = schema.fields().iter().map(|field| trimmed(field.name())).collect();
    let all: Vec<usize> = (0..names.len()).collect();
    let Some(columns) = &options.columns else { return all };
    let mut sorted = names.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return all;
    }
    let is_wanted = |name: &str| {
        columns.iter().any(|wanted| wanted == name) || options.also.is_some_and(|also| (also.0)(name))
    };
    let some: Vec<usize> = (0..names.len()).filter(|&at| is_wanted(names[at])).collect();
    if some.is_empty() { all } else { some }
}

/// Refuses columns whose cells have no text.
fn legible(schema: &Schema, columns: &[usize]) -> Result<(), Error> {
    for &at in columns {
        let field = schema.field(at);
        let empty = arrow_array::new_empty_array(field.data_type());
        if texts(&empty, false).is_none() {
            let (column, of) = (Name::from(field.name().as_str()), field.data_type().to_string());
            return Err(FormFault::Type { column, of }.into());
        }
    }
    Ok(())
}

/// Whether each column is written in the short form of its type. Those that may need the long one are read for it.
fn short(file: &mut dyn Columns, schema: &Schema, columns: &[usize]) -> Result<Vec<bool>, Error> {
    let may = |at: &usize| may_be_long(schema.field(*at).data_type());
    let mut open: Vec<usize> = columns.iter().copied().filter(may).collect();
    let mut long = Vec::new();
    if !open.is_empty() {
        let asked = open.clone();
        for batch in file.batches(&asked)? {
            let batch = batch?;
            for (at, column) in asked.iter().zip(batch.columns()) {
                if open.contains(at) && !are_short(column) {
                    open.retain(|other| other != at);
                    long.push(*at);
                }
            }
            if open.is_empty() {
                break;
            }
        }
    }
    Ok(columns.iter().map(|at| !long.contains(at)).collect())
}

/// Batches whose library may panic.
struct Guarded<'a> {
    of: crate::FormName,
    batches: Batches<'a>,
}

impl Iterator for Guarded<'_> {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        guarded(self.of, || self.batches.next().transpose()).transpose()
    }
}

/// The text of columns as CSV, made while it is read. It has those columns alone that are read.
pub struct Text<'a> {
    batches: Batches<'a>,
    /// Whether each column is written in the short form of its type.
    short: Vec<bool>,
    writer: Writer,
    /// The batch that is written, and its row that comes next.
    batch: Option<RecordBatch>,
    row: usize,
    scratch: Vec<String>,
    piece: Vec<u8>,
    at: usize,
}

impl<'a> Text<'a> {
    /// The columns at these places, each in the short form of its type or not.
    #[must_use]
    pub fn new(schema: &Schema, columns: &[usize], short: Vec<bool>, batches: Batches<'a>) -> Self {
        let (mut writer, mut piece) = (Writer::new(Dialect::PLAIN), Vec::with_capacity(PIECE + 4_096));
        if !columns.is_empty() {
            writer.row(&mut piece, columns.iter().map(|&at| schema.field(at).name().as_str()));
        }
        let scratch = vec![String::new(); columns.len()];
        Self { batches, short, writer, batch: None, row: 0, scratch, piece, at: 0 }
    }

    fn next_piece(&mut self) -> Result<(), Error> {
        self.at = 0;
        self.piece.clear();
        while self.piece.len() < PIECE {
            let Some(batch) = self.batch.take().map(Ok).or_else(|| self.batches.next()).transpose()? else {
                break;
            };
            self.write(&batch)?;
            if self.row < batch.num_rows() {
                self.batch = Some(batch);
            } else {
                self.row = 0;
            }
        }
        Ok(())
    }

    /// Writes the next rows of a batch.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let mut puts = Vec::with_capacity(self.short.len());
        for (at, (column, short)) in batch.columns().iter().zip(&self.short).enumerate() {
            let unwritten = || {
                let (column, of) = (batch.schema(), column.data_type().to_string());
                FormFault::Type { column: Name::from(column.field(at).name().as_str()), of }
            };
            puts.push(cells::texts(column, *short).ok_or_else(unwritten)?);
        }
        while self.row < batch.num_rows() && self.piece.len() < PIECE {
            for (put, text) in puts.iter().zip(&mut self.scratch) {
                text.clear();
                put(self.row, text);
            }
            self.writer.row(&mut self.piece, self.scratch.iter().map(String::as_str));
            self.row += 1;
        }
        Ok(())
    }
}

impl Read for Text<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            self.next_piece().map_err(io::Error::other)?;
        }
        let length = into.len().min(self.piece.len() - self.at);
        into[..length].copy_from_slice(&self.piece[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
