//! The workbench: from a file to a signed statement in few clicks, in every language; what is suggested is accepted as a whole; a
//! number that is not possible is an offer; nothing is replaced without being asked; keys.

use lookalike_tests::{data, program::Folder};
use serde_json::json;

use crate::{
    hospital,
    keyboard::press,
    page::{Page, becomes, turns_to},
    set_up, text,
};

/// A page whose clicks are counted.
struct Counted<'a> {
    page: &'a Page,
    clicks: usize,
}

impl Counted<'_> {
    async fn click(&mut self, css: &str) {
        self.page.press(css).await;
        self.clicks += 1;
    }

    /// A menu takes two clicks.
    async fn choose(&mut self, css: &str, value: &str) {
        self.page.find(css).await.select_by_value(value).await.unwrap();
        self.clicks += 2;
    }

    async fn save(&mut self, css: &str) -> Vec<u8> {
        let name = self.page.attribute(css, "download").await;
        self.click(css).await;
        self.page.arrived(&name).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hospital_s_table_takes_few_clicks_in_every_language() {
    let folder = Folder::new();
    folder.write("hospital.csv", include_str!("../../../samples/hospital.csv"));
    for language in ["en-US", "de", "es"] {
        let page = Page::open_in(&[], language).await;
        page.upload(&folder.file("hospital.csv")).await;
        let mut walk = Counted { page: &page, clicks: 0 };
        walk.click("#accept").await;
        page.find("[data-column='diagnosis'][data-role='sensitive']").await;
        walk.click("#answer-missing-quasi-drop").await;
        walk.click("#numbers [data-number='4']").await;
        page.find("#questions[data-open='0']").await;
        walk.click("#anonymize").await;
        walk.click("#stop").await;
        page.verdict().await;
        let verdict = page.text("#verdict").await;
        assert!(verdict.contains('4'), "{verdict}");
        let table = walk.save("#download-table").await;
        assert!(text(&table).starts_with("sex,age,postcode,diagnosis,class"), "{}", &text(&table)[..60]);
        let statement = walk.save("#download-statement").await;
        assert!(text(&statement).contains("hospital.csv"));
        assert!(walk.clicks <= 12, "{} clicks", walk.clicks);
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adult_takes_few_clicks() {
    let Some(adult) = data::file("adult-train.csv") else { return };
    let page = Page::open(&[]).await;
    page.upload(&adult.display().to_string()).await;
    let mut walk = Counted { page: &page, clicks: 0 };
    // Three columns may be the secret one: which is asked, and not guessed.
    walk.click("#accept").await;
    page.find("[data-column='age'][data-role='quasi']").await;
    assert_eq!(page.attribute("[data-column='income']", "data-role").await, "drop");
    walk.click("[data-secret='income']").await;
    walk.choose("#model", "k-anonymity").await;
    walk.click("#answer-missing-quasi-value").await;
    page.find("#questions[data-open='0']").await;
    walk.click("#anonymize").await;
    page.find("#incumbent").await;
    walk.click("#stop").await;
    page.verdict().await;
    let verdict = page.text("#verdict").await;
    assert!(verdict.contains("at least 5") && verdict.contains("income"), "{verdict}");
    walk.save("#download-table").await;
    walk.save("#download-statement").await;
    assert!(walk.clicks <= 15, "{} clicks", walk.clicks);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_that_is_not_possible_is_an_offer() {
    let folder = Folder::new();
    folder.write("hospital.csv", include_str!("../../../samples/hospital.csv"));
    let page = Page::open(&[]).await;
    page.upload(&folder.file("hospital.csv")).await;
    page.click("#accept").await;
    page.click("#answer-missing-quasi-drop").await;
    page.fill("#m", "7").await;
    page.find("#offers").await;
    // As long as nothing was chosen there is no table, and nothing is said of guesses.
    assert_eq!(page.text("#guess").await, "");
    let offers = page.text("#offers").await;
    assert!(offers.contains("Hide among 5 instead") && offers.contains("made-up"), "{offers}");
    // What every number costs is one click away.
    page.click("#offers-survey").await;
    page.find("#expert #survey-table").await;
    page.click("#expert-open").await;
    let strip = page.text("#strip-guarantee").await;
    assert!(strip.starts_with("Asked: hidden among 7 people"), "there is no such table: {strip}");
    // All three are in view above the button, and the number that was asked for is among those to choose.
    let hidden = "const end = document.querySelector('.act').getBoundingClientRect().top; \
        return [...document.querySelectorAll('#offers .card')].filter((button) => button.getBoundingClientRect().bottom > end).length";
    becomes(&page, hidden, json!(0)).await;
    let asked = "return document.querySelector('#numbers [aria-pressed=true]')?.textContent";
    becomes(&page, asked, json!("7needs a change")).await;
    page.click("#offer-add").await;
    becomes(&page, "return document.querySelector('#offers')", json!(null)).await;
    assert!(
        page.text("#guess").await.contains("how often each value was changed"),
        "{}",
        page.text("#guess").await
    );
    page.click("#undo").await;
    page.click("#offer-number").await;
    becomes(&page, "return document.querySelector('#m').value", json!("5")).await;
    assert!(page.text("#guess").await.contains("1 in 5"));
    page.click("#undo").await;
    // The price of an offer is what the run does: rows that it leaves out for missing cells are no part of it.
    let number = |text: &str, before: &str, after: &str| -> Option<u64> {
        let (_, rest) = text.split_once(before)?;
        rest.split_once(after)?.0.trim().replace(',', "").parse().ok()
    };
    let added = number(&page.text("#offer-add").await, "Add ", " made-up").unwrap();
    let left_out = number(&page.text("#offers").await, "Leave out ", " rows").unwrap();
    page.click("#offer-add").await;
    page.fill("#effort", "0.2").await;
    page.anonymize().await;
    assert_eq!(page.report().await["changes"]["counterfeits"], added);
    page.choose("#eligibility", "delete").await;
    page.anonymize().await;
    assert_eq!(page.report().await["changes"]["deletions"], left_out);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_table_is_asked_about_and_can_be_undone() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.write("other.csv", "height,weight\n180,80\n170,70\n");
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "1", "0").await;
    page.anonymize().await;
    let input = page.find("#file-input").await;
    input.send_keys(&folder.file("other.csv")).await.unwrap();
    page.find("#asks").await;
    becomes(&page, "return document.activeElement.id", json!("asks-stay")).await;
    // Esc stays, and the result is there.
    press(&page, "\u{e00c}").await;
    becomes(&page, "return document.querySelector('#asks')", json!(null)).await;
    page.verdict().await;
    page.find("#file-input").await.send_keys(&folder.file("other.csv")).await.unwrap();
    page.find("#asks").await;
    page.click("#asks-discard").await;
    page.find("#opened[data-name='other.csv']").await;
    // The table before comes back, with what was said of it.
    page.click("#undo").await;
    page.find("#opened[data-name='in.csv']").await;
    page.find("[data-column='age'][data-role='quasi']").await;
    becomes(&page, "return document.querySelector('#m').value", json!("3")).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_set_roles_and_lead_through_the_page() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    let focus = "document.querySelector('[data-column=sex] select').focus()";
    page.client.execute(focus, vec![]).await.unwrap();
    press(&page, "1").await;
    page.find("[data-column='sex'][data-role='quasi']").await;
    press(&page, "2").await;
    page.find("[data-column='sex'][data-role='sensitive']").await;
    press(&page, "4").await;
    page.find("[data-column='sex'][data-role='drop']").await;
    // The focus is where it was: rows do not jump.
    let focused = "return document.activeElement.closest('tr')?.dataset.column";
    becomes(&page, focused, json!("sex")).await;
    // F6 goes from pane to pane.
    press(&page, "\u{e036}").await;
    becomes(&page, "return document.activeElement.id", json!("open")).await;
    press(&page, "\u{e036}").await;
    becomes(&page, "return document.activeElement.id", json!("protect")).await;
    // A sheet takes the focus, and Esc gives it back.
    page.click("[data-column='age'] .name").await;
    becomes(&page, "return document.activeElement.id", json!("column-sheet")).await;
    press(&page, "\u{e00c}").await;
    turns_to(&page, "return document.activeElement.className", "the name of the column", |now| {
        now.as_str().is_some_and(|class| class.contains("name"))
    })
    .await;
    becomes(&page, "return document.querySelector('#column-sheet')", json!(null)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_open_table_says_who_is_alone() {
    let folder = Folder::new();
    folder.write("in.csv", "age,sex,flu\n30,F,yes\n30,F,no\n41,M,yes\n52,M,no\n30,F,no\n");
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    page.role("age", "quasi").await;
    page.role("sex", "quasi").await;
    let alike =
        "return [...document.querySelectorAll('#browse tbody tr')].map((row) => row.dataset.alike).join()";
    becomes(&page, alike, json!("3,3,1,1,3")).await;
    page.choose("#browse-only", "alone").await;
    becomes(&page, alike, json!("1,1")).await;
    let numbers =
        "return [...document.querySelectorAll('#browse tbody th')].map((cell) => cell.textContent).join()";
    becomes(&page, numbers, json!("3,4")).await;
    assert!(page.text("#raw-risk").await.contains("2 of 5 rows"));
    page.close().await;
}
