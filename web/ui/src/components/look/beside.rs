//! Every row of the original beside what is published for it. Only the rows in view are in the document, however many there
//! are: empty pictures stand for the others. Where these would be higher than a browser allows, [`Scroll`] says which rows
//! belong to a place.

use std::rc::Rc;

use lookalike_model::comparison::Row;
use lookalike_words::Said;
use yew::{
    Callback, Event, Html, Properties, function_component, html, use_effect, use_force_update, use_mut_ref,
    use_node_ref,
};

use crate::{
    components::PageProps,
    format::count,
    platform::{dom, timer::After},
    state::{Action, BLOCK, HEIGHT, LookAction, Scroll, WINDOW},
    texts::{Language, told},
};

/// Milliseconds without scrolling after which the rows rest.
const REST: i32 = 150;

/// All rows. Where they are scrolled to is known here alone: the page is drawn anew only when other rows are needed.
#[function_component]
pub(super) fn Beside(props: &PageProps) -> Html {
    let results = props.state.results.as_ref();
    let all = results.map_or(0, |results| results.finished.beside.rows);
    let frame = use_node_ref();
    let place = use_mut_ref(|| Scroll::of(all));
    let rest = use_mut_ref(|| None::<After>);
    let draw = use_force_update();
    {
        let (frame, place) = (frame.clone(), Rc::clone(&place));
        use_effect(move || {
            let goal = place.borrow_mut().goal();
            if let Some(goal) = goal {
                dom::scroll_to(&frame, goal);
            }
        });
    }
    let onscroll = {
        let (dispatcher, place) = (props.state.dispatcher(), Rc::clone(&place));
        Callback::from(move |event: Event| {
            let (at, view) = dom::scrolled(&event);
            let before = *place.borrow();
            // The header takes as much as a row.
            let now = before.scrolled(at, view - HEIGHT as f64);
            *place.borrow_mut() = now;
            if now.row() / BLOCK != before.row() / BLOCK {
                dispatcher.dispatch(Action::Look(LookAction::Scrolled(now.row())));
            } else if now.ahead().to_bits() != before.ahead().to_bits() {
                draw.force_update();
            }
            let resting = now.rest().map(|_| {
                let (place, draw) = (Rc::clone(&place), draw.clone());
                After::new(REST, move || {
                    let rested = place.borrow().rested();
                    *place.borrow_mut() = rested;
                    draw.force_update();
                })
            });
            drop(rest.replace(resting));
        })
    };
    let Some(results) = results else { return html! {} };
    let (look, beside) = (&props.state.look, &results.finished.beside);
    let names: Vec<&String> = results.columns().collect();
    // Rows far from those in view would lie outside of the element: none are shown until the right ones are there.
    let near = look.rows.0.abs_diff(look.from) <= WINDOW;
    let (from, rows) = if near { look.rows.clone() } else { (look.from, Rc::default()) };
    let place = *place.borrow();
    let above = place.above(from);
    let below = place.height() - above - (rows.len() * HEIGHT) as f64;
    html! {
        <>
            { fates(&beside.fates, beside.rows) }
            <p class="hint">
                { if props.state.engine_tells() { t!(BESIDE_ONLY_HERE_EACH_ROW) } else { t!(BESIDE_LAST_RUN_ONLY) } }
            </p>
            <div ref={frame} id="beside" class="frame rows" tabindex="0" role="region" aria-label={t!(BESIDE_EVERY_ROW_BEFORE_AFTER)} {onscroll}
                data-from={from.to_string()} data-rows={beside.rows.to_string()}>
                { gap(above) }
                <table class="dense" aria-rowcount={(beside.rows + 1).to_string()}>
                    <caption class="unseen">{ t!(BESIDE_EVERY_ROW_BEFORE_AFTER) }</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number">{ t!(BESIDE_ROW) }</th>
                            { for names.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }
                            <th scope="col">{ t!(BESIDE_CLASS) }</th>
                        </tr>
                    </thead>
                    <Rows {from} {rows} language={props.state.language} />
                </table>
                { gap(below) }
            </div>
        </>
    }
}

/// Stands for rows that are not in view. Nothing has a style of its own here, so it is a picture.
fn gap(height: f64) -> Html {
    html! { <svg class="gap" width="1" height={height.max(0.0).to_string()} aria-hidden="true"></svg> }
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
