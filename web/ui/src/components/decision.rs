//! The decision on the right: what is open, who could be found as the file is, among how many each person is to be hidden, and the
//! button.

use lookalike_model::{
    info::ColumnInfo,
    settings::{MissingPolicy, Repair},
    survey::SurveyRow,
};
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
    form::{Choice, ModelChoice, Role, RowsChoice, with_role},
    format::{count, list, odds},
    settings::Field,
    state::{Action, FailedAt, State, ViewAction, Work},
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
    let open = props.state.view.expert;
    let onclick =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Expert(!open))));
    html! {
        <button id="expert-open" type="button" class="quiet-button" aria-expanded={open.to_string()} aria-controls="expert" {onclick}>
            { t!(EXPERT_TITLE) }
        </button>
    }
}

fn guarantee(fields: &Fields) -> Html {
    let form = fields.form;
    let model = fields.menu(
        &fields.around("model", t!(PROTECT_GUARANTEE_2), ""),
        MODELS,
        form.model,
        |form, model| form.model = model,
    );
    let number = match form.model {
        ModelChoice::MInvariance => {
            fields.text(&fields.around("m", t!(DECISION_HIDE_AMONG), ""), "numeric", &form.m, |form, m| {
                form.m = m;
            })
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
    let mut secret =
        table.columns.iter().zip(&state.choices).filter(|(_, choice)| choice.role == Role::Sensitive);
    let (info, choice) = secret.next().filter(|_| secret.next().is_none())?;
    if state.form.model == ModelChoice::KAnonymity {
        return Some(t!(DECISION_NOTHING_PROMISED, name = info.name));
    }
    let m: usize = state.form.m.trim().parse().ok().filter(|m| *m >= 2)?;
    // Values of persons with several rows are linked: what is possible is only known once it was searched. And where the number
    // cannot be, there is no table.
    let impossible = state.invalid().iter().any(|wrong| wrong.field == Field::M);
    if state.form.rows_are == RowsChoice::OfPersons || impossible {
        return None;
    }
    let told = guessed_of(state, info, choice, m)?;
    let as_is = with_role(table, &state.choices, Role::Unchanged);
    Some(if as_is.is_empty() {
        told
    } else {
        format!("{told} {}", t!(DECISION_GUESS_UNLESS, names = list(&as_is)))
    })
}

fn guessed_of(state: &State, info: &ColumnInfo, choice: &Choice, m: usize) -> Option<String> {
    let survey = state.survey.as_deref().and_then(|survey| survey.as_ref().ok());
    let beyond = survey.is_some_and(|survey| m as u64 > survey.largest_m_without_changes);
    if beyond && changed(state, m as u64).is_none() {
        return None;
    }
    if let Some(row) = changed(state, m as u64) {
        return surest(state.form.eligibility, row).map(|sure| match sure {
            (sure, true) if sure >= 1.0 => t!(DECISION_GUESS_ABSENT, name = info.name),
            (sure, _) if sure >= 1.0 => t!(DECISION_GUESS_CERTAIN_CHANGED, name = info.name),
            (sure, _) => t!(DECISION_GUESS_CHANGED, name = info.name, odds = odds(sure)),
        });
    }
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

/// What the survey says of a number for which records have to be added or left out.
fn changed(state: &State, m: u64) -> Option<&SurveyRow> {
    let survey = state.survey.as_deref()?.as_ref().ok()?;
    survey.survey.iter().find(|row| row.m == m && !row.eligible)
}

/// How surely a value can be told after the chosen changes, and whether it is that of a person who was left out. Nothing where no
/// changes are chosen: then there is no table.
fn surest(repair: Repair, row: &SurveyRow) -> Option<(f64, bool)> {
    let told = match repair {
        Repair::Error => return None,
        Repair::Add => row.disclosure.add,
        Repair::Delete => row.disclosure.delete,
        Repair::Hybrid => row.disclosure.hybrid,
    }?;
    let absent = told.absent.unwrap_or(0.0);
    Some((told.present.max(absent), absent > told.present))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use lookalike_model::assessment::{RepairDisclosure, RepairDisclosures};

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
    fn after_changes_the_surest_reading_counts() {
        let told = |present, absent| Some(RepairDisclosure { present, absent, real: None });
        let disclosure = RepairDisclosures {
            add: told(0.25, None),
            delete: told(1.0 / 7.0, Some(1.0)),
            hybrid: told(0.2, Some(0.1)),
        };
        let row = SurveyRow {
            m: 7,
            eligible: false,
            additions: None,
            deletions: None,
            hybrid: None,
            disclosure,
            share: None,
            levels_all: false,
        };
        assert_eq!(surest(Repair::Error, &row), None, "there is no table");
        assert_eq!(surest(Repair::Add, &row), Some((0.25, false)));
        assert_eq!(surest(Repair::Delete, &row), Some((1.0, true)));
        assert_eq!(surest(Repair::Hybrid, &row), Some((0.2, false)));
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
    fn what_cannot_be_known_before_a_run_is_not_said() {
        let state = described();
        // Values of persons with several rows are linked; a number above that of the values is none.
        let persons = with(&state, |form| form.rows_are = RowsChoice::OfPersons);
        assert_eq!(guessed(&persons), None);
        assert_eq!(guessed(&with(&state, |form| form.m = String::from("9"))), None);
        // Who knows a column that is published as it is knows more.
        let known = state.choices.iter().position(|choice| choice.role == Role::Quasi).unwrap();
        let as_is = reduce(state, Action::SetRole(known, Role::Unchanged));
        assert!(guessed(&as_is).unwrap().contains("Not for somebody who knows age"), "{:?}", guessed(&as_is));
    }
}
