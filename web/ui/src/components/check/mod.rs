//! The view that checks a published table, ours or anybody's: file, question, findings.

mod asked;
mod files;

use lookalike_wire::{check::Checked, desk::Part, page::TableInfo};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    field::{Select, wrong},
    fields::{Entries, more},
    rows::rows,
    series,
    verdict::verdict,
};
use crate::{
    form::{CheckForm, CheckRole},
    settings::check as question,
    state::{Action, CheckAction, CheckState},
};

const ROLES: Entries<CheckRole> = &[
    ("other", "Nothing", CheckRole::Other),
    ("quasi", "Others may know it", CheckRole::Quasi),
    ("codes", "The same; its digits are codes", CheckRole::QuasiCodes),
    ("sensitive", "Sensitive", CheckRole::Sensitive),
];

/// Rows of the table that are shown.
const SHOWN_ROWS: usize = 6;

/// The view.
pub(crate) fn check(props: &PageProps) -> Html {
    let view = &props.state.check;
    html! {
        <section class="step" aria-labelledby="check">
            <h2 id="check" tabindex="-1">{ "Check a published table" }</h2>
            <p>
                { "Any table, made here or elsewhere: what its rows promise, what an attacker reaches, what was lost. It is \
                   read in this page only." }
            </p>
            <p><a href="#open">{ "Back to anonymizing" }</a></p>
            { files::part(props, Part::Published, "check-input", "The published table: CSV or other delimited text, packed or not, or a workbook") }
            if let Some(table) = view.published.read() { { opened(props, view, table) } }
            { series::audit(props) }
        </section>
    }
}

fn opened(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let asked = question(table, &view.form);
    let faults = asked.as_ref().err().map(|wrong| wrong.join(" "));
    let disabled = view.busy || asked.is_err();
    let control = props.control.clone();
    let onclick = Callback::from(move |_| {
        if let Ok(asked) = &asked {
            control.check(asked.clone());
        }
    });
    let names = table.columns.iter().map(|column| column.name.as_str());
    html! {
        <>
            { rows("check-preview", "The first rows", names, &table.preview[..table.preview.len().min(SHOWN_ROWS)]) }
            <fieldset class="plain" disabled={view.busy}>
                <legend class="unseen">{ "What to check" }</legend>
                <h3>{ "Its columns" }</h3>
                { columns(props, table, &view.form) }
                <h3>{ "What it is to promise" }</h3>
                { asked::models(props, &view.form) }
                { more("more-check", "More: original, hierarchies, population, repair", asked::further(props, view, table)) }
            </fieldset>
            { wrong("check", faults.as_deref(), false) }
            <p><button id="check-start" type="button" class="primary" {disabled} {onclick}>{ "Check" }</button></p>
            { found(view) }
        </>
    }
}

/// Says something else in the form.
fn edit<T: 'static>(props: &PageProps, set: impl Fn(&mut CheckForm, T) + 'static) -> Callback<T> {
    let (state, form) = (props.state.clone(), props.state.check.form.clone());
    Callback::from(move |value| {
        let mut form = form.clone();
        set(&mut form, value);
        state.dispatch(Action::Check(CheckAction::Edit(Box::new(form))));
    })
}

fn columns(props: &PageProps, table: &TableInfo, form: &CheckForm) -> Html {
    let row = |at: usize, name: &String| {
        let role = form.roles.get(at).copied().unwrap_or_default();
        let value = ROLES.iter().find(|(_, _, r)| *r == role).map_or("other", |(value, _, _)| *value);
        let options = ROLES.iter().map(|(value, text, _)| (*value, *text)).collect::<Vec<_>>();
        let onchange = edit(props, move |form, value: String| {
            let role = ROLES.iter().find(|(name, _, _)| *name == value).map(|(_, _, role)| *role);
            if let (Some(known), Some(role)) = (form.roles.get_mut(at), role) {
                *known = role;
            }
        });
        html! {
            <tr key={at} data-check-column={name.clone()}>
                <th scope="row">{ name }</th>
                <td><Select name={format!("What {name} is")} {options} {value} {onchange} /></td>
            </tr>
        }
    };
    html! {
        <table class="columns check-columns">
            <thead><tr><th scope="col">{ "Column" }</th><th scope="col">{ "What it is" }</th></tr></thead>
            <tbody>{ for table.columns.iter().enumerate().map(|(at, column)| row(at, &column.name)) }</tbody>
        </table>
    }
}

/// Verdict before figures: what holds and what does not, then all that the command line prints.
fn found(view: &CheckState) -> Html {
    match view.found.as_deref() {
        None if view.busy => html! { <p role="status">{ "Checking ..." }</p> },
        None => html! {},
        Some(Err(why)) => html! {
            <div id="checked" class="notice brick" role="alert" tabindex="-1">
                <p class="notice-title">{ "This cannot be checked" }</p>
                <p>{ why }</p>
            </div>
        },
        Some(Ok(Checked { audit, text })) => html! {
            <div id="checked" tabindex="-1">
                { verdict(audit, "this table", "The rows were read as anybody finds them. The figures below are not judged.") }
                <h3>{ "All figures" }</h3>
                <div class="frame" tabindex="0" role="region" aria-label="All figures">
                    <pre id="check-text">{ text }</pre>
                </div>
            </div>
        },
    }
}
