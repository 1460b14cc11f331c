//! What there is to save.

use lookalike_wire::page::names;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

use super::{
    PageProps, certificate,
    configuration::{button, gives_away},
    fields::more,
    series, workbook,
};
use crate::state::{Action, ResultFile, Results};

/// The table and the statement at once, all else behind "More files".
pub(crate) fn save(props: &PageProps) -> Html {
    let state = &*props.state;
    let (Some(results), Some(source)) = (&state.results, &state.source) else { return html! {} };
    let stem = names::stem(&source.name);
    let links = &results.downloads;
    // A result of other settings than the page shows is called so.
    let earlier = !state.results_are_current();
    let table = if earlier { t!(SAVE_EARLIER_TABLE) } else { t!(SAVE_DOWNLOAD_TABLE) };
    let statement = if earlier { t!(SAVE_EARLIER_STATEMENT) } else { t!(SAVE_DOWNLOAD_STATEMENT) };
    let report =
        link("download-report", t!(SAVE_DOWNLOAD_REPORT), &links.report, names::report(&source.name));
    if !results.finished.report.audit.passed {
        return html! {
            <div id="save">
                <p>{ t!(SAVE_AUDIT_FAILED_SO_THERE) }</p>
                <p class="buttons">{ report }</p>
            </div>
        };
    }
    // A release is handed out only once its ledger is stored.
    let open = state.series.may_go_out();
    html! {
        <div id="save">
            { series::ledger(props) }
            <p class="buttons">
                if open {
                    { saves(props, ResultFile::Table, ("download-table", table), &links.table, names::table(&source.name)) }
                    { saves(props, ResultFile::Statement, ("download-statement", statement), &links.statement, statement_name(stem)) }
                } else {
                    { waits("download-table", t!(SAVE_DOWNLOAD_TABLE)) }
                    { waits("download-statement", t!(SAVE_DOWNLOAD_STATEMENT)) }
                    { waits("more-files", t!(SAVE_MORE_FILES)) }
                }
            </p>
            if open { { more("more-files", t!(SAVE_MORE_FILES), files(props, results, &source.name, report)) } }
        </div>
    }
}

/// A button that does nothing yet, and why.
fn waits(id: &'static str, text: &'static str) -> Html {
    html! { <button {id} type="button" disabled=true aria-describedby="ledger-first">{ text }</button> }
}

/// What is rarely needed, or never to be published.
fn files(props: &PageProps, results: &Results, opened: &str, report: Html) -> Html {
    let links = &results.downloads;
    html! {
        <>
            <h3>{ t!(SAVE_PUBLISH) }</h3>
            <p class="buttons">{ workbook::button(props, results, opened) }{ report }</p>
            { workbook::others(props, results, opened) }
            { workbook::told(props, results) }
            <p class="hint">{ t!(SAVE_REPORT_HOLDS_NO_ROW) }</p>
            <h3>{ t!(SAVE_DO_AGAIN) }</h3>
            <p class="buttons">
                { button(props, "download-config", t!(SAVE_DOWNLOAD_CONFIGURATION), Some((*results.settings).clone())) }
            </p>
            <p class="hint">{ gives_away(&results.settings) }</p>
            <h3>{ t!(SAVE_FILE) }</h3>
            <p class="hint">{ t!(SAVE_PAGE_PRINT_SIGN_COLUMNS) }</p>
            <p class="buttons">
                { link("download-statement-json", t!(SAVE_DOWNLOAD_STATEMENT_JSON), &links.statement_json, names::statement_json(opened)) }
            </p>
            <p class="hint">{ t!(SAVE_STATEMENT_JSON_HINT) }</p>
            <div class="private">
                <h3>{ t!(SAVE_PRIVATE_NEVER_PUBLISH_THESE) }</h3>
                <p class="buttons">
                    { saves(props, ResultFile::Classes, ("download-classes", t!(SAVE_DOWNLOAD_CLASSES)), &links.classes, names::classes(opened)) }
                    { saves(props, ResultFile::Record, ("download-private", t!(SAVE_DOWNLOAD_PRIVATE_RECORD)), &links.private, names::record(opened)) }
                    { link("download-manifest", t!(SAVE_DOWNLOAD_MANIFEST), &links.manifest, names::manifest(opened)) }
                </p>
                <p class="hint">{ t!(SAVE_CLASSES_CSV_LINKS_EACH) }</p>
                <p class="hint">{ t!(SAVE_MANIFEST_HINT) }</p>
                { certificate::offer(results, opened) }
            </div>
        </>
    }
}

/// What the file of the statement is called.
pub(super) fn statement_name(stem: &str) -> String {
    format!("private-{stem}-statement.html")
}

/// A file of the result: what is not saved is named before the page is left.
pub(super) fn saves(
    props: &PageProps,
    file: ResultFile,
    (id, text): (&'static str, &'static str),
    href: &str,
    name: String,
) -> Html {
    let dispatcher = props.state.dispatcher();
    let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Saved(file)));
    html! { <a key={id} {id} class="button" href={AttrValue::from(href.to_owned())} download={name} {onclick}>{ text }</a> }
}

pub(super) fn link(id: &'static str, text: &str, href: &str, name: String) -> Html {
    html! { <a {id} class="button" href={AttrValue::from(href.to_owned())} download={name}>{ text }</a> }
}
