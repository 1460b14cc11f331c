//! In the decision: whether the table belongs to a series, its ledger, and what changed.

use lookalike_model::{
    ledger::{Mode, Signatures, Vacancies},
    report::SeriesUpdates,
};
use lookalike_wire::series::LedgerInfo;
use yew::{Callback, Html, MouseEvent, html};

use super::files::{around, files, refused};
use crate::{
    components::{
        PageProps, charts,
        field::{self, Select},
        fields::{Entries, choose, more},
    },
    form::{Role, with_role},
    format::{count, list},
    state::{Action, SeriesAction, SeriesForm, SeriesKind, State},
    texts::{k, told},
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

const VACANCIES: Entries<Vacancies> = &[
    ("new-records", k::SERIES_VACANCIES_NEW, Vacancies::NewRecords),
    ("counterfeits", k::SERIES_VACANCIES_MADE_UP, Vacancies::Counterfeits),
];

/// What the open table is.
pub(in crate::components) fn choice(props: &PageProps) -> Html {
    let state = &*props.state;
    if state.table.is_none() {
        return html! {};
    }
    let control = props.control.clone();
    let set = move |kind| control.series(kind);
    html! {
        <fieldset class="plain" disabled={state.is_busy()}>
            <legend class="unseen">{ t!(SERIES_KIND) }</legend>
            { choose(&around("series-kind", t!(SERIES_KIND), t!(SERIES_KIND_HINT)), KINDS, state.series.kind, set) }
            { match state.series.kind {
                SeriesKind::Alone => html! {},
                SeriesKind::First => first(props),
                SeriesKind::Later => later(props),
            } }
            { spent(props) }
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
    let names = columns.map(|column| column.name.clone().into()).collect::<Vec<yew::AttrValue>>();
    let pick = edit(props, |form, id: String| form.id = id);
    html! {
        <>
        <div class="fields">
            <div class="field">
                <label for="series-id">{ t!(SERIES_ID) }</label>
                <Select id={Some("series-id")} options={vec![("", t!(SERIES_CHOOSE))]} more={names} value={series.form.id.clone()}
                    onchange={yew::Callback::from(pick)} describedby={Some(String::from("series-id-hint"))} />
                <p class="hint" id="series-id-hint">{ t!(SERIES_ID_HINT) }</p>
            </div>
            { choose(&around("series-mode", t!(SERIES_MODE), t!(SERIES_MODE_HINT)), MODES, series.form.mode,
                edit(props, |form, mode| form.mode = mode)) }
        </div>
        { more("series-more", t!(SERIES_MORE), html! {
            <div class="fields">
                { choose(&around("series-vacancies", t!(SERIES_VACANCIES), t!(SERIES_VACANCIES_HINT)), VACANCIES, series.form.vacancies(),
                    edit(props, |form, vacancies| form.vacancies = Some(vacancies))) }
                { signatures(props) }
                { price(props) }
                { key(props, t!(SERIES_KEY_HINT)) }
            </div>
        }) }
        </>
    }
}

/// The key of the pseudonyms that the ledger has in place of names.
fn key(props: &PageProps, hint: &'static str) -> Html {
    let chosen = props.state.series.key.as_ref();
    let named: Vec<String> = chosen.iter().map(|(name, _)| name.clone()).collect();
    let (taken, forgotten) = (props.control.clone(), props.control.clone());
    let picked =
        move |list: Vec<_>| list.first().into_iter().for_each(|file| taken.pseudonym_key(Some(file)));
    let forget = Callback::from(move |_: MouseEvent| forgotten.pseudonym_key(None));
    html! {
        <>
            { files(props, "pseudonym-key-input", t!(SERIES_KEY), hint, ("", false), &named, picked) }
            if let Some((_, found)) = chosen {
                { match found {
                    Some(Some(why)) => refused("series-key", t!(SERIES_KEY_REFUSED), told(why)),
                    _ => html! {},
                } }
                <p><button type="button" class="link" id="series-key-forget" onclick={forget}>{ t!(SERIES_KEY_FORGET) }</button></p>
            }
        </>
    }
}

fn price(props: &PageProps) -> Html {
    let form = &props.state.series.form;
    let wrong = (!form.price_is_good()).then(|| t!(SERIES_PRICE_WRONG).to_owned());
    let around = field::Around { wrong, ..around("series-price", t!(SERIES_PRICE), t!(SERIES_PRICE_HINT)) };
    let typed = edit(props, |form, price: String| form.price = price);
    field::text(&around, "decimal", &form.price, &yew::Callback::from(typed))
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
    let picked = move |list: Vec<_>| list.into_iter().for_each(|file| control.load_ledger(file, false));
    let read = series.ledger.as_ref().and_then(|ledger| ledger.info.as_deref());
    html! {
        <>
            { files(props, "ledger-input", t!(SERIES_LEDGER), t!(SERIES_LEDGER_HINT), (".json,application/json", false), &named, picked) }
            { match read {
                None => html! {},
                Some(Err(why)) => refused("series-ledger", t!(SERIES_REFUSED), told(why)),
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
    let compared = series.previous.as_ref().and_then(|(name, found)| Some((name, found.as_ref()?)));
    html! {
        <>
            <div id="series-ledger" tabindex="-1" data-releases={info.releases.to_string()}>
                <p>
                    { t!(SERIES_KNOWN, releases = n!(SERIES_RELEASES_SO_FAR, info.releases as usize),
                        people = n!(SERIES_PEOPLE, info.individuals), id = info.id, mode = info.mode.name()) }
                </p>
                { again(props, info) }
                { match &info.changes {
                    Ok(updates) => html! {
                        <>
                            { charts::timeline("series-timeline", &info.timeline, Some(updates)) }
                            { more("series-changes", t!(SERIES_WHAT_CHANGED), changed(updates)) }
                            { nobody(updates) }
                            <p class="hint" id="series-settled">{ settled(&props.state) }</p>
                        </>
                    },
                    Err(why) => html! {
                        <>
                            if info.pseudonyms { <div class="fields">{ key(props, t!(SERIES_KEY_NEEDED)) }</div> }
                            { charts::timeline("series-timeline", &info.timeline, None) }
                            { refused("series-not-next", t!(SERIES_NOT_NEXT), told(why)) }
                        </>
                    },
                } }
            </div>
            <div class="fields">
                { files(props, "previous-input", t!(SERIES_PREVIOUS), t!(SERIES_PREVIOUS_HINT), (".csv,text/csv", false), &named, picked) }
            </div>
            { more("series-more", t!(SERIES_MORE), html! { <div class="fields">{ signatures(props) }{ price(props) }</div> }) }
            if let Some((name, found)) = compared {
                { match found {
                    None => html! { <p id="series-previous" class="good" role="status">{ t!(SERIES_IS_LAST, name = name) }</p> },
                    Some(why) => refused("series-previous", t!(SERIES_REFUSED), html! { <>{ name }{ " " }{ told(why) }</> }),
                } }
            }
        </>
    }
}

/// Whether the last release of the ledger is made again.
fn again(props: &PageProps, info: &LedgerInfo) -> Html {
    let again = props.state.series.ledger.as_ref().is_some_and(|ledger| ledger.again);
    if info.releases < 2 {
        return html! { <p class="hint">{ t!(SERIES_AGAIN_FIRST) }</p> };
    }
    let control = props.control.clone();
    let set = move |again| control.release_again(again);
    html! { <p>{ field::tick("series-again", &t!(SERIES_AGAIN, number = info.releases), again, set) }</p> }
}

/// A ledger of other people is no error, but hardly meant.
fn nobody(updates: &SeriesUpdates) -> Html {
    if updates.release < 2 || updates.stayed + updates.back + updates.changed > 0 {
        return html! {};
    }
    html! { <p id="series-nobody" class="wrong amber" role="status">{ t!(SERIES_NOBODY) }</p> }
}

/// A second release from one state has to be asked for.
fn spent(props: &PageProps) -> Html {
    let series = &props.state.series;
    let Some(spent) = series.spent() else { return html! {} };
    let state = props.state.clone();
    let set = move |replaces| state.dispatch(Action::Series(SeriesAction::Replaces(replaces)));
    html! {
        <div id="series-spent" class="notice amber">
            <p>
                { if spent.here {
                    t!(SERIES_SPENT, number = spent.release, table = spent.table)
                } else {
                    t!(SERIES_SPENT_ELSEWHERE, number = spent.release, table = spent.table)
                } }
            </p>
            <p>{ field::tick("series-replaces", &t!(SERIES_REPLACES, number = spent.release), series.replaces, set) }</p>
        </div>
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

/// Which roles the ledger has set, by the names of their columns, and which columns are not published.
fn settled(state: &State) -> String {
    let Some(table) = &state.table else { return String::new() };
    let of = |role| with_role(table, &state.choices, role);
    let roles = t!(SERIES_SETTLED, known = list(&of(Role::Quasi)), secret = list(&of(Role::Sensitive)));
    let out = [of(Role::Identifier), of(Role::NotPublished)].concat();
    if out.is_empty() { roles } else { format!("{roles} {}", t!(SERIES_SETTLED_OUT, names = list(&out))) }
}

/// What is missing before a run.
pub(in crate::components) fn to_do(state: &State) -> Html {
    if state.series.is_settled() {
        return html! {};
    }
    let series = &state.series;
    let what = match series.kind {
        _ if series.must_not_fork() => t!(SERIES_TO_DO_SPENT),
        _ if !series.form.price_is_good() => t!(SERIES_TO_DO_PRICE),
        SeriesKind::First if series.has_key().is_none() => t!(SERIES_TO_DO_KEY),
        SeriesKind::First => t!(SERIES_TO_DO_ID),
        SeriesKind::Alone | SeriesKind::Later => t!(SERIES_TO_DO_LEDGER),
    };
    html! { <p id="series-to-do" class="wrong amber">{ what }</p> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{reduce, tests::described};

    #[test]
    fn what_a_series_settles_names_the_columns_that_are_not_published() {
        let all = described();
        assert_eq!(
            settled(&all),
            "The series settles the guarantee and what is published: age Known and disease Secret. A release made otherwise is refused."
        );
        let out = reduce(all, Action::SetRole(0, Role::NotPublished));
        assert!(settled(&out).ends_with(" Not published: age."), "{}", settled(&out));
        let name = reduce(out, Action::SetRole(0, Role::Identifier));
        assert!(settled(&name).ends_with(" Not published: age."), "{}", settled(&name));
    }
}
