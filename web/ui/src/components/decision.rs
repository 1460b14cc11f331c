//! The decision on the right: what is open, who could be found as the file is, among how many each person is to be hidden, and the
//! button.

use lookalike_model::settings::MissingPolicy;
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
    form::{ModelChoice, Role, RowsChoice},
    format::count,
    state::{Action, FailedAt, State, Work},
    texts::k,
};

const MODELS: Entries<ModelChoice> = &[
    ("m-invariance", k::PROTECT_M_INVARIANCE_FIRST_RELEASE, ModelChoice::MInvariance),
    ("k-anonymity", k::PROTECT_K_ANONYMITY, ModelChoice::KAnonymity),
];

/// The decision.
pub(crate) fn decision(props: &PageProps) -> Html {
    let state = &*props.state;
    let fields = Fields::of(props);
    html! {
        <section class="pane decision-pane" aria-labelledby="protect">
            <div class="decide">
                <h2 id="protect" tabindex="-1">{ t!(PROTECT_PROTECTION) }</h2>
                { notice::failure(state, FailedAt::Solving) }
                if !matches!(state.work, Work::Opening(_)) { { notice::scarce(state) } }
                { questions(props) }
                <h3>{ t!(PROTECT_WHAT_FILE_EXPOSES_AS) }</h3>
                { raw(props) }
                <fieldset class="plain" disabled={state.is_busy()}>
                    <legend class="unseen">{ t!(PROTECT_GUARANTEE) }</legend>
                    { guarantee(&fields) }
                    { numbers(props) }
                    { offers(props) }
                    { guess(state) }
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
    let open = props.state.expert;
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Expert(!open)));
    html! {
        <button id="expert-open" type="button" class="quiet-button" aria-expanded={open.to_string()} aria-controls="expert" {onclick}>
            { t!(EXPERT_TITLE) }
        </button>
    }
}

fn guarantee(fields: &Fields) -> Html {
    let form = fields.form;
    let model = fields.menu(
        &fields.around("model", t!(PROTECT_GUARANTEE_2), t!(PROTECT_WHAT_EVERY_PUBLISHED_RECORD)),
        MODELS,
        form.model,
        |form, model| form.model = model,
    );
    let number = match form.model {
        ModelChoice::MInvariance => {
            fields.text(&fields.around("m", t!(DECISION_HIDE_AMONG), ""), "numeric", &form.m, |form, m| form.m = m)
        }
        ModelChoice::KAnonymity => {
            fields.text(&fields.around("k", t!(DECISION_HIDE_AMONG), ""), "numeric", &form.k, |form, k| form.k = k)
        }
    };
    let meaning = match form.model {
        ModelChoice::MInvariance if form.rows_are == RowsChoice::OfPersons => t!(PROTECT_EACH_CLASS_HOLDS_PERSONS),
        ModelChoice::MInvariance => t!(PROTECT_EACH_CLASS_HOLDS_AT),
        ModelChoice::KAnonymity => t!(PROTECT_EACH_RECORD_SHARES_ITS),
    };
    html! {
        <>
            { model }
            <div class="number-field">{ number }</div>
            <details class="more" id="guarantee-explained"><summary>{ t!(DECISION_WHAT_THAT_MEANS) }</summary><p class="hint">{ meaning }</p></details>
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
    let mut secret = table.columns.iter().zip(&state.choices).filter(|(_, choice)| choice.role == Role::Sensitive);
    let (info, choice) = secret.next().filter(|_| secret.next().is_none())?;
    if state.form.model == ModelChoice::KAnonymity {
        return Some(t!(DECISION_NOTHING_PROMISED, name = info.name));
    }
    let m: usize = state.form.m.trim().parse().ok().filter(|m| *m >= 2)?;
    let policy = choice.missing.unwrap_or(state.form.missing_sensitive);
    // "Not known" is no value to somebody who rules it out.
    if policy == MissingPolicy::Value && info.missing > 0 {
        return Some(match m - 1 {
            1 => t!(DECISION_GUESS_CERTAIN, name = info.name),
            known => t!(DECISION_GUESS_KNOWN, name = info.name, known = count(known), m = count(m)),
        });
    }
    Some(t!(DECISION_GUESS, name = info.name, m = count(m)))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::{
        form::Form,
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
}
