//! What was given up or replaced has no part in what is shown and published after it.

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    command_line, fill_in, hospital,
    page::{Page, becomes, turns_to},
    set_up, text,
};

/// Waits until the strip says so.
async fn strip_says(page: &Page, start: &'static str) {
    let script = "return document.querySelector('#strip-network').innerText";
    turns_to(page, script, start, |now| now.as_str().is_some_and(|now| now.starts_with(start))).await;
}

/// The release on the screen is that of the folder's command line, with the seed that the form has.
async fn is_that_of(page: &Page, folder: &Folder, seed: u64) {
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    assert_eq!(text(&page.download("#download-classes").await), folder.text("classes.csv"));
    assert_eq!(page.report().await["objective"], folder.json("report.json")["objective"]);
    let private: Value = serde_json::from_slice(&page.download("#download-private").await).unwrap();
    assert_eq!(private["settings"]["seed"], json!(seed));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_worker_run_that_was_given_up_comes_what_was_asked_for_next() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "1", "100000").await;
    page.click("#anonymize-remote").await;
    strip_says(&page, "1 job sent to ").await;
    page.click("#stop").await;
    let verdict = "return document.querySelector('#strip-verdict').innerText";
    becomes(&page, verdict, json!("No table yet")).await;
    strip_says(&page, "1 job sent to ").await;

    // At once with other settings: first in the page, then on the worker.
    page.fill("#seed", "5").await;
    page.fill("#effort", "5").await;
    page.anonymize().await;
    command_line(&folder, "3", "5", "5");
    is_that_of(&page, &folder, 5).await;
    let private: Value = serde_json::from_slice(&page.download("#download-private").await).unwrap();
    assert_eq!(private["sent"], Value::Null, "the release is not of the run that was sent");

    page.fill("#seed", "6").await;
    page.click("#anonymize-remote").await;
    let seed = "return document.querySelector('#searched')?.innerText ?? ''";
    let on_worker = |now: &Value| now.as_str().is_some_and(|now| now.contains("on the worker at"));
    turns_to(&page, seed, "searched on the worker", on_worker).await;
    command_line(&folder, "3", "6", "5");
    is_that_of(&page, &folder, 6).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_files_picked_at_once_the_last_is_the_table() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.write("other.csv", lookalike_core::demo::hospital(60_000, 8));
    let page = Page::open(&[]).await;
    let input = page.find("#file-input").await;
    // The first takes longer to read than the second.
    for file in ["other.csv", "in.csv"] {
        let path = std::fs::canonicalize(folder.file(file)).unwrap();
        input.send_keys(&path.display().to_string()).await.unwrap();
    }
    let opened = "return document.querySelector('#opened')?.innerText ?? ''";
    turns_to(&page, opened, "300 rows", |now| now.as_str().is_some_and(|now| now.contains("300 rows"))).await;
    fill_in(&page, "3", "5", "5").await;
    page.anonymize().await;
    command_line(&folder, "3", "5", "5");
    is_that_of(&page, &folder, 5).await;
    page.close().await;
}
