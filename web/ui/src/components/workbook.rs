//! The published table in another form, for those who want one: made when it is asked for, and read back before it is saved. Also what
//! says what the columns of its text are.

use lookalike_wire::page::OtherForm;
use yew::{Callback, Html, html};

use super::PageProps;
use crate::{
    state::{Results, Workbook},
    texts::words,
};

/// The button for the form of the opened file, or for a workbook.
pub(super) fn button(props: &PageProps, results: &Results, opened: &str) -> Html {
    // A series compares its releases byte for byte.
    if props.state.series.released.is_some() {
        return html! {};
    }
    one(props, results, (first(opened), opened))
}

/// The buttons for all other forms.
pub(super) fn others(props: &PageProps, results: &Results, opened: &str) -> Html {
    if props.state.series.released.is_some() {
        return html! {};
    }
    let others = OtherForm::TABLES.into_iter().filter(|form| *form != first(opened));
    let schemas = OtherForm::SCHEMAS.into_iter();
    html! {
        <details id="other-forms">
            <summary>{ t!(SAVE_OTHER_FORMS) }</summary>
            <p class="buttons">{ for others.map(|form| one(props, results, (form, opened))) }</p>
            <p class="hint">{ t!(SAVE_SCHEMA_HINT) }</p>
            <p class="buttons">{ for schemas.map(|form| one(props, results, (form, opened))) }</p>
        </details>
    }
}

fn first(opened: &str) -> OtherForm {
    OtherForm::of(opened).unwrap_or(OtherForm::Workbook)
}

fn one(props: &PageProps, results: &Results, (form, opened): (OtherForm, &str)) -> Html {
    let (control, name) = (props.control.clone(), opened.to_owned());
    let dialect = results.finished.report.audit.dialect;
    let onclick = Callback::from(move |_| control.save_other(dialect, form, &name));
    let disabled = results.workbook == Workbook::Writing;
    let id = format!("download-{}", form.ending());
    let label = if OtherForm::SCHEMAS.contains(&form) {
        t!(SAVE_DOWNLOAD_SCHEMA, form = form.name(), ending = form.ending())
    } else {
        t!(SAVE_DOWNLOAD_OTHER, form = form.name(), ending = form.ending())
    };
    html! { <button {id} type="button" {disabled} {onclick}>{ label }</button> }
}

/// What such a file is, and what became of it.
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
