//! Work outlives a reload of its tab, by consent and encrypted; without consent nothing is stored.

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    command_line, hospital,
    page::{Page, becomes, turns_to},
    set_up, text,
};

/// All that the page has stored, but for its own files: names in the private file system, with the folders' contents, and numbers of
/// entries elsewhere.
const STORED: &str = "const done = arguments[arguments.length - 1]; (async () => {\
    const names = []; const walk = async (folder) => { for await (const [name, one] of folder.entries()) {\
        names.push(name); if (one.kind === 'directory') await walk(one); } };\
    await walk(await navigator.storage.getDirectory());\
    done([names, localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]); })()";

/// The bytes of every file in the private file system as text, one character a byte.
const BYTES: &str = "const done = arguments[arguments.length - 1]; (async () => { let all = '';\
    const walk = async (folder) => { for await (const one of folder.values()) {\
        if (one.kind === 'directory') await walk(one);\
        else all += new TextDecoder('latin1').decode(await (await one.getFile()).arrayBuffer()); } };\
    await walk(await navigator.storage.getDirectory()); done(all); })()";

/// Bytes of the settings.
const SIZE: &str = "const done = arguments[arguments.length - 1]; (async () => {\
    const all = await (await navigator.storage.getDirectory()).getDirectoryHandle('lookalike-work');\
    for await (const one of all.values()) done((await (await one.getFileHandle('settings')).getFile()).size); })()";

async fn stored(page: &Page) -> Value {
    page.client.execute_async(STORED, vec![]).await.unwrap()
}

/// Waits until the names in the private file system are as wanted.
async fn stores(page: &Page, what: &str, wanted: impl Fn(&[Value]) -> bool) {
    for _ in 0..600 {
        let now = stored(page).await;
        if wanted(now[0].as_array().unwrap()) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{what}: {}", stored(page).await);
}

const NOTHING: fn() -> Value = || json!([[], 0, 0, 0]);

/// Everything of the work is written: a table, and settings with this text of the form among what was typed last.
async fn written(page: &Page) {
    stores(page, "a table and settings", |names| {
        names.iter().filter(|name| name.as_str().is_some_and(|name| name.starts_with("table-"))).count() == 1
            && names.contains(&json!("settings"))
            && !names.iter().any(|name| name.as_str().is_some_and(|name| name.ends_with(".crswap")))
    })
    .await;
}

async fn consent(page: &Page) {
    page.click("#keep-work").await;
    page.find("#keep-work:checked").await;
    page.click("#expert-close").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_is_back_after_a_reload_and_makes_the_same_bytes() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    command_line(&folder, "3", "5", "5");
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "5", "5").await;
    // Without consent nothing is stored, and nothing is back.
    assert_eq!(stored(&page).await, NOTHING());
    page.client.refresh().await.unwrap();
    page.find("#sample-hospital").await;
    set_up(&page, &folder, "3", "12345678", "5").await;
    consent(&page).await;
    written(&page).await;
    // The text is encrypted, and as long as it is: seven digits fewer.
    let before = page.client.execute_async(SIZE, vec![]).await.unwrap().as_u64().unwrap();
    page.fill("#seed", "5").await;
    page.click("#expert-close").await;
    for _ in 0..600 {
        if page.client.execute_async(SIZE, vec![]).await.unwrap() == json!(before - 7) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    // Nothing of it can be read without the key.
    let bytes = page.client.execute_async(BYTES, vec![]).await.unwrap();
    let bytes = bytes.as_str().unwrap();
    assert!(bytes.len() > hospital().len() && !bytes.contains("diagnosis") && !bytes.contains("asthma"));

    // Another tab sees nothing of it, and leaves it alone: what it deletes is what no tab holds.
    let first = page.client.window().await.unwrap();
    let leave = "const done = arguments[arguments.length - 1]; (async () => {\
        const all = await (await navigator.storage.getDirectory()).getDirectoryHandle('lookalike-work');\
        await all.getDirectoryHandle('left-behind', { create: true }); done(true); })()";
    page.client.execute_async(leave, vec![]).await.unwrap();
    let address = page.client.current_url().await.unwrap();
    let second = page.client.new_window(true).await.unwrap();
    page.client.switch_to_window(second.handle).await.unwrap();
    page.client.goto(address.as_str()).await.unwrap();
    page.find("#sample-hospital").await;
    stores(&page, "what was left behind is gone", |names| !names.contains(&json!("left-behind"))).await;
    assert_eq!(page.client.execute("return sessionStorage.length", vec![]).await.unwrap(), json!(0));
    assert_eq!(
        page.client.execute("return document.querySelector('#opened')", vec![]).await.unwrap(),
        Value::Null
    );
    page.client.close_window().await.unwrap();
    page.client.switch_to_window(first).await.unwrap();
    written(&page).await;

    page.client.refresh().await.unwrap();
    page.find("#came-back").await;
    page.find("#opened[data-name='in.csv'][data-rows='300']").await;
    let roles = "return [...document.querySelectorAll('[data-column]')].filter((row) => row.dataset.role !== 'drop').length";
    becomes(&page, roles, json!(4)).await;
    let seed = "return document.querySelector('#seed').value";
    becomes(&page, seed, json!("5")).await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    assert_eq!(text(&page.download("#download-classes").await), folder.text("classes.csv"));
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    assert!(statement.contains("in.csv") && !statement.contains("standard input"), "{statement}");
    // Consent taken back deletes at once.
    page.click("#keep-work").await;
    page.find("#keep-work:not(:checked)").await;
    stores(&page, "nothing", <[Value]>::is_empty).await;
    assert_eq!(stored(&page).await, NOTHING());
    assert_eq!(page.sink.requests(), Vec::<String>::new());
    page.close().await;
}

/// A browser that refuses says so, and a key that does not fit brings nothing back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_that_cannot_be_kept_is_said() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "5", "5").await;
    let full = "FileSystemWritableFileStream.prototype.write = () => Promise.reject(new DOMException('there is no room'))";
    page.client.execute(full, vec![]).await.unwrap();
    page.click("#keep-work").await;
    page.find("#keep-work-refused").await;
    let told = page.text("#keep-work-refused").await;
    assert!(told.contains("is not kept") && told.contains("there is no room"), "{told}");
    page.find("#keep-work:not(:checked)").await;
    stores(&page, "nothing", <[Value]>::is_empty).await;
    assert_eq!(stored(&page).await, NOTHING());

    page.client.refresh().await.unwrap();
    page.find("#sample-hospital").await;
    set_up(&page, &folder, "3", "5", "5").await;
    consent(&page).await;
    written(&page).await;
    let other = "const [id, key] = sessionStorage.getItem('lookalike-work').split(' ');\
        sessionStorage.setItem('lookalike-work', `${id} ${key.replace(/./g, (c) => c === '0' ? '1' : '0')}`)";
    page.client.execute(other, vec![]).await.unwrap();
    page.client.refresh().await.unwrap();
    page.find("#not-back").await;
    let told = "return document.querySelector('#not-back').innerText";
    turns_to(&page, told, "a word on it", |now| {
        now.as_str().is_some_and(|now| now.contains("cannot be brought back"))
    })
    .await;
    stores(&page, "nothing", <[Value]>::is_empty).await;
    page.close().await;
}
