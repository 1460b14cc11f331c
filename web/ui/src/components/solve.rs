//! The search: its beginning, here or on a worker.

use yew::{Callback, Html, html};

use super::{
    PageProps,
    field::{self, Around},
    series,
};
use crate::state::{Action, Engine, Place, State};

/// What "Anonymize" does: with faulty fields it leads to the first of them.
fn on_start(props: &PageProps, place: Place) -> Callback<yew::MouseEvent> {
    let (state, control) = (props.state.clone(), props.control.clone());
    Callback::from(move |_| match (state.settings(), place) {
        (Some(Ok(settings)), Place::Here) => {
            control.anonymize(settings, state.series.options(), state.sent.clone());
        }
        (Some(Ok(settings)), Place::Worker) => {
            let origin = state.worker.clone().unwrap_or_default().origin;
            let told = (state.series.options(), state.sent.clone());
            control.anonymize_on_worker(settings, told, (origin, &state.token));
        }
        (Some(Err(_)) | None, _) => state.dispatch(Action::Refused),
    })
}

/// The button. While something is open it says so, and leads there.
pub(super) fn start(props: &PageProps) -> Html {
    let state = &*props.state;
    let disabled = !state.can_start();
    let invalid = state.invalid();
    let text = match invalid.len() {
        0 if state.results.is_some() => String::from(t!(SOLVE_AGAIN)),
        0 => String::from(t!(SOLVE_ANONYMIZE)),
        // Without a number: an answer may open further questions.
        _ => String::from(t!(SOLVE_ANSWER_FIRST)),
    };
    html! {
        <>
            { series::to_do(state) }
            <button id="anonymize" type="button" class="primary" {disabled} title={state.would_repeat().then(|| t!(SOLVE_NOTHING_CHANGED))} onclick={on_start(props, Place::Here)}>{ text }</button>
        </>
    }
}

/// The same on a worker, where there is one.
pub(super) fn on_worker(props: &PageProps) -> Html {
    let Some(worker) = &props.state.worker else { return html! {} };
    let to = if worker.origin.is_empty() { t!(SOLVE_THIS_SERVER) } else { worker.origin.as_str() };
    let disabled = !props.state.is_ready();
    let state = props.state.clone();
    let oninput = Callback::from(move |token| state.dispatch(Action::Token(token)));
    let around = Around {
        id: "token",
        label: t!(SOLVE_TOKEN),
        hint: t!(SOLVE_OPERATOR_GIVES),
        wrong: None,
        marked: false,
    };
    html! {
        <div class="worker">
            <h3>{ t!(SOLVE_OR_LET_WORKER_SEARCH) }</h3>
            <p>
                { t!(SOLVE_NUMBERS_WITHOUT_NAMES_GO, name = to) }
            </p>
            if worker.wants_token {
                { field::text(&around, "password", &props.state.token, &oninput) }
            }
            <button id="anonymize-remote" type="button" {disabled} onclick={on_start(props, Place::Worker)}>
                { t!(SOLVE_ANONYMIZE_ON_WORKER) }
            </button>
        </div>
    }
}

/// How many threads, and why not more.
pub(super) fn threads(state: &State) -> Html {
    let (number, isolated, text) = match &state.engine {
        Engine::Starting => (0, false, String::from(t!(SOLVE_ENGINE_STARTING))),
        Engine::Lost { .. } => (0, false, String::from(t!(SOLVE_ENGINE_HAS_STOPPED))),
        Engine::Up { threads, isolated: true } => {
            (*threads, true, t!(SOLVE_SEARCHES_WITH, threads = n!(N_THREAD, *threads)))
        }
        Engine::Up { threads, isolated: false } => {
            (*threads, false, t!(SOLVE_SEARCHES_WITH_PAGE_NOT, threads = n!(N_THREAD, *threads)))
        }
    };
    let memory = state.held.map(|held| held.bytes.to_string());
    html! {
        <p id="threads" class="hint" data-threads={number.to_string()} data-isolated={isolated.to_string()} data-memory={memory}>{ text }</p>
    }
}
