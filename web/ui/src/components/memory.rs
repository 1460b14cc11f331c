//! Settings that outlive the window, for those who want that.

use yew::{Callback, Html, MouseEvent, html};

use super::PageProps;
use crate::{
    form::{Decided, Role, with_role},
    platform::{dom, json::config_columns},
    state::{Recent, State},
};

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

/// Remembered settings that fit the open table, the latest first, as long as nobody has decided anything about it.
pub(super) fn last_time(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    if state.memory.before.is_empty() || state.choices.iter().any(|choice| choice.decided != Decided::Nobody)
    {
        return html! {};
    }
    let has = |name: &String| table.columns.iter().any(|column| column.name == *name);
    let fits = |recent: &&Recent| config_columns(&recent.text).is_some_and(|names| names.iter().all(has));
    let fitting: Vec<&Recent> = state.memory.before.iter().filter(fits).take(FITTING).collect();
    if fitting.is_empty() {
        return html! {};
    }
    html! {
        <div class="question" id="last-time">
            <p>{ t!(MEMORY_FITS) }</p>
            <p class="buttons">{ for fitting.iter().enumerate().map(|(at, recent)| button(props, format!("last-time-{at}"), recent)) }</p>
        </div>
    }
}

/// Fitting settings that are offered at most.
const FITTING: usize = 3;

/// What was remembered, the latest first, for a table that it may fit.
fn offered(props: &PageProps) -> Html {
    let state = &*props.state;
    if state.table.is_none() || state.memory.before.is_empty() {
        return html! {};
    }
    let entry = |(place, recent): (usize, &Recent)| {
        let id = if place == 0 { String::from("use-remembered") } else { format!("use-remembered-{place}") };
        html! { <li>{ button(props, id, recent) }</li> }
    };
    html! { <ol id="remembered">{ for state.memory.before.iter().enumerate().map(entry) }</ol> }
}

/// The button that takes remembered settings.
fn button(props: &PageProps, id: String, recent: &Recent) -> Html {
    let (state, control, text) = (props.state.clone(), props.control.clone(), recent.text.clone());
    let disabled = state.is_busy();
    let onclick = Callback::from(move |_: MouseEvent| {
        let columns = state.table.iter().flat_map(|table| &table.columns);
        control.load_remembered(columns.map(|column| column.name.clone()).collect(), &text);
    });
    let label = if recent.name.is_empty() {
        t!(MEMORY_USE_SETTINGS_LAST_TIME).to_owned()
    } else {
        t!(MEMORY_USE_SETTINGS, name = recent.name)
    };
    html! { <button {id} type="button" {disabled} {onclick}>{ label }</button> }
}

/// The columns that are identifiers.
pub(super) fn identifiers(state: &State) -> Vec<String> {
    let names = state.table.as_ref().map(|table| with_role(table, &state.choices, Role::Identifier));
    names.unwrap_or_default().into_iter().map(str::to_owned).collect()
}
