//! Step 5: the verdict, then figures, then charts, then tables.

mod beside;
mod risks;
mod spread;
mod utility;

use yew::{Html, html};

pub(super) use risks::raw;

use super::{
    PageProps, changes::changes, chart::chart, figures, rows::rows, series, sizes::sizes, step,
    verdict::verdict, waiting,
};
use crate::{
    form::guarantee,
    format::{counted, seconds},
    state::Results,
};

/// What the audit is.
const AUDITED: &str = "The audit reads the very bytes that you save, and shares no code with what made them.";

/// Step 5: what came out.
pub(crate) fn look(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(results) = &state.results else {
        return step(
            5,
            "look",
            "Look at the result",
            waiting(
                "Here you see whether the guarantee holds, what was lost, and the rows before and after.",
            ),
        );
    };
    let note = (!state.results_are_current()).then(|| {
        html! {
            <p class="notice amber" role="status">
                { format!("This was made with other settings ({}). Anonymize again to apply what you have changed.",
                    guarantee(&results.settings.model)) }
            </p>
        }
    });
    step(5, "look", "Look at the result", html! { <>{ note }{ content(props, results) }</> })
}

fn content(props: &PageProps, results: &Results) -> Html {
    let finished = &results.finished;
    let report = &finished.report;
    let names = || finished.header.iter().map(String::as_str);
    html! {
        <>
            { verdict(&report.audit, &guarantee(&report.model), AUDITED) }
            <h3>{ "What it means" }</h3>
            { figures::view(report, &results.settings) }
            { series::released(props) }
            { warnings(&report.warnings) }
            <h3>{ "Added and left out" }</h3>
            { changes(report) }
            <h3>{ "Risk before and after" }</h3>
            { risks::both(&finished.beside.risk, &report.risk) }
            <h3>{ "What it is still good for" }</h3>
            { utility::utility(report, &finished.beside.statistics) }
            { spread::spread(props, results) }
            { utility::past(&props.state.look.past) }
            <h3>{ "Classes" }</h3>
            { sizes(&finished.class_sizes, &report.classes) }
            <h3>{ "Search" }</h3>
            <p data-threads-worked={finished.threads.to_string()}>
                { format!("{}, on {}, in {}. {}", report.method.explanation,
                    counted(finished.threads, "thread", "threads"), seconds(report.seconds.solve),
                    if report.reproducible { "The same input, settings and seed give the same table again." }
                    else { "The run cannot be repeated exactly: it was limited by the clock or stopped." }) }
            </p>
            { chart(&results.history, &results.bounds) }
            <h3>{ "Before and after" }</h3>
            { beside::beside(props, results) }
            { rows("after", "The first rows as they are published", names(), &finished.preview) }
        </>
    }
}

fn warnings(warnings: &[String]) -> Html {
    if warnings.is_empty() {
        return html! {};
    }
    html! {
        <div id="warnings" class="notice amber">
            <p class="notice-title">{ counted(warnings.len(), "thing to know", "things to know") }</p>
            <ul>{ for warnings.iter().map(|text| html! { <li>{ text }</li> }) }</ul>
        </div>
    }
}
