//! The page in real Chromium: what a user does, compared with what the command line does.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests: a failure here is a failed test"
)]

mod access;
mod attacking;
mod axe;
mod broken;
mod cells;
mod checking;
mod conditioned;
mod decided;
mod discharges;
mod driver;
mod evidence;
mod forms;
mod given_up;
mod guide;
mod kept;
mod keyboard;
mod languages;
mod ledger;
mod levels;
mod looking;
mod lost;
mod million;
mod newcomer;
mod opening;
mod page;
mod people;
mod picked;
mod population;
mod printed;
mod reading;
mod recorded;
mod responsive;
mod risky;
mod sealed;
mod sent;
mod series;
mod sink;
mod small;
mod speed;
mod together;
mod typed;
mod uncut;
mod weights;
mod wide;
mod workbench;
mod workbook;

use std::time::Duration;

use lookalike_tests::{data, program::Folder};
use page::Page;
use serde_json::json;

/// Patients whose diagnoses allow m = 3.
fn hospital() -> String {
    lookalike_core::demo::hospital(300, 7)
}

const ROLES: [(&str, &str); 4] =
    [("age", "quasi"), ("sex", "quasi"), ("nights", "quasi"), ("diagnosis", "sensitive")];

/// What the command line makes of the same table: out.csv, classes.csv, report.json in the folder.
fn command_line(folder: &Folder, m: &str, seed: &str, effort: &str) {
    folder.succeed(&[
        "anonymize",
        "in.csv",
        "--quasi",
        "age,sex,nights",
        "--sensitive",
        "diagnosis",
        "--model",
        "m-invariance",
        "--m",
        m,
        "--eligibility",
        "add",
        "--seed",
        seed,
        "--effort",
        effort,
        "--loss",
        "ncp",
        "-o",
        "out.csv",
        "--classes",
        "classes.csv",
        "--report",
        "report.json",
    ]);
}

/// Opens the table of a folder and fills in the form.
async fn set_up(page: &Page, folder: &Folder, m: &str, seed: &str, effort: &str) {
    page.upload(&folder.file("in.csv")).await;
    fill_in(page, m, seed, effort).await;
}

/// Fills in the form for the open table.
async fn fill_in(page: &Page, m: &str, seed: &str, effort: &str) {
    for (column, role) in ROLES {
        page.role(column, role).await;
    }
    page.choose("#model", "m-invariance").await;
    page.fill("#m", m).await;
    page.choose("#eligibility", "add").await;
    page.fill("#seed", seed).await;
    page.fill("#effort", effort).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_threads_the_page_gives_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    // More than the largest m without changes, so that counterfeits are needed.
    command_line(&folder, "6", "11", "20");
    let page = Page::open(&[]).await;
    assert_eq!(page.attribute("#threads", "data-isolated").await, "true");
    let threads: usize = page.attribute("#threads", "data-threads").await.parse().unwrap();
    assert!(threads >= 2, "{threads} threads");
    set_up(&page, &folder, "6", "11", "20").await;
    page.anonymize().await;
    let worked: usize = page.attribute("[data-threads-worked]", "data-threads-worked").await.parse().unwrap();
    assert!(worked >= 2, "only {worked} pool threads did work");
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    assert_eq!(text(&page.download("#download-classes").await), folder.text("classes.csv"));
    let (here, there) = (page.report().await, folder.json("report.json"));
    assert_eq!(here["objective"], there["objective"]);
    assert!(here["changes"]["counterfeits"].as_u64() > Some(0));
    // The same integer programme, solved by another program on each side.
    assert_eq!((&here["lp_backend"], &there["lp_backend"]), (&json!("microlp"), &json!("highs")));
    assert_eq!(page.sink.requests(), Vec::<String>::new());
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_isolation_one_thread_gives_the_same() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    command_line(&folder, "3", "5", "5");
    let page = Page::open(&["--no-isolation"]).await;
    assert_eq!(page.attribute("#threads", "data-isolated").await, "false");
    assert_eq!(page.attribute("#threads", "data-threads").await, "1");
    set_up(&page, &folder, "3", "5", "5").await;
    page.anonymize().await;
    assert_eq!(page.attribute("[data-threads-worked]", "data-threads-worked").await, "1");
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    assert_eq!(text(&page.download("#download-classes").await), folder.text("classes.csv"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worker_gives_the_same_and_gets_numbers_only() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    command_line(&folder, "4", "3", "5");
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "3", "5").await;
    page.click("#anonymize-remote").await;
    page.verdict().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    assert_eq!(text(&page.download("#download-classes").await), folder.text("classes.csv"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_stays_responsive_and_stops_on_demand() {
    for flags in [&[][..], &["--no-isolation"][..]] {
        let folder = Folder::new();
        folder.write("in.csv", lookalike_core::demo::hospital(3000, 7));
        let page = Page::open(flags).await;
        set_up(&page, &folder, "4", "1", "100000").await;
        page.click("#anonymize").await;
        page.find("#stop").await;
        // Counts what the page's own event loop gets done while the engine searches.
        let count = "const done = arguments[arguments.length - 1]; let n = 0;\
            const timer = setInterval(() => { n += 1; if (n === 20) { clearInterval(timer); done(n); } }, 20);";
        assert_eq!(page.client.execute_async(count, vec![]).await.unwrap(), json!(20));
        // The clock goes on, and the search tells what it has found.
        let first = page.text("#elapsed").await;
        let told = |text: &str| text.contains(|letter: char| letter.is_ascii_digit());
        while page.text("#elapsed").await == first || !told(&page.text("#incumbent").await) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        page.click("#stop").await;
        page.verdict().await;
        assert_eq!(page.report().await["status"], json!({ "name": "cancelled" }));
        page.close().await;
    }
}

/// A run that is given up leaves the result before it, at once; the page goes on from there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_can_be_cancelled_and_an_earlier_one_gone_back_to() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(3000, 7));
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "1", "0.2").await;
    page.anonymize().await;
    let first = page.download("#download-table").await;
    page.fill("#effort", "100000").await;
    page.click("#anonymize").await;
    page.click("#cancel").await;
    let cancelled = std::time::Instant::now();
    page::turns_to(&page, "return document.querySelector('#running') === null", "no run", |now| now == true)
        .await;
    assert!(cancelled.elapsed() < Duration::from_secs(5), "{:?}", cancelled.elapsed());
    assert_eq!(page.attribute("#verdict", "data-passed").await, "true");
    assert_eq!(page.download("#download-table").await, first);
    // Another run, and back to the first.
    page.find("#anonymize:not([disabled])").await;
    page.fill("#effort", "0.2").await;
    page.fill("#m", "4").await;
    page.anonymize().await;
    assert_ne!(page.download("#download-table").await, first);
    page.click(".runs button[data-run='1']").await;
    page.find(".runs [data-run='1'][aria-current]").await;
    assert_eq!(page.download("#download-table").await, first);
    assert_eq!(page.find("#m").await.prop("value").await.unwrap().as_deref(), Some("3"));
    page.close().await;
}

/// How far there is to go is known before the search begins, and stays on the screen while it lasts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_chart_shows_the_bound_while_the_search_goes_on() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(3000, 7));
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "4", "1", "100000").await;
    page.click("#more-search > summary").await;
    page.choose("#method", "annealing").await;
    page.click("#anonymize").await;
    // The place of the line's beginning, as a share of the time so far; 1 while there is none, or no search any more.
    let begins = "const line = document.querySelector('#running svg polyline.bound'); \
        const told = id => /[0-9]/.test(document.getElementById(id)?.textContent ?? ''); \
        return line && document.getElementById('stop') && told('bound') && told('incumbent') \
            ? parseFloat(line.getAttribute('points')) / 600 : 1";
    page::turns_to(&page, begins, "a line from the beginning on", |at| at.as_f64().unwrap() < 0.2).await;
    let number = |text: String| {
        text.replace(['≥', ' ', ',', '%'], "")
            .parse::<f64>()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let (bound, loss) = (page.text("#bound").await, page.text("#incumbent").await);
    let (bound, loss) = (number(bound), number(loss));
    assert!(0.0 < bound && bound <= loss, "{bound}, {loss}");
    let figure = page.text("#running figcaption").await;
    let costs = figure.starts_with("Stopping now costs") || figure.ends_with("little is proven");
    assert!(costs, "{figure}");
    page.shot("bound-while-searching").await;
    page.click("#stop").await;
    page.verdict().await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_input_is_explained_and_nothing_is_lost() {
    let folder = Folder::new();
    folder.write("bad.csv", "age,sex\n1,2\n3\n");
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("bad.csv")).await.unwrap();
    page.find("#failure").await;
    let why = page.text("#failure").await;
    assert!(why.contains("row 2"), "{why}");
    set_up(&page, &folder, "12", "1", "1").await;
    page.choose("#eligibility", "error").await;
    page.click("#anonymize").await;
    page.find("#failure").await;
    let why = page.text("#failure").await;
    assert!(why.contains("m = 12"), "{why}");
    // Corrected in place: the table and the roles are still there.
    page.fill("#m", "2").await;
    page.anonymize().await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn census_data_goes_all_the_way() {
    let Some(adult) = data::file("adult-train.csv") else { return };
    let page = Page::open(&[]).await;
    page.upload(&adult.display().to_string()).await;
    for (column, role) in
        [("age", "quasi"), ("sex", "quasi"), ("education-num", "quasi"), ("occupation", "sensitive")]
    {
        page.role(column, role).await;
    }
    page.choose("#model", "m-invariance").await;
    // 4140 of 30718 known occupations are the same one.
    page.choose("#missing-sensitive", "drop").await;
    let costs = "#survey-table tr[data-m='8'] td[data-add]";
    assert_eq!(page.attribute_not(costs, "data-add", "559").await, (8 * 4140 - 30718).to_string());
    // With "missing" as a value of its own there are 32561.
    page.choose("#missing-sensitive", "value").await;
    let added = (8 * 4140 - 30718).to_string();
    assert_eq!(page.attribute_not(costs, "data-add", &added).await, (8 * 4140 - 32561).to_string());
    assert_eq!(page.attribute("#largest-m", "data-m").await, "7");
    page.click("#survey-table tr[data-m='4'] button").await;
    page.click("#survey-table tr[data-m='5'] button").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.2").await;
    page.anonymize().await;
    let folder = Folder::new();
    folder.succeed(&[
        "anonymize",
        &adult.display().to_string(),
        "--quasi",
        "age,sex,education-num",
        "--sensitive",
        "occupation",
        "--missing-sensitive",
        "value",
        "--model",
        "m-invariance",
        "--m",
        "5",
        "--seed",
        "1",
        "--effort",
        "0.2",
        "--loss",
        "ncp",
        "-o",
        "out.csv",
        "--classes",
        "classes.csv",
    ]);
    assert!(page.download("#download-classes").await == folder.read("classes.csv"), "the classes differ");
    assert!(page.download("#download-table").await == folder.read("out.csv"), "the tables differ");
    page.close().await;
}

/// Pictures of every state, for people: only with `LOOKALIKE_SHOTS=folder`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_of_every_state() {
    if std::env::var_os("LOOKALIKE_SHOTS").is_none() {
        eprintln!("skipped: pictures are taken with LOOKALIKE_SHOTS=folder only");
        return;
    }
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.write("long.csv", lookalike_core::demo::hospital(3000, 7));
    for (width, dark) in [(1280, false), (1280, true), (500, false)] {
        let name = |state: &str| format!("{width}-{}-{state}", if dark { "dark" } else { "light" });
        let page = Page::open_as(&[], width, dark).await;
        page.shot(&name("1-empty")).await;
        page.find("#file-input").await.send_keys("/dev/null").await.unwrap();
        page.find("#failure").await;
        page.shot(&name("2-failure")).await;
        set_up(&page, &folder, "12", "1", "20").await;
        page.choose("#eligibility", "error").await;
        page.shot(&name("3-form")).await;
        page.click("#anonymize").await;
        page.find("#failure").await;
        page.shot(&name("4-infeasible")).await;
        page.choose("#eligibility", "add").await;
        page.fill("#m", "6").await;
        page.anonymize().await;
        page.shot(&name("5-result")).await;
        page.fill("#effort", "100000").await;
        page.click("#anonymize").await;
        page.find("#stop").await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        page.shot(&name("6-running")).await;
        page.click("#stop").await;
        page.close().await;
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
