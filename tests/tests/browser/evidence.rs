//! What the page hands out is what the command line verifies: its manifest, its files, its statement.

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    hospital,
    page::{Page, becomes},
    set_up,
};

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
        ("#download-certificate", "private-in-certificate.json"),
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
    assert_eq!(
        of("proven"),
        ["Own", "Own", "Own", "Own", "Own", "Own", "Code", "Report", "Source", "Audited", "Values", "Bound"]
    );
    assert!(of("false").is_empty());
    // The paper and the manifest have one code.
    let code = folder.json("private-in-manifest.json")["code"].as_str().unwrap().to_owned();
    assert!(folder.text("statement.html").contains(&code), "{code}");
    // Another table under the same name is found out.
    folder.write("in-anonymized.csv", folder.text("in-anonymized.csv").replacen('F', "M", 1));
    let run = folder.run(&["verify", "private-in-manifest.json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
}

/// The certificate of the page is that of the command line, and the page finds out what of one is false.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_is_the_command_lines_and_is_checked_in_the_page() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let flags = "anonymize in.csv --quasi age,sex,nights --sensitive diagnosis --model m-invariance --m 4 --eligibility add \
                 --seed 3 --effort 1 -o out.csv --certificate certificate.json";
    let flags = flags.replace("--seed", "--loss ncp --seed");
    folder.succeed(&flags.split_whitespace().collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "3", "1").await;
    page.anonymize().await;
    page.verdict().await;
    let offered = page.download("#download-certificate").await;
    assert_eq!(String::from_utf8(offered.clone()).unwrap(), folder.text("certificate.json"));
    folder.write("offered.json", offered);
    let check = "check in.csv --quasi age,sex,nights --sensitive diagnosis --certificate offered.json";
    folder.succeed(&check.split(' ').collect::<Vec<_>>());

    page.reveal("#certificate-input").await;
    page.find("#certificate-input").await.send_keys(&folder.file("offered.json")).await.unwrap();
    page.find("#certificate-found[data-holds='true']").await;
    let told = page.text("#certificate-found").await;
    assert!(told.contains("of the 300 rows into classes of at least 4 records"), "{told}");
    page.shot("certificate").await;
    let mut altered = folder.json("offered.json");
    let duals = altered["duals"].as_array_mut().unwrap();
    for dual in duals {
        *dual = (1.5 * dual.as_f64().unwrap()).into();
    }
    folder.write("altered.json", altered.to_string());
    page.find("#certificate-input").await.send_keys(&folder.file("altered.json")).await.unwrap();
    page.find("#certificate-found[data-holds='false']").await;
    let told = page.text("#certificate-found").await;
    assert!(told.contains("not verified"), "{told}");
    page.close().await;
}

/// A check of a certificate can be stopped: another engine takes the place of the busy one, reads the table again, and is asked again.
/// The page itself presses the button as soon as it is there, since a check may be over before a driver has found it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_of_a_certificate_is_stopped_and_can_be_asked_again() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "3", "1").await;
    page.anonymize().await;
    page.verdict().await;
    folder.write("offered.json", page.download("#download-certificate").await);
    page.reveal("#certificate-input").await;
    let press = "window.pressed = 0;\
        const press = () => {\
            const stop = document.querySelector('#certificate-stop');\
            if (stop && !window.pressed) { window.pressed = 1; stop.click(); }\
        };\
        new MutationObserver(press).observe(document.body, { childList: true, subtree: true });";
    page.client.execute(press, vec![]).await.unwrap();
    page.find("#certificate-input").await.send_keys(&folder.file("offered.json")).await.unwrap();
    becomes(&page, "return window.pressed", json!(1)).await;
    becomes(&page, "return document.querySelector('#certificate-checking')", json!(null)).await;
    becomes(&page, "return document.querySelector('#certificate-found')", json!(null)).await;
    page.find("#opened[data-name='in.csv'][data-rows='300']").await;
    // The observer presses once only: now the check goes to its end.
    page.reveal("#certificate-input").await;
    page.find("#certificate-input:enabled").await.send_keys(&folder.file("offered.json")).await.unwrap();
    page.find("#certificate-found[data-holds='true']").await;
    page.close().await;
}
