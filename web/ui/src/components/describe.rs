//! The columns on the left: a row each, with its values as a small picture and its role as a chip. All else of a column is in its
//! sheet.

use std::rc::Rc;

use yew::{Callback, Html, InputEvent, KeyboardEvent, MouseEvent, html};

use super::{
    PageProps, bulk,
    column_list::{ColumnList, FILTER},
    column_row::glyph,
};
use crate::{
    form::{Decided, Role},
    platform::dom,
    state::{Action, ViewAction},
    texts::told,
};

/// Columns from which on they can be filtered.
const MANY: usize = 12;

/// The columns.
pub(crate) fn describe(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(table) = &state.table else { return html! {} };
    let listed: Rc<[usize]> = state.listed().into();
    let filters = table.columns.len() > MANY;
    html! {
        <section class="pane columns-pane" aria-labelledby="describe">
            <h2 id="describe" tabindex="-1">{ n!(N_COLUMN, table.columns.len()) }</h2>
            if filters { { filter(props) } }
            if state.view.taken_over { <p id="taken-over" class="hint">{ t!(DESCRIBE_TAKEN_OVER) }</p> }
            { accept(props) }
            if !state.cells.notes.is_empty() {
                <ul id="cell-notes" class="notes hint">
                    { for state.cells.notes.iter().map(|note| html! { <li>{ told(note) }</li> }) }
                </ul>
            }
            <ColumnList page={props.clone()} places={listed} {filters} />
            { several(props) }
            <details id="roles-explained" class="more">
                <summary>{ t!(DESCRIBE_WHAT_ROLES_MEAN) }</summary>
                <dl class="terms">
                    { for Role::ALL.into_iter().enumerate().map(|(at, role)| term(at + 1, role)) }
                </dl>
                <p class="hint">{ t!(DESCRIBE_KEYS) }</p>
            </details>
        </section>
    }
}

fn filter(props: &PageProps) -> Html {
    let dispatcher = props.state.dispatcher();
    let oninput = Callback::from(move |event: InputEvent| {
        dispatcher.dispatch(Action::View(ViewAction::Filter(dom::value(&event))));
    });
    // Down from the field, the columns that are left begin.
    let first = props.state.listed().first().copied();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if let Some(place) = first.filter(|_| event.key() == "ArrowDown") {
            event.prevent_default();
            dom::focus(&format!("column-{place}"));
        }
    });
    html! {
        <input id={FILTER} type="text" aria-label={t!(DESCRIBE_FILTER)} placeholder={t!(DESCRIBE_FILTER)} autocomplete="off"
            spellcheck="false" value={props.state.view.filter.clone()} {oninput} {onkeydown} />
    }
}

/// The button that accepts the suggestions, all at once.
fn accept(props: &PageProps) -> Html {
    let state = &*props.state;
    let (open, together) = (state.suggestions().len(), state.acceptable().len());
    let as_suggested = state.choices.iter().filter(|choice| choice.decided == Decided::AsSuggested).count();
    if open == 0 {
        return match as_suggested {
            0 => html! {},
            n => html! { <p id="accepted" class="hint">{ n!(DESCRIBE_ACCEPTED, n) }</p> },
        };
    }
    let dispatcher = props.state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Accept));
    html! {
        <>
            if together > 0 {
                <p><button id="accept" type="button" disabled={state.is_busy()} {onclick}>{ n!(DESCRIBE_ACCEPT, together) }</button></p>
            }
            if together < open { <p class="hint">{ t!(DESCRIBE_ONE_SECRET) }</p> }
        </>
    }
}

fn several(props: &PageProps) -> Html {
    let state = &*props.state;
    let dispatcher = props.state.dispatcher();
    let on = state.view.several;
    let onclick =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Several(!on))));
    html! {
        <>
            <p>
                <button id="several" type="button" class="link" aria-pressed={on.to_string()} disabled={state.is_busy()} {onclick}>
                    { if on { t!(DESCRIBE_SEVERAL_OFF) } else { t!(DESCRIBE_SEVERAL) } }
                </button>
            </p>
            if on {
                <p>{ bulk::choose_all(props) }<label for="choose-all" class="beside">{ t!(BULK_CHOOSE_ALL) }</label></p>
                { bulk::bulk(props) }
            }
        </>
    }
}

fn term(key: usize, role: Role) -> Html {
    html! { <div><dt><kbd>{ key }</kbd>{ " " }{ glyph(role) }{ " " }{ role.label() }</dt><dd>{ role.meaning() }</dd></div> }
}
