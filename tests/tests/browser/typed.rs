//! Files whose columns have types: opened and saved by the page, with the bytes of the command line.

use lookalike_forms::{Target, write};
use lookalike_model::dialect::Dialect;
use lookalike_tests::{program::Folder, tables::coded_patients};

use crate::page::{Page, turns_to};

/// Opens a file, publishes it, and saves it in its own form; the bytes are those of the command line.
async fn opened_and_saved(folder: &Folder, name: &str, ending: &str) {
    let out = format!("out.{ending}");
    let run =
        "--quasi zip,age --sensitive disease --model k-anonymity --k 5 --effort 0.5 --seed 1 --loss ncp";
    let flags: Vec<&str> =
        ["anonymize", name].into_iter().chain(run.split(' ')).chain(["-o", &out]).collect();
    folder.succeed(&flags);
    let page = Page::open(&[]).await;
    page.upload(&folder.file(name)).await;
    for (column, role) in [("zip", "quasi"), ("age", "quasi"), ("disease", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.5").await;
    page.anonymize().await;
    let (button, saved) =
        (format!("#download-{ending}"), format!("{}-anonymized.{ending}", name.split_once('.').unwrap().0));
    let file = page.saved(&button, &saved).await;
    let said = "return document.getElementById('workbook').innerText";
    turns_to(&page, said, "what was read back", |now| now.as_str().unwrap().contains("was saved")).await;
    page.shot(&format!("typed-{ending}")).await;
    assert!(file == folder.read(&out), "{name}: other bytes than the command line's");
    assert!(page.sink.requests().is_empty(), "{name}");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_with_types_are_opened_and_saved_with_the_bytes_of_the_command_line() {
    let folder = Folder::new();
    let table = coded_patients(100);
    let dialect = lookalike_core::audit_dialect(Dialect::default());
    for (target, ending) in [
        (Target::Parquet, "parquet"),
        (Target::Arrow, "arrow"),
        (Target::Stata, "dta"),
        (Target::Xport, "xpt"),
    ] {
        let name = format!("in.{ending}");
        folder.write(&name, write(target, table.as_bytes(), dialect).unwrap().0);
        opened_and_saved(&folder, &name, ending).await;
    }
    folder.write("in.jsonl", write(Target::JsonLines, table.as_bytes(), dialect).unwrap().0);
    opened_and_saved(&folder, "in.jsonl", "jsonl").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_file_with_types_is_refused_in_words() {
    let folder = Folder::new();
    let whole = write(
        Target::Parquet,
        coded_patients(100).as_bytes(),
        lookalike_core::audit_dialect(Dialect::default()),
    )
    .unwrap()
    .0;
    folder.write("cut.parquet", &whole[..whole.len() / 2]);
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("cut.parquet")).await.unwrap();
    let said = "return document.body.innerText";
    turns_to(&page, said, "a refusal", |now| now.as_str().unwrap().contains("Parquet")).await;
    page.shot("typed-damaged").await;
    page.close().await;
}
