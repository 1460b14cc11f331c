//! Step 5: the verdict, then figures, then charts, then tables.

use yew::{Html, function_component, html};

use super::{
    PageProps, changes::Changes, chart::Chart, figures::Figures, rows::Rows, sizes::Sizes, step,
    verdict::Verdict, waiting,
};
use crate::{
    form::guarantee,
    format::{counted, seconds},
    state::Results,
};

/// Step 5: what came out.
#[function_component]
pub fn Look(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(results) = &state.results else {
        return step(5, "look", "Look at the result", waiting("There is no result yet."));
    };
    let note = (!state.results_are_current()).then(|| {
        html! {
            <p class="notice amber" role="status">
                { format!("This was made with other settings ({}). Anonymize again to apply what you have changed.",
                    guarantee(&results.settings.model)) }
            </p>
        }
    });
    step(5, "look", "Look at the result", html! { <>{ note }{ content(results) }</> })
}

fn content(results: &Results) -> Html {
    let finished = &results.finished;
    let report = &finished.report;
    html! {
        <>
            <Verdict audit={report.audit.clone()} guarantee={guarantee(&report.model)} />
            <h3>{ "What it means" }</h3>
            <Figures report={report.clone()} settings={(*results.settings).clone()} />
            { warnings(&report.warnings) }
            <h3>{ "Added and left out" }</h3>
            <Changes report={report.clone()} />
            <h3>{ "Classes" }</h3>
            <Sizes sizes={finished.class_sizes.clone()} classes={report.classes} />
            <h3>{ "Search" }</h3>
            <p data-threads-worked={finished.threads.to_string()}>
                { format!("{}, on {}, in {}. {}", report.method.explanation,
                    counted(finished.threads, "thread", "threads"), seconds(report.seconds.solve),
                    if report.reproducible { "The same input, settings and seed give the same table again." }
                    else { "The run cannot be repeated exactly: it was limited by the clock or stopped." }) }
            </p>
            <Chart history={results.history.clone()} bound={report.bound.as_ref().map(|b| b.value)} />
            <h3>{ "Before and after" }</h3>
            <p class="hint">
                { "Published rows are sorted by what they say: a row on one side does not belong to a row on the other." }
            </p>
            <div class="sides">
                <Rows id="before" caption="Before: the first rows of the file"
                    header={before_header(&finished.header)} rows={finished.before.clone()} />
                <Rows id="after" caption="After: the first published rows"
                    header={finished.header.clone()} rows={finished.preview.clone()} />
            </div>
        </>
    }
}

/// The published columns without the class label, which only the published table has.
fn before_header(header: &[String]) -> Vec<String> {
    header.iter().filter(|name| *name != "class").cloned().collect()
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
