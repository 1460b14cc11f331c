//! Every row of the original beside what is published for it. Only the rows in view are in the document, however many there
//! are: empty pictures of the right height stand for the others.

use lookalike_wire::look::Row;
use yew::{Callback, Event, Html, html};

use crate::{
    components::PageProps,
    format::count,
    platform::dom,
    state::{Action, LookAction, Results},
    texts::theirs,
};

/// Height of a row in pixels, as the style sheet has it.
const HEIGHT: usize = 28;

/// All rows.
pub(super) fn beside(props: &PageProps, results: &Results) -> Html {
    let look = &props.state.look;
    let beside = &results.finished.beside;
    let names: Vec<&String> = results.finished.header.iter().filter(|name| *name != "class").collect();
    let (from, rows) = &look.rows;
    let below = beside.rows.saturating_sub(from + rows.len());
    let state = props.state.clone();
    let onscroll = Callback::from(move |event: Event| {
        let row = (dom::scrolled(&event) / HEIGHT as f64) as usize;
        state.dispatch(Action::Look(LookAction::Scrolled(row)));
    });
    html! {
        <>
            { fates(&beside.fates, beside.rows) }
            <p class="hint">
                { t!(BESIDE_ONLY_HERE_EACH_ROW) }
            </p>
            <div id="beside" class="frame rows" tabindex="0" role="region" aria-label={t!(BESIDE_EVERY_ROW_BEFORE_AFTER)} {onscroll}
                data-from={from.to_string()} data-rows={beside.rows.to_string()}>
                { gap(*from) }
                <table class="dense" aria-rowcount={(beside.rows + 1).to_string()}>
                    <caption class="unseen">{ t!(BESIDE_EVERY_ROW_BEFORE_AFTER) }</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number">{ t!(BESIDE_ROW) }</th>
                            { for names.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }
                            <th scope="col">{ t!(BESIDE_CLASS) }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows.iter().enumerate().map(|(at, each)| row(from + at, each)) }</tbody>
                </table>
                { gap(below) }
            </div>
        </>
    }
}

/// Stands for rows that are not in view. Nothing has a style of its own here, so it is a picture.
fn gap(rows: usize) -> Html {
    html! { <svg class="gap" width="1" height={(rows * HEIGHT).to_string()} aria-hidden="true"></svg> }
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
            if left_out { <td class="amber">{ t!(BESIDE_NOT_PUBLISHED) }{ " " }{ theirs(&row.note) }</td> } else { <td>{ &row.note }</td> }
        </tr>
    }
}

fn fates(fates: &[(String, usize)], rows: usize) -> Html {
    if fates.is_empty() {
        return html! { <p id="fates">{ n!(BESIDE_ALL_PUBLISHED, rows) }</p> };
    }
    html! {
        <>
            <p id="fates">{ t!(BESIDE_ROWS_NOT_PUBLISHED_WHY) }</p>
            <ul>{ for fates.iter().map(|(reason, rows)| html! {
                <li>{ n!(N_ROW, *rows) }{ ": " }{ theirs(reason) }</li>
            }) }</ul>
        </>
    }
}
