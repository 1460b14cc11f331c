//! A file as columns that have names and types.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use lookalike_model::described::Described;
use lookalike_table::{Error, Note};

use crate::{FormFault, FormName, FormNote, cells};

/// Rows of some columns, a piece at a time.
pub type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, Error>> + 'a>;

/// A file as columns that have names and types. It is read from its beginning as often as needed.
pub trait Columns {
    /// What it is.
    fn form(&self) -> FormName;

    /// Names and types of its columns, in its order.
    fn schema(&self) -> SchemaRef;

    /// Its rows, of the columns at these places alone, which ascend.
    ///
    /// # Errors
    /// What its reader says, and packers that are not read.
    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error>;

    /// Whether the cells of a column are texts, of which nobody guesses that they are numbers.
    fn is_text(&self, column: usize) -> bool {
        cells::is_text(self.schema().field(column).data_type())
    }

    /// Whether an encoding may be chosen for its texts.
    fn takes_encoding(&self) -> bool {
        false
    }

    /// The names of all tables of the file, of which this is one, where its form gives them names.
    fn tables(&self) -> &[String] {
        &[]
    }

    /// What there is to say of it before its rows are read.
    fn found(&self) -> Vec<FormNote> {
        Vec::new()
    }

    /// What there is to say of it once these columns were read.
    fn notes(&self, columns: &[usize]) -> Vec<Note> {
        let _ = columns;
        Vec::new()
    }

    /// What it says of these columns, beside their names; nothing of those of which it says nothing.
    fn described(&self, columns: &[usize]) -> Vec<Described> {
        let _ = columns;
        Vec::new()
    }
}

/// The library that reads this form, which is not ours, may panic over bytes that nobody has written: that is an error like others.
pub(crate) fn guarded<T>(form: FormName, read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|told| {
        let says = told.downcast_ref::<String>().cloned();
        let says = says.or_else(|| told.downcast_ref::<&str>().map(|&says| says.to_owned()));
        Err(FormFault::Damaged { form, says: says.unwrap_or_default() }.into())
    })
}

/// The encoding that was chosen for the texts of a file, if one was.
#[cfg(any(feature = "sas", feature = "spss", feature = "stata"))]
pub(crate) fn chosen_encoding(label: Option<&str>) -> Result<Option<&'static encoding_rs::Encoding>, Error> {
    let found = |label: &str| {
        let found = encoding_rs::Encoding::for_label(label.as_bytes());
        found.ok_or_else(|| Error::Encoding { label: lookalike_words::Name::from(label) })
    };
    label.map(found).transpose()
}

/// What a library says of the bytes; what our reader below it has said stays as it is.
pub(crate) fn damaged(form: FormName, error: &(dyn std::error::Error + 'static)) -> Error {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<std::io::Error>()
            && let Some(ours) = io.get_ref().and_then(|inner| inner.downcast_ref::<Error>())
        {
            return ours.clone();
        }
        cause = inner.source();
    }
    FormFault::Damaged { form, says: error.to_string() }.into()
}
