//! Undo and redo over what is said of the columns and the guarantee.

use super::{Action, LookAction, SeriesAction, SeriesKind, State, WeightsAction, series};
use crate::form::{Choice, Form};

/// Steps that can be undone.
const KEPT: usize = 100;

/// What can be undone and redone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits {
    done: Vec<Snapshot>,
    undone: Vec<Snapshot>,
    /// Where somebody types or draws: what is done there in one go is one step.
    going: Option<Going>,
}

/// All that can be undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Snapshot {
    choices: Vec<Choice>,
    form: Form,
    series: SeriesKind,
}

/// Where somebody types or draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Going {
    /// In a field for text: of a column, by its place, or of the form.
    Typed { column: Option<usize>, field: usize },
    /// At the weight of a column, which moves the others.
    Weight(usize),
}

impl Edits {
    /// Whether there is anything to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Whether there is anything to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}

/// What to come back to, if the action is a step.
pub(super) fn before(state: &State, action: &Action) -> Option<Snapshot> {
    let step = matches!(
        action,
        Action::SetRole(..)
            | Action::Accept
            | Action::Answer(_)
            | Action::Secret(_)
            | Action::NoSecret
            | Action::WithoutSecret(_)
            | Action::EditColumn(..)
            | Action::Take(..)
            | Action::Bulk(_)
            | Action::Weights(_)
            | Action::MoveValue(_)
            | Action::Hierarchy(..)
            | Action::Values(..)
            | Action::Configured(_)
            | Action::Edit(_)
            | Action::Series(SeriesAction::Kind(_))
            | Action::Look(LookAction::Back(_))
    );
    step.then(|| snapshot(state))
}

/// What an action draws at, if at anything.
pub(super) fn moved(action: &Action) -> Option<Going> {
    match action {
        Action::Weights(WeightsAction::Move(column, _)) => Some(Going::Weight(*column)),
        _ => None,
    }
}

/// What the fields are.
pub(super) fn snapshot(state: &State) -> Snapshot {
    Snapshot { choices: state.choices.clone(), form: state.form.clone(), series: state.series.kind }
}

/// Notes a step, if it was one.
pub(super) fn note(state: &mut State, before: Snapshot, moved: Option<Going>) {
    let now = snapshot(state);
    if now == before {
        return;
    }
    let going = moved.or_else(|| typed(&before, &now));
    let edits = &mut state.edits;
    if going.is_none() || going != edits.going {
        edits.done.push(before);
        if edits.done.len() > KEPT {
            edits.done.remove(0);
        }
    }
    edits.going = going;
    edits.undone.clear();
    state.replaced.step();
}

/// Takes the last step back.
pub(super) fn undo(state: &mut State) {
    if let Some(earlier) = state.edits.done.pop() {
        let now = restored(state, earlier);
        state.edits.undone.push(now);
    }
}

/// Takes the last undoing back.
pub(super) fn redo(state: &mut State) {
    if let Some(later) = state.edits.undone.pop() {
        let now = restored(state, later);
        state.edits.done.push(now);
    }
}

/// Puts back what was; gives what is.
pub(super) fn restored(state: &mut State, snapshot: Snapshot) -> Snapshot {
    let Snapshot { choices, form, series } = snapshot;
    state.edits.going = None;
    Snapshot {
        choices: std::mem::replace(&mut state.choices, choices),
        form: std::mem::replace(&mut state.form, form),
        series: series::restored(&mut state.series, series),
    }
}

/// The only field for text that differs, if nothing else does.
fn typed(before: &Snapshot, now: &Snapshot) -> Option<Going> {
    let mut found = Vec::new();
    let mut patched = before.clone();
    let pairs = patched.choices.iter_mut().zip(&now.choices);
    for (column, (old, new)) in pairs.enumerate() {
        differ(Some(column), of_choice(old), of_choice(&mut new.clone()), &mut found);
    }
    differ(None, of_form(&mut patched.form), of_form(&mut now.form.clone()), &mut found);
    // With the texts put in, all must be equal.
    match found[..] {
        [typed] if patched == *now => Some(typed),
        _ => None,
    }
}

/// Puts the new texts into the old ones, and finds the fields that differ.
fn differ<const N: usize>(
    column: Option<usize>,
    old: [&mut String; N],
    new: [&mut String; N],
    found: &mut Vec<Going>,
) {
    for (field, (old, new)) in old.into_iter().zip(new).enumerate() {
        if old != new {
            found.push(Going::Typed { column, field });
            old.clone_from(new);
        }
    }
}

fn of_choice(choice: &mut Choice) -> [&mut String; 6] {
    [
        &mut choice.bottom,
        &mut choice.top,
        &mut choice.weight,
        &mut choice.domain,
        &mut choice.width,
        &mut choice.labels,
    ]
}

fn of_form(form: &mut Form) -> [&mut String; 17] {
    let (search, changes) = (&mut form.search, &mut form.changes);
    [
        &mut form.m,
        &mut form.k,
        &mut form.markers,
        &mut form.seed,
        &mut search.effort,
        &mut search.seconds,
        &mut search.blocks,
        &mut search.stop_gap,
        &mut search.price,
        &mut search.limit,
        &mut changes.prefer,
        &mut changes.add,
        &mut changes.add_growth,
        &mut changes.delete_cost,
        &mut changes.delete_growth,
        &mut changes.add_of,
        &mut changes.delete_of,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        form::Role,
        state::{reduce, tests::described},
    };

    fn with_m(state: &State, m: &str) -> Action {
        Action::Edit(Box::new(Form { m: m.to_owned(), ..state.form.clone() }))
    }

    fn forget(state: State) -> State {
        State { edits: Edits::default(), ..state }
    }

    #[test]
    fn steps_are_undone_and_redone_in_order() {
        let begun = forget(described());
        assert!(!begun.edits.can_undo() && !begun.edits.can_redo());
        let one = reduce(begun.clone(), Action::SetRole(0, Role::Keep));
        let two = reduce(one.clone(), with_m(&one, "4"));
        let back = reduce(two.clone(), Action::Undo);
        assert_eq!((&back.choices, &back.form), (&one.choices, &one.form));
        let back = reduce(back, Action::Undo);
        assert_eq!((&back.choices, &back.form), (&begun.choices, &begun.form));
        assert_eq!(reduce(back.clone(), Action::Undo).choices, begun.choices);
        let forth = reduce(reduce(back.clone(), Action::Redo), Action::Redo);
        assert_eq!((&forth.choices, &forth.form), (&two.choices, &two.form));
        // A new step leaves nothing to redo.
        let other = reduce(back, Action::SetRole(1, Role::Keep));
        assert!(!other.edits.can_redo() && other.edits.can_undo());
    }

    #[test]
    fn what_is_typed_in_one_field_is_one_step() {
        let mut state = forget(described());
        for m in ["", "1", "12"] {
            state = reduce(state.clone(), with_m(&state, m));
        }
        let changed = Form { k: String::from("7"), ..state.form.clone() };
        state = reduce(state, Action::Edit(Box::new(changed)));
        assert_eq!(state.edits.done.len(), 2);
        let state = reduce(reduce(state, Action::Undo), Action::Undo);
        assert_eq!((state.form.m.as_str(), state.form.k.as_str()), ("3", "5"));
    }

    #[test]
    fn what_changes_nothing_is_no_step() {
        let state = forget(described());
        let same = reduce(state.clone(), Action::SetRole(0, state.choices[0].role));
        assert!(!same.edits.can_undo());
    }
}
