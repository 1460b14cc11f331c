//! The whole way without a mouse, in a window as wide as one of 1280 pixels is at 200 % zoom.

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use serde_json::json;

use crate::{
    access::{TOO_WIDE, look},
    page::Page,
};

/// The keys, as `WebDriver` has them.
const TAB: &str = "\u{e004}";
pub(crate) const ENTER: &str = "\u{e007}";
pub(crate) const DOWN: &str = "\u{e015}";
pub(crate) const HOME: &str = "\u{e011}";
pub(crate) const END: &str = "\u{e010}";

/// Presses the key of tabulators until this has the focus, which must be seen.
pub(crate) async fn tab_to(page: &Page, css: &str) {
    page.find(css).await;
    let there = format!("return document.activeElement.matches(\"{css}\")");
    for _ in 0..200 {
        if page.client.execute(&there, vec![]).await.unwrap() == json!(true) {
            let outline = "return getComputedStyle(document.activeElement).outlineStyle !== 'none'";
            assert_eq!(
                page.client.execute(outline, vec![]).await.unwrap(),
                json!(true),
                "{css} shows no focus"
            );
            return;
        }
        press(page, TAB).await;
    }
    panic!("{css} cannot be reached by the keyboard");
}

/// Goes to the row of a column: the columns are one stop, in which arrows move.
pub(crate) async fn row_of(page: &Page, column: &str) {
    let within = "return document.activeElement.closest('.columns') !== null";
    if page.client.execute(within, vec![]).await.unwrap() != json!(true) {
        tab_to(page, ".columns .name").await;
    }
    press(page, HOME).await;
    let there = "return document.activeElement.closest('tr').dataset.column";
    for _ in 0..400 {
        if page.client.execute(there, vec![]).await.unwrap() == json!(column) {
            return;
        }
        press(page, DOWN).await;
    }
    panic!("no arrow leads to {column}");
}

/// Presses keys as a keyboard does: what has the focus decides what comes of it.
pub(crate) async fn press(page: &Page, keys: &str) {
    let strokes = keys.chars().fold(KeyActions::new(String::from("keyboard")), |all, value| {
        all.then(KeyAction::Down { value }).then(KeyAction::Up { value })
    });
    page.client.perform_actions(strokes).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_whole_way_by_keyboard_at_200_per_cent() {
    let page = Page::open_as(&[], 640, false).await;
    tab_to(&page, "#sample-hospital").await;
    press(&page, ENTER).await;
    page.find("#opened[data-rows='1000']").await;
    // A digit sets the role of the column that has the focus.
    for (column, letter, role) in [
        ("sex", "1", "quasi"),
        ("age", "1", "quasi"),
        ("postcode", "1", "quasi"),
        ("diagnosis", "2", "sensitive"),
    ] {
        row_of(&page, column).await;
        press(&page, letter).await;
        page.find(&format!("[data-column='{column}'][data-role='{role}']")).await;
    }
    tab_to(&page, "#m").await;
    // A backspace, and a number.
    press(&page, "\u{e003}4").await;
    let m = page.client.execute("return document.getElementById('m').value", vec![]).await.unwrap();
    assert_eq!(m, json!("4"));
    tab_to(&page, "#answer-missing-quasi-value").await;
    press(&page, ENTER).await;
    look(&page, "form at 200 %").await;
    tab_to(&page, "#anonymize").await;
    press(&page, ENTER).await;
    page.verdict().await;
    look(&page, "result at 200 %").await;
    assert_eq!(page.client.execute(TOO_WIDE, vec![]).await.unwrap(), json!([]));
    // Rows before and after scroll by keyboard, too.
    tab_to(&page, "#beside").await;
    tab_to(&page, "#download-table").await;
    let name = page.attribute("#download-table", "download").await;
    press(&page, ENTER).await;
    let table = page.arrived(&name).await;
    assert!(table.starts_with(b"sex,age,postcode,") || table.starts_with(b"class"), "{:?}", &table[..40]);
    page.close().await;
}
