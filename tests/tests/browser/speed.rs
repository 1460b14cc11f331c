//! How fast the page's search is beside the native one: only with `LOOKALIKE_SPEED=1`, for people.

use super::{Page, set_up};
use lookalike_tests::program::Folder;

/// The same search, one thread each, by turns; the fastest run of each counts, since the machine may be busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn speed_beside_the_native_search() {
    if std::env::var_os("LOOKALIKE_SPEED").is_none() {
        eprintln!("skipped: speed is measured with LOOKALIKE_SPEED=1 only");
        return;
    }
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(1500, 7));
    let flags = "anonymize in.csv --quasi age,sex,nights --sensitive diagnosis --model m-invariance --m 4 --eligibility add \
                 --seed 3 --effort 20 --loss ncp --threads 1 -o out.csv --report report.json";
    let (mut here, mut there) = (f64::INFINITY, f64::INFINITY);
    let seconds = |report: &serde_json::Value| report["seconds"]["solve"].as_f64().unwrap();
    for _ in 0..5 {
        let page = Page::open(&["--no-isolation"]).await;
        set_up(&page, &folder, "4", "3", "20").await;
        page.anonymize().await;
        here = here.min(seconds(&page.report().await));
        page.close().await;
        folder.succeed(&flags.split_whitespace().collect::<Vec<_>>());
        there = there.min(seconds(&folder.json("report.json")));
    }
    eprintln!(
        "speed: page {here:.2} s, native {there:.2} s; native takes {:.2} of the page's time",
        there / here
    );
}
