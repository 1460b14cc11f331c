//! What leaves the page for a worker stays said: in the strip, beside the result, and in the files of the run.

use std::process::Command;

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    hospital,
    page::{Page, becomes, turns_to},
    set_up, text,
};

const STRIP: &str = "return document.querySelector('#strip-network').innerText";

/// SHA-256 of bytes, by another program.
fn sha256(folder: &Folder, bytes: &[u8]) -> String {
    folder.write("bytes", bytes);
    let run = Command::new("sha256sum").arg(folder.file("bytes")).output().unwrap();
    String::from_utf8(run.stdout).unwrap().split_whitespace().next().unwrap().to_owned()
}

/// The strip, once it says that numbers went out.
async fn went_out(page: &Page) -> String {
    let said = |now: &Value| now.as_str().is_some_and(|now| now.starts_with("numbers went out to http"));
    turns_to(page, STRIP, "numbers went out ...", said).await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_on_the_worker_is_in_the_strip_the_result_and_the_files() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "3", "1").await;
    becomes(&page, STRIP, json!("nothing leaves this page; worker offered: this server")).await;
    page.anonymize().await;
    let here = page.text("#searched").await;
    assert_eq!(here, "The groups were computed in this page: nothing was sent for this result.");
    assert_eq!(page.report().await["searched"], "here");
    becomes(&page, STRIP, json!("nothing leaves this page; worker offered: this server")).await;

    page.click("#anonymize-remote").await;
    let strip = went_out(&page).await;
    page.verdict().await;
    let origin = page.client.execute("return location.origin", vec![]).await.unwrap();
    let origin = origin.as_str().unwrap();
    let private: Value = serde_json::from_slice(&page.download("#download-private").await)
        .expect("the private record is JSON");
    let sent = &private["sent"];
    assert_eq!((&sent["to"], &sent["messages"]), (&json!(origin), &json!(1)));
    let bytes = sent["bytes"].as_u64().unwrap();
    assert!(bytes > 1000, "{sent}");
    let at = sent["at"].as_str().unwrap().replace('T', " ").replace('Z', " UTC");
    assert!(strip.contains(origin) && strip.contains(&at) && strip.contains(" kB"), "{strip}");
    let told = page.text("#searched").await;
    assert!(told.contains(&format!("on the worker at {origin}: ")) && told.contains(&at), "{told}");
    // The public file says that a worker was asked, and not which.
    let report = page.download("#download-report").await;
    assert!(text(&report).contains("\"searched\": \"worker\"") && !text(&report).contains(origin));
    let table = page.download("#download-table").await;
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    assert!(statement.contains(&format!("were sent to {origin} on")), "{statement}");
    for (name, bytes) in [("in-anonymized.csv", &table), ("in-report.json", &report)] {
        let digest = sha256(&folder, bytes);
        assert!(
            statement.contains(&digest) && statement.contains(&format!("<td>{name}</td>")),
            "{name}: {statement}"
        );
    }
    page.shot("sent-result").await;

    // A run in the page is one in the page; that something was sent before stays so.
    page.anonymize().await;
    assert_eq!(page.text("#searched").await, here);
    becomes(&page, STRIP, json!(strip)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_given_up_was_sent_all_the_same() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(3000, 7));
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "1", "100000").await;
    page.click("#anonymize-remote").await;
    let with = |now: &Value| now.as_str().is_some_and(|now| now.starts_with("numbers are with http"));
    turns_to(&page, STRIP, "numbers are with ...", with).await;
    page.click("#stop").await;
    let first = went_out(&page).await;
    page.click("#anonymize-remote").await;
    turns_to(&page, STRIP, "numbers are with ...", with).await;
    page.click("#stop").await;
    let second = went_out(&page).await;
    assert!(!first.contains("times") && second.contains(" 2 times: "), "{first}; {second}");
    page.close().await;
}

/// The statement of a run on the worker is in the language of the page, and so is what the screen says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_transfer_is_said_in_german() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open_in(&[], "de").await;
    page.find("html[lang='de']").await;
    set_up(&page, &folder, "6", "3", "0.5").await;
    page.click("#anonymize-remote").await;
    page.verdict().await;
    let told = page.text("#searched").await;
    assert!(told.starts_with("Die Gruppen wurden auf dem Worker unter http://"), "{told}");
    let strip = page.text("#strip-network").await;
    assert!(strip.starts_with("Zahlen gingen hinaus an http://"), "{strip}");
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    let english: Vec<&str> = statement.split("<span lang=\"en\">").skip(1).collect();
    assert!(english.is_empty() && statement.contains("auf einem Worker: Zahlen ohne Namen"), "{english:?}");
    page.close().await;
}
