//! What a run reads as labels although it looks like numbers, and says so; from the published bytes and the terminal.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::collections::BTreeSet;

use lookalike_tests::{
    program::{Folder, Run},
    tables::parse,
};

const RUN: &str = "--model k-anonymity --k 3 --seed 1 --effort 1 -o out.csv";

fn run(folder: &Folder, flags: &str) -> Run {
    let line = format!("anonymize in.csv {flags} {RUN}");
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

/// Twelve times in nanoseconds, of which a 64-bit number knows only one.
#[test]
fn numbers_too_long_to_be_told_apart_are_labels() {
    let folder = Folder::new();
    let times: Vec<u64> = (0..12).map(|row| 1_700_000_000_000_000_000 + 8 * row).collect();
    let rows = times.iter().map(|time| format!("{time},m\n")).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("seen_ns,sex\n{rows}"));
    for more in ["", "--out-of-core ."] {
        let told = run(&folder, &format!("--quasi seen_ns,sex --report r.json {more}"));
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        assert!(told.stderr.contains("too long to be told apart as numbers"), "{}", told.stderr);
        assert!(!told.stderr.contains("\"seen_ns\" is the same"), "{}", told.stderr);
        // Each time stands in one set, of three or more.
        let (_, published) = parse(&folder.read("out.csv"));
        let sets: BTreeSet<&str> = published.iter().map(|row| row[0].as_str()).collect();
        let mut met = BTreeSet::new();
        for set in sets {
            let inner = set.strip_prefix('{').and_then(|set| set.strip_suffix('}')).unwrap();
            let values: Vec<u64> = inner.split(", ").map(|value| value.parse().unwrap()).collect();
            assert!(values.len() >= 3 && values.iter().all(|value| met.insert(*value)), "{set}");
        }
        assert_eq!(met.into_iter().collect::<Vec<_>>(), times);
        std::fs::remove_file(folder.path().join("out.csv")).unwrap();
    }
    let declared = run(&folder, "--quasi seen_ns,sex --kind seen_ns=integer");
    assert_eq!(declared.code, Some(2), "{}", declared.stderr);
    assert!(declared.stderr.contains("1700000000000000008"), "{}", declared.stderr);
}

/// Decimals, grouped and dressed numbers that differ only beyond a 64-bit number are told apart, too.
#[test]
fn numbers_of_any_spelling_that_are_too_long_are_labels() {
    for spell in [
        |row: usize| format!("{}.0", 1_700_000_000_000_000_000 + 8 * row),
        |row: usize| format!("0.123456789012345678{row:02}"),
        |row: usize| format!("\"1,700,000,000,000,000,0{:02}\"", 8 * row + 1),
        |row: usize| format!("${}", 1_700_000_000_000_000_001 + 8 * row),
    ] {
        let folder = Folder::new();
        let rows = (0..12).map(|row| format!("{},m\n", spell(row))).collect::<Vec<_>>().concat();
        folder.write("in.csv", format!("x,sex\n{rows}"));
        let told = run(&folder, "--quasi x,sex");
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        assert!(told.stderr.contains("too long to be told apart as numbers"), "{}", told.stderr);
        assert!(!told.stderr.contains("\"x\" is the same"), "{}", told.stderr);
    }
}

/// One long number among decimals stops a run, which calls it a number.
#[test]
fn a_long_number_among_decimals_is_called_a_number() {
    let folder = Folder::new();
    let rows = (0..20).map(|row| format!("{row}.5\n")).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("x\n{rows}12345678901234567\n"));
    for flags in ["--quasi x", "--quasi x --kind x=real", "--quasi x --out-of-core ."] {
        let told = run(&folder, flags);
        assert_eq!(told.code, Some(2), "{}", told.stderr);
        assert!(told.stderr.contains("too many digits to be distinguished"), "{}", told.stderr);
        assert!(
            told.stderr.contains("--kind x=category") && !told.stderr.contains("finite"),
            "{}",
            told.stderr
        );
    }
}

/// A sample speaks of itself, the whole table of the table.
#[test]
fn warnings_of_the_first_rows_say_so() {
    let folder = Folder::new();
    let rows =
        |many: usize| (0..many).map(|row| format!("1E3{},{}\n", row % 4, 60 + row % 7)).collect::<Vec<_>>();
    let rows = |many: usize| rows(many).iter().map(|row| row.replace('\n', " kg\n")).collect::<String>();
    for (many, of_these) in [(40, false), (32_800, true)] {
        folder.write("in.csv", format!("code,weight\n{}", rows(many)));
        let told = run(&folder, "--quasi code,weight --out-of-core . --private p.json");
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        assert!(told.stderr.contains("column \"weight\" is read as labels"), "{}", told.stderr);
        let private = folder.text("p.json");
        for said in [&told.stderr, &private] {
            assert_eq!(said.contains("in the first 32,768 rows"), of_these, "{said}");
        }
        std::fs::remove_file(folder.path().join("out.csv")).unwrap();
        std::fs::remove_file(folder.path().join("p.json")).unwrap();
    }
}

#[test]
fn codes_with_an_e_are_codes() {
    let folder = Folder::new();
    let rows = (0..12).map(|row| format!("1E3{},{}\n", row % 4, 20 + row)).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("icd11,age\n{rows}"));
    let told = run(&folder, "--quasi icd11,age");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let published = folder.text("out.csv");
    assert!(!published.contains("[1E"), "a range of codes: {published}");
}

/// What keeps a column from being one of numbers or dates is said before it is published, wherever the run takes place.
#[test]
fn the_terminal_says_what_is_read_as_labels() {
    let folder = Folder::new();
    let rows = (0..12)
        .map(|row| {
            let bound = if row % 4 == 0 { "<" } else { "" };
            let visit =
                if row % 2 == 0 { format!("2024-03-{}", 10 + row) } else { format!("{}.03.2024", 10 + row) };
            format!("{visit},{} kg,{bound}{}\n", 60 + row, 5 + row)
        })
        .collect::<Vec<_>>()
        .concat();
    folder.write("in.csv", format!("visit,weight,value\n{rows}"));
    for more in ["", "--out-of-core ."] {
        let told = run(&folder, &format!("--quasi visit,weight,value {more}"));
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        for said in [
            "but in several formats",
            "something around them, such as '60 kg'",
            "not all written in one way, such as '<5'",
        ] {
            assert!(told.stderr.contains(said), "{said}: {}", told.stderr);
        }
        std::fs::remove_file(folder.path().join("out.csv")).unwrap();
    }
}

/// A label that a reader takes for "not known" is refused wherever a hierarchy is read.
#[test]
fn labels_that_read_as_missing_are_refused() {
    let folder = Folder::new();
    let rows = (0..12)
        .map(|row| format!("{},{}\n", ["US", "CA", "DE"][row % 3], 20 + row))
        .collect::<Vec<_>>()
        .concat();
    folder.write("in.csv", format!("country,age\n{rows}"));
    folder.write("h.csv", "US,NA,*\nCA,NA,*\nDE,EU,*\n");
    for more in ["", "--loss ncp", "--out-of-core ."] {
        let flags = format!(
            "--quasi country,age --hierarchy country=h.csv --publish-column country=hierarchy {more}"
        );
        let told = run(&folder, &flags);
        assert_eq!(told.code, Some(2), "{more}: {}", told.stderr);
        assert!(told.stderr.contains("generalises 'US' to 'NA'"), "{more}: {}", told.stderr);
    }
    folder.write("pub.csv", "country,age\nNA,20\nNA,20\nEU,30\nEU,30\n");
    let check = "check pub.csv --quasi country,age --kind age=integer --hierarchy country=h.csv --model k-anonymity --k 2";
    let told = folder.run(&check.split(' ').collect::<Vec<_>>());
    assert_eq!(told.code, Some(2), "{}", told.stderr);
    assert!(told.stderr.contains("take for a missing value"), "{}", told.stderr);
}

/// Labels that are no intervals in a notation that is read cost the number of their values, and the run says so.
#[test]
fn labels_that_count_are_named() {
    let folder = Folder::new();
    let rows = (0..12).map(|row| format!("{}\n", 20 + row)).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("age\n{rows}"));
    for (sign, counts) in [("-", false), (" to ", true)] {
        let tree =
            (20..32).map(|age| format!("{age},{0}0{sign}{0}9,*\n", age / 10)).collect::<Vec<_>>().concat();
        folder.write("h.csv", tree);
        let told = run(
            &folder,
            "--quasi age --hierarchy age=h.csv --publish-column age=hierarchy --loss ncp --report r.json",
        );
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        let warned = folder.json("r.json")["warnings"].to_string();
        assert_eq!(warned.contains("cost the number of values under them"), counts, "{warned}");
    }
}

/// What `describe` proposes counts the rows that its own labels leave out.
#[test]
fn an_m_that_is_proposed_is_possible() {
    let folder = Folder::new();
    // 999 is no illness: of the 28 others 14 have one.
    let ill = |row: usize| if row.is_multiple_of(3) { 999 } else { [5, 3, 5, 2, 5, 4][row % 6] };
    let rows = (0..42).map(|row| format!("{},{}\n", 20 + row, ill(row))).collect::<Vec<_>>().concat();
    folder.write("in.csv", format!("age,diagnosis\n{rows}"));
    let told = folder.run(&["describe", "in.csv"]);
    let told = String::from_utf8(told.stdout).unwrap();
    let line = told.lines().find(|line| line.trim().starts_with("lookalike anonymize")).unwrap();
    assert!(line.contains("diagnosis=999:?"), "{told}");
    let words: Vec<String> =
        line.split_whitespace().skip(1).map(|word| word.replace('\'', "").replace("OUT", "out")).collect();
    let run = folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
}
