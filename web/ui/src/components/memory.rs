//! Settings that outlive the window, for those who want that.

use std::rc::Rc;

use yew::{Callback, Html, MouseEvent, html};

use super::PageProps;
use crate::{
    form::{Role, with_role},
    platform::dom,
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

/// What was remembered, the latest first, for a table that it may fit.
fn offered(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let columns: Rc<[String]> = table.columns.iter().map(|column| column.name.clone()).collect();
    let button = |place: usize, recent: &Recent| {
        let (control, columns, text) = (props.control.clone(), columns.clone(), recent.text.clone());
        let onclick = Callback::from(move |_: MouseEvent| control.load_remembered(columns.to_vec(), &text));
        let id = if place == 0 { String::from("use-remembered") } else { format!("use-remembered-{place}") };
        let label = if recent.name.is_empty() {
            t!(MEMORY_USE_SETTINGS_LAST_TIME).to_owned()
        } else {
            t!(MEMORY_USE_SETTINGS, name = recent.name)
        };
        html! { <li><button {id} type="button" disabled={state.is_busy()} {onclick}>{ label }</button></li> }
    };
    let buttons = state.memory.before.iter().enumerate().map(|(place, recent)| button(place, recent));
    if state.memory.before.is_empty() {
        return html! {};
    }
    html! { <ol id="remembered">{ for buttons }</ol> }
}

/// The columns that are identifiers.
pub(super) fn identifiers(state: &State) -> Vec<String> {
    let names = state.table.as_ref().map(|table| with_role(table, &state.choices, Role::Identifier));
    names.unwrap_or_default().into_iter().map(str::to_owned).collect()
}
