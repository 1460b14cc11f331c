//! Series of releases on the command line: one release from each state of the ledger, whatever happens in between.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lookalike_tests::{
    program::{self, Folder},
    series::{FIRST, LATER, next_month, refused, republish, succeed},
    tables::{parse, patients},
};

#[test]
fn one_release_from_each_state() {
    let folder = Folder::new();
    let table = patients(90);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let first = folder.read("ledger.json");
    // The ledger is lost: no series begins anew by mistake.
    std::fs::remove_file(folder.path().join("ledger.json")).unwrap();
    let names = folder.names();
    refused(&folder, &republish(&folder, "1.csv", "new.csv", FIRST), &names, 2, &["ledger.json is gone"]);
    folder.write("ledger.json", &first);
    succeed(&folder, "2.csv", "r2.csv", LATER);
    let second = folder.read("ledger.json");
    let names = folder.names();
    // The ledger from before is put back.
    folder.write("ledger.json", &first);
    for flags in ["", "--previous r1.csv"] {
        let run = republish(&folder, "2.csv", "other.csv", &format!("--seed 3 --effort 0.2 {flags}"));
        refused(&folder, &run, &names, 2, &["release 2 was made from this state before", "--replace"]);
    }
    succeed(&folder, "1.csv", "r2.csv", "--seed 3 --effort 0.2 --replace");
    let replaced = folder.read("ledger.json");
    assert!(replaced != second, "another table");
    // The one that was taken back is no state of the series any more, until it is made again.
    std::fs::remove_file(folder.path().join("ledger.json.used")).unwrap();
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} --replace"));
    assert_eq!(folder.read("ledger.json"), second);
    folder.write("ledger.json", &replaced);
    let run = republish(&folder, "2.csv", "r3.csv", LATER);
    refused(&folder, &run, &names, 2, &["release 2 of ledger.json was taken back"]);
    folder.write("ledger.json", &second);
    succeed(&folder, "1.csv", "r2.csv", "--seed 3 --effort 0.2 --replace");
    assert_eq!(folder.read("ledger.json"), replaced);
    succeed(&folder, "2.csv", "r3.csv", LATER);
    let one = folder.text("ledger.json.used");
    assert_eq!(one.lines().filter(|line| line.starts_with("used ")).count(), 2, "{one}");
    let names = folder.names();
    let over = republish(&folder, "2.csv", "ledger.json.used", LATER);
    refused(&folder, &over, &names, 2, &["belongs to it"]);
}

/// What a file may hold is limited, and the program ends where it writes beyond: in the ledger, or in the release.
#[cfg(unix)]
#[test]
fn a_run_that_dies_while_it_writes() {
    let folder = Folder::new();
    // The table is published with a long note, so the release is much larger than the ledger.
    let with_notes = |table: &str| -> String {
        let line = |(at, line): (usize, &str)| match at {
            0 => format!("{line},note\n"),
            _ => format!("{line},{}\n", "x".repeat(600)),
        };
        table.lines().enumerate().map(line).collect()
    };
    let table = patients(90);
    folder.write("1.csv", with_notes(&table));
    folder.write("2.csv", with_notes(&next_month(&table)));
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --keep note"));
    let first = folder.read("ledger.json");
    let die = |blocks: usize| {
        let line = format!(
            "ulimit -c 0; ulimit -f {blocks}; exec {} republish 2.csv --ledger ledger.json -o r2.csv {LATER}",
            program::binary().display()
        );
        let run =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        assert_ne!(run.status.code(), Some(0));
        assert_eq!(folder.read("ledger.json"), first, "the ledger stays");
        let names = folder.names();
        assert!(!names.contains(&String::from("r2.csv")), "half a release is none: {names:?}");
        names.contains(&String::from("ledger.json.pending"))
    };
    // In the ledger: as if the run had never been.
    assert!(!die(1));
    // In the release: the next run wants to know.
    assert!(die(32));
    let mut names = folder.names();
    // The file of a dead run's lock goes with the next run.
    names.retain(|name| name != "ledger.json.lock");
    refused(&folder, &republish(&folder, "2.csv", "r2.csv", LATER), &names, 2, &["interrupted", "release 2"]);
    let recover = republish(&folder, "2.csv", "r2.csv", "--recover");
    refused(&folder, &recover, &names, 2, &["is not the release"]);
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} --replace"));
    let (_, rows) = parse(&folder.read("r2.csv"));
    assert!(rows.len() >= 80 && !folder.names().contains(&String::from("ledger.json.pending")));
    succeed(&folder, "1.csv", "r3.csv", &format!("{LATER} --previous r2.csv"));
}

#[test]
fn an_interrupted_run_is_settled_first() {
    let folder = Folder::new();
    let table = patients(90);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let first = folder.read("ledger.json");
    succeed(&folder, "2.csv", "r2.csv", LATER);
    let second = folder.read("ledger.json");
    // As if the lights had gone out between the release and its ledger.
    let crash = || {
        folder.write("ledger.json", &first);
        folder.write("ledger.json.pending", &second);
    };
    crash();
    let names = folder.names();
    let again = republish(&folder, "2.csv", "r3.csv", LATER);
    refused(&folder, &again, &names, 2, &["interrupted while it wrote release 2", "--recover", "--replace"]);
    refused(&folder, &republish(&folder, "2.csv", "r1.csv", "--recover"), &names, 2, &["is not the release"]);
    let run = succeed(&folder, "2.csv", "r2.csv", "--recover");
    assert!(run.stderr.contains("release 2 is complete"), "{}", run.stderr);
    assert_eq!(folder.read("ledger.json"), second);
    assert!(!folder.names().contains(&String::from("ledger.json.pending")));
    crash();
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} --replace"));
    assert_eq!(folder.read("ledger.json"), second);
    assert!(!folder.names().contains(&String::from("ledger.json.pending")));
}
