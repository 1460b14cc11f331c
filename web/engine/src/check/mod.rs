//! Published tables that are checked: they are not the open one.
//!
//! * `judge`: one table, with its original or without; `answers`: what of it was asked for.
//! * `series`: releases, judged together.

mod answers;
mod judge;
mod refused;
pub(crate) mod series;

use std::collections::BTreeMap;

use lookalike_core::table::{Table, hierarchy::Hierarchy};
use lookalike_file::Source;
use lookalike_model::comparison::{Likeness, Only, TableWindow};
use lookalike_wire::check::{CheckSettings, Checked, CheckedTable};
use lookalike_words::Said;

use self::{judge::Evidence, refused::CheckRefused};
use crate::{
    browse::Browsing,
    columns::{self, ColumnRefused},
    edits::Edited,
};

/// What belongs to the table that is checked.
#[derive(Default)]
pub(crate) struct Check {
    tables: BTreeMap<CheckedTable, Table>,
    /// Hierarchies of columns of the published table.
    hierarchies: BTreeMap<String, Hierarchy>,
    /// Rows of the published table as they are shown.
    browsing: Browsing,
    /// Files of a series of releases.
    pub(crate) series: series::Files,
}

impl Check {
    /// A table is about to be read; another published table has other files beside it.
    pub(crate) fn opens(&mut self, part: CheckedTable) {
        if part == CheckedTable::Published {
            (self.tables, self.hierarchies) = (BTreeMap::new(), BTreeMap::new());
            self.browsing = Browsing::default();
        }
        self.tables.remove(&part);
    }

    /// Takes a table.
    pub(crate) fn opened(&mut self, part: CheckedTable, table: Table) {
        self.tables.insert(part, table);
    }

    /// Takes the hierarchy of a column; the number of its values, 0 if it is forgotten for want of a file.
    pub(crate) fn hierarchy(
        &mut self,
        column: &str,
        file: Option<&mut dyn Source>,
    ) -> Result<usize, ColumnRefused> {
        self.hierarchies.remove(column);
        let Some(file) = file else { return Ok(0) };
        let hierarchy = columns::read(file)?;
        let values = hierarchy.rows().len();
        self.hierarchies.insert(column.to_owned(), hierarchy);
        Ok(values)
    }

    /// Some rows of a table, alike by the columns that are named.
    pub(crate) fn window(
        &mut self,
        part: CheckedTable,
        chosen: (&Likeness, Only),
        places: (usize, usize),
    ) -> Result<TableWindow, ColumnRefused> {
        let table = self.tables.get(&part).ok_or(ColumnRefused::NoTable)?;
        // Another table's groups are not those of the published one.
        let mut other = Browsing::default();
        let browsing = if part == CheckedTable::Published { &mut self.browsing } else { &mut other };
        Ok(browsing.window((table, &Edited::default()), chosen, places)?)
    }

    /// Judges the published table.
    pub(crate) fn check(&self, asked: &CheckSettings) -> Result<Checked, Said> {
        let table = |part| self.tables.get(&part);
        let published = table(CheckedTable::Published).ok_or(CheckRefused::NoPublished)?;
        let (original, classes) = (table(CheckedTable::Original), table(CheckedTable::Classes));
        let evidence = Evidence {
            published,
            original,
            classes,
            control: table(CheckedTable::Control),
            trees: &self.hierarchies,
        };
        judge::judge(&evidence, asked)
    }
}
