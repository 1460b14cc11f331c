//! Work that outlives a reload of the tab, by consent: the table's file, how it is read, roles and settings. A result does not.

use super::{Kept, State, replaced};
use crate::texts::Words;

/// Whether the work outlives a reload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keeping {
    /// It does.
    pub on: bool,
    /// It came back, and nothing was made of it yet.
    pub is_back: bool,
    /// Why it does not.
    pub refused: Option<Words>,
    /// It is coming back.
    coming: bool,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum KeepAction {
    /// Work is kept from now on, or no more.
    On(bool),
    /// This was kept; its file is about to be read.
    Back(Box<Kept>),
    /// The browser does not keep it, or does not give it back.
    Refused(Words),
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: KeepAction) {
    match action {
        KeepAction::On(on) => state.keeping = Keeping { on, ..Keeping::default() },
        KeepAction::Back(mut kept) => {
            kept.sent.append(&mut state.sent);
            state.sent = std::mem::take(&mut kept.sent);
            state.keeping = Keeping { on: true, coming: true, ..Keeping::default() };
            replaced::recalled(state, *kept);
        }
        KeepAction::Refused(why) => state.keeping = Keeping { refused: Some(why), ..Keeping::default() },
    }
}

/// A table was opened; `back` if what was said of it came back with it.
pub(super) fn opened(state: &mut State, back: bool) {
    state.keeping.is_back = std::mem::take(&mut state.keeping.coming) && back;
}

impl State {
    /// What is to be kept, if anything is.
    #[must_use]
    pub fn to_keep(&self) -> Option<Kept> {
        if self.keeping.on { replaced::kept(self) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::sent::Sent;

    use super::*;
    use crate::state::{
        Action, Source, reduce,
        tests::{described, table},
    };

    fn keep(state: State, action: KeepAction) -> State {
        reduce(state, Action::Keep(action))
    }

    fn open(state: State, kept: &Kept) -> State {
        let source = Source { name: kept.name.clone(), how: kept.how.clone(), ..Source::default() };
        reduce(reduce(state, Action::Opening(source)), Action::Opened(table()))
    }

    #[test]
    fn nothing_is_kept_without_consent() {
        assert_eq!(described().to_keep(), None);
        let on = keep(described(), KeepAction::On(true));
        assert!(on.to_keep().is_some());
        assert_eq!(keep(on.clone(), KeepAction::On(false)).to_keep(), None);
        let refused = keep(on, KeepAction::Refused("full".into()));
        assert!(refused.to_keep().is_none() && refused.keeping.refused.is_some());
        assert_eq!(keep(State::default(), KeepAction::On(true)).to_keep(), None, "there is no table");
    }

    #[test]
    fn what_was_kept_comes_back_with_its_file() {
        let begun = keep(described(), KeepAction::On(true));
        let kept = begun.to_keep().unwrap();
        let reloaded = keep(State::default(), KeepAction::Back(Box::new(kept.clone())));
        assert_eq!(reloaded.to_keep(), None, "it is not there yet");
        let back = open(reloaded, &kept);
        assert_eq!((&back.choices, &back.form), (&begun.choices, &begun.form));
        assert!(back.keeping.on && back.keeping.is_back);
        assert_eq!(back.to_keep(), Some(kept.clone()));
        // Another table is not what came back.
        assert!(!open(back, &kept).keeping.is_back);
    }

    #[test]
    fn what_was_sent_is_said_again_after_a_reload() {
        let sent = |at: &str| Sent::one(String::from("http://w:8080"), at.to_owned(), 1000);
        let (first, second) = (sent("2026-05-01T14:02:22Z"), sent("2026-05-01T15:00:00Z"));
        let state = reduce(keep(described(), KeepAction::On(true)), Action::Sent(first.clone()));
        let kept = state.to_keep().unwrap();
        let reloaded = keep(State::default(), KeepAction::Back(Box::new(kept.clone())));
        // It was sent whether or not the file can be read again.
        assert_eq!(crate::lines::requests(&reloaded), "1 job sent to w:8080: 1.0 kB at 14:02 UTC");
        let back = open(reloaded, &kept);
        let again = reduce(back, Action::Sent(second.clone()));
        assert_eq!(again.sent, [first, second]);
        assert_eq!(again.to_keep().unwrap().sent, again.sent);
    }

    #[test]
    fn nothing_comes_back_in_place_of_another_table() {
        let mut kept = keep(described(), KeepAction::On(true)).to_keep().unwrap();
        kept.name = String::from("b.csv");
        let state = keep(State::default(), KeepAction::Back(Box::new(kept.clone())));
        let source = Source { name: kept.name.clone(), ..Source::default() };
        let state = reduce(state, Action::Opening(source));
        let state = reduce(state, Action::Failed("gone".into()));
        let back = open(state, &kept);
        assert!(!back.keeping.is_back && back.choices != described().choices);
    }
}
