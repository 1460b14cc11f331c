//! Files that are not plain text in UTF-8. It reads other encodings, packed files, workbooks and files whose columns have types,
//! whose text goes to the engine as a stream; and it writes workbooks and files with types. A separate wasm module that the
//! engine's Web Worker loads when the first such file is opened or wanted.

mod choice;

use std::{
    cell::RefCell,
    io::{self, Read, Seek, SeekFrom},
};

use js_sys::Uint8Array;
use lookalike_file::{Blob, BlobFile, form, options, post};
use lookalike_forms::{Outline, SchemaForm, SchemaMade, Target, decode_unless, schema, write};
use lookalike_model::{described::Described, dialect::Dialect};
use lookalike_table::{Error, Members, Place, Warning};
use lookalike_wire::{
    opening::{self, AfterReading, Opening},
    page::{OtherForm, Response},
};
use lookalike_words::{Message, Said};
use lookalike_workbook::workbook;
use send_wrapper::SendWrapper;
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Whoever reads the text.
    pub type Consumer;

    /// Reads a text of this form by calling `next` with the largest number of bytes until there are none. Says whether
    /// the text is not what UTF-8 has; otherwise it is the reader's own affair what becomes of it.
    #[wasm_bindgen(catch, method)]
    fn consume(
        this: &Consumer,
        form: JsValue,
        next: &mut dyn FnMut(u32) -> Result<Uint8Array, JsValue>,
    ) -> Result<bool, JsValue>;
}

/// Finds out what a file is and hands its text to the consumer; returns a [`AfterReading`]. Where `asks`, a large file whose columns have
/// names and types is not read until they are chosen.
///
/// # Errors
/// What the consumer throws.
#[wasm_bindgen]
pub fn open(how: JsValue, file: Blob, asks: bool, consumer: &Consumer) -> Result<JsValue, JsValue> {
    let how: Opening = serde_wasm_bindgen::from_value(how)?;
    let asked = match options(&how) {
        Ok(asked) => asked,
        Err(error) => return Ok(refused(&error).serialize(&serializer())?),
    };
    // The text's own faults are here; what the consumer finds wrong with it stays there.
    let (mut fault, mut thrown) = (None, None);
    let columns = RefCell::new(Vec::new());
    let mut leaves = |outline: &Outline| {
        columns.replace(choice::columns(outline));
        asks && how.columns.is_none() && choice::is_large(outline)
    };
    let source = OfThisThread(SendWrapper::new(BlobFile::new(file)));
    let done = decode_unless(source, &asked, &mut leaves, &mut |found, text| {
        fault = None;
        let mut next = |most| chunk(text, most).map_err(|error| said(&mut fault, error));
        let found = opening::Form { columns: columns.borrow().clone(), ..form(found) };
        match hand_over(consumer, &found, &mut next) {
            Ok(false) => Ok(()),
            Ok(true) => Err(Error::NotUtf8 { place: Place::Header, column: 0 }),
            Err(error) => {
                thrown = Some(error);
                Ok(())
            }
        }
    });
    if let Some(error) = thrown {
        return Err(error);
    }
    let told = match (fault, done) {
        (None, Err(Error::NotUtf8 { .. })) => AfterReading::default(),
        (Some(error), _) | (None, Err(error)) => refused(&error),
        (None, Ok(None)) => {
            let columns = columns.take();
            let form = opening::Form { named: true, columns, ..opening::Form::default() };
            AfterReading { offered: Some(form), ..AfterReading::default() }
        }
        (None, Ok(Some(((), told)))) => AfterReading {
            notes: told.notes.iter().map(Message::said).collect(),
            described: told.described,
            warnings: told.warnings.iter().map(Warning::said).collect(),
            ..AfterReading::default()
        },
    };
    Ok(told.serialize(&serializer())?)
}

/// Answers a request for a published table, whose bytes have this dialect, in another form, with what the source said of its columns; or
/// for what says what the columns of the file of this name are, which has these bytes.
///
/// # Errors
/// If the page cannot be told.
#[wasm_bindgen(js_name = writeForm)]
pub fn write_form(
    id: u32,
    form: JsValue,
    dialect: JsValue,
    described: JsValue,
    published: &[u8],
    table: &str,
) -> Result<(), JsValue> {
    let form: OtherForm = serde_wasm_bindgen::from_value(form)?;
    let dialect: Dialect = serde_wasm_bindgen::from_value(dialect)?;
    let described: Vec<Described> = serde_wasm_bindgen::from_value(described)?;
    let (response, bulk) = match written(form, (table, published), dialect, &described) {
        Ok((bytes, check)) => (Response::Workbook { check }, vec![bytes]),
        Err(message) => (Response::Failed { message }, Vec::new()),
    };
    post(id, &response, &bulk)
}

/// The file, and what was found when it was read back, or what it is.
fn written(
    form: OtherForm,
    (table, published): (&str, &[u8]),
    dialect: Dialect,
    described: &[Described],
) -> Result<(Vec<u8>, Said), Said> {
    let beside = |form: SchemaForm| -> Result<(Vec<u8>, Said), Said> {
        let bytes = schema(form, (table, published, dialect.into()), described).map_err(|why| why.said())?;
        Ok((bytes, SchemaMade::Beside { form }.said()))
    };
    let target = match form {
        OtherForm::Workbook => {
            let (bytes, same) = workbook(published, dialect.into()).map_err(|why| why.said())?;
            return Ok((bytes, same.said()));
        }
        OtherForm::Parquet => Target::Parquet,
        OtherForm::Arrow => Target::Arrow,
        OtherForm::JsonLines => Target::JsonLines,
        OtherForm::Stata => Target::Stata,
        OtherForm::Xport => Target::Xport,
        OtherForm::TableSchema => return beside(SchemaForm::TableSchema),
        OtherForm::SpssSyntax => return beside(SchemaForm::Spss),
        OtherForm::StataDo => return beside(SchemaForm::Stata),
    };
    let (bytes, same) = write(target, published, dialect.into(), described).map_err(|why| why.said())?;
    Ok((bytes, same.said()))
}

/// A file of the browser, for readers that may hand their source to other threads: here there are none.
struct OfThisThread(SendWrapper<BlobFile>);

impl Read for OfThisThread {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

impl Seek for OfThisThread {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Maps, such as the arguments of a message, become objects.
fn serializer() -> serde_wasm_bindgen::Serializer {
    serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true)
}

fn hand_over(
    consumer: &Consumer,
    found: &opening::Form,
    next: &mut impl FnMut(u32) -> Result<Uint8Array, JsValue>,
) -> Result<bool, JsValue> {
    consumer.consume(found.serialize(&serializer())?, next)
}

/// The next bytes of a text; fewer than `most` only at its end.
fn chunk(text: &mut dyn Read, most: u32) -> Result<Uint8Array, Error> {
    let mut bytes = Vec::new();
    text.take(u64::from(most)).read_to_end(&mut bytes).map_err(|error| Error::from_io(&error))?;
    Ok(Uint8Array::from(bytes.as_slice()))
}

fn said(fault: &mut Option<Error>, error: Error) -> JsValue {
    let message = error.to_string().into();
    *fault = Some(error);
    message
}

fn refused(error: &Error) -> AfterReading {
    let tables = matches!(error, Error::Tables { .. } | Error::NoTable { .. });
    let members = match error {
        Error::Members { members: Members(members), .. }
        | Error::Tables { members: Members(members), .. } => members.clone(),
        Error::NoMember { members, .. } | Error::NoTable { members, .. } => {
            members.iter().map(|name| name.0.clone()).collect()
        }
        _ => Vec::new(),
    };
    AfterReading { error: Some(error.said()), members, tables, ..AfterReading::default() }
}
