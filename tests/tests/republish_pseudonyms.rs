//! Ledgers with pseudonyms in place of names, and people who are erased from them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use lookalike_tests::{
    program::{Folder, Run},
    series::{FIRST, LATER, next_month, refused, republish, succeed},
    tables::patients,
};
use serde_json::Value;

const KEY: &str = "--pseudonym-key key";

/// What a run printed.
fn out(run: &Run) -> String {
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// Two tables and a key.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("1.csv", patients(120));
    folder.write("2.csv", next_month(&patients(120)));
    let made = ledger(&folder, &["key", "key"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    folder
}

/// `lookalike ledger`.
fn ledger(folder: &Folder, args: &[&str]) -> Run {
    folder.run(&[&["ledger"], args].concat())
}

fn read(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).unwrap()
}

fn first(folder: &Folder) -> Run {
    succeed(folder, "1.csv", "r1.csv", &format!("{FIRST} {KEY}"))
}

/// Erases these people.
fn erase(folder: &Folder, names: &str) -> Run {
    folder.write("people.txt", names);
    ledger(folder, &["erase", "ledger.json", "--people", "people.txt", "--pseudonym-key", "key"])
}

/// The pseudonym of a name, as the command line says it.
fn pseudonym(folder: &Folder, name: &str) -> String {
    folder.write("name.txt", format!("{name}\n"));
    let said = out(&ledger(folder, &["pseudonym", "name.txt", "--pseudonym-key", "key"]));
    said.split(' ').next().unwrap().to_owned()
}

#[test]
fn a_ledger_with_pseudonyms_has_no_name_and_the_releases_promise_the_same() {
    let folder = folder();
    let begun = first(&folder);
    for said in
        ["their key is key", "without this file the series cannot go on", "in the folder of the ledger"]
    {
        assert!(begun.stderr.contains(said), "{said}: {}", begun.stderr);
    }
    let later = succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} {KEY}"));
    assert!(later.stderr.contains("20 new") && later.stderr.contains("gone"), "{}", later.stderr);
    // No name of either table is anywhere in the ledger, nor in what lies beside it.
    let names = [patients(120), next_month(&patients(120))].concat();
    for file in ["ledger.json", "ledger.json.used"] {
        let text = String::from_utf8(folder.read(file)).unwrap();
        for name in names.lines().filter_map(|line| line.split(',').next()).filter(|name| *name != "id") {
            assert!(!text.contains(&format!("\"{name}\"")), "{name} in {file}");
        }
    }
    assert_eq!(read(&folder, "ledger.json")["version"], 3);
    // Both releases keep what was promised, by an audit that reads the ledger, and by one that has the sources and no ledger.
    let check = |more: &[&str]| {
        let asked = ["check", "r1.csv", "r2.csv", "--model", "tau-safety", "--m", "3"];
        folder.run(&[&asked[..], more].concat())
    };
    for more in [
        &["--ledger", "ledger.json"][..],
        &["--quasi", "age,sex", "--sensitive", "disease", "--sources", "1.csv", "2.csv", "--id", "id"],
    ] {
        let judged = check(more);
        assert_eq!(judged.code, Some(0), "{}{}", out(&judged), judged.stderr);
    }
    let verified = ledger(&folder, &["verify", "ledger.json", "--releases", "."]);
    assert_eq!(verified.code, Some(0), "{}{}", out(&verified), verified.stderr);
    // As many people came, left and stayed as in a series with names.
    let named = Folder::new();
    for file in ["1.csv", "2.csv"] {
        named.write(file, folder.read(file));
    }
    succeed(&named, "1.csv", "r1.csv", FIRST);
    let other = succeed(&named, "2.csv", "r2.csv", LATER);
    let updates =
        |run: &Run| run.stderr.lines().find(|line| line.contains("release 2 (")).unwrap().to_owned();
    assert_eq!(updates(&later), updates(&other));
}

#[test]
fn only_the_key_of_the_series_goes_on() {
    let folder = folder();
    first(&folder);
    ledger(&folder, &["key", "other"]);
    folder.write("no-key", "a passphrase\n");
    let names = folder.names();
    let next = |flags: &str| republish(&folder, "2.csv", "r2.csv", &format!("{LATER} {flags}"));
    refused(&folder, &next(""), &names, 2, &["has pseudonyms in place of names", "--pseudonym-key"]);
    refused(&folder, &next("--pseudonym-key other"), &names, 2, &["were made with another key"]);
    refused(&folder, &next("--pseudonym-key no-key"), &names, 2, &["no-key", "64 hexadecimal digits"]);
    let again = ledger(&folder, &["key", "key"]);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("never written over"), "{}", again.stderr);
    // A series that began with names goes on with names.
    let named = Folder::new();
    for file in ["1.csv", "2.csv", "key"] {
        named.write(file, folder.read(file));
    }
    succeed(&named, "1.csv", "r1.csv", FIRST);
    let names = named.names();
    let mixed = republish(&named, "2.csv", "r2.csv", &format!("{LATER} {KEY}"));
    refused(&named, &mixed, &names, 2, &["has names, not pseudonyms"]);
}

#[test]
fn names_that_may_be_one_are_known_by_their_pseudonyms_and_said_by_their_names() {
    let folder = folder();
    first(&folder);
    folder.write("2.csv", patients(120).replace("\nP7,", "\np7,"));
    let names = folder.names();
    let alike = republish(&folder, "2.csv", "r2.csv", &format!("{LATER} {KEY}"));
    let old = pseudonym(&folder, "P7");
    let mut with_name = names.clone();
    with_name.push(String::from("name.txt"));
    with_name.sort();
    refused(&folder, &alike, &with_name, 2, &["\"p7\" (8)", &old]);
    // Different people after all.
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} {KEY} --exact-names"));
}

#[test]
fn people_are_erased_and_the_promise_still_holds() {
    let folder = folder();
    first(&folder);
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} {KEY}"));
    let (before, list) = (folder.read("ledger.json"), folder.read("ledger.json.used"));
    let gone = [pseudonym(&folder, "P1"), pseudonym(&folder, "P2")];
    let erased = erase(&folder, "P1\n P2 \n\n");
    assert_eq!(erased.code, Some(0), "{}", erased.stderr);
    assert!(out(&erased).contains("2 people were erased"), "{}", out(&erased));
    let after = read(&folder, "ledger.json");
    let individuals = after["ledger"]["individuals"].as_object().unwrap();
    for pseudonym in &gone {
        assert!(!individuals.contains_key(pseudonym));
    }
    let old: Value = serde_json::from_slice(&before).unwrap();
    assert_eq!(individuals.len(), old["ledger"]["individuals"].as_object().unwrap().len());
    // Who has the key and the ledger of now cannot try which of the nameless people it was: no earlier state can be made again.
    for release in after["ledger"]["releases"].as_array().unwrap().iter().rev().skip(1) {
        assert!(release.get("nonce").is_none(), "{release}");
    }
    // Both releases keep the promise by the ledger that has forgotten them, and the list beside it fits.
    let verified = ledger(&folder, &["verify", "ledger.json", "--releases", "."]);
    assert_eq!(verified.code, Some(0), "{}{}", out(&verified), verified.stderr);
    let shown = ledger(&folder, &["show", "ledger.json", "--people"]);
    assert!(out(&shown).contains("pseudonyms in place of names; 2 people were erased"), "{}", out(&shown));
    // The old state is an old copy from now on, and the last release is not taken back any more.
    let names = folder.names();
    let newest = folder.read("ledger.json");
    folder.write("ledger.json", &before);
    let next = |more: &str| republish(&folder, "3.csv", "r3.csv", &format!("{LATER} {KEY} {more}"));
    folder.write("3.csv", next_month(&patients(120)));
    let mut names_then = names.clone();
    names_then.push(String::from("3.csv"));
    names_then.sort();
    refused(&folder, &next(""), &names_then, 2, &["people were erased from this state", "old copy"]);
    let stale = ledger(&folder, &["verify", "ledger.json"]);
    assert_eq!(stale.code, Some(1), "{}", out(&stale));
    folder.write("ledger.json", &newest);
    refused(
        &folder,
        &next("--replace"),
        &names_then,
        2,
        &["people were erased from the ledger after its last release"],
    );
    // They do not come back; without them the series goes on.
    refused(&folder, &next(""), &names_then, 2, &["\"P1\" (2)", "erased from the ledger"]);
    let next_table = next_month(&patients(120));
    let stay = |line: &&str| !line.starts_with("P1,") && !line.starts_with("P2,");
    let without = next_table.lines().filter(stay).collect::<Vec<_>>().join("\n");
    folder.write("3.csv", without);
    let went_on = next("");
    assert_eq!(went_on.code, Some(0), "{}", went_on.stderr);
    let verified = ledger(&folder, &["verify", "ledger.json", "--releases", "."]);
    assert_eq!(verified.code, Some(0), "{}{}", out(&verified), verified.stderr);
    assert!(folder.read("ledger.json.used").len() > list.len());
}

#[test]
fn people_who_are_forgotten_leave_no_mark_and_nothing_that_could_be_tried() {
    let folder = folder();
    first(&folder);
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} {KEY}"));
    let before = String::from_utf8(folder.read("ledger.json")).unwrap();
    let gone = pseudonym(&folder, "P1");
    folder.write("people.txt", "P1\n");
    let flags = ["erase", "ledger.json", "--people", "people.txt", "--pseudonym-key", "key", "--forget"];
    assert_eq!(ledger(&folder, &flags).code, Some(0));
    let text = String::from_utf8(folder.read("ledger.json")).unwrap();
    assert!(!text.contains(&gone), "a mark is left");
    // The attacker has the key and guesses everything right that the state of before held: only its random digits are missing. With them
    // the guess would be proven, since the list of used states names that state.
    let body = |text: &str| text[text.find("\"ledger\":").unwrap() + 9..text.trim_end().len() - 1].to_owned();
    let checksum = |body: &str| blake3::hash(body.as_bytes()).to_hex().to_string();
    let listed = String::from_utf8(folder.read("ledger.json.used")).unwrap();
    assert!(listed.contains(&format!("erased {}", checksum(&body(&before)))), "{listed}");
    let digits = |text: &str| -> Vec<String> {
        text.split("\"nonce\":\"").skip(1).map(|rest| rest[..32].to_owned()).collect()
    };
    let ([first, last], [now]) = (&digits(&before)[..], &digits(&text)[..]) else { panic!("{text}") };
    let guess = body(&before).replace(&format!("\"nonce\":\"{first}\","), "").replace(last, now);
    assert!(!guess.contains(first) && !guess.contains(last) && guess.contains(&gone));
    assert!(![&text, &listed].iter().any(|known| known.contains(&checksum(&guess))));
    let shown = ledger(&folder, &["show", "ledger.json"]);
    assert!(out(&shown).contains("1 person was erased"), "{}", out(&shown));
}

#[test]
fn an_erasure_that_was_killed_is_finished_by_the_next() {
    let folder = folder();
    first(&folder);
    let before = folder.read("ledger.json");
    let list = folder.read("ledger.json.used");
    assert_eq!(erase(&folder, "P1\n").code, Some(0));
    let after = folder.read("ledger.json");
    // As it is left by a run that was killed after it had held the ledger, before it marked the old state.
    folder.write("ledger.json", &before);
    folder.write("ledger.json.used", &list);
    folder.write("ledger.json.pending", &after);
    let names = folder.names();
    let blocked = republish(&folder, "2.csv", "r2.csv", &format!("{LATER} {KEY}"));
    refused(&folder, &blocked, &names, 2, &["`lookalike ledger erase` was interrupted"]);
    let finished = erase(&folder, "P1\n");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert_eq!(folder.read("ledger.json"), after);
    let verified = ledger(&folder, &["verify", "ledger.json"]);
    assert_eq!(verified.code, Some(0), "{}{}", out(&verified), verified.stderr);
}

#[test]
fn what_cannot_be_erased_is_said_and_nothing_is_changed() {
    let folder = folder();
    first(&folder);
    folder.write("people.txt", "");
    let (names, before) = (folder.names(), folder.read("ledger.json"));
    for (people, says) in [("Nobody\nP1\n", "does not have \"Nobody\""), (" \n", "names nobody")] {
        refused(&folder, &erase(&folder, people), &names, 2, &[says]);
        assert_eq!(folder.read("ledger.json"), before);
    }
    // In an incremental series nobody leaves.
    let grows = Folder::new();
    for file in ["1.csv", "key"] {
        grows.write(file, folder.read(file));
    }
    grows.write("people.txt", "");
    succeed(&grows, "1.csv", "r1.csv", &format!("{} {KEY}", FIRST.replace("tau-safety", "incremental")));
    let names = grows.names();
    refused(&grows, &erase(&grows, "P1\n"), &names, 2, &["nobody leaves"]);
}
