//! Configuration files: settings of another run are loaded, those of this one saved.

use lookalike_wire::settings::Settings;
use yew::{Callback, Event, Html, html};

use super::{
    PageProps,
    fields::more,
    memory::{identifiers, memory},
    save::stem,
};
use crate::{platform::files::FileHandle, state::State};

/// Takes over a configuration.
pub(super) fn load(props: &PageProps) -> Html {
    let state = &*props.state;
    let control = props.control.clone();
    let table = state.table.clone();
    let onchange = Callback::from(move |event: Event| {
        if let (Some(file), Some(table)) = (FileHandle::picked(&event), &table) {
            let columns = table.columns.iter().map(|column| column.name.clone()).collect();
            control.load_config(columns, &file);
        }
    });
    let told = state.configured.as_ref().map(|told| match told {
        Ok(notes) => html! {
            <div id="configured" tabindex="-1" role="status" data-loaded="true">
                <p class="good">{ "The configuration is loaded: look through roles and fields below." }</p>
                if !notes.is_empty() {
                    <ul class="hint">{ for notes.iter().map(|note| html! { <li>{ note }</li> }) }</ul>
                }
            </div>
        },
        Err(why) => html! {
            <div id="configured" class="notice brick" role="alert" tabindex="-1" data-loaded="false">
                <p class="notice-title">{ "The configuration was not loaded" }</p>
                <p>{ why }</p>
            </div>
        },
    });
    html! {
        <>
            { more("more-configuration", "Use a saved configuration, or remember this one", html! {
                <>
                    <label for="config-input">{ "Configuration file (JSON)" }</label>
                    <input id="config-input" type="file" accept=".json,application/json" disabled={state.is_busy()} {onchange} />
                    <p class="hint">
                        { "A Frictionless Table Schema, as this page and the command line (--save-config) write it. It replaces all \
                           roles and fields below, but for the seed, which no configuration holds." }
                    </p>
                    { memory(props) }
                </>
            }) }
            { told }
        </>
    }
}

/// Saves the settings of the form.
pub(super) fn save_settings(props: &PageProps) -> Html {
    let settings = props.state.settings().and_then(Result::ok);
    html! {
        <p class="quiet-buttons">
            { button(props, "save-config", "Save these settings", settings) }
        </p>
    }
}

/// A button that saves settings, without their seed.
pub(super) fn button(
    props: &PageProps,
    id: &'static str,
    text: &'static str,
    settings: Option<Settings>,
) -> Html {
    let disabled = settings.is_none();
    let (state, control) = (props.state.clone(), props.control.clone());
    let onclick = Callback::from(move |_| {
        if let Some(settings) = settings.clone() {
            control.save_config(settings, identifiers(&state), file(&state));
        }
    });
    html! { <button {id} type="button" {disabled} {onclick}>{ text }</button> }
}

/// What a file of these settings gives away.
pub(super) fn gives_away(settings: &Settings) -> &'static str {
    let changes = &settings.changes;
    let of_values = changes.costs.add_of.len() + changes.costs.delete_of.len() + changes.prefer.len();
    if settings.orders.len() + settings.hierarchies.len() + of_values > 0 {
        "The configuration holds values of the table (an order, a hierarchy, or values to change): whoever reads it knows \
         which values may occur. The seed is not in it."
    } else {
        "The configuration holds names of columns and settings, but no values of the table, and no seed."
    }
}

fn file(state: &State) -> String {
    let name = state.source.as_ref().map_or("", |source| source.name.as_str());
    format!("{}-config.json", stem(name))
}
