//! The published table as a file: in the form of the input, or as declared.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_tests::program::Folder;

/// Sixty people with decimal commas; cells separated by `delimiter`, lines ended by `end`.
fn people(delimiter: &str, end: &str) -> String {
    let cells = |row: usize| {
        let weight = format!("{},{}", 50 + row * 7 % 40, row % 10);
        let town = ["Köln", "Bad Orb", "Ulm"][row % 3];
        // Where the delimiter is a comma the decimal comma asks for quotation marks.
        let weight = if delimiter == "," { format!("\"{weight}\"") } else { weight };
        [(20 + row % 30).to_string(), weight, town.to_owned(), format!("d{}", row % 5)].join(delimiter)
    };
    let header = ["age", "weight", "town", "illness"].join(delimiter);
    std::iter::once(header).chain((0..60).map(cells)).map(|line| line + end).collect()
}

/// The cells of a release in this form, as somebody finds them who knows nothing but the form: no cell of these tables holds a
/// line break, and a quoted one holds the delimiter.
fn cells(bytes: &[u8], delimiter: char, end: &str, bom: bool) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(bytes).unwrap();
    assert_eq!(text.starts_with('\u{feff}'), bom);
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let row = |line: &&str| {
        let line = line.strip_suffix(end).unwrap_or_else(|| panic!("{line:?}"));
        assert!(!line.contains(['\r', '\n']), "{line:?}");
        let (mut row, mut cell, mut within) = (Vec::new(), String::new(), false);
        for c in line.chars() {
            match c {
                '"' => within = !within,
                c if c == delimiter && !within => row.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        row.push(cell);
        row
    };
    lines.iter().map(row).collect()
}

const RUN: &str =
    "--quasi age,weight,town --sensitive illness --model m-invariance --m 3 --seed 1 --effort 1";

fn run(folder: &Folder, input: &str, more: &str) {
    let line = format!("anonymize {input} {RUN} -o out.csv --report report.json {more}");
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(folder.json("report.json")["audit"]["passed"], true);
    assert_eq!(folder.json("report.json")["audit"]["reader"], "strict");
}

#[test]
fn a_file_of_a_spreadsheet_comes_back_as_it_came() {
    let folder = Folder::new();
    folder.write("plain.csv", people(",", "\n"));
    run(&folder, "plain.csv", "");
    let plain = cells(&folder.read("out.csv"), ',', "\n", false);
    assert!(folder.json("report.json")["audit"].get("dialect").is_none());
    assert!(plain.iter().skip(1).any(|row| row[1].starts_with('[') && row[1].contains(',')), "{plain:?}");

    for (name, delimiter, end, bom) in [
        ("semicolon", ";", "\r\n", true),
        ("tab", "\t", "\r\n", false),
        ("bar", "|", "\n", true),
        ("comma", ",", "\r\n", true),
    ] {
        let mark = if bom { "\u{feff}" } else { "" };
        folder.write("in.csv", format!("{mark}{}", people(delimiter, end)));
        run(&folder, "in.csv", "");
        let found = cells(&folder.read("out.csv"), delimiter.chars().next().unwrap(), end, bom);
        assert_eq!(found, plain, "{name}: the same cells");
        let dialect = &folder.json("report.json")["audit"]["dialect"];
        let ends = if end == "\n" { "lf" } else { "crlf" };
        assert_eq!(*dialect, serde_json::json!({ "delimiter": name, "bom": bom, "line_ends": ends }));
        // What is written is read: the check finds the same groups, and no gap in a range with decimal commas.
        let line = "check out.csv --quasi age,weight,town --sensitive illness --model m-uniqueness --m 3";
        let check = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(check.code, Some(0), "{name}: {}", check.stderr);
    }
}

#[test]
fn a_form_can_be_declared_in_flags_and_in_a_configuration() {
    let folder = Folder::new();
    folder.write("plain.csv", people(",", "\n"));
    folder.write("in.csv", format!("\u{feff}{}", people(";", "\r\n")));
    run(&folder, "plain.csv", "");
    let plain = folder.read("out.csv");
    run(
        &folder,
        "in.csv",
        "--output-delimiter comma --output-bom no --output-line-ends lf --save-config c.json",
    );
    assert_eq!(folder.read("out.csv"), plain);
    let said = &folder.json("c.json")["lookalike"]["output"];
    assert_eq!(*said, serde_json::json!({ "delimiter": "comma", "bom": false, "line_ends": "lf" }));

    folder.succeed(&"anonymize in.csv --config c.json --seed 1 -o out.csv".split(' ').collect::<Vec<_>>());
    assert_eq!(folder.read("out.csv"), plain);
    // A flag overrules one property and leaves the others.
    let line = "anonymize in.csv --config c.json --seed 1 --output-delimiter tab -o out.csv";
    folder.succeed(&line.split(' ').collect::<Vec<_>>());
    let tabs = cells(&folder.read("out.csv"), '\t', "\n", false);
    assert_eq!(tabs, cells(&plain, ',', "\n", false));

    let wrong = folder.run(&"anonymize in.csv --output-delimiter dot".split(' ').collect::<Vec<_>>());
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("semicolon"), "{}", wrong.stderr);
}

#[test]
fn tables_larger_than_memory_have_the_form_too() {
    let folder = Folder::new();
    folder.write("in.csv", format!("\u{feff}{}", people(";", "\r\n")));
    run(&folder, "in.csv", "--out-of-core .");
    let found = cells(&folder.read("out.csv"), ';', "\r\n", true);
    assert_eq!((found.len(), found[0].len()), (61, 5));
    assert_eq!(folder.json("report.json")["audit"]["dialect"]["delimiter"], "semicolon");
}

#[test]
fn releases_of_a_series_may_come_in_several_forms() {
    let folder = Folder::new();
    let keyed = |text: String| -> String {
        let row = |(at, line): (usize, &str)| match at {
            0 => format!("id;{line}\r\n"),
            at => format!("p{at};{line}\r\n"),
        };
        text.lines().enumerate().map(row).collect()
    };
    folder.write("one.csv", keyed(people(";", "\n")));
    folder.write("two.csv", keyed(people(";", "\n")));
    let line = |input: &str, out: &str, more: &str| {
        let begin = if input == "one.csv" { "--begin" } else { "" };
        format!(
            "republish {input} {begin} --id id --ledger ledger.json --mode tau-safety --quasi age,weight,town \
             --sensitive illness --m 3 --seed 1 --effort 1 -o {out} {more}"
        )
    };
    folder.succeed(&line("one.csv", "r1.csv", "").split_whitespace().collect::<Vec<_>>());
    let again = line("two.csv", "r2.csv", "--output-delimiter comma --output-line-ends lf");
    folder.succeed(&again.split_whitespace().collect::<Vec<_>>());
    assert!(folder.text("r1.csv").starts_with("age;weight;town;illness;class\r\n"));
    assert!(folder.text("r2.csv").starts_with("age,weight,town,illness,class\n"));
    let check = "check r1.csv r2.csv --model tau-safety --m 3 --ledger ledger.json";
    let check = folder.run(&check.split(' ').collect::<Vec<_>>());
    assert_eq!(check.code, Some(0), "{}{}", String::from_utf8_lossy(&check.stdout), check.stderr);
}

fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn the_class_column_has_the_name_that_was_asked_for_or_is_not_there() {
    let folder = Folder::new();
    // A school's classes: the name is taken.
    folder.write("in.csv", people(";", "\n").replacen("town", "class", 1));
    let line = "anonymize in.csv --quasi age,weight,class --sensitive illness --model m-invariance --m 3 --seed 1 --effort 1 \
                -o out.csv --report report.json --classes key.csv";
    let refused = folder.run(&split(line));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--class-column"), "{}", refused.stderr);

    folder.succeed(&split(&format!("{line} --class-column group --save-config c.json")));
    let named = cells(&folder.read("out.csv"), ';', "\n", false);
    assert_eq!(named[0], ["age", "weight", "class", "illness", "group"]);
    let said = &folder.json("c.json")["lookalike"]["class_column"];
    assert_eq!(*said, serde_json::json!({ "named": "group" }));
    let key = folder.read("key.csv");
    let check =
        "check out.csv --quasi age,weight,class --sensitive illness --model m-uniqueness --m 3 --class group";
    assert_eq!(folder.run(&split(check)).code, Some(0));

    folder.succeed(&split(&format!("{line} --class-column none --save-config c.json")));
    assert_eq!(folder.json("c.json")["lookalike"]["class_column"], "none");
    let without = cells(&folder.read("out.csv"), ';', "\n", false);
    assert_eq!(without[0], ["age", "weight", "class", "illness"]);
    assert_eq!(folder.read("key.csv"), key, "the linking key does not depend on it");
    // The same rows; and those that are alike stand in the order of their values, so that none tells its class.
    let sorted = |rows: &[Vec<String>], width: usize| {
        let mut rows: Vec<Vec<String>> = rows[1..].iter().map(|row| row[..width].to_vec()).collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&named, 4), sorted(&without, 4));
    for pair in without[1..].windows(2) {
        assert!(pair[0][..3] != pair[1][..3] || pair[0][3] <= pair[1][3], "{pair:?}");
    }
    let report = folder.json("report.json");
    let said = report["audit"]["checks"].to_string();
    assert!(said.contains("without a class column only groups"), "{said}");
    assert_eq!(report["audit"]["passed"], true);
    folder.succeed(&split("anonymize in.csv --config c.json --seed 1 -o again.csv"));
    assert_eq!(cells(&folder.read("again.csv"), ';', "\n", false)[0].len(), 4);
}

#[test]
fn a_table_larger_than_memory_may_have_no_class_column() {
    let folder = Folder::new();
    folder.write("in.csv", people(",", "\n"));
    // Few towns: several classes are published alike.
    let line = "anonymize in.csv --quasi town --sensitive illness --model m-invariance --m 3 --seed 1 --effort 1 -o out.csv \
                --report report.json --out-of-core . --block-rows 20";
    folder.succeed(&split(line));
    let named = cells(&folder.read("out.csv"), ',', "\n", false);
    folder.succeed(&split(&format!("{line} --class-column none")));
    let without = cells(&folder.read("out.csv"), ',', "\n", false);
    assert_eq!(without[0], ["town", "illness"]);
    let mut rows: Vec<Vec<String>> = named[1..].iter().map(|row| row[..2].to_vec()).collect();
    rows.sort();
    assert_eq!(without[1..], rows, "labels are sorted by their bytes, here as in the program");
    assert_eq!(folder.json("report.json")["audit"]["passed"], true);
}

#[test]
fn releases_of_a_series_have_a_class_column() {
    let folder = Folder::new();
    let keyed: String = people(",", "\n")
        .lines()
        .enumerate()
        .map(|(at, line)| if at == 0 { format!("id,{line}\n") } else { format!("p{at},{line}\n") })
        .collect();
    folder.write("one.csv", keyed);
    let line = "republish one.csv --begin --id id --ledger ledger.json --mode tau-safety --quasi age,weight,town --sensitive illness \
                --m 3 --seed 1 --effort 1 -o r1.csv";
    let refused = folder.run(&split(&format!("{line} --class-column none")));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("a series of releases has a column of classes"), "{}", refused.stderr);
    let refused = folder.run(&split(&format!("{line} --output-formulas defuse")));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("puts no apostrophe before formulas"), "{}", refused.stderr);
    folder.succeed(&split(&format!("{line} --class-column group")));
    assert!(folder.text("r1.csv").starts_with("age,weight,town,illness,group\n"));
}

/// A table with cells that a spreadsheet runs: in the sensitive column, in a quasi-identifier that is published as labels, and in
/// a name. Signed numbers and a phone number in brackets are none.
fn dangerous() -> String {
    let row = |at: usize| {
        let job = ["=HYPERLINK(\"http://x\")", "'quoted'", "nurse"][at / 4 % 3].replace('"', "\"\"");
        let note = ["@SUM(1)", "-5", "-1+2", "(030) 1", "+cmd|' /C calc'!A0"][at % 5];
        format!("{},\"{job}\",{note}\n", 20 + at / 4)
    };
    std::iter::once(String::from("age,=job,note\n")).chain((0..60).map(row)).collect()
}

#[test]
fn formulas_are_said_and_defused_where_that_is_asked_for() {
    let folder = Folder::new();
    folder.write("in.csv", dangerous());
    let run = |out: &str, more: &[&str]| {
        let mut line = ["anonymize", "in.csv", "--quasi", "age,=job", "--sensitive", "note"].to_vec();
        line.extend([
            "--model",
            "k-anonymity",
            "--k",
            "4",
            "--publish",
            "set",
            "--seed",
            "1",
            "--effort",
            "1",
        ]);
        line.extend(["-o", out, "--report", "report.json"]);
        line.extend(more);
        folder.succeed(&line);
        let report = folder.json("report.json");
        assert_eq!(
            (&report["audit"]["passed"], &report["audit"]["reader"]),
            (&true.into(), &"strict".into())
        );
        report
    };
    let kept = run("kept.csv", &[]);
    let defused = run("defused.csv", &["--output-formulas", "defuse"]);
    let table = |file: &str| cells(&folder.read(file), ',', "\n", false);
    let (kept_cells, defused_cells) = (table("kept.csv"), table("defused.csv"));
    // Whoever knows nothing but the rule finds the cells again.
    let starts = |cell: &str| {
        let number = cell.len() > 1 && cell[1..].bytes().all(|byte| byte.is_ascii_digit());
        cell.starts_with(['=', '@', '+', '-']) && !number
    };
    let mut expected = kept_cells.clone();
    for cell in expected.iter_mut().flatten() {
        if starts(cell) || cell.starts_with('\'') {
            cell.insert(0, '\'');
        }
    }
    assert_eq!(defused_cells, expected);
    assert!(!defused_cells.iter().flatten().any(|cell| starts(cell)));
    let dangerous = kept_cells.iter().flatten().filter(|cell| starts(cell)).count();
    assert!(dangerous > 36, "{dangerous}");
    let said = |report: &serde_json::Value| -> Vec<serde_json::Value> {
        let warnings = report["warnings"].as_array().unwrap().iter();
        warnings.filter(|warning| warning["id"] == "core.ReleaseWarning.Formulas").cloned().collect()
    };
    assert_eq!(said(&defused), Vec::<serde_json::Value>::new());
    let warnings = said(&kept);
    assert_eq!(warnings.len(), 1, "{}", kept["warnings"]);
    let text = warnings[0]["text"].as_str().unwrap();
    assert!(text.contains(&format!("may run {dangerous} cells of it as a formula")), "{text}");
    assert!(text.contains("\"=job\" and \"note\"") && text.contains("--output-formulas defuse"), "{text}");
    // Nothing else of the report differs: what is judged and measured are the cells, not the apostrophes.
    for part in ["objective", "risk", "utility", "classes"] {
        assert_eq!(kept[part], defused[part], "{part}");
    }
    assert_eq!(defused["audit"]["dialect"]["formulas"], "defuse");
    // The same table larger than memory.
    let out_of_core = run("large.csv", &["--out-of-core", ".", "--output-formulas", "defuse"]);
    assert_eq!(said(&out_of_core), Vec::<serde_json::Value>::new());
    assert!(!table("large.csv").iter().flatten().any(|cell| starts(cell)));
    assert_eq!(said(&run("large.csv", &["--out-of-core", "."])).len(), 1);
}
