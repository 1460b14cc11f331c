//! Questions and answers in wire types and bytes.

use std::{collections::BTreeMap, io::Read};

use lookalike_core::{
    info,
    table::{Table, hierarchy::Hierarchy},
};
use lookalike_file::{Arrival, First, unclear};
use lookalike_model::{info::TableInfo, settings::Missing};
use lookalike_wire::{
    check::{CheckSettings, Checked},
    desk::{Ask, Part, Told},
    opening::{self, Form, Opening},
};

pub use lookalike_file::Source;

use crate::{
    check::{self, Evidence},
    configuration,
    series::Files,
};

/// Rows of a table that the page shows.
const PREVIEW_ROWS: usize = 12;

/// Who hears the answers.
pub trait Host {
    /// Takes an answer; the bytes of a file stand beside it.
    fn tell(&self, told: Told, bytes: Option<Vec<u8>>);
}

/// What was asked before.
#[derive(Default)]
pub struct Desk {
    tables: BTreeMap<Part, Table>,
    /// Hierarchies of columns of the published table.
    trees: BTreeMap<String, Hierarchy>,
    /// A file that waits for the import module.
    arrival: Option<(Part, Arrival)>,
    /// Files of a series of releases.
    series: Files,
}

impl Desk {
    /// Answers a question, with its file if it has one. After [`Ask::Open`], [`Desk::wants_import`] is to be asked.
    pub fn answer(&mut self, ask: Ask, file: Option<&mut dyn Source>, host: &dyn Host) {
        let told = match ask {
            Ask::SaveConfig { settings, identifiers, file } => {
                return match configuration::save(&settings, identifiers) {
                    Ok(bytes) => host.tell(Told::Written { name: file }, Some(bytes)),
                    Err(message) => host.tell(Told::Failed { message }, None),
                };
            }
            Ask::LoadConfig { columns } => {
                let loaded = bytes(file).and_then(|bytes| configuration::load(&columns, &bytes));
                Told::Configured { configured: loaded.map(Box::new) }
            }
            Ask::Open { part, how } => return self.open(part, how, file, host),
            Ask::Hierarchy { column } => {
                let values = self.hierarchy(&column, file);
                Told::Hierarchy { column, values }
            }
            Ask::Series { ask } => {
                if let Some(judged) = self.series.answer(ask, bytes(file)) {
                    host.tell(Told::Series { judged }, None);
                }
                return;
            }
            Ask::Check { asked } => Told::Checked { checked: self.check(&asked).map(Box::new) },
        };
        host.tell(told, None);
    }

    /// Whether the file that is being opened is to be handed to the import module.
    #[must_use]
    pub fn wants_import(&self) -> bool {
        self.arrival.is_some()
    }

    /// Reads what the import module made of a file; true if it is not UTF-8.
    pub fn read_text(&mut self, form: &Form, text: &mut dyn Read, host: &dyn Host) -> bool {
        let Some((part, arrival)) = &mut self.arrival else { return false };
        host.tell(Told::Found { part: *part, form: form.clone() }, None);
        arrival.read_text(form, text)
    }

    /// Takes what the import module has to say after the text.
    pub fn finish_import(&mut self, told: opening::Told, host: &dyn Host) {
        let Some((part, arrival)) = self.arrival.take() else { return };
        if let Some(form) = unclear(&told) {
            host.tell(Told::Found { part, form }, None);
        }
        self.opened(part, arrival.finish(told), host);
    }

    fn open(&mut self, part: Part, how: Opening, file: Option<&mut dyn Source>, host: &dyn Host) {
        if part == Part::Published {
            let series = std::mem::take(&mut self.series);
            *self = Self { series, ..Self::default() };
        }
        self.tables.remove(&part);
        let mut found = |form| host.tell(Told::Found { part, form }, None);
        let first = given(file).and_then(|file| Arrival::begin(how, file, &mut found));
        match first {
            Ok(First::Waits(arrival)) => self.arrival = Some((part, arrival)),
            Ok(First::Table(table)) => self.opened(part, Ok(table), host),
            Err(why) => self.opened(part, Err(why), host),
        }
    }

    fn opened(&mut self, part: Part, table: Result<Table, String>, host: &dyn Host) {
        let table: Result<TableInfo, String> = table.map(|table| {
            let shown = info::table_info(&table, &Missing::default().markers, PREVIEW_ROWS);
            self.tables.insert(part, table);
            shown
        });
        host.tell(Told::Opened { part, table }, None);
    }

    fn hierarchy(&mut self, column: &str, file: Option<&mut dyn Source>) -> Result<usize, String> {
        self.trees.remove(column);
        if file.is_none() {
            return Ok(0);
        }
        let tree = Hierarchy::read(&bytes(file)?).map_err(|error| error.to_string())?;
        let values = tree.rows().len();
        self.trees.insert(column.to_owned(), tree);
        Ok(values)
    }

    fn check(&self, asked: &CheckSettings) -> Result<Checked, String> {
        let table = |part| self.tables.get(&part);
        let published = table(Part::Published).ok_or("open the published table first")?;
        let (original, classes) = (table(Part::Original), table(Part::Classes));
        check::judge(&Evidence { published, original, classes, trees: &self.trees }, asked)
    }
}

fn given(file: Option<&mut dyn Source>) -> Result<&mut dyn Source, String> {
    file.ok_or_else(|| String::from("there is no file; choose it again"))
}

/// All of a small file.
fn bytes(file: Option<&mut dyn Source>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    given(file)?.read_to_end(&mut bytes).map_err(|error| format!("the file cannot be read: {error}"))?;
    Ok(bytes)
}
