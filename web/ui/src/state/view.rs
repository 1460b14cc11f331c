//! What of the page is shown: sheets, the filter of the columns, what is being asked.

use super::{Bulk, Stake, State, reduce::attend};

/// What is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The expert settings.
    pub expert: bool,
    /// Only columns whose name has this are listed.
    pub filter: String,
    /// Several columns can be chosen and changed together.
    pub several: bool,
    /// Roles and settings are those of the table before, which had the same columns.
    pub taken_over: bool,
    /// The secret column whose conditions are in the fields; `None` for those of all.
    pub conditions_of: Option<String>,
    /// What is to be done although something would be lost: what becomes of that is being asked.
    pub asks: Option<Asks>,
}

/// What is asked before something is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asks {
    /// What waits for the answer.
    pub waits: Waits,
    /// Where the focus was, and goes back to.
    pub from: String,
    /// The user wants to discard a ledger, which needs a second yes.
    pub discards: bool,
}

/// What waits until it is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waits {
    /// A table of this name.
    Table(String),
    /// Another run.
    Run,
    /// Nothing any more: the page was to be left, and the user has stayed when the browser asked.
    Leaving,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum ViewAction {
    /// The expert settings are shown, or no more.
    Expert(bool),
    /// The chart of what every m costs, among the expert settings.
    Survey,
    /// Only columns whose name has this are listed.
    Filter(String),
    /// Several columns are chosen to be changed together, or no more.
    Several(bool),
    /// The conditions of this secret column are in the fields, or those of all.
    ConditionsOf(Option<String>),
    /// This is to be done although something would be lost; the focus is at the element of this id.
    Asks(Waits, String),
    /// The user wants to discard a ledger: that is asked once more.
    Discards,
    /// What waits is done.
    Answered,
    /// What waits is forgotten.
    Stayed,
}

impl State {
    /// The places of the columns that the filter leaves.
    #[must_use]
    pub fn listed(&self) -> Vec<usize> {
        let wanted = self.view.filter.trim().to_lowercase();
        let columns = self.table.iter().flat_map(|table| &table.columns).enumerate();
        let listed =
            columns.filter(|(_, column)| wanted.is_empty() || column.name.to_lowercase().contains(&wanted));
        listed.map(|(place, _)| place).collect()
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: ViewAction) {
    match action {
        ViewAction::Expert(open) => {
            state.view.expert = open;
            state.detail = None;
            attend(state, if open { "expert" } else { "expert-open" });
        }
        ViewAction::Survey => {
            state.view.expert = true;
            state.detail = None;
            attend(state, "survey");
        }
        ViewAction::Filter(filter) => state.view.filter = filter,
        ViewAction::Several(on) => {
            state.view.several = on;
            state.bulk = Bulk::default();
        }
        ViewAction::ConditionsOf(column) => state.view.conditions_of = column,
        // What is being asked stays; it would lose as much.
        ViewAction::Asks(Waits::Leaving, _) if state.view.asks.is_some() => {}
        ViewAction::Asks(waits, from) => {
            state.view.asks = Some(Asks { waits, from, discards: false });
            let first = if state.at_stake() == Some(Stake::Ledger) { "asks-ledger" } else { "asks-stay" };
            attend(state, first);
        }
        ViewAction::Discards => {
            if let Some(asks) = &mut state.view.asks {
                asks.discards = true;
            }
            attend(state, "asks-stay");
        }
        ViewAction::Answered => state.view.asks = None,
        ViewAction::Stayed => {
            if let Some(asks) = state.view.asks.take() {
                attend(state, asks.from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, BulkAction, reduce, tests::described};

    fn view(state: State, action: ViewAction) -> State {
        reduce(state, Action::View(action))
    }

    #[test]
    fn who_stays_is_back_where_the_question_came() {
        let asks = |waits, from: &str| ViewAction::Asks(waits, from.to_owned());
        let state = view(described(), asks(Waits::Table(String::from("b.csv")), "m"));
        assert_eq!(state.attention.id, "asks-stay");
        // The page was to be left while it asked: what it asks stays.
        let state = view(state, asks(Waits::Leaving, "asks-stay"));
        assert_eq!(state.view.asks.as_ref().map(|asks| &*asks.from), Some("m"));
        let state = view(state, ViewAction::Stayed);
        assert_eq!((state.view.asks, &*state.attention.id), (None, "m"));
    }

    #[test]
    fn one_sheet_is_shown_at_a_time() {
        let state = reduce(described(), Action::Detail(0));
        let state = view(state, ViewAction::Expert(true));
        assert!(state.view.expert && state.detail.is_none());
        let state = reduce(state, Action::Detail(0));
        assert!(!state.view.expert && state.detail.is_some());
        // Closed, the focus is where it was opened.
        let state = view(view(state, ViewAction::Expert(true)), ViewAction::Expert(false));
        assert_eq!(state.attention.id, "expert-open");
        let state = reduce(reduce(state, Action::Detail(0)), Action::Detail(0));
        assert_eq!(state.attention.id, "column-0");
    }

    #[test]
    fn nobody_changes_columns_that_are_not_seen_to_be_chosen() {
        let state = view(described(), ViewAction::Several(true));
        let state = reduce(state, Action::Bulk(BulkAction::ChooseAll(true)));
        assert_eq!(view(state, ViewAction::Several(false)).bulk, Bulk::default());
    }
}
