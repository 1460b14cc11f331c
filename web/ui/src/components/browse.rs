//! The open table as it is: every row, and how many are like it in what others may know.

use std::{ops::Range, rc::Rc};

use lookalike_model::{
    comparison::{Only, Rarity, TableRow},
    info::TableInfo,
};
use yew::{AttrValue, Callback, Html, Properties, function_component, html};

use super::{
    PageProps,
    field::Around,
    fields::{Entries, choose},
    rows::rows,
    virtual_rows::Virtual,
    wide_columns::{aside, onsideways, part},
};
use crate::{
    form::Role,
    format::count,
    state::{Action, BLOCK, BLOCKS, BrowseAction, BrowseState, NARROW, Shown, block},
    texts::{Language, k, told},
};

/// Rows that are shown before the engine has answered.
const FIRST: usize = 20;

/// A row with at most so many like it is tinted.
const FEW: usize = 4;

/// Pixels of a column in a table of more, of the number of a row, and of how many are like it.
const WIDTH: usize = 104;
const NUMBER: usize = 72;
const ALIKE: usize = 88;

pub(super) const ONLY: Entries<Only> = &[
    ("all", k::BROWSE_ALL, Only::All),
    ("alone", k::BROWSE_ALONE, Only::Alone),
    ("missing", k::BROWSE_MISSING, Only::Missing),
];

/// The open table.
pub(super) fn browse(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let dispatcher = props.state.dispatcher();
    let shown = Table {
        ids: ("input-preview", "browse"),
        info: table,
        roles: state.choices.iter().map(|choice| choice.role).collect(),
        browse: &state.browse,
        number: state.tables,
        few: FEW,
        language: state.language,
    };
    let onscrolled =
        Callback::from(move |row| dispatcher.dispatch(Action::Browse(BrowseAction::Scrolled(row))));
    let dispatcher = props.state.dispatcher();
    let onsideways = onsideways(WIDTH, state.browse.left, move |column| {
        dispatcher.dispatch(Action::Browse(BrowseAction::Sideways(column)));
    });
    shown.view(filter(props), onscrolled, Some(onsideways))
}

/// A table whose rows are shown.
pub(super) struct Table<'a> {
    /// Ids of all of it and of the frame that scrolls.
    pub(super) ids: (&'static str, &'static str),
    /// What it is.
    pub(super) info: &'a TableInfo,
    /// What each column is to an attacker.
    pub(super) roles: Rc<[Role]>,
    /// Which rows are there.
    pub(super) browse: &'a BrowseState,
    /// Tells it from others.
    pub(super) number: u32,
    /// A row with at most so many like it is tinted.
    pub(super) few: usize,
    /// Its words are in this language.
    pub(super) language: Language,
}

impl Table<'_> {
    /// The rows; `filter` stands above them where something of a row may be known, and before that its room, so that they keep
    /// their place. Who hears how far it is scrolled sideways has only
    /// those of many columns in the document that are in view.
    pub(super) fn view(
        self,
        filter: Html,
        onscrolled: Callback<usize>,
        onsideways: Option<Callback<f64>>,
    ) -> Html {
        let Self { ids: (id, frame), info, roles, browse, number, few, language } = self;
        let Some(shown) = &browse.shown else {
            // They stay for a moment: of many columns those in view are enough.
            let part = part(info.columns.len(), 0);
            let names = info.columns.iter().take(part.end).map(|column| column.name.as_str());
            let first = info.preview.len().min(FIRST);
            return rows(id, t!(OPEN_FIRST_ROWS_FILE), names, &info.preview[..first]);
        };
        let window = match &shown.rows {
            Ok(window) => window,
            Err(why) => return html! { <p class="hint">{ told(why) }</p> },
        };
        let near = shown.from.abs_diff(browse.from) <= BLOCKS * BLOCK;
        let there = if near { (shown.from, window.rows.len()) } else { (browse.from, 0) };
        let known = !shown.by.quasi.is_empty();
        let count = info.columns.len();
        let onsideways = onsideways.filter(|_| count > NARROW);
        let wide = onsideways.is_some();
        let part = if wide { part(count, browse.left) } else { 0..count };
        let width = wide.then(|| NUMBER + count * WIDTH + if known { ALIKE } else { 0 });
        let classes: Rc<[AttrValue]> =
            info.columns.iter().zip(&*roles).map(|(column, role)| class(*role, &column.kind)).collect();
        let head = head(info, &classes, (&part, known, wide));
        let body = if near {
            html! { <Rows shown={Rc::clone(shown)} {classes} {few} {part} {language} /> }
        } else {
            html! { <tbody></tbody> }
        };
        html! {
            <div {id} class="browse">
                if known { { filter } } else { <div class="browse-filter"></div> }
                <Virtual key={format!("{frame}-{number}-{:?}-{}", shown.only, window.total)} id={frame} label={t!(BROWSE_LABEL)}
                    total={window.total} {there} {head} {body} {width} {onsideways} {onscrolled}
                    block={if wide { block(count) } else { BLOCK }} />
            </div>
        }
    }
}

/// The names of the columns, those in view of many with widths of their own.
fn head(info: &TableInfo, classes: &[AttrValue], (part, known, wide): (&Range<usize>, bool, bool)) -> Html {
    let count = info.columns.len();
    let named = info.columns.iter().zip(classes).enumerate().take(part.end).skip(part.start);
    html! {
        <>
        if wide {
            <colgroup>
                <col width={NUMBER.to_string()} />
                if known { <col width={ALIKE.to_string()} /> }
                <col span={count.to_string()} width={WIDTH.to_string()} />
            </colgroup>
        }
        <thead>
            <tr>
                <th scope="col" class="number">{ t!(BESIDE_ROW) }</th>
                if known { <th scope="col" class="number">{ t!(BROWSE_ALIKE) }</th> }
                { aside(part.start) }
                { for named.map(|(at, (column, class))| html! {
                    <th key={at} scope="col" {class} title={wide.then(|| column.name.clone())}>{ &column.name }</th>
                }) }
                { aside(count - part.end) }
            </tr>
        </thead>
        </>
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

/// The style sheet's names for the cells of a column: what it is to an attacker, and that it holds numbers.
fn class(role: Role, kind: &str) -> AttrValue {
    let role = match role {
        Role::Quasi => "known",
        Role::Sensitive => "secret",
        Role::Keep | Role::Unchanged => "",
        Role::NotPublished | Role::Identifier => "out",
    };
    match kind {
        "integer" | "real" => AttrValue::from(format!("{role} number")),
        _ => AttrValue::Static(role),
    }
}

/// Rows that are in the document.
#[derive(Properties)]
struct RowsProps {
    shown: Rc<Shown>,
    classes: Rc<[AttrValue]>,
    few: usize,
    part: Range<usize>,
    language: Language,
}

impl PartialEq for RowsProps {
    /// The same rows, not others that are equal: they are compared whenever anything on the page changes.
    fn eq(&self, other: &Self) -> bool {
        (self.language, self.few, &self.part) == (other.language, other.few, &other.part)
            && Rc::ptr_eq(&self.shown, &other.shown)
            && self.classes == other.classes
    }
}

#[function_component]
fn Rows(props: &RowsProps) -> Html {
    let rows = props.shown.rows.as_ref().map_or(&[][..], |window| &window.rows);
    let known = !props.shown.by.quasi.is_empty();
    html! { <tbody>{ for rows.iter().enumerate().map(|(at, each)| row(props.shown.from + at, each, props, known)) }</tbody> }
}

fn row(at: usize, row: &TableRow, props: &RowsProps, known: bool) -> Html {
    let RowsProps { classes, part, few, .. } = props;
    let rarity = match row.alike {
        _ if !known => None,
        0 | 1 => Some("alone"),
        alike if alike <= *few => Some("few"),
        _ => None,
    };
    html! {
        <tr key={row.number} class={rarity} aria-rowindex={(at + 2).to_string()} data-alike={known.then(|| row.alike.to_string())}>
            <th scope="row" class="number">{ count(row.number + 1) }</th>
            if known {
                <td class="number">{ if row.alike == 1 { t!(BROWSE_ONE_ALONE).to_owned() } else { count(row.alike) } }</td>
            }
            { aside(part.start) }
            { for row.cells.iter().zip(&**classes).take(part.end).skip(part.start).map(|(cell, class)| html! { <td {class}>{ cell }</td> }) }
            { aside(classes.len() - part.end) }
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
