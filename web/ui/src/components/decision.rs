//! The decision on the right: what is open, who could be found as the file is, among how many each person is to be hidden, and the
//! button.

use lookalike_words::Message as _;
use yew::{Callback, Html, MouseEvent, html};

use super::{
    PageProps,
    fields::{Entries, Fields},
    look::{raw, runs},
    notice,
    numbers::numbers,
    offers::offers,
    questions::questions,
    series, solve,
};
use crate::{
    form::{ModelChoice, Role, RowsChoice, with_role},
    format::{count, list, odds, percent},
    settings::{OfColumn, conditions_asked},
    state::{Action, FailedAt, State, Told, ViewAction, Work},
    texts::{k, words},
};

const MODELS: Entries<ModelChoice> = &[
    ("m-invariance", k::PROTECT_M_INVARIANCE_FIRST_RELEASE, ModelChoice::MInvariance),
    ("k-anonymity", k::PROTECT_K_ANONYMITY, ModelChoice::KAnonymity),
];

/// The decision.
pub(crate) fn decision(props: &PageProps) -> Html {
    let state = &*props.state;
    let fields = Fields::of(props);
    let needs_change = state.change_needed().is_some();
    html! {
        <section class="pane decision-pane" aria-labelledby="protect">
            <div class="decide">
                <h2 id="protect" tabindex="-1">{ t!(PROTECT_PROTECTION) }</h2>
                { notice::failure(state, FailedAt::Solving) }
                { notice::nearest(props) }
                if !matches!(state.work, Work::Opening(_)) { { notice::scarce(state) } }
                { questions(props) }
                // Where a number needs a change, what can be done has the room.
                if !needs_change {
                    <h3>{ t!(PROTECT_WHAT_FILE_EXPOSES_AS) }</h3>
                    { raw(props) }
                }
                <fieldset class="plain" disabled={state.is_busy()}>
                    <legend class="unseen">{ t!(PROTECT_GUARANTEE) }</legend>
                    { guarantee(&fields, needs_change, state.offers_stand()) }
                    { offers(props) }
                    { numbers(props) }
                    if !needs_change { { guess(state) } }
                </fieldset>
                { series::choice(props) }
                { runs(props) }
            </div>
            <div class="act">
                { solve::start(props) }
                { expert(props) }
            </div>
        </section>
    }
}

/// The button to all other settings.
fn expert(props: &PageProps) -> Html {
    let dispatcher = props.state.dispatcher();
    let open = props.state.view.expert;
    let onclick =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Expert(!open))));
    html! {
        <button id="expert-open" type="button" class="quiet-button" aria-expanded={open.to_string()} aria-controls="expert" {onclick}>
            { t!(EXPERT_TITLE) }
        </button>
    }
}

/// The guarantee and its number; what it means is left out where there is no room. `offered`: what can be done about the number
/// stands below it.
fn guarantee(fields: &Fields, needs_change: bool, offered: bool) -> Html {
    let form = fields.form;
    let model = fields.menu(
        &fields.around("model", t!(PROTECT_GUARANTEE_2), ""),
        MODELS,
        form.model,
        |form, model| form.model = model,
    );
    let number = match form.model {
        ModelChoice::MInvariance => {
            let mut around = fields.around("m", t!(DECISION_HIDE_AMONG), "");
            // The offers below it say what is wrong, and what can be done.
            around.wrong.take_if(|_| offered && !around.marked);
            fields.text(&around, "numeric", &form.m, |form, m| form.m = m)
        }
        ModelChoice::KAnonymity => {
            fields.text(&fields.around("k", t!(DECISION_HIDE_AMONG), ""), "numeric", &form.k, |form, k| {
                form.k = k;
            })
        }
    };
    let meaning = match form.model {
        ModelChoice::MInvariance if form.rows_are == RowsChoice::OfPersons => {
            t!(PROTECT_EACH_CLASS_HOLDS_PERSONS)
        }
        ModelChoice::MInvariance => t!(PROTECT_EACH_CLASS_HOLDS_AT),
        ModelChoice::KAnonymity => t!(PROTECT_EACH_RECORD_SHARES_ITS),
    };
    html! {
        <>
            { model }
            <div class="number-field">{ number }</div>
            if !needs_change {
                <details class="more" id="guarantee-explained"><summary>{ t!(DECISION_WHAT_THAT_MEANS) }</summary><p class="hint">{ meaning }</p></details>
            }
        </>
    }
}

/// What may be guessed of the secret column once the table is out.
fn guess(state: &State) -> Html {
    let told = guessed(state);
    html! { if let Some(told) = told { <p id="guess">{ told }</p> } }
}

fn guessed(state: &State) -> Option<String> {
    let table = state.table.as_ref()?;
    // Of a condition that is not a number yet nothing can be said.
    let conditions = conditions_asked(&state.form, &with_role(table, &state.choices, Role::Sensitive))?;
    let asked = |(name, of): &OfColumn| {
        let asked: Vec<String> = of.iter().map(|of| words(&of.asked().said())).collect();
        (!asked.is_empty()).then(|| t!(DECISION_CONDITIONS, name = name, asked = asked.join("; ")))
    };
    let of_columns: Vec<String> = conditions.iter().filter_map(asked).collect();
    if !of_columns.is_empty() {
        return Some([of_columns, vec![String::from(t!(DECISION_CONDITIONS_LATER))]].concat().join(" "));
    }
    let name = &state.secret()?.name;
    if state.form.model == ModelChoice::KAnonymity {
        return Some(t!(DECISION_NOTHING_PROMISED, name = name));
    }
    let told = match state.told()? {
        told if told.is_certain() && matches!(told, Told::Known { .. }) => {
            t!(DECISION_GUESS_CERTAIN, name = name)
        }
        told if told.is_certain() => t!(DECISION_GUESS_CERTAIN_CHANGED, name = name),
        Told::OneIn(m) => t!(DECISION_GUESS, name = name, m = count(m)),
        Told::Known { known, m } => t!(DECISION_GUESS_KNOWN, name = name, known = count(known), m = count(m)),
        Told::Changed { sure, absent: true, .. } if sure >= 1.0 => t!(DECISION_GUESS_ABSENT, name = name),
        Told::Changed { sure, .. } => t!(DECISION_GUESS_CHANGED, name = name, odds = odds(sure)),
    };
    let as_is = with_role(table, &state.choices, Role::Unchanged);
    let unless = (!as_is.is_empty()).then(|| t!(DECISION_GUESS_UNLESS, names = list(&as_is)));
    let without = state.best_guess();
    let without = without
        .map(|(value, share)| t!(DECISION_GUESS_WITHOUT, value = value, share = percent(100.0 * share)));
    Some([Some(told), unless, without].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::settings::MissingPolicy;

    use super::*;
    use crate::{
        form::{ConditionField, Form},
        state::{reduce, tests::described},
    };

    fn with(state: &State, change: impl FnOnce(&mut Form)) -> State {
        let mut form = state.form.clone();
        change(&mut form);
        reduce(state.clone(), Action::Edit(Box::new(form)))
    }

    #[test]
    fn a_guess_is_as_sure_as_the_weakest_reading() {
        let state = described();
        assert!(guessed(&state).unwrap().contains("1 in 3"));
        assert!(guessed(&with(&state, |form| form.m = String::from("x"))).is_none());
        let k = with(&state, |form| form.model = ModelChoice::KAnonymity);
        assert!(guessed(&k).unwrap().starts_with("Nothing is promised"), "{:?}", guessed(&k));
        // With "not known" as a value it is one less, and with m = 2 nothing is left.
        let mut gaps = with(&state, |form| form.missing_sensitive = MissingPolicy::Value);
        let table = Rc::make_mut(gaps.table.as_mut().unwrap());
        let secret = gaps.choices.iter().position(|choice| choice.role == Role::Sensitive).unwrap();
        table.columns[secret].missing = 1;
        assert!(guessed(&gaps).unwrap().contains("1 in 2"), "{:?}", guessed(&gaps));
        let two = with(&gaps, |form| form.m = String::from("2"));
        assert!(guessed(&two).unwrap().contains("certain"), "{:?}", guessed(&two));
    }

    #[test]
    fn conditions_are_said_whatever_else_is_open_and_nothing_of_one_that_is_no_number() {
        let asked = |equal: &str, alpha: &str| {
            let mut state = with(&described(), |form| {
                form.model = ModelChoice::KAnonymity;
                form.conditions.set(None, ConditionField::Equal, equal.to_owned());
                form.conditions.set(None, ConditionField::Alpha, alpha.to_owned());
            });
            state.form.k = String::from("x");
            guessed(&state)
        };
        let said = asked("0.2", "").unwrap();
        assert!(said.contains("0.2") && !said.starts_with("Nothing is promised"), "{said}");
        assert_eq!(asked("0.2", "much"), None);
    }

    #[test]
    fn what_cannot_be_known_before_a_run_is_not_said() {
        let state = described();
        // Values of persons with several rows are linked; a number above that of the values is none.
        let persons = with(&state, |form| form.rows_are = RowsChoice::OfPersons);
        assert_eq!(guessed(&persons), None);
        assert_eq!(guessed(&with(&state, |form| form.m = String::from("9"))), None);
        // Who knows a column that is published as it is knows more.
        let known = state.choices.iter().position(|choice| choice.role == Role::Quasi).unwrap();
        let as_is = reduce(state, Action::SetRole(known, Role::Unchanged));
        assert!(
            guessed(&as_is).unwrap().contains("also knows age of a person can be certain"),
            "{:?}",
            guessed(&as_is)
        );
    }
}
