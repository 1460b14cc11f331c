//! The table that another one took the place of: what was said of it comes back with its file. Then the other one can come back,
//! too, as any step that was undone.

use lookalike_model::sent::Sent;
use lookalike_wire::opening::Opening;
use serde::{Deserialize, Serialize};

use super::{Edits, Source, State};
use crate::form::{Choice, Form};

/// The tables before and after the open one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replaced {
    before: Option<Kept>,
    after: Option<Kept>,
    /// One of them is being read again, and what it takes the place of.
    coming: Option<(Way, Option<Kept>)>,
}

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The one before.
    Back,
    /// The one after it, once that came back.
    Forth,
}

/// A table that can be brought back from its file, and what was said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// What the file is called.
    pub name: String,
    /// How it is read.
    pub how: Opening,
    columns: Vec<String>,
    choices: Vec<Choice>,
    form: Form,
    /// Jobs that were sent while the tab was open, whatever table they were of: a reload takes none of them back.
    #[serde(default)]
    pub(super) sent: Vec<Sent>,
    /// Its steps do not outlive a reload.
    #[serde(skip)]
    edits: Edits,
}

impl Replaced {
    /// The name of the table that can be brought back.
    #[must_use]
    pub fn name(&self, way: Way) -> Option<&str> {
        let kept = match way {
            Way::Back => &self.before,
            Way::Forth => &self.after,
        };
        kept.as_ref().map(|kept| kept.name.as_str())
    }

    /// Something else was done: what was undone before is not done again.
    pub(super) fn step(&mut self) {
        self.after = None;
    }
}

/// This takes the place of the open table, unless it is the same read in the same way.
pub(super) fn note(state: &mut State, by: &Source) {
    let leaves = leaving(state, by);
    if let Some((_, left)) = &mut state.replaced.coming {
        *left = leaves;
    } else if leaves.is_some() {
        (state.replaced.before, state.replaced.after) = (leaves, None);
        // Steps before it came are undone after it has gone again.
        state.edits = Edits::default();
    }
}

fn leaving(state: &State, by: &Source) -> Option<Kept> {
    kept(state).filter(|_| state.source.as_ref() != Some(by))
}

/// The open table, and what is said of it.
pub(super) fn kept(state: &State) -> Option<Kept> {
    let (table, source) = (state.table.as_ref()?, state.source.as_ref()?);
    Some(Kept {
        name: source.name.clone(),
        how: source.how.clone(),
        columns: table.columns.iter().map(|column| column.name.clone()).collect(),
        choices: state.choices.clone(),
        form: state.form.clone(),
        sent: state.sent.clone(),
        edits: state.edits.clone(),
    })
}

/// This is to come back.
pub(super) fn recalled(state: &mut State, kept: Kept) {
    state.replaced = Replaced { before: Some(kept), after: None, coming: Some((Way::Back, None)) };
}

/// One of them is to come back.
pub(super) fn wanted(state: &mut State, way: Way) {
    if state.replaced.name(way).is_some() {
        state.replaced.coming = Some((way, None));
    }
}

/// It cannot be read.
pub(super) fn failed(state: &mut State) {
    state.replaced.coming = None;
}

/// A table with these columns was opened: if it is the one that is to come back, so does what was said of it.
/// Whether it did.
pub(super) fn came(state: &mut State, columns: &[String]) -> bool {
    let replaced = &mut state.replaced;
    let Some((way, left)) = replaced.coming.take() else { return false };
    let came = match way {
        Way::Back => replaced.before.take(),
        Way::Forth => replaced.after.take(),
    };
    match way {
        Way::Back => replaced.after = left,
        Way::Forth => replaced.before = left,
    }
    let Some(kept) = came.filter(|kept| kept.columns == columns) else { return false };
    (state.choices, state.form, state.edits) = (kept.choices, kept.form, kept.edits);
    true
}

#[cfg(test)]
mod tests {
    use lookalike_model::info::TableInfo;

    use crate::{
        form::Role,
        state::{
            Action, Source, State, Way, reduce,
            tests::{described, table},
        },
    };

    fn open(state: State, name: &str, table: TableInfo) -> State {
        let source = Source { name: name.to_owned(), ..Source::default() };
        reduce(reduce(state, Action::Opening(source)), Action::Opened(table))
    }

    fn other() -> TableInfo {
        let mut other = table();
        other.columns[0].name = String::from("height");
        other
    }

    #[test]
    fn what_was_said_of_a_table_comes_back_with_it() {
        let begun = described();
        assert_eq!(begun.replaced.name(Way::Back), None);
        let name = begun.source.clone().unwrap().name;
        let replaced = open(begun.clone(), "b.csv", other());
        assert_eq!(replaced.replaced.name(Way::Back), Some(name.as_str()));
        assert!(replaced.choices.iter().all(|choice| choice.role == Role::NotPublished));
        let back = open(reduce(replaced, Action::Bring(Way::Back)), &name, table());
        assert_eq!((&back.choices, &back.form), (&begun.choices, &begun.form));
        assert_eq!(back.replaced.name(Way::Back), None);
    }

    #[test]
    fn the_table_that_replaced_it_comes_back_as_well() {
        let begun = described();
        let name = begun.source.clone().unwrap().name;
        let other_one = reduce(open(begun.clone(), "b.csv", other()), Action::SetRole(0, Role::Keep));
        let back = open(reduce(other_one.clone(), Action::Bring(Way::Back)), &name, table());
        assert_eq!(back.replaced.name(Way::Forth), Some("b.csv"));
        // Steps before the other table came can be undone as before.
        assert!(back.edits.can_undo() && reduce(back.clone(), Action::Undo).choices != begun.choices);
        let forth = open(reduce(back.clone(), Action::Bring(Way::Forth)), "b.csv", other());
        assert_eq!((&forth.choices, &forth.edits), (&other_one.choices, &other_one.edits));
        assert_eq!((forth.replaced.name(Way::Back), forth.replaced.name(Way::Forth)), (Some(&*name), None));
        // Whoever does something else has nothing to redo.
        let step = reduce(back, Action::SetRole(0, Role::Keep));
        assert_eq!(step.replaced.name(Way::Forth), None);
    }

    #[test]
    fn the_same_file_read_anew_replaces_nothing() {
        let begun = described();
        let source = begun.source.clone().unwrap();
        let again = reduce(reduce(begun, Action::Opening(source.clone())), Action::Opened(table()));
        assert_eq!(again.replaced.name(Way::Back), None);
        assert_eq!(again.choices, described().choices);
        // Another file with the same columns keeps the roles, and the one before can come back.
        let next = open(again, "next.csv", table());
        assert_eq!(
            (next.replaced.name(Way::Back), &next.choices),
            (Some(source.name.as_str()), &described().choices)
        );
        // It comes back before what was done to it is undone.
        assert!(!next.edits.can_undo());
    }

    #[test]
    fn a_file_that_cannot_be_read_again_brings_nothing_back() {
        let state = reduce(open(described(), "b.csv", other()), Action::Bring(Way::Back));
        let state = reduce(state, Action::Opening(described().source.unwrap()));
        let state = open(reduce(state, Action::Failed("gone".into())), "c.csv", table());
        assert!(state.choices.iter().all(|choice| choice.role == Role::NotPublished));
    }
}
