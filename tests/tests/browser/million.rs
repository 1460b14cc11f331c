//! A million rows before and after: higher than a browser lets an element be.

use std::fmt::Write as _;

use fantoccini::actions::{InputSource as _, WheelAction, WheelActions};
use fantoccini::elements::Element;
use lookalike_tests::program::Folder;
use serde_json::json;

use crate::page::{Page, becomes, turns_to};

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

/// Turns of the wheel and strokes of a key until one counts: a browser that is busy may drop them, or take them late.
const ATTEMPTS: f64 = 5.0;

/// Pixels that rows may be off: browsers round where an element is.
const ROUNDED: f64 = 2.0;

async fn rests(page: &Page) {
    page.client.execute("window.restsSince = performance.now()", vec![]).await.unwrap();
    becomes(page, RESTS, json!(true)).await;
}

/// Takes steps of this size in pixels until at least `wanted` were seen: each moves the rows by exactly that, and no more are
/// seen than were asked for, here or before (`late`). Gives how many are still to come.
async fn steps<A: AsyncFn()>(page: &Page, step: f64, wanted: f64, late: f64, act: A) -> f64 {
    rests(page).await;
    let from = page.client.execute(PIXELS, vec![]).await.unwrap().as_f64().unwrap();
    let script = format!(
        "const moved = (() => {{ {PIXELS} }})() - {from}, steps = Math.round(moved / {step}); \
        const rests = (() => {{ {RESTS} }})(); return rests && Math.abs(moved - {step} * steps) <= {ROUNDED} ? steps : null"
    );
    let (mut asked, mut seen) = (late, 0.0);
    while seen < wanted {
        assert!(asked < late + ATTEMPTS * wanted, "{seen} steps of {asked}");
        act().await;
        asked += 1.0;
        page.client.execute("window.restsSince = performance.now()", vec![]).await.unwrap();
        let now = turns_to(page, &script, "whole steps", |v| !v.is_null()).await.as_f64().unwrap();
        assert!((seen..=asked).contains(&now), "{now} steps of {asked}, {seen} before");
        seen = now;
    }
    asked - seen
}

/// Presses a key until the script says that it was heard.
async fn pressed(page: &Page, frame: &Element, key: &str, heard: &str) {
    for _ in 0..ATTEMPTS as usize {
        frame.send_keys(key).await.unwrap();
        rests(page).await;
        if page.client.execute(heard, vec![]).await.unwrap() == json!(true) {
            return;
        }
    }
    becomes(page, heard, json!(true)).await;
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
    let late =
        steps(&page, 280.0, 3.0, 0.0, async || page.client.perform_actions(wheel.clone()).await.unwrap())
            .await;
    // Keys too: an arrow is 40 pixels, a seventh of a turn; what a late turn moves does not count as theirs.
    let frame = page.find("#beside").await;
    steps(&page, 40.0, 7.0 + 7.0 * late, 7.0 * late, async || frame.send_keys("\u{e015}").await.unwrap())
        .await;
    let last =
        format!("return document.querySelector(\"#beside tr[aria-rowindex='{}']\") !== null", ROWS + 1);
    pressed(&page, &frame, "\u{e010}", &last).await;
    becomes(&page, FULL, json!(true)).await;
    let begin = format!("return (() => {{ {FIRST} }})() === 1");
    pressed(&page, &frame, "\u{e011}", &begin).await;
    page.close().await;
}
