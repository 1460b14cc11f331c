//! About what each number of the guarantee costs.

use std::{collections::BTreeMap, rc::Rc};

use lookalike_words::Said;

/// The estimates for the open table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EstimateState {
    /// Numbers that were asked for last, in the order in which they are answered.
    pub numbers: Vec<u32>,
    /// What is known by now; empty where roles or settings have changed since, until the engine has answered.
    pub found: Rc<BTreeMap<u32, Estimate>>,
}

/// About what a number costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Certainty penalty of a published cell, 0 to 1; or why there is no estimate.
    pub loss: Result<f64, Said>,
    /// Rows that it was made from.
    pub of_rows: usize,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum EstimateAction {
    /// These numbers are asked for, in place of others.
    Asked(Vec<u32>),
    /// About what a number costs.
    Found(u32, Estimate),
    /// The settings have changed: what was found says nothing any more.
    Forget,
}

impl EstimateState {
    /// Whether estimates are still to come, unless something has ended them.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.numbers.iter().any(|number| !self.found.contains_key(number))
    }
}

/// The state after an action.
pub(super) fn reduce(state: &mut EstimateState, action: EstimateAction) {
    match action {
        EstimateAction::Asked(numbers) => *state = EstimateState { numbers, ..EstimateState::default() },
        EstimateAction::Found(number, estimate) if state.numbers.contains(&number) => {
            Rc::make_mut(&mut state.found).insert(number, estimate);
        }
        EstimateAction::Found(..) => {}
        EstimateAction::Forget => *state = EstimateState::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{
        Action, State, reduce,
        tests::{described, table},
    };

    fn estimate(state: State, action: EstimateAction) -> State {
        reduce(state, Action::Estimate(action))
    }

    #[test]
    fn estimates_belong_to_the_question_that_was_asked_last() {
        let found = |number, loss| EstimateAction::Found(number, Estimate { loss: Ok(loss), of_rows: 60 });
        let state = estimate(described(), EstimateAction::Asked(vec![2, 3]));
        assert!(state.estimate.is_waiting());
        let state = estimate(estimate(state, found(2, 0.1)), found(4, 0.4));
        assert_eq!(state.estimate.found.keys().collect::<Vec<_>>(), [&2]);
        let state = estimate(state, found(3, 0.2));
        assert!(!state.estimate.is_waiting());
        // Another question; another table.
        let again = estimate(state.clone(), EstimateAction::Asked(vec![3]));
        assert!(again.estimate.found.is_empty() && again.estimate.is_waiting());
        assert_eq!(estimate(state.clone(), EstimateAction::Forget).estimate, EstimateState::default());
        let source = state.source.clone().unwrap();
        let state = [Action::Opening(source), Action::Opened(table())].into_iter().fold(state, reduce);
        assert_eq!(state.estimate, EstimateState::default());
    }
}
