//! The table that another one took the place of: what was said of it comes back with its file.

use super::{Source, State};
use crate::form::{Choice, Form};

/// The table before the open one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replaced {
    before: Option<Kept>,
    /// It is being read again.
    coming: bool,
}

/// What was said of a table.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    name: String,
    columns: Vec<String>,
    choices: Vec<Choice>,
    form: Form,
}

impl Replaced {
    /// The name of the table that can be brought back.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.before.as_ref().map(|kept| kept.name.as_str())
    }
}

/// This takes the place of the open table, unless it is the same read in the same way.
pub(super) fn note(state: &mut State, by: &Source) {
    if state.replaced.coming {
        return;
    }
    let (Some(table), Some(source)) = (&state.table, &state.source) else { return };
    if source == by {
        return;
    }
    state.replaced.before = Some(Kept {
        name: source.name.clone(),
        columns: table.columns.iter().map(|column| column.name.clone()).collect(),
        choices: state.choices.clone(),
        form: state.form.clone(),
    });
}

/// The table before is to come back.
pub(super) fn wanted(state: &mut State) {
    state.replaced.coming = state.replaced.before.is_some();
}

/// It cannot be read.
pub(super) fn failed(state: &mut State) {
    state.replaced.coming = false;
}

/// A table with these columns was opened: if it is the one that is to come back, so does what was said of it.
pub(super) fn bring_back(state: &mut State, columns: &[String]) {
    if !std::mem::take(&mut state.replaced.coming) {
        return;
    }
    if let Some(kept) = state.replaced.before.take_if(|kept| kept.columns == columns) {
        (state.choices, state.form) = (kept.choices, kept.form);
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::info::TableInfo;

    use crate::{
        form::Role,
        state::{
            Action, Source, State, reduce,
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
        assert_eq!(begun.replaced.name(), None);
        let name = begun.source.clone().unwrap().name;
        let replaced = open(begun.clone(), "b.csv", other());
        assert_eq!(replaced.replaced.name(), Some(name.as_str()));
        assert!(replaced.choices.iter().all(|choice| choice.role == Role::NotPublished));
        let back = open(reduce(replaced, Action::BringBack), &name, table());
        assert_eq!((&back.choices, &back.form), (&begun.choices, &begun.form));
        assert_eq!(back.replaced.name(), None);
    }

    #[test]
    fn the_same_file_read_anew_replaces_nothing() {
        let begun = described();
        let source = begun.source.clone().unwrap();
        let again = reduce(reduce(begun, Action::Opening(source.clone())), Action::Opened(table()));
        assert_eq!(again.replaced.name(), None);
        assert_eq!(again.choices, described().choices);
        // Another file with the same columns keeps the roles, and the one before can come back.
        let next = open(again, "next.csv", table());
        assert_eq!((next.replaced.name(), &next.choices), (Some(source.name.as_str()), &described().choices));
    }

    #[test]
    fn a_file_that_cannot_be_read_again_brings_nothing_back() {
        let state = reduce(open(described(), "b.csv", other()), Action::BringBack);
        let state = reduce(state, Action::Opening(described().source.unwrap()));
        let state = open(reduce(state, Action::Failed("gone".into())), "c.csv", table());
        assert!(state.choices.iter().all(|choice| choice.role == Role::NotPublished));
    }
}
