//! Step 4: the search.

use yew::{Callback, Html, html};

use super::{
    PageProps,
    field::{self, Around},
    notice,
    run::running,
    series, step, waiting,
};
use crate::state::{Action, Engine, FailedAt, Place, State, Work};

/// Step 4: the search.
pub(crate) fn solve(props: &PageProps) -> Html {
    let state = &*props.state;
    let content = if state.table.is_none() {
        let what = t!(SOLVE_HERE_CLASSES_SOUGHT_LOSE);
        html! { <>{ waiting(what) }{ threads(state) }</> }
    } else {
        html! {
            <>
                { notice::failure(state, FailedAt::Solving) }
                if !matches!(state.work, Work::Opening(_)) { { notice::scarce(state) } }
                if let Work::Solving(run) = &state.work {
                    { running(props, run) }
                    { threads(state) }
                } else {
                    { start(props) }
                    { threads(state) }
                    { on_worker(props) }
                }
            </>
        }
    };
    step(4, "solve", t!(SOLVE_ANONYMIZE), content)
}

/// What "Anonymize" does: with faulty fields it leads to the first of them.
fn on_start(props: &PageProps, place: Place) -> Callback<yew::MouseEvent> {
    let (state, control) = (props.state.clone(), props.control.clone());
    Callback::from(move |_| match (state.settings(), place) {
        (Some(Ok(settings)), Place::Here) => {
            control.anonymize(settings, state.series.options());
        }
        (Some(Ok(settings)), Place::Worker) => {
            let origin = state.worker.clone().unwrap_or_default().origin;
            control.anonymize_on_worker(settings, state.series.options(), (origin, &state.token));
        }
        (Some(Err(_)) | None, _) => state.dispatch(Action::Refused),
    })
}

fn start(props: &PageProps) -> Html {
    let state = &*props.state;
    let disabled = !state.can_start();
    let invalid = state.invalid();
    html! {
        <>
            if state.tried && !invalid.is_empty() {
                <p class="wrong brick" role="status">
                    { n!(SOLVE_TO_SETTLE, invalid.len()) }
                </p>
            }
            { series::to_do(state) }
            <p>
                <button id="anonymize" type="button" class="primary" {disabled} onclick={on_start(props, Place::Here)}>
                    { t!(SOLVE_ANONYMIZE) }
                </button>
            </p>
        </>
    }
}

fn on_worker(props: &PageProps) -> Html {
    let Some(worker) = &props.state.worker else { return html! {} };
    let name = worker.name();
    let disabled = !props.state.can_start();
    let state = props.state.clone();
    let oninput = Callback::from(move |token| state.dispatch(Action::Token(token)));
    let around = Around {
        id: "token",
        label: t!(SOLVE_TOKEN),
        hint: t!(SOLVE_WHOEVER_RUNS_WORKER_GIVES),
        wrong: None,
        marked: false,
    };
    html! {
        <div class="worker">
            <h3>{ t!(SOLVE_OR_LET_WORKER_SEARCH) }</h3>
            <p>
                { t!(SOLVE_NUMBERS_WITHOUT_NAMES_GO, name = name) }
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
fn threads(state: &State) -> Html {
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
