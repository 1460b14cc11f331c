//! The open table as it is: every row, and how many are like it in what others may know.

use std::rc::Rc;

use lookalike_model::comparison::{Only, Rarity, TableRow};
use yew::{Callback, Html, Properties, function_component, html};

use super::{
    PageProps,
    field::Around,
    fields::{Entries, choose},
    rows::rows,
    virtual_rows::Virtual,
};
use crate::{
    form::Role,
    format::count,
    state::{Action, BrowseAction, Shown, WINDOW},
    texts::{Language, k, told},
};

/// Rows that are shown before the engine has answered.
const FIRST: usize = 20;

/// A row with at most so many like it is tinted.
const FEW: usize = 4;

const ONLY: Entries<Only> = &[
    ("all", k::BROWSE_ALL, Only::All),
    ("alone", k::BROWSE_ALONE, Only::Alone),
    ("missing", k::BROWSE_MISSING, Only::Missing),
];

/// The open table.
pub(super) fn browse(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let Some(shown) = &state.browse.shown else {
        let names = table.columns.iter().map(|column| column.name.as_str());
        let first = table.preview.len().min(FIRST);
        return rows("input-preview", t!(OPEN_FIRST_ROWS_FILE), names, &table.preview[..first]);
    };
    let window = match &shown.rows {
        Ok(window) => window,
        Err(why) => return html! { <p class="hint">{ told(why) }</p> },
    };
    let near = shown.from.abs_diff(state.browse.from) <= WINDOW;
    let there = if near { (shown.from, window.rows.len()) } else { (state.browse.from, 0) };
    let roles: Rc<[Role]> = state.choices.iter().map(|choice| choice.role).collect();
    let known = !shown.quasi.is_empty();
    let head = html! {
        <thead>
            <tr>
                <th scope="col" class="number">{ t!(BESIDE_ROW) }</th>
                if known { <th scope="col" class="number">{ t!(BROWSE_ALIKE) }</th> }
                { for table.columns.iter().zip(&*roles).map(|(column, role)| html! {
                    <th scope="col" class={class(*role)}>{ &column.name }</th>
                }) }
            </tr>
        </thead>
    };
    let body = if near {
        html! { <Rows shown={Rc::clone(shown)} {roles} language={state.language} /> }
    } else {
        html! { <tbody></tbody> }
    };
    let dispatcher = props.state.dispatcher();
    let onscrolled =
        Callback::from(move |row| dispatcher.dispatch(Action::Browse(BrowseAction::Scrolled(row))));
    html! {
        <div id="input-preview" class="browse">
            if known { { filter(props) } }
            <Virtual key={format!("browse-{}-{:?}-{}", state.tables, shown.only, window.total)} id="browse" label={t!(BROWSE_LABEL)}
                total={window.total} {there} {head} {body} {onscrolled} />
        </div>
    }
}

/// Which rows are shown, and what the tint means.
fn filter(props: &PageProps) -> Html {
    let state = props.state.clone();
    let around = Around { id: "browse-only", label: t!(BROWSE_SHOW), hint: "", wrong: None, marked: false };
    let set = move |only| state.dispatch(Action::Browse(BrowseAction::Only(only)));
    html! {
        <div class="browse-filter">
            { choose(&around, ONLY, props.state.browse.only, set) }
            <p class="hint"><span class="swatch alone">{ t!(BROWSE_TINT_ALONE) }</span>{ " " }<span class="swatch few">{ t!(BROWSE_TINT_FEW) }</span></p>
        </div>
    }
}

/// The style sheet's name for the cells of a column.
const fn class(role: Role) -> &'static str {
    match role {
        Role::Quasi => "known",
        Role::Sensitive => "secret",
        Role::Keep | Role::Unchanged => "",
        Role::NotPublished | Role::Identifier => "out",
    }
}

/// Rows that are in the document.
#[derive(Properties)]
struct RowsProps {
    shown: Rc<Shown>,
    roles: Rc<[Role]>,
    language: Language,
}

impl PartialEq for RowsProps {
    /// The same rows, not others that are equal: they are compared whenever anything on the page changes.
    fn eq(&self, other: &Self) -> bool {
        self.language == other.language && Rc::ptr_eq(&self.shown, &other.shown) && self.roles == other.roles
    }
}

#[function_component]
fn Rows(props: &RowsProps) -> Html {
    let rows = props.shown.rows.as_ref().map_or(&[][..], |window| &window.rows);
    let known = !props.shown.quasi.is_empty();
    html! { <tbody>{ for rows.iter().enumerate().map(|(at, each)| row(props.shown.from + at, each, &props.roles, known)) }</tbody> }
}

fn row(at: usize, row: &TableRow, roles: &[Role], known: bool) -> Html {
    let rarity = match row.alike {
        _ if !known => None,
        0 | 1 => Some("alone"),
        2..=FEW => Some("few"),
        _ => None,
    };
    html! {
        <tr key={row.number} class={rarity} aria-rowindex={(at + 2).to_string()} data-alike={known.then(|| row.alike.to_string())}>
            <th scope="row" class="number">{ count(row.number + 1) }</th>
            if known {
                <td class="number">{ if row.alike == 1 { t!(BROWSE_ONE_ALONE).to_owned() } else { count(row.alike) } }</td>
            }
            { for row.cells.iter().zip(roles).map(|(cell, role)| html! { <td class={class(*role)}>{ cell }</td> }) }
        </tr>
    }
}

/// How many rows are alone, as a bar: alone, two to four alike, five or more.
pub(super) fn found(rarity: &Rarity) -> Html {
    let all = (rarity.alone + rarity.few + rarity.many).max(1) as f64;
    let parts = [
        ("alone", t!(FOUND_ALONE), rarity.alone),
        ("few", t!(FOUND_FEW), rarity.few),
        ("many", t!(FOUND_MANY), rarity.many),
    ];
    let mut from = 0.0;
    let bar = parts.map(|(class, _, rows)| {
        let (x, width) = (from, 100.0 * rows as f64 / all);
        from += width;
        html! { <rect {class} x={format!("{x:.2}%")} width={format!("{width:.2}%")} height="100%" /> }
    });
    html! {
        <div class="found">
            <svg width="100%" height="12" aria-hidden="true">{ for bar }</svg>
            <ul>{ for parts.iter().map(|(class, name, rows)| html! {
                <li><span class={format!("swatch {class}")}>{ *name }</span>{ " " }<strong>{ count(*rows) }</strong></li>
            }) }</ul>
        </div>
    }
}
