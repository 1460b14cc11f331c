//! Columns are looked at and changed together: histograms, several at once; how they go together before and after.

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{hospital, page::Page, set_up};

async fn roles(page: &Page) -> serde_json::Value {
    let script = "return [...document.querySelectorAll('[data-column]')].map((row) => row.dataset.role)";
    page.client.execute(script, vec![]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_columns_are_changed_in_one_step() {
    let folder = Folder::new();
    folder.write("in.csv", "age,sex,zip,illness\n31,F,1,flu\n45,M,2,gout\n52,M,1,flu\n38,F,2,gout\n");
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    assert_eq!(page.text("#bulk-apply").await, "");
    page.click("#several").await;
    page.click("#choose-all").await;
    page.find("#bulk[data-chosen='4']").await;
    page.click("[data-column='illness'] .chooser").await;
    page.find("#bulk[data-chosen='3']").await;
    page.choose("#bulk-role", "quasi").await;
    page.choose("#bulk-publish", "set").await;
    page.click("#bulk-apply").await;
    page.find("[data-column='zip'][data-role='quasi']").await;
    assert_eq!(roles(&page).await, json!(["quasi", "quasi", "quasi", "drop"]));
    page.click("[data-column='zip'] .name").await;
    assert_eq!(page.attribute("#column-publish option:checked", "value").await, "set");
    // One step, taken back and done again as one.
    page.click("#undo").await;
    page.find("[data-column='zip'][data-role='drop']").await;
    assert_eq!(roles(&page).await, json!(["drop", "drop", "drop", "drop"]));
    page.click("#redo").await;
    page.find("[data-column='zip'][data-role='quasi']").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_and_correlations_are_shown() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    let bars = page.attribute("[data-column='age'] .histogram", "data-bars").await;
    assert_eq!(bars, "12");
    let told = page.attribute("[data-column='sex'] .histogram", "aria-label").await;
    assert!(told.starts_with("sex: 2 bars; the tallest is"), "{told}");
    set_up(&page, &folder, "3", "5", "1").await;
    page.click("[data-column='age'] .name").await;
    page.click("[data-detail='age'] details > summary").await;
    // Each row of the file stands in one line.
    let sum = "return [...document.querySelectorAll('.histogram-table td.number')]\
               .reduce((sum, cell) => sum + Number(cell.textContent.replace(',', '')), 0)";
    assert_eq!(page.client.execute(sum, vec![]).await.unwrap(), json!(300));
    page.anonymize().await;
    // Two columns hold numbers: one pair.
    page.find("#correlations tbody tr").await;
    page.click("#more-metrics > summary").await;
    let finding = page.text("#correlation-finding").await;
    assert!(finding.contains("age") && finding.contains("nights"), "{finding}");
    page.close().await;
}
