//! What a table is taken for before a run: header or first record, rows or people, gap or value, and what `describe` proposes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_tests::program::Folder;
use serde_json::json;

/// A file whose first row is a person.
fn headerless() -> String {
    let mut text = String::new();
    for row in 0..60 {
        let sex = if row % 2 == 0 { "m" } else { "f" };
        writeln!(text, "{sex},{},0{},d{}", 20 + row % 30, 1000 + row % 7, row % 4).unwrap();
    }
    text
}

fn visits() -> String {
    let mut text = String::from("patient_id,age,sex,diagnosis\n");
    for row in 0..200 {
        writeln!(
            text,
            "p{0},{1},{2},d{3}",
            row % 40,
            20 + row % 40,
            if row % 2 == 0 { "m" } else { "f" },
            row % 7
        )
        .unwrap();
    }
    text
}

#[test]
fn the_first_person_is_no_header() {
    let folder = Folder::new();
    folder.write("in.csv", headerless());
    let run = |flags: &str, quasi: &str| {
        let line = format!(
            "anonymize in.csv{flags} --quasi {quasi} --model k-anonymity --k 5 --seed 1 --effort 0 -o out.csv"
        );
        folder.run(&line.split(' ').collect::<Vec<_>>())
    };
    let asked = run("", "m,20");
    assert_eq!(asked.code, Some(2), "{}", asked.stderr);
    for part in [
        "in.csv: the first row may be",
        "'m' in column 1 is also a value there (row 2)",
        "As a header: the columns are named 'm', '20', '01000', 'd0'",
        "As data: the first record is 'm', '20', '01000', 'd0'",
        "--header yes or --header no",
    ] {
        assert!(asked.stderr.contains(part), "{part}: {}", asked.stderr);
    }
    assert_eq!(folder.names(), ["in.csv"]);
    let no = run(" --header no", "column1,column2");
    assert_eq!(no.code, Some(0), "{}", no.stderr);
    assert!(no.stderr.contains("columns: column1, column2, column3, column4"), "{}", no.stderr);
    let published = folder.text("out.csv");
    assert_eq!(published.lines().next(), Some("column1,column2,class"));
    assert_eq!(published.lines().count(), 61, "all sixty people, and a header that is nobody");
    let yes = run(" --header yes", "m,20");
    assert_eq!((yes.code, folder.text("out.csv").lines().count()), (Some(0), 60), "{}", yes.stderr);
}

/// Names for the columns of a file without a header; the first person is a record, and nothing of it is published as a name.
#[test]
fn columns_without_a_header_are_named() {
    let folder = Folder::new();
    folder.write("in.csv", headerless());
    folder.write("named.csv", format!("sex,age,zip,illness\n{}", headerless()));
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>());
    let rest = "--quasi sex,age --sensitive illness --model k-anonymity --k 5 --seed 1 --effort 0 --statement s.html -o out.csv";
    for more in ["", " --out-of-core ."] {
        let named = run(&format!("anonymize in.csv --header no --names sex,age,zip,illness {rest}{more}"));
        assert_eq!(named.code, Some(0), "{}", named.stderr);
        assert!(named.stderr.contains("columns: sex, age, zip, illness"), "{}", named.stderr);
        assert!(folder.text("s.html").contains("the names of the columns were given or are numbers"));
        let published = folder.text("out.csv");
        assert_eq!(published.lines().next(), Some("sex,age,illness,class"));
        assert_eq!(published.lines().count(), 61);
        assert_eq!(run(&format!("anonymize named.csv {rest}{more}")).code, Some(0));
        assert_eq!(folder.text("out.csv"), published);
    }
    for (flags, told) in [
        (
            "--names sex,age,zip,illness",
            "say that the file has no header row, or leave the names out (--header no)",
        ),
        ("--header yes --names sex,age,zip,illness", "(--header no)"),
        ("--header no --names sex,age", "2 names are given, but the first record has 4 fields"),
        ("--header no --names sex,age,zip,age", "age"),
    ] {
        let refused = run(&format!("anonymize in.csv {flags} {rest}"));
        assert_eq!(refused.code, Some(2), "{flags}: {}", refused.stderr);
        assert!(refused.stderr.contains(told), "{flags}: {}", refused.stderr);
    }
    let described = run("describe in.csv --header no --names sex,age,zip,illness");
    let text = String::from_utf8(described.stdout).unwrap();
    assert!(text.contains("--header no --names sex,age,zip,illness"), "{text}");
}

#[test]
fn every_command_asks() {
    let folder = Folder::new();
    folder.write("in.csv", headerless());
    folder.write("released.csv", "age,sex,class\n[20-30],m,1\n[20-30],m,1\n");
    for line in [
        "describe in.csv",
        "eligibility in.csv --sensitive d0 --m 2",
        "check in.csv --quasi m,20 --model k-anonymity --k 2",
        "anonymize in.csv --quasi m,20 --model k-anonymity --k 5 --out-of-core . -o out.csv",
        "republish in.csv --quasi m,20 --sensitive d0 --m 2 --ledger ledger.json --begin --id 01000 --mode incremental -o out.csv",
        "hierarchy in.csv --column 20 --generate prefix -o h.csv",
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
        assert!(run.stderr.contains("--header yes or --header no"), "{line}: {}", run.stderr);
    }
    let line = "check released.csv --quasi age,sex --model 1-k-anonymity --k 2 --original in.csv";
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert!(
        run.stderr.contains("in.csv: the first row") && run.stderr.contains("--original-header no"),
        "{}",
        run.stderr
    );
}

/// JSON lines are published as the CSV of the same cells is, out of core too; the file that is published is a CSV.
#[test]
fn json_lines_are_a_table() {
    let folder = Folder::new();
    let (mut csv, mut lines) = (String::from("age,sex,illness\n"), String::new());
    for row in 0..60 {
        let (age, sex) = (20 + row % 30, if row % 2 == 0 { "m" } else { "f" });
        writeln!(csv, "{age},{sex},\"d,{}\"", row % 4).unwrap();
        let illness = format!("\"illness\": \"d,{}\"", row % 4);
        let members = format!("\"age\": {age}, \"sex\": \"{sex}\"");
        let members =
            if row % 3 == 1 { format!("{illness}, {members}") } else { format!("{members}, {illness}") };
        writeln!(lines, "{{{members}}}").unwrap();
    }
    folder.write("in.csv", &csv);
    folder.write("in.jsonl", &lines);
    for more in ["", " --out-of-core ."] {
        let published = |file: &str| {
            let line = format!(
                "anonymize {file} --quasi age,sex --sensitive illness --model k-anonymity --k 5 --seed 1 --effort 0 \
                 --rows-are people --private p.json -o out.csv{more}"
            );
            let run = folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
            (folder.text("out.csv"), run.stderr)
        };
        let (of_lines, told) = published("in.jsonl");
        let note = "JSON lines: 60 objects with 3 keys; the published table is a CSV, with commas unless you choose otherwise";
        assert!(told.contains(note), "{told}");
        assert!(folder.json("p.json")["warnings"].to_string().contains(note));
        assert!(folder.json("p.json")["header"].is_null());
        assert_eq!(published("in.csv").0, of_lines);
        assert!(of_lines.starts_with("age,sex,illness,class\n"), "{of_lines}");
    }
    let told = folder.succeed(&["describe", "in.jsonl", "--json-lines"]).stdout;
    assert!(String::from_utf8(told).unwrap().contains("anonymize in.jsonl --json-lines --quasi "));
    for line in ["describe in.jsonl", "eligibility in.jsonl --sensitive illness --m 2 --json-lines"] {
        folder.succeed(&line.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn json_that_is_no_table_is_refused_with_its_line() {
    let folder = Folder::new();
    folder.write("array.json", "[{\"age\":17,\"sex\":\"m\"},\n {\"age\":18,\"sex\":\"f\"}]\n");
    folder.write("sequence.json", "\u{1e}{\"age\":17}\n\u{1e}{\"age\":18}\n");
    folder.write("nested.jsonl", "{\"age\":17}\n{\"age\":18,\"at\":{\"zip\":1}}\n");
    folder.write("twice.jsonl", "{\"age\":17,\"age\":18}\n");
    folder.write("in.csv", "age,sex\n17,m\n");
    for (line, told) in [
        (
            "describe array.json",
            "the file is JSON, but does not have one object on each line: it is an array: put each of its objects",
        ),
        ("describe sequence.json", "a text sequence: delete the characters 1E"),
        ("describe array.json --json-lines", "line 1 of the file: it is not a JSON object"),
        ("describe in.csv --json-lines", "line 1 of the file: it is not a JSON object"),
        (
            "describe nested.jsonl",
            "line 2 of the file: the value of \"at\" is an object or an array: write its parts under separate keys",
        ),
        ("describe twice.jsonl", "line 1 of the file: it has the key \"age\" twice"),
        ("describe nested.jsonl --header no", "its keys are the names of the columns"),
        ("describe nested.jsonl --delimiter ;", "it has no delimiter"),
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
}

/// Digits in quotes are labels, and are published as such.
#[test]
fn texts_of_json_lines_are_labels() {
    let folder = Folder::new();
    let lines = (0..60)
        .map(|row| {
            format!("{{\"zip\":\"{}\",\"age\":{},\"illness\":\"d{}\"}}\n", 9 + row % 5, 20 + row % 7, row % 4)
        })
        .collect::<Vec<_>>()
        .concat();
    folder.write("in.jsonl", lines);
    for more in ["", " --out-of-core ."] {
        let line = format!(
            "anonymize in.jsonl --quasi zip,age --model k-anonymity --k 20 --seed 1 --effort 0 --rows-are people -o out.csv{more}"
        );
        folder.succeed(&line.split(' ').collect::<Vec<_>>());
        let published = folder.text("out.csv");
        let zips: BTreeSet<&str> = published.lines().skip(1).filter(|line| line.starts_with('[')).collect();
        assert!(zips.is_empty(), "labels are published in sets, not ranges: {published}");
    }
}

/// An export with a title above its header and totals below: the refusal names the flags, which then do.
#[test]
fn a_title_and_a_footer_are_named_and_skipped_on_demand() {
    let folder = Folder::new();
    let rows = |end: &str| {
        (0..60).map(|row| format!("{};{}{end}", 20 + row % 30, row % 4)).collect::<Vec<_>>().concat()
    };
    let plain = format!("age;illness\n{}", rows("\n"));
    folder.write("plain.csv", &plain);
    folder.write("in.csv", format!("Patients of 2024\nby us, in May\n\n{plain}Total: 60\nSource: us\n"));
    let run = |file: &str, flags: &str| {
        let line = format!(
            "anonymize {file}{flags} --quasi age --sensitive illness --model k-anonymity --k 5 --seed 1 --effort 0 \
             --private p.json -o out.csv"
        );
        folder.run(&line.split_whitespace().collect::<Vec<_>>())
    };
    for more in ["", " --out-of-core ."] {
        let asked = run("in.csv", more);
        assert_eq!(asked.code, Some(2), "{}", asked.stderr);
        let told =
            "the first 3 lines of the file look like a title above the header: skip them (--skip-rows 3)";
        assert!(asked.stderr.contains(told), "{}", asked.stderr);
        let asked = run("in.csv", &format!(" --skip-rows 3{more}"));
        assert_eq!(asked.code, Some(2), "{}", asked.stderr);
        let told = "the last 2 lines of the file look like a footer (totals, a source): skip them, or delete them (--skip-last-rows 2)";
        assert!(asked.stderr.contains(told), "{}", asked.stderr);
        let skipped = run("in.csv", &format!(" --skip-rows 3 --skip-last-rows 2{more}"));
        assert_eq!(skipped.code, Some(0), "{}", skipped.stderr);
        let (published, private) = (folder.text("out.csv"), folder.json("p.json")["warnings"].to_string());
        assert_eq!(run("plain.csv", more).code, Some(0));
        assert_eq!(folder.text("out.csv"), published);
        for told in [
            "the first 3 lines of the file were skipped, as asked: 'Patients of 2024', 'by us, in May'",
            "the last 2 lines of the file were skipped, as asked: 'Total: 60', 'Source: us'",
        ] {
            assert!(skipped.stderr.contains(told), "{}", skipped.stderr);
            assert!(private.contains(told), "{private}");
        }
    }
    for line in ["describe in.csv", "eligibility in.csv --sensitive illness --m 2"] {
        let asked = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert!(asked.stderr.contains("(--skip-rows 3)"), "{line}: {}", asked.stderr);
        let skipped = format!("{line} --skip-rows 3 --skip-last-rows 2");
        let told = folder.succeed(&skipped.split(' ').collect::<Vec<_>>());
        let text = String::from_utf8(told.stdout).unwrap();
        assert!(!line.starts_with("describe") || text.contains("--skip-rows 3 --skip-last-rows 2"), "{text}");
    }
    let line = "check out.csv --quasi age --model 1-k-anonymity --k 2 --original in.csv";
    let asked = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert!(asked.stderr.contains("(--original-skip-rows 3)"), "{}", asked.stderr);
}

/// Exports of one kind have as many lines above their tables: a configuration says so, and flags overrule it.
#[test]
fn lines_to_skip_are_part_of_a_configuration() {
    let folder = Folder::new();
    let rows = (0..60).map(|row| format!("{},{}\n", 20 + row % 30, row % 4)).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("Title\nage,illness\n{rows}Total\n"));
    let line = "anonymize in.csv --quasi age --model k-anonymity --k 5 --seed 1 --effort 0 --skip-rows 1 --skip-last-rows 1 \
                --save-config c.json -o out.csv";
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let reading = &folder.json("c.json")["lookalike"]["reading"];
    assert_eq!((&reading["skip_rows"], &reading["skip_last_rows"]), (&1.into(), &1.into()));
    let published = folder.text("out.csv");
    for more in [&[][..], &["--out-of-core", "."]] {
        let again =
            [&["anonymize", "in.csv", "--config", "c.json", "--seed", "1", "-o", "again.csv"], more].concat();
        folder.succeed(&again);
        assert_eq!(folder.text("again.csv"), published);
    }
    folder.write("more.csv", format!("Title\nsubtitle\nage,illness\n{rows}Total\n"));
    let args = ["anonymize", "more.csv", "--config", "c.json", "--seed", "1", "-o", "again.csv"];
    let asked = folder.run(&args);
    assert!(asked.stderr.contains("(--skip-rows 2)"), "{}", asked.stderr);
    folder.succeed(&[&args[..], &["--skip-rows", "2"]].concat());
    assert_eq!(folder.text("again.csv"), published);
    folder.write("c.json", r#"{"fields":[],"lookalike":{"reading":{"skip":1}}}"#);
    let run = folder.run(&args);
    assert!(run.code == Some(2) && run.stderr.contains("lookalike.reading"), "{}", run.stderr);
}

/// So do files without a header that have the same columns.
#[test]
fn names_of_columns_are_part_of_a_configuration() {
    let folder = Folder::new();
    let rows = (0..60).map(|row| format!("{},{}\n", 20 + row % 30, row % 4)).collect::<Vec<_>>().concat();
    folder.write("in.csv", &rows);
    let line = "anonymize in.csv --quasi age --sensitive illness --model k-anonymity --k 5 --seed 1 --effort 0 --header no \
                --names age,illness --save-config c.json -o out.csv";
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(folder.json("c.json")["lookalike"]["reading"], json!({ "names": ["age", "illness"] }));
    let published = folder.text("out.csv");
    assert!(published.starts_with("age,illness"), "{published}");
    let config = ["--config", "c.json", "--seed", "1", "-o", "again.csv"];
    for more in [&[][..], &["--header", "no"], &["--out-of-core", "."]] {
        folder.succeed(&[&["anonymize", "in.csv"], &config[..], more].concat());
        assert_eq!(folder.text("again.csv"), published);
    }
    // Flags overrule it: columns in another order, or a file that has names of its own.
    let swapped = (0..60).map(|row| format!("{},{}\n", row % 4, 20 + row % 30)).collect::<Vec<_>>().concat();
    folder.write("swapped.csv", swapped);
    let other = ["--header", "no", "--names", "illness,age", "--save-config", "d.json"];
    folder.succeed(&[&["anonymize", "swapped.csv"], &config[..], &other].concat());
    assert_eq!(folder.json("d.json")["lookalike"]["reading"], json!({ "names": ["illness", "age"] }));
    let cells = |text: &str, name: &str| {
        let at = text.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
        let cell = |row: &str| row.split(',').nth(at).unwrap().to_owned();
        let mut cells = text.lines().skip(1).map(cell).collect::<Vec<_>>();
        cells.sort();
        cells
    };
    for name in ["age", "illness"] {
        assert_eq!(cells(&folder.text("again.csv"), name), cells(&published, name));
    }
    folder.write("named.csv", format!("age,illness\n{rows}"));
    let named = ["anonymize", "named.csv", "--header", "yes", "--save-config", "d.json"];
    folder.succeed(&[&named[..], &config].concat());
    assert_eq!(folder.text("again.csv"), published);
    assert!(folder.json("d.json")["lookalike"].get("reading").is_none());
    // As many as there are columns.
    folder.write("wide.csv", rows.replace('\n', ",x\n"));
    let run = folder.run(&[&["anonymize", "wide.csv"], &config[..]].concat());
    assert!(run.code == Some(2) && run.stderr.contains("2 names are given"), "{}", run.stderr);
}

#[test]
fn rows_of_one_person_hide_nobody() {
    let folder = Folder::new();
    folder.write("in.csv", visits());
    for more in ["", " --out-of-core ."] {
        let run = |flags: &str| {
            let line = format!(
                "anonymize in.csv --quasi age,sex --model k-anonymity --k 5 --seed 1 --effort 0 -o out.csv{more}{flags}"
            );
            folder.run(&line.split(' ').collect::<Vec<_>>())
        };
        let asked = run("");
        assert_eq!(asked.code, Some(2), "{}", asked.stderr);
        let told = "\"patient_id\" looks like the key of a person and has 40 different values in 200 rows";
        assert!(
            asked.stderr.contains(told) && asked.stderr.contains("--rows-are people"),
            "{}",
            asked.stderr
        );
        assert_eq!(folder.names(), ["in.csv"]);
        let person = run(" --person patient_id");
        assert_eq!(person.code, Some(2));
        assert!(
            person.stderr.contains("a person has several rows")
                && person.stderr.contains("--rows-are events-of=patient_id"),
            "{}",
            person.stderr
        );
        let people = run(" --rows-are people");
        assert_eq!(people.code, Some(0), "{}", people.stderr);
        std::fs::remove_file(folder.path().join("out.csv")).unwrap();
    }
}

/// 40 patients with 5 visits each, published as what they are.
#[test]
fn visits_of_patients_are_published_in_classes_of_patients() {
    let folder = Folder::new();
    folder.write("in.csv", visits());
    let line = "anonymize in.csv --quasi age,sex --sensitive diagnosis --model k-anonymity --k 5 --seed 1 --effort 1 \
                --rows-are events-of=patient_id --save-config c.json --report r.json --classes k.csv \
                --statement s.html -o out.csv";
    let run = folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    assert!(run.stderr.contains("40 people in 200 rows, in "), "{}", run.stderr);
    assert!(run.stderr.contains("not hidden: how many rows a person has, 5 at most"), "{}", run.stderr);
    assert!(run.stderr.contains("information loss over people"), "{}", run.stderr);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let key = text("k.csv");
    // Row i of the source is of patient i mod 40.
    let mut patients: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for line in key.lines().skip(1) {
        let (row, class) = line.split_once(',').unwrap();
        patients.entry(class).or_default().insert(row.parse::<usize>().unwrap() % 40);
    }
    assert!(patients.values().all(|own| own.len() >= 5), "{patients:?}");
    assert_eq!(patients.values().map(BTreeSet::len).sum::<usize>(), 40, "nobody is in two classes");
    let published = text("out.csv");
    assert!(published.starts_with("age,sex,diagnosis,class\n") && !published.contains("p1"));
    for (class, own) in &patients {
        let rows = published.lines().filter(|line| line.rsplit(',').next() == Some(class)).count();
        assert_eq!(rows, 5 * own.len(), "class {class}");
    }
    let report = folder.json("r.json");
    assert_eq!((&report["persons"]["count"], &report["persons"]["most_rows"]), (&40.into(), &5.into()));
    assert_eq!(folder.json("c.json")["lookalike"]["rows_are"]["events-of"], "patient_id");
    assert!(text("s.html").contains("40 people in 200 rows"));
    folder.succeed(&["anonymize", "in.csv", "--config", "c.json", "-o", "again.csv"]);
    assert_eq!(text("again.csv"), published);
    let refused = |flags: &str| {
        let line = format!(
            "anonymize in.csv --quasi age,sex --sensitive diagnosis --seed 1 --rows-are events-of=patient_id -o o.csv {flags}"
        );
        folder.run(&line.split(' ').collect::<Vec<_>>())
    };
    for (flags, code, told) in [
        ("--model k-anonymity --k 5 --loss ncp", 2, "Minimise squared errors (--loss sse)"),
        ("--model k-anonymity --k 5 --method doka-greedy", 2, "gives each record a separate row"),
        ("--model k-anonymity --k 5 --out-of-core .", 2, "out of core there are no people with several rows"),
        ("--model k-anonymity --k 5 --keep patient_id", 2, "holds the keys of people and is never published"),
        // Everybody has five of the seven diagnoses, so that all seven count as one.
        ("--model m-invariance --m 3", 3, "m = 3 allows at most 13; no m of 2 or more is possible"),
        ("--model k-anonymity --k 5 --person patient_id", 2, "cannot be used with"),
    ] {
        let run = refused(flags);
        assert_eq!(run.code, Some(code), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{flags}: {}", run.stderr);
        assert!(!folder.path().join("o.csv").exists(), "{flags}");
    }
    let run = folder.run(&["anonymize", "in.csv", "--quasi", "age", "--rows-are", "events", "-o", "o.csv"]);
    assert!(run.stderr.contains("use people, or events-of=COLUMN"), "{}", run.stderr);
}

#[test]
fn what_the_rows_are_is_part_of_a_configuration() {
    let folder = Folder::new();
    folder.write("in.csv", visits());
    let line = "anonymize in.csv --quasi age,sex --model k-anonymity --k 5 --seed 1 --effort 0 --rows-are people --save-config c.json";
    folder.succeed(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(folder.json("c.json")["lookalike"]["rows_are"], "people");
    folder.succeed(&["anonymize", "in.csv", "--config", "c.json", "--effort", "0", "-o", "out.csv"]);
    // A column that the configuration calls an identifier is looked at, whatever its name.
    folder.write("in.csv", visits().replace("patient_id", "lookup"));
    folder.write(
        "d.json",
        r#"{"fields":[{"name":"lookup","lookalike":{"role":"identifier"}},{"name":"age","lookalike":{"role":"quasi-identifier"}}],
            "lookalike":{"model":{"name":"k-anonymity","k":5}}}"#,
    );
    for more in [&[][..], &["--out-of-core", "."]] {
        let run = folder.run(&[&["anonymize", "in.csv", "--config", "d.json", "-o", "o.csv"], more].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("\"lookup\" looks like the key"), "{}", run.stderr);
    }
}

#[test]
fn a_gap_is_a_gap_however_it_is_written() {
    let folder = Folder::new();
    let mut text = String::from("age,sex,income\n");
    let gaps = ["NaN", "n/a", ".", "NULL"];
    for row in 0..40 {
        let income = if row % 10 == 0 { gaps[row / 10].to_owned() } else { format!("i{}", row % 10) };
        writeln!(text, "{},{},{income}", 20 + row, if row % 2 == 0 { "m" } else { "f" }).unwrap();
    }
    folder.write("in.csv", text);
    let line =
        "anonymize in.csv --quasi age,sex --sensitive income --model m-invariance --m 4 --seed 1 -o out.csv";
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("\"income\" is missing in 4 of 40 rows"), "{}", run.stderr);
    let value = format!("{line} --missing-sensitive value");
    folder.succeed(&value.split(' ').collect::<Vec<_>>());
    // The four are one value, of which a class may hold one; and the audit of the same file agrees.
    let check = "check out.csv --quasi age,sex --sensitive income --model l-diversity --l 3";
    folder.succeed(&check.split(' ').collect::<Vec<_>>());
    let other = format!("{check} --missing i1,i2,i3,i4,i5,i6,i7,i8,i9");
    assert_eq!(
        folder.run(&other.split(' ').collect::<Vec<_>>()).code,
        Some(1),
        "markers count for the sensitive column"
    );
}

#[test]
fn a_group_with_one_sensitive_value_is_warned_about() {
    let folder = Folder::new();
    let mut text = String::from("age,income\n");
    for row in 0..40 {
        writeln!(text, "{},{}", 20 + row / 10 * 10, if row < 20 || row % 2 == 0 { "low" } else { "high" })
            .unwrap();
    }
    folder.write("in.csv", text);
    for more in ["", " --out-of-core ."] {
        let line = format!(
            "anonymize in.csv --quasi age --sensitive income --model k-anonymity --k 5 --seed 1 --report r.json --statement s.html -o \
             out.csv{more}"
        );
        let run = folder.succeed(&line.split(' ').collect::<Vec<_>>());
        let told = "in 2 of 4 groups of equal quasi-identifiers every row with a known value of \"income\" has the same value";
        assert!(run.stderr.contains(told), "{}", run.stderr);
        let warnings = folder.json("r.json")["warnings"].to_string();
        assert!(warnings.contains("in 2 of 4 groups"), "{warnings}");
        assert!(folder.text("s.html").contains("in 2 of 4 groups"));
    }
}

/// One list of markers: a gap by the user's own marker is one to the audit and to the warning, too, in memory and out of it.
#[test]
fn the_markers_of_the_user_are_gaps_to_the_audit() {
    let folder = Folder::new();
    let mut text = String::from("age,illness\n");
    for row in 0..60 {
        let illness = ["flu", "gout", "mumps", "rash", "unknown"][row % 5];
        writeln!(text, "{},{illness}", 20 + row / 5).unwrap();
    }
    folder.write("m.csv", text);
    // Two groups: one of flu and gaps, one with two known values.
    let mut text = String::from("age,illness\n");
    for row in 0..20 {
        let illness = if row % 3 == 0 { ["unknown", "?"][row / 3 % 2] } else { "flu" };
        let illness = if row == 10 { "gout" } else { illness };
        writeln!(text, "{},{illness}", if row < 10 { 20 } else { 70 }).unwrap();
    }
    folder.write("k.csv", text);
    for more in ["", " --out-of-core ."] {
        let line = |file: &str, model: &str| {
            let line = format!(
                "anonymize {file} --quasi age --sensitive illness --missing unknown,? --missing-sensitive value --model {model} \
                 --seed 1 --effort 0 --report r.json -o out.csv{more}"
            );
            folder.succeed(&line.split(' ').collect::<Vec<_>>())
        };
        line("m.csv", "m-invariance --m 3");
        let checks = folder.json("r.json")["audit"]["checks"].to_string();
        assert!(checks.contains("not counting 'unknown' (not known)"), "{checks}");
        let run = line("k.csv", "k-anonymity --k 5");
        let told = "in 1 of 2 groups of equal quasi-identifiers every row with a known value of \"illness\" has the same value";
        assert!(run.stderr.contains(told), "{more}: {}", run.stderr);
    }
}

/// A question that was overridden stands in the private record and in the statement, and so does what decides over the bytes.
#[test]
fn what_was_said_of_a_table_is_on_record() {
    let folder = Folder::new();
    folder.write("in.csv", headerless());
    for (said, header, words) in [
        (" --header no --rows-are people", true, "a record, as stated (--header no)"),
        (" --header yes --rows-are people", true, "the names of the columns, as stated (--header yes)"),
    ] {
        for more in ["", " --out-of-core . --block-rows 30"] {
            let quasi = if said.contains("no") { "column1,column2" } else { "m,20" };
            let line = format!(
                "anonymize in.csv{said} --quasi {quasi} --model k-anonymity --k 5 --seed 1 --effort 0 --private p.json --statement s.html \
                 -o out.csv{more}"
            );
            folder.succeed(&line.split(' ').collect::<Vec<_>>());
            assert_eq!(folder.json("p.json")["header"].is_boolean(), header);
            let statement = folder.text("s.html");
            assert!(statement.contains(words), "{statement}");
            assert!(statement.contains("a person, as stated (--rows-are people)"), "{statement}");
            assert_eq!(
                statement.contains("<th scope=\"row\">Largest block (--block-rows)</th><td>30 rows</td>"),
                !more.is_empty()
            );
            assert_eq!(
                statement.contains("seed, algorithm revision and largest block give the same bytes"),
                !more.is_empty()
            );
        }
    }
}

/// The terminal tells real records from counterfeits, and a method that is over from effort that is spent.
#[test]
fn the_terminal_counts_no_counterfeit_as_a_record() {
    let folder = Folder::new();
    let mut text = String::from("age,illness\n");
    for row in 0..40 {
        writeln!(text, "{},{}", 20 + row, ["flu", "flu", "gout", "flu", "mumps"][row % 5]).unwrap();
    }
    folder.write("in.csv", text);
    let run = |more: &str| {
        let line = format!("anonymize in.csv --quasi age --sensitive illness --seed 1 -o out.csv {more}");
        folder.succeed(&line.split(' ').collect::<Vec<_>>()).stderr
    };
    let told =
        run("--model m-invariance --m 3 --eligibility add --effort 1 --loss ncp --counterfeit-points drawn");
    let rows = folder.text("out.csv").lines().count() - 1;
    let counted = format!("40 real records and {} counterfeits in ", rows - 40);
    assert!(rows > 41 && told.contains(&counted), "{told}");
    assert!(told.contains("certainty penalty (NCP) of the real records "), "{told}");
    assert!(told.contains("effort budget exhausted"), "{told}");
    let told = run("--model k-anonymity --k 3 --time-limit 5s --method mdav");
    assert!(told.contains("k = 3: 40 records in ") && told.contains("; the method ended"), "{told}");
}
