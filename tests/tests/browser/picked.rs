//! Large files whose columns have types: which of them are read is chosen first, and hardly anything else of the file is.

use std::fmt::Write as _;

use lookalike_forms::{Target, write};
use lookalike_model::dialect::Dialect;
use lookalike_tests::program::{self, Folder};
use serde_json::json;

use crate::page::{Page, becomes, turns_to};

const COLUMNS: usize = 60;
const ROWS: usize = 20_000;

/// A Parquet file of as many columns as make a file large, of numbers that do not pack well.
fn wide() -> Vec<u8> {
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).collect();
    let mut text = names.join(",") + "\n";
    let mut draw = 1_u64;
    for _ in 0..ROWS {
        for column in 0..COLUMNS {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let end = if column + 1 == COLUMNS { '\n' } else { ',' };
            write!(text, "{}{end}", draw >> 20).unwrap();
        }
    }
    let dialect = lookalike_core::audit_dialect(Dialect::default());
    write(Target::Parquet, text.as_bytes(), dialect, &[]).unwrap().0
}

/// What the page says that it fetched of the file, in bytes.
async fn fetched(page: &Page) -> f64 {
    page.reveal(".of-columns").await;
    page.attribute(".of-columns", "data-fetched").await.parse().unwrap()
}

const OPEN: &str =
    "return [...document.querySelectorAll('[data-column]')].map((row) => row.dataset.column).sort()";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_large_file_the_columns_that_are_chosen_are_read_and_no_others() {
    let folder = Folder::new();
    let file = wide();
    folder.write("wide.parquet", &file);
    let run = "anonymize wide.parquet --quasi c3,c31,c59 --model k-anonymity --k 5 --effort 0.1 --seed 1 --loss ncp -o out.csv";
    folder.succeed(&run.split(' ').collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("wide.parquet")).await.unwrap();
    page.find("#pick-columns").await;
    // Nothing is read before columns are chosen, and nothing is chosen unasked.
    assert!(page.text("#pick-title").await.contains("wide.parquet"));
    assert!(page.text("[data-pick='c3']").await.contains("whole numbers"));
    assert!(page.text("#pick-chosen").await.starts_with("0 of 60"));
    assert_eq!(page.client.execute(OPEN, vec![]).await.unwrap(), json!([]));
    page.shot("picked-columns").await;
    // What the filter leaves is chosen together, or one by one.
    page.find("#pick-filter").await.send_keys("c3").await.unwrap();
    let listed = "return document.querySelectorAll('[data-pick]').length";
    becomes(&page, listed, json!(11)).await;
    page.click("#pick-all").await;
    let chosen = "return document.getElementById('pick-chosen').innerText";
    turns_to(&page, chosen, "11 chosen", |now| now.as_str().unwrap().starts_with("11 of 60")).await;
    page.click("#pick-none").await;
    page.click("[data-pick='c3'] input").await;
    page.click("[data-pick='c31'] input").await;
    page.find("#pick-filter").await.clear().await.unwrap();
    page.find("#pick-filter").await.send_keys("59").await.unwrap();
    becomes(&page, listed, json!(1)).await;
    page.click("[data-pick='c59'] input").await;
    turns_to(&page, chosen, "3 chosen", |now| now.as_str().unwrap().starts_with("3 of 60")).await;
    page.click("#pick-read").await;
    becomes(&page, OPEN, json!(["c3", "c31", "c59"])).await;
    let bytes = fetched(&page).await;
    assert!(bytes > 0.0 && bytes < 0.15 * file.len() as f64, "{bytes} of {}", file.len());
    let told = page.text("#open-notes").await;
    assert!(told.contains("60 columns, 3 of them read"), "{told}");
    // The cells are those that the command line reads.
    for column in ["c3", "c31", "c59"] {
        page.role(column, "quasi").await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.1").await;
    page.anonymize().await;
    assert!(page.download("#download-table").await == folder.read("out.csv"));
    assert!(page.sink.requests().is_empty());
    page.close().await;
}

/// Others are chosen later; and a choice that is given up leaves the open table as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_columns_are_chosen_later() {
    let folder = Folder::new();
    let file = wide();
    folder.write("wide.parquet", &file);
    folder.write("again.parquet", file);
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("wide.parquet")).await.unwrap();
    page.find("#pick-columns").await;
    page.click("#pick-cancel").await;
    becomes(&page, "return document.getElementById('pick-columns') === null", json!(true)).await;
    page.find("#file-input").await.send_keys(&folder.file("again.parquet")).await.unwrap();
    page.click("[data-pick='c0'] input").await;
    page.click("[data-pick='c1'] input").await;
    page.click("#pick-read").await;
    becomes(&page, OPEN, json!(["c0", "c1"])).await;
    page.reveal("#open-columns").await;
    page.click("#open-columns").await;
    page.find("#pick-columns").await;
    // Those that are open are chosen.
    let chosen = "return [...document.querySelectorAll('[data-pick]')].filter((item) => \
        item.querySelector('input').checked).map((item) => item.dataset.pick)";
    becomes(&page, chosen, json!(["c0", "c1"])).await;
    page.click("#pick-cancel").await;
    becomes(&page, "return document.getElementById('pick-columns') === null", json!(true)).await;
    assert_eq!(page.client.execute(OPEN, vec![]).await.unwrap(), json!(["c0", "c1"]));
    page.reveal("#open-columns").await;
    page.click("#open-columns").await;
    page.click("[data-pick='c1'] input").await;
    page.click("[data-pick='c2'] input").await;
    page.click("#pick-read").await;
    becomes(&page, OPEN, json!(["c0", "c2"])).await;
    page.close().await;
}

/// The column that an SPSS file weights its rows by is suggested as the sampling weight; nothing applies it but the user.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_weight_of_an_spss_file_is_suggested() {
    let folder = Folder::new();
    let mut file = std::fs::read(program::workspace().join("fuzz/seeds/forms/plain.sav")).unwrap();
    // The header names the piece of 8 bytes of a row that holds the weight, from 1 on: here the column `row`.
    file[76..80].copy_from_slice(&1_i32.to_le_bytes());
    folder.write("weighted.sav", &file);
    let page = Page::open(&[]).await;
    page.upload(&folder.file("weighted.sav")).await;
    let chip = "tr[data-column='row'] .chip";
    assert!(page.attribute(chip, "class").await.contains("suggested"));
    assert_eq!(page.attribute("tr[data-column='row']", "data-role").await, "drop");
    page.click("tr[data-column='row'] button.name").await;
    let told = page.text("#column-sheet .suggestion").await;
    assert!(told.contains("the file weights its rows by it") && told.contains("“Sampling weight”"), "{told}");
    page.click("#column-close").await;
    let notes = page.text("#open-notes").await;
    assert!(notes.contains("sampling weight") && notes.contains("row"), "{notes}");
    page.shot("picked-weight").await;
    page.close().await;
}
