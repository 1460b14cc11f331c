//! The page that checks a published table, ours or anybody's, in the frame of the workbench: its columns, the table with what was found,
//! the question.

mod asked;
mod attacks;
mod columns;
mod files;
mod findings;
mod told;

use lookalike_model::info::TableInfo;
use lookalike_wire::check::{CheckSettings, CheckedTable};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    browse::{ONLY, Table},
    field::{Around, wrong},
    fields::{choose, more},
    series,
};
use crate::{
    form::{CheckForm, CheckRole, Role},
    settings::check as question,
    state::{Action, BrowseAction, CheckAction, CheckState},
};

/// The page. Before a table is open it is one column.
pub(crate) fn check(props: &PageProps) -> Html {
    let (state, view) = (&*props.state, &props.state.check);
    let inert = state.view.asks.is_some();
    let Some(table) = view.published.read() else {
        return html! {
            <main id="scroll" {inert} class="scroll page">
                <section class="step" aria-labelledby="check">
                    <h2 id="check" tabindex="-1">{ t!(CHECK_CHECK_PUBLISHED_TABLE) }</h2>
                    <p>{ t!(CHECK_ANY_TABLE_MADE_HERE) }</p>
                    { files::part(props, CheckedTable::Published, "check-input", t!(CHECK_PUBLISHED_TABLE_CSV_OR)) }
                    { series::audit(props) }
                </section>
            </main>
        };
    };
    let class = if view.found.is_some() { "scroll work done" } else { "scroll work" };
    html! {
        <main id="scroll" {inert} {class}>
            { columns::columns(props, table, &view.form) }
            <section class="pane middle-pane" aria-labelledby="check">
                <h2 id="check" class="unseen" tabindex="-1">{ t!(CHECK_CHECK_PUBLISHED_TABLE) }</h2>
                { files::part(props, CheckedTable::Published, "check-input", t!(CHECK_ANOTHER)) }
                { findings::found(view) }
                { published(props, view, table) }
            </section>
            { asks(props, view, table) }
        </main>
    }
}

/// The published table; rows in groups smaller than what is asked for are tinted.
fn published(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let state = props.state.clone();
    let least = view.form.k.trim().parse::<usize>().ok().filter(|k| *k > 1);
    let shown = Table {
        ids: ("check-preview", "check-rows"),
        info: table,
        roles: view.form.roles.iter().map(|role| role.of_table()).collect(),
        browse: &view.browse,
        number: view.tables,
        few: least.map_or(0, |k| k - 1),
        language: state.language,
    };
    let browse = {
        let state = state.clone();
        move |action| state.dispatch(Action::Check(CheckAction::Browse(action)))
    };
    let around = Around { id: "check-only", label: t!(BROWSE_SHOW), hint: "", wrong: None, marked: false };
    let only = browse.clone();
    let filter = html! {
        <div class="browse-filter">
            { choose(&around, ONLY, view.browse.only, move |rows| only(BrowseAction::Only(rows))) }
            <p class="hint">
                <span class="swatch alone">{ t!(BROWSE_TINT_ALONE) }</span>
                if let Some(k) = least.filter(|k| *k > 2) { { " " }<span class="swatch few">{ t!(CHECK_TINT_FEW, k = k) }</span> }
            </p>
        </div>
    };
    shown.view(filter, Callback::from(move |row| browse(BrowseAction::Scrolled(row))), None)
}

/// The question, and the button that asks it.
fn asks(props: &PageProps, view: &CheckState, table: &TableInfo) -> Html {
    let original = view.original.read().is_some();
    let asked =
        question(table, &view.form, original).map(|asked| CheckSettings { person: view.person(), ..asked });
    let faults = asked.as_ref().err().map(|wrong| wrong.join(" "));
    let disabled = view.busy || asked.is_err();
    let control = props.control.clone();
    let onclick = Callback::from(move |_| {
        if let Ok(asked) = &asked {
            control.check(asked.clone());
        }
    });
    let stop = {
        let (control, state) = (props.control.clone(), props.state.clone());
        Callback::from(move |_| control.stop_check(&state.check))
    };
    // A run of the workbench would be ended with it.
    let stops = view.busy && !props.state.is_busy();
    html! {
        <section class="pane decision-pane" aria-labelledby="check-asked">
            <div class="decide">
                <h2 id="check-asked" tabindex="-1">{ t!(CHECK_WHAT_PROMISE) }</h2>
                <fieldset class="plain" disabled={view.busy}>
                    <legend class="unseen">{ t!(CHECK_WHAT_CHECK) }</legend>
                    { asked::first(props, &view.form) }
                    { more("more-check", t!(EXPERT_TITLE), asked::expert(props, view, table)) }
                    { asked::beside(props, view) }
                </fieldset>
                <h3>{ t!(CHECK_EARLIER) }</h3>
                { series::audit(props) }
            </div>
            <div class="act">
                { wrong("check", faults.as_deref(), false) }
                <button id="check-start" type="button" class="primary" {disabled} {onclick}>{ t!(CHECK_CHECK) }</button>
                if stops { <button id="check-stop" type="button" onclick={stop}>{ t!(CHECK_STOP) }</button> }
            </div>
        </section>
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

impl CheckRole {
    /// What the column would be in the workbench, for the eye.
    const fn of_table(self) -> Role {
        match self {
            Self::Other => Role::Keep,
            Self::Quasi | Self::QuasiCodes => Role::Quasi,
            Self::Sensitive => Role::Sensitive,
        }
    }
}
