//! Files of all forms come in: what they were taken for is shown, can be changed, and gives what the command line gives.

use std::{
    fs,
    io::{Cursor, Write},
    path::Path,
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use lookalike_tests::program::{Folder, PATIENCE, workspace};
use serde_json::Value;
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{ROLES, forms::more, hospital, page::Page, text};

/// How the page and the command line are asked to anonymize.
const SETTINGS: [&str; 14] = [
    "--quasi",
    "age,sex,nights",
    "--sensitive",
    "diagnosis",
    "--model",
    "m-invariance",
    "--m",
    "3",
    "--seed",
    "5",
    "--effort",
    "1",
    "--loss",
    "ncp",
];

/// With semicolons and letters beyond ASCII, one byte a letter.
fn latin(table: &str) -> Vec<u8> {
    let table =
        table.replace(',', ";").replace("asthma", "asthme sévère").replace("depression", "dépression");
    table.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

pub(crate) fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let mut packer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        packer.start_file(*name, SimpleFileOptions::default()).unwrap();
        packer.write_all(text.as_bytes()).unwrap();
    }
    packer.finish().unwrap().into_inner()
}

/// A workbook with the sheets "Notes" and "Patients & nights"; numbers are cells of numbers in the second.
fn workbook(table: &str) -> Vec<u8> {
    const SPACE: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let packages = "http://schemas.openxmlformats.org/package/2006/relationships";
    let cell = |text: &str| match text.parse::<u32>() {
        Ok(number) if !text.starts_with('0') => format!("<c><v>{number}</v></c>"),
        _ => format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>"),
    };
    let sheet = |table: &str| {
        let row = |line: &str| format!("<row>{}</row>", line.split(',').map(cell).collect::<String>());
        let rows: String = table.lines().map(row).collect();
        format!("<worksheet {SPACE}><sheetData>{rows}</sheetData></worksheet>")
    };
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        (
            "_rels/.rels",
            &format!(
                "<Relationships xmlns=\"{packages}\"><Relationship Id=\"r1\" Type=\"{office}/officeDocument\" \
                 Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            &format!(
                "<workbook {SPACE} xmlns:r=\"{office}\"><sheets><sheet name=\"Notes\" sheetId=\"1\" r:id=\"r1\"/>\
                 <sheet name=\"Patients &amp; nights\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &format!(
                "<Relationships xmlns=\"{packages}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" \
                 Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Type=\"{office}/worksheet\" \
                 Target=\"worksheets/sheet2.xml\"/></Relationships>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", &sheet("note\nfor the archive\n")),
        ("xl/worksheets/sheet2.xml", &sheet(table)),
    ])
}

/// A file in the form of old Office programmes whose directory, in the first sector, names this stream.
fn compound(stream: &str) -> Vec<u8> {
    let mut bytes = vec![0; 1024];
    bytes[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    bytes[30] = 9;
    for (at, unit) in stream.encode_utf16().enumerate() {
        bytes[512 + 2 * at..][..2].copy_from_slice(&unit.to_le_bytes());
    }
    bytes
}

/// Picks a file and waits until it is open.
async fn open(page: &Page, folder: &Folder, name: &str) {
    pick(page, folder, name).await;
    page.find(&format!("#opened[data-name=\"{name}\"]")).await;
}

async fn pick(page: &Page, folder: &Folder, name: &str) {
    let file = fs::canonicalize(folder.file(name)).unwrap();
    page.find("#file-input").await.send_keys(&file.display().to_string()).await.unwrap();
}

/// Fills in the form and anonymizes; the page's four files must be those of the command line.
async fn compare(page: &Page, folder: &Folder, name: &str, flags: &[&str]) {
    let outputs = ["-o", "out.csv", "--classes", "classes.csv", "--report", "r.json", "--private", "p.json"];
    folder.succeed(&[&["anonymize", name], flags, &SETTINGS, &outputs].concat());
    for (column, role) in ROLES {
        page.role(column, role).await;
    }
    page.choose("#model", "m-invariance").await;
    page.fill("#m", "3").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"), "{name}");
    assert_eq!(text(&page.download("#download-classes").await), folder.text("classes.csv"), "{name}");
    // With the statement all is saved that is asked about: the next table opens without a question.
    assert!(!page.download("#download-statement").await.is_empty());
    let here: Value = serde_json::from_slice(&page.download("#download-private").await).unwrap();
    let there = folder.json("p.json");
    // How the input was read, by the same words, and its fingerprint.
    assert!(here["warnings"].as_array().is_some_and(|notes| !notes.is_empty()), "{name}: {here}");
    assert_eq!(
        (&here["warnings"], &here["input_hash"]),
        (&there["warnings"], &there["input_hash"]),
        "{name}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_encodings_packed_files_and_workbooks_give_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("latin.csv", latin(&hospital()));
    folder.write("packed.csv.gz", gzip(&hospital()));
    folder.write("book.xlsx", workbook(&hospital()));
    let page = Page::open(&[]).await;

    open(&page, &folder, "latin.csv").await;
    assert_eq!(page.attribute("#open-form", "data-encoding").await, "windows-1252");
    assert_eq!(page.attribute("#open-form", "data-delimiter").await, ";");
    assert!(page.text("#open-notes").await.contains("semicolon, 7 fields"));
    assert!(page.text("#input-preview").await.contains("sévère"));
    compare(&page, &folder, "latin.csv", &[]).await;
    assert!(folder.text("out.csv").contains("dépression"));

    open(&page, &folder, "packed.csv.gz").await;
    assert_eq!(page.attribute("#open-form", "data-packing").await, "gzip");
    compare(&page, &folder, "packed.csv.gz", &[]).await;

    open(&page, &folder, "book.xlsx").await;
    assert_eq!(page.attribute("#opened", "data-columns").await, "1");
    page.choose("#open-sheet", "Patients & nights").await;
    page.find("#open-form[data-sheet='Patients & nights']").await;
    page.find("#opened[data-columns='7']").await;
    compare(&page, &folder, "book.xlsx", &["--sheet", "Patients & nights"]).await;
    assert_eq!(page.sink.requests(), Vec::<String>::new());
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_isolation_other_files_open_too() {
    let folder = Folder::new();
    folder.write("latin.csv", latin(&hospital()));
    let page = Page::open(&["--no-isolation"]).await;
    open(&page, &folder, "latin.csv").await;
    compare(&page, &folder, "latin.csv", &[]).await;
    page.close().await;
}

/// What was found can be changed, before and after it went wrong, and the focus stays where the change was made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_file_is_taken_for_can_be_changed() {
    let folder = Folder::new();
    // "Łódź" in ISO 8859-2; taken for Windows-1252, these bytes are "£ódŸ".
    folder.write("lodz.csv", b"town;no|te\n\xa3\xf3d\xbc;a|b\nK\xf3rnik;c|d\n");
    folder.write("short.csv", "a,b,c\n1,2,3\n4\n5,6,7\n");
    let page = Page::open(&[]).await;
    open(&page, &folder, "lodz.csv").await;
    page.choose("#open-encoding", "iso-8859-2").await;
    page.find("#open-form[data-encoding='ISO-8859-2']").await;
    page.find("#opened").await;
    assert!(page.text("#input-preview").await.contains("Łódź"), "{}", page.text("#input-preview").await);
    let focus = "return document.activeElement.id";
    assert_eq!(page.client.execute(focus, vec![]).await.unwrap(), "open-encoding");
    page.choose("#open-delimiter", "|").await;
    page.find("#open-form[data-delimiter='|']").await;
    page.find("#opened[data-columns='2']").await;
    assert!(page.text("#input-preview").await.contains("town;no"));
    page.choose("#open-encoding", "utf-8").await;
    page.find("#failure").await;
    assert!(page.text("#failure").await.contains("not UTF-8"), "{}", page.text("#failure").await);

    // The file that failed stays in reach, with its text; the open table stays open.
    pick(&page, &folder, "short.csv").await;
    page.find("#open-form[aria-label*='short.csv']").await;
    page.find("#failure").await;
    assert!(page.text("#failure").await.contains("row 2 (line 3 of the file)"));
    assert!(page.text("#open-beginning").await.contains("5,6,7"));
    page.find("#opened[data-name='lodz.csv']").await;
    page.choose("#open-short", "pad").await;
    page.find("#opened[data-name='short.csv'][data-rows='3']").await;
    assert!(page.text("#input-warnings").await.contains("row 2"), "{}", page.text("#input-warnings").await);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_an_archive_is_chosen() {
    let folder = Folder::new();
    folder.write("two.zip", archive(&[("notes.csv", "a\n1\n"), ("data/patients.csv", &hospital())]));
    let page = Page::open(&[]).await;
    pick(&page, &folder, "two.zip").await;
    page.find("#failure").await;
    assert!(page.text("#failure").await.contains("2 files"), "{}", page.text("#failure").await);
    page.choose("#open-member", "notes.csv").await;
    page.find("#opened[data-columns='1']").await;
    // The other one stays in reach.
    page.choose("#open-member", "data/patients.csv").await;
    page.find("#opened[data-columns='7']").await;
    compare(&page, &folder, "two.zip", &["--member", "data/patients.csv"]).await;
    page.close().await;
}

/// A person in the first row would be published as the names of the columns.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_row_that_may_be_a_record_is_asked_about() {
    let folder = Folder::new();
    folder.write("in.csv", "m,20,01067\nf,30,10115\nm,40,04109\n");
    folder.write("in.json", "[{\"age\":17},\n{\"age\":18}]\n");
    folder.write("in.jsonl", "{\"age\":17}\n{\"age\":18,\"sex\":\"m\"}\n");
    folder.write("titled.csv", "Title\n\nage,sex\n17,m\n18,f\n19,f\n20,m\nTotal\n");
    let page = Page::open(&[]).await;
    pick(&page, &folder, "in.csv").await;
    page.find("#failure").await;
    let told = page.text("#failure").await;
    for part in
        ["As a header: the columns are named 'm', '20', '01067'", "As data: the first record is", "First row"]
    {
        assert!(told.contains(part), "{told}");
    }
    page.choose("#open-first", "no").await;
    page.find("#opened[data-rows='3'][data-columns='3']").await;
    page.find("[data-column='column1']").await;
    page.choose("#open-first", "yes").await;
    page.find("#opened[data-rows='2']").await;
    page.find("[data-column='01067']").await;

    pick(&page, &folder, "in.json").await;
    page.find("#failure").await;
    assert!(page.text("#failure").await.contains("The file is JSON"), "{}", page.text("#failure").await);
    pick(&page, &folder, "in.jsonl").await;
    page.find("#opened[data-rows='2'][data-columns='2']").await;
    assert!(page.text("#open-notes").await.contains("JSON lines"), "{}", page.text("#open-notes").await);

    pick(&page, &folder, "titled.csv").await;
    page.find("#failure").await;
    let told = page.text("#failure").await;
    assert!(
        told.contains("the first 2 lines of the file look like a title") && told.contains("Lines to skip"),
        "{told}"
    );
    page.enter("#open-skip-first", "2").await;
    page.find("#failure").await;
    page.enter("#open-skip-last", "1").await;
    page.find("#opened[data-name='titled.csv'][data-rows='4']").await;
    assert!(page.text("#input-warnings").await.contains("'Total'"), "{}", page.text("#input-warnings").await);
    page.close().await;
}

/// Several rows of one person hide nobody: a run waits until it is said what the rows are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_repeats_is_asked_about_before_a_run() {
    let folder = Folder::new();
    let rows = (0..60).map(|row| format!("p{},{}\n", row % 12, 20 + row % 12));
    folder.write("in.csv", String::from("patient_id,age\n") + &rows.collect::<String>());
    let page = Page::open(&[]).await;
    open(&page, &folder, "in.csv").await;
    page.role("age", "quasi").await;
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.find("#rows-are").await;
    let told = page.text("main").await;
    assert!(
        told.contains("patient_id looks like the key of a person and has 12 different values in 60 rows"),
        "{told}"
    );
    page.choose("#rows-are", "keyed").await;
    assert!(
        page.text("main").await.contains("holds the key of a person and has 12 different values in 60 rows")
    );
    page.choose("#rows-are", "people").await;
    page.anonymize().await;
    let private: Value = serde_json::from_slice(&page.download("#download-private").await).unwrap();
    assert_eq!(private["settings"]["rows_are"], "people");
    page.choose("#rows-are", "of-persons").await;
    page.find("#person").await;
    page.anonymize().await;
    let private: Value = serde_json::from_slice(&page.download("#download-private").await).unwrap();
    assert_eq!(private["settings"]["rows_are"]["events-of"], "patient_id");
    page.click("#more-metrics > summary").await;
    assert!(page.text("#more-metrics").await.contains("12 people in 60 rows"));
    page.close().await;
}

/// What is missing is counted anew when that changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_follow_the_markers() {
    let folder = Folder::new();
    folder.write("in.csv", "age,job\n30,nurse\n40,none\n50,none\n60,smith\n");
    let page = Page::open(&[]).await;
    open(&page, &folder, "in.csv").await;
    let missing = "[data-detail='job'] .numbers";
    more(&page, "job").await;
    assert_eq!(page.attribute(missing, "data-missing").await, "0");
    page.role("job", "sensitive").await;
    page.find("#survey-table").await;
    page.click("#more-missing > summary").await;
    page.fill("#markers", "none").await;
    more(&page, "job").await;
    let now = page.attribute_not(missing, "data-missing", "0").await;
    assert_eq!(now, "2");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_opened_is_explained() {
    let folder = Folder::new();
    let mut damaged = gzip(&hospital());
    damaged.truncate(damaged.len() - 20);
    let cases = [
        ("damaged.csv.gz", damaged, "The gzip file is damaged"),
        ("two.zip", archive(&[("a.csv", "a\n1\n"), ("b.csv", "b\n1\n")]), "2 files (\"a.csv\", \"b.csv\")"),
        ("locked.xlsx", compound("EncryptedPackage"), "protected by a password"),
        ("old.xls", compound("Workbook"), "old form (.xls)"),
    ];
    let page = Page::open(&[]).await;
    for (name, bytes, says) in cases {
        folder.write(name, bytes);
        pick(&page, &folder, name).await;
        let end = tokio::time::Instant::now() + PATIENCE;
        while !page.text("#failure").await.contains(says) {
            assert!(tokio::time::Instant::now() < end, "{name}: {}", page.text("#failure").await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    // Nothing is broken by it.
    folder.write("in.csv", hospital());
    open(&page, &folder, "in.csv").await;
    page.close().await;
}

/// The import module is asked for only when it is needed: here it is not there at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plain_text_does_without_the_import_module() {
    let dist = std::env::var_os("LOOKALIKE_DIST")
        .map_or_else(|| workspace().join("target/web/dist"), std::path::PathBuf::from);
    let folder = Folder::new();
    copy(&dist, &folder.path().join("page"));
    fs::remove_dir_all(folder.path().join("page/import")).unwrap();
    folder.write("in.csv", hospital());
    folder.write("in.tsv", hospital().replace(',', "\t"));
    folder.write("in.csv.gz", gzip(&hospital()));
    let page = Page::open(&["--page", &folder.file("page")]).await;
    open(&page, &folder, "in.csv").await;
    open(&page, &folder, "in.tsv").await;
    assert_eq!(page.attribute("#open-form", "data-delimiter").await, "\t");
    pick(&page, &folder, "in.csv.gz").await;
    page.find("#failure").await;
    assert!(page.text("#failure").await.contains("could not be loaded"), "{}", page.text("#failure").await);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cells_are_pasted_from_a_spreadsheet() {
    let page = Page::open(&[]).await;
    let paste = "const data = new DataTransfer(); data.setData('text/plain', arguments[0]);\
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));";
    // A word or a line is no table.
    page.client.execute(paste, vec!["a\tb\n".into()]).await.unwrap();
    page.client.execute(paste, vec!["age\tsex\n30\tF\n40\tM\n".into()]).await.unwrap();
    page.find("#opened[data-columns='2'][data-rows='2']").await;
    assert_eq!(page.attribute("#open-form", "data-delimiter").await, "\t");
    assert_eq!(page.text("#failure").await, "");
    page.close().await;
}

/// Pictures for people: only with `LOOKALIKE_SHOTS=folder`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_of_opening() {
    if std::env::var_os("LOOKALIKE_SHOTS").is_none() {
        eprintln!("skipped: pictures are taken with LOOKALIKE_SHOTS=folder only");
        return;
    }
    let folder = Folder::new();
    folder.write("latin.csv", latin(&hospital()));
    folder.write("book.xlsx", workbook(&hospital()));
    folder.write("short.csv", "age,sex,diagnosis\n31,F,flu\n45\n52,M,angina\n");
    for (width, dark) in [(1280, false), (1280, true), (360, false), (360, true)] {
        let name = |state: &str| format!("opening-{width}-{}-{state}", if dark { "dark" } else { "light" });
        let page = Page::open_as(&[], width, dark).await;
        page.shot(&name("0-empty")).await;
        open(&page, &folder, "latin.csv").await;
        page.shot(&name("1-text")).await;
        open(&page, &folder, "book.xlsx").await;
        page.shot(&name("2-workbook")).await;
        pick(&page, &folder, "short.csv").await;
        page.find("#failure").await;
        page.shot(&name("3-failure")).await;
        page.choose("#open-short", "pad").await;
        page.find("#input-warnings").await;
        page.shot(&name("4-warnings")).await;
        page.close().await;
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let goal = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &goal);
        } else {
            fs::copy(&path, &goal).unwrap();
        }
    }
}
