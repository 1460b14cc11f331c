//! What is asked before another table takes the place of one that is still needed, before a run would lose a ledger, and once the
//! page was nearly left.

use lookalike_wire::page::names;
use yew::{Callback, Html, MouseEvent, html};

use super::{
    PageProps,
    keeping::keeping,
    save::{saves, statement_name},
    series,
};
use crate::{
    format::list,
    state::{Action, Place, ResultFile, Stake, State, ViewAction, Waits, Work},
};

/// The dialogue, while something is asked.
pub(crate) fn asks(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(asks) = &state.view.asks else { return html! {} };
    let title = match &asks.waits {
        Waits::Table(name) => t!(ASKS_TITLE, name = name),
        Waits::Run => String::from(t!(ASKS_RUN)),
        Waits::Leaving => String::from(t!(ASKS_LEAVING)),
    };
    let (what, buttons) = match (state.at_stake(), asks.discards) {
        (Some(Stake::Ledger), false) => (String::from(t!(ASKS_LEDGER)), ledger(props, &asks.waits)),
        (Some(Stake::Ledger), true) => (String::from(t!(ASKS_LEDGER_SURE)), sure(props)),
        (stake, _) => {
            let what = match (stake, &asks.waits) {
                (Some(Stake::Result), Waits::Table(_) | Waits::Leaving) => unsaved(state),
                (Some(Stake::Search), _) => String::from(t!(ASKS_SEARCH)),
                _ => String::from(t!(ASKS_NOTHING)),
            };
            (what, plain(props, stake, &asks.waits))
        }
    };
    html! {
        <div class="overlay">
            <div id="asks" class="dialogue" role="alertdialog" aria-modal="true" aria-labelledby="asks-title" aria-describedby="asks-what">
                <h2 id="asks-title">{ title }</h2>
                <p id="asks-what">{ what }</p>
                <p class="buttons">{ buttons }</p>
                if asks.waits == Waits::Leaving { { keeping(props, "asks-keep-work") } }
            </div>
        </div>
    }
}

/// The ledger first; who wants to do without it is asked once more.
fn ledger(props: &PageProps, waits: &Waits) -> Html {
    let dispatcher = props.state.dispatcher();
    let discards =
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::View(ViewAction::Discards)));
    let word = match waits {
        Waits::Table(_) => Some(t!(ASKS_WITHOUT_LEDGER)),
        Waits::Run => Some(t!(ASKS_RUN_WITHOUT_LEDGER)),
        Waits::Leaving => None,
    };
    html! {
        <>
            { series::save_ledger(props, "asks-ledger", "button primary") }
            { stay(props, "", t!(ASKS_STAY)) }
            if let Some(word) = word {
                <button key="ask" id="asks-discard" type="button" onclick={discards}>{ word }</button>
            }
        </>
    }
}

fn sure(props: &PageProps) -> Html {
    html! {
        <>
            { stay(props, "primary", t!(ASKS_KEEP_LEDGER)) }
            { go_on(props, "asks-discard-ledger", t!(ASKS_DISCARD_LEDGER)) }
        </>
    }
}

fn plain(props: &PageProps, stake: Option<Stake>, waits: &Waits) -> Html {
    let word = match (waits, stake) {
        (Waits::Leaving, _) => return left(props, stake),
        (Waits::Run, _) => t!(SOLVE_AGAIN),
        (Waits::Table(_), Some(_)) => t!(ASKS_DISCARD),
        (Waits::Table(_), None) => t!(ASKS_OPEN),
    };
    html! {
        <>
            { stay(props, "primary", t!(ASKS_STAY)) }
            if *waits != Waits::Run { { save(props) } }
            { go_on(props, "asks-discard", word) }
        </>
    }
}

/// What can be done about what would have been lost. Nothing waits.
fn left(props: &PageProps, stake: Option<Stake>) -> Html {
    let control = props.control.clone();
    let stop = Callback::from(move |_: MouseEvent| {
        control.stay();
        control.stop();
    });
    let keeps = matches!(&props.state.work, Work::Solving(run) if run.place == Place::Here && !run.stopping);
    html! {
        <>
            { save(props) }
            if stake == Some(Stake::Search) {
                { stay(props, "primary", t!(ASKS_SEARCH_ON)) }
                if keeps { <button key="stop" id="asks-stop" type="button" onclick={stop}>{ t!(SOLVE_STOP_KEEP_BEST_SO) }</button> }
            } else {
                { stay(props, "primary", t!(ASKS_STAY)) }
            }
        </>
    }
}

fn stay(props: &PageProps, class: &'static str, word: &'static str) -> Html {
    let control = props.control.clone();
    let stay = Callback::from(move |_: MouseEvent| control.stay());
    html! { <button key="stay" id="asks-stay" type="button" {class} onclick={stay}>{ word }</button> }
}

fn go_on(props: &PageProps, id: &'static str, word: &'static str) -> Html {
    let control = props.control.clone();
    let go_on = Callback::from(move |_: MouseEvent| control.go_on());
    html! { <button key="go on" {id} type="button" onclick={go_on}>{ word }</button> }
}

/// The files that would be lost, by name.
fn unsaved(state: &State) -> String {
    let files = state.results.as_ref().map(|results| results.unsaved()).unwrap_or_default();
    let names: Vec<&str> = files.into_iter().map(ResultFile::name).collect();
    t!(ASKS_RESULT, names = list(&names))
}

/// Table and statement of an unsaved result can be saved at once, those of a release only once its ledger is stored.
fn save(props: &PageProps) -> Html {
    let state = &props.state;
    if state.at_stake() != Some(Stake::Result) || !state.series.may_go_out() {
        return html! {};
    }
    let (Some(results), Some(source)) = (&state.results, &state.source) else { return html! {} };
    let (links, left) = (&results.downloads, results.unsaved());
    let button = |file, id, text, href: &str, name| {
        if left.contains(&file) {
            saves(props, file, (id, text), href, name)
        } else {
            html! {}
        }
    };
    let (table, statement) = (names::table(&source.name), statement_name(names::stem(&source.name)));
    html! {
        <>
            { button(ResultFile::Table, "asks-save", t!(SAVE_DOWNLOAD_TABLE), &links.table, table) }
            { button(ResultFile::Statement, "asks-save-statement", t!(SAVE_DOWNLOAD_STATEMENT), &links.statement, statement) }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{reduce, tests::solved};

    #[test]
    fn what_would_be_lost_is_named() {
        assert_eq!(
            unsaved(&solved()),
            "Files of this result that are not saved: the published table, the statement, the private list of classes and the \
             private record."
        );
        let state =
            [ResultFile::Table, ResultFile::Classes].map(Action::Saved).into_iter().fold(solved(), reduce);
        assert_eq!(
            unsaved(&state),
            "Files of this result that are not saved: the statement and the private record."
        );
    }
}
