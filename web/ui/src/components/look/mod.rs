//! The verdict with what there is to save, then figures, then charts, then tables.

mod beside;
mod correlation;
mod risks;
mod spread;
mod unchanged;
mod utility;

use lookalike_model::{
    report::Report,
    sent::{Searched, Sent},
};
use lookalike_words::Said;
use yew::{Html, html};

pub(super) use risks::raw;

use super::{
    PageProps, changes::changes, chart::chart, figures, rows::rows, series, save, sizes::sizes, verdict::verdict,
};
use crate::{
    form::guarantee,
    format::{count, moment, seconds},
    state::Results,
    texts::told,
};

/// What came out.
pub(crate) fn look(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(results) = &state.results else { return html! {} };
    let stale = !state.results_are_current();
    html! {
        <div id="look" class={if stale { "result stale" } else { "result" }}>
            if stale {
                <p class="notice amber" role="status">
                    { t!(LOOK_WAS_MADE_WITH_OTHER, guarantee = guarantee(&results.settings.model)) }
                </p>
            }
            { content(props, results) }
        </div>
    }
}

fn content(props: &PageProps, results: &Results) -> Html {
    let finished = &results.finished;
    let report = &finished.report;
    let names = || finished.header.iter().map(String::as_str);
    html! {
        <>
            { verdict(report, &results.settings, !props.state.results_are_current()) }
            { save(props) }
            <p id="searched" class="hint">{ searched(report.searched, finished.sent.as_ref()) }</p>
            <h3>{ t!(LOOK_WHAT_MEANS) }</h3>
            { figures::view(report, &results.settings) }
            { series::released(props) }
            { warnings(&report.warnings) }
            <h3>{ t!(LOOK_ADDED_LEFT_OUT) }</h3>
            { changes(report) }
            <h3>{ t!(LOOK_RISK_BEFORE_AFTER) }</h3>
            { risks::both(&finished.beside.risk, &report.risk, report.persons.is_some()) }
            { unchanged::unchanged(report) }
            <h3>{ t!(LOOK_WHAT_STILL_GOOD_FOR) }</h3>
            { utility::utility(report, &finished.beside.statistics) }
            { correlation::correlation(&finished.beside.correlations) }
            { spread::spread(props, results) }
            { utility::past(&props.state.look.past) }
            <h3>{ t!(LOOK_CLASSES) }</h3>
            { sizes(&finished.class_sizes, &report.classes) }
            <h3>{ t!(LOOK_SEARCH) }</h3>
            <p data-threads-worked={finished.threads.to_string()}>
                { told(&report.method.explanation) }{ ", " }
                { t!(LOOK_ON, threads = n!(N_THREAD, finished.threads), time = seconds(report.seconds.solve),
                    again = repeatable(report)) }
            </p>
            { chart(&results.history, &results.bounds) }
            <h3>{ t!(LOOK_BEFORE_AFTER) }</h3>
            { beside::beside(props) }
            { rows("after", t!(LOOK_FIRST_ROWS_AS_THEY), names(), &finished.preview) }
        </>
    }
}

fn repeatable(report: &Report) -> &'static str {
    match (report.reproducible, &report.claimed) {
        (true, None) => t!(LOOK_SAME_INPUT_SETTINGS_SEED),
        (true, Some(_)) => t!(LOOK_SAME_IF_WORKER_SEARCHED),
        (false, Some(_)) => t!(LOOK_WORKER_SAYS_CANNOT_BE_REPEATED),
        (false, None) => t!(LOOK_RUN_CANNOT_BE_REPEATED),
    }
}

/// Where the classes were computed, and what was sent there for it.
fn searched(place: Option<Searched>, sent: Option<&Sent>) -> String {
    match (place, sent) {
        (_, Some(sent)) => {
            t!(
                LOOK_SEARCHED_ON_WORKER,
                to = sent.to,
                size = count(sent.bytes as usize),
                at = moment(&sent.at)
            )
        }
        (Some(Searched::Here), None) => String::from(t!(LOOK_SEARCHED_HERE)),
        (_, None) => String::from(t!(LOOK_SEARCHED_ELSEWHERE)),
    }
}

fn warnings(warnings: &[Said]) -> Html {
    if warnings.is_empty() {
        return html! {};
    }
    html! {
        <div id="warnings" class="notice amber">
            <p class="notice-title">{ n!(N_THING_KNOW, warnings.len()) }</p>
            <ul>{ for warnings.iter().map(|said| html! { <li>{ told(said) }</li> }) }</ul>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_named_with_what_it_was_sent() {
        let sent = Sent::one(String::from("http://w"), String::from("2026-05-01T14:03:22Z"), 100_822);
        assert_eq!(
            searched(Some(Searched::Worker), Some(&sent)),
            "The groups were computed on the worker at http://w: 100,822 bytes of numbers without names were sent to it on \
             2026-05-01 14:03:22 UTC."
        );
        assert_eq!(
            searched(Some(Searched::Here), None),
            "The groups were computed in this page: nothing was sent for this result."
        );
    }
}
