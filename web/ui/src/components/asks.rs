//! What is asked before another table takes the place of one that somebody still needs.

use lookalike_wire::page::names;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

use super::PageProps;
use crate::state::{Action, Stake};

/// The dialogue, while something is asked.
pub(crate) fn asks(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(coming) = &state.view.asks else { return html! {} };
    let stay = {
        let control = props.control.clone();
        Callback::from(move |_: MouseEvent| control.stay())
    };
    let discard = {
        let control = props.control.clone();
        Callback::from(move |_: MouseEvent| control.open_held())
    };
    let (what, word) = match state.at_stake() {
        Some(Stake::Ledger) => (t!(ASKS_LEDGER), t!(ASKS_DISCARD_LEDGER)),
        Some(Stake::Result) => (t!(ASKS_RESULT), t!(ASKS_DISCARD)),
        Some(Stake::Search) => (t!(ASKS_SEARCH), t!(ASKS_DISCARD)),
        None => (t!(ASKS_NOTHING), t!(ASKS_OPEN)),
    };
    html! {
        <div class="overlay">
            <div id="asks" class="dialogue" role="alertdialog" aria-modal="true" aria-labelledby="asks-title" aria-describedby="asks-what">
                <h2 id="asks-title">{ t!(ASKS_TITLE, name = coming) }</h2>
                <p id="asks-what">{ what }</p>
                <p class="buttons">
                    <button id="asks-stay" type="button" class="primary" onclick={stay}>{ t!(ASKS_STAY) }</button>
                    { save(props) }
                    <button id="asks-discard" type="button" onclick={discard}>{ word }</button>
                </p>
            </div>
        </div>
    }
}

/// The table of an unsaved result can be saved at once.
fn save(props: &PageProps) -> Html {
    let state = &props.state;
    if state.at_stake() != Some(Stake::Result) {
        return html! {};
    }
    let (Some(results), Some(source)) = (&state.results, &state.source) else { return html! {} };
    let dispatcher = state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::TableSaved));
    html! {
        <a id="asks-save" class="button" href={AttrValue::from(results.downloads.table.clone())}
            download={names::table(&source.name)} {onclick}>{ t!(SAVE_DOWNLOAD_TABLE) }</a>
    }
}
