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
    // The lock of a dead run, and what it has half written, go with the next run that has the lock.
    names.retain(|name| name != "ledger.json.lock" && !name.starts_with(".lookalike-held-"));
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

#[test]
fn an_interrupted_run_that_replaces_a_release_replaces_it() {
    let folder = Folder::new();
    let table = patients(90);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    succeed(&folder, "2.csv", "r2.csv", LATER);
    let (second, used) = (folder.read("ledger.json"), folder.read("ledger.json.used"));
    let published = folder.read("r2.csv");
    let replace = "--seed 3 --effort 0.2 --replace";
    succeed(&folder, "1.csv", "r2.csv", replace);
    let (replaced, after) = (folder.read("ledger.json"), folder.text("ledger.json.used"));
    assert!(after.contains("taken-back"), "{after}");
    // As if the lights had gone out while the release was written, or after it.
    for (release, asked) in [(&published, replace), (&folder.read("r2.csv"), "--recover")] {
        folder.write("ledger.json", &second);
        folder.write("ledger.json.used", &used);
        folder.write("ledger.json.pending", &replaced);
        folder.write("r2.csv", release);
        let run = republish(&folder, "1.csv", "r2.csv", LATER);
        refused(&folder, &run, &folder.names(), 2, &["interrupted while it wrote release 2"]);
        let run = succeed(&folder, "1.csv", "r2.csv", asked);
        assert!(run.stderr.contains("release 2"), "{}", run.stderr);
        assert_eq!(folder.read("ledger.json"), replaced, "{asked}");
        assert_eq!(folder.text("ledger.json.used"), after, "{asked}");
        assert!(!folder.names().contains(&String::from("ledger.json.pending")));
    }
    // The table that was taken back is no state of the series.
    folder.write("ledger.json", &second);
    let run = republish(&folder, "2.csv", "r3.csv", LATER);
    refused(&folder, &run, &folder.names(), 2, &["was taken back"]);
}

#[test]
fn an_old_copy_of_a_ledger_replaces_no_release() {
    let folder = Folder::new();
    let table = patients(90);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let first = folder.read("ledger.json");
    succeed(&folder, "2.csv", "r2.csv", LATER);
    let second = folder.read("ledger.json");
    succeed(&folder, "1.csv", "r2.csv", "--seed 3 --effort 0.2 --replace");
    let again = "--seed 4 --effort 0.2 --replace";
    let names = folder.names();
    folder.write("ledger.json", &second);
    let run = republish(&folder, "2.csv", "new.csv", again);
    refused(&folder, &run, &names, 2, &["release 2 of ledger.json was taken back"]);
    // One release was made since: that is the one which is made again.
    folder.write("ledger.json", &first);
    succeed(&folder, "2.csv", "again.csv", again);
    succeed(&folder, "1.csv", "r3.csv", LATER);
    let names = folder.names();
    folder.write("ledger.json", &first);
    for flags in [again, LATER] {
        let run = republish(&folder, "2.csv", "new.csv", flags);
        refused(&folder, &run, &names, 2, &["and others followed", "old copy"]);
        assert!(!run.stderr.contains("--replace"), "{}", run.stderr);
    }
}

#[test]
fn a_release_that_stays_is_not_written_over() {
    let folder = Folder::new();
    let table = patients(90);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    succeed(&folder, "2.csv", "r2.csv", LATER);
    let (names, first) = (folder.names(), folder.read("r1.csv"));
    for flags in [LATER, "--seed 3 --effort 0.2 --replace"] {
        let run = republish(&folder, "1.csv", "r1.csv", flags);
        refused(&folder, &run, &names, 2, &["r1.csv is release 1 of this series"]);
        assert!(!run.stderr.contains("--replace"), "{}", run.stderr);
    }
    assert_eq!(folder.read("r1.csv"), first);
    let run = republish(&folder, "1.csv", "r2.csv", LATER);
    refused(&folder, &run, &names, 2, &["r2.csv is release 2", "--replace if nobody has seen it"]);
    succeed(&folder, "1.csv", "r2.csv", "--seed 3 --effort 0.2 --replace");
}

#[test]
fn files_of_a_run_are_not_written_over() {
    let folder = Folder::new();
    folder.write("1.csv", patients(90));
    folder.write("secret", "correct horse battery staple\n");
    folder.write("tree.csv", "F;*\nM;*\n");
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --save-config c.json"));
    let names = folder.names();
    let before: Vec<_> = names.iter().map(|name| folder.read(name)).collect();
    for (flags, says) in [
        ("--counterfeit-counts ledger.json.pending --accept-exposure 1", "is the ledger, or belongs to it"),
        ("--counterfeit-counts ledger.json --accept-exposure 1", "is the ledger, or belongs to it"),
        ("--counterfeit-counts r2.csv --accept-exposure 1", "is another output already"),
        ("--report r1.csv --previous r1.csv", "is a file that this run reads"),
        ("--config c.json --report ./c.json", "is a file that this run reads"),
        ("--hierarchy sex=tree.csv --classes tree.csv", "is a file that this run reads"),
    ] {
        let run = republish(&folder, "1.csv", "r2.csv", &format!("{LATER} {flags}"));
        refused(&folder, &run, &names, 2, &[says]);
    }
    let line =
        format!("republish 1.csv --ledger s.json --passphrase-file secret --private secret -o s.csv {FIRST}");
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    refused(&folder, &run, &names, 2, &["secret is a file that this run reads"]);
    let line = "anonymize 1.csv --quasi age --model k-anonymity --k 3 --seed 1 --effort 0 --worker http://127.0.0.1:9 \
                --token-file secret -o secret";
    let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
    refused(&folder, &run, &names, 2, &["secret"]);
    assert_eq!(names.iter().map(|name| folder.read(name)).collect::<Vec<_>>(), before);
    let run = succeed(
        &folder,
        "1.csv",
        "r2.csv",
        &format!("{LATER} --counterfeit-counts n.csv --accept-exposure 1"),
    );
    assert!(run.stderr.contains("written: r2.csv, n.csv"), "{}", run.stderr);
}

#[test]
fn what_is_recovered_is_sealed_where_that_was_asked_for() {
    let folder = Folder::new();
    let table = patients(60);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    folder.write("secret", "correct horse battery staple\n");
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let first = folder.read("ledger.json");
    succeed(&folder, "2.csv", "r2.csv", LATER);
    let second = folder.read("ledger.json");
    folder.write("ledger.json", &first);
    folder.write("ledger.json.pending", &second);
    let names = folder.names();
    let run = republish(&folder, "2.csv", "r2.csv", "--recover --previous r1.csv");
    refused(&folder, &run, &names, 2, &["--previous"]);
    succeed(&folder, "2.csv", "r2.csv", "--passphrase-file secret --seal-now --recover");
    assert!(folder.read("ledger.json").starts_with(b"age-encryption.org/v1\n"));
    succeed(&folder, "1.csv", "r3.csv", &format!("{LATER} --passphrase-file secret --previous r2.csv"));
}

#[test]
fn the_first_release_made_again_is_told_what_it_needs() {
    let folder = Folder::new();
    folder.write("1.csv", patients(60));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let run = republish(&folder, "1.csv", "r1.csv", &format!("{LATER} --replace"));
    refused(&folder, &run, &folder.names(), 2, &["--"]);
    let flags = FIRST.replace("--begin --id id", "");
    let run = republish(&folder, "1.csv", "r1.csv", &format!("{flags} --replace"));
    refused(&folder, &run, &folder.names(), 2, &["needs --id", "has no release that stays"]);
    assert!(!run.stderr.contains("does not exist"), "{}", run.stderr);
}

/// The words name what was asked for, and nothing that nobody has said.
#[test]
fn a_series_of_k_anonymous_releases_is_refused_as_such() {
    let folder = Folder::new();
    folder.write("1.csv", patients(60));
    let names = folder.names();
    let line = FIRST.replace("--m 3", "--model k-anonymity --k 3");
    let run = republish(&folder, "1.csv", "r1.csv", &line);
    refused(&folder, &run, &names, 2, &["a series of releases needs m-invariance"]);
    assert!(!run.stderr.contains("--eligibility"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_ledger_keeps_its_rights_and_has_one_name() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    folder.write("1.csv", patients(60));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let ledger = folder.path().join("ledger.json");
    let mode = || std::fs::metadata(&ledger).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    let rights = |mode| std::fs::set_permissions(&ledger, std::fs::Permissions::from_mode(mode)).unwrap();
    rights(0o640);
    succeed(&folder, "1.csv", "r2.csv", LATER);
    assert_eq!(mode(), 0o640);
    rights(0o400);
    let names = folder.names();
    let run = republish(&folder, "1.csv", "r3.csv", LATER);
    refused(&folder, &run, &names, 4, &["ledger.json: it is read-only"]);
    rights(0o600);
    std::fs::hard_link(&ledger, folder.path().join("other.json")).unwrap();
    let names = folder.names();
    let run = republish(&folder, "1.csv", "r3.csv", LATER);
    refused(&folder, &run, &names, 2, &["has another name (a hard link)"]);
    std::fs::remove_file(folder.path().join("other.json")).unwrap();
    folder.write("ledger.json.lock", "pinned");
    let names = folder.names();
    let run = republish(&folder, "1.csv", "r3.csv", LATER);
    refused(&folder, &run, &names, 4, &["ledger.json.lock is where a run keeps its lock"]);
    assert_eq!(folder.text("ledger.json.lock"), "pinned");
}

#[test]
fn a_series_begins_only_where_it_is_said() {
    let folder = Folder::new();
    folder.write("1.csv", patients(140));
    let names = folder.names();
    let without = FIRST.replace("--begin ", "");
    let mistyped = republish(&folder, "1.csv", "r1.csv", &without);
    refused(&folder, &mistyped, &names, 2, &["there is no ledger ledger.json", "--begin"]);
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let names = folder.names();
    let again = republish(&folder, "1.csv", "r2.csv", FIRST);
    refused(&folder, &again, &names, 2, &["exists, and its series has begun", "leave out --begin"]);
    succeed(&folder, "1.csv", "r2.csv", LATER);
}

#[test]
fn a_list_of_used_states_is_ours_or_said_to_be_missing() {
    let folder = Folder::new();
    folder.write("1.csv", patients(140));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    folder.write("ledger.json.used", b"\x00\xffgarbage");
    let names = folder.names();
    let garbage = republish(&folder, "1.csv", "r2.csv", LATER);
    refused(&folder, &garbage, &names, 2, &["ledger.json.used is not the list", "--previous"]);
    std::fs::remove_file(folder.path().join("ledger.json.used")).unwrap();
    let named = format!("{LATER} --previous r1.csv");
    let missing = succeed(&folder, "1.csv", "r2.csv", LATER);
    assert!(missing.stderr.contains("no list of used states beside the ledger"), "{}", missing.stderr);
    std::fs::remove_file(folder.path().join("ledger.json.used")).unwrap();
    let sure = succeed(&folder, "1.csv", "r3.csv", &named.replace("r1.csv", "r2.csv"));
    assert!(!sure.stderr.contains("no list of used states"), "{}", sure.stderr);
}

/// Whoever can write beside the ledger, and does not know the passphrase, cannot make the program forget a release.
#[test]
fn a_forged_list_beside_a_sealed_ledger_is_refused() {
    let folder = Folder::new();
    folder.write("secret", "correct horse battery staple\n");
    folder.write("1.csv", patients(90));
    let next = |output: &str, more: &str| {
        republish(&folder, "1.csv", output, &format!("{LATER} --passphrase-file secret {more}"))
    };
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --passphrase-file secret"));
    let (old, first) = (folder.read("ledger.json"), folder.read("ledger.json.used"));
    // Other people, so that no release has the bytes of the one before.
    folder.write("2.csv", patients(93));
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} --passphrase-file secret"));
    let second = folder.read("ledger.json.used");
    assert!(second.starts_with(b"age-encryption.org/v1\n"), "it is sealed, too");
    folder.write("ledger.json", &old);
    let names = folder.names();
    refused(&folder, &next("r3.csv", ""), &names, 2, &["is an old copy"]);
    for forged in [b"used none\n".to_vec(), second[..second.len() - 9].to_vec(), Vec::new()] {
        folder.write("ledger.json.used", &forged);
        refused(
            &folder,
            &next("r3.csv", ""),
            &names,
            2,
            &["is not the list of used states that was sealed", "--previous"],
        );
    }
    std::fs::remove_file(folder.file("ledger.json.used")).unwrap();
    let names = folder.names();
    refused(&folder, &next("r3.csv", ""), &names, 2, &["although there was one", "--previous"]);
    refused(&folder, &next("r3.csv", "--previous r2.csv"), &names, 2, &["r2.csv"]);
    // What no file here tells: list and ledger of one earlier moment.
    folder.write("ledger.json.used", &first);
    let names = folder.names();
    refused(&folder, &next("r3.csv", "--previous r2.csv"), &names, 2, &["r2.csv"]);
}

#[test]
fn what_takes_vacant_places_is_said_once_for_a_series() {
    let folder = Folder::new();
    let first = FIRST.replace("tau-safety", "m-invariance");
    let table = patients(140);
    let stays: Vec<&str> =
        table.lines().enumerate().filter(|(at, _)| at % 4 != 1).map(|(_, line)| line).collect();
    folder.write("1.csv", &table);
    folder.write("2.csv", stays.join("\n") + "\n");
    succeed(&folder, "1.csv", "r1.csv", &format!("{first} --vacancies counterfeits --report r1.json"));
    let said = folder.json("r1.json")["against"].to_string();
    assert!(said.contains("who shares a value with whom, not which value"), "{said}");
    let names = folder.names();
    let other = republish(&folder, "2.csv", "r2.csv", &format!("{LATER} --vacancies new-records"));
    refused(&folder, &other, &names, 2, &["vacancies (was counterfeits, now new-records)"]);
    // The ledger knows it.
    succeed(&folder, "2.csv", "r2.csv", LATER);
    assert_eq!(folder.json("ledger.json")["ledger"]["vacancies"], "counterfeits");
}
