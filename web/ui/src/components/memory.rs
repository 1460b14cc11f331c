//! Undo and redo, and settings that outlive the window, for those who want that.

use yew::{Callback, Html, MouseEvent, html};

use super::PageProps;
use crate::{
    form::{Role, with_role},
    platform::dom,
    state::{Action, State},
};

/// Undo and redo.
pub(super) fn undo(props: &PageProps) -> Html {
    let state = &props.state;
    let button = |id: &'static str, text: &'static str, action: Action, enabled: bool| {
        let dispatcher = state.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(action.clone()));
        let disabled = state.is_busy() || !enabled;
        html! { <button {id} type="button" {disabled} {onclick}>{ text }</button> }
    };
    html! {
        <p class="quiet-buttons" role="group" aria-label={t!(MEMORY_SETTINGS_STEPS_2_3)}>
            { button("undo", t!(MEMORY_UNDO), Action::Undo, state.edits.can_undo()) }
            { button("redo", t!(MEMORY_REDO), Action::Redo, state.edits.can_redo()) }
        </p>
    }
}

/// Whether settings are remembered, and what is.
pub(super) fn memory(props: &PageProps) -> Html {
    let state = &*props.state;
    let control = props.control.clone();
    let onchange = Callback::from(move |event| control.remember(dom::is_checked(&event)));
    html! {
        <>
            { offered(props) }
            <p>
                <input id="remember" type="checkbox" checked={state.memory.on} {onchange} aria-describedby="remember-hint" />
                <label class="beside" for="remember">{ t!(MEMORY_REMEMBER_THESE_SETTINGS_BROWSER) }</label>
            </p>
            <p class="hint" id="remember-hint">
                { t!(MEMORY_NAMES_COLUMNS_SETTINGS_NEVER) }
            </p>
        </>
    }
}

/// What was remembered, for a table that it may fit.
fn offered(props: &PageProps) -> Html {
    let state = &*props.state;
    let (Some(text), Some(table)) = (&state.memory.before, &state.table) else { return html! {} };
    let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let (control, text) = (props.control.clone(), text.clone());
    let onclick = Callback::from(move |_: MouseEvent| control.load_remembered(columns.clone(), &text));
    html! {
        <p>
            <button id="use-remembered" type="button" disabled={state.is_busy()} {onclick}>
                { t!(MEMORY_USE_SETTINGS_LAST_TIME) }
            </button>
        </p>
    }
}

/// The columns that are identifiers.
pub(super) fn identifiers(state: &State) -> Vec<String> {
    let names = state.table.as_ref().map(|table| with_role(table, &state.choices, Role::Identifier));
    names.unwrap_or_default().into_iter().map(str::to_owned).collect()
}
