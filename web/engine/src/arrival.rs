//! A file comes in and becomes the open table.

use std::io::Read;

use lookalike_core::{info, table::Table};
use lookalike_file::{Arrival, First, Source, unclear};
use lookalike_model::settings::Missing;
use lookalike_wire::{
    opening::{Form, Opening, Told},
    page::Response,
};

use crate::session::{Host, Session};

/// Rows of the input that the page shows.
const PREVIEW_ROWS: usize = 12;

impl Session {
    /// Reads plain text; anything else waits for [`Session::read_text`]. A table that cannot be read leaves the open
    /// one, and whatever runs on it, as they are.
    pub(crate) fn open(
        &mut self,
        how: Opening,
        file: &mut dyn Source,
        host: &dyn Host,
    ) -> Result<(), String> {
        self.arrival = None;
        let mut found = |form| host.post(Response::Found { form }, Vec::new());
        match Arrival::begin(how, file, &mut found)? {
            First::Table(table) => self.accept(table, host),
            First::Waits(arrival) => self.arrival = Some(arrival),
        }
        Ok(())
    }

    /// Whether the file that is being opened is to be handed to the import module.
    #[must_use]
    pub fn wants_import(&self) -> bool {
        self.arrival.is_some()
    }

    /// Reads what the import module made of a file; true if it is not UTF-8.
    pub fn read_text(&mut self, found: &Form, text: &mut dyn Read, host: &dyn Host) -> bool {
        let Some(arrival) = &mut self.arrival else { return false };
        host.post(Response::Found { form: found.clone() }, Vec::new());
        arrival.read_text(found, text)
    }

    /// Takes what the import module has to say after the text.
    pub fn finish_import(&mut self, told: Told, host: &dyn Host) {
        let Some(arrival) = self.arrival.take() else { return };
        if let Some(form) = unclear(&told) {
            host.post(Response::Found { form }, Vec::new());
        }
        match arrival.finish(told) {
            Ok(table) => self.accept(table, host),
            Err(message) => host.post(Response::Failed { message }, Vec::new()),
        }
    }

    fn accept(&mut self, table: Table, host: &dyn Host) {
        let shown = info::table_info(&table, &Missing::default().markers, PREVIEW_ROWS);
        let source = self.coming.take();
        self.renew(table);
        self.source = source;
        host.post(Response::Opened { table: shown }, Vec::new());
    }
}
