//! An engine that dies or hangs is told, and started again with the table and all choices intact; scarce memory is told
//! before there is none.

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{hospital, page::Page, set_up};

/// Keeps a hold of the page's engines, as nothing of the page's own does.
const HOLD: &str = "window.engines = []; const Native = Worker; \
    window.Worker = class extends Native { constructor(...given) { super(...given); engines.push(this); } };";

async fn held() -> Page {
    let page = Page::open(&[]).await;
    page.before_all(HOLD).await;
    page.client.refresh().await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    page
}

/// The table and all that was said of it are there, and it can be anonymized.
async fn intact(page: &Page) {
    page.click("#restart").await;
    page.find("#opened[data-rows='300']").await;
    page.attribute_not("#threads", "data-threads", "0").await;
    assert_eq!(page.attribute("[data-column='age']", "data-role").await, "quasi");
    assert_eq!(page.attribute("[data-column='diagnosis']", "data-role").await, "sensitive");
    let m = page.client.execute("return document.getElementById('m').value", vec![]).await.unwrap();
    assert_eq!(m, json!("4"));
    page.fill("#effort", "1").await;
    page.find("#anonymize:not([disabled])").await;
    page.anonymize().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_dies_is_started_again_with_the_table_intact() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = held().await;
    set_up(&page, &folder, "4", "1", "100000").await;
    page.click("#anonymize").await;
    page.find("#incumbent").await;
    // A message without its bulk, which the page never sends, breaks the engine.
    page.client.execute("engines.at(-1).postMessage({ message: 'stop' })", vec![]).await.unwrap();
    page.find("#engine-lost").await;
    assert!(page.text("#engine-lost").await.contains("your choices are still here"));
    intact(&page).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_hangs_is_told_and_can_be_started_again() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = held().await;
    set_up(&page, &folder, "4", "1", "100000").await;
    page.click("#anonymize").await;
    page.find("#incumbent").await;
    // A thread that is gone without a word is what a hung one looks like.
    page.client.execute("engines.at(-1).terminate()", vec![]).await.unwrap();
    page.find("#engine-silent").await;
    intact(&page).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_stated_and_told_before_it_runs_out() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = held().await;
    page.upload(&folder.file("in.csv")).await;
    let bytes: f64 = page.attribute_not("#threads", "data-memory", "").await.parse().unwrap();
    assert!(bytes > 1e5 && bytes < 1e9, "{bytes}");
    assert_eq!(page.text("#scarce").await, "");
    let scarce = "engines.at(-1).onmessage({ data: { memory: { bytes: 3.1e9, most: 4294967296 } } })";
    page.client.execute(scarce, vec![]).await.unwrap();
    page.find("#scarce").await;
    let told = page.text("#scarce").await;
    assert!(told.contains("3.1 GB of at most 4.3 GB") && told.contains("worker"), "{told}");
    page.accessible("scarce memory").await;
    page.close().await;
}
