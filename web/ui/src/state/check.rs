//! The view that checks a published table: what it knows and how that changes.

use std::rc::Rc;

use lookalike_wire::{check::Checked, page::TableInfo};

use super::State;
use crate::form::CheckForm;

/// The id of what was found.
const FOUND: &str = "checked";

/// Everything that the view knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckState {
    /// Whether it is seen instead of the six steps.
    pub shown: bool,
    /// The published table, or why it cannot be read.
    pub table: Option<Rc<Result<TableInfo, String>>>,
    /// Its file.
    pub file: String,
    /// The fields.
    pub form: CheckForm,
    /// File of the original.
    pub original: Option<String>,
    /// File that says which original row is in which class.
    pub classes: Option<String>,
    /// A check is under way.
    pub busy: bool,
    /// What was found, or why nothing was.
    pub found: Option<Rc<Result<Checked, String>>>,
}

/// What can happen in it.
#[derive(Clone, Debug)]
pub enum CheckAction {
    /// It is to be seen, or the six steps are.
    Show(bool),
    /// A file is being read.
    Opening(String),
    /// It was read, or not.
    Opened(Box<Result<TableInfo, String>>),
    /// The original was named.
    Original(String),
    /// classes.csv was named.
    Classes(String),
    /// The fields were edited.
    Edit(Box<CheckForm>),
    /// The table is being checked.
    Started,
    /// It was.
    Done(Box<Result<Checked, String>>),
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: CheckAction) {
    let check = &mut state.check;
    match action {
        CheckAction::Show(shown) => {
            if check.shown != shown {
                check.shown = shown;
                super::reduce::attend(state, if shown { "check" } else { "open" });
            }
        }
        CheckAction::Opening(file) => {
            *check = CheckState { shown: true, file, busy: true, ..CheckState::default() };
        }
        CheckAction::Opened(table) => {
            check.busy = false;
            let columns = table.as_ref().as_ref().map_or(0, |table| table.columns.len());
            check.form = CheckForm::of(columns);
            check.table = Some(Rc::new(*table));
        }
        CheckAction::Original(file) => (check.original, check.found) = (Some(file), None),
        CheckAction::Classes(file) => (check.classes, check.found) = (Some(file), None),
        CheckAction::Edit(form) => (check.form, check.found) = (*form, None),
        CheckAction::Started => (check.busy, check.found) = (true, None),
        CheckAction::Done(found) => {
            (check.busy, check.found) = (false, Some(Rc::new(*found)));
            super::reduce::attend(state, FOUND);
        }
    }
}
