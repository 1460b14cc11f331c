//! The view that checks a published table: what it knows and how that changes.

use std::rc::Rc;

use lookalike_model::{
    comparison::Likeness,
    info::{PersonKey, TableInfo},
};
use lookalike_wire::{
    check::{Checked, CheckedTable},
    opening::Form,
};
use lookalike_words::Said;

use super::{
    Attempt, BLOCK, BLOCKS, BrowseAction, BrowseState, OpenIds, Source, State, TableQuestion, browse,
    check_edits::CheckEdits, reduce::attend,
};
use crate::{
    form::{CheckForm, CheckRole},
    texts::Words,
};

/// The id of what was found.
const FOUND: &str = "checked";

/// Everything that the view knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckState {
    /// Whether it is seen instead of the panes.
    pub shown: bool,
    /// The published table.
    pub published: PartState,
    /// What it was made of.
    pub original: PartState,
    /// Which original row is in which class.
    pub classes: PartState,
    /// Rows like those of the original that nothing published was made of.
    pub control: PartState,
    /// Hierarchies of columns, in the order in which they were named.
    pub trees: Vec<Tree>,
    /// The fields.
    pub form: CheckForm,
    /// What can be undone and redone of them.
    pub edits: CheckEdits,
    /// Rows of the published table that are shown.
    pub browse: BrowseState,
    /// Number of published tables that were opened so far.
    pub tables: u32,
    /// A file is being read or a check is under way.
    pub busy: bool,
    /// What was found, or why nothing was.
    pub found: Option<Rc<Result<Checked, Words>>>,
    /// The fields of a check that was stopped, until its published table is read again.
    pub kept: Option<Box<CheckForm>>,
}

/// A table of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartState {
    /// Its file.
    pub attempt: Option<Attempt>,
    /// The table, or why it cannot be read; `None` until that is known.
    pub table: Option<Rc<Result<TableInfo, Said>>>,
}

/// The hierarchy of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The column.
    pub column: String,
    /// Its file.
    pub file: String,
    /// Number of its values, or what is wrong; `None` until that is known.
    pub values: Option<Result<usize, Said>>,
}

/// What can happen in it.
#[derive(Clone, Debug)]
pub enum CheckAction {
    /// It is to be seen, or the panes are.
    Show(bool),
    /// A file is being read.
    Opening(CheckedTable, Source),
    /// It was taken for this.
    Found(CheckedTable, Form),
    /// It was read, or not.
    Opened(CheckedTable, Box<Result<TableInfo, Said>>),
    /// The hierarchy of a column is being read, or forgotten.
    Naming(String, Option<String>),
    /// It was read.
    Tree(String, Result<usize, Said>),
    /// The fields were edited.
    Edit(Box<CheckForm>),
    /// The last edit is taken back.
    Undo,
    /// The last undoing is taken back.
    Redo,
    /// About the rows that are shown.
    Browse(BrowseAction),
    /// The table is being checked.
    Started,
    /// It was.
    Done(Box<Result<Checked, Words>>),
    /// It was stopped: its files are read again, and these fields stay.
    Stopped(Box<CheckForm>),
}

impl CheckState {
    /// What is known of a table.
    #[must_use]
    pub fn part(&self, part: CheckedTable) -> &PartState {
        match part {
            CheckedTable::Published => &self.published,
            CheckedTable::Original => &self.original,
            CheckedTable::Classes => &self.classes,
            CheckedTable::Control => &self.control,
        }
    }

    /// The column of the original that says whose its rows are, where it can be counted by.
    #[must_use]
    pub fn person(&self) -> Option<String> {
        let original = self.original.read().filter(|_| self.classes.read().is_some())?;
        original
            .columns
            .iter()
            .find(|column| column.name == self.form.person)
            .map(|column| column.name.clone())
    }

    /// Columns of the published table that others may know.
    #[must_use]
    pub fn quasi(&self) -> Vec<String> {
        let known = |role: &CheckRole| matches!(role, CheckRole::Quasi | CheckRole::QuasiCodes);
        let columns = self.published.read().map_or(&[][..], |table| &table.columns);
        let named = columns.iter().zip(&self.form.roles).filter(|(_, role)| known(role));
        named.map(|(column, _)| column.name.clone()).collect()
    }

    /// Which rows of the published table are to be there.
    #[must_use]
    pub fn rows_question(&self) -> Option<TableQuestion> {
        self.published.read()?;
        let BrowseState { only, from, .. } = self.browse;
        Some(TableQuestion {
            table: (self.tables, 0),
            from,
            by: Likeness { quasi: self.quasi(), person: None },
            only,
            count: BLOCKS * BLOCK,
        })
    }

    /// Whether a file is being read.
    fn reads(&self) -> bool {
        let mut parts = CheckedTable::ALL.into_iter().map(|part| self.part(part));
        parts.any(|part| part.attempt.is_some() && part.table.is_none())
            || self.trees.iter().any(|tree| tree.values.is_none())
    }

    /// A column of the original that looks like the key of a person with several rows, where rows are counted all the same.
    #[must_use]
    pub fn uncounted(&self) -> Option<&str> {
        let original = self.original.read().filter(|_| self.person().is_none())?;
        let key = original.columns.iter().find(|column| column.key == PersonKey::Repeats)?;
        Some(&key.name)
    }

    fn part_mut(&mut self, part: CheckedTable) -> &mut PartState {
        match part {
            CheckedTable::Published => &mut self.published,
            CheckedTable::Original => &mut self.original,
            CheckedTable::Classes => &mut self.classes,
            CheckedTable::Control => &mut self.control,
        }
    }
}

impl PartState {
    /// The table, if it was read.
    #[must_use]
    pub fn read(&self) -> Option<&TableInfo> {
        self.table.as_deref()?.as_ref().ok()
    }
}

/// Ids of the fields that say how a table is read.
#[must_use]
pub fn ids(part: CheckedTable) -> &'static OpenIds {
    match part {
        CheckedTable::Published => &OpenIds::PUBLISHED,
        CheckedTable::Original => &OpenIds::ORIGINAL,
        CheckedTable::Classes => &OpenIds::CLASSES,
        CheckedTable::Control => &OpenIds::CONTROL,
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: CheckAction) {
    let check = &mut state.check;
    match action {
        CheckAction::Show(shown) => {
            if check.shown != shown {
                check.shown = shown;
                attend(state, if shown { "check" } else { "open" });
            }
        }
        CheckAction::Opening(part, source) => {
            let before = check.part_mut(part).attempt.take();
            if part == CheckedTable::Published {
                let tables = check.tables.wrapping_add(1);
                *check = CheckState { shown: true, tables, ..CheckState::default() };
            }
            let attempt = Some(Attempt::after(before, source, ids(part)));
            *check.part_mut(part) = PartState { attempt, table: None };
            (check.busy, check.found) = (true, None);
        }
        CheckAction::Found(part, form) => {
            if let Some(attempt) = &mut check.part_mut(part).attempt {
                attempt.form = Some(Rc::new(form));
            }
        }
        CheckAction::Opened(part, table) => {
            if part == CheckedTable::Published {
                let columns = table.as_ref().as_ref().map_or(0, |table| table.columns.len());
                let kept = check.kept.take().filter(|form| form.roles.len() == columns);
                check.form = kept.map_or_else(|| CheckForm::of(columns), |form| *form);
            }
            let opened = check.part_mut(part);
            opened.table = Some(Rc::new(*table));
            // Who changes how a table is read stays there.
            let changed = opened.attempt.as_ref().and_then(|attempt| attempt.changed);
            if let Some(to) = changed.or_else(|| (part == CheckedTable::Published).then_some("check-opened"))
            {
                attend(state, to);
            }
            state.check.busy = state.check.reads();
        }
        CheckAction::Naming(column, Some(file)) => {
            check.trees.retain(|tree| tree.column != column);
            check.trees.push(Tree { column, file, values: None });
            (check.busy, check.found) = (true, None);
        }
        CheckAction::Naming(column, None) => {
            check.trees.retain(|tree| tree.column != column);
            (check.busy, check.found) = (true, None);
        }
        CheckAction::Tree(column, values) => {
            if let Some(tree) = check.trees.iter_mut().find(|tree| tree.column == column) {
                tree.values = Some(values);
            }
            check.busy = check.reads();
        }
        CheckAction::Edit(form) => {
            check.edits.note(&check.form, &form);
            (check.form, check.found) = (*form, None);
        }
        CheckAction::Undo => {
            if check.edits.undo(&mut check.form) {
                check.found = None;
            }
        }
        CheckAction::Redo => {
            if check.edits.redo(&mut check.form) {
                check.found = None;
            }
        }
        CheckAction::Browse(action) => browse::reduce(&mut check.browse, 0, action),
        CheckAction::Started => (check.busy, check.found) = (true, None),
        CheckAction::Done(found) => {
            // A file that the engine could not be asked to read is not waited for.
            for part in CheckedTable::ALL {
                let part = check.part_mut(part);
                part.attempt = part.attempt.take().filter(|_| part.table.is_some());
            }
            check.trees.retain(|tree| tree.values.is_some());
            (check.busy, check.found) = (false, Some(Rc::new(*found)));
            attend(state, FOUND);
        }
        CheckAction::Stopped(form) => check.kept = Some(form),
    }
}

/// The engine is started anew, and has forgotten what it had read.
pub(super) fn forget(state: &mut State) {
    let CheckState { shown, tables, .. } = state.check;
    state.check = CheckState { shown, tables: tables.wrapping_add(1), ..CheckState::default() };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{
        Action, reduce,
        tests::{described, table},
    };

    #[test]
    fn a_check_that_was_stopped_keeps_its_fields() {
        let after =
            |state, actions: Vec<CheckAction>| actions.into_iter().map(Action::Check).fold(state, reduce);
        let opening =
            |part| CheckAction::Opening(part, Source { name: String::from("out.csv"), ..Source::default() });
        let opened = |part| CheckAction::Opened(part, Box::new(Ok(table())));
        let (published, original) = (CheckedTable::Published, CheckedTable::Original);
        let state = after(described(), vec![opening(published), opened(published)]);
        let form = CheckForm { k: String::from("7"), ..state.check.form.clone() };
        let again = |form: CheckForm| {
            let stopped = CheckAction::Stopped(Box::new(form));
            after(state.clone(), vec![CheckAction::Started, opening(published), opening(original), stopped])
        };
        let read = after(again(form.clone()), vec![opened(published)]);
        assert_eq!((&read.check.form, read.check.busy), (&form, true), "the original is still being read");
        let read = after(read, vec![opened(original)]);
        assert!(!read.check.busy && read.check.found.is_none());
        // Fields of another table are not this one's.
        let other = after(again(CheckForm::of(5)), vec![opened(published)]);
        assert_eq!(other.check.form, CheckForm::of(2));
    }

    #[test]
    fn a_file_that_cannot_be_asked_for_is_not_waited_for() {
        let opening = |part| Action::Check(CheckAction::Opening(part, Source::default()));
        let opened = Action::Check(CheckAction::Opened(CheckedTable::Published, Box::new(Ok(table()))));
        let failed = CheckAction::Done(Box::new(Err(Said::verbatim("no engine").into())));
        let actions = [
            opening(CheckedTable::Published),
            opened,
            opening(CheckedTable::Control),
            Action::Check(failed),
            Action::Check(CheckAction::Tree(String::from("age"), Ok(1))),
        ];
        let state = actions.into_iter().fold(described(), reduce);
        assert!(!state.check.busy && state.check.control == PartState::default());
    }
}
