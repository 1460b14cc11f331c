//! The published table as a workbook, for those who want one: made when it is asked for, and read back before it is saved.

use lookalike_wire::page::names;
use yew::{Callback, Html, html};

use super::PageProps;
use crate::{
    state::{Results, Workbook},
    texts::words,
};

/// The button that saves a workbook.
pub(super) fn button(props: &PageProps, results: &Results, opened: &str) -> Html {
    // A series compares its releases byte for byte.
    if props.state.series.released.is_some() {
        return html! {};
    }
    let (control, name) = (props.control.clone(), names::workbook(opened));
    let dialect = results.finished.report.audit.dialect;
    let onclick = Callback::from(move |_| control.save_workbook(dialect, name.clone()));
    let disabled = results.workbook == Workbook::Writing;
    html! { <button id="download-workbook" type="button" {disabled} {onclick}>{ t!(SAVE_DOWNLOAD_WORKBOOK) }</button> }
}

/// What a workbook is, and what became of it.
pub(super) fn told(props: &PageProps, results: &Results) -> Html {
    if props.state.series.released.is_some() {
        return html! { <p class="hint">{ t!(SAVE_WORKBOOK_SERIES) }</p> };
    }
    let (class, text) = match &results.workbook {
        Workbook::Unasked => ("hint", String::from(t!(SAVE_WORKBOOK_HINT))),
        Workbook::Writing => ("hint", String::from(t!(SAVE_WORKBOOK_WRITING))),
        Workbook::Saved(check) => ("hint", t!(SAVE_WORKBOOK_SAVED, check = words(check))),
        Workbook::Refused(why) => ("wrong brick", page!(SAVE_WORKBOOK_REFUSED, why = why.clone()).text()),
    };
    html! { <p {class} id="workbook" role="status">{ text }</p> }
}
