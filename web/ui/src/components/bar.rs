//! The bar at the top: the name of the page, the way to another table, undo and redo, the check, the language.

use yew::{Callback, Event, Html, MouseEvent, html};

use super::{PageProps, language};
use crate::{
    platform::files::FileHandle,
    state::{Action, CheckAction, Way},
};

/// What the dialogue for files offers first.
const ACCEPTED: &str = ".csv,.tsv,.tab,.txt,.jsonl,.ndjson,.gz,.zip,.xlsx,.ods,text/csv,text/tab-separated-values,text/plain,application/gzip,application/zip";

/// The bar.
pub(crate) fn bar(props: &PageProps) -> Html {
    let state = &*props.state;
    html! {
        <header class="bar" inert={state.view.asks.is_some()}>
            { brand(state.table.is_some() || state.check.shown) }
            if state.check.shown {
                if state.check.published.read().is_some() { { of_check(props) } }
            } else if let Some(source) = state.source.as_ref().filter(|_| state.table.is_some()) {
                { named(&source.name) }
                { file(props, t!(BAR_OPEN_ANOTHER), "button quiet-button") }
                { history(props) }
            }
            <nav aria-label={t!(BAR_VIEWS)}>
                <a id="to-check" href={if state.check.shown { "#" } else { "#check" }}>
                    { if state.check.shown { t!(BAR_TO_ANONYMIZE) } else { t!(RAIL_CHECK_PUBLISHED_TABLE) } }
                </a>
            </nav>
            { language(props) }
        </header>
    }
}

/// How many letters of a file's name stay at its end, where most of what tells files apart stands.
const END: usize = 8;

/// A file's name, cut in the middle where there is too little room.
fn named(name: &str) -> Html {
    let (head, end) = halves(name);
    html! {
        <span class="file-name" id="bar-file" title={name.to_owned()}>
            <span aria-hidden="true">{ head.to_owned() }</span>
            <span aria-hidden="true">{ end.to_owned() }</span>
            <span class="unseen">{ name.to_owned() }</span>
        </span>
    }
}

/// What may be cut of a name, and its end, which stays.
fn halves(name: &str) -> (&str, &str) {
    let letters = name.chars().count();
    let at = letters - END.min(letters / 2);
    name.split_at(name.char_indices().nth(at).map_or(name.len(), |(byte, _)| byte))
}

/// The name of the page; its heading, unless the first screen has one.
fn brand(is_heading: bool) -> Html {
    let name = html! { <a class="brand" href="#">{ "Lookalike" }</a> };
    if is_heading {
        html! { <h1>{ name }</h1> }
    } else {
        name
    }
}

/// The button that chooses a file. The browser's own, which speaks the browser's language, is there for the keyboard and for those
/// who do not see.
pub(super) fn file(props: &PageProps, label: &str, class: &'static str) -> Html {
    let control = props.control.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(file) = FileHandle::picked(&event) {
            control.open(file);
        }
    });
    html! {
        <span class="file">
            <input id="file-input" type="file" accept={ACCEPTED} disabled={props.state.is_busy()} {onchange} />
            <label for="file-input" {class}>{ label }</label>
        </span>
    }
}

/// Undo and redo of what is asked of a published table.
fn of_check(props: &PageProps) -> Html {
    let check = &props.state.check;
    let step = |action: fn() -> CheckAction| {
        let dispatcher = props.state.dispatcher();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Check(action())))
    };
    let (can_undo, can_redo) = (check.edits.can_undo(), check.edits.can_redo());
    html! {
        <span role="group" aria-label={t!(MEMORY_SETTINGS_STEPS_2_3)}>
            <button id="undo" class="quiet-button" type="button" disabled={check.busy || !can_undo}
                onclick={step(|| CheckAction::Undo)}>{ t!(MEMORY_UNDO) }</button>
            <button id="redo" class="quiet-button" type="button" disabled={check.busy || !can_redo}
                onclick={step(|| CheckAction::Redo)}>{ t!(MEMORY_REDO) }</button>
        </span>
    }
}

/// Undo and redo. Where there is nothing more to undo, the table before comes back.
fn history(props: &PageProps) -> Html {
    let state = &props.state;
    let can_undo = state.edits.can_undo();
    let can_redo = state.edits.can_redo();
    let before = state.replaced.name(Way::Back).filter(|_| !can_undo);
    let after = state.replaced.name(Way::Forth).filter(|_| !can_redo);
    let undo =
        {
            let (dispatcher, control) = (state.dispatcher(), props.control.clone());
            Callback::from(move |_: MouseEvent| {
                if can_undo { dispatcher.dispatch(Action::Undo) } else { control.bring(Way::Back) }
            })
        };
    let redo =
        {
            let (dispatcher, control) = (state.dispatcher(), props.control.clone());
            Callback::from(move |_: MouseEvent| {
                if can_redo { dispatcher.dispatch(Action::Redo) } else { control.bring(Way::Forth) }
            })
        };
    let busy = state.is_busy();
    let label = before.map(|name| t!(BAR_BACK_TO, name = name));
    let again = after.map(|name| t!(BAR_FORTH_TO, name = name));
    html! {
        <span role="group" aria-label={t!(MEMORY_SETTINGS_STEPS_2_3)}>
            <button id="undo" class="quiet-button" type="button" disabled={busy || !can_undo && before.is_none()} onclick={undo}
                title={label.clone()} aria-label={label}>{ t!(MEMORY_UNDO) }</button>
            <button id="redo" class="quiet-button" type="button" disabled={busy || !can_redo && after.is_none()} onclick={redo}
                title={again.clone()} aria-label={again}>{ t!(MEMORY_REDO) }</button>
        </span>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_stays() {
        assert_eq!(halves("admissions-2026.csv"), ("admissions-", "2026.csv"));
        assert_eq!((halves("a.csv"), halves("x"), halves("")), (("a.c", "sv"), ("x", ""), ("", "")));
        assert_eq!(halves("Übergänge-März.csv"), ("Übergänge-", "März.csv"));
    }
}
