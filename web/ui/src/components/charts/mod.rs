//! Charts: what was protected, what is left, how far a search is. One file a chart: data in, picture out, the drawing's
//! arithmetic in plain functions.
//!
//! Every chart has its finding as its title, axes that begin at 0, labels at the things themselves instead of a legend, and
//! the same as a table. Before is a hollow bar, after a filled one: the two colours alone would not tell them apart. Nothing has
//! a style of its own here: bars are stretched drawings, texts stand outside of them, and what keeps a text at its place is an
//! empty picture before it.

mod bound;
mod gap;
mod risk;
mod runs;
mod scale;
mod timeline;
mod usefulness;

pub(super) use bound::{bound, of_columns, penalised};
pub(super) use gap::{Gap, gap, of_loss, of_whole, stopping};
pub(super) use risk::{People, risk};
pub(super) use runs::runs;
pub(super) use scale::{Round, clock};
pub(super) use timeline::timeline;
pub(super) use usefulness::{Choices, Column, usefulness};

use yew::{Html, html};

/// A chart: what it shows in a line, the picture, the same as a table.
fn figure(id: &'static str, class: &'static str, finding: &str, picture: Html, table: Html) -> Html {
    html! {
        <figure {id} class={format!("chart {class}")}>
            <figcaption id={format!("{id}-finding")}>{ finding.to_owned() }</figcaption>
            { picture }
            { as_table(table) }
        </figure>
    }
}

/// The same as a table, folded.
fn as_table(table: Html) -> Html {
    html! { <details class="as-table"><summary>{ t!(CHART_AS_TABLE) }</summary>{ table }</details> }
}

/// A text at a place between 0 and 100 per cent of the width: it begins there, or ends there where it would run out of the
/// picture.
fn at(place: f64, class: &'static str, text: Html) -> Html {
    let place = place.clamp(0.0, 100.0);
    let lead =
        |width: f64| html! { <svg width={format!("{width:.1}%")} height="1" aria-hidden="true"></svg> };
    if place < 50.0 {
        html! { <div class="at">{ lead(place) }<span {class}>{ text }</span></div> }
    } else {
        html! { <div class="at end"><span {class}>{ text }</span>{ lead(100.0 - place) }</div> }
    }
}
