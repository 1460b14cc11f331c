//! What went wrong: what, where, what to do.

use yew::{Callback, Html, MouseEvent, html};

use super::{PageProps, conditions};
use crate::{
    format::bytes,
    state::{Action, Engine, FailedAt, Place, SILENCE, State, Work},
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
            <p>{ failure.message.sentence() }</p>
        </div>
    }
}

/// Of the condition for which a run was refused: its column, and a button that sets it to what is possible.
pub(super) fn nearest(props: &PageProps) -> Html {
    let Some(nearest) = props.state.nearest() else { return html! {} };
    let Some((best, form)) = nearest.best else {
        return html! { <p id="condition-of">{ t!(NOTICE_CONDITION_OF, name = nearest.column) }</p> };
    };
    let dispatcher = props.state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Edit(form.clone())));
    let field = conditions::label(nearest.field);
    html! {
        <p>
            <button id="condition-nearest" type="button" disabled={props.state.is_busy()} {onclick}>
                { t!(NOTICE_CONDITION_NEAREST, name = nearest.column, field = field, value = best) }
            </button>
        </p>
    }
}

/// What a wasm module can address, in bytes.
const MOST: f64 = 4_294_967_296.0;

/// Bytes of a file from which on it may not fit: a cell of two characters takes four bytes.
const LARGE: f64 = 1e9;

/// Says that memory is scarce before there is none: for a large file that is being read, or a table that leaves little.
pub(crate) fn scarce(state: &State) -> Html {
    let Some(what) = scarcity(state) else { return html! {} };
    let advice = if state.worker.is_some() { t!(NOTICE_MEMORY_WORKER) } else { t!(NOTICE_MEMORY_COMMAND) };
    html! {
        <div id="scarce" class="notice amber" role="status">
            <p class="notice-title">{ what }</p>
            <p>{ advice }</p>
        </div>
    }
}

fn scarcity(state: &State) -> Option<String> {
    if let Work::Opening(source) = &state.work {
        let large = source.bytes >= LARGE;
        return large.then(|| t!(NOTICE_MEMORY_FILE, size = bytes(source.bytes), most = bytes(MOST)));
    }
    let held = state.held.filter(|held| held.is_scarce())?;
    Some(t!(NOTICE_MEMORY_SCARCE, held = bytes(held.bytes), most = bytes(held.most)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Held, Source, reduce, tests::described};

    #[test]
    fn scarce_memory_is_told_before_there_is_none() {
        let holds = |bytes| reduce(described(), Action::Holds(Held { bytes, most: 4e9 }));
        assert_eq!(scarcity(&described()), None);
        assert_eq!(scarcity(&holds(2.3e9)), None);
        assert_eq!(
            scarcity(&holds(2.6e9)).as_deref(),
            Some("The page holds 2.6 GB of at most 4.0 GB of memory")
        );
        let open = |bytes| {
            let source = Source { bytes, ..Source::default() };
            scarcity(&reduce(described(), Action::Opening(source)))
        };
        assert_eq!(open(9e8), None);
        assert!(open(1.5e9).is_some_and(|text| text.starts_with("A file of 1.5 GB")), "{:?}", open(1.5e9));
    }
}
