//! Rows of the open table as they are shown before any run.

use std::rc::Rc;

use lookalike_model::{
    comparison::{Likeness, Only, TableWindow},
    info::ColumnInfo,
};
use lookalike_words::Said;

use super::{
    State,
    look::{BLOCKS, block},
};
use crate::{
    form::{Role, RowsChoice, with_role},
    settings::person,
};

/// What is shown of the open table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrowseState {
    /// Which rows.
    pub only: Only,
    /// The place of the first row that is to be there.
    pub from: usize,
    /// The column that is to be the first in view, of a table with many.
    pub left: usize,
    /// Rows that are there; `None` until the engine has answered.
    pub shown: Option<Rc<Shown>>,
}

/// Rows that are there.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The place of the first.
    pub from: usize,
    /// By what they are alike.
    pub by: Likeness,
    /// Which rows they are.
    pub only: Only,
    /// The rows, or why there are none.
    pub rows: Result<TableWindow, Said>,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum BrowseAction {
    /// This row scrolled to the top.
    Scrolled(usize),
    /// This column scrolled to the left edge.
    Sideways(usize),
    /// Other rows are to be shown.
    Only(Only),
    /// Rows came.
    Shown(Box<Shown>),
}

/// Which rows of the open table are to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableQuestion {
    /// The table, and what is said of its cells: numbers that change when they do.
    pub table: (u32, u32),
    /// The place of the first row.
    pub from: usize,
    /// By what they are alike; no column is a question, too.
    pub by: Likeness,
    /// Which rows.
    pub only: Only,
    /// How many.
    pub count: usize,
}

/// The state after an action, of a table of so many columns; rows come in blocks by their number.
pub(super) fn reduce(browse: &mut BrowseState, columns: usize, action: BrowseAction) {
    let block = block(columns);
    match action {
        BrowseAction::Scrolled(row) => browse.from = (row / block).saturating_sub(1) * block,
        BrowseAction::Sideways(column) => browse.left = column,
        BrowseAction::Only(only) => {
            if only != browse.only {
                (browse.only, browse.from) = (only, 0);
            }
        }
        // The engine answers in the order of the questions; one about what is no longer in view comes too late.
        BrowseAction::Shown(shown) => {
            if (shown.from, shown.only) == (browse.from, browse.only) {
                browse.shown = Some(Rc::from(shown));
            }
        }
    }
}

impl State {
    /// Which rows of the open table are to be there.
    #[must_use]
    pub fn table_question(&self) -> Option<TableQuestion> {
        let table = self.table.as_ref()?;
        let known = with_role(table, &self.choices, Role::Quasi).into_iter().map(str::to_owned).collect();
        let by = self.likeness(known);
        let BrowseState { only, from, .. } = self.browse;
        let count = BLOCKS * block(table.columns.len());
        Some(TableQuestion { table: (self.tables, self.cells.version), from, by, only, count })
    }

    /// Rows that are alike in these columns, or persons, where one may have several rows and each row has a key.
    pub(super) fn likeness(&self, quasi: Vec<String>) -> Likeness {
        let key = self.key().filter(|column| column.missing == 0);
        Likeness { quasi, person: key.map(|column| column.name.clone()) }
    }

    /// The column with the key of a person, where one may have several rows.
    pub(super) fn key(&self) -> Option<&ColumnInfo> {
        let several = self.table.as_ref().filter(|_| self.form.rows_are == RowsChoice::OfPersons);
        several.and_then(|table| person(table, &self.choices, &self.form))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{
        Action, BLOCK, reduce,
        tests::{described, table},
    };

    fn browse(state: State, action: BrowseAction) -> State {
        reduce(state, Action::Browse(action))
    }

    fn answer(from: usize, only: Only) -> BrowseAction {
        let rows = Ok(TableWindow { total: 9, ..TableWindow::default() });
        BrowseAction::Shown(Box::new(Shown { from, by: Likeness::default(), only, rows }))
    }

    #[test]
    fn rows_are_asked_for_around_what_is_in_view() {
        assert_eq!(State::default().table_question(), None);
        let state = described();
        let first = state.table_question().unwrap();
        assert_eq!((first.from, &first.by.quasi[..], first.only), (0, &[String::from("age")][..], Only::All));
        let state = browse(state, BrowseAction::Scrolled(BLOCK - 1));
        assert_eq!(state.table_question(), Some(first.clone()));
        let state = browse(state, BrowseAction::Scrolled(3 * BLOCK));
        assert_eq!(state.table_question().map(|question| question.from), Some(2 * BLOCK));
        // An answer about the rows before comes too late.
        let state = browse(state, answer(0, Only::All));
        assert_eq!(state.browse.shown, None);
        let state = browse(state, answer(2 * BLOCK, Only::All));
        assert!(state.browse.shown.is_some());
        // Other rows begin at the top; so do those of another role.
        let state = browse(state, BrowseAction::Only(Only::Alone));
        assert_eq!(
            state.table_question().map(|question| (question.from, question.only)),
            Some((0, Only::Alone))
        );
        let state = browse(state, answer(0, Only::All));
        assert_eq!(state.browse.shown.as_ref().unwrap().from, 2 * BLOCK);
        let without = reduce(state, Action::SetRole(0, Role::Keep));
        assert_eq!(without.table_question().map(|question| question.by.quasi), Some(Vec::new()));
    }

    #[test]
    fn another_table_is_shown_from_its_first_row() {
        let state = browse(described(), BrowseAction::Only(Only::Alone));
        let state = browse(state, answer(0, Only::Alone));
        let source = state.source.clone().unwrap();
        let state = [Action::Opening(source), Action::Opened(table())].into_iter().fold(state, reduce);
        assert_eq!(state.browse, BrowseState::default());
    }
}
