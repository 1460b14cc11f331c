//! Questions and answers in wire types and bytes.

use lookalike_core::{
    info,
    table::{ReadOptions, Table, read},
};
use lookalike_wire::{
    desk::{Ask, Told},
    settings::Missing,
};

use crate::{check, configuration};

/// Rows of a published table that the page shows.
const PREVIEW_ROWS: usize = 12;

/// What was asked before.
#[derive(Default)]
pub struct Desk {
    /// The table that is to be checked.
    published: Option<Table>,
}

impl Desk {
    /// Answers a question about these files; bytes of a file stand beside the answer.
    pub fn answer(&mut self, ask: Ask, files: &[Vec<u8>]) -> (Told, Option<Vec<u8>>) {
        let first = files.first().map_or(&[][..], Vec::as_slice);
        let told = match ask {
            Ask::SaveConfig { settings, identifiers, file } => {
                return match configuration::save(&settings, identifiers) {
                    Ok(bytes) => (Told::File { name: file }, Some(bytes)),
                    Err(message) => (Told::Failed { message }, None),
                };
            }
            Ask::LoadConfig { columns } => {
                Told::Configured { configured: configuration::load(&columns, first).map(Box::new) }
            }
            Ask::OpenPublished => Told::Opened {
                table: read(first, &ReadOptions::default()).map_err(|error| error.to_string()).map(|table| {
                    let shown = info::table_info(&table, &Missing::default().markers, PREVIEW_ROWS);
                    self.published = Some(table);
                    shown
                }),
            },
            Ask::Check { asked } => {
                let published =
                    self.published.as_ref().ok_or_else(|| String::from("open the published table first"));
                let checked = published.and_then(|table| check::judge(table, &asked, files));
                Told::Checked { checked: checked.map(Box::new) }
            }
        };
        (told, None)
    }
}
