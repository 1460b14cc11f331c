//! What went wrong: what, where, what to do.

use yew::{Callback, Html, html};

use super::PageProps;
use crate::{
    state::{Engine, FailedAt, Place, SILENCE, State, Work},
    texts::theirs,
};

/// The last failure, if it belongs to this step.
pub(crate) fn failure(state: &State, at: FailedAt) -> Html {
    let Some(failure) = state.failure.as_ref().filter(|f| f.at == at) else { return html! {} };
    let title = match failure.at {
        FailedAt::Speaking => t!(NOTICE_LANGUAGE_STAYS),
        FailedAt::Opening => t!(NOTICE_WAS_NOT_OPENED),
        FailedAt::Solving => t!(NOTICE_NOTHING_WAS_ANONYMIZED),
    };
    html! {
        <div id="failure" class="notice brick" role="alert" tabindex="-1">
            <p class="notice-title">{ title }</p>
            <p>{ theirs(&failure.message) }</p>
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
                <p class="notice-title">{ t!(NOTICE_ENGINE_HAS_STOPPED) }</p>
                <p>{ t!(NOTICE_SAYS_TABLE_YOUR_CHOICES, why = why) }</p>
                <button id="restart" type="button" onclick={restart}>{ t!(NOTICE_RESTART_ENGINE) }</button>
            </div>
        };
    }
    if !state.is_silent() {
        return html! {};
    }
    let remote = matches!(&state.work, Work::Solving(run) if run.place == Place::Worker);
    let title = if remote {
        t!(NOTICE_SILENT_WORKER, seconds = SILENCE)
    } else {
        t!(NOTICE_SILENT_ENGINE, seconds = SILENCE)
    };
    html! {
        <div id="engine-silent" class="notice amber" role="alert">
            <p class="notice-title">{ title }</p>
            <p>{ t!(NOTICE_LARGE_TABLE_CAN_TAKE) }</p>
            <button id="restart" type="button" onclick={restart}>{ t!(NOTICE_RESTART_ENGINE) }</button>
        </div>
    }
}
