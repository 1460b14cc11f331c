//! Nothing is lost without a word: what nobody has saved is asked about before the page goes, and a file is opened wherever it is
//! dropped.

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{
    hospital,
    page::{Page, becomes, turns_to},
    set_up,
};

/// Whether the browser would ask before it leaves the page.
const ASKS: &str = "const event = new Event('beforeunload', { cancelable: true });\
    window.dispatchEvent(event); return event.defaultPrevented";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_has_saved_is_asked_about() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    becomes(&page, ASKS, json!(false)).await;
    set_up(&page, &folder, "3", "1", "100000").await;
    becomes(&page, ASKS, json!(false)).await;
    // A search that is under way, and then its result.
    page.click("#anonymize").await;
    becomes(&page, ASKS, json!(true)).await;
    page.click("#stop").await;
    page.verdict().await;
    becomes(&page, ASKS, json!(true)).await;
    // The report alone does not give the table back.
    page.report().await;
    becomes(&page, ASKS, json!(true)).await;
    // Nor does the table alone: statement and table belong together.
    page.download("#download-table").await;
    becomes(&page, ASKS, json!(true)).await;
    page.download("#download-statement").await;
    becomes(&page, ASKS, json!(false)).await;
    // Another run makes another table.
    page.fill("#effort", "0.2").await;
    page.anonymize().await;
    becomes(&page, ASKS, json!(true)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_stays_is_told_what_would_have_been_lost() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open_to_stay().await;
    set_up(&page, &folder, "3", "1", "100000").await;
    page.click("#anonymize").await;
    page.find("#stop").await;
    let leave = "setTimeout(() => location.reload(), 0)";
    page.client.execute(leave, vec![]).await.unwrap();
    becomes(&page, "return document.activeElement.id", json!("asks-stay")).await;
    assert_eq!(page.text("#asks-title").await, "Before you leave");
    assert_eq!(page.text("#asks-what").await, "A search is under way.");
    page.accessible("what would have been lost").await;
    page.click("#asks-stop").await;
    page.verdict().await;
    // Its table can be saved at once; roles and settings outlive the next reload, a result does not.
    page.client.execute(leave, vec![]).await.unwrap();
    becomes(
        &page,
        "return document.querySelector('#asks-what')?.textContent.includes('not saved')",
        json!(true),
    )
    .await;
    page.click("#asks-keep-work").await;
    page.find("#asks-keep-work:checked").await;
    assert!(!page.download("#asks-save").await.is_empty());
    // The table alone is not all: the statement goes with it.
    becomes(
        &page,
        "return document.querySelector('#asks-what').textContent.includes('statement')",
        json!(true),
    )
    .await;
    assert!(!page.download("#asks-save-statement").await.is_empty());
    becomes(&page, "return document.querySelector('#asks-what').textContent", json!("Nothing will be lost."))
        .await;
    page.click("#asks-stay").await;
    becomes(&page, "return document.querySelector('#asks')", json!(null)).await;
    // The focus is where it was.
    becomes(&page, "return document.activeElement.id", json!("verdict")).await;
    // Now nothing asks, and the work is back.
    page.client.execute(leave, vec![]).await.unwrap();
    page.find("#came-back").await;
    page.find("[data-column='diagnosis'][data-role='sensitive']").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_opened_wherever_it_is_dropped() {
    let page = Page::open(&[]).await;
    // On the bar, far from the field for files.
    let drag = "const data = new DataTransfer();\
        data.items.add(new File([arguments[1]], 'dropped.csv', { type: 'text/csv' }));\
        const event = new DragEvent(arguments[0], { dataTransfer: data, bubbles: true, cancelable: true });\
        document.querySelector('.bar').dispatchEvent(event); return event.defaultPrevented";
    let drag = async |kind: &str| {
        let taken = page.client.execute(drag, vec![json!(kind), json!(hospital())]).await.unwrap();
        assert_eq!(taken, json!(true), "the browser would open the file itself");
    };
    drag("dragover").await;
    page.find("#drop-here").await;
    drag("dragleave").await;
    becomes(&page, "return document.querySelector('#drop-here')", json!(null)).await;
    drag("dragover").await;
    drag("drop").await;
    page.find("#opened[data-name='dropped.csv'][data-rows='300']").await;
    let gone = "return [document.querySelector('#drop-here'), document.querySelector('#failure')]";
    turns_to(&page, gone, "no sign and no failure", |now| now[0].is_null()).await;
    // Of several files the first is opened.
    let several = "const data = new DataTransfer();\
        for (const name of ['first.csv', 'second.csv'])\
            data.items.add(new File([arguments[0]], name, { type: 'text/csv' }));\
        const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });\
        document.querySelector('.bar').dispatchEvent(event); return event.defaultPrevented";
    let taken = page.client.execute(several, vec![json!(hospital())]).await.unwrap();
    assert_eq!(taken, json!(true), "the browser would open the files itself");
    page.find("#opened[data-name='first.csv'][data-rows='300']").await;
    // Text that is dragged is no file.
    let text = "const data = new DataTransfer(); data.setData('text/plain', 'age');\
        const event = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true });\
        document.body.dispatchEvent(event); return event.defaultPrevented";
    assert_eq!(page.client.execute(text, vec![]).await.unwrap(), json!(false));
    page.close().await;
}
