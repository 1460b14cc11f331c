//! The ledger of a release comes first: what cannot be saved before it, what asks before it is lost, and who came and left.

use fantoccini::Locator;
use lookalike_core::demo;
use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    page::{Page, becomes, turns_to},
    text,
};

/// Whether the browser would ask before it leaves the page.
const ASKS: &str = "const event = new Event('beforeunload', { cancelable: true });\
    window.dispatchEvent(event); return event.defaultPrevented";

/// Two tables of one hospital, a quarter apart.
fn quarters() -> Folder {
    let folder = Folder::new();
    let (first, second) = demo::two_releases(3);
    folder.write("1.csv", first);
    folder.write("2.csv", second);
    folder
}

async fn describe(page: &Page, folder: &Folder, name: &str) {
    page.upload(&folder.file(name)).await;
    page.find(&format!("#opened[data-name='{name}']")).await;
}

/// The first release, made and not saved.
async fn first_release(page: &Page, folder: &Folder) {
    describe(page, folder, "1.csv").await;
    page.choose("#series-kind", "first").await;
    page.find("#series-id:enabled").await;
    for (column, role) in
        [("sex", "quasi"), ("age", "quasi"), ("postcode", "quasi"), ("diagnosis", "sensitive")]
    {
        page.role(column, role).await;
    }
    page.choose("#series-id", "patient").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "0.2").await;
    page.anonymize().await;
}

/// A later release, made and not saved.
async fn later_release(page: &Page, folder: &Folder, ledger: &str) {
    describe(page, folder, "2.csv").await;
    page.choose("#series-kind", "later").await;
    give(page, "#ledger-input", &folder.file(ledger)).await;
    page.find("#series-ledger[data-releases='1']").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "0.2").await;
    page.anonymize().await;
}

async fn give(page: &Page, css: &str, file: &str) {
    page.find(&format!("{css}:enabled")).await.send_keys(file).await.unwrap();
}

/// Gives a file to the field, and waits until the page asks.
async fn asked(page: &Page, folder: &Folder, name: &str) -> String {
    page.find("#file-input").await.send_keys(&folder.file(name)).await.unwrap();
    page.find("#asks").await;
    page.text("#asks").await
}

async fn is_there(page: &Page, css: &str) -> bool {
    page.client.find(Locator::Css(css)).await.is_ok()
}

async fn gone(page: &Page, css: &str) {
    let script = format!("return document.querySelector({}) === null", json!(css));
    becomes(page, &script, json!(true)).await;
}

/// What has the focus.
const FOCUS: &str = "return document.activeElement.id";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_saved_before_the_ledger_is_stored() {
    let folder = quarters();
    let page = Page::open(&[]).await;
    first_release(&page, &folder).await;
    // The ledger stands before the other buttons, which do nothing yet; why stands there.
    let order = "const place = (id) => [...document.querySelectorAll('#save *')].findIndex((e) => e.id === id);\
        return [place('download-ledger'), place('download-table'), place('download-statement')]";
    let order = page.client.execute(order, vec![]).await.unwrap();
    let places: Vec<i64> = order.as_array().unwrap().iter().map(|place| place.as_i64().unwrap()).collect();
    assert!(places[0] >= 0 && places[0] < places[1] && places[1] < places[2], "{places:?}");
    for css in ["#download-table:disabled", "#download-statement:disabled", "button#more-files:disabled"] {
        page.find(css).await;
    }
    assert!(page.text("#ledger-first").await.contains("once the ledger is saved"));
    assert_eq!(page.text("#strip-verdict").await, "First the ledger", "it is not ready to be published");
    assert!(!is_there(&page, "#download-report").await && !is_there(&page, "#download-classes").await);
    // Who has not saved it cannot say that it is stored.
    page.find("#ledger-stored:disabled").await;
    becomes(&page, ASKS, json!(true)).await;
    let ledger = page.download("#download-ledger").await;
    assert!(ledger.starts_with(b"{\"do not publish\""));
    page.find("#ledger-stored:enabled").await;
    page.find("#download-table:disabled").await;
    // It does not look as if it did something, either.
    let looks = "return getComputedStyle(document.querySelector('#download-table')).backgroundColor";
    assert_eq!(page.client.execute(looks, vec![]).await.unwrap(), json!("rgba(0, 0, 0, 0)"));
    page.click("#ledger-stored").await;
    page.find("a#download-table").await;
    assert!(!is_there(&page, "#ledger-first").await);
    assert!(!page.text("#strip-verdict").await.contains("ledger"));
    // What is saved then is the release that the ledger knows.
    let table = page.download("#download-table").await;
    let hash = lookalike_core::audit::series::fingerprint(&table);
    assert!(text(&ledger).contains(&hash), "the ledger of another table");
    page.report().await;
    page.download("#download-statement").await;
    becomes(&page, ASKS, json!(false)).await;
    // Taken back, the release waits again.
    page.click("#ledger-stored").await;
    page.find("#download-table:disabled").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unsaved_ledger_is_offered_first_and_discarded_only_by_a_second_yes() {
    let folder = quarters();
    let page = Page::open(&[]).await;
    first_release(&page, &folder).await;
    // Another table.
    let told = asked(&page, &folder, "2.csv").await;
    assert!(told.contains("Open 2.csv?") && told.contains("Save it first"), "{told}");
    becomes(&page, FOCUS, json!("asks-ledger")).await;
    let first = "return document.querySelector('#asks .buttons').firstElementChild.id";
    assert_eq!(page.client.execute(first, vec![]).await.unwrap(), json!("asks-ledger"));
    page.click("#asks-discard").await;
    page.find("#asks-discard-ledger").await;
    assert!(page.text("#asks-what").await.contains("This ledger cannot be recovered"));
    page.click("#asks-stay").await;
    gone(&page, "#asks").await;
    page.find("#opened[data-name='1.csv']").await;
    page.find("#ledger[data-saved='false']").await;
    // Another run.
    page.fill("#seed", "6").await;
    page.click("#anonymize").await;
    page.find("#asks").await;
    let told = page.text("#asks").await;
    assert!(told.contains("Anonymize again?") && told.contains("Save the ledger"), "{told}");
    page.click("#asks-stay").await;
    gone(&page, "#asks").await;
    assert!(!is_there(&page, "#running").await, "nobody said yes");
    // Changed roles lose nothing: the result of before is named as such, and its ledger is still there to be saved.
    page.role("age", "drop").await;
    page.find("#look.stale").await;
    assert!(page.text("#verdict").await.contains("Of earlier settings"));
    becomes(&page, ASKS, json!(true)).await;
    page.click("#undo").await;
    // Saved in the dialogue, the ledger is no longer asked about: the table is.
    asked(&page, &folder, "2.csv").await;
    let ledger = page.download("#asks-ledger").await;
    assert!(ledger.starts_with(b"{\"do not publish\""));
    page.find("#asks-discard").await;
    let told =
        turns_to(&page, "return document.querySelector('#asks-what').textContent", "the table", |now| {
            now.as_str().is_some_and(|now| now.contains("published table"))
        });
    told.await;
    assert!(!is_there(&page, "#asks-save").await, "nobody has said that the ledger is stored");
    page.click("#asks-stay").await;
    page.find("#ledger[data-saved='true']").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_discarded_ledger_is_discarded_by_two_clicks() {
    let folder = quarters();
    let page = Page::open(&[]).await;
    first_release(&page, &folder).await;
    page.fill("#seed", "6").await;
    page.click("#anonymize").await;
    page.click("#asks-discard").await;
    page.click("#asks-discard-ledger").await;
    gone(&page, "#asks").await;
    page.verdict().await;
    // The new release has a ledger of its own, which is asked about as well.
    page.find("#ledger[data-saved='false']").await;
    asked(&page, &folder, "2.csv").await;
    page.click("#asks-discard").await;
    page.click("#asks-discard-ledger").await;
    page.find("#opened[data-name='2.csv']").await;
    // The table before comes back, and then the one after it.
    page.click("#undo").await;
    page.find("#opened[data-name='1.csv']").await;
    page.find("#redo:enabled").await;
    page.click("#redo").await;
    page.find("#opened[data-name='2.csv']").await;
    page.find("#redo:disabled").await;
    page.close().await;
}

/// Numbers of a timeline's bands, release by release.
async fn bands(page: &Page, id: &str) -> Value {
    page.find(&format!("#{id}")).await;
    let script = "return [...document.querySelectorAll(`#${arguments[0]} tr[data-release]`)].map((row) => \
        [...row.querySelectorAll('[data-band]')].map((cell) => `${cell.dataset.band} ${cell.textContent}`))";
    page.client.execute(script, vec![json!(id)]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_came_and_left_is_drawn_release_by_release() {
    let folder = quarters();
    let page = Page::open_as(&[], 360, false).await;
    first_release(&page, &folder).await;
    let first = json!(["came 400", "back 0", "other 0", "stayed 0", "left 0"]);
    assert_eq!(bands(&page, "released-timeline").await, json!([first]));
    assert!(page.text("#released-timeline-finding").await.contains("Release 1 has 400 people, all new"));
    folder.write("ledger.json", page.store_ledger().await);
    later_release(&page, &folder, "ledger.json").await;
    // 60 gone, 100 new, 5 with another diagnosis: the tables say so.
    let second = json!(["came 100", "back 0", "other 5", "stayed 335", "left 60"]);
    assert_eq!(bands(&page, "series-timeline").await, json!([first, second]));
    assert!(page.text("#series-timeline-finding").await.starts_with("The open table has 440 people"));
    // What is published may be fewer: who waits is not in it.
    let waiting = page.attribute(".series-updates", "data-updates").await;
    assert_eq!(waiting.split(',').nth(5), Some("0"), "{waiting}");
    assert_eq!(bands(&page, "released-timeline").await, json!([first, second]));
    // Every number is seen, none is cut off, and nothing is wider than the page.
    let cut = "return [...document.querySelectorAll('.releases li, .releases span')]\
        .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)\
        .concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])";
    assert_eq!(page.client.execute(cut, vec![]).await.unwrap(), json!([]));
    let size = "return getComputedStyle(document.querySelector('.releases li')).fontSize";
    assert_eq!(page.client.execute(size, vec![]).await.unwrap(), json!("13px"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tabs_on_one_ledger_hear_of_each_other() {
    let folder = quarters();
    let page = Page::open(&[]).await;
    first_release(&page, &folder).await;
    folder.write("ledger.json", page.store_ledger().await);
    later_release(&page, &folder, "ledger.json").await;
    assert!(!is_there(&page, "#ledger-rival").await);
    // Another tab makes a release from the same ledger, and saves its ledger.
    let here = page.client.window().await.unwrap();
    let url = page.client.current_url().await.unwrap();
    let other = page.client.new_window(true).await.unwrap().handle;
    page.client.switch_to_window(other).await.unwrap();
    page.client.goto(url.as_str()).await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    later_release(&page, &folder, "ledger.json").await;
    page.store_ledger().await;
    page.client.switch_to_window(here).await.unwrap();
    page.find("#ledger-rival").await;
    let told = page.text("#ledger-rival").await;
    assert!(told.contains("In another tab, release 2") && told.contains("Only one of the two"), "{told}");
    page.find("#series-spent").await;
    page.find("#anonymize:disabled").await;
    page.close().await;
}

/// A ledger that has pseudonyms asks for their key, says what is wrong with another one, and goes on with the right one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_with_pseudonyms_asks_for_its_key() {
    let folder = quarters();
    for key in ["series.key", "other.key"] {
        folder.succeed(&["ledger", "key", key]);
    }
    folder.succeed(&[
        "republish",
        "1.csv",
        "--begin",
        "--pseudonym-key",
        "series.key",
        "--id",
        "patient",
        "--mode",
        "tau-safety",
        "--m",
        "3",
        "--quasi",
        "sex,age,postcode",
        "--sensitive",
        "diagnosis",
        "--missing-sensitive",
        "value",
        "--seed",
        "5",
        "--effort",
        "0.2",
        "--ledger",
        "ledger.json",
        "-o",
        "r1.csv",
    ]);
    let page = Page::open(&[]).await;
    describe(&page, &folder, "2.csv").await;
    page.choose("#series-kind", "later").await;
    give(&page, "#ledger-input", &folder.file("ledger.json")).await;
    page.find("#series-not-next").await;
    assert!(page.text("#series-not-next").await.contains("Key of the pseudonyms"));
    folder.write("no.key", "a passphrase\n");
    give(&page, "#pseudonym-key-input", &folder.file("no.key")).await;
    page.find("#series-key").await;
    assert!(page.text("#series-key").await.contains("64"));
    give(&page, "#pseudonym-key-input", &folder.file("other.key")).await;
    gone(&page, "#series-key").await;
    page.find("#series-not-next").await;
    give(&page, "#pseudonym-key-input", &folder.file("series.key")).await;
    page.find("#series-changes").await;
    gone(&page, "#series-not-next").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "0.2").await;
    page.anonymize().await;
    page.find("#verdict[data-passed='true']").await;
    page.close().await;
}
