//! Columns that nobody asked about.

use rustc_hash::FxHashSet;

use super::{
    row::Row,
    text::{quoted, thousands},
    verdict::Check,
    words::unjudged,
};

/// Bytes of different cells that are kept to count them, all columns together.
const ROOM: usize = 1 << 20;

/// What a different cell costs beside its bytes.
const OVERHEAD: usize = 32;

/// The different cells of each such column, as long as there is room for them.
pub(super) struct Unnamed {
    /// Place of each column, and its cells so far.
    columns: Vec<(usize, Option<FxHashSet<Box<str>>>)>,
    room: usize,
}

impl Unnamed {
    pub(super) fn new(columns: &[usize]) -> Self {
        Self { columns: columns.iter().map(|&at| (at, Some(FxHashSet::default()))).collect(), room: ROOM }
    }

    pub(super) fn add(&mut self, row: &Row) {
        for (at, cells) in &mut self.columns {
            let cell = row.cell(*at);
            if cells.as_ref().is_none_or(|cells| cells.contains(cell)) {
                continue;
            }
            let bytes = cell.len() + OVERHEAD;
            match cells {
                Some(cells) if bytes <= self.room => {
                    self.room -= bytes;
                    cells.insert(cell.into());
                }
                _ => *cells = None,
            }
        }
    }

    /// Names the columns, and says how many different values they hold where these were counted.
    pub(super) fn note(&self, header: &[String]) -> Option<Check> {
        let words = |(at, cells): &(usize, Option<FxHashSet<Box<str>>>)| {
            let name = quoted(&header[*at]);
            match cells {
                Some(cells) => format!("{name} ({} different values)", thousands(cells.len())),
                None => name,
            }
        };
        let columns: Vec<String> = self.columns.iter().map(words).collect();
        (!columns.is_empty()).then(|| unjudged(&columns))
    }
}
