//! What is put in place of a column's cells: the fields that say it, and proposals that fill them in.

use lookalike_model::{
    cells::CodeLabels,
    info::Proposed,
    settings::{Kind, Missing},
};
use yew::{Callback, Html, html};

use super::{Column, found_kind};
use crate::{
    components::field::{self, Around},
    form::{Choice, Role},
    format::list,
    state::Action,
    texts::told,
};

/// Id of the field for a width.
const WIDTH: &str = "column-width";
/// Id of the field for labels.
const LABELS: &str = "column-labels";

/// The fields for a width and for labels.
pub(super) fn fields(column: &Column) -> Html {
    let around = |id, label, hint| Around { id, label, hint, wrong: None, marked: false };
    let edit = |set: fn(&mut Choice, String)| {
        column.edit(move |choice, text| {
            *choice = std::mem::take(choice).with_other_cells();
            set(choice, text);
        })
    };
    html! {
        <>
            { field::text(&around(WIDTH, t!(CELLS_WIDTH), t!(CELLS_WIDTH_HINT)), "numeric", &column.choice.width,
                &edit(|choice, text| choice.width = text)) }
            { field::text(&around(LABELS, t!(CELLS_LABELS), t!(CELLS_LABELS_HINT)), "text", &column.choice.labels,
                &edit(|choice, text| choice.labels = text)) }
        </>
    }
}

/// Whether another reading of its cells is proposed, and nothing was said of it.
pub(super) fn is_proposed(column: &Column) -> bool {
    let is_asked = column.choice.kind.is_none() && column.choice.width.trim().is_empty();
    column.choice.role == Role::Quasi && is_asked && column.info.proposal.is_some()
}

/// Whole numbers that look like codes, where nothing was said of the kind.
pub(super) fn proposed(column: &Column, busy: bool) -> Html {
    let Some(proposal) = column.info.proposal.as_ref().filter(|_| is_proposed(column)) else {
        return html! {};
    };
    let (button, choice) = match proposal.reading {
        Proposed::Category => (
            t!(CELLS_TAKE_CATEGORY).to_owned(),
            Choice { kind: Some(Kind::Category), ..column.choice.clone() },
        ),
        Proposed::Pad(width) => {
            let choice = column.choice.clone().with_other_cells();
            (n!(CELLS_TAKE_WIDTH, usize::from(width)), Choice { width: width.to_string(), ..choice })
        }
    };
    html! {
        <div class="amber" data-proposal="reading">
            { t!(DESCRIBE_PERHAPS, role = found_kind("category")) }{ " " }{ told(&proposal.why) }{ ". " }
            { take(column, button, choice, WIDTH, busy) }
        </div>
    }
}

/// Whether some of its numbers may mean "not known", and nothing was said of them.
pub(super) fn is_unknown(column: &Column) -> bool {
    let is_asked = column.choice.kind.is_none() && column.choice.labels.trim().is_empty();
    column.choice.role == Role::Quasi && is_asked && column.info.unknown.is_some()
}

/// Numbers that may mean "not known", where nothing was said of the kind.
pub(super) fn unknown(column: &Column, busy: bool) -> Html {
    let Some(unknown) = column.info.unknown.as_ref().filter(|_| is_unknown(column)) else { return html! {} };
    let markers = column.markers();
    let usual = || Missing::default().markers.into_iter().find(|marker| !marker.is_empty());
    let known = markers.into_iter().find(|marker| !marker.is_empty());
    let Some(marker) = known.or_else(usual) else { return html! {} };
    let labels = CodeLabels(unknown.codes.iter().map(|code| (code.clone(), marker.clone())).collect());
    let codes: Vec<&str> = unknown.codes.iter().map(String::as_str).collect();
    let button = t!(CELLS_TAKE_UNKNOWN, codes = list(&codes));
    let choice = column.choice.clone().with_other_cells();
    html! {
        <div class="amber" data-proposal="unknown">
            { t!(DESCRIBE_NOT_KNOWN) }{ " " }{ told(&unknown.why) }{ ". " }
            { take(column, button, Choice { labels: labels.to_string(), ..choice }, LABELS, busy) }
        </div>
    }
}

/// The button that takes a proposal, and leads to the field that it fills in.
fn take(column: &Column, button: String, choice: Choice, field: &'static str, busy: bool) -> Html {
    let (state, place) = (column.props.state.clone(), column.place);
    let onclick =
        Callback::from(move |_| state.dispatch(Action::Take(place, Box::new(choice.clone()), field)));
    let label = t!(CELLS_TAKE_FOR, what = button, name = column.info.name);
    html! { <button type="button" class="link" aria-label={label} disabled={busy} {onclick}>{ button }</button> }
}
