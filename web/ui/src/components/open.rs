//! Step 1: a table comes in.

use lookalike_words::Said;
use yew::{Callback, Event, Html, function_component, html};

use super::{PageProps, notice, rows::rows, series, step, taken::taken};
use crate::{
    format::{bytes, count},
    platform::{dom, files::FileHandle},
    state::{FailedAt, Work},
    texts::{Key, k, text, told},
};

/// File, id and description of each built-in sample.
const SAMPLES: [(&str, &str, Key); 3] = [
    ("hospital.csv", "sample-hospital", k::OPEN_INVENTED_PATIENTS_HOSPITAL_WITH),
    ("release-1.csv", "sample-release-1", k::OPEN_ANOTHER_HOSPITAL_FIRST_QUARTER),
    ("release-2.csv", "sample-release-2", k::OPEN_SAME_HOSPITAL_NEXT_QUARTER),
];

/// What the dialogue for files offers first.
const ACCEPTED: &str = ".csv,.tsv,.tab,.txt,.jsonl,.ndjson,.gz,.zip,.xlsx,text/csv,text/tab-separated-values,text/plain,application/gzip,application/zip";

/// Rows of the file that are shown.
const SHOWN_ROWS: usize = 6;

/// Warnings that are shown at once.
const SHOWN_WARNINGS: usize = 5;

/// Step 1: a table comes in.
#[function_component]
pub fn Open(props: &PageProps) -> Html {
    let state = &*props.state;
    let busy = state.is_busy();
    step(
        1,
        "open",
        t!(OPEN_OPEN_TABLE),
        html! {
            <>
                { notice::failure(state, FailedAt::Opening) }
                if state.failure.is_some() { { taken(props) } }
                if matches!(state.work, Work::Opening(_)) { { notice::scarce(state) } }
                { drop_zone(props, busy) }
                { opened(props) }
                { series::choice(props) }
                { samples(props, busy) }
                { paste(props, busy) }
                <p class="hint">
                    { t!(OPEN_NOTHING_LEAVES_PAGE_CHECK) }
                </p>
            </>
        },
    )
}

fn drop_zone(props: &PageProps, busy: bool) -> Html {
    let onchange = {
        let control = props.control.clone();
        Callback::from(move |event: Event| {
            if let Some(file) = FileHandle::picked(&event) {
                control.open(file);
            }
        })
    };
    let class = if props.state.dragged_over { "drop over" } else { "drop" };
    html! {
        <div {class}>
            <label for="file-input">{ t!(OPEN_DROP_TABLE_HERE_CHOOSE) }</label>
            <input id="file-input" type="file" accept={ACCEPTED} disabled={busy} {onchange} />
            <p class="hint">{ t!(OPEN_HEADER_ROW_THEN_ONE) }</p>
        </div>
    }
}

/// What was opened: size, warnings, the first rows.
fn opened(props: &PageProps) -> Html {
    let state = &*props.state;
    if let Work::Opening(source) = &state.work {
        return html! {
            <>
                <p role="status">{ t!(OPEN_READING, name = source.name, size = bytes(source.bytes)) }</p>
                { taken(props) }
            </>
        };
    }
    let (Some(table), Some(source)) = (&state.table, &state.source) else { return html! {} };
    let names = table.columns.iter().map(|column| column.name.as_str());
    let shown = table.preview.len().min(SHOWN_ROWS);
    html! {
        <>
            <p id="opened" role="status" tabindex="-1" data-name={source.name.clone()} data-rows={table.rows.to_string()} data-columns={table.columns.len().to_string()}>
                <strong>{ &source.name }</strong>
                { format!(": {}, {}, {}.", n!(N_ROW, table.rows),
                          n!(N_COLUMN, table.columns.len()), bytes(source.bytes)) }
            </p>
            if state.failure.is_none() { { taken(props) } }
            { warnings(&table.warnings) }
            { rows("input-preview", t!(OPEN_FIRST_ROWS_FILE), names, &table.preview[..shown]) }
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

fn samples(props: &PageProps, busy: bool) -> Html {
    let sample = |(file, id, what): (&'static str, &'static str, Key)| {
        let control = props.control.clone();
        let onclick = Callback::from(move |_| control.open_sample(file));
        html! {
            <li>
                <button {id} type="button" class="link" disabled={busy} {onclick}>{ file }</button>
                { ": " }{ text(what) }
            </li>
        }
    };
    html! {
        <div class="samples">
            <p>{ t!(OPEN_OR_TRY_WITH_TABLE) }</p>
            <ul>{ for SAMPLES.into_iter().map(sample) }</ul>
        </div>
    }
}

fn paste(props: &PageProps, busy: bool) -> Html {
    let control = props.control.clone();
    let onclick = Callback::from(move |_| control.open_text(&dom::value_by_id("paste-text")));
    html! {
        <details class="paste">
            <summary>{ t!(OPEN_OR_PASTE_TEXT) }</summary>
            <label for="paste-text">{ t!(OPEN_CELLS_COPIED_FROM_SPREADSHEET) }</label>
            <textarea id="paste-text" rows="6" spellcheck="false" autocomplete="off" />
            <button id="paste-open" type="button" disabled={busy} {onclick}>{ t!(OPEN_OPEN_PASTED_TEXT) }</button>
        </details>
    }
}
