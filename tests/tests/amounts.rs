//! Percentages, currencies and accounting numbers, through the program: read as numbers, published in the column's own spelling.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_tests::program::Folder;
use serde_json::Value;

fn run(folder: &Folder, line: &str) -> String {
    let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
    String::from_utf8(run.stdout).unwrap()
}

/// Rows with one spelling each of the same numbers, some below 0.
fn table(rows: i64) -> String {
    (0..rows).fold(String::from("share;fee;price;result\n"), |mut text, i| {
        let (share, euros, dollars, result) =
            (i * 7 % 100, 1000 + i * 37 % 500, i * 13 % 90, i * 11 % 80 - 40);
        let sign = if i % 3 == 0 { "-" } else { "" };
        let result = if result < 0 { format!("({},500)", -result) } else { format!("{result},250") };
        let _ = writeln!(
            text,
            "{share}.5 %;\u{20ac} {}.{:03},25;{sign}${dollars}.99;{result}",
            euros / 1000,
            euros % 1000
        );
        text
    })
}

#[test]
fn amounts_are_numbers_and_stay_spelled_as_they_are() {
    let folder = Folder::new();
    folder.write("in.csv", table(120));
    let described: Value = serde_json::from_str(&run(&folder, "describe in.csv --json")).unwrap();
    let kinds: Vec<&str> =
        described["columns"].as_array().unwrap().iter().map(|c| c["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[..3], ["real", "real", "real"], "{described}");
    let evidence = described["columns"].to_string();
    for says in ["percent signs", "the currency \u{20ac}", "points between thousands", "the currency $"] {
        assert!(evidence.contains(says), "{says}: {evidence}");
    }

    let line = "anonymize in.csv --quasi share,fee,price --model k-anonymity --k 4 --effort 0.2 --seed 1 -o out.csv --report r.json";
    run(&folder, line);
    assert_eq!(folder.json("r.json")["audit"]["passed"], true);
    let mut ranges = 0;
    for row in folder.text("out.csv").lines().skip(1) {
        let cells: Vec<&str> = row.split(';').collect();
        for (cell, written) in [(cells[0], " %"), (cells[1], "\u{20ac} 1."), (cells[2], "$")] {
            let ends = if cell.starts_with('[') { 2 } else { 1 };
            assert_eq!(cell.matches(written).count(), ends, "{cell}");
            ranges += ends - 1;
        }
    }
    assert!(ranges > 0);
    // The check knows the published cells without being told what they are.
    run(&folder, "check out.csv --quasi share,fee,price --model k-anonymity --k 4");

    run(&folder, &format!("{line} --publish centroid"));
    let means = folder.text("out.csv");
    let first: Vec<&str> = means.lines().nth(1).unwrap().split(';').collect();
    assert!(
        first[0].ends_with(" %") && first[1].starts_with("\u{20ac} 1.") && first[1].contains(','),
        "{first:?}"
    );
}

#[test]
fn negatives_in_parentheses_and_questions() {
    let folder = Folder::new();
    folder.write("in.csv", "result,n\n\"(1,234.5)\",1\n17,2\n(3),3\n\"2,000\",4\n");
    run(&folder, "anonymize in.csv --quasi result --model k-anonymity --k 2 --seed 1 -o out.csv");
    let text = folder.text("out.csv");
    assert!(text.contains("[(1,234.5)-(3)]") && text.contains("[17-2,000]"), "{text}");
    // As open as without the sign: one thousand or one and a bit.
    folder.write("in.csv", "price\n\"$1,234\"\n\"$5,678\"\n");
    assert!(run(&folder, "describe in.csv").contains("--kind price=integer"));
    run(
        &folder,
        "anonymize in.csv --quasi price --model k-anonymity --k 2 --kind price=integer --seed 1 -o out.csv",
    );
    assert!(folder.text("out.csv").contains("[$1,234-$5,678]"));
    // Two forms in a column are labels, as before.
    folder.write("in.csv", "price\n$5\n5$\n$5\n");
    assert!(run(&folder, "describe in.csv").contains("category"));
}
