//! Columns that nobody asked about.

use lookalike_words::Cell;
use rustc_hash::FxHashSet;

use super::{
    row::Row,
    verdict::{Check, Observation, Subject, Unasked},
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

    /// Counts no values any more: those of parts of a table are not known together.
    pub(super) fn forget(&mut self) {
        self.columns.iter_mut().for_each(|(_, cells)| *cells = None);
    }

    /// Names the columns, and says how many different values they hold where these were counted.
    pub(super) fn note(&self, header: &[String]) -> Option<Check> {
        let named = |(at, cells): &(usize, Option<FxHashSet<Box<str>>>)| {
            let name = Cell::from(header[*at].as_str());
            match cells {
                Some(cells) => Unasked::Counted { name, different: cells.len() },
                None => Unasked::Named { name },
            }
        };
        let columns: Vec<Unasked> = self.columns.iter().map(named).collect();
        (!columns.is_empty()).then(|| Check::note(Subject::Unjudged, Observation::Unjudged { columns }, None))
    }
}
