//! What has to be decided first, and what stays of a decision: questions come before offers, a key that is missing is asked about, roles
//! that another table brought are named, and who declines something is where they were.

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    hospital,
    page::{Page, becomes},
    set_up,
};

/// Whether there is such an element.
async fn there(page: &Page, css: &str) -> bool {
    let script = "return document.querySelector(arguments[0]) !== null";
    page.client.execute(script, vec![json!(css)]).await.unwrap() == json!(true)
}

/// Lets a file drop on the page, on which the focus stays where it is.
async fn drop_file(page: &Page, name: &str, text: &str) {
    let drop = "const data = new DataTransfer();\
        data.items.add(new File([arguments[1]], arguments[0], { type: 'text/csv' }));\
        const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });\
        document.querySelector('.bar').dispatchEvent(event); return null";
    page.client.execute(drop, vec![json!(name), json!(text)]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_becomes_of_missing_values_is_asked_before_anything_is_offered() {
    // Ten of 24 known values are flu: two are possible, three are not. Four are missing.
    let values = ["flu", "flu", "flu", "flu", "flu", "flu", "flu", "flu", "flu", "flu", "", "", "", ""];
    let others = ["gout", "cold", "asthma", "eczema", "gout", "cold", "asthma", "eczema", "gout", "cold"];
    let values = values.iter().chain(&others).chain(&["asthma", "eczema", "gout", "cold"]);
    let rows = values.enumerate().map(|(at, value)| format!("{},{},{value}\n", 20 + at, at % 2));
    let folder = Folder::new();
    folder.write("in.csv", String::from("age,sex,diagnosis\n") + &rows.collect::<String>());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in [("age", "quasi"), ("sex", "quasi"), ("diagnosis", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#model", "m-invariance").await;
    page.fill("#m", "3").await;
    page.find("#asks-missing-sensitive").await;
    // Nothing is offered for a table that is not decided on: its figures could be of another one.
    let shown = "return [...document.querySelectorAll('#offers .card')].map(button => button.id)";
    becomes(&page, "return document.querySelectorAll('#offers').length", json!(0)).await;
    page.click("#answer-missing-sensitive-drop").await;
    becomes(&page, shown, json!(["offer-number", "offer-delete", "offer-add", "offer-without"])).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_without_a_key_are_said_before_a_run_and_count_as_rows() {
    // Each person has two rows, and of three rows nobody knows whose they are.
    let row = |at: usize| {
        let who = if at < 3 { String::new() } else { format!("P{:02}", at / 2) };
        format!("{who},{},{}\n", 20 + at / 2, if at.is_multiple_of(2) { "flu" } else { "gout" })
    };
    let folder = Folder::new();
    let head = String::from("patient_id,age,diagnosis\n");
    folder.write("in.csv", head + &(0..40).map(row).collect::<String>());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in [("age", "quasi"), ("diagnosis", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.choose("#rows-are", "of-persons").await;
    let wrong = page.text("#asks-rows-are").await;
    assert!(wrong.contains("patient_id") && wrong.contains("empty in 3 rows"), "{wrong}");
    // Without a key the rows of two people would pass for one person's.
    let told = page.text("#raw-risk").await;
    assert!(told.contains("40 rows") && !told.contains("people have a row"), "{told}");
    page.choose("#rows-are", "people").await;
    becomes(&page, "return document.querySelector('#asks-rows-are')", Value::Null).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_keeps_a_table_is_back_in_the_field_and_roles_that_another_brought_are_named() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "1", "1").await;
    assert!(!there(&page, "#taken-over").await, "these roles were given to this table");
    page.anonymize().await;
    // The result is not saved: another table is asked about, and declined.
    page.client.execute("document.querySelector('#m').focus()", vec![]).await.unwrap();
    drop_file(&page, "later.csv", &hospital()).await;
    becomes(&page, "return document.activeElement.id", json!("asks-stay")).await;
    page.click("#asks-stay").await;
    becomes(&page, "return [document.querySelector('#asks'), document.activeElement.id]", json!([null, "m"]))
        .await;
    page.find("#opened[data-name='in.csv']").await;
    // Accepted, it has the same columns, so that what was said of them is taken over, which is said.
    drop_file(&page, "later.csv", &hospital()).await;
    page.click("#asks-discard").await;
    page.find("#opened[data-name='later.csv']").await;
    page.find("[data-column='diagnosis'][data-role='sensitive']").await;
    let told = page.text("#taken-over").await;
    assert!(told.contains("columns"), "{told}");
    page.close().await;
}
