//! Step 1: a table comes in.

use yew::{Callback, DragEvent, Event, Html, UseStateHandle, function_component, html, use_state};

use super::{PageProps, notice, rows::rows, series, step, taken::taken};
use crate::{
    format::{bytes, counted},
    platform::{dom, files::FileHandle},
    state::{FailedAt, Work},
};

/// File, id and description of each built-in sample.
const SAMPLES: [(&str, &str, &str); 1] = [(
    "hospital.csv",
    "sample-hospital",
    "invented patients of a hospital, with names, ages, postcodes and diagnoses, and a few awkward cells",
)];

/// What the dialogue for files offers first.
const ACCEPTED: &str = ".csv,.tsv,.tab,.txt,.gz,.zip,.xlsx,text/csv,text/tab-separated-values,text/plain,application/gzip,application/zip";

/// Rows of the file that are shown.
const SHOWN_ROWS: usize = 6;

/// Warnings that are shown at once.
const SHOWN_WARNINGS: usize = 5;

/// Step 1: a table comes in.
#[function_component]
pub fn Open(props: &PageProps) -> Html {
    let state = &*props.state;
    let busy = state.is_busy();
    // Whether something is being dragged over the drop zone.
    let over = use_state(|| false);
    step(
        1,
        "open",
        "Open a table",
        html! {
            <>
                { notice::failure(state, FailedAt::Opening) }
                if state.failure.is_some() { { taken(props) } }
                { drop_zone(props, &over, busy) }
                { opened(props) }
                { series::choice(props) }
                { samples(props, busy) }
                { paste(props, busy) }
                <p class="hint">
                    { "Nothing leaves this page. To check, open your browser's developer tools (F12), look at Network, and \
                       work: no request takes anything of yours along. What comes are parts of the page and samples, from where \
                       the page came from. Or take the network away after the page has loaded: it works on." }
                </p>
            </>
        },
    )
}

fn drop_zone(props: &PageProps, over: &UseStateHandle<bool>, busy: bool) -> Html {
    let hover = |value: bool| {
        let over = over.clone();
        Callback::from(move |event: DragEvent| {
            event.prevent_default();
            over.set(value);
        })
    };
    let ondrop = {
        let (control, over) = (props.control.clone(), over.clone());
        Callback::from(move |event: DragEvent| {
            event.prevent_default();
            over.set(false);
            if let Some(file) = FileHandle::dropped(&event).filter(|_| !busy) {
                control.open(file);
            }
        })
    };
    let onchange = {
        let control = props.control.clone();
        Callback::from(move |event: Event| {
            if let Some(file) = FileHandle::picked(&event) {
                control.open(file);
            }
        })
    };
    let class = if **over { "drop over" } else { "drop" };
    html! {
        <div {class} ondragover={hover(true)} ondragleave={hover(false)} {ondrop}>
            <label for="file-input">{ "Drop a table here, choose a file, or paste with Ctrl+V" }</label>
            <input id="file-input" type="file" accept={ACCEPTED} disabled={busy} {onchange} />
            <p class="hint">{ "A header row, then one row a person: CSV or other delimited text, also as .gz or .zip, or an .xlsx \
                  workbook. The file is read in this page only." }</p>
        </div>
    }
}

/// What was opened: size, warnings, the first rows.
fn opened(props: &PageProps) -> Html {
    let state = &*props.state;
    if let Work::Opening(source) = &state.work {
        return html! {
            <>
                <p role="status">{ format!("Reading {} ({}) ...", source.name, bytes(source.bytes)) }</p>
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
                { format!(": {}, {}, {}.", counted(table.rows, "row", "rows"),
                          counted(table.columns.len(), "column", "columns"), bytes(source.bytes)) }
            </p>
            if state.failure.is_none() { { taken(props) } }
            { warnings(&table.warnings) }
            { rows("input-preview", "The first rows of the file", names, &table.preview[..shown]) }
        </>
    }
}

fn warnings(warnings: &[String]) -> Html {
    if warnings.is_empty() {
        return html! {};
    }
    let (first, rest) = warnings.split_at(warnings.len().min(SHOWN_WARNINGS));
    let item = |text: &String| html! { <li>{ text }</li> };
    html! {
        <div id="input-warnings" class="notice amber">
            <p class="notice-title">{ counted(warnings.len(), "oddity in the file", "oddities in the file") }</p>
            <ul>{ for first.iter().map(item) }</ul>
            if !rest.is_empty() {
                <details>
                    <summary>{ format!("{} more", rest.len()) }</summary>
                    <ul>{ for rest.iter().map(item) }</ul>
                </details>
            }
        </div>
    }
}

fn samples(props: &PageProps, busy: bool) -> Html {
    let sample = |(file, id, what): (&'static str, &'static str, &'static str)| {
        let control = props.control.clone();
        let onclick = Callback::from(move |_| control.open_sample(file));
        html! {
            <li>
                <button {id} type="button" class="link" disabled={busy} {onclick}>{ file }</button>
                { ": " }{ what }
            </li>
        }
    };
    html! {
        <div class="samples">
            <p>{ "Or try it with a table about nobody:" }</p>
            <ul>{ for SAMPLES.into_iter().map(sample) }</ul>
        </div>
    }
}

fn paste(props: &PageProps, busy: bool) -> Html {
    let control = props.control.clone();
    let onclick = Callback::from(move |_| control.open_text(&dom::value_by_id("paste-text")));
    html! {
        <details class="paste">
            <summary>{ "Or paste text" }</summary>
            <label for="paste-text">{ "Cells copied from a spreadsheet, or delimited text, with a header row" }</label>
            <textarea id="paste-text" rows="6" spellcheck="false" autocomplete="off" />
            <button id="paste-open" type="button" disabled={busy} {onclick}>{ "Open the pasted text" }</button>
        </details>
    }
}
