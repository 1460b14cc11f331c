//! Series of releases on the command line: several runs with one ledger at a time.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::{
    collections::BTreeMap,
    net::TcpListener,
    os::unix::fs::symlink,
    process::{Child, Stdio},
};

use lookalike_tests::{
    program::{Folder, Run},
    series::{FIRST, LATER, next_month, refused, republish, succeed},
    tables::patients,
};

/// The number of the release that a run says it has made.
fn number(run: &Run) -> usize {
    let line = run.stderr.lines().find_map(|line| line.split_once("release ")?.1.split_once(" (tau-safety)"));
    assert!(line.is_some(), "{}", run.stderr);
    line.unwrap().0.parse().unwrap()
}

/// So many runs at once, again and again, each with an output of its own: one release comes from each state, and the ledger
/// knows every output.
fn race(races: usize, runs: usize, sealed: bool) {
    let folder = Folder::new();
    folder.write("in.csv", patients(30));
    folder.write("secret", "correct horse battery staple\n");
    let seal = if sealed { "--passphrase-file secret" } else { "" };
    let first = succeed(&folder, "in.csv", "first.csv", &format!("{FIRST} {seal}"));
    let mut made = BTreeMap::from([(number(&first), String::from("first.csv"))]);
    for race in 0..races {
        let start = |run: usize| -> Child {
            let line = format!(
                "republish in.csv --ledger ledger.json -o {race}-{run}.csv --seed {run} --effort 0 {seal}"
            );
            folder.command(line.split_whitespace()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children: Vec<Child> = (0..runs).map(start).collect();
        let ended = children.into_iter().map(|child| Run::from(child.wait_with_output().unwrap()));
        let before = made.len();
        for (run, ended) in ended.enumerate() {
            let output = format!("{race}-{run}.csv");
            if ended.code == Some(0) {
                let number = number(&ended);
                let other = made.insert(number, output.clone());
                assert_eq!(other, None, "two runs made release {number}: {output}");
            } else {
                assert_eq!(ended.code, Some(4), "{}", ended.stderr);
                assert!(
                    ended.stderr.contains("another run is under way with the ledger"),
                    "{}",
                    ended.stderr
                );
                assert!(!folder.path().join(&output).exists());
            }
        }
        assert!(made.len() > before, "somebody wins");
    }
    assert!(made.keys().copied().eq(1..=made.len()), "{made:?}");
    // The bytes of each are held against the ledger.
    let releases: Vec<&str> = made.values().map(String::as_str).collect();
    let line = format!("check {} --model tau-safety --m 3 --ledger ledger.json {seal}", releases.join(" "));
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let left = folder.names().into_iter().filter(|name| name.starts_with("ledger")).collect::<Vec<_>>();
    assert_eq!(left, ["ledger.json", "ledger.json.used"]);
}

#[test]
fn of_runs_at_once_one_makes_the_release() {
    race(12, 2, false);
    race(8, 4, false);
}

/// A ledger is sealed for about a second, in which others could have written theirs.
#[test]
fn of_runs_at_once_with_a_sealed_ledger_one_makes_the_release() {
    race(4, 2, true);
    race(2, 4, true);
}

/// A run that waits for a worker which never answers.
fn begun(folder: &Folder) -> (lookalike_tests::program::Running, std::net::TcpStream) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let worker = format!("http://{}", silent.local_addr().unwrap());
    let line = format!("republish 2.csv --ledger ledger.json -o waits.csv {LATER} --worker {worker}");
    let run = folder.start(&line.split_whitespace().collect::<Vec<_>>());
    let (connection, _) = silent.accept().unwrap();
    (run, connection)
}

#[test]
fn a_run_keeps_others_out_by_whatever_path_until_it_is_gone() {
    let folder = Folder::new();
    let table = patients(60);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("sub")).unwrap();
    symlink("../ledger.json", at("sub/link.json")).unwrap();
    symlink(folder.path(), at("same")).unwrap();
    let (run, _connection) = begun(&folder);
    let names = folder.names();
    let absolute = folder.file("ledger.json");
    let paths = ["ledger.json", "./sub/../ledger.json", "sub/link.json", "same/ledger.json", &absolute];
    for path in paths {
        for asked in ["", "--replace", "--recover"] {
            let line = format!("republish 2.csv --ledger {path} -o other.csv {LATER} {asked}");
            let other = folder.run(&line.split_whitespace().collect::<Vec<_>>());
            refused(
                &folder,
                &other,
                &names,
                4,
                &["another run is under way", "Wait until that run has ended"],
            );
        }
    }
    // A killed run keeps nobody out.
    run.signal("KILL");
    assert_eq!(run.end().code, None);
    let second = succeed(&folder, "2.csv", "r2.csv", LATER);
    assert_eq!(number(&second), 2);
    assert!(!folder.names().contains(&String::from("ledger.json.lock")));
}

/// Temporary files that are there.
fn temporary(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with(".lookalike-")).collect()
}

/// A killed run leaves its temporary files, which may hold what is private.
#[test]
fn what_a_killed_run_has_left_is_removed_and_nothing_of_one_that_lives() {
    let folder = Folder::new();
    let table = patients(60);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let (run, connection) = begun(&folder);
    let left = temporary(&folder);
    assert_eq!(left.len(), 1, "{left:?}");
    run.signal("KILL");
    assert_eq!(run.end().code, None);
    drop(connection);
    assert_eq!(temporary(&folder), left);
    // One of another command that lives in the same folder.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let worker = format!("http://{}", silent.local_addr().unwrap());
    let line = format!(
        "anonymize 1.csv --quasi age --model k-anonymity --k 3 -o other.csv --report other.json --worker {worker}"
    );
    let living = folder.start(&line.split_whitespace().collect::<Vec<_>>());
    let (_connection, _) = silent.accept().unwrap();
    let theirs: Vec<String> = temporary(&folder).into_iter().filter(|name| !left.contains(name)).collect();
    assert_eq!(theirs.len(), 2, "{theirs:?}");
    // What an earlier version has left is named, since nothing tells whose it is.
    folder.write(".lookalike-AbC123.tmp", "of an earlier version");
    let mut names = folder.names();
    let dry = republish(&folder, "2.csv", "r2.csv", &format!("{LATER} --dry-run"));
    // But for the file of the dead run's lock, which goes with any run that has had the lock.
    names.retain(|name| name != "ledger.json.lock");
    assert_eq!(dry.code, Some(0), "{}", dry.stderr);
    assert_eq!(folder.names(), names, "a dry run removes nothing");
    let next = succeed(&folder, "2.csv", "r2.csv", LATER);
    assert!(next.stderr.contains(&left[0]) && next.stderr.contains("removed"), "{}", next.stderr);
    assert!(next.stderr.contains(".lookalike-AbC123.tmp may have been left"), "{}", next.stderr);
    let mut stay = theirs;
    stay.push(String::from(".lookalike-AbC123.tmp"));
    stay.sort();
    assert_eq!(temporary(&folder), stay);
    living.signal("KILL");
    living.end();
}

#[test]
fn a_link_to_a_ledger_stays_one() {
    let folder = Folder::new();
    folder.write("in.csv", patients(60));
    folder.write("kept/empty", "");
    symlink("kept/series.json", folder.path().join("ledger.json")).unwrap();
    for release in 1..=2 {
        let flags = if release == 1 { FIRST } else { LATER };
        let run = succeed(&folder, "in.csv", &format!("r{release}.csv"), flags);
        assert_eq!(number(&run), release);
    }
    assert!(folder.path().join("ledger.json").is_symlink());
    let direct = folder.run(
        &format!("republish in.csv --ledger kept/series.json -o r3.csv {LATER}")
            .split(' ')
            .collect::<Vec<_>>(),
    );
    assert_eq!(number(&direct), 3);
    // Nor is it an output by another path.
    let names = folder.names();
    symlink("kept/series.json", folder.path().join("out.csv")).unwrap();
    let over = republish(&folder, "in.csv", "out.csv", LATER);
    assert!(over.code == Some(2) && over.stderr.contains("belongs to it"), "{}", over.stderr);
    assert!(!folder.text("kept/series.json").is_empty() && names.len() + 1 == folder.names().len());
}

#[test]
fn a_folder_in_which_nothing_can_be_locked_is_named() {
    let folder = Folder::new();
    folder.write("in.csv", patients(30));
    let names = folder.names();
    let line = format!("republish in.csv --ledger none/ledger.json -o r1.csv {FIRST}");
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    refused(&folder, &run, &names, 4, &["none/ledger.json.lock", "this folder must exist"]);
}
