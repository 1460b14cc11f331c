//! In step 1: whether the table belongs to a series, its ledger, and what changed.

use lookalike_wire::{
    ledger::{Mode, Signatures},
    report::SeriesUpdates,
    series::LedgerInfo,
};
use yew::{Html, html};

use super::files::{around, files, refused};
use crate::{
    components::{
        PageProps,
        field::Select,
        fields::{Entries, choose},
    },
    format::count,
    state::{Action, SeriesAction, SeriesForm, SeriesKind, State},
    texts::k,
};

const KINDS: Entries<SeriesKind> = &[
    ("alone", k::SERIES_ALONE, SeriesKind::Alone),
    ("first", k::SERIES_FIRST, SeriesKind::First),
    ("later", k::SERIES_LATER, SeriesKind::Later),
];

pub(super) const MODES: Entries<Mode> = &[
    ("tau-safety", k::SERIES_TAU, Mode::TauSafety),
    ("m-invariance", k::SERIES_INVARIANCE, Mode::MInvariance),
    ("incremental", k::SERIES_INCREMENTAL, Mode::Incremental),
];

const SIGNATURES: Entries<Signatures> = &[
    ("free", k::SERIES_SIGNATURES_FREE, Signatures::Free),
    ("few", k::SERIES_SIGNATURES_FEW, Signatures::Few),
    ("smallest", k::SERIES_SIGNATURES_SMALLEST, Signatures::Smallest),
];

/// What the open table is.
pub(in crate::components) fn choice(props: &PageProps) -> Html {
    let state = &*props.state;
    if state.table.is_none() {
        return html! {};
    }
    let (control, knows) = (props.control.clone(), state.series.engine_knows());
    let set = move |kind| control.series(kind, kind != SeriesKind::Alone && !knows);
    html! {
        <fieldset class="plain" disabled={state.is_busy()}>
            <legend class="unseen">{ t!(SERIES_KIND) }</legend>
            { choose(&around("series-kind", t!(SERIES_KIND), t!(SERIES_KIND_HINT)), KINDS, state.series.kind, set) }
            { match state.series.kind {
                SeriesKind::Alone => html! {},
                SeriesKind::First => first(props),
                SeriesKind::Later => later(props),
            } }
        </fieldset>
    }
}

/// Changes a field of the series.
fn edit<T: 'static>(props: &PageProps, set: impl Fn(&mut SeriesForm, T) + 'static) -> impl Fn(T) + 'static {
    let (state, form) = (props.state.clone(), props.state.series.form.clone());
    move |value| {
        let mut form = form.clone();
        set(&mut form, value);
        state.dispatch(Action::Series(SeriesAction::Edit(form)));
    }
}

fn first(props: &PageProps) -> Html {
    let (series, table) = (&props.state.series, props.state.table.as_deref());
    let columns = table.map_or(&[][..], |table| &table.columns).iter();
    let more = columns.map(|column| column.name.clone().into()).collect::<Vec<yew::AttrValue>>();
    let pick = edit(props, |form, id: String| form.id = id);
    html! {
        <div class="fields">
            <div class="field">
                <label for="series-id">{ t!(SERIES_ID) }</label>
                <Select id={Some("series-id")} options={vec![("", t!(SERIES_CHOOSE))]} {more} value={series.form.id.clone()}
                    onchange={yew::Callback::from(pick)} describedby={Some(String::from("series-id-hint"))} />
                <p class="hint" id="series-id-hint">{ t!(SERIES_ID_HINT) }</p>
            </div>
            { choose(&around("series-mode", t!(SERIES_MODE), t!(SERIES_MODE_HINT)), MODES, series.form.mode,
                edit(props, |form, mode| form.mode = mode)) }
            { signatures(props) }
        </div>
    }
}

fn signatures(props: &PageProps) -> Html {
    let around = around("series-signatures", t!(SERIES_SIGNATURES), t!(SERIES_SIGNATURES_HINT));
    let set = edit(props, |form, signatures| form.signatures = signatures);
    choose(&around, SIGNATURES, props.state.series.form.signatures, set)
}

fn later(props: &PageProps) -> Html {
    let series = &props.state.series;
    let control = props.control.clone();
    let named: Vec<String> = series.ledger.iter().map(|ledger| ledger.name.clone()).collect();
    let picked = move |list: Vec<_>| list.into_iter().for_each(|file| control.load_ledger(file));
    let told = series.ledger.as_ref().and_then(|ledger| ledger.info.as_deref());
    html! {
        <>
            { files(props, "ledger-input", t!(SERIES_LEDGER), t!(SERIES_LEDGER_HINT), (".json,application/json", false), &named, picked) }
            { match told {
                None => html! {},
                Some(Err(why)) => refused("series-ledger", t!(SERIES_REFUSED), why),
                Some(Ok(info)) => known(props, info),
            } }
        </>
    }
}

/// What the ledger says, and what changed.
fn known(props: &PageProps, info: &LedgerInfo) -> Html {
    let control = props.control.clone();
    let series = &props.state.series;
    let named: Vec<String> = series.previous.iter().map(|(name, _)| name.clone()).collect();
    let picked = move |list: Vec<_>| list.iter().for_each(|file| control.compare_previous(file));
    let compared = series.previous.as_ref().and_then(|(name, told)| Some((name, told.as_ref()?)));
    html! {
        <>
            <div id="series-ledger" tabindex="-1" data-releases={info.releases.to_string()}>
                <p>
                    { t!(SERIES_KNOWN, releases = n!(SERIES_RELEASES_SO_FAR, info.releases as usize),
                        people = n!(SERIES_PEOPLE, info.individuals), rows = n!(N_ROW, info.rows), id = info.id, mode = info.mode.name()) }
                </p>
                { match &info.changes {
                    Ok(updates) => html! { <>{ changed(updates) }<p class="hint">{ t!(SERIES_SETTLED) }</p></> },
                    Err(why) => refused("series-not-next", t!(SERIES_NOT_NEXT), why),
                } }
            </div>
            <div class="fields">
                { signatures(props) }
                { files(props, "previous-input", t!(SERIES_PREVIOUS), t!(SERIES_PREVIOUS_HINT), (".csv,text/csv", false), &named, picked) }
            </div>
            if let Some((name, told)) = compared {
                { match told {
                    None => html! { <p id="series-previous" class="good" role="status">{ t!(SERIES_IS_LAST, name = name) }</p> },
                    Some(why) => refused("series-previous", t!(SERIES_REFUSED), &format!("{name} {why}")),
                } }
            }
        </>
    }
}

/// What changed since the last release.
pub(super) fn changed(updates: &SeriesUpdates) -> Html {
    let rows = [
        (t!(SERIES_NEW), updates.new),
        (t!(SERIES_STAYED), updates.stayed),
        (t!(SERIES_BACK), updates.back),
        (t!(SERIES_CHANGED), updates.changed),
        (t!(SERIES_GONE), updates.gone),
        (t!(SERIES_WAIT), updates.waiting),
        (t!(SERIES_BALANCING), updates.balancing),
    ];
    let row = |(name, number): (&'static str, usize)| {
        html! { <tr><th scope="row">{ name }</th><td class="number">{ count(number) }</td></tr> }
    };
    html! {
        <table class="series-updates" data-updates={rows.map(|(_, number)| number.to_string()).join(",")}>
            <caption>{ t!(SERIES_UPDATES, number = updates.release) }</caption>
            <thead><tr><th scope="col">{ t!(SERIES_WHO) }</th><th scope="col" class="number">{ t!(SERIES_NUMBER) }</th></tr></thead>
            <tbody>{ for rows.into_iter().map(row) }</tbody>
        </table>
    }
}

/// What is missing before a run.
pub(in crate::components) fn to_do(state: &State) -> Html {
    if state.series.is_settled() {
        return html! {};
    }
    let what =
        if state.series.kind == SeriesKind::First { t!(SERIES_TO_DO_ID) } else { t!(SERIES_TO_DO_LEDGER) };
    html! { <p id="series-to-do" class="wrong amber">{ what }</p> }
}
