//! The way that docs/guide describes, with the sample. With `LOOKALIKE_GUIDE=docs/guide` its pictures are made anew.

use std::path::PathBuf;

use serde_json::json;

use crate::page::{Page, becomes};

/// Width of the window: three panes beside each other.
const WIDTH: u32 = 1280;

/// Height of a window in which a pane fits.
const PANE: u32 = 800;

/// Height of a window in which all that a long pane holds fits.
const LONG: u32 = 1600;

/// Height of a window in which everything fits that is not a pane: panes are as high as the window.
const ALL: u32 = 5000;

/// The samples of a series, as the page offers them.
fn quarters() -> lookalike_tests::program::Folder {
    let folder = lookalike_tests::program::Folder::new();
    for (name, text) in lookalike_core::demo::samples() {
        folder.write(name, text);
    }
    folder
}

/// Takes a picture of an element in a window of this height, if pictures are wanted.
async fn picture(page: &Page, css: &str, name: &str, height: u32) {
    page.find(css).await;
    page.reveal(css).await;
    let Some(folder) = std::env::var_os("LOOKALIKE_GUIDE").map(PathBuf::from) else { return };
    page.client.set_window_size(WIDTH, height).await.unwrap();
    // What was typed last may have scrolled the page, which does so inside: a picture shows what stands there when it begins.
    page.client.execute(UP, vec![]).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let picture = page.find(css).await.screenshot().await.unwrap();
    page.client.set_window_size(WIDTH, 1200).await.unwrap();
    let folder = lookalike_tests::program::workspace().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
}

/// Scrolls everything to its beginning.
const UP: &str = "document.activeElement.blur(); \
    document.querySelectorAll('html, .scroll, .pane, .decide, .sheet')\
    .forEach(e => e.scrollTo({ top: 0, left: 0, behavior: 'instant' }))";

/// Whether every number has its loss.
const ESTIMATED: &str = "const all = [...document.querySelectorAll('#numbers .loss')]; \
    return all.length > 0 && all.every(e => e.textContent.startsWith('about'))";

/// Whether a run has a table.
const BEGUN: &str =
    "const e = document.getElementById('incumbent'); return e !== null && e.textContent !== '-'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guide_can_be_followed() {
    let page = Page::open_as(&[], WIDTH, false).await;
    let folder = quarters();
    let twice = "patient,age,age\nP1,40,41\nP2,50,52\n";
    folder.write("twice.csv", twice);
    picture(&page, ".first", "0-page", ALL).await;
    page.find("#file-input").await.send_keys(&folder.file("twice.csv")).await.unwrap();
    page.find("#failure").await;
    page.choose("#open-names", "number").await;
    page.find("#opened[data-name='twice.csv'][data-columns='3']").await;
    page.reveal("#open-names").await;
    picture(&page, ".middle-pane", "1-names", PANE).await;
    // The samples are offered where no table is open.
    page.client.refresh().await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    page.click("#sample-hospital").await;
    page.find("#opened[data-rows='1000']").await;
    picture(&page, "main", "1-open", PANE).await;
    page.click("#accept").await;
    page.find("#accepted").await;
    for (column, role) in
        [("sex", "quasi"), ("age", "quasi"), ("postcode", "quasi"), ("diagnosis", "sensitive")]
    {
        page.find(&format!("[data-column='{column}'][data-role='{role}']")).await;
    }
    picture(&page, ".columns-pane", "2-describe", PANE).await;
    page.click("#answer-missing-quasi-value").await;
    page.find("#questions[data-open='0']").await;
    page.find("#raw-risk[data-uniques]:not([data-uniques=''])").await;
    becomes(&page, ESTIMATED, json!(true)).await;
    page.click("#numbers [data-number='4']").await;
    page.find("#numbers [data-number='4'][aria-pressed='true']").await;
    picture(&page, ".decision-pane", "3-protect", LONG).await;
    page.fill("#seed", "1").await;
    page.click("#more-weights > summary").await;
    page.click("#weights-on").await;
    picture(&page, "#more-weights", "3-weights", ALL).await;
    page.click("#weights-off").await;
    page.anonymize().await;
    page.find("#spread").await;
    page.find("#beside tbody tr").await;
    picture(&page, "#look", "5-look", ALL).await;
    assert_eq!(page.report().await["classes"]["min_size"], 4);
    page.download("#download-table").await;
    // A sample has its name, as a file has that somebody picked.
    let statement = String::from_utf8(page.download("#download-statement").await).unwrap();
    assert!(statement.contains("hospital.csv") && !statement.contains("standard input"), "{statement}");
    picture(&page, "#save", "6-save", ALL).await;
    // A run that takes longer than anybody waits; the table before it stays.
    page.fill("#effort", "100000").await;
    page.click("#anonymize").await;
    becomes(&page, BEGUN, json!(true)).await;
    picture(&page, "#running", "4-solve", ALL).await;
    page.click("#cancel").await;
    page.verdict().await;
    page.close().await;
}

/// The way that docs/guide/series.md describes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_series_can_be_followed() {
    let folder = quarters();
    let page = Page::open_as(&[], WIDTH, false).await;
    page.upload(&folder.file("release-1.csv")).await;
    page.choose("#series-kind", "first").await;
    page.find("#series-id:enabled").await;
    page.choose("#series-id", "patient").await;
    for (column, role) in
        [("sex", "quasi"), ("age", "quasi"), ("postcode", "quasi"), ("diagnosis", "sensitive")]
    {
        page.role(column, role).await;
    }
    page.fill("#m", "4").await;
    page.fill("#seed", "1").await;
    page.fill("#series-price", "2").await;
    picture(&page, ".decision-pane", "series-1-open", LONG).await;
    page.anonymize().await;
    picture(&page, "#save", "series-2-ledger", ALL).await;
    folder.write("ledger.json", page.store_ledger().await);
    folder.write("january.csv", page.download("#download-table").await);
    page.upload(&folder.file("release-2.csv")).await;
    page.find("#opened[data-name='release-2.csv']").await;
    page.choose("#series-kind", "later").await;
    page.find("#ledger-input:enabled").await.send_keys(&folder.file("ledger.json")).await.unwrap();
    page.find("#series-ledger[data-releases='1']").await;
    picture(&page, ".decision-pane", "series-3-changed", 2 * LONG).await;
    page.fill("#seed", "2").await;
    page.anonymize().await;
    page.find("#earlier-input:enabled").await.send_keys(&folder.file("january.csv")).await.unwrap();
    page.click("#judge-series").await;
    page.find("#series-judged[data-passed='true']").await;
    picture(&page, "#look", "series-4-together", ALL).await;
    // The release is taken back: another takes its place.
    folder.write("ledger-2.json", page.store_ledger().await);
    folder.write("april.csv", page.download("#download-table").await);
    page.find("#series-spent").await;
    picture(&page, "#series-spent", "series-5-spent", ALL).await;
    page.find("#ledger-input:enabled").await.send_keys(&folder.file("ledger-2.json")).await.unwrap();
    page.find("#series-ledger[data-releases='2']").await;
    page.click("#series-again").await;
    page.find("#series-again:checked").await;
    picture(&page, "#series-ledger", "series-6-again", ALL).await;
    // Somebody's way through all releases.
    page.click("#to-check").await;
    page.click("#more-series > summary").await;
    let releases = [folder.file("january.csv"), folder.file("april.csv")].join("\n");
    page.find("#series-releases:enabled").await.send_keys(&releases).await.unwrap();
    page.find("#series-audit-ledger:enabled").await.send_keys(&folder.file("ledger-2.json")).await.unwrap();
    page.fill("#series-individuals", "P00094").await;
    page.click("#series-judge").await;
    page.find("#series-judged[data-passed='true']").await;
    assert!(page.text("#series-text").await.contains("individual 'P00094'"));
    picture(&page, "#more-series", "series-7-follow", ALL).await;
    page.close().await;
}
