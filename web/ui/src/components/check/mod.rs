//! The view that checks a published table, ours or anybody's: file, question, findings.

mod asked;
mod files;

use lookalike_model::info::TableInfo;
use lookalike_wire::check::{CheckSettings, Checked, CheckedTable};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    field::{Select, wrong},
    fields::{Entries, more},
    rows::rows,
    series,
    verdict::checked,
};
use crate::{
    form::{CheckForm, CheckRole},
    settings::check as question,
    state::{Action, CheckAction, CheckState},
    texts::{k, text, told_lines},
};

const ROLES: Entries<CheckRole> = &[
    ("other", k::CHECK_NOTHING, CheckRole::Other),
    ("quasi", k::CHECK_OTHERS_MAY_KNOW, CheckRole::Quasi),
    ("codes", k::CHECK_SAME_ITS_DIGITS_CODES, CheckRole::QuasiCodes),
    ("sensitive", k::CHECK_SENSITIVE, CheckRole::Sensitive),
];

/// Rows of the table that are shown.
const SHOWN_ROWS: usize = 6;

/// The view.
pub(crate) fn check(props: &PageProps) -> Html {
    let view = &props.state.check;
    html! {
        <section class="step" aria-labelledby="check">
            <h2 id="check" tabindex="-1">{ t!(CHECK_CHECK_PUBLISHED_TABLE) }</h2>
            <p>
                { t!(CHECK_ANY_TABLE_MADE_HERE) }
            </p>
            <p><a href="#open">{ t!(CHECK_BACK_ANONYMIZING) }</a></p>
            { files::part(props, CheckedTable::Published, "check-input", t!(CHECK_PUBLISHED_TABLE_CSV_OR)) }
            if let Some(table) = view.published.read() { { opened(props, view, table) } }
            { series::audit(props) }
        </section>
    }
}

fn opened(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let asked = question(table, &view.form).map(|asked| CheckSettings { person: view.person(), ..asked });
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
            { rows("check-preview", t!(CHECK_FIRST_ROWS), names, &table.preview[..table.preview.len().min(SHOWN_ROWS)]) }
            <fieldset class="plain" disabled={view.busy}>
                <legend class="unseen">{ t!(CHECK_WHAT_CHECK) }</legend>
                <h3>{ t!(CHECK_ITS_COLUMNS) }</h3>
                { columns(props, table, &view.form) }
                <h3>{ t!(CHECK_WHAT_PROMISE) }</h3>
                { asked::models(props, &view.form) }
                { more("more-check", t!(CHECK_MORE_ORIGINAL_HIERARCHIES_POPULATION), asked::further(props, view, table)) }
            </fieldset>
            { wrong("check", faults.as_deref(), false) }
            <p><button id="check-start" type="button" class="primary" {disabled} {onclick}>{ t!(CHECK_CHECK) }</button></p>
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
        let options = ROLES.iter().map(|(value, label, _)| (*value, text(*label))).collect::<Vec<_>>();
        let onchange = edit(props, move |form, value: String| {
            let role = ROLES.iter().find(|(name, _, _)| *name == value).map(|(_, _, role)| *role);
            if let (Some(known), Some(role)) = (form.roles.get_mut(at), role) {
                *known = role;
            }
        });
        html! {
            <tr key={at} data-check-column={name.clone()}>
                <th scope="row">{ name }</th>
                <td><Select name={t!(CHECK_WHAT, name = name)} {options} {value} {onchange} /></td>
            </tr>
        }
    };
    html! {
        <table class="columns check-columns">
            <thead><tr><th scope="col">{ t!(CHECK_COLUMN) }</th><th scope="col">{ t!(CHECK_WHAT_2) }</th></tr></thead>
            <tbody>{ for table.columns.iter().enumerate().map(|(at, column)| row(at, &column.name)) }</tbody>
        </table>
    }
}

/// Verdict before figures: what holds and what does not, then all that the command line prints.
fn found(view: &CheckState) -> Html {
    match view.found.as_deref() {
        None if view.busy => html! { <p role="status">{ t!(CHECK_CHECKING) }</p> },
        None => html! {},
        Some(Err(why)) => html! {
            <div id="checked" class="notice brick" role="alert" tabindex="-1">
                <p class="notice-title">{ t!(CHECK_CANNOT_BE_CHECKED) }</p>
                <p>{ why.html() }</p>
            </div>
        },
        Some(Ok(Checked { audit, lines })) => html! {
            <div id="checked" tabindex="-1">
                { checked(audit) }
                <h3>{ t!(CHECK_ALL_FIGURES) }</h3>
                <div class="frame" tabindex="0" role="region" aria-label={t!(CHECK_ALL_FIGURES)}>
                    <pre id="check-text">{ told_lines(lines) }</pre>
                </div>
            </div>
        },
    }
}
