//! Configuration files: settings of another run are loaded, those of this one saved.

use lookalike_model::settings::Settings;
use lookalike_wire::page::names;
use yew::{Callback, Event, Html, html};

use super::{
    PageProps,
    fields::more,
    memory::{identifiers, memory},
};
use crate::{platform::files::FileHandle, state::State, texts::told};

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
    let shown = state.configured.as_ref().map(|configured| match configured {
        Ok(notes) => html! {
            <div id="configured" tabindex="-1" role="status" data-loaded="true">
                <p class="good">{ t!(CONFIG_CONFIGURATION_LOADED_LOOK_THROUGH) }</p>
                if !notes.is_empty() {
                    <ul class="hint">{ for notes.iter().map(|note| html! { <li>{ told(note) }</li> }) }</ul>
                }
            </div>
        },
        Err(why) => html! {
            <div id="configured" class="notice brick" role="alert" tabindex="-1" data-loaded="false">
                <p class="notice-title">{ t!(CONFIG_CONFIGURATION_WAS_NOT_LOADED) }</p>
                <p>{ why.html() }</p>
            </div>
        },
    });
    html! {
        <>
            { more("more-configuration", t!(CONFIG_USE_SAVED_CONFIGURATION_OR), html! {
                <>
                    <p>
                        <span class="file">
                            <input id="config-input" type="file" accept=".json,application/json" disabled={state.is_busy()} {onchange} />
                            <label for="config-input" class="button quiet-button">{ t!(CONFIG_CONFIGURATION_FILE_JSON) }</label>
                        </span>
                    </p>
                    <p class="hint">
                        { t!(CONFIG_FRICTIONLESS_TABLE_SCHEMA_AS) }
                    </p>
                    { memory(props) }
                </>
            }) }
            // A place of its own, so that what stands before it is not made anew, and stays open.
            <div>{ shown.unwrap_or_default() }</div>
        </>
    }
}

/// Saves the settings of the form.
pub(super) fn save_settings(props: &PageProps) -> Html {
    let settings = props.state.settings().and_then(Result::ok);
    html! {
        <p class="quiet-buttons">
            { button(props, "save-config", t!(CONFIG_SAVE_THESE_SETTINGS), settings) }
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
        t!(CONFIG_CONFIGURATION_HOLDS_VALUES_TABLE)
    } else {
        t!(CONFIG_CONFIGURATION_HOLDS_NAMES_COLUMNS)
    }
}

fn file(state: &State) -> String {
    let name = state.source.as_ref().map_or("", |source| source.name.as_str());
    format!("{}-config.json", names::stem(name))
}
