//! The published table as a workbook: its cells are those of the CSV that was judged, and its XML is looked at as it is.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::io::{Cursor, Read as _};

use lookalike_tests::program::Folder;
use sha2::{Digest as _, Sha256};

const INPUT: &str = "age,zip,note,illness\n18,01067,=1+1,a\n20,01067,=1+1,b\n40,10115,\"x, \"\"y\"\" <&>\",a\n44,10115,\"x, \"\"y\"\" <&>\",b\n";

const RUN: [&str; 14] = [
    "anonymize",
    "in.csv",
    "--quasi",
    "age,zip,note",
    "--sensitive",
    "illness",
    "--model",
    "k-anonymity",
    "--k",
    "2",
    "--publish",
    "min-max",
    "--seed",
    "1",
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", INPUT);
    folder
}

#[test]
fn a_workbook_holds_the_cells_of_the_csv_and_is_the_same_every_time() {
    let folder = folder();
    let run = |more: &[&str]| folder.succeed(&[&RUN[..], more].concat());
    run(&["-o", "out.csv"]);
    let told = run(&["-o", "out.xlsx", "--report", "report.json", "--statement", "statement.html"]);
    assert!(!told.stderr.contains("as a formula"), "{}", told.stderr);
    let report = folder.json("report.json").to_string();
    assert!(report.contains("the workbook holds the cells that were judged"), "{report}");
    assert!(
        report.contains(
            "all 30 cells in 5 rows are those of the bytes that the audit's own strict reader read"
        ),
        "{report}"
    );
    assert!(report.contains("\"reader\":\"strict\"") && !report.contains("--output-formulas"), "{report}");
    // As the XML has it: numbers as numbers, all else as text, no formula.
    let xml = |name: &str| {
        let mut text = String::new();
        let mut packed = zip::ZipArchive::new(Cursor::new(folder.read("out.xlsx"))).unwrap();
        packed.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let (sheet, texts) = (xml("xl/worksheets/sheet1.xml"), xml("xl/sharedStrings.xml"));
    assert!(sheet.contains(r#"<c r="A2"><v>18</v></c>"#) && !sheet.contains("<f>"), "{sheet}");
    assert!(texts.contains("<t>01067</t>") && texts.contains("<t>=1+1</t>"), "{texts}");
    assert!(texts.contains("x, \"y\" &lt;&amp;&gt;"), "{texts}");
    // The digest of the file that there is.
    let bytes = folder.read("out.xlsx");
    assert!(bytes.starts_with(b"PK"));
    let digest = format!("{:x}", Sha256::digest(&bytes));
    assert!(folder.text("statement.html").contains(&digest), "{digest}");
    // Read by the program again, it is the CSV.
    folder.succeed(&[
        "anonymize",
        "out.xlsx",
        "--quasi",
        "age_min,age_max,zip,note",
        "--sensitive",
        "illness",
        "--model",
        "k-anonymity",
        "--k",
        "2",
        "--class-column",
        "group",
        "--seed",
        "1",
        "-o",
        "back.csv",
    ]);
    let back = folder.text("back.csv");
    let without = |text: &str| {
        let cut = |line: &str| line.rsplit_once(',').unwrap().0.to_owned();
        text.lines().skip(1).map(cut).collect::<Vec<_>>()
    };
    assert_eq!(without(&back), without(&folder.text("out.csv")));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    run(&["-o", "OUT.XLSX"]);
    assert!(folder.read("OUT.XLSX") == bytes, "no time of day in it");
}

#[test]
fn what_a_workbook_cannot_be_is_said_before_anything_is_written() {
    let folder = folder();
    for (more, told) in [
        (&["-o", "out.xlsx", "--output-delimiter", "tab"][..], "a workbook has no delimiter"),
        (&["-o", "out.xlsx", "--output-formulas", "defuse"], "leave --output-delimiter"),
        (
            &["-o", "out.xlsx", "--out-of-core", ".", "--publish", "range"],
            "but --out-of-core does not hold the table in memory",
        ),
    ] {
        let mut args = RUN.to_vec();
        if more.contains(&"--publish") {
            args.drain(10..12);
        }
        let run = folder.run(&[&args[..], more].concat());
        assert_eq!(run.code, Some(2), "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{more:?}: {}", run.stderr);
    }
    let long = format!("age,note\n1,{0}\n2,{0}\n", "x".repeat(40_000));
    folder.write("long.csv", long);
    let run = folder.run(&[
        "anonymize",
        "long.csv",
        "--quasi",
        "age,note",
        "--model",
        "k-anonymity",
        "--k",
        "2",
        "--seed",
        "1",
        "-o",
        "out.xlsx",
        "--report",
        "report.json",
    ]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(
        run.stderr.contains("cannot be written as a workbook") && run.stderr.contains("32,767"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.names(), ["in.csv", "long.csv"]);
}
