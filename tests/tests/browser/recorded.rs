//! The page gives the bytes of the recorded runs, series of releases among them.

use lookalike_tests::{
    program::Folder,
    recorded::{self, Figures, Run, Step, figures},
};
use serde_json::json;

use crate::page::Page;

/// A run in the page: its settings come from the configuration that the command line saves.
struct InPage {
    page: Page,
    folder: Folder,
}

impl InPage {
    async fn open() -> Self {
        Self { page: Page::open(&[]).await, folder: Folder::new() }
    }

    /// Opens the table of a step and waits until it is there.
    async fn table(&self, step: &Step) {
        let name = step.file("table.csv");
        self.folder.write(&name, recorded::table::text(&step.table));
        self.page.upload(&self.folder.file(&name)).await;
        self.page.find(&format!("#opened[data-name='{name}']")).await;
    }

    /// Opens the configuration of a step.
    async fn configuration(&self, step: &Step) {
        let folder = Folder::new();
        step.perform(&folder, "--save-config config.json").unwrap();
        self.folder.write("config.json", folder.read("config.json"));
        self.page.click("#more-configuration > summary").await;
        self.give("#config-input", "config.json").await;
        self.page.find("#configured[data-loaded='true']").await;
    }

    /// Gives a file of the folder to a field.
    async fn give(&self, css: &str, name: &str) {
        self.page.find(&format!("{css}:enabled")).await.send_keys(&self.folder.file(name)).await.unwrap();
    }

    /// Anonymizes; what is written then.
    async fn anonymize(&self, step: &Step, in_series: bool) -> Figures {
        self.page.fill("#seed", step.flag("--seed").unwrap()).await;
        self.page.fill("#effort", step.flag("--effort").unwrap()).await;
        self.page.anonymize().await;
        let mut found = Figures::new();
        if in_series {
            found.insert(String::from("ledger.json"), json!(self.ledger().await));
        }
        for (name, link) in [("out.csv", "#download-table"), ("classes.csv", "#download-classes")] {
            let digest = figures::digest(&self.page.download(link).await);
            found.insert(String::from(name), json!(digest));
        }
        found
    }

    /// Says what the release is: the first one of a series, or one that goes on from the ledger.
    async fn release(&self, step: &Step) {
        if step.number == 1 {
            self.page.choose("#series-kind", "first").await;
            self.page.find("#series-id:enabled").await;
            self.configuration(step).await;
            self.page.choose("#series-id", step.flag("--id").unwrap()).await;
            self.page.choose("#series-mode", step.flag("--mode").unwrap()).await;
        } else {
            self.page.choose("#series-kind", "later").await;
            self.give("#ledger-input", "ledger.json").await;
            let releases = step.number - 1;
            self.page.find(&format!("#series-ledger[data-releases='{releases}']")).await;
        }
    }

    /// Saves the ledger of the release; its digest.
    async fn ledger(&self) -> String {
        let ledger = self.page.store_ledger().await;
        self.folder.write("ledger.json", &ledger);
        figures::digest_of_ledger(&ledger)
    }
}

/// What is not as it was recorded.
async fn differences(run: &Run) -> Vec<String> {
    let page = InPage::open().await;
    let mut wrong = Vec::new();
    for step in &run.steps {
        page.table(step).await;
        let in_series = step.arguments.starts_with("republish");
        if in_series {
            page.release(step).await;
        } else {
            page.configuration(step).await;
        }
        let found = page.anonymize(step, in_series).await;
        let lines = figures::differences(&step.recorded, &found, |name| found.contains_key(name));
        wrong.extend(lines.into_iter().map(|line| format!("{}: {line}", run.place(step))));
    }
    page.page.close().await;
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_gives_what_is_recorded() {
    if recorded::recording() {
        eprintln!("skipped: the record is being made");
        return;
    }
    let mut wrong = Vec::new();
    for run in recorded::runs().iter().filter(|run| run.in_page) {
        wrong.extend(differences(run).await);
    }
    assert!(wrong.is_empty(), "not as recorded:\n{}", wrong.join("\n"));
}
