//! The way that docs/guide describes, with the sample. With `LOOKALIKE_GUIDE=docs/guide` its pictures are made anew.

use std::path::PathBuf;

use crate::page::Page;

/// The samples of a series, as the page offers them.
fn quarters() -> lookalike_tests::program::Folder {
    let folder = lookalike_tests::program::Folder::new();
    for (name, text) in lookalike_core::demo::samples() {
        folder.write(name, text);
    }
    folder
}

/// Takes a picture of a step, if pictures are wanted.
async fn picture(page: &Page, css: &str, name: &str) {
    let element = page.find(css).await;
    let Some(folder) = std::env::var_os("LOOKALIKE_GUIDE").map(PathBuf::from) else { return };
    page.client.set_window_size(1000, 5000).await.unwrap();
    // What was typed last may have scrolled the page, which does so inside: a picture shows what stands there when it begins.
    page.client.execute(UP, vec![]).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let picture = element.screenshot().await.unwrap();
    page.client.set_window_size(1000, 1200).await.unwrap();
    let folder = lookalike_tests::program::workspace().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
}

/// Scrolls everything to its beginning.
const UP: &str = "document.activeElement.blur(); \
    document.querySelectorAll('html, .scroll').forEach(e => e.scrollTo({ top: 0, left: 0, behavior: 'instant' }))";

fn step(id: &str) -> String {
    format!("section[aria-labelledby='{id}']")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guide_can_be_followed() {
    let page = Page::open_as(&[], 1000, false).await;
    let folder = quarters();
    let twice = "patient,age,age\nP1,40,41\nP2,50,52\n";
    folder.write("twice.csv", twice);
    page.find("#file-input").await.send_keys(&folder.file("twice.csv")).await.unwrap();
    page.find("#failure").await;
    page.choose("#open-names", "number").await;
    page.find("#opened[data-name='twice.csv'][data-columns='3']").await;
    picture(&page, &step("open"), "1-names").await;
    page.click("#sample-hospital").await;
    page.find("#opened[data-rows='1000']").await;
    picture(&page, "main > header", "0-page").await;
    picture(&page, &step("open"), "1-open").await;
    for (column, role) in
        [("sex", "quasi"), ("age", "quasi"), ("postcode", "quasi"), ("diagnosis", "sensitive")]
    {
        page.role(column, role).await;
    }
    page.choose("#missing-quasi", "value").await;
    page.find("#roles").await;
    picture(&page, &step("describe"), "2-describe").await;
    page.find("#raw-risk[data-uniques]:not([data-uniques=''])").await;
    page.find("#survey-table tr[data-m='5'][data-eligible='true']").await;
    page.fill("#m", "4").await;
    page.fill("#seed", "1").await;
    picture(&page, &step("protect"), "3-protect").await;
    page.click("#more-weights > summary").await;
    page.click("#weights-on").await;
    picture(&page, "#more-weights", "3-weights").await;
    page.click("#weights-off").await;
    page.anonymize().await;
    assert_eq!(page.report().await["classes"]["min_size"], 4);
    picture(&page, &step("solve"), "4-solve").await;
    page.find("#spread").await;
    page.find("#beside tbody tr").await;
    picture(&page, &step("look"), "5-look").await;
    page.find("#download-statement").await;
    picture(&page, &step("save"), "6-save").await;
    page.close().await;
}

/// The way that docs/guide/series.md describes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_series_can_be_followed() {
    let folder = quarters();
    let page = Page::open_as(&[], 1000, false).await;
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
    picture(&page, &step("open"), "series-1-open").await;
    page.anonymize().await;
    page.click("#ledger-apart").await;
    picture(&page, &step("save"), "series-2-ledger").await;
    folder.write("ledger.json", page.download("#download-ledger").await);
    folder.write("january.csv", page.download("#download-table").await);
    page.upload(&folder.file("release-2.csv")).await;
    page.find("#opened[data-name='release-2.csv']").await;
    page.choose("#series-kind", "later").await;
    page.find("#ledger-input:enabled").await.send_keys(&folder.file("ledger.json")).await.unwrap();
    page.find("#series-ledger[data-releases='1']").await;
    picture(&page, &step("open"), "series-3-changed").await;
    page.fill("#seed", "2").await;
    page.anonymize().await;
    page.find("#earlier-input:enabled").await.send_keys(&folder.file("january.csv")).await.unwrap();
    page.click("#judge-series").await;
    page.find("#series-judged[data-passed='true']").await;
    picture(&page, &step("look"), "series-4-together").await;
    // The release is taken back: another takes its place.
    page.click("#ledger-apart").await;
    folder.write("ledger-2.json", page.download("#download-ledger").await);
    folder.write("april.csv", page.download("#download-table").await);
    page.find("#series-spent").await;
    picture(&page, "#series-spent", "series-5-spent").await;
    page.find("#ledger-input:enabled").await.send_keys(&folder.file("ledger-2.json")).await.unwrap();
    page.find("#series-ledger[data-releases='2']").await;
    page.click("#series-again").await;
    page.find("#series-again:checked").await;
    picture(&page, "#series-ledger", "series-6-again").await;
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
    picture(&page, "#more-series", "series-7-follow").await;
    page.close().await;
}
