//! A finished release: what it changed, all releases together, and the ledger to save.

use lookalike_wire::page::names;
use yew::{AttrValue, Callback, Event, Html, html};

use super::{audit::judged, choice::changed, files::files};
use crate::{
    components::{PageProps, charts, field, fields::more},
    format::percent,
    platform::dom,
    state::{Action, Released, SeriesAction},
};

/// In the result: who came and left, and the audit over all releases.
pub(in crate::components) fn released(props: &PageProps) -> Html {
    let series = &props.state.series;
    let Some(released) = &series.released else { return html! {} };
    let updates = &released.updates;
    html! {
        <>
            { charts::timeline("released-timeline", &released.timeline, None) }
            { more("released-changes", t!(SERIES_WHAT_CHANGED), changed(updates)) }
            if let Some(left) = updates.believer {
                <p id="series-believer">{ t!(SERIES_BELIEVER, left = left, one = updates.left_with_one, changed = updates.ever_changed) }</p>
            }
            { more("series-together", t!(SERIES_TOGETHER), together(props, updates.release)) }
        </>
    }
}

fn together(props: &PageProps, release: u32) -> Html {
    let series = &props.state.series;
    let (picker, control) = (props.control.clone(), props.control.clone());
    let onclick = Callback::from(move |_| control.audit_released());
    html! {
        <>
            if release > 1 {
                { files(props, "earlier-input", t!(SERIES_EARLIER), t!(SERIES_TOGETHER_HINT), (".csv,text/csv", true), &series.audit.files[0],
                    move |list| picker.audit_files(0, list)) }
            }
            <p><button id="judge-series" type="button" disabled={series.audit.busy} {onclick}>{ t!(SERIES_JUDGE) }</button></p>
            { judged(&series.audit) }
        </>
    }
}

/// Before all else there is to save: the next ledger. The other files wait until the user has it and says that it is stored.
pub(in crate::components) fn ledger(props: &PageProps) -> Html {
    let series = &props.state.series;
    let (Some(released), Some(source)) = (&series.released, &props.state.source) else { return html! {} };
    let class = if released.saved { "button" } else { "button primary" };
    html! {
        <>
            <div class="notice amber" id="ledger" data-saved={released.saved.to_string()}>
                <p class="notice-title">{ t!(SERIES_LEDGER_TITLE) }</p>
                <p>{ t!(SERIES_LEDGER_WARNING) }</p>
                if let Some(rival) = series.rival() {
                    <p id="ledger-rival" class="wrong brick" role="alert">{ t!(SERIES_RIVAL, number = rival.release, table = rival.table) }</p>
                }
                <p class="buttons">{ save_ledger(props, "download-ledger", class) }</p>
                { stored(props, released) }
                if !series.may_go_out() { <p id="ledger-first" class="hint">{ t!(SERIES_LEDGER_FIRST) }</p> }
                <p class="hint">{ t!(SERIES_ONCE) }</p>
            </div>
            if series.may_go_out() { { counts(props, released, names::stem(&source.name)) } }
        </>
    }
}

/// What the user confirms once the ledger was saved.
fn stored(props: &PageProps, released: &Released) -> Html {
    let set = on_tick(props, SeriesAction::Stored);
    let onchange = Callback::from(move |event: Event| set(dom::is_checked(&event)));
    html! {
        <p>
            <input id="ledger-stored" type="checkbox" checked={released.stored} disabled={!released.saved} {onchange} />
            <label class="beside" for="ledger-stored">{ t!(SERIES_STORED) }</label>
        </p>
    }
}

/// The link that saves the ledger.
pub(in crate::components) fn save_ledger(props: &PageProps, id: &'static str, class: &'static str) -> Html {
    let (series, source) = (&props.state.series, props.state.source.as_ref());
    let (Some(released), Some(source)) = (&series.released, source) else { return html! {} };
    let (control, spent) = (props.control.clone(), series.to_tell(&source.name));
    let onclick = Callback::from(move |_| control.ledger_saved(spent.as_ref()));
    html! {
        <a key="ledger" {id} {class} href={AttrValue::from(released.ledger.clone())} {onclick}
            download={names::ledger(&source.name, released.updates.release)}>{ t!(SERIES_SAVE_LEDGER) }</a>
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
                <p>{ field::tick("accept-exposure", t!(SERIES_COUNTS_ACCEPT), released.accepted, accept) }</p>
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
