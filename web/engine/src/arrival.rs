//! A file on its way in: read at once if it is plain text, else with the help of the import module.

use std::io::{Read, Seek};

use lookalike_core::{
    info,
    table::{Error, Table, Warning, plain, read_from},
};
use lookalike_file::{form, options};
use lookalike_wire::{
    opening::{Form, Opening, Told},
    page::Response,
    settings::Missing,
};

use crate::session::{Host, Session};

/// Rows of the input that the page shows.
const PREVIEW_ROWS: usize = 12;

/// Bytes that can be read from any place.
pub trait Source: Read + Seek {}

impl<S: Read + Seek> Source for S {}

/// A file that is no plain text.
pub(crate) struct Arrival {
    how: Opening,
    /// What became of its text; the last attempt counts.
    table: Result<Table, String>,
}

impl Session {
    /// Reads plain text; anything else waits for [`Session::read_text`]. A table that cannot be read leaves the open
    /// one, and whatever runs on it, as they are.
    pub(crate) fn open(
        &mut self,
        how: Opening,
        mut file: &mut dyn Source,
        host: &dyn Host,
    ) -> Result<(), String> {
        let options = options(&how);
        let read = plain(&mut file, &options, &mut |found, text| {
            host.post(Response::Found { form: form(found) }, Vec::new());
            read_from(text, &found.read_options(&options.read))
        });
        self.arrival = None;
        let Some((table, told)) = read.map_err(|error| error.to_string())? else {
            let table = Err(String::from("the file was not read; open it again"));
            self.arrival = Some(Arrival { how, table });
            return Ok(());
        };
        self.accept(Table { notes: told.notes, ..table }, host);
        Ok(())
    }

    /// Whether the file that is being opened is to be handed to the import module.
    #[must_use]
    pub fn wants_import(&self) -> bool {
        self.arrival.is_some()
    }

    /// Reads what the import module made of a file; true if it is not UTF-8.
    pub fn read_text(&mut self, found: Form, text: &mut dyn Read, host: &dyn Host) -> bool {
        let Some(arrival) = &mut self.arrival else { return false };
        let asked =
            Opening { delimiter: Some(found.delimiter), quote: Some(found.quote), ..arrival.how.clone() };
        host.post(Response::Found { form: found }, Vec::new());
        let read = read_from(text, &options(&asked).read);
        let foreign = matches!(read, Err(Error::NotUtf8 { .. }));
        arrival.table = read.map_err(|error| error.to_string());
        foreign
    }

    /// Takes what the import module has to say after the text.
    pub fn finish_import(&mut self, told: Told, host: &dyn Host) {
        let Some(arrival) = self.arrival.take() else { return };
        match told.error.map_or(arrival.table, Err) {
            Ok(mut table) => {
                table.notes = told.notes;
                table
                    .warnings
                    .extend(told.warnings.into_iter().map(|message| Warning { row: None, message }));
                self.accept(table, host);
            }
            Err(message) => host.post(Response::Failed { message }, Vec::new()),
        }
    }

    fn accept(&mut self, table: Table, host: &dyn Host) {
        let shown = info::table_info(&table, &Missing::default().markers, PREVIEW_ROWS);
        *self = Self::with(table);
        host.post(Response::Opened { table: shown }, Vec::new());
    }
}
