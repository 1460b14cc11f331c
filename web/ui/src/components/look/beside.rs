//! Every row of the original beside what is published for it.

use std::{ops::Range, rc::Rc};

use lookalike_model::comparison::{Row, RowOrder};
use lookalike_words::Said;
use yew::{Callback, Html, MouseEvent, Properties, function_component, html};

use crate::{
    components::{
        PageProps,
        field::Around,
        fields::{Entries, choose},
        virtual_rows::Virtual,
        wide_columns::{aside, onsideways, part},
    },
    format::count,
    state::{Action, LookAction, NARROW, WINDOW},
    texts::{Language, k, told},
};

const ORDERS: Entries<RowOrder> = &[
    ("most-changed", k::BESIDE_MOST_CHANGED, RowOrder::MostChanged),
    ("file", k::BESIDE_FILE_ORDER, RowOrder::File),
];

/// Pixels of a column in a table of many, a cell before and after; of the number of a row, and of its group.
const WIDTH: usize = 184;
const NUMBER: usize = 72;
const GROUP: usize = 96;

/// All rows.
pub(super) fn beside(props: &PageProps) -> Html {
    let Some(results) = &props.state.results else { return html! {} };
    let (look, beside) = (&props.state.look, &results.finished.beside);
    let names: Vec<&String> = results.columns().collect();
    // Rows far from those in view would lie outside of the element: none are shown until the right ones are there.
    let near = look.rows.0.abs_diff(look.from) <= WINDOW;
    let (from, rows) = if near { look.rows.clone() } else { (look.from, Rc::default()) };
    let dispatcher = props.state.dispatcher();
    let onscrolled = Callback::from(move |row| dispatcher.dispatch(Action::Look(LookAction::Scrolled(row))));
    let count = names.len();
    let part = part(count, look.left);
    let wide = count > NARROW;
    let dispatcher = props.state.dispatcher();
    let onsideways = wide.then(|| {
        onsideways(WIDTH, look.left, move |column| {
            dispatcher.dispatch(Action::Look(LookAction::Sideways(column)));
        })
    });
    let width = wide.then_some(NUMBER + count * WIDTH + GROUP);
    let head = head(&names, &part, wide);
    let there = (from, rows.len());
    let dispatcher = props.state.dispatcher();
    let onclass =
        Callback::from(move |class| dispatcher.dispatch(Action::Look(LookAction::ShowClass(class))));
    let body = html! { <Rows {from} {rows} {part} {onclass} language={props.state.language} /> };
    let onenter = {
        let (state, rows) = (props.state.clone(), look.rows.clone());
        Callback::from(move |at: usize| {
            if let Some(row) = at.checked_sub(rows.0).and_then(|at| rows.1.get(at)) {
                state.dispatch(Action::Look(LookAction::ShowClass(row.class.clone())));
            }
        })
    };
    html! {
        <>
            { fates(&beside.fates, beside.rows) }
            { order(props) }
            { group(props, &names) }
            <p class="hint">
                { if props.state.engine_tells() { t!(BESIDE_ONLY_HERE_EACH_ROW) } else { t!(BESIDE_LAST_RUN_ONLY) } }
            </p>
            <Virtual key={format!("beside-{}-{:?}", look.shown, look.order)} id="beside" label={t!(BESIDE_EVERY_ROW_BEFORE_AFTER)} total={beside.rows} {there}
                {head} {body} {width} {onsideways} {onscrolled} {onenter} />
        </>
    }
}

/// The names of the columns, between the number of a row and its group; those in view of many, with widths of their own.
fn head(names: &[&String], part: &Range<usize>, wide: bool) -> Html {
    let named = names.iter().enumerate().take(part.end).skip(part.start);
    html! {
        <>
        if wide {
            <colgroup>
                <col width={NUMBER.to_string()} />
                <col span={names.len().to_string()} width={WIDTH.to_string()} />
                <col width={GROUP.to_string()} />
            </colgroup>
        }
        <thead>
            <tr>
                <th scope="col" class="number">{ t!(BESIDE_ROW) }</th>
                { aside(part.start) }
                { for named.map(|(at, name)| html! { <th key={at} scope="col" title={wide.then(|| (*name).clone())}>{ *name }</th> }) }
                { aside(names.len() - part.end) }
                <th scope="col">{ t!(BESIDE_CLASS) }</th>
            </tr>
        </thead>
        </>
    }
}

/// Rows that are in the document.
#[derive(Properties)]
struct RowsProps {
    from: usize,
    rows: Rc<Vec<Row>>,
    /// The columns that are in the document.
    part: Range<usize>,
    /// Shows a group; it does the same whenever it was made.
    onclass: Callback<String>,
    language: Language,
}

impl PartialEq for RowsProps {
    /// The same rows, not others that are equal: they are compared whenever anything on the page changes.
    fn eq(&self, other: &Self) -> bool {
        (self.from, self.language, &self.part) == (other.from, other.language, &other.part)
            && Rc::ptr_eq(&self.rows, &other.rows)
    }
}

#[function_component]
fn Rows(props: &RowsProps) -> Html {
    html! { <tbody>{ for props.rows.iter().enumerate().map(|(at, each)| row(props.from + at, each, &props.part, Some(&props.onclass))) }</tbody> }
}

/// Which rows come first.
fn order(props: &PageProps) -> Html {
    let state = props.state.clone();
    let around = Around { id: "beside-order", label: t!(BESIDE_ORDER), hint: "", wrong: None, marked: false };
    let set = move |order| state.dispatch(Action::Look(LookAction::Order(order)));
    html! { <div class="browse-filter">{ choose(&around, ORDERS, props.state.look.order, set) }</div> }
}

/// The rows of the group that is shown.
fn group(props: &PageProps, names: &[&String]) -> Html {
    let Some(shown) = &props.state.look.class else { return html! {} };
    let dispatcher = props.state.dispatcher();
    let close = Callback::from(move |_: MouseEvent| {
        dispatcher.dispatch(Action::Look(LookAction::ShowClass(String::new())));
    });
    html! {
        <section id="group" class="group" aria-label={t!(BESIDE_GROUP, label = shown.class)} data-rows={shown.total.to_string()}>
            <header>
                <strong>{ t!(BESIDE_GROUP, label = shown.class) }{ ": " }{ n!(N_ROW, shown.total) }</strong>
                <button id="group-close" type="button" class="quiet-button" onclick={close}>{ t!(SHEET_CLOSE) }</button>
            </header>
            <div class="frame" tabindex="0" role="region" aria-label={t!(BESIDE_GROUP, label = shown.class)}>
                <table class="dense">
                    { head(names, &(0..names.len()), false) }
                    <tbody>{ for shown.rows.iter().enumerate().map(|(at, each)| row(at, each, &(0..names.len()), None)) }</tbody>
                </table>
            </div>
        </section>
    }
}

fn row(at: usize, row: &Row, part: &Range<usize>, onclass: Option<&Callback<String>>) -> Html {
    let class = match onclass {
        Some(onclass) => {
            let (onclass, label) = (onclass.clone(), row.class.clone());
            let onclick = Callback::from(move |_: MouseEvent| onclass.emit(label.clone()));
            html! { <button type="button" class="link" tabindex="-1" aria-label={t!(BESIDE_SHOW_GROUP, label = row.class)} {onclick}>{ &row.class }</button> }
        }
        None => html! { { &row.class } },
    };
    let left_out = row.after.is_empty();
    let cell = |(before, after): (&String, Option<&String>)| match after {
        Some(after) if after != before => html! {
            <td class="changed"><span class="old">{ shown(before) }</span><span role="img" aria-label={t!(BESIDE_BECOMES)}>{ " → " }</span>{ shown(after) }</td>
        },
        Some(after) => html! { <td class="same">{ after }</td> },
        None => html! { <td class="old">{ before }</td> },
    };
    let columns = row.before.len();
    let pairs = row
        .before
        .iter()
        .enumerate()
        .take(part.end)
        .skip(part.start)
        .map(|(at, before)| (before, row.after.get(at)));
    html! {
        <tr key={row.number} aria-rowindex={(at + 2).to_string()} data-row={(row.number + 1).to_string()} data-left-out={left_out.to_string()}>
            <th scope="row" class="number">{ count(row.number + 1) }</th>
            { aside(part.start) }
            { for pairs.map(cell) }
            { aside(columns.saturating_sub(part.end)) }
            if left_out {
                <td class="amber">{ t!(BESIDE_NOT_PUBLISHED) }{ " " }{ for row.fate.iter().map(told) }</td>
            } else {
                <td>{ class }</td>
            }
        </tr>
    }
}

/// A cell as it is read: an empty one, and an empty one in a set, which is its first member, would not be seen.
fn shown(cell: &str) -> String {
    match cell.strip_prefix("{, ") {
        _ if cell.is_empty() => String::from(t!(BESIDE_EMPTY)),
        Some(others) => format!("{{{}, {others}", t!(BESIDE_EMPTY)),
        None => cell.to_owned(),
    }
}

fn fates(fates: &[(Said, usize)], rows: usize) -> Html {
    if fates.is_empty() {
        return html! { <p id="fates">{ n!(BESIDE_ALL_PUBLISHED, rows) }</p> };
    }
    html! {
        <>
            <p id="fates">{ t!(BESIDE_ROWS_NOT_PUBLISHED_WHY) }</p>
            <ul>{ for fates.iter().map(|(reason, rows)| html! {
                <li>{ n!(N_ROW, *rows) }{ ": " }{ told(reason) }</li>
            }) }</ul>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_cell_is_read_as_one() {
        assert_eq!(shown("{, 06010}"), "{(empty), 06010}");
        assert_eq!(shown("{, ?, 06010}"), "{(empty), ?, 06010}");
        assert_eq!(shown(""), "(empty)");
        // A label that begins with a comma is escaped in a set.
        for plain in ["{\\, a, b}", "{a, b}", "18-20", ", a"] {
            assert_eq!(shown(plain), plain);
        }
    }
}
