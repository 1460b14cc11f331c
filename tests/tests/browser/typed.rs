//! Files whose columns have types: opened and saved by the page, with the bytes of the command line.

use std::{collections::BTreeSet, io::Cursor};

use lookalike_core::table::OpenOptions;
use lookalike_forms::{Target, open, write};
use lookalike_model::{described::Described, dialect::Dialect};
use lookalike_tests::{
    program::{self, Folder},
    tables::coded_patients,
};

use crate::page::{Page, turns_to};

/// Publishes the table as the command line does with the same flags.
async fn publish(page: &Page) {
    for (column, role) in [("zip", "quasi"), ("age", "quasi"), ("disease", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.5").await;
    page.anonymize().await;
}

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
    publish(&page).await;
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
        folder.write(&name, write(target, table.as_bytes(), dialect, &[]).unwrap().0);
        opened_and_saved(&folder, &name, ending).await;
    }
    folder.write("in.jsonl", write(Target::JsonLines, table.as_bytes(), dialect, &[]).unwrap().0);
    opened_and_saved(&folder, "in.jsonl", "jsonl").await;
}

/// What says what the columns of the text are: with the names under which the page saves both, the bytes of the command line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_is_saved_with_the_bytes_of_the_command_line() {
    let folder = Folder::new();
    let said =
        [Described { column: "age".into(), label: "Age in years".into(), codes: false, weight: false }];
    let dialect = lookalike_core::audit_dialect(Dialect::default());
    folder.write("in.dta", write(Target::Stata, coded_patients(100).as_bytes(), dialect, &said).unwrap().0);
    let run = "anonymize in.dta --quasi zip,age --sensitive disease --model k-anonymity --k 5 --effort 0.5 --seed 1 --loss ncp \
               -o in-anonymized.csv --schema";
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.dta")).await;
    publish(&page).await;
    // The fold around that of the other forms.
    page.reveal("#download-config").await;
    for ending in ["json", "sps", "do"] {
        let name = format!("in-anonymized.{ending}");
        let flags: Vec<&str> = run.split_whitespace().chain([name.as_str()]).collect();
        folder.succeed(&flags);
        let file = page.saved(&format!("#download-{ending}"), &name).await;
        assert!(file == folder.read(&name), "{name}: other bytes than the command line's");
        assert!(String::from_utf8(file).unwrap().contains("Age in years"), "{name}");
    }
    page.shot("typed-schema").await;
    assert!(page.sink.requests().is_empty());
    page.close().await;
}

/// A file with several tables says so, and the one that is chosen is read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_several_tables_of_sas_is_chosen() {
    let folder = Folder::new();
    let seed = std::fs::read(program::workspace().join("fuzz/seeds/forms/v5.xpt")).unwrap();
    // Where a table's name stands: behind five records of 80 bytes.
    let named = |name: &[u8; 8]| {
        let mut bytes = seed.clone();
        bytes[408..416].copy_from_slice(name);
        bytes
    };
    folder.write("two.xpt", [named(b"DM      "), named(b"AE      ").split_off(240)].concat());
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("two.xpt")).await.unwrap();
    page.find("#failure").await;
    let told = page.text("#failure").await;
    assert!(told.contains("holds 2 tables") && told.contains("DM") && told.contains("AE"), "{told}");
    assert!(page.text(".taken-title").await.contains("holds several tables"));
    page.shot("typed-tables").await;
    page.choose("#open-member", "AE").await;
    page.find("[data-column='real']").await;
    page.reveal("#open-notes").await;
    let told = page.text("#open-notes").await.replace(['\u{201c}', '\u{201d}'], "\"");
    assert!(told.contains("table \"AE\" of the 2 tables"), "{told}");
    page.shot("typed-table").await;
    assert!(page.sink.requests().is_empty());
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_file_with_types_is_refused_in_words() {
    let folder = Folder::new();
    let whole = write(
        Target::Parquet,
        coded_patients(100).as_bytes(),
        lookalike_core::audit_dialect(Dialect::default()),
        &[],
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

/// One file of each form, written by other programs: the page has the columns that the command line has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_each_form_opens_with_its_columns() {
    let seeds = program::workspace().join("fuzz/seeds/forms");
    let page = Page::open(&[]).await;
    let mut endings = BTreeSet::new();
    let mut files: Vec<_> = std::fs::read_dir(seeds).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).unwrap();
        // What the command line refuses is none of this test's, and one file a form is enough.
        let Ok(table) = open(Cursor::new(bytes), &OpenOptions::default()) else { continue };
        if !endings.insert(ending) {
            continue;
        }
        page.upload(&file.display().to_string()).await;
        let mut expected: Vec<&str> =
            table.header.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        expected.sort_unstable();
        let columns =
            "return [...document.querySelectorAll('[data-column]')].map((row) => row.dataset.column).sort()";
        let wanted = serde_json::json!(expected);
        turns_to(&page, columns, &format!("the columns of {}", file.display()), move |now| *now == wanted)
            .await;
    }
    for form in ["arrow", "dta", "parquet", "sas7bdat", "sav", "xpt", "zsav"] {
        assert!(endings.contains(form), "no file of the form {form}: {endings:?}");
    }
    assert!(page.sink.requests().is_empty());
    page.close().await;
}

/// Text of fixed width: the page says what it looks like, and reads it by a layout, with the bytes of the command line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_of_fixed_width_is_read_by_a_layout() {
    let folder = Folder::new();
    let lines = coded_patients(100);
    let lines = lines.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{:>5}  {} {:>3} {}\n", cells[0], cells[1], cells[2], cells[3])
    });
    folder.write("in.txt", lines.collect::<String>());
    let layout = "zip 1 5 text\nage 10 3\ndisease 14 12\n";
    folder.write("layout", layout);
    let run = "anonymize in.txt --layout layout --quasi zip,age --sensitive disease --model k-anonymity --k 5 --effort 0.5 --seed 1 \
               --loss ncp -o out.csv";
    folder.succeed(&run.split_whitespace().collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("in.txt")).await.unwrap();
    page.find("#failure").await;
    let told = page.text("#failure").await;
    assert!(told.contains("aligned by spaces") && told.contains("the layout"), "{told}");
    // A wrong layout is told with its place, and stays where it was written.
    page.enter("#open-layout", "zip 1\u{e004}").await;
    turns_to(
        &page,
        "return document.getElementById('failure').innerText",
        "the fault of the layout",
        |now| now.as_str().unwrap().contains("of the layout"),
    )
    .await;
    page.shot("typed-layout").await;
    page.find("#open-layout").await.clear().await.unwrap();
    page.find("#open-layout").await.send_keys(&format!("{layout}\u{e004}")).await.unwrap();
    page.find("[data-column='disease']").await;
    publish(&page).await;
    assert_eq!(page.download("#download-table").await, folder.read("out.csv"));
    assert!(page.sink.requests().is_empty());
    page.close().await;
}
