//! Releases over time in the page: what the command line makes of the same tables, refusals, all releases together.

use lookalike_core::demo;
use lookalike_tests::program::Folder;

use crate::{access::look, page::Page, text};

const ROLES: [(&str, &str); 4] =
    [("sex", "quasi"), ("age", "quasi"), ("postcode", "quasi"), ("diagnosis", "sensitive")];

/// Two tables of one hospital, a quarter apart.
fn quarters() -> Folder {
    let folder = Folder::new();
    let (first, second) = demo::two_releases(3);
    folder.write("1.csv", first);
    folder.write("2.csv", second);
    folder
}

async fn give(page: &Page, css: &str, files: &[String]) {
    page.find(&format!("{css}:enabled")).await.send_keys(&files.join("\n")).await.unwrap();
}

/// Opens a table and waits until it is there.
async fn open(page: &Page, folder: &Folder, name: &str) {
    page.upload(&folder.file(name)).await;
    page.find(&format!("#opened[data-name='{name}']")).await;
}

/// Says what the release is and how it is sought.
async fn first_release(page: &Page, folder: &Folder) {
    open(page, folder, "1.csv").await;
    page.choose("#series-kind", "first").await;
    page.find("#series-id:enabled").await;
    for (column, role) in ROLES {
        page.role(column, role).await;
    }
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
}

async fn judged(page: &Page, button: &str) -> String {
    page.click(button).await;
    assert_eq!(page.attribute("#series-judged[data-passed]", "data-passed").await, "true");
    let text = "return document.getElementById('series-text').textContent";
    page.client.execute(text, vec![]).await.unwrap().as_str().unwrap().to_owned()
}

fn republish(folder: &Folder, table: &str, to: &str, more: &str) {
    let seed = if more.contains("--seed") { "" } else { "--seed 5" };
    let line = format!("republish {table} --ledger ledger.json {seed} --effort 1 -o {to} {more}");
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_releases_are_those_of_the_command_line() {
    let folder = quarters();
    republish(
        &folder,
        "1.csv",
        "r1.csv",
        "--begin --id patient --mode tau-safety --m 3 --quasi sex,age,postcode --sensitive diagnosis --loss ncp",
    );
    let page = Page::open(&[]).await;
    first_release(&page, &folder).await;
    page.find("#series-to-do").await;
    page.find("#anonymize:disabled").await;
    page.choose("#series-id", "patient").await;
    page.anonymize().await;
    assert!(page.attribute(".series-updates", "data-updates").await.starts_with("400,0,0,0,0,"));
    judged(&page, "#judge-series").await;
    page.shot("series-first").await;
    let first = page.store_ledger().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("r1.csv"));
    assert!(first.starts_with(b"{\"do not publish\""));

    // The next quarter: a damaged ledger is refused, then the whole way.
    open(&page, &folder, "2.csv").await;
    page.choose("#series-kind", "later").await;
    let whole = String::from_utf8(first.clone()).unwrap();
    let damaged = whole.replacen("depression", "gallstones", 1);
    assert_ne!(damaged, whole);
    folder.write("damaged.json", damaged);
    folder.write("page.json", first);
    give(&page, "#ledger-input", &[folder.file("damaged.json")]).await;
    page.find("#series-ledger.brick").await;
    assert!(page.text("#series-ledger").await.contains("damaged"));
    page.find("#anonymize:disabled").await;
    page.shot("series-damaged").await;
    give(&page, "#ledger-input", &[folder.file("page.json")]).await;
    page.find("#series-ledger[data-releases='1']").await;
    // 60 gone, 100 new, 5 with another diagnosis.
    let updates = page.attribute(".series-updates", "data-updates").await;
    assert!(updates.starts_with("100,335,0,5,60,0,"), "{updates}");
    give(&page, "#previous-input", &[folder.file("2.csv")]).await;
    page.find("#series-previous.brick").await;
    give(&page, "#previous-input", &[folder.file("r1.csv")]).await;
    page.find("#series-previous.good").await;
    page.shot("series-later").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.anonymize().await;
    // The command line goes on from the page's ledger, and makes the same.
    folder.write("ledger.json", folder.text("page.json"));
    republish(&folder, "2.csv", "r2.csv", "--previous r1.csv");
    give(&page, "#earlier-input", &[folder.file("r1.csv")]).await;
    judged(&page, "#judge-series").await;
    page.shot("series-second").await;
    assert_eq!(text(&page.store_ledger().await), folder.text("ledger.json"));
    assert_eq!(text(&page.download("#download-table").await), folder.text("r2.csv"));

    // A second release from the same state has to be asked for.
    page.find("#series-spent").await;
    page.find("#anonymize:disabled").await;
    page.shot("series-spent").await;
    page.click("#series-replaces").await;
    page.find("#anonymize:enabled").await;
    // The same from the newest ledger: its last release is made again, by the command line as well.
    give(&page, "#ledger-input", &[folder.file("ledger.json")]).await;
    page.find("#series-ledger[data-releases='2']").await;
    page.click("#series-again").await;
    page.find("#series-again:checked").await;
    let again = page.attribute(".series-updates", "data-updates").await;
    assert_eq!(again, updates, "against the state before");
    page.fill("#seed", "6").await;
    page.anonymize().await;
    republish(&folder, "2.csv", "r2.csv", "--replace --seed 6");
    assert_eq!(text(&page.store_ledger().await), folder.text("ledger.json"));
    assert_eq!(text(&page.download("#download-table").await), folder.text("r2.csv"));
    page.click("#series-replaces").await;

    // Other settings than the series' are refused.
    page.fill("#m", "4").await;
    page.click("#anonymize").await;
    page.find("#failure").await;
    assert!(page.text("#failure").await.contains("begun with other settings"));

    // All releases in the view that checks: as the command line says it, with the ledger and with the sources.
    page.click("#to-check").await;
    page.click("#more-series > summary").await;
    give(&page, "#series-releases", &[folder.file("r1.csv"), folder.file("r2.csv")]).await;
    give(&page, "#series-audit-ledger", &[folder.file("ledger.json")]).await;
    let shown = judged(&page, "#series-judge").await;
    let asked = "check r1.csv r2.csv --model tau-safety --m 3 --ledger ledger.json";
    assert_eq!(shown, text(&folder.run(&asked.split_whitespace().collect::<Vec<_>>()).stdout));
    page.shot("series-checked").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_series_can_be_used_by_everybody() {
    let folder = quarters();
    folder.write("no.json", "{}");
    for (width, dark) in [(1280, false), (360, true)] {
        let state = |name: &str| format!("series: {name}, {width}, dark {dark}");
        let shot = |name: &str| format!("series-{name}-{width}-{}", if dark { "dark" } else { "light" });
        let page = Page::open_as(&[], width, dark).await;
        first_release(&page, &folder).await;
        look(&page, &state("to do")).await;
        page.choose("#series-id", "patient").await;
        page.anonymize().await;
        judged(&page, "#judge-series").await;
        look(&page, &state("first release")).await;
        page.shot(&shot("first")).await;
        folder.write("ledger.json", page.store_ledger().await);
        open(&page, &folder, "2.csv").await;
        page.choose("#series-kind", "later").await;
        give(&page, "#ledger-input", &[folder.file("no.json")]).await;
        page.find("#series-ledger.brick").await;
        look(&page, &state("refused")).await;
        give(&page, "#ledger-input", &[folder.file("ledger.json")]).await;
        page.find("#series-ledger[data-releases='1']").await;
        look(&page, &state("later release")).await;
        page.shot(&shot("later")).await;
        page.anonymize().await;
        page.store_ledger().await;
        page.click("#counterfeit-counts > summary").await;
        page.click("#accept-exposure").await;
        let counts = page.download("#download-counts").await;
        assert!(counts.starts_with(b"class,counterfeits"), "{}", text(&counts));
        page.find("#series-spent").await;
        look(&page, &state("saved")).await;
        page.shot(&shot("saved")).await;
        page.close().await;
    }
}

/// 30,000 rows onto a ledger of 100,000 people: prints how long the page takes. By hand, for it takes minutes:
/// `cargo test --release -p lookalike-tests --test browser -- --ignored --nocapture many_people`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "only says how long it takes"]
async fn many_people_in_the_page() {
    let folder = Folder::new();
    let all = demo::hospital(110_000, 9);
    let (header, rows) = all.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    folder.write("1.csv", format!("{header}\n{}\n", rows[..100_000].join("\n")));
    folder.write("2.csv", format!("{header}\n{}\n", rows[80_000..].join("\n")));
    let first = "republish 1.csv --ledger ledger.json --begin --id patient --mode tau-safety --m 3 --quasi sex,age,postcode \
                 --sensitive diagnosis --seed 1 --effort 0.1 -o r1.csv";
    folder.succeed(&first.split_whitespace().collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    open(&page, &folder, "2.csv").await;
    page.choose("#series-kind", "later").await;
    let began = std::time::Instant::now();
    give(&page, "#ledger-input", &[folder.file("ledger.json")]).await;
    page.find("#series-ledger[data-releases='1']").await;
    println!("the ledger of 100,000 people is read in {:?}", began.elapsed());
    for effort in ["0.3", "1"] {
        page.fill("#effort", effort).await;
        if page.client.find(fantoccini::Locator::Css("#series-replaces")).await.is_ok() {
            page.click("#series-replaces").await;
        }
        let began = std::time::Instant::now();
        page.anonymize().await;
        page.store_ledger().await;
        let report = page.report().await;
        let loss = &report["objective"]["information_loss_percent"];
        println!("effort {effort}: {:?}, information loss {loss} %", began.elapsed());
    }
    page.close().await;
}
