//! Every row of the original beside what is published for it.

use std::rc::Rc;

use lookalike_model::comparison::Row;
use lookalike_words::Said;
use yew::{Callback, Html, Properties, function_component, html};

use crate::{
    components::{PageProps, virtual_rows::Virtual},
    format::count,
    state::{Action, LookAction, WINDOW},
    texts::{Language, told},
};

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
    let head = html! {
        <thead>
            <tr>
                <th scope="col" class="number">{ t!(BESIDE_ROW) }</th>
                { for names.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }
                <th scope="col">{ t!(BESIDE_CLASS) }</th>
            </tr>
        </thead>
    };
    let there = (from, rows.len());
    let body = html! { <Rows {from} {rows} language={props.state.language} /> };
    html! {
        <>
            { fates(&beside.fates, beside.rows) }
            <p class="hint">{ t!(BESIDE_ONLY_HERE_EACH_ROW) }</p>
            <Virtual key={format!("beside-{}", look.runs)} id="beside" label={t!(BESIDE_EVERY_ROW_BEFORE_AFTER)} total={beside.rows} {there} {head}
                {body} {onscrolled} />
        </>
    }
}

/// Rows that are in the document.
#[derive(Properties)]
struct RowsProps {
    from: usize,
    rows: Rc<Vec<Row>>,
    language: Language,
}

impl PartialEq for RowsProps {
    /// The same rows, not others that are equal: they are compared whenever anything on the page changes.
    fn eq(&self, other: &Self) -> bool {
        self.from == other.from && self.language == other.language && Rc::ptr_eq(&self.rows, &other.rows)
    }
}

#[function_component]
fn Rows(props: &RowsProps) -> Html {
    html! { <tbody>{ for props.rows.iter().enumerate().map(|(at, each)| row(props.from + at, each)) }</tbody> }
}

fn row(at: usize, row: &Row) -> Html {
    let left_out = row.after.is_empty();
    let cell = |(before, after): (&String, Option<&String>)| match after {
        Some(after) if after != before => html! {
            <td class="changed"><span class="old">{ before }</span><span class="unseen">{ " " }{ t!(BESIDE_BECOMES) }{ " " }</span>
                <span aria-hidden="true">{ " → " }</span>{ after }</td>
        },
        Some(after) => html! { <td>{ after }</td> },
        None => html! { <td class="old">{ before }</td> },
    };
    let pairs = row.before.iter().enumerate().map(|(at, before)| (before, row.after.get(at)));
    html! {
        <tr key={at} aria-rowindex={(at + 2).to_string()} data-left-out={left_out.to_string()}>
            <th scope="row" class="number">{ count(at + 1) }</th>
            { for pairs.map(cell) }
            if left_out {
                <td class="amber">{ t!(BESIDE_NOT_PUBLISHED) }{ " " }{ for row.fate.iter().map(told) }</td>
            } else {
                <td>{ &row.class }</td>
            }
        </tr>
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
