//! The columns of a large file, chosen before it is read: their names and types, a filter, and what reads them.

use lookalike_wire::opening::{FileColumn, Form, Opening};
use yew::{Callback, Event, Html, InputEvent, MouseEvent, html};

use super::PageProps;
use crate::{
    format::{bytes, count},
    platform::dom,
    state::{Action, Attempt, PickAction, Picking},
    texts::told,
};

/// Columns that are in the document at once.
const SHOWN: usize = 300;

/// The columns of the last file, if they are being chosen.
pub(super) fn picking(props: &PageProps) -> Html {
    let state = &*props.state;
    let (Some(picking), Some(Attempt { source, form: Some(form), .. })) = (&state.picking, &state.attempt)
    else {
        return html! {};
    };
    let listed = state.pickable();
    let chosen = picking.chosen.iter().filter(|chosen| **chosen).count();
    let read = {
        let (control, state) = (props.control.clone(), props.state.clone());
        let how = source.how.clone();
        Callback::from(move |_: MouseEvent| {
            control.reopen(Opening { columns: Some(state.picked()), ..how.clone() });
        })
    };
    let cancel = {
        let control = props.control.clone();
        Callback::from(move |_: MouseEvent| control.pick_nothing())
    };
    let number = t!(PICK_CHOSEN, n = count(chosen), all = count(form.columns.len()));
    html! {
        <section id="pick-columns" class="picking" tabindex="-1" aria-labelledby="pick-title">
            <h2 id="pick-title">{ t!(PICK_TITLE, name = source.name) }</h2>
            <p class="hint">
                { format!("{}, {}. ", n!(N_COLUMN, form.columns.len()), bytes(source.bytes)) }{ t!(PICK_WHY) }
            </p>
            { filter(props, picking) }
            { list(props, picking, form, &listed) }
            <p id="pick-chosen" role="status">{ number }</p>
            <p>
                <button id="pick-read" type="button" class="primary" disabled={chosen == 0} onclick={read}>{ t!(PICK_READ) }</button>
                { " " }
                <button id="pick-cancel" type="button" onclick={cancel}>{ t!(SOLVE_CANCEL) }</button>
            </p>
        </section>
    }
}

/// The field that filters, and what chooses all or none of those that are listed.
fn filter(props: &PageProps, picking: &Picking) -> Html {
    let dispatcher = props.state.dispatcher();
    let oninput = Callback::from(move |event: InputEvent| {
        dispatcher.dispatch(Action::Pick(PickAction::Filter(dom::value(&event))));
    });
    let button = |id: &'static str, label: &'static str, on: bool| {
        let dispatcher = props.state.dispatcher();
        let onclick =
            Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Pick(PickAction::Listed(on))));
        html! { <button {id} type="button" class="quiet-button" {onclick}>{ label }</button> }
    };
    html! {
        <p>
            <input id="pick-filter" type="text" aria-label={t!(DESCRIBE_FILTER)} placeholder={t!(DESCRIBE_FILTER)} autocomplete="off"
                spellcheck="false" value={picking.filter.clone()} {oninput} />
            { " " }{ button("pick-all", t!(PICK_ALL), true) }{ " " }{ button("pick-none", t!(PICK_NONE), false) }
        </p>
    }
}

fn list(props: &PageProps, picking: &Picking, form: &Form, listed: &[usize]) -> Html {
    let item = |place: usize, column: &FileColumn| {
        let dispatcher = props.state.dispatcher();
        let onchange = Callback::from(move |event: Event| {
            dispatcher.dispatch(Action::Pick(PickAction::One(place, dom::is_checked(&event))));
        });
        let (id, checked) = (format!("pick-{place}"), picking.chosen.get(place) == Some(&true));
        html! {
            <li key={place} data-pick={column.name.clone()}>
                <input id={id.clone()} type="checkbox" disabled={column.unreadable} {checked} {onchange} />
                <label for={id} class="beside">{ &column.name }{ " " }<span class="hint">{ told(&column.of) }</span></label>
            </li>
        }
    };
    let shown = listed.iter().take(SHOWN).filter_map(|&place| Some(item(place, form.columns.get(place)?)));
    let more = listed.len().saturating_sub(SHOWN);
    html! {
        <div class="frame" tabindex="0" role="region" aria-label={t!(PICK_LIST)}>
            <ul class="plain-list">{ for shown }</ul>
            if more > 0 { <p class="hint">{ t!(PICK_MORE, n = count(more)) }</p> }
        </div>
    }
}
