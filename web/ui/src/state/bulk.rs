//! Several columns at once: which are chosen, and what is said of all of them in one step.

use std::collections::BTreeSet;

use lookalike_model::settings::{Kind, MissingPolicy, Publish};

use super::State;
use crate::form::{Choice, Decided, Role};

/// The chosen columns, and what is to be said of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bulk {
    /// Their places.
    pub chosen: BTreeSet<usize>,
    /// What is to be said.
    pub form: BulkForm,
}

/// Something that is to be said of several columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Said<T> {
    /// Each stays what it is.
    #[default]
    Nothing,
    /// This; `None` is what the page does without being told.
    This(Option<T>),
}

impl<T: Clone> Said<T> {
    fn apply(&self, to: &mut Option<T>) {
        if let Self::This(what) = self {
            to.clone_from(what);
        }
    }
}

/// What is to be said of several columns; an empty text leaves them what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BulkForm {
    /// What they are for.
    pub role: Option<Role>,
    /// What their cells are, if not what they look like.
    pub kind: Said<Kind>,
    /// What happens to rows without them, if not what happens to others.
    pub missing: Said<MissingPolicy>,
    /// How they are published, if not like the others.
    pub publish: Said<Publish>,
    /// What each counts in the loss, as it was typed.
    pub weight: String,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum BulkAction {
    /// A column is chosen, or no more.
    Choose(usize, bool),
    /// All columns are chosen, or none.
    ChooseAll(bool),
    /// The fields were edited.
    Edit(BulkForm),
    /// The fields are said of all chosen columns.
    Apply,
}

impl BulkForm {
    fn apply(&self, choice: &mut Choice) {
        if let Some(role) = self.role {
            (choice.role, choice.decided) = (role, Decided::User);
        }
        self.kind.apply(&mut choice.kind);
        self.missing.apply(&mut choice.missing);
        self.publish.apply(&mut choice.publish);
        if !self.weight.trim().is_empty() {
            choice.weight.clone_from(&self.weight);
        }
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: BulkAction) {
    match action {
        BulkAction::Choose(at, true) if at < state.choices.len() => {
            state.bulk.chosen.insert(at);
        }
        BulkAction::Choose(at, _) => {
            state.bulk.chosen.remove(&at);
        }
        // Those that a filter leaves: nobody changes columns that are not seen.
        BulkAction::ChooseAll(true) => state.bulk.chosen.extend(state.listed()),
        BulkAction::ChooseAll(false) => {
            for place in state.listed() {
                state.bulk.chosen.remove(&place);
            }
        }
        BulkAction::Edit(form) => state.bulk.form = form,
        BulkAction::Apply => {
            for &at in &state.bulk.chosen {
                if let Some(choice) = state.choices.get_mut(at) {
                    state.bulk.form.apply(choice);
                }
            }
            state.bulk.form = BulkForm::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, ViewAction, reduce, tests::described};

    fn after(state: State, actions: impl IntoIterator<Item = BulkAction>) -> State {
        actions.into_iter().map(Action::Bulk).fold(state, reduce)
    }

    #[test]
    fn all_chosen_columns_get_what_is_said_in_one_step() {
        let begun = described();
        let form = BulkForm {
            role: Some(Role::Keep),
            publish: Said::This(Some(Publish::Set)),
            weight: String::from("0.5"),
            ..BulkForm::default()
        };
        let state = after(begun.clone(), [BulkAction::ChooseAll(true), BulkAction::Edit(form)]);
        assert_eq!(state.choices, begun.choices);
        let state = after(state, [BulkAction::Apply]);
        assert!(state.choices.iter().all(|c| c.role == Role::Keep && c.publish == Some(Publish::Set)));
        assert!(state.choices.iter().all(|c| c.weight == "0.5" && c.kind.is_none()));
        // The fields are empty again, the columns stay chosen; one undoing takes all of it back.
        assert_eq!((state.bulk.form.clone(), state.bulk.chosen.len()), (BulkForm::default(), 2));
        assert_eq!(reduce(state, Action::Undo).choices, begun.choices);
    }

    #[test]
    fn all_columns_are_those_that_the_filter_leaves() {
        let filter = |state, text: &str| reduce(state, Action::View(ViewAction::Filter(text.to_owned())));
        let name = described().table.unwrap().columns[1].name.clone();
        let state = after(filter(described(), &name), [BulkAction::ChooseAll(true)]);
        assert_eq!(state.bulk.chosen.iter().copied().collect::<Vec<_>>(), [1]);
        let state = after(filter(state, ""), [BulkAction::ChooseAll(true)]);
        assert_eq!(state.bulk.chosen.len(), 2);
        let state = after(filter(state, &name), [BulkAction::ChooseAll(false)]);
        assert_eq!(state.bulk.chosen.iter().copied().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn only_what_is_chosen_changes_and_only_in_what_is_said() {
        let form = BulkForm { role: Some(Role::Identifier), ..BulkForm::default() };
        let begun = described();
        let chosen = [BulkAction::Choose(1, true), BulkAction::Choose(9, true), BulkAction::Choose(0, true)];
        let state = after(begun.clone(), chosen);
        let state = after(state, [BulkAction::Choose(0, false), BulkAction::Edit(form), BulkAction::Apply]);
        assert_eq!(state.choices[0], begun.choices[0]);
        let named = Choice { role: Role::Identifier, decided: Decided::User, ..begun.choices[1].clone() };
        assert_eq!(state.choices[1], named);
        let none = after(state.clone(), [BulkAction::ChooseAll(false), BulkAction::Apply]);
        assert_eq!((none.choices, none.bulk.chosen.len()), (state.choices, 0));
    }
}
