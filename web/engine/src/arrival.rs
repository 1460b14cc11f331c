//! A file comes in and becomes a table: the open one, or one of a check.

use std::io::Read;

use lookalike_core::{info, table::Table};
use lookalike_file::{Arrival, First, Refused, Source, offered, unclear};
use lookalike_model::settings::Missing;
use lookalike_wire::{
    opening::{AfterReading, Form, Opening},
    page::{OpenAs, Response},
};

use crate::session::{Host, Session};

/// Rows of the input that the page shows.
pub(crate) const PREVIEW_ROWS: usize = 12;

/// A file that waits for the import module.
pub(crate) struct Waiting {
    /// The request that brought it.
    id: u32,
    table: OpenAs,
    arrival: Arrival,
}

impl Session {
    /// Reads plain text; anything else waits for [`Session::read_text`]. A table that cannot be read leaves the open
    /// one, and whatever runs on it, as they are.
    pub(crate) fn open(
        &mut self,
        id: u32,
        (table, how): (OpenAs, Opening),
        file: Option<&mut dyn Source>,
        host: &dyn Host,
    ) {
        self.waiting.retain(|waiting| waiting.table != table);
        match table {
            OpenAs::Check(part) => self.check.opens(part),
            OpenAs::Table => self.how = how.clone(),
        }
        let mut found = |form| host.post(id, Response::Found { table, form }, Vec::new());
        let begun = match file {
            Some(file) => Arrival::begin(how, file, &mut found),
            None => Err(Refused::NoFile),
        };
        match begun {
            Ok(First::Waits(arrival)) => self.waiting.push(Waiting { id, table, arrival }),
            Ok(First::Table(read)) => self.accept(id, table, Ok(read), host),
            Err(why) => self.accept(id, table, Err(why), host),
        }
    }

    /// Whether the file that came with this request is to be handed to the import module.
    #[must_use]
    pub fn wants_import(&self, id: u32) -> bool {
        self.waiting.iter().any(|waiting| waiting.id == id)
    }

    /// Reads what the import module made of the file; true if it is not UTF-8.
    pub fn read_text(&mut self, id: u32, found: &Form, text: &mut dyn Read, host: &dyn Host) -> bool {
        let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.id == id) else { return false };
        host.post(id, Response::Found { table: waiting.table, form: found.clone() }, Vec::new());
        waiting.arrival.read_text(found, text)
    }

    /// Takes what the import module has to say after the text.
    pub fn finish_import(&mut self, id: u32, told: AfterReading, host: &dyn Host) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.id == id) else { return };
        let Waiting { table, arrival, .. } = self.waiting.swap_remove(place);
        if let Some(form) = offered(&told) {
            host.post(id, Response::Found { table, form }, Vec::new());
            host.post(id, Response::Offered { table }, Vec::new());
            return;
        }
        if let Some(form) = unclear(&told) {
            host.post(id, Response::Found { table, form }, Vec::new());
        }
        self.accept(id, table, arrival.finish(told), host);
    }

    fn accept(&mut self, id: u32, table: OpenAs, read: Result<Table, Refused>, host: &dyn Host) {
        let info = read.map(|read| {
            let shown = info::table_info(&read, &Missing::default().markers, PREVIEW_ROWS);
            match table {
                OpenAs::Table => self.renew(read),
                OpenAs::Check(part) => self.check.opened(part, read),
            }
            shown
        });
        let info = info.map_err(Into::into);
        host.post(id, Response::Opened { table, info }, Vec::new());
    }
}
