//! Published tables that are checked: they are not the open one.
//!
//! * `judge`: one table, with its original or without.
//! * `series`: releases, judged together.

mod judge;
mod refused;
pub(crate) mod series;

use std::collections::BTreeMap;

use lookalike_core::table::{Table, hierarchy::Hierarchy};
use lookalike_file::Source;
use lookalike_wire::check::{CheckSettings, Checked, CheckedTable};
use lookalike_words::Said;

use self::{judge::Evidence, refused::CheckRefused};
use crate::columns::{self, ColumnRefused};

/// What belongs to the table that is checked.
#[derive(Default)]
pub(crate) struct Check {
    tables: BTreeMap<CheckedTable, Table>,
    /// Hierarchies of columns of the published table.
    hierarchies: BTreeMap<String, Hierarchy>,
    /// Files of a series of releases.
    pub(crate) series: series::Files,
}

impl Check {
    /// A table is about to be read; another published table has other files beside it.
    pub(crate) fn opens(&mut self, part: CheckedTable) {
        if part == CheckedTable::Published {
            (self.tables, self.hierarchies) = (BTreeMap::new(), BTreeMap::new());
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

    /// Judges the published table.
    pub(crate) fn check(&self, asked: &CheckSettings) -> Result<Checked, Said> {
        let table = |part| self.tables.get(&part);
        let published = table(CheckedTable::Published).ok_or(CheckRefused::NoPublished)?;
        let (original, classes) = (table(CheckedTable::Original), table(CheckedTable::Classes));
        judge::judge(&Evidence { published, original, classes, trees: &self.hierarchies }, asked)
    }
}
