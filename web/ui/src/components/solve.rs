//! The search: its beginning, here or on a worker, and the way to end it.

use lookalike_model::event::Progress;
use yew::{Callback, Html, html};

use super::{
    PageProps,
    chart::chart,
    field::{self, Around},
    series,
};
use crate::{
    format::{at_least, bytes, count, from_the_best, number, percent, seconds},
    state::{Action, Engine, Place, Run, State},
    texts::words,
};

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

/// The button. While something is open it says so, and leads there.
pub(super) fn start(props: &PageProps) -> Html {
    let state = &*props.state;
    let disabled = !state.can_start();
    let invalid = state.invalid();
    let text = match invalid.len() {
        0 if state.results.is_some() => String::from(t!(SOLVE_AGAIN)),
        0 => String::from(t!(SOLVE_ANONYMIZE)),
        n => n!(SOLVE_ANSWER_FIRST, n),
    };
    html! {
        <>
            { series::to_do(state) }
            <button id="anonymize" type="button" class="primary" {disabled} onclick={on_start(props, Place::Here)}>{ text }</button>
        </>
    }
}

/// The same on a worker, where there is one.
pub(super) fn on_worker(props: &PageProps) -> Html {
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

/// A search under way.
pub(super) fn running(props: &PageProps, run: &Run) -> Html {
    let control = props.control.clone();
    let onclick = Callback::from(move |_| control.stop());
    let stop = match (run.place, run.stopping) {
        (_, true) => t!(SOLVE_STOPPING),
        (Place::Here, false) => t!(SOLVE_STOP_KEEP_BEST_SO),
        (Place::Worker, false) => t!(SOLVE_CANCEL_ON_WORKER),
    };
    let progress = &run.progress;
    let phase =
        if progress.phase.is_empty() { String::from(t!(SOLVE_STARTING)) } else { words(&progress.phase) };
    let unknown = || String::from("-");
    html! {
        <div id="running" tabindex="-1">
            <p class="phase">{ format!("{phase} ...") }</p>
            <progress id="progress" aria-label={t!(SOLVE_PROGRESS)} max="1" value={progress.fraction.map(|f| f.to_string())} />
            <dl class="figures-line">
                { pair(t!(SOLVE_LOSS), "incumbent", progress.incumbent.map_or_else(unknown, number)) }
                { pair(t!(SOLVE_MOVES), "moves", progress.moves.map_or_else(unknown, |n| count(n as usize))) }
                { pair(t!(SOLVE_ELAPSED), "elapsed", seconds(progress.seconds)) }
                if let Some(left) = left(progress) { { pair(t!(SOLVE_LEFT), "left", left) } }
                { bound(run) }
            </dl>
            <p><button id="stop" type="button" disabled={run.stopping} {onclick}>{ stop }</button></p>
            { chart(&run.history, &run.bounds) }
            <p class="unseen" role="status" aria-live="polite">{ spoken(run) }</p>
        </div>
    }
}

/// About how long it will take, once a part of it is done.
fn left(progress: &Progress) -> Option<String> {
    let done = progress.fraction.filter(|done| (0.05..1.0).contains(done))?;
    let left = progress.seconds * (1.0 - done) / done;
    Some(t!(SOLVE_ABOUT, time = seconds(left.ceil())))
}

/// The bound and the gap to it; a worker's bound is its word for it.
fn bound(run: &Run) -> Html {
    let progress = &run.progress;
    let Some(bound) = said(progress) else { return html! {} };
    if run.place == Place::Worker {
        return pair(t!(SOLVE_BOUND_CLAIMED), "bound", at_least(bound));
    }
    html! {
        <>
            { pair(t!(SOLVE_BOUND), "bound", at_least(bound)) }
            if let Some(gap) = gap(progress) { { pair(t!(SOLVE_GAP), "gap", gap) } }
        </>
    }
}

/// The bound, unless it says no more than that no loss is negative.
fn said(progress: &Progress) -> Option<f64> {
    progress.bound.filter(|bound| *bound > 0.0 || progress.incumbent.is_some_and(|loss| loss <= 0.0))
}

/// The gap between loss and bound, in words.
fn gap(progress: &Progress) -> Option<String> {
    let (loss, bound) = (progress.incumbent?, said(progress)?);
    Some(from_the_best(if loss > 0.0 { 100.0 * (loss - bound) / loss } else { 0.0 }))
}

fn pair(name: &str, id: &'static str, value: String) -> Html {
    html! { <div><dt>{ name }</dt><dd {id}>{ value }</dd></div> }
}

/// What is read out: it changes with each tenth only.
fn spoken(run: &Run) -> String {
    match run.progress.fraction {
        Some(fraction) => {
            t!(
                SOLVE_DONE,
                phase = words(&run.progress.phase),
                share = percent((fraction * 10.0).floor() * 10.0)
            )
        }
        None => words(&run.progress.phase),
    }
}

/// How many threads, why not more, and how much memory is held.
pub(super) fn threads(state: &State) -> Html {
    let (number, isolated, mut text) = match &state.engine {
        Engine::Starting => (0, false, String::from(t!(SOLVE_ENGINE_STARTING))),
        Engine::Lost { .. } => (0, false, String::from(t!(SOLVE_ENGINE_HAS_STOPPED))),
        Engine::Up { threads, isolated: true } => {
            (*threads, true, t!(SOLVE_SEARCHES_WITH, threads = n!(N_THREAD, *threads)))
        }
        Engine::Up { threads, isolated: false } => {
            (*threads, false, t!(SOLVE_SEARCHES_WITH_PAGE_NOT, threads = n!(N_THREAD, *threads)))
        }
    };
    if let Some(held) = state.held {
        let held = t!(SOLVE_MEMORY, held = bytes(held.bytes), most = bytes(held.most));
        text = format!("{text} {held}");
    }
    let memory = state.held.map(|held| held.bytes.to_string());
    html! {
        <p id="threads" class="hint" data-threads={number.to_string()} data-isolated={isolated.to_string()} data-memory={memory}>{ text }</p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_of_zero_is_none() {
        let at = |bound, loss| Progress { bound: Some(bound), incumbent: Some(loss), ..Progress::default() };
        for nothing in [at(0.0, 2.0), at(-1.0, 2.0), Progress { incumbent: None, ..at(0.0, 0.0) }] {
            assert_eq!((said(&nothing), gap(&nothing)), (None, None));
        }
        assert_eq!(said(&at(0.0, 0.0)), Some(0.0));
        assert!(gap(&at(1.0, 2.0)).unwrap().contains("50 %"));
    }

    #[test]
    fn time_left_is_told_once_a_part_is_done() {
        let at = |fraction| left(&Progress { fraction, seconds: 30.0, ..Progress::default() });
        assert_eq!((at(None), at(Some(0.01)), at(Some(1.0))), (None, None, None));
        assert_eq!(at(Some(0.25)).as_deref(), Some("about 1 min 30 s"));
    }
}
