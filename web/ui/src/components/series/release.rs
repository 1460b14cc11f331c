//! A finished release: what it changed, all releases together, and the ledger to save.

use lookalike_wire::page::names;
use yew::{AttrValue, Callback, Html, html};

use super::{
    audit::judged,
    choice::changed,
    files::{files, tick},
};
use crate::{
    components::{PageProps, fields::more},
    format::percent,
    state::{Action, Released, SeriesAction},
};

/// In the result: what changed, and the audit over all releases.
pub(in crate::components) fn released(props: &PageProps) -> Html {
    let series = &props.state.series;
    let Some(released) = &series.released else { return html! {} };
    let picker = props.control.clone();
    let control = props.control.clone();
    let onclick = Callback::from(move |_| control.audit_released());
    let updates = &released.updates;
    html! {
        <>
            <h3>{ t!(SERIES_WHAT_CHANGED) }</h3>
            { changed(updates) }
            if let Some(left) = updates.believer {
                <p id="series-believer">{ t!(SERIES_BELIEVER, left = left) }</p>
            }
            <h3>{ t!(SERIES_TOGETHER) }</h3>
            if updates.release > 1 {
                { files(props, "earlier-input", t!(SERIES_EARLIER), t!(SERIES_TOGETHER_HINT), (".csv,text/csv", true), &series.audit.files[0],
                    move |list| picker.audit_files(0, list)) }
            }
            <p><button id="judge-series" type="button" disabled={series.audit.busy} {onclick}>{ t!(SERIES_JUDGE) }</button></p>
            { judged(&series.audit) }
        </>
    }
}

/// Before the table to save: the next ledger, once somebody has said that it is kept apart from the release.
pub(in crate::components) fn ledger(props: &PageProps, opened: &str) -> Html {
    let Some(released) = &props.state.series.released else { return html! {} };
    let apart = on_tick(props, SeriesAction::KeptApart);
    let state = props.state.clone();
    let onclick = Callback::from(move |_| state.dispatch(Action::Series(SeriesAction::Saved)));
    html! {
        <>
            <div class="notice amber" id="ledger">
                <p class="notice-title">{ t!(SERIES_LEDGER_TITLE) }</p>
                <p>{ t!(SERIES_LEDGER_WARNING) }</p>
                <p>{ tick("ledger-apart", t!(SERIES_APART), released.kept_apart, apart) }</p>
                if released.kept_apart {
                    <p class="buttons">
                        <a id="download-ledger" class="button" href={AttrValue::from(released.ledger.clone())} {onclick}
                            download={names::ledger(opened, released.updates.release)}>{ t!(SERIES_SAVE_LEDGER) }</a>
                    </p>
                }
                <p>{ t!(SERIES_ONCE) }</p>
            </div>
            { counts(props, released, names::stem(opened)) }
        </>
    }
}

/// The numbers of counterfeits, once somebody has accepted what they tell.
fn counts(props: &PageProps, released: &Released, stem: &str) -> Html {
    let Some(exposure) = released.exposure else { return html! {} };
    let accept = on_tick(props, SeriesAction::Accepted);
    let with = percent(100.0 * exposure.with);
    more(
        "counterfeit-counts",
        t!(SERIES_COUNTS_TITLE),
        html! {
            <>
                <p>{ t!(SERIES_COUNTS, with = with) }</p>
                <p>{ tick("accept-exposure", t!(SERIES_COUNTS_ACCEPT), released.accepted, accept) }</p>
                if released.accepted {
                    <p class="buttons">
                        <a id="download-counts" class="button" href={AttrValue::from(released.counts.clone())}
                            download={format!("{stem}-counterfeits-{}.csv", released.updates.release)}>{ t!(SERIES_COUNTS_SAVE) }</a>
                    </p>
                }
            </>
        },
    )
}

fn on_tick(props: &PageProps, action: fn(bool) -> SeriesAction) -> impl Fn(bool) + 'static {
    let state = props.state.clone();
    move |ticked| state.dispatch(Action::Series(action(ticked)))
}
