//! A file that is being read: how far it is, and what there is when it is given up.

use super::{Attempt, State, Work, reduce::attend};

/// How far a file is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Bytes that were read.
    pub bytes: f64,
    /// Bytes that were fetched from it, wherever they stand.
    pub fetched: f64,
    /// It is given up; the engine may not have heard of it yet.
    pub cancelling: bool,
    /// What it is taken for is known: of this file, as it is read now.
    pub found: bool,
    /// What the open table was taken for: so it is again if the file is given up.
    of_table: Option<(Attempt, f64)>,
}

/// What can happen.
#[derive(Clone, Copy, Debug)]
pub enum ReadingAction {
    /// So many bytes were read by their places in the file, and so many were fetched.
    Read(f64, f64),
    /// It is given up; the engine may not have heard of it yet.
    Cancelling,
    /// It was given up, and nothing reads it any more.
    GivenUp,
}

/// A file is being read.
pub(super) fn begun(state: &mut State) {
    (state.reading.bytes, state.reading.fetched, state.reading.cancelling) = (0.0, 0.0, false);
    (state.picking, state.reading.found) = (None, false);
}

/// A table was read.
pub(super) fn opened(state: &mut State) {
    state.reading.of_table = state.attempt.clone().map(|attempt| (attempt, state.reading.fetched));
}

/// What was to be read is not: the open table is what was read last.
pub(super) fn restore(state: &mut State) {
    let of_table = state.reading.of_table.clone();
    (state.attempt, state.reading.fetched) =
        of_table.map_or((None, 0.0), |(attempt, fetched)| (Some(attempt), fetched));
    super::replaced::failed(state);
    attend(state, if state.table.is_some() { "opened" } else { "open" });
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: ReadingAction) {
    if !matches!(state.work, Work::Opening(_)) {
        return;
    }
    match action {
        ReadingAction::Read(bytes, fetched) => {
            (state.reading.bytes, state.reading.fetched) = (bytes, fetched);
            state.silence = 0;
        }
        ReadingAction::Cancelling => state.reading.cancelling = true,
        ReadingAction::GivenUp => {
            state.work = Work::Idle;
            restore(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{
        Action, Source, Way, reduce,
        tests::{described, solved, table},
    };

    fn opening(state: State, name: &str) -> State {
        reduce(state, Action::Opening(Source { name: name.to_owned(), ..Source::default() }))
    }

    fn act(state: State, action: ReadingAction) -> State {
        reduce(state, Action::Reading(action))
    }

    #[test]
    fn given_up_the_table_before_is_as_it_was() {
        let begun = solved();
        let reading = act(opening(begun.clone(), "large.csv"), ReadingAction::Read(7.0, 5.0));
        assert_eq!((reading.reading.bytes, reading.reading.fetched), (7.0, 5.0));
        let reading = act(reading, ReadingAction::Cancelling);
        assert!(reading.reading.cancelling && reading.is_busy());
        let back = act(reading, ReadingAction::GivenUp);
        assert_eq!((&back.table, &back.source, &back.choices), (&begun.table, &begun.source, &begun.choices));
        assert_eq!((&back.form, &back.results, &back.work), (&begun.form, &begun.results, &Work::Idle));
        assert_eq!(back.attention.id, "opened");
        // It does not count as replaced, and can be tried again.
        assert_eq!(back.replaced.name(Way::Back), None);
        assert_eq!(opening(back, "large.csv").reading.bytes, 0.0);
    }

    #[test]
    fn what_is_known_while_a_file_is_read_is_of_that_file() {
        let form = lookalike_wire::opening::Form::default();
        let found = reduce(opening(State::default(), "a.csv"), Action::Found(form));
        assert!(found.reading.found && found.attempt.as_ref().is_some_and(|attempt| attempt.form.is_some()));
        // The same file in another way, and another file.
        let open = reduce(found, Action::Opened(table()));
        assert!(["a.csv", "b.csv"].iter().all(|name| !opening(open.clone(), name).reading.found));
    }

    #[test]
    fn given_up_the_file_is_not_what_the_table_was_taken_for() {
        let open = reduce(opening(State::default(), "a.csv"), Action::Opened(table()));
        let back = act(opening(open.clone(), "b.csv"), ReadingAction::GivenUp);
        assert_eq!((back.attempt.as_ref(), back.attempt.is_some()), (open.attempt.as_ref(), true));
        let first = act(opening(State::default(), "a.csv"), ReadingAction::GivenUp);
        assert_eq!((first.attempt, first.attention.id.as_ref()), (None, "open"));
    }

    #[test]
    fn what_comes_too_late_changes_nothing() {
        let state = described();
        assert_eq!(act(state.clone(), ReadingAction::Read(7.0, 5.0)), state);
        assert_eq!(act(state.clone(), ReadingAction::GivenUp), state);
    }
}
