//! Series of releases on the command line: who is who, by the names in the table and in the ledger.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lookalike_tests::{
    program::Folder,
    series::{FIRST, LATER, next_month, refused, republish, succeed},
    tables::patients,
};

/// Every other name has white space around it, as fixed-width exports write it.
fn padded(table: &str) -> String {
    let paddings = [("", " "), ("\t", "   "), (" ", ""), ("", "\u{a0}"), ("\u{3000}", "\u{2003}")];
    let line = |(at, line): (usize, &str)| {
        let (before, after) = if at % 2 == 1 { paddings[at / 2 % paddings.len()] } else { ("", "") };
        let (name, rest) = line.split_once(',').unwrap();
        format!("{before}{name}{after},{rest}\n")
    };
    let (header, rows) = table.split_once('\n').unwrap();
    format!("{header}\n{}", rows.lines().enumerate().map(line).collect::<String>())
}

/// What the check of the releases says, which must hold: as an attacker who knows everybody, and with the ledger.
fn holds(folder: &Folder, releases: usize) {
    let files = |prefix: &str| {
        (1..=releases).map(|number| format!("{prefix}{number}.csv")).collect::<Vec<_>>().join(" ")
    };
    let model = "--model tau-safety --m 3 --quasi age,sex --sensitive disease";
    for evidence in [format!("--id id --sources {}", files("")), String::from("--ledger ledger.json")] {
        let line = format!("check {} {model} {evidence}", files("r"));
        let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{}{}", String::from_utf8_lossy(&run.stdout), run.stderr);
    }
}

#[test]
fn white_space_around_a_name_makes_nobody_new() {
    let folder = Folder::new();
    let table = patients(140);
    folder.write("1.csv", &table);
    folder.write("2.csv", padded(&next_month(&table)));
    folder.write("3.csv", padded(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let second = succeed(&folder, "2.csv", "r2.csv", LATER);
    assert!(second.stderr.contains("20 new, 105 stayed, 2 with another value, 33 gone"), "{}", second.stderr);
    let third = succeed(&folder, "3.csv", "r3.csv", LATER);
    assert!(third.stderr.contains("33 back"), "{}", third.stderr);
    holds(&folder, 3);
    let ledger = folder.json("ledger.json");
    let individuals = ledger["ledger"]["individuals"].as_object().unwrap();
    assert!(individuals.keys().all(|name| name.trim() == name), "the ledger has the names alone");
}

#[test]
fn a_person_who_is_not_known_is_nobody_in_a_series() {
    let table = patients(60);
    for (name, flags) in [("?", ""), ("na", ""), (" N/A ", ""), ("unknown", "--missing unknown")] {
        let folder = Folder::new();
        folder.write("1.csv", table.replace("P7,", &format!("{name},")));
        let names = folder.names();
        let run = republish(&folder, "1.csv", "r1.csv", &format!("{FIRST} {flags}"));
        let says = format!("\"{}\" in \"id\", which means \"not known\"", name.trim());
        refused(&folder, &run, &names, 2, &[&says, "who is who"]);
    }
}

#[test]
fn names_that_may_mean_one_person_are_refused_unless_they_are_said_to_be_exact() {
    let folder = Folder::new();
    let table = patients(60);
    let with = |from: &str, to: &str| {
        let other = table.replace(from, to);
        assert_ne!(other, table);
        other
    };
    // The same name twice, but for white space: nobody can say that these are two people.
    folder.write("1.csv", with("\nP7,", "\nP3 ,"));
    let names = folder.names();
    for flags in ["", "--exact-names"] {
        let run = republish(&folder, "1.csv", "r1.csv", &format!("{FIRST} {flags}"));
        refused(&folder, &run, &names, 2, &["one person has several rows", "\"P3\" (4, 8)"]);
    }
    for (to, says) in [
        ("\np3,", "\"P3\" (4), \"p3\" (8)"),
        ("\nP 3,", "\"P 3\" (8), \"P3\" (4)"),
        ("\n0P3,", "\"0P3\" (8), \"P3\" (4)"),
    ] {
        folder.write("1.csv", with("\nP7,", to));
        let run = republish(&folder, "1.csv", "r1.csv", FIRST);
        refused(&folder, &run, &names, 2, &["may mean the same person", says, "--exact-names"]);
    }
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --exact-names"));
    let folder = Folder::new();
    folder.write("1.csv", &table);
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    // Somebody gone and somebody new at once.
    folder.write("2.csv", with("\nP3,", "\np3,").replace("\nP7,", "\n007,"));
    let names = folder.names();
    let run = republish(&folder, "2.csv", "r2.csv", LATER);
    refused(&folder, &run, &names, 2, &["may mean people of the ledger", ": \"p3\" (4) = \"P3\". "]);
    let run = succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} --exact-names"));
    assert!(run.stderr.contains("2 new, 58 stayed, 2 gone"), "{}", run.stderr);
}

/// A ledger of a program that took names byte for byte.
#[test]
fn names_in_an_older_ledger_have_no_white_space_around_them_either() {
    let folder = Folder::new();
    let table = patients(60);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let older = |pairs: &[(&str, &str)]| {
        let text = folder.text("ledger.json");
        let (head, body) = text.trim_end().split_once(",\"ledger\":").unwrap();
        let body = body.strip_suffix('}').unwrap();
        let changed = pairs.iter().fold(body.to_owned(), |body, (from, to)| {
            let other = body.replacen(from, to, 1);
            assert_ne!(other, body, "{from}");
            other
        });
        let sum = |body: &str| blake3::hash(body.as_bytes()).to_hex().to_string();
        assert!(head.contains(&sum(body)), "the checksum is that of the ledger as it stands there");
        let head = head.replace(&sum(body), &sum(&changed));
        (format!("{head},\"ledger\":{changed}}}\n"), sum(&changed))
    };
    let (twice, _) = older(&[("\"P6\":", "\"P5 \":")]);
    let (spaced, state) = older(&[("\"P5\":", "\"P5 \":"), ("\"P7\":", "\"\\tP7\":")]);
    folder.write("ledger.json", twice);
    let names = folder.names();
    let run = republish(&folder, "2.csv", "r2.csv", LATER);
    refused(&folder, &run, &names, 2, &["people twice", "\"P5\", \"P5 \""]);
    folder.write("ledger.json", &spaced);
    let run = succeed(&folder, "2.csv", "r2.csv", LATER);
    assert!(run.stderr.contains("20 new, 40 stayed, 20 gone"), "{}", run.stderr);
    holds(&folder, 2);
    // The state has a release now, by the name that the older program gave it, too.
    assert!(folder.text("ledger.json.used").contains(&state));
    folder.write("ledger.json", &spaced);
    let names = folder.names();
    let run = republish(&folder, "2.csv", "other.csv", LATER);
    refused(&folder, &run, &names, 2, &["release 2 was made from this state before"]);
}
