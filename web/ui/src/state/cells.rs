//! What the columns are, as what is said of their cells makes them: asked of the engine whenever that changes.

use std::rc::Rc;

use lookalike_model::{info::TableInfo, settings::Missing};
use lookalike_wire::page::{CellsTold, Described};
use lookalike_words::{Arg, Said};

use super::State;
use crate::{
    settings::{Field, Invalid, cells},
    texts::words,
};

/// What the columns of the open table were described by last, and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// What was said of them.
    pub told: CellsTold,
    /// They are being described anew.
    pub asked: bool,
    /// Counts up when other cells take the place of what was there.
    pub version: u32,
    /// How many cells were filled up, and which got labels.
    pub notes: Vec<Said>,
    /// Why what was said cannot be so.
    pub wrong: Option<Said>,
}

/// What the description of the columns depends on: a new one is asked when this changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeQuestion {
    /// The engine's table, by its number: an engine that is started anew reads it again.
    table: u32,
    /// What is said of its cells.
    pub cells: CellsTold,
}

/// A table was read: its cells stand as they do in the file.
pub(super) fn opened(state: &mut State) {
    let told = CellsTold { markers: Missing::default().markers, ..CellsTold::default() };
    state.cells = Cells { told, version: state.cells.version.wrapping_add(1), ..Cells::default() };
}

/// The columns are described anew; roles and fields stay.
pub(super) fn described(state: &mut State, told: CellsTold, described: Result<Described, Said>) {
    let before = std::mem::replace(&mut state.cells.told, told);
    state.cells.asked = false;
    let Some(table) = &state.table else { return };
    match described {
        Ok(Described { columns, preview, notes }) => {
            if columns.len() == table.columns.len() {
                state.table = Some(Rc::new(TableInfo { columns, preview, ..TableInfo::clone(table) }));
            }
            let is_edited = |cells: &CellsTold| !cells.pad.is_empty() || !cells.labels.is_empty();
            if is_edited(&before) || is_edited(&state.cells.told) {
                state.cells.version = state.cells.version.wrapping_add(1);
            }
            (state.cells.notes, state.cells.wrong) = (notes, None);
        }
        Err(why) => state.cells.wrong = Some(why),
    }
}

impl State {
    /// What is said of the cells, if the columns are described by something else and nobody was asked yet.
    #[must_use]
    pub fn describe_question(&self) -> Option<DescribeQuestion> {
        let table = self.table.as_ref().filter(|_| !self.cells.asked)?;
        let cells = cells(table, &self.choices, &self.form)?;
        (cells != self.cells.told).then_some(DescribeQuestion { table: self.tables, cells })
    }

    /// What the engine refused of what is said of the cells, at the column that it names.
    pub(super) fn refused_cells(&self) -> Option<Invalid> {
        let (why, table) = (self.cells.wrong.as_ref()?, self.table.as_ref()?);
        if cells(table, &self.choices, &self.form).as_ref() != Some(&self.cells.told) {
            return None;
        }
        let is_named = |of: &str| matches!(why.arg("column"), Some(Arg::Name { name }) if name == of);
        let place = table.columns.iter().position(|column| is_named(&column.name));
        Some(Invalid { field: place.map_or(Field::Roles, Field::Column), message: words(why) })
    }
}
