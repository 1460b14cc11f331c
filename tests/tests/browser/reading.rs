//! A file that is being read can be given up; the table before it is as it was.

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::{
    command_line, hospital,
    keyboard::{ENTER, press},
    page::{Page, becomes},
    set_up, text,
};

/// Picks a file without waiting for what becomes of it.
async fn pick(page: &Page, folder: &Folder, name: &str) {
    let path = std::fs::canonicalize(folder.file(name)).unwrap();
    page.find("#file-input").await.send_keys(&path.display().to_string()).await.unwrap();
}

/// By the keyboard: what the file is taken for comes in below the button meanwhile.
async fn cancel(page: &Page) {
    page.client.execute("document.getElementById('cancel-reading').focus()", vec![]).await.unwrap();
    press(page, ENTER).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_read_can_be_given_up() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    // Some seconds of reading.
    folder.write("large.csv", lookalike_core::demo::hospital(1_500_000, 8));
    command_line(&folder, "3", "5", "5");
    for flags in [&[][..], &["--no-isolation"][..]] {
        let page = Page::open(flags).await;
        // With no table to lose.
        pick(&page, &folder, "large.csv").await;
        page.find("#reading:not([data-read='0'])").await;
        let told = page.text("#reading").await;
        assert!(told.contains("large.csv") && told.contains(" MB read"), "{told}");
        cancel(&page).await;
        becomes(&page, "return document.querySelector('#reading')", json!(null)).await;
        page.find("#sample-hospital:not([disabled])").await;
        becomes(&page, "return document.activeElement.id", json!("open")).await;
        // With one.
        set_up(&page, &folder, "3", "5", "5").await;
        pick(&page, &folder, "large.csv").await;
        page.find("#reading:not([data-read='0'])").await;
        cancel(&page).await;
        page.find("#opened[data-name='in.csv'][data-rows='300']").await;
        page.find("[data-column='diagnosis'][data-role='sensitive']").await;
        page.anonymize().await;
        assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
        page.close().await;
    }
}
