//! Above which probability a row is at risk, as the user says it: it is named with its source, and belongs to the settings of a
//! result. Whether a column is the secret one is asked as everything that is open is.

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{
    hospital,
    page::{Page, becomes},
    set_up, text,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_threshold_of_risk_is_set_and_named_with_its_source() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "1", "0").await;
    page.anonymize().await;
    let usual = page.text("#risks").await;
    assert!(usual.contains("0.2: groups of fewer than 5") && usual.contains("El Emam"), "{usual}");
    // Another one makes the result one of earlier settings, and the rows as they are are counted anew at once.
    page.choose("#threshold", "of-clinical-reports").await;
    assert!(page.text("#threshold-source").await.contains("European Medicines Agency"));
    assert!(page.text("#verdict").await.contains("Of earlier settings:"));
    page.anonymize().await;
    let named = page.text("#risks").await;
    assert!(named.contains("0.09") && named.contains("policy 0070"), "{named}");
    let report = page.report().await;
    assert_eq!(report["risk"]["threshold"], json!(0.09));
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    assert!(statement.contains("0.09") && statement.contains("European Medicines Agency"), "{statement}");
    // A number of the user's own is a probability, and nobody else goes by it.
    page.choose("#threshold", "own").await;
    page.fill("#own-threshold", "2").await;
    page.find("#own-threshold-wrong").await;
    page.fill("#own-threshold", "0.34").await;
    becomes(&page, "return document.querySelector('#own-threshold-wrong')", json!(null)).await;
    assert!(page.text("#threshold-source").await.contains("chosen by the data holder"));
    page.anonymize().await;
    let report = page.report().await;
    // Groups of three and more are found with a probability of a third at most.
    assert_eq!(
        (&report["risk"]["threshold"], &report["risk"]["prosecutor"]["at_risk"]),
        (&json!(0.34), &json!(0))
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whether_a_column_is_secret_is_asked() {
    let folder = Folder::new();
    folder.write("hospital.csv", include_str!("../../../samples/hospital.csv"));
    let page = Page::open(&[]).await;
    page.upload(&folder.file("hospital.csv")).await;
    assert!(page.text("#asks-secret").await.contains("Is diagnosis secret?"));
    let asked = "return document.querySelector('#asks-secret')";
    page.click("#answer-secret-none").await;
    becomes(&page, asked, json!(null)).await;
    assert_eq!(page.attribute("[data-column='diagnosis']", "data-role").await, "drop");
    // Without a secret column, what is left is to hide each person among k: no question stands there that nobody can answer.
    let chosen = "return document.querySelector('#model').value";
    becomes(&page, chosen, json!("k-anonymity")).await;
    page.click("#undo").await;
    page.click("[data-secret='diagnosis']").await;
    page.find("[data-column='diagnosis'][data-role='sensitive']").await;
    becomes(&page, asked, json!(null)).await;
    // What is suggested as a whole answers it, too.
    page.click("#undo").await;
    page.find("#asks-secret").await;
    page.click("#accept").await;
    page.find("[data-column='diagnosis'][data-role='sensitive']").await;
    becomes(&page, asked, json!(null)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bar_has_the_name_of_the_file_and_no_further_line() {
    let folder = Folder::new();
    let name = "admissions-of-all-wards-and-clinics-from-2020-to-2026.csv";
    folder.write(name, include_str!("../../../samples/hospital.csv"));
    folder.write("a.csv", include_str!("../../../samples/hospital.csv"));
    for width in [1280, 360] {
        let page = Page::open_as(&[], width, false).await;
        page.upload(&folder.file("a.csv")).await;
        let height = "return document.querySelector('.bar').offsetHeight";
        let short = page.client.execute(height, vec![]).await.unwrap();
        page.upload(&folder.file(name)).await;
        page.find(&format!("#bar-file[title='{name}']")).await;
        assert_eq!(page.client.execute(height, vec![]).await.unwrap(), short, "{width}");
        let without = "const name = document.querySelector('#bar-file'), bar = document.querySelector('.bar'); \
            name.remove(); return bar.offsetHeight";
        assert_eq!(page.client.execute(without, vec![]).await.unwrap(), short, "{width}");
        page.close().await;
    }
}
