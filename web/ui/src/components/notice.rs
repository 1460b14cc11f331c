//! What went wrong: what, where, what to do.

use yew::{Callback, Html, html};

use super::PageProps;
use crate::state::{Engine, FailedAt, Place, SILENCE, State, Work};

/// The last failure, if it belongs to this step.
pub(crate) fn failure(state: &State, at: FailedAt) -> Html {
    let Some(failure) = state.failure.as_ref().filter(|f| f.at == at) else { return html! {} };
    let title = match failure.at {
        FailedAt::Opening => "This was not opened",
        FailedAt::Solving => "Nothing was anonymized",
    };
    html! {
        <div id="failure" class="notice brick" role="alert" tabindex="-1">
            <p class="notice-title">{ title }</p>
            <p>{ &failure.message }</p>
        </div>
    }
}

/// An engine that is gone, or silent.
pub(crate) fn engine(props: &PageProps) -> Html {
    let state = &*props.state;
    let restart = {
        let control = props.control.clone();
        Callback::from(move |_| control.restart())
    };
    if let Engine::Lost { why } = &state.engine {
        return html! {
            <div id="engine-lost" class="notice brick" role="alert" tabindex="-1">
                <p class="notice-title">{ "The engine has stopped" }</p>
                <p>{ format!("It says: {why}. The table and your choices are still here; a run is lost. Restart \
                              the engine. If it stops again, the table may be too large for this browser's memory.") }</p>
                <button id="restart" type="button" onclick={restart}>{ "Restart the engine" }</button>
            </div>
        };
    }
    if !state.is_silent() {
        return html! {};
    }
    let remote = matches!(&state.work, Work::Solving(run) if run.place == Place::Worker);
    let who = if remote { "the worker" } else { "the engine" };
    html! {
        <div id="engine-silent" class="notice amber" role="alert">
            <p class="notice-title">{ format!("No word from {who} for {SILENCE} seconds") }</p>
            <p>{ "A large table can take that long. Wait, or restart the engine: the run is then lost, the table and \
                  your choices stay." }</p>
            <button id="restart" type="button" onclick={restart}>{ "Restart the engine" }</button>
        </div>
    }
}
