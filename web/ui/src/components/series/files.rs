//! Files of a series, and what they are.

use yew::{AttrValue, Callback, Event, Html, html};

use crate::{
    components::{PageProps, field},
    platform::files::FileHandle,
};

/// A field for one file or several, with the names of those that were chosen.
pub(super) fn files(
    props: &PageProps,
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    (accept, multiple): (&'static str, bool),
    names: &[String],
    picked: impl Fn(Vec<FileHandle>) + 'static,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let files = FileHandle::all_picked(&event);
        if !files.is_empty() {
            picked(files);
        }
    });
    let disabled = props.state.is_busy() || props.state.series.audit.busy;
    let described = (!hint.is_empty()).then(|| AttrValue::from(format!("{id}-hint")));
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            <input {id} type="file" {accept} {multiple} {disabled} {onchange} aria-describedby={described.clone()} />
            if !names.is_empty() { <p class="hint" role="status" data-files={names.len().to_string()}>{ names.join(", ") }</p> }
            if described.is_some() { <p class="hint" id={described}>{ hint }</p> }
        </div>
    }
}

/// Something that is refused.
pub(super) fn refused(id: &'static str, title: &str, why: Html) -> Html {
    html! {
        <div {id} class="notice brick" role="alert" tabindex="-1">
            <p class="notice-title">{ title.to_owned() }</p>
            <p>{ why }</p>
        </div>
    }
}

/// What is beside a field of a series: it is never marked as wrong.
pub(super) fn around(id: &'static str, label: &'static str, hint: &'static str) -> field::Around {
    field::Around { id, label, hint, wrong: None, marked: false }
}
