//! Weights of the quasi-identifiers, which sum to 1: whoever moves one makes the others larger or smaller in proportion.

use super::State;
use crate::{
    form::{Choice, Role},
    settings::weight,
};

/// Parts that make 1.
pub const WHOLE: u32 = 1000;

/// What can happen to the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsAction {
    /// Every quasi-identifier gets one, at first the same.
    Begin,
    /// None has one: all count alike.
    End,
    /// A column gets so many parts of [`WHOLE`], the others share the rest as they shared it before.
    Move(usize, u32),
    /// All are scaled so that they sum to 1.
    Scale,
}

/// The state after an action.
pub(super) fn reduce(state: &mut State, action: WeightsAction) {
    let quasi: Vec<usize> = places(&state.choices).collect();
    let now: Vec<f64> = quasi.iter().map(|&at| weight(&state.choices[at]).unwrap_or(0.0)).collect();
    let parts = match action {
        WeightsAction::Begin => divided(WHOLE, &vec![1.0; quasi.len()]),
        WeightsAction::Scale => divided(WHOLE, &now),
        WeightsAction::Move(column, to) => {
            let Some(moved) = quasi.iter().position(|&at| at == column) else { return };
            let to = if quasi.len() == 1 { WHOLE } else { to.min(WHOLE) };
            let mut others = now;
            others.remove(moved);
            let mut parts = divided(WHOLE - to, &others);
            parts.insert(moved, to);
            parts
        }
        WeightsAction::End => {
            for at in quasi {
                state.choices[at].weight.clear();
            }
            return;
        }
    };
    for (at, parts) in quasi.into_iter().zip(parts) {
        state.choices[at].weight = (f64::from(parts) / f64::from(WHOLE)).to_string();
    }
}

/// The places of the quasi-identifiers.
pub fn places(choices: &[Choice]) -> impl Iterator<Item = usize> + '_ {
    choices.iter().enumerate().filter(|(_, choice)| choice.role == Role::Quasi).map(|(at, _)| at)
}

/// Whole parts in proportion to these numbers, evenly if all are 0. What rounding down leaves goes to the largest remainders.
fn divided(parts: u32, by: &[f64]) -> Vec<u32> {
    let sum: f64 = by.iter().sum();
    let even = sum <= 0.0;
    let exact = |x: f64| {
        let share = if even { 1.0 / by.len() as f64 } else { x / sum };
        f64::from(parts) * share
    };
    let mut all: Vec<u32> = by.iter().map(|&x| exact(x) as u32).collect();
    let mut order: Vec<usize> = (0..by.len()).collect();
    let remainder = |at: usize| exact(by[at]).fract();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)));
    let left = parts.saturating_sub(all.iter().sum());
    for at in order.into_iter().cycle().take(left as usize) {
        all[at] += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::state::{Action, reduce, tests::described};

    fn with(weights: &[&str]) -> State {
        let choice =
            |weight: &&str| Choice { role: Role::Quasi, weight: (*weight).to_owned(), ..Choice::default() };
        State { choices: weights.iter().map(choice).collect(), ..State::default() }
    }

    fn after(state: State, action: WeightsAction) -> Vec<String> {
        let state = reduce(state, Action::Weights(action));
        state.choices.into_iter().map(|choice| choice.weight).collect()
    }

    #[test]
    fn the_others_keep_their_proportions() {
        let begun = with(&["0.5", "0.3", "0.2"]);
        assert_eq!(after(begun.clone(), WeightsAction::Move(0, 0)), ["0", "0.6", "0.4"]);
        assert_eq!(after(begun.clone(), WeightsAction::Move(1, 650)), ["0.25", "0.65", "0.1"]);
        assert_eq!(after(begun.clone(), WeightsAction::Move(1, 9999)), ["0", "1", "0"]);
        // From nothing the others get the same.
        assert_eq!(after(with(&["0", "1", "0"]), WeightsAction::Move(1, 500)), ["0.25", "0.5", "0.25"]);
        assert_eq!(after(with(&["", "", ""]), WeightsAction::Begin), ["0.334", "0.333", "0.333"]);
        assert_eq!(after(with(&["2", "1", "1"]), WeightsAction::Scale), ["0.5", "0.25", "0.25"]);
        assert_eq!(after(begun, WeightsAction::End), ["", "", ""]);
        assert_eq!(after(with(&["0.4"]), WeightsAction::Move(0, 100)), ["1"]);
    }

    #[test]
    fn only_quasi_identifiers_have_weights() {
        let mut state = with(&["0.5", "0.5", "0.9"]);
        state.choices[2].role = Role::Sensitive;
        assert_eq!(after(state.clone(), WeightsAction::Move(2, 100)), ["0.5", "0.5", "0.9"]);
        assert_eq!(after(state, WeightsAction::Move(0, 100)), ["0.1", "0.9", "0.9"]);
    }

    #[test]
    fn a_slider_that_is_drawn_is_one_step() {
        let mut state = described();
        state.choices[1].role = Role::Quasi;
        let begun = reduce(state, Action::Weights(WeightsAction::Begin));
        let mut state = begun.clone();
        for parts in [510, 600, 700] {
            state = reduce(state, Action::Weights(WeightsAction::Move(0, parts)));
        }
        state = reduce(state, Action::Weights(WeightsAction::Move(1, 100)));
        assert_eq!(state.choices[0].weight, "0.9");
        let back = reduce(state, Action::Undo);
        assert_eq!((back.choices[0].weight.as_str(), back.choices[1].weight.as_str()), ("0.7", "0.3"));
        assert_eq!(reduce(back, Action::Undo).choices, begun.choices);
    }

    proptest! {
        #[test]
        fn parts_sum_to_what_is_divided(parts in 0u32..=WHOLE, by in prop::collection::vec(0.0f64..5.0, 1..20)) {
            let divided = divided(parts, &by);
            prop_assert_eq!(divided.iter().sum::<u32>(), parts);
            let sum: f64 = by.iter().sum();
            for (part, x) in divided.into_iter().zip(by) {
                prop_assert!(sum == 0.0 || (f64::from(part) - f64::from(parts) * x / sum).abs() < 1.0 + 1e-9);
            }
        }

        #[test]
        fn moved_weights_sum_to_1(moves in prop::collection::vec((0usize..4, 0u32..=WHOLE), 1..30)) {
            let mut state = reduce(with(&["", "", "", ""]), Action::Weights(WeightsAction::Begin));
            for (column, parts) in moves {
                state = reduce(state, Action::Weights(WeightsAction::Move(column, parts)));
                let weights: Vec<f64> = state.choices.iter().map(|choice| weight(choice).unwrap()).collect();
                prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!((weights[column] - f64::from(parts) / f64::from(WHOLE)).abs() < 1e-9);
            }
        }
    }
}
