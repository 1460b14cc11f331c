//! Suggested roles, accepted as a whole: what was suggested and nothing else, and only where nobody has decided.

use lookalike_model::{info::ColumnInfo, settings::Role as Suggested};

use super::{State, columns, reduce::lead_on};
use crate::form::{Choice, Decided, ModelChoice, Role};

/// The role that is suggested for a column of which nobody has said anything.
#[must_use]
pub fn of(info: &ColumnInfo, choice: &Choice) -> Option<Role> {
    let suggestion = info.suggestion.as_ref().filter(|_| choice.decided == Decided::Nobody)?;
    Some(match suggestion.role {
        Suggested::Identifier => Role::Identifier,
        Suggested::QuasiIdentifier => Role::Quasi,
        Suggested::Sensitive => Role::Sensitive,
        Suggested::Keep => Role::Keep,
        Suggested::Unchanged => Role::Unchanged,
    })
}

impl State {
    /// The place and the role of each column that has an open suggestion.
    #[must_use]
    pub fn suggestions(&self) -> Vec<(usize, Role)> {
        let columns = self.table.iter().flat_map(|table| &table.columns).zip(&self.choices).enumerate();
        columns.filter_map(|(place, (info, choice))| Some((place, of(info, choice)?))).collect()
    }

    /// The columns of which it is asked whether they are the secret one: those that are suggested as such, while none is.
    #[must_use]
    pub fn perhaps_secret(&self) -> Vec<usize> {
        if self.choices.iter().any(|choice| choice.role == Role::Sensitive) {
            return Vec::new();
        }
        let secret = self.suggestions().into_iter().filter(|(_, role)| *role == Role::Sensitive);
        secret.map(|(place, _)| place).collect()
    }

    /// Those that are accepted together. One column can be protected: where several are suggested, or one is chosen, the user
    /// says which.
    #[must_use]
    pub fn acceptable(&self) -> Vec<(usize, Role)> {
        let mut all = self.suggestions();
        let chosen = self.choices.iter().filter(|choice| choice.role == Role::Sensitive).count();
        let suggested = all.iter().filter(|(_, role)| *role == Role::Sensitive).count();
        if chosen + suggested > 1 {
            all.retain(|(_, role)| *role != Role::Sensitive);
        }
        all
    }
}

/// None of the columns that may be secret is: they are not published.
pub(super) fn none_secret(state: &mut State) {
    for column in state.perhaps_secret() {
        columns::role(state, column, Role::NotPublished);
    }
    // m-invariance promises something of a secret column: without one, what is left is to hide each person among k.
    state.form.model = ModelChoice::KAnonymity;
    lead_on(state);
}

/// The secret columns are not published, and each person is hidden among `k` instead.
pub(super) fn without_secret(state: &mut State, k: u64) {
    let secret = state.choices.iter().enumerate().filter(|(_, choice)| choice.role == Role::Sensitive);
    for column in secret.map(|(column, _)| column).collect::<Vec<_>>() {
        columns::role(state, column, Role::NotPublished);
    }
    (state.form.model, state.form.k) = (ModelChoice::KAnonymity, k.to_string());
    lead_on(state);
}

/// Accepts the suggestions.
pub(super) fn accept(state: &mut State) {
    for (place, role) in state.acceptable() {
        if let Some(choice) = state.choices.get_mut(place) {
            (choice.role, choice.decided) = (role, Decided::AsSuggested);
        }
    }
    lead_on(state);
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::info::{Confidence, Suggestion};
    use lookalike_words::Said;

    use super::*;
    use crate::form::ModelChoice;
    use crate::state::{Action, reduce, tests::described};

    /// Two columns, for which these roles are suggested, and of which nobody has said anything.
    fn suggesting(roles: [Option<Suggested>; 2]) -> State {
        let mut state = described();
        let table = Rc::make_mut(state.table.as_mut().unwrap());
        for (column, role) in table.columns.iter_mut().zip(roles) {
            column.suggestion = role.map(|role| Suggestion {
                role,
                confidence: Confidence::High,
                reason: Said::verbatim("why"),
            });
        }
        state.choices = vec![Choice::default(); 2];
        state
    }

    #[test]
    fn what_was_suggested_is_accepted_in_one_step_and_nothing_else() {
        let begun = suggesting([Some(Suggested::QuasiIdentifier), None]);
        let state = reduce(begun.clone(), Action::Accept);
        assert_eq!((state.choices[0].role, state.choices[0].decided), (Role::Quasi, Decided::AsSuggested));
        assert_eq!(state.choices[1], Choice::default());
        assert!(state.suggestions().is_empty());
        assert_eq!(reduce(state, Action::Undo).choices, begun.choices);
    }

    #[test]
    fn what_somebody_has_decided_stays() {
        let begun = suggesting([Some(Suggested::QuasiIdentifier), Some(Suggested::Sensitive)]);
        let state = reduce(begun, Action::SetRole(0, Role::NotPublished));
        assert_eq!(state.suggestions(), [(1, Role::Sensitive)]);
        let state = reduce(state, Action::Accept);
        assert_eq!((state.choices[0].role, state.choices[1].role), (Role::NotPublished, Role::Sensitive));
    }

    #[test]
    fn whether_a_column_is_secret_is_asked_until_it_is_said() {
        let begun = suggesting([Some(Suggested::QuasiIdentifier), Some(Suggested::Sensitive)]);
        assert_eq!(begun.perhaps_secret(), [1]);
        // Said of it, accepted with the others, or answered with no: nothing is asked any more.
        let answered = |action| reduce(begun.clone(), action).perhaps_secret();
        assert!(answered(Action::Secret(1)).is_empty());
        assert!(answered(Action::Accept).is_empty());
        assert!(answered(Action::NoSecret).is_empty());
        // What is said of another column answers nothing, unless that one is the secret.
        assert_eq!(answered(Action::SetRole(0, Role::Quasi)), [1]);
        assert!(answered(Action::SetRole(0, Role::Sensitive)).is_empty());
        let neither = reduce(begun.clone(), Action::NoSecret);
        // Without a secret column m-invariance would be a question that nobody can answer.
        assert_eq!(
            (begun.form.model, neither.form.model),
            (ModelChoice::MInvariance, ModelChoice::KAnonymity)
        );
        assert_eq!(reduce(neither.clone(), Action::Undo).form.model, ModelChoice::MInvariance);
        // What is secret and cannot be hidden may be left out.
        let without = reduce(reduce(begun.clone(), Action::Secret(1)), Action::WithoutSecret(4));
        assert_eq!((without.form.model, without.form.k.as_str()), (ModelChoice::KAnonymity, "4"));
        assert_eq!(without.choices[1].role, Role::NotPublished);
        assert_eq!(reduce(without, Action::Undo).choices[1].role, Role::Sensitive);
        assert_eq!(
            (neither.choices[1].role, neither.choices[1].decided),
            (Role::NotPublished, Decided::User)
        );
        assert_eq!(
            (neither.suggestions(), reduce(neither, Action::Undo).perhaps_secret()),
            (vec![(0, Role::Quasi)], vec![1])
        );
    }

    #[test]
    fn of_several_columns_to_protect_the_user_chooses_one() {
        let both = suggesting([Some(Suggested::Sensitive), Some(Suggested::Sensitive)]);
        assert!(both.acceptable().is_empty());
        assert_eq!(reduce(both, Action::Accept).suggestions().len(), 2);
        let one = reduce(
            suggesting([Some(Suggested::Sensitive), Some(Suggested::Sensitive)]),
            Action::SetRole(0, Role::Sensitive),
        );
        assert!(one.acceptable().is_empty(), "one is chosen");
    }
}
