//! A table of 300 columns: those in view are in the document, and the keyboard goes through all of them.

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{
    keyboard::{DOWN, END, HOME, press, tab_to},
    page::{Page, becomes, turns_to},
};

fn wide() -> String {
    let mut text = (0..300).map(|column| format!("c{column}")).collect::<Vec<_>>().join(",");
    for row in 0..60_usize {
        text.push('\n');
        for column in 0..300_usize {
            if column > 0 {
                text.push(',');
            }
            write!(text, "{}", (row * 7 + column) % (2 + column % 9)).unwrap();
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_hundred_columns_go_by_keyboard() {
    let folder = Folder::new();
    folder.write("wide.csv", wide());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("wide.csv")).await;
    // Only some rows and some cells are there.
    let rows = "return document.querySelectorAll('[data-column]').length";
    turns_to(&page, rows, "some rows", |now| now.as_u64().is_some_and(|now| (20..=80).contains(&now))).await;
    page.find("#browse td").await;
    let cells = page
        .client
        .execute("return document.querySelectorAll('#browse tbody tr:first-child td').length", vec![])
        .await;
    assert!(cells.unwrap().as_u64().unwrap() < 60);
    tab_to(&page, "#column-0").await;
    let active = "return document.activeElement.closest('tr')?.dataset.column";
    press(&page, &DOWN.repeat(3)).await;
    becomes(&page, active, json!("c3")).await;
    press(&page, END).await;
    becomes(&page, active, json!("c299")).await;
    press(&page, "1").await;
    page.find("[data-column='c299'][data-role='quasi']").await;
    press(&page, HOME).await;
    becomes(&page, active, json!("c0")).await;
    // Also where the rows are still being drawn when they are scrolled.
    for key in ["2", "3", "2", "3", "1"] {
        for key in [END, key, HOME] {
            press(&page, key).await;
        }
        becomes(&page, active, json!("c0")).await;
    }
    // What is typed filters; down from the field, the columns begin that are left.
    press(&page, "c2").await;
    becomes(&page, "return document.activeElement.id", json!("column-filter")).await;
    press(&page, "99").await;
    becomes(&page, rows, json!(1)).await;
    press(&page, DOWN).await;
    becomes(&page, active, json!("c299")).await;
    // All that the filter leaves are changed together, and no others.
    page.fill("#column-filter", "c29").await;
    becomes(&page, rows, json!(11)).await;
    page.click("#several").await;
    page.click("#choose-all").await;
    page.find("#bulk[data-chosen='11']").await;
    page.choose("#bulk-role", "keep").await;
    page.click("#bulk-apply").await;
    becomes(&page, "return document.querySelectorAll('[data-role=keep]').length", json!(11)).await;
    page.fill("#column-filter", "c5").await;
    becomes(&page, "return document.querySelectorAll('[data-role=keep]').length", json!(0)).await;
    // Scrolled sideways, the table shows the columns that are there.
    page.client.execute("document.getElementById('browse').scrollLeft = 1e9", vec![]).await.unwrap();
    turns_to(
        &page,
        "return document.querySelector('#browse thead tr').innerText",
        "the last column",
        |now| now.as_str().is_some_and(|now| now.contains("c299")),
    )
    .await;
    // So does the table before and after: here of all columns but one, published as they are.
    page.fill("#column-filter", "c").await;
    page.click("#choose-all").await;
    page.find("#bulk[data-chosen='300']").await;
    page.choose("#bulk-role", "keep").await;
    page.click("#bulk-apply").await;
    page.role("c0", "quasi").await;
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "2").await;
    page.fill("#effort", "0").await;
    page.click("#expert-close").await;
    page.anonymize().await;
    page.verdict().await;
    let cells = "return document.querySelectorAll('#beside tbody tr:first-child td').length";
    turns_to(&page, cells, "some cells", |now| now.as_u64().is_some_and(|now| (20..60).contains(&now))).await;
    page.client.execute("document.getElementById('beside').scrollLeft = 1e9", vec![]).await.unwrap();
    let head = "return document.querySelector('#beside thead tr').innerText";
    turns_to(&page, head, "the last column", |now| now.as_str().is_some_and(|now| now.contains("c299")))
        .await;
    page.close().await;
}
