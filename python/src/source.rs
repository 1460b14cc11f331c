//! From a frame to a table: its cells are read as the command line reads them from a CSV, by the same reader, without there
//! being a CSV at any time.

use std::collections::BTreeMap;

use lookalike_core::{
    persons,
    table::{Also, Edits, ReadOptions, Table},
};
use lookalike_forms::{cells, read_text};
use lookalike_model::settings::Kind;

use crate::{failure::Failure, stream::Frame};

/// Which columns are needed, and what is put in place of cells.
pub(crate) struct Wanted {
    /// Names of columns; `None` are all.
    pub(crate) columns: Option<Vec<String>>,
    /// Whether columns that may name persons are kept beside them, whose rows a run counts.
    pub(crate) keys: bool,
    /// Whether texts are never taken for numbers; otherwise all cells are as those of a CSV.
    pub(crate) typed: bool,
    pub(crate) edits: Edits,
}

impl Frame {
    /// Kinds of the columns whose type says what they are.
    pub(crate) fn kinds(&self) -> BTreeMap<String, Kind> {
        let fields = self.schema.fields().iter();
        fields.filter_map(|field| Some((field.name().clone(), cells::kind(field.data_type())?))).collect()
    }

    /// The table that a CSV of this frame would be read as.
    ///
    /// # Errors
    /// Columns of types that have no text, and what a table of these cells must not be.
    pub(crate) fn table(&self, wanted: Wanted) -> Result<Table, Failure> {
        self.check()?;
        let texts =
            self.schema.fields().iter().filter(|field| wanted.typed && cells::is_text(field.data_type()));
        let options = ReadOptions {
            columns: wanted.columns,
            also: wanted.keys.then_some(Also(persons::may_be_key)),
            texts: texts.map(|field| field.name().trim().to_owned()).collect(),
            edits: wanted.edits,
            ..ReadOptions::default()
        };
        Ok(read_text(&self.schema, &self.batches, &options).map_err(lookalike_core::Error::from)?)
    }

    fn check(&self) -> Result<(), Failure> {
        let empty = |of| arrow_array::new_empty_array(of);
        for field in self.schema.fields() {
            if cells::texts(&empty(field.data_type()), false).is_none() {
                let (name, of) = (field.name(), field.data_type());
                return Err(Failure::table(format!(
                    "column \"{name}\" is of the Arrow type {of}, whose cells have no text: convert it to text, numbers or dates"
                )));
            }
        }
        Ok(())
    }
}
