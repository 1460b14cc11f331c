//! What the page hands out is what the command line verifies: its manifest, its files, its statement.

use lookalike_tests::program::Folder;
use serde_json::Value;

use crate::{hospital, page::Page, set_up};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_manifest_of_the_page_is_verified_by_the_command_line() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "3", "1").await;
    page.anonymize().await;
    page.verdict().await;
    for (link, name) in [
        ("#download-table", "in-anonymized.csv"),
        ("#download-report", "in-report.json"),
        ("#download-private", "private-in-record.json"),
        ("#download-classes", "private-in-classes.csv"),
        ("#download-manifest", "private-in-manifest.json"),
        ("#download-statement-json", "private-in-statement.json"),
        ("#download-statement", "statement.html"),
    ] {
        folder.write(name, page.download(link).await);
    }
    let run = folder.run(&["verify", "private-in-manifest.json", "--source", "in.csv", "--json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    let of = |worth: &str| -> Vec<String> {
        let all = found["findings"].as_array().unwrap().iter();
        all.filter(|finding| finding["worth"] == worth)
            .map(|finding| finding["finding"]["id"].as_str().unwrap().replace("worker.Finding.", ""))
            .collect()
    };
    assert_eq!(of("proven"), ["Own", "Own", "Own", "Own", "Own", "Code", "Report", "Source", "Audited"]);
    assert!(of("false").is_empty());
    // The paper and the manifest have one code.
    let code = folder.json("private-in-manifest.json")["code"].as_str().unwrap().to_owned();
    assert!(folder.text("statement.html").contains(&code), "{code}");
    // Another table under the same name is found out.
    folder.write("in-anonymized.csv", folder.text("in-anonymized.csv").replacen('F', "M", 1));
    let run = folder.run(&["verify", "private-in-manifest.json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
}
