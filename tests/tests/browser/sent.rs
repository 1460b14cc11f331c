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

/// The strip, once it says that so many jobs were sent: "1 job", "2 jobs".
async fn went_out(page: &Page, jobs: &'static str) -> String {
    let said = |now: &Value| now.as_str().is_some_and(|now| now.starts_with(&format!("{jobs} sent to ")));
    turns_to(page, STRIP, "jobs sent to ...", said).await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_on_the_worker_is_in_the_strip_the_result_and_the_files() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "3", "1").await;
    becomes(&page, STRIP, json!("0 requests; a worker is available")).await;
    page.anonymize().await;
    let here = page.text("#searched").await;
    assert_eq!(here, "The groups were computed in this page: nothing was sent for this result.");
    assert_eq!(page.report().await["searched"], "here");
    becomes(&page, STRIP, json!("0 requests; a worker is available")).await;

    page.click("#anonymize-remote").await;
    let strip = went_out(&page, "1 job").await;
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
    let (host, time) = (origin.trim_start_matches("http://"), format!("{} UTC", &at[11..16]));
    assert!(strip.contains(host) && strip.contains(&time) && strip.contains(" kB"), "{strip}");
    // What is counted names the address, the moment and each request.
    page.click("#strip-counted summary").await;
    let counted = page.text("#strip-counted").await;
    assert!(counted.contains(&format!("to {origin}, {at}")), "{counted}");
    assert!(counted.contains(&format!("{origin}/v1/jobs")) && counted.contains("WebRTC"), "{counted}");
    page.click("#strip-counted summary").await;
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

    // A run in the page is one in the page; that something was sent before stays so, in the files, too.
    page.anonymize().await;
    assert_eq!(page.text("#searched").await, here);
    becomes(&page, STRIP, json!(strip)).await;
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    assert!(statement.contains("for this result nothing was sent to another machine"), "{statement}");
    assert!(
        statement.contains("Sent before") && statement.contains(&format!("sent to {origin} on")),
        "{statement}"
    );
    let private: Value = serde_json::from_slice(&page.download("#download-private").await)
        .expect("the private record is JSON");
    assert_eq!((&private["sent"], &private["sent_before"]), (&Value::Null, &json!([sent])));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_given_up_was_sent_all_the_same() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(3000, 7));
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "1", "100000").await;
    page.click("#anonymize-remote").await;
    let first = went_out(&page, "1 job").await;
    page.click("#stop").await;
    let verdict = "return document.querySelector('#strip-verdict').innerText";
    becomes(&page, verdict, json!("No table yet")).await;
    page.click("#anonymize-remote").await;
    let second = went_out(&page, "2 jobs").await;
    page.click("#stop").await;
    becomes(&page, STRIP, json!(second)).await;
    assert!(!first.contains("in all") && second.contains(" in all, the last at "), "{first}; {second}");
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
    assert!(strip.starts_with("1 Auftrag gesendet an "), "{strip}");
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    let english: Vec<&str> = statement.split("<span lang=\"en\">").skip(1).collect();
    assert!(english.is_empty() && statement.contains("auf einem Worker: Zahlen ohne Namen"), "{english:?}");
    page.close().await;
}
