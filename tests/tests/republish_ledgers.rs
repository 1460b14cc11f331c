//! `lookalike ledger`: what is told of a ledger and its states, from files alone.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeMap;

use lookalike_tests::{
    program::{Folder, Run},
    series::{FIRST, LATER, next_month, refused, succeed},
    tables::{parse, patients},
};

fn ledger(folder: &Folder, line: &str) -> Run {
    let args: Vec<&str> = std::iter::once("ledger").chain(line.split_whitespace()).collect();
    folder.run(&args)
}

/// Two releases, and the ledger of the first kept as `first.json`.
fn two_releases(folder: &Folder, flags: &str) -> (String, String) {
    let table = patients(120);
    let next = next_month(&table);
    folder.write("1.csv", &table);
    folder.write("2.csv", &next);
    std::fs::create_dir(folder.path().join("out")).unwrap();
    succeed(folder, "1.csv", "out/a.csv", &format!("{FIRST} {flags}"));
    folder.write("first.json", folder.read("ledger.json"));
    succeed(folder, "2.csv", "out/b.csv", &format!("{LATER} {flags}"));
    (table, next)
}

/// Everybody of a table with the disease.
fn diseases(table: &str) -> BTreeMap<String, String> {
    let (_, rows) = parse(table.as_bytes());
    rows.into_iter().map(|row| (row[0].clone(), row[row.len() - 1].clone())).collect()
}

#[test]
fn a_ledger_is_told_in_numbers_and_people_where_asked_for() {
    let folder = Folder::new();
    let (first, second) = two_releases(&folder, "");
    let shown = ledger(&folder, "show ledger.json");
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let text = String::from_utf8(shown.stdout).unwrap();
    let (before, after) = (diseases(&first), diseases(&second));
    let all = before.keys().chain(after.keys()).collect::<std::collections::BTreeSet<_>>();
    assert!(text.contains("tau-safety with m = 3"), "{text}");
    assert!(
        text.contains(&format!(
            "{} people in all releases together, {} in the last one",
            all.len(),
            after.len()
        )),
        "{text}"
    );
    for (name, number) in [("out/a.csv", 1), ("out/b.csv", 2)] {
        let bytes = folder.read(name);
        let rows = parse(&bytes).1.len();
        assert!(text.contains(&format!("release {number}: {rows} rows")), "{text}");
        assert!(text.contains(blake3::hash(&bytes).to_hex().as_str()), "{text}");
    }
    assert!(!text.contains("N1"), "nobody is named: {text}");
    let named = String::from_utf8(ledger(&folder, "show ledger.json --people").stdout).unwrap();
    assert!(named.contains("\"N1\": releases 2-2"), "{named}");

    let came = after.keys().filter(|name| !before.contains_key(*name)).count();
    let left = before.keys().filter(|name| !after.contains_key(*name)).count();
    let changed =
        after.iter().filter(|(name, value)| before.get(*name).is_some_and(|was| was != *value)).count();
    assert!(came == 20 && left > 20 && changed == 2);
    let differs = ledger(&folder, "diff first.json ledger.json");
    let text = String::from_utf8(differs.stdout).unwrap();
    let expected = format!(
        "{came} came (0 of them had been published before), {left} left, {changed} have another value"
    );
    assert!(text.contains(&expected) && text.lines().count() == 1, "{text}");
    let named = String::from_utf8(ledger(&folder, "diff first.json ledger.json --people").stdout).unwrap();
    assert!(named.contains("N19") && named.lines().count() == 4, "{named}");
    let names = folder.names();
    refused(&folder, &ledger(&folder, "diff ledger.json first.json"), &names, 2, &["not a later state"]);
    refused(&folder, &ledger(&folder, "show 1.csv"), &names, 2, &[]);
}

#[test]
fn the_releases_of_a_ledger_are_judged_from_their_bytes() {
    let folder = Folder::new();
    two_releases(&folder, "");
    let whole = ledger(&folder, "verify ledger.json --releases out");
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let text = String::from_utf8(whole.stdout).unwrap();
    assert!(text.contains("is whole") && text.contains("release 2 is out/b.csv"), "{text}");
    assert!(text.contains("intersection"), "all releases together are judged: {text}");
    assert_eq!(ledger(&folder, "verify ledger.json").code, Some(0));
    // Other names are no other releases; other bytes are.
    std::fs::rename(folder.path().join("out/b.csv"), folder.path().join("out/0.csv")).unwrap();
    assert_eq!(ledger(&folder, "verify ledger.json --releases out").code, Some(0));
    let mut bytes = folder.read("out/0.csv");
    let at = bytes.len() - 3;
    bytes[at] ^= 1;
    folder.write("out/0.csv", &bytes);
    let names = folder.names();
    refused(
        &folder,
        &ledger(&folder, "verify ledger.json --releases out"),
        &names,
        1,
        &["release 2 is in no file"],
    );
    // A changed ledger, and one that was cut off.
    let bytes = folder.read("ledger.json");
    let text = String::from_utf8(bytes.clone()).unwrap();
    for damaged in [text.replacen("\"N1\"", "\"N7x\"", 1).into_bytes(), bytes[..bytes.len() / 2].to_vec()] {
        folder.write("ledger.json", damaged);
        let names = folder.names();
        refused(&folder, &ledger(&folder, "verify ledger.json"), &names, 2, &["damaged"]);
    }
}

#[test]
fn another_passphrase_takes_the_ledger_and_its_list() {
    let folder = Folder::new();
    folder.write("old", "correct horse battery staple\n");
    folder.write("new", "a much better passphrase\n");
    two_releases(&folder, "--passphrase-file old");
    let before = folder.read("ledger.json");
    let list = folder.read("ledger.json.used");
    let names = folder.names();
    let wrong = ledger(&folder, "rekey ledger.json --passphrase-file new --new-passphrase-file old");
    refused(&folder, &wrong, &names, 2, &["ledger.json"]);
    // An old copy stays what it is.
    folder.write("ledger.json", folder.read("first.json"));
    let rekey = "rekey ledger.json --passphrase-file old --new-passphrase-file new";
    refused(&folder, &ledger(&folder, rekey), &names, 2, &["old copy"]);
    folder.write("ledger.json", &before);

    let done = ledger(&folder, rekey);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(folder.read("ledger.json.before-rekey"), before);
    assert_eq!(folder.read("ledger.json.used.before-rekey"), list);
    let names = folder.names();
    refused(&folder, &ledger(&folder, "show ledger.json --passphrase-file old"), &names, 2, &["ledger.json"]);
    let shown =
        |file: &str, secret: &str| ledger(&folder, &format!("show {file} --passphrase-file {secret}")).stdout;
    assert_eq!(shown("ledger.json", "new"), shown("ledger.json.before-rekey", "old"));

    // Killed between list and ledger: the list is the new one, the ledger the old one. It is run again.
    folder.write("ledger.json", &before);
    let done = ledger(&folder, rekey);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    succeed(&folder, "1.csv", "out/c.csv", &format!("{LATER} --passphrase-file new"));
    let whole = ledger(&folder, "verify ledger.json --passphrase-file new --releases out");
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
}
