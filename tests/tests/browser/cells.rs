//! What is put in place of cells: zeros that were lost, labels of codes. Said in the page, proposed by it, loaded into it; published
//! as by the command line.

use lookalike_tests::{program::Folder, tables::coded_patients};
use serde_json::json;

use crate::{
    forms::more,
    page::{Page, becomes, turns_to},
    text,
};

const LABELS: &str = "1:male,2:female,9:?";
const RUN: &str = "anonymize in.csv --quasi zip,sex,age --sensitive disease --pad zip=5 --labels sex=1:male,2:female,9:? \
     --missing-quasi value --model k-anonymity --k 5 --effort 0.5 --seed 1 --loss ncp -o out.csv --save-config config.json";

/// The first cells of a column as the table shows them, behind the number of the row and how many are like it.
const ZIPS: &str = "return [...document.querySelectorAll('#browse tbody tr')].slice(0, 6).map(row => row.cells[2].textContent).join()";
const SEXES: &str = "return [...document.querySelectorAll('#browse tbody tr')].slice(0, 6).map(row => row.cells[3].textContent).join()";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", coded_patients(200));
    folder.succeed(&RUN.split_whitespace().collect::<Vec<_>>());
    folder
}

async fn opened(folder: &Folder) -> Page {
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    page
}

async fn roles(page: &Page) {
    for (column, role) in [("zip", "quasi"), ("sex", "quasi"), ("age", "quasi"), ("disease", "sensitive")] {
        page.role(column, role).await;
    }
}

async fn settle(page: &Page) {
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.5").await;
    page.choose("#missing-quasi", "value").await;
}

/// The text of a column's sheet, once it says this, or no longer does.
async fn says(page: &Page, column: &str, what: &str, is_said: bool) -> String {
    more(page, column).await;
    let script = format!("return document.querySelector(\"[data-detail='{column}']\").innerText");
    let wanted = format!("{what:?}: {is_said}");
    let now = turns_to(page, &script, &wanted, |now| now.as_str().unwrap().contains(what) == is_said).await;
    now.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_width_or_label_that_cannot_be_is_said_where_it_is_typed() {
    let folder = folder();
    let page = opened(&folder).await;
    roles(&page).await;
    becomes(&page, SEXES, json!("1,9,2,1,9,2")).await;
    more(&page, "zip").await;
    // What cannot be is said where it is typed, in the words of the flag.
    page.fill("#column-width", "five").await;
    let why = page.text("#column-wrong").await;
    assert!(
        why.contains("the width of \"zip\" is \"five\"; widths are numbers of digits such as 5"),
        "{why}"
    );
    page.fill("#column-width", "4").await;
    page.find("#column-wrong").await;
    let wrong = "return document.getElementById('column-wrong')?.innerText ?? ''";
    turns_to(&page, wrong, "a cell that is too long", |now| now.as_str().unwrap().contains("has 5 digits"))
        .await;
    page.fill("#column-width", "5").await;
    becomes(&page, ZIPS, json!("01067,10126,01081,10148,01095,10170")).await;
    becomes(&page, wrong, json!("")).await;
    more(&page, "sex").await;
    page.fill("#column-labels", "1:male,2").await;
    let why = page.text("#column-wrong").await;
    assert!(why.contains("the code \"2\" has no label: write \"2\":label"), "{why}");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn widths_and_labels_that_were_corrected_give_what_the_command_line_gives() {
    let folder = folder();
    let page = opened(&folder).await;
    roles(&page).await;
    more(&page, "zip").await;
    page.fill("#column-width", "4").await;
    let wrong = "return document.getElementById('column-wrong')?.innerText ?? ''";
    turns_to(&page, wrong, "a cell that is too long", |now| now.as_str().unwrap().contains("has 5 digits"))
        .await;
    page.fill("#column-width", "5").await;
    becomes(&page, ZIPS, json!("01067,10126,01081,10148,01095,10170")).await;
    more(&page, "sex").await;
    page.fill("#column-labels", "1:male,2").await;
    turns_to(&page, wrong, "a code without a label", |now| now.as_str().unwrap().contains("has no label"))
        .await;
    page.fill("#column-labels", LABELS).await;
    becomes(&page, SEXES, json!("male,?,female,male,?,female")).await;
    becomes(&page, wrong, json!("")).await;
    let notes = page.text("#cell-notes").await;
    assert!(
        notes.contains("\"zip\" filled up on the left with zeros to 5 digits, as asked (100 cells)"),
        "{notes}"
    );
    assert!(notes.contains("\"sex\": labels in place of codes, as declared (200 cells)"), "{notes}");
    // Nothing else is said of its kind: codes with a width are a category, and 9 counts as missing.
    assert_eq!(page.attribute("[data-detail='sex'] .numbers", "data-missing").await, "67");
    more(&page, "zip").await;
    assert!(page.text("#column-kind option:checked").await.contains("category"));
    more(&page, "sex").await;
    settle(&page).await;
    page.shot("cells-said").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    assert!(folder.text("out.csv").contains("male") && folder.text("out.csv").contains("010"));
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));

    more(&page, "sex").await;
    // Emptied, by whatever reports a change and no input, the cells stand as they do in the file.
    page.fill("#column-labels", "").await;
    let notes = "return document.getElementById('cell-notes')?.innerText.includes('labels in place of codes') ?? false";
    becomes(&page, notes, json!(false)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_brings_widths_and_labels() {
    let folder = folder();
    let page = opened(&folder).await;
    page.click("#more-configuration > summary").await;
    page.find("#config-input").await.send_keys(&folder.file("config.json")).await.unwrap();
    page.find("#configured[data-loaded='true']").await;
    becomes(&page, SEXES, json!("male,?,female,male,?,female")).await;
    becomes(&page, ZIPS, json!("01067,10126,01081,10148,01095,10170")).await;
    more(&page, "sex").await;
    assert_eq!(page.find("#column-labels").await.prop("value").await.unwrap().unwrap(), LABELS);
    page.fill("#seed", "1").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));
    page.close().await;
}

/// The page proposes what `describe` does, and its buttons fill in the fields.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_proposed_can_be_taken() {
    let folder = folder();
    let page = opened(&folder).await;
    roles(&page).await;
    let zip = says(&page, "zip", "Perhaps category", true).await;
    assert!(zip.contains("100 of 200 values") && zip.contains("Fill up to 5 digits"), "{zip}");
    let sex = says(&page, "sex", "Perhaps “not known”", true).await;
    assert!(sex.contains("'9' stands in 67 cells") && sex.contains("Count 9 as missing"), "{sex}");
    assert!(sex.contains("Perhaps category") && sex.contains("Read it as a category"), "{sex}");
    page.shot("cells-proposed").await;

    more(&page, "zip").await;
    page.click("[data-detail='zip'] [data-proposal='reading'] button").await;
    says(&page, "zip", "Perhaps category", false).await;
    assert_eq!(page.find("#column-width").await.prop("value").await.unwrap().unwrap(), "5");
    becomes(&page, "return document.activeElement.id", json!("column-width")).await;
    becomes(&page, ZIPS, json!("01067,10126,01081,10148,01095,10170")).await;
    more(&page, "sex").await;
    page.click("[data-detail='sex'] [data-proposal='unknown'] button").await;
    says(&page, "sex", "Perhaps “not known”", false).await;
    assert_eq!(page.find("#column-labels").await.prop("value").await.unwrap().unwrap(), "9:?");
    becomes(&page, "return document.activeElement.id", json!("column-labels")).await;
    page.shot("cells-taken").await;
    // The codes that are left are no less codes.
    page.click("[data-detail='sex'] [data-proposal='reading'] button").await;
    says(&page, "sex", "Perhaps category", false).await;
    // One step back, and it is proposed again.
    page.click("#undo").await;
    says(&page, "sex", "Perhaps category", true).await;
    page.click("[data-detail='sex'] [data-proposal='reading'] button").await;
    says(&page, "sex", "Perhaps category", false).await;
    assert_eq!(page.attribute("#column-kind option:checked", "value").await, "category");
    settle(&page).await;
    page.anonymize().await;
    let by_hand = RUN.replace("sex=1:male,2:female,9:?", "sex=9:? --kind sex=category");
    folder.succeed(&by_hand.split_whitespace().collect::<Vec<_>>());
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    page.close().await;
}
