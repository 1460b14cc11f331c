//! The published table as a workbook: saved by the page, it holds what the command line's workbook holds.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use lookalike_tests::{program::Folder, tables::coded_patients};

use crate::{
    page::{Page, turns_to},
    text,
};

/// All cells of the only sheet, row by row.
fn cells(workbook: &[u8]) -> Vec<Vec<Data>> {
    let mut book = Xlsx::new(Cursor::new(workbook)).unwrap();
    let names = book.sheet_names();
    assert_eq!(names.len(), 1, "{names:?}");
    let sheet = book.worksheet_range(&names[0]).unwrap();
    sheet.rows().map(<[Data]>::to_vec).collect()
}

async fn asked(page: &Page, folder: &Folder) {
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in [("zip", "quasi"), ("age", "quasi"), ("disease", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.5").await;
    page.anonymize().await;
}

/// Semicolons, a formula, and codes that a spreadsheet would take for numbers.
fn table() -> String {
    let plain = coded_patients(100).replace("flu", "=1+1").replace(',', ";");
    plain.lines().enumerate().fold(String::new(), |text, (row, line)| {
        text + &(if row > 0 { format!("0{line}\n") } else { format!("{line}\n") })
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workbook_holds_the_cells_of_the_command_lines_workbook() {
    let folder = Folder::new();
    folder.write("in.csv", table());
    let run = "anonymize in.csv --quasi zip,age --sensitive disease --model k-anonymity --k 5 --effort 0.5 --seed 1 --loss ncp";
    for out in ["out.csv", "out.xlsx"] {
        folder.succeed(&run.split(' ').chain(["-o", out]).collect::<Vec<_>>());
    }
    let page = Page::open(&[]).await;
    asked(&page, &folder).await;
    let hint = page.text("#workbook").await;
    assert!(hint.contains("numbers as numbers and all else as text"), "{hint}");
    let workbook = page.saved("#download-xlsx", "in-anonymized.xlsx").await;
    let said = "return document.getElementById('workbook').innerText";
    let told =
        turns_to(&page, said, "what was read back", |now| now.as_str().unwrap().contains("was saved")).await;
    // The header and 100 rows of zip, age, disease and class.
    let told = told.as_str().unwrap();
    assert!(told.contains("all 404 cells in 101 rows are those of the bytes"), "{told}");
    page.shot("workbook-saved").await;

    let (here, there) = (cells(&workbook), cells(&folder.read("out.xlsx")));
    assert_eq!((here.len(), here[0].len()), (101, 4));
    assert!(here == there, "other cells than those of the command line");
    assert!(workbook == folder.read("out.xlsx"), "the same cells, other bytes");
    // As text what is text, as numbers what is one.
    let column = |name: &str| here[0].iter().position(|cell| *cell == Data::String(name.to_owned())).unwrap();
    assert!(here.iter().any(|row| row[column("disease")] == Data::String(String::from("=1+1"))));
    assert!(here[1..].iter().all(|row| matches!(row[column("class")], Data::Float(_))));
    // The table itself keeps the form of the file.
    let csv = page.download("#download-table").await;
    assert_eq!(text(&csv), folder.text("out.csv"));
    assert!(text(&csv).starts_with("zip;age;disease;class\n"), "{}", text(&csv).lines().next().unwrap());
    assert!(page.sink.requests().is_empty());
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_no_place_in_a_workbook_is_said() {
    let folder = Folder::new();
    let long = "x".repeat(40_000);
    let rows = (0..20).map(|row| format!("1,{},{long}\n", 20 + row)).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("zip,age,disease\n{rows}"));
    let page = Page::open(&[]).await;
    asked(&page, &folder).await;
    page.click("#download-xlsx").await;
    let said = "return document.getElementById('workbook').innerText";
    let told =
        turns_to(&page, said, "a refusal", |now| now.as_str().unwrap().contains("No file was saved")).await;
    let told = told.as_str().unwrap();
    assert!(told.contains("32,767") && told.contains("Save the table by the first button"), "{told}");
    // The table is there as it was.
    assert!(text(&page.download("#download-table").await).starts_with("zip,age,disease,class\n"));
    page.close().await;
}
