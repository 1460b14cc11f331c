//! The middle: the table itself, while it is read, before a run, during it and after it.

use lookalike_words::Said;
use yew::{Html, html};

use super::{
    PageProps, browse, keeping::came_back, look, notice, picking, reading::reading, run::running,
    taken::taken,
};
use crate::{
    format::{bytes, count},
    state::{FailedAt, Work},
    texts::told,
};

/// Warnings that are shown at once.
const SHOWN_WARNINGS: usize = 3;

/// The middle.
pub(crate) fn middle(props: &PageProps) -> Html {
    let state = &*props.state;
    html! {
        <section class="pane middle-pane" aria-labelledby="open">
            <h2 id="open" class="unseen" tabindex="-1">{ t!(MIDDLE_TABLE) }</h2>
            { notice::failure(state, FailedAt::Opening) }
            if state.failure.is_some() { { taken(props) } }
            { picking::picking(props) }
            { opened(props) }
            if let Work::Solving(run) = &state.work { { running(props, run) } }
            if state.results.is_some() {
                { look(props) }
            } else {
                { browse::browse(props) }
            }
        </section>
    }
}

/// What was opened: name, size, how it was read, what is odd in it.
fn opened(props: &PageProps) -> Html {
    let state = &*props.state;
    if let Work::Opening(source) = &state.work {
        return reading(props, source);
    }
    let (Some(table), Some(source)) = (&state.table, &state.source) else { return html! {} };
    html! {
        <>
            <p id="opened" role="status" tabindex="-1" data-name={source.name.clone()} data-rows={table.rows.to_string()} data-columns={table.columns.len().to_string()}>
                <strong>{ &source.name }</strong>
                { format!(": {}, {}, {}.", n!(N_ROW, table.rows),
                          n!(N_COLUMN, table.columns.len()), bytes(source.bytes)) }
            </p>
            if state.failure.is_none() && state.attempt.as_ref().is_some_and(|attempt| attempt.form.is_some()) {
                <details id="how-read" class="more"><summary>{ t!(MIDDLE_HOW_READ) }</summary>{ taken(props) }</details>
            }
            { came_back(props) }
            { warnings(&table.warnings) }
        </>
    }
}

fn warnings(warnings: &[Said]) -> Html {
    if warnings.is_empty() {
        return html! {};
    }
    let (first, rest) = warnings.split_at(warnings.len().min(SHOWN_WARNINGS));
    let item = |warning: &Said| html! { <li>{ told(warning) }</li> };
    html! {
        <div id="input-warnings" class="notice amber">
            <p class="notice-title">{ n!(N_ODDITY_FILE, warnings.len()) }</p>
            <ul>{ for first.iter().map(item) }</ul>
            if !rest.is_empty() {
                <details>
                    <summary>{ t!(OPEN_MORE, n = count(rest.len())) }</summary>
                    <ul>{ for rest.iter().map(item) }</ul>
                </details>
            }
        </div>
    }
}
