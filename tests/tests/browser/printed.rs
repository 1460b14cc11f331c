//! The statement on paper: two sheets and an annex, in every language, on A4 and Letter, with nothing cut off and no table broken.

use std::fs;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use lookalike_core::statement::{Made, NamedFile, statement};
use lookalike_model::report::{Private, Report};
use lookalike_tests::{data, program::Folder};
use lookalike_words::{Catalogue, Flags, Language, Speaker, TEXTS};
use serde_json::{Value, json};

use crate::page::Page;

/// A size of paper.
struct Paper {
    name: &'static str,
    /// Inches.
    width: f64,
    height: f64,
}

const PAPERS: [Paper; 2] =
    [Paper { name: "A4", width: 8.27, height: 11.69 }, Paper { name: "Letter", width: 8.5, height: 11.0 }];

/// What the style sheet leaves free on the left and on the right together, in inches.
const MARGINS: f64 = 2.0 * 17.0 / 25.4;

/// Makes the first and the last row of each table headings, which a PDF lists with the page they are on, and says what there is to
/// find, in its order: the sheet, and the table of a row.
const MARK: &str = "document.querySelectorAll('table').forEach((table, at) => {\
    const rows = table.querySelectorAll('tbody th');\
    for (const row of [rows[0], rows[rows.length - 1]]) { row.setAttribute('role', 'heading'); row.setAttribute('aria-level', '6');\
    row.dataset.table = at; } });\
    const sheets = [...document.querySelectorAll('.sheet')];\
    return [...document.querySelectorAll('h1, h2, h3, [role=heading]')]\
    .map((found) => [sheets.indexOf(found.closest('.sheet')), found.dataset.table ? Number(found.dataset.table) : -1])";

/// What is wider than the paper.
const CUT_OFF: &str = "return [...document.querySelectorAll('body *')].filter((part) => \
    part.getBoundingClientRect().right > document.documentElement.clientWidth + 1 || part.scrollWidth > part.clientWidth + 1 && \
    part.clientWidth > 0).map((part) => part.outerHTML.slice(0, 200))";

/// The page of each heading of a PDF, from 0, in their order, and how many pages there are. Chromium writes pages and headings as plain
/// text.
fn headings(pdf: &[u8]) -> (Vec<usize>, usize) {
    let text: String = pdf.iter().map(|byte| char::from(*byte)).collect();
    let mut pages: Vec<usize> = Vec::new();
    for (at, _) in text.match_indices("/Type /Page\n") {
        let before = text[..at].rsplit_once(" 0 obj").unwrap().0;
        pages.push(before.rsplit('\n').next().unwrap().parse().unwrap());
    }
    let mut found: Vec<(usize, f64)> = Vec::new();
    for (at, _) in text.match_indices("/Dest [") {
        let mut words = text[at + 7..].split_whitespace();
        let object: usize = words.next().unwrap().parse().unwrap();
        let page = pages.iter().position(|page| *page == object).unwrap();
        let height: f64 = words.nth(4).unwrap().parse().unwrap();
        found.push((page, -height));
    }
    found.sort_by(|one, two| one.partial_cmp(two).unwrap());
    (found.into_iter().map(|(page, _)| page).collect(), pages.len())
}

/// The statement of the run in the folder, in a language.
fn written(folder: &Folder, language: &str, file: &str) -> String {
    let report: Report = serde_json::from_value(folder.json("r.json")).unwrap();
    let private: Private = serde_json::from_value(folder.json("p.json")).unwrap();
    let report = private.exact.as_deref().cloned().unwrap_or(report);
    let made = Made {
        at: String::from("2026-05-01T14:03:22Z"),
        source: Some(String::from("in.csv")),
        release: NamedFile::of(Some(String::from("out.csv")), &folder.read("out.csv")),
        report: Some(NamedFile::of(Some(String::from("r.json")), &folder.read("r.json"))),
        ..Made::default()
    };
    let catalogue = Catalogue::read(file).unwrap();
    let speaker = Speaker::new(Language::of(language).unwrap(), &catalogue, &Flags);
    statement(&report, &private, &made).html(&speaker)
}

/// Prints the statement of the folder on each paper, and looks where what stands.
async fn fits(page: &Page, folder: &Folder, name: &str) {
    page.client.goto(&format!("file://{}", folder.file("s.html"))).await.unwrap();
    page.find("h1").await;
    let marks = page.client.execute(MARK, vec![]).await.unwrap();
    let marks: Vec<(usize, i64)> = serde_json::from_value(marks).unwrap();
    for Paper { name: paper, width, height } in &PAPERS {
        let told = format!("{name}, {paper}");
        let print = json!({ "paperWidth": width, "paperHeight": height, "generateDocumentOutline": true });
        let printed = page.devtools("Page.printToPDF", print).await;
        let pdf = BASE64_STANDARD.decode(printed["data"].as_str().unwrap()).unwrap();
        if let Ok(shots) = std::env::var("LOOKALIKE_SHOTS") {
            fs::create_dir_all(&shots).unwrap();
            fs::write(format!("{shots}/statement-{name}-{paper}.pdf"), &pdf).unwrap();
        }
        let (found, pages) = headings(&pdf);
        assert_eq!(found.len(), marks.len(), "{told}");
        assert!(pages > 2, "{told}: {pages}");
        let mut tables: Vec<Vec<usize>> = Vec::new();
        for (on, (sheet, table)) in found.iter().zip(&marks) {
            match sheet {
                0 | 1 => assert_eq!(on, sheet, "{told}: a sheet is a page, {found:?}"),
                _ => assert!(*on >= 2, "{told}: {found:?}"),
            }
            if let Ok(table) = usize::try_from(*table) {
                tables.resize(tables.len().max(table + 1), Vec::new());
                tables[table].push(*on);
            }
        }
        let annex = marks.iter().position(|(sheet, _)| *sheet == 2).unwrap();
        assert_eq!(found[annex], 2, "{told}: the annex begins on the third page");
        assert!(tables.len() > 8, "{told}: {tables:?}");
        assert!(tables.iter().all(|on| on.iter().all(|page| *page == on[0])), "{told}: {tables:?}");

        // As wide as the paper between its margins, in CSS pixels.
        page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
        let between = ((width - MARGINS) * 96.0).floor();
        let screen = json!({ "width": between, "height": 1200, "deviceScaleFactor": 1, "mobile": false });
        page.devtools("Emulation.setDeviceMetricsOverride", screen).await;
        assert_eq!(page.client.execute(CUT_OFF, vec![]).await.unwrap(), json!([]), "{told}");
        page.devtools("Emulation.clearDeviceMetricsOverride", json!({})).await;
        page.devtools("Emulation.setEmulatedMedia", json!({ "media": "" })).await;
    }
}

async fn prints(folder: &Folder, flags: &str, name: &str) {
    let files = "-o out.csv --report r.json --private p.json --statement s.html --seed 5 --effort 0.1";
    let args = format!("anonymize in.csv {flags} {files}");
    folder.succeed(args.split_whitespace().collect::<Vec<_>>().as_slice());
    assert_eq!(folder.json("r.json")["audit"]["passed"], Value::Bool(true));
    let page = Page::open(&[]).await;
    fits(&page, folder, &format!("{name}-terminal")).await;
    for (language, words) in TEXTS {
        folder.write("s.html", written(folder, language, words));
        fits(&page, folder, &format!("{name}-{language}")).await;
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hospital_s_statement_is_two_sheets_and_an_annex() {
    let folder = Folder::new();
    folder.write("in.csv", include_str!("../../../samples/hospital.csv"));
    let flags =
        "--quasi sex,age,postcode --sensitive diagnosis --model m-invariance --m 4 --missing-quasi drop";
    prints(&folder, flags, "hospital").await;
}

/// With made-up records, people who were left out, values that are not known, and columns that are published as they are, there is most
/// to say.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_longest_statements_are_two_sheets_and_an_annex() {
    let folder = Folder::new();
    folder.write("in.csv", include_str!("../../../samples/hospital.csv"));
    let flags = "--quasi sex,age,postcode --sensitive diagnosis --model m-invariance --m 8 --missing-quasi drop \
                 --eligibility hybrid";
    prints(&folder, flags, "changed").await;
    let flags = "--quasi sex,age,postcode --sensitive diagnosis --model m-invariance --m 4 --missing-quasi drop \
                 --unchanged nights";
    prints(&folder, flags, "unchanged").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adult_s_statement_is_two_sheets_and_an_annex() {
    let Some(adult) = data::file("adult-train.csv") else { return };
    let folder = Folder::new();
    folder.write("in.csv", fs::read(adult).unwrap());
    let flags = "--quasi age,workclass,education,marital-status,occupation,race,sex,native-country --sensitive income --model \
                 k-anonymity --k 5 --missing-quasi value";
    prints(&folder, flags, "adult").await;
}
