//! Files of SPSS: `.sav`, packed by bytes or not at all, and `.zsav`, packed by zlib on top.
//!
//! The form is described in PSPP's "System File Format". Labels of values stand in place of their codes, where a code has one. Values
//! that the file declares missing are missing and are named. Days and moments are numbers with a format, in seconds since 1582-10-14.

mod cases;
mod dictionary;
mod moments;

use std::{
    cell::RefCell,
    io::{BufReader, Read, Seek},
    sync::Arc,
};

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema, SchemaRef};
use lookalike_model::described::Described;
use lookalike_table::{Error, Note};
use lookalike_words::Name;

use self::{
    cases::Cases,
    dictionary::{Dictionary, Variable},
};
use crate::{
    FormFault, FormName, FormNote,
    columns::{Batches, Columns, chosen_encoding, damaged},
    form::rewound,
    labelled::{self, Cells, ROWS, Tally},
};

/// A file of SPSS.
pub(crate) struct SpssFile<R> {
    source: R,
    dictionary: Dictionary,
    schema: SchemaRef,
    tallies: RefCell<Vec<Tally>>,
}

impl<R: Read + Seek> SpssFile<R> {
    pub(crate) fn open(mut source: R, encoding: Option<&str>) -> Result<Self, Error> {
        let chosen = chosen_encoding(encoding)?;
        let dictionary = Dictionary::read(&mut BufReader::new(rewound(&mut source)?), chosen)?;
        let field = |variable: &Variable| Field::new(&variable.name, variable.data_type(), true);
        let schema = Arc::new(Schema::new(dictionary.variables.iter().map(field).collect::<Vec<_>>()));
        let tallies = RefCell::new(vec![Tally::default(); dictionary.variables.len()]);
        Ok(Self { source, dictionary, schema, tallies })
    }
}

/// What is wrong with the bytes.
fn broken(says: impl Into<String>) -> Error {
    FormFault::Damaged { form: FormName::Spss, says: says.into() }.into()
}

/// A source that ends too early, or what the system says.
fn short(error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => broken("it ends within a record"),
        std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput => broken(error.to_string()),
        _ => Error::from_io(error),
    }
}

impl<R: Read + Seek> Columns for SpssFile<R> {
    fn form(&self) -> FormName {
        FormName::Spss
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        self.tallies.borrow_mut().fill(Tally::default());
        let schema = self.schema.project(columns).map_err(|why| damaged(FormName::Spss, &why))?;
        Ok(Box::new(Rows {
            cases: Cases::new(&mut self.source, &self.dictionary)?,
            columns: columns.to_vec(),
            dictionary: &self.dictionary,
            tallies: &self.tallies,
            cells: schema.fields().iter().map(|field| Cells::of(field.data_type())).collect(),
            schema: Arc::new(schema),
            ended: false,
        }))
    }

    fn is_text(&self, column: usize) -> bool {
        // Codes with labels are what their labels are.
        self.dictionary.variables[column].width > 0
    }

    fn takes_encoding(&self) -> bool {
        true
    }

    fn found(&self) -> Vec<FormNote> {
        let encoding = FormNote::Encoding { encoding: self.dictionary.encoding.name() };
        let weighted = self.dictionary.weight().map(|name| FormNote::Weighted { column: Name::from(name) });
        std::iter::once(encoding).chain(weighted).collect()
    }

    fn notes(&self, columns: &[usize]) -> Vec<Note> {
        let tallies = self.tallies.borrow();
        let about = columns.iter().map(|&at| {
            let variable = &self.dictionary.variables[at];
            (variable.name.as_str(), variable.label.as_str(), &tallies[at])
        });
        labelled::notes(about)
    }

    fn described(&self, columns: &[usize]) -> Vec<Described> {
        let variables = columns.iter().map(|&at| &self.dictionary.variables[at]);
        let said = variables.map(|of| (of.name.as_str(), of.label.as_str(), of.has_labels()));
        labelled::described(said, self.dictionary.weight())
    }
}

/// The rows of a file.
struct Rows<'a> {
    cases: Cases<'a>,
    columns: Vec<usize>,
    dictionary: &'a Dictionary,
    tallies: &'a RefCell<Vec<Tally>>,
    cells: Vec<Cells>,
    schema: SchemaRef,
    ended: bool,
}

impl Rows<'_> {
    fn piece(&mut self) -> Result<Option<RecordBatch>, Error> {
        let mut tallies = self.tallies.borrow_mut();
        let mut rows = 0;
        while rows < ROWS {
            let Some(case) = self.cases.next()? else {
                self.ended = true;
                break;
            };
            rows += 1;
            for (&at, cells) in self.columns.iter().zip(&mut self.cells) {
                self.dictionary.variables[at].put(case, self.dictionary, cells, &mut tallies[at]);
            }
        }
        drop(tallies);
        if rows == 0 {
            return Ok(None);
        }
        let arrays = self.cells.iter_mut().map(Cells::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options);
        batch.map(Some).map_err(|why| damaged(FormName::Spss, &why))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let piece = self.piece();
        self.ended |= piece.is_err();
        piece.transpose()
    }
}
