//! A million rows before and after: higher than a browser lets an element be.

use std::fmt::Write as _;

use fantoccini::actions::{InputSource as _, WheelAction, WheelActions};
use lookalike_tests::program::Folder;
use serde_json::json;

use crate::page::{Page, becomes};

const ROWS: usize = 1_000_000;

/// What Firefox lets an element be, in pixels; Chromium allows more.
const HIGHEST: u64 = 17_895_000;

/// Two narrow columns; the number of the row can be told from its cells.
fn table() -> String {
    let mut text = String::with_capacity(10 * ROWS);
    text.push_str("age,ward\n");
    for i in 0..ROWS {
        writeln!(text, "{},{}", i % 97, i % 89).unwrap();
    }
    text
}

/// The first row that is in view below the header, from 1; 0 while there is none.
const FIRST: &str = "const frame = document.getElementById('beside'); const top = frame.getBoundingClientRect().top + 27; \
    const row = [...frame.querySelectorAll('tbody tr')].find((r) => r.getBoundingClientRect().top >= top); \
    return row ? row.getAttribute('aria-rowindex') - 1 : 0";

/// Whether the rows in view are all there.
const FULL: &str = "const frame = document.getElementById('beside').getBoundingClientRect(); \
    const rows = [...document.querySelectorAll('#beside tbody tr')].map((r) => r.getBoundingClientRect()); \
    return rows.some((r) => r.top <= frame.top + 29) && rows.some((r) => r.bottom >= frame.bottom - 29)";

/// Pixels of rows above the view.
const PIXELS: &str = "const frame = document.getElementById('beside'); const row = frame.querySelector('tbody tr'); \
    return Math.round(28 * (row.getAttribute('aria-rowindex') - 2) - row.getBoundingClientRect().top \
    + frame.getBoundingClientRect().top)";

/// Whether the element has not moved for a while, so that it rests where it belongs to its rows.
const RESTS: &str = "const at = document.getElementById('beside').scrollTop, now = performance.now(); \
    if (window.restsAt !== at) { window.restsAt = at; window.restsSince = now; } return now - window.restsSince > 600";

/// Turns of the wheel and keys until one counts: a browser that is busy may drop them.
const ATTEMPTS: usize = 5;

async fn rests(page: &Page) {
    page.client.execute("window.restsSince = performance.now()", vec![]).await.unwrap();
    becomes(page, RESTS, json!(true)).await;
}

async fn first(page: &Page) -> u64 {
    page.client.execute(FIRST, vec![]).await.unwrap().as_u64().unwrap()
}

async fn scrolled_to(page: &Page, at: &str) -> u64 {
    page.client
        .execute(&format!("document.getElementById('beside').scrollTop = {at}"), vec![])
        .await
        .unwrap();
    becomes(page, FULL, json!(true)).await;
    first(page).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_rows_are_scrolled_exactly() {
    let folder = Folder::new();
    folder.write("in.csv", table());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    page.role("age", "quasi").await;
    page.role("ward", "quasi").await;
    page.choose("#model", "k-anonymity").await;
    page.fill("#effort", "0").await;
    page.click("#more-search > summary").await;
    page.choose("#method", "mondrian").await;
    page.anonymize().await;
    assert_eq!(page.attribute("#beside", "data-rows").await, ROWS.to_string());
    becomes(&page, FULL, json!(true)).await;
    assert_eq!(first(&page).await, 1);
    let high = "const tops = [...document.querySelectorAll('#beside tbody tr')].map((r) => r.getBoundingClientRect().top); \
        return (tops.at(-1) - tops[0]) / (tops.length - 1)";
    assert_eq!(
        page.client.execute(high, vec![]).await.unwrap(),
        json!(28),
        "a row is as high as it is counted"
    );
    let height = "return document.getElementById('beside').scrollHeight";
    let height = page.client.execute(height, vec![]).await.unwrap().as_u64().unwrap();
    assert!(height > 1_000_000 && height < HIGHEST, "{height}");
    // Any part is reached by the bar, the last row too.
    let middle = scrolled_to(&page, &format!("{height} / 2")).await;
    assert!(middle.abs_diff(ROWS as u64 / 2) < 1000, "{middle}");
    let cells = format!(
        "return [...document.querySelector(\"#beside tr[aria-rowindex='{}']\").cells].slice(1, 3).map((c) => c.textContent)",
        middle + 1
    );
    let cells = page.client.execute(&cells, vec![]).await.unwrap();
    let wanted = [(middle - 1) % 97, (middle - 1) % 89];
    for (cell, wanted) in cells.as_array().unwrap().iter().zip(wanted) {
        let original = cell.as_str().unwrap().split(' ').next().unwrap().to_owned();
        assert_eq!(original, wanted.to_string(), "row {middle}: {cells}");
    }
    // The wheel turns by exact rows there, before the element rests and after.
    let wheel = WheelActions::new(String::from("wheel")).then(WheelAction::Scroll {
        duration: None,
        x: 400,
        y: 400,
        delta_x: 0,
        delta_y: 280,
    });
    page.client
        .execute(
            "document.getElementById('beside').scrollIntoView({ block: 'center' }); const r = \
            document.getElementById('beside').getBoundingClientRect(); return [r.top, r.bottom]",
            vec![],
        )
        .await
        .unwrap();
    rests(&page).await;
    for turn in 1..=3 {
        let from = middle + 10 * (turn - 1);
        for _ in 0..ATTEMPTS {
            page.client.perform_actions(wheel.clone()).await.unwrap();
            rests(&page).await;
            if first(&page).await != from {
                break;
            }
        }
        assert_eq!(first(&page).await, from + 10, "turn {turn}");
    }
    // Keys too: an arrow is 40 pixels, so that 7 are 10 rows.
    let frame = page.find("#beside").await;
    for key in 1..=7 {
        let before = page.client.execute(PIXELS, vec![]).await.unwrap().as_i64().unwrap();
        let mut after = before;
        for _ in 0..ATTEMPTS {
            frame.send_keys("\u{e015}").await.unwrap();
            rests(&page).await;
            after = page.client.execute(PIXELS, vec![]).await.unwrap().as_i64().unwrap();
            if after != before {
                break;
            }
        }
        assert!((after - before - 40).abs() <= 2, "key {key}: {before} to {after}");
    }
    becomes(&page, FIRST, json!(middle + 40)).await;
    frame.send_keys("\u{e010}").await.unwrap();
    page.find(&format!("#beside tr[aria-rowindex='{}']", ROWS + 1)).await;
    becomes(&page, FULL, json!(true)).await;
    frame.send_keys("\u{e011}").await.unwrap();
    becomes(&page, FIRST, json!(1)).await;
    page.close().await;
}
