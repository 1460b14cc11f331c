//! Windows of rows of the open table: its groups are found once for all windows with the same quasi-identifiers.

use lookalike_core::{
    Error,
    browse::Browse,
    table::{Edits, Table},
};
use lookalike_model::comparison::{Likeness, Only, TableWindow};

use crate::edits::Edited;

/// The groups of the open table that were asked for last.
#[derive(Default)]
pub(crate) struct Browsing(Option<Kept>);

struct Kept {
    /// What stood in place of the table's cells.
    edits: Edits,
    markers: Vec<String>,
    by: Likeness,
    browse: Browse,
}

impl Browsing {
    /// So many rows of the table from this one on, of those that are asked for.
    ///
    /// # Errors
    /// If a column is missing.
    pub(crate) fn window(
        &mut self,
        (table, edited): (&Table, &Edited),
        (by, only): (&Likeness, Only),
        places: (usize, usize),
    ) -> Result<TableWindow, Error> {
        let (edits, markers) = (edited.edits(), edited.markers());
        let fits = |kept: &Kept| kept.by == *by && kept.edits == *edits && kept.markers == markers;
        let kept = match self.0.take().filter(fits) {
            Some(kept) => kept,
            None => Kept {
                browse: Browse::new(table, by, markers)?,
                edits: edits.clone(),
                markers: markers.to_vec(),
                by: by.clone(),
            },
        };
        Ok(self.0.insert(kept).browse.window(table, only, places))
    }
}
