//! The verdict with what there is to save, then figures, then charts, then tables.

mod beside;
mod correlation;
mod earlier;
mod risks;
mod unchanged;
mod utility;

use lookalike_model::{
    report::Report,
    sent::{Searched, Sent},
    settings::{Kind, Loss, Settings},
};
use lookalike_words::Said;
use yew::{Callback, Html, html};

pub(super) use risks::raw;

use super::{
    PageProps,
    changes::changes,
    charts::{self, Choices, Column, Gap, People},
    fields::more,
    figures,
    rows::rows,
    save, series,
    sizes::sizes,
    verdict::{checks, verdict},
};
use crate::{
    format::{count, moment, seconds},
    state::{Action, LookAction, Results, State, Work},
    texts::told,
};

/// What came out.
pub(crate) fn look(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(results) = &state.results else { return html! {} };
    let replaced = matches!(state.work, Work::Solving(_));
    let stale = !state.results_are_current();
    let note = stale.then(|| {
        let text = if replaced {
            String::from(t!(LOOK_IS_BEING_REPLACED))
        } else {
            let now = state.settings().and_then(Result::ok);
            t!(LOOK_WAS_MADE_WITH_OTHER, what = earlier::differing(&results.settings, now.as_ref()))
        };
        html! { <p class="notice amber" role="status">{ text }</p> }
    });
    html! {
        <div id="look" class={if stale { "result stale" } else { "result" }}>{ note }{ content(props, results) }</div>
    }
}

/// Verdict, figures, pictures, the table; all else is folded.
fn content(props: &PageProps, results: &Results) -> Html {
    let finished = &results.finished;
    let report = &finished.report;
    let names = || finished.header.iter().map(String::as_str);
    let people = People {
        before: &finished.beside.groups,
        alone_before: (finished.beside.risk.uniques, finished.beside.risk.smallest_group),
        after: &finished.beside.groups_after,
    };
    html! {
        <>
            { verdict(report, &results.settings, !props.state.results_are_current()) }
            { save(props) }
            <p id="searched" class="hint">{ searched(report.searched, finished.sent.as_ref()) }</p>
            { warnings(&report.warnings) }
            { series::released(props) }
            <div class="pictures">
                { charts::risk(&people, report) }
                { usefulness(props, results) }
            </div>
            if let Some(why) = risks::more_at_risk(&finished.beside.risk, &report.risk, report.persons.is_some()) {
                <p class="hint" id="more-at-risk">{ why }</p>
            }
            { charts::bound(report) }
            <h3>{ t!(LOOK_BEFORE_AFTER) }</h3>
            { beside::beside(props) }
            { unchanged::unchanged(report) }
            { checks(report) }
            { more("more-search-done", t!(LOOK_SEARCH), search(results)) }
            { more("more-metrics", t!(LOOK_ALL_METRICS), html! {
                <>
                    <h3>{ t!(LOOK_WHAT_MEANS) }</h3>
                    { figures::view(report, &results.settings) }
                    <h3>{ t!(LOOK_ADDED_LEFT_OUT) }</h3>
                    { changes(report) }
                    <h3>{ t!(LOOK_RISK_BEFORE_AFTER) }</h3>
                    { risks::both(&finished.beside.risk, &report.risk, report.persons.is_some()) }
                    <h3>{ t!(LOOK_WHAT_STILL_GOOD_FOR) }</h3>
                    { utility::utility(report, &finished.beside.statistics) }
                    { correlation::correlation(&finished.beside.correlations) }
                    <h3>{ t!(LOOK_CLASSES) }</h3>
                    { sizes(&finished.class_sizes, &report.classes) }
                    { rows("after", t!(LOOK_FIRST_ROWS_AS_THEY), names(), &finished.preview) }
                </>
            }) }
        </>
    }
}

/// How the groups were found.
fn search(results: &Results) -> Html {
    let report = &results.finished.report;
    let threads = results.finished.threads;
    let now = results.history.last().map_or(0.0, |last| last.0);
    let whole = match report.objective.loss {
        Loss::Sse => report.objective.sst,
        Loss::Ncp | Loss::NcpBinary => charts::penalised(&report.objective),
    };
    let gap = Gap { loss: &results.history, bounds: &results.bounds, now, whole, over: true };
    html! {
        <>
            <p data-threads-worked={threads.to_string()}>
                { told(&report.method.explanation) }{ ", " }
                { t!(LOOK_ON, threads = n!(N_THREAD, threads), time = seconds(report.seconds.solve),
                    again = repeatable(report)) }
            </p>
            { charts::gap(&gap) }
        </>
    }
}

fn usefulness(props: &PageProps, results: &Results) -> Html {
    let state = &*props.state;
    let columns: Vec<Column> = (results.columns())
        .map(|name| Column {
            name,
            ordered: is_ordered(state, &results.settings, name),
            bins: state.look.spreads.get(name).map(|bins| &**bins),
        })
        .collect();
    let act = |of: fn(String) -> LookAction| {
        let state = props.state.clone();
        Callback::from(move |column| state.dispatch(Action::Look(of(column))))
    };
    let all = {
        let state = props.state.clone();
        Callback::from(move |all| state.dispatch(Action::Look(LookAction::All(all))))
    };
    let choices = Choices { column: act(LookAction::Choose), all };
    let asked = state.engine_tells();
    charts::usefulness(&columns, &state.look.column, (state.look.all, asked), &choices)
}

/// Whether the values of a column lie on a line, so that they are drawn in their order.
fn is_ordered(state: &State, settings: &Settings, name: &str) -> bool {
    if let Some(kind) = settings.kinds.get(name) {
        return !matches!(kind, Kind::Category | Kind::Ordinal);
    }
    if settings.pad.contains_key(name) || settings.labels.contains_key(name) {
        return false;
    }
    let found = state.table.as_ref().and_then(|table| table.columns.iter().find(|c| c.name == name));
    found.is_some_and(|found| matches!(&*found.kind, "integer" | "real" | "date"))
}

/// The runs on this table, each a dot.
pub(super) fn runs(props: &PageProps) -> Html {
    let look = &props.state.look;
    let control = props.control.clone();
    let busy = props.state.is_busy();
    let back = Callback::from(move |(run, table): (u32, String)| {
        if !busy {
            control.back(run, &table);
        }
    });
    charts::runs(&look.past, look.shown, utility::past(&look.past), &back)
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
