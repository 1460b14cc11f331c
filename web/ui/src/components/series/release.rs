//! A finished release: what it changed, all releases together, and the ledger to save.

use yew::{AttrValue, Callback, Event, Html, html};

use super::{audit::judged, choice::changed, files::files};
use crate::{
    components::PageProps,
    platform::dom,
    state::{Action, SeriesAction},
};

/// In step 5: what changed, and the audit over all releases.
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

/// In step 6: the next ledger, once somebody has said that it is kept apart from the release.
pub(in crate::components) fn ledger(props: &PageProps, stem: &str) -> Html {
    let Some(released) = &props.state.series.released else { return html! {} };
    let state = props.state.clone();
    let onchange = Callback::from(move |event: Event| {
        state.dispatch(Action::Series(SeriesAction::KeptApart(dom::is_checked(&event))));
    });
    html! {
        <div class="notice amber" id="ledger">
            <p class="notice-title">{ t!(SERIES_LEDGER_TITLE) }</p>
            <p>{ t!(SERIES_LEDGER_WARNING) }</p>
            <p>
                <input id="ledger-apart" type="checkbox" checked={released.kept_apart} {onchange} />
                <label class="beside" for="ledger-apart">{ t!(SERIES_APART) }</label>
            </p>
            if released.kept_apart {
                <p class="buttons">
                    <a id="download-ledger" class="button" href={AttrValue::from(released.ledger.clone())}
                        download={format!("do-not-publish-{stem}-ledger-{}.json", released.updates.release)}>{ t!(SERIES_SAVE_LEDGER) }</a>
                </p>
            }
            <p>{ t!(SERIES_ONCE) }</p>
        </div>
    }
}
