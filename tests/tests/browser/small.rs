//! On a small window, or one seen at twice its size, all scrolls but a strip of one line.

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{hospital, languages::speak, page::Page, set_up};

/// What of the window's height stays in place once the page is scrolled to its end, as a share of it.
const FIXED: &str = "const all = document.scrollingElement; \
    all.scrollTop = all.scrollHeight; \
    const before = new Map([...document.body.querySelectorAll('*')].map((e) => [e, e.getBoundingClientRect()])); \
    all.scrollTop = Math.max(0, all.scrollTop - 40); \
    const still = [...before].filter(([e, rect]) => { \
      const now = e.getBoundingClientRect(); \
      return e.checkVisibility() && rect.height > 0 && rect.width > 20 && Math.abs(rect.top - now.top) < 1 && rect.bottom > 0 && rect.top < innerHeight; \
    }); \
    const moved = all.scrollTop; \
    all.scrollTop = 0; \
    const covered = new Set(); \
    for (const [, rect] of still) for (let y = Math.max(0, Math.floor(rect.top)); y < Math.min(innerHeight, rect.bottom); y++) covered.add(y); \
    return [moved, covered.size / innerHeight]";

async fn little_is_fixed(page: &Page, state: &str) {
    let told = page.client.execute(FIXED, vec![]).await.unwrap();
    let [moved, share] = [0, 1].map(|at| told[at].as_f64().unwrap());
    assert!(moved > 0.0, "{state}: nothing to scroll");
    assert!(share > 0.0 && share <= 0.1, "{state}: {share} of the height stays");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn little_of_a_small_window_is_fixed() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    for (width, height, language) in [(640, 400, "en"), (360, 640, "de")] {
        let page = Page::open(&[]).await;
        speak(&page, language).await;
        let size: Value =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        page.devtools("Emulation.setDeviceMetricsOverride", size).await;
        little_is_fixed(&page, &format!("{language}, first screen")).await;
        set_up(&page, &folder, "3", "1", "0").await;
        page.click("#expert-close").await;
        little_is_fixed(&page, &format!("{language}, roles set")).await;
        page.anonymize().await;
        page.verdict().await;
        little_is_fixed(&page, &format!("{language}, result")).await;
        page.close().await;
    }
}
