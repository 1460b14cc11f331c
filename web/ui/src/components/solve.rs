//! Step 4: the search, with a way to end it.

use lookalike_wire::event::Progress;
use yew::{Callback, Html, html};

use super::{
    PageProps,
    chart::chart,
    field::{self, Around},
    notice, series, step, waiting,
};
use crate::{
    format::{count, counted, from_the_best, number, percent, seconds},
    state::{Action, Engine, FailedAt, Place, Run, Work},
};

/// Step 4: the search.
pub(crate) fn solve(props: &PageProps) -> Html {
    let state = &*props.state;
    let content = if state.table.is_none() {
        let what =
            "Here the classes are sought that lose the least. You can stop at any time and keep the best.";
        html! { <>{ waiting(what) }{ threads(&state.engine) }</> }
    } else {
        html! {
            <>
                { notice::failure(state, FailedAt::Solving) }
                if let Work::Solving(run) = &state.work {
                    { running(props, run) }
                    { threads(&state.engine) }
                } else {
                    { start(props) }
                    { threads(&state.engine) }
                    { on_worker(props) }
                }
            </>
        }
    };
    step(4, "solve", "Anonymize", content)
}

/// What "Anonymize" does: with faulty fields it leads to the first of them.
fn on_start(props: &PageProps, place: Place) -> Callback<yew::MouseEvent> {
    let (state, control) = (props.state.clone(), props.control.clone());
    Callback::from(move |_| match (state.settings(), place) {
        (Some(Ok(settings)), Place::Here) => {
            control.use_series(state.series.options());
            control.anonymize(settings);
        }
        (Some(Ok(settings)), Place::Worker) => {
            control.use_series(state.series.options());
            let origin = state.worker.clone().unwrap_or_default().origin;
            control.anonymize_on_worker(settings, origin, &state.token);
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
                    { format!("{} above has to be settled first.", counted(invalid.len(), "thing", "things")) }
                </p>
            }
            { series::to_do(state) }
            <p>
                <button id="anonymize" type="button" class="primary" {disabled} onclick={on_start(props, Place::Here)}>
                    { "Anonymize" }
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
        label: "Token",
        hint: "Whoever runs the worker gives it to you.",
        wrong: None,
        marked: false,
    };
    html! {
        <div class="worker">
            <h3>{ "Or let a worker search" }</h3>
            <p>
                { format!("Numbers without names go to {name}: the encoded quasi-identifiers, codes for the sensitive \
                           values, the guarantee, a seed. No column name, label or identifier. Ages remain recognisable as \
                           ages, so whoever runs the worker processes personal data. The answer is verified here.") }
            </p>
            if worker.wants_token {
                { field::text(&around, "password", &props.state.token, &oninput) }
            }
            <button id="anonymize-remote" type="button" {disabled} onclick={on_start(props, Place::Worker)}>
                { "Anonymize on the worker" }
            </button>
        </div>
    }
}

fn running(props: &PageProps, run: &Run) -> Html {
    let control = props.control.clone();
    let onclick = Callback::from(move |_| control.stop());
    let stop = match (run.place, run.stopping) {
        (_, true) => "Stopping ...",
        (Place::Here, false) => "Stop and keep the best so far",
        (Place::Worker, false) => "Cancel on the worker",
    };
    let progress = &run.progress;
    let phase = if progress.phase.is_empty() { "starting" } else { &progress.phase };
    let unknown = || String::from("-");
    html! {
        <div id="running" tabindex="-1">
            <p class="phase">{ format!("{phase} ...") }</p>
            <progress id="progress" aria-label="Progress" max="1" value={progress.fraction.map(|f| f.to_string())} />
            <dl class="figures-line">
                { pair("Loss", "incumbent", progress.incumbent.map_or_else(unknown, number)) }
                { pair("Moves", "moves", progress.moves.map_or_else(unknown, |n| count(n as usize))) }
                { pair("Elapsed", "elapsed", seconds(progress.seconds)) }
                if let Some(bound) = progress.bound { { pair("Bound", "bound", number(bound)) } }
                if let Some(gap) = gap(progress) { { pair("Gap", "gap", gap) } }
            </dl>
            <p><button id="stop" type="button" disabled={run.stopping} {onclick}>{ stop }</button></p>
            { chart(&run.history, &run.bounds) }
            <p class="unseen" role="status" aria-live="polite">{ spoken(run) }</p>
        </div>
    }
}

/// The gap between loss and bound, in words.
fn gap(progress: &Progress) -> Option<String> {
    let (loss, bound) = (progress.incumbent?, progress.bound?);
    Some(from_the_best(if loss > 0.0 { 100.0 * (loss - bound) / loss } else { 0.0 }))
}

fn pair(name: &str, id: &'static str, value: String) -> Html {
    html! { <div><dt>{ name }</dt><dd {id}>{ value }</dd></div> }
}

/// What is read out: it changes with each tenth only.
fn spoken(run: &Run) -> String {
    match run.progress.fraction {
        Some(fraction) => {
            format!("{}, {} done", run.progress.phase, percent((fraction * 10.0).floor() * 10.0))
        }
        None => run.progress.phase.clone(),
    }
}

/// How many threads, and why not more.
fn threads(engine: &Engine) -> Html {
    let (number, isolated, text) = match engine {
        Engine::Starting => (0, false, String::from("The engine is starting ...")),
        Engine::Lost { .. } => (0, false, String::from("The engine has stopped.")),
        Engine::Up { threads, isolated: true } => {
            (*threads, true, format!("Searches with {}.", counted(*threads, "thread", "threads")))
        }
        Engine::Up { threads, isolated: false } => (
            *threads,
            false,
            format!(
                "Searches with {} (the page is not cross-origin isolated).",
                counted(*threads, "thread", "threads")
            ),
        ),
    };
    html! {
        <p id="threads" class="hint" data-threads={number.to_string()} data-isolated={isolated.to_string()}>{ text }</p>
    }
}
