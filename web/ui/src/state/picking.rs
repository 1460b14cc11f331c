//! The columns of a file that are chosen before it is read.

use std::collections::HashSet;

use super::{State, Work, reading, reduce::attend, replaced};

/// Columns that are being chosen, by their places in [`super::Attempt::form`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picking {
    /// Whether each is to be read.
    pub chosen: Vec<bool>,
    /// Those whose names hold this are listed.
    pub filter: String,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PickAction {
    /// The file that was to be read is large: its columns are to be chosen first.
    Offered,
    /// Other columns of the file that was read are to be chosen.
    Choose,
    /// Those with this in their names are listed.
    Filter(String),
    /// A column is to be read, or not.
    One(usize, bool),
    /// All that are listed are to be read, or none of them.
    Listed(bool),
    /// Nothing is read.
    GivenUp,
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: PickAction) {
    match action {
        PickAction::Offered if matches!(state.work, Work::Opening(_)) => {
            state.work = Work::Idle;
            replaced::failed(state);
            state.look.again = false;
            begin(state);
        }
        PickAction::Choose if !state.is_busy() => begin(state),
        PickAction::Offered | PickAction::Choose => {}
        PickAction::Filter(filter) => change(state, |picking, _| picking.filter = filter),
        PickAction::One(place, on) => change(state, |picking, _| {
            if let Some(chosen) = picking.chosen.get_mut(place) {
                *chosen = on;
            }
        }),
        PickAction::Listed(on) => change(state, |picking, listed| {
            for place in listed {
                picking.chosen[place] = on;
            }
        }),
        PickAction::GivenUp => {
            if state.picking.take().is_some() {
                reading::restore(state);
            }
        }
    }
}

/// Those that were chosen before are chosen.
fn begin(state: &mut State) {
    let Some(attempt) = &state.attempt else { return };
    let Some(form) = attempt.form.as_ref().filter(|form| !form.columns.is_empty()) else { return };
    let before: HashSet<&String> = attempt.source.how.columns.iter().flatten().collect();
    let chosen = form.columns.iter().map(|column| before.contains(&column.name)).collect();
    state.picking = Some(Picking { chosen, filter: String::new() });
    attend(state, "pick-columns");
}

/// `change` gets the places that are listed, of columns that can be read.
fn change(state: &mut State, change: impl FnOnce(&mut Picking, Vec<usize>)) {
    let form = state.attempt.as_ref().and_then(|attempt| attempt.form.clone());
    let is_readable = |place: &usize| form.iter().all(|form| !form.columns[*place].unreadable);
    let listed: Vec<usize> = state.pickable().into_iter().filter(is_readable).collect();
    if let Some(picking) = &mut state.picking {
        change(picking, listed);
    }
}

impl State {
    /// The places of the columns that are listed.
    #[must_use]
    pub fn pickable(&self) -> Vec<usize> {
        let form = self.attempt.as_ref().and_then(|attempt| attempt.form.as_ref());
        let (Some(picking), Some(form)) = (&self.picking, form) else { return Vec::new() };
        let wanted = picking.filter.trim().to_lowercase();
        let columns = form.columns.iter().take(picking.chosen.len()).enumerate();
        columns
            .filter(|(_, column)| column.name.to_lowercase().contains(&wanted))
            .map(|(place, _)| place)
            .collect()
    }

    /// The names of the columns that are to be read.
    #[must_use]
    pub fn picked(&self) -> Vec<String> {
        let form = self.attempt.as_ref().and_then(|attempt| attempt.form.as_ref());
        let (Some(picking), Some(form)) = (&self.picking, form) else { return Vec::new() };
        let columns = form.columns.iter().zip(&picking.chosen);
        columns.filter(|(_, chosen)| **chosen).map(|(column, _)| column.name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use lookalike_wire::opening::{FileColumn, Form, Opening};
    use lookalike_words::Said;

    use super::*;
    use crate::state::{Action, Source, reduce, tests::solved};

    fn offered(before: State, columns: Option<Vec<String>>) -> State {
        let how = Opening { columns, ..Opening::default() };
        let state = reduce(before, Action::Opening(Source { name: "wide.parquet".into(), bytes: 1e8, how }));
        let column = |name: &str| FileColumn {
            name: name.into(),
            of: Said::verbatim("text"),
            unreadable: name == "zones",
        };
        let columns = ["age", "Zip", "zone", "zones"].map(column).to_vec();
        let state = reduce(state, Action::Found(Form { columns, ..Form::default() }));
        reduce(state, Action::Pick(PickAction::Offered))
    }

    fn act(state: State, action: PickAction) -> State {
        reduce(state, Action::Pick(action))
    }

    #[test]
    fn columns_are_chosen_one_by_one_or_as_they_are_listed() {
        let state = offered(State::default(), None);
        assert!(!state.is_busy() && state.picked().is_empty());
        assert_eq!((state.pickable(), state.attention.id.as_ref()), (vec![0, 1, 2, 3], "pick-columns"));
        let state = act(act(state, PickAction::One(0, true)), PickAction::Filter(" Z".into()));
        assert_eq!(state.pickable(), [1, 2, 3]);
        // What has no text is not chosen with the others.
        let all = act(state, PickAction::Listed(true));
        assert_eq!(all.picked(), ["age", "Zip", "zone"]);
        let some = act(act(all, PickAction::Listed(false)), PickAction::One(9, true));
        assert_eq!(some.picked(), ["age"]);
        // Reading begins: nothing is chosen any more.
        let reading = reduce(some, Action::Opening(Source::default()));
        assert_eq!((reading.picking.clone(), act(reading, PickAction::Offered).picking), (None, None));
    }

    #[test]
    fn those_that_were_read_are_chosen_and_nothing_changes_if_it_is_given_up() {
        let begun = solved();
        let state = offered(begun.clone(), Some(vec!["zone".into(), "gone".into()]));
        assert_eq!(state.picked(), ["zone"]);
        let back = act(state, PickAction::GivenUp);
        assert_eq!((&back.table, &back.source, &back.attempt), (&begun.table, &begun.source, &begun.attempt));
        assert_eq!((back.picking, back.results), (None, begun.results));
        // A file without columns to choose from has none.
        assert_eq!(act(solved(), PickAction::Choose).picking, None);
    }
}
