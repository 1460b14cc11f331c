//! Series of releases on the command line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_testkit::{Release, judge_series};
use lookalike_tests::{
    program::{Folder, Run},
    series::{FIRST, LATER, next_month, refused, republish, succeed},
    tables::{DIAGNOSES, assert_release, parse, patients},
};

fn seen(folder: &Folder, input: &str, output: &str, classes: &str) -> Release {
    let (header, published) = parse(&folder.read(output));
    let at = |name: &str| header.iter().position(|h| h == name).unwrap();
    let (_, people) = parse(folder.text(input).as_bytes());
    let (_, key) = parse(&folder.read(classes));
    Release {
        published: published
            .iter()
            .map(|row| (row[at("class")].clone(), row[at("disease")].clone()))
            .collect(),
        people: people
            .iter()
            .zip(&key)
            .map(|(person, class)| (person[0].clone(), person[4].clone(), class[1].clone()))
            .collect(),
    }
}

#[test]
fn two_months_and_the_first_people_again() {
    let folder = Folder::new();
    let first = patients(140);
    folder.write("1.csv", &first);
    folder.write("2.csv", next_month(&first));
    folder.write("3.csv", &first);
    let begin = succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --classes c1.csv"));
    assert!(begin.stderr.contains("release 1 (tau-safety): 140 new"), "{}", begin.stderr);
    assert!(begin.stderr.contains("the ledger lies in the folder of the release"), "{}", begin.stderr);
    let text = folder.text("ledger.json");
    assert!(text.starts_with("{\"do not publish\":"), "{}", &text[..60]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(folder.path().join("ledger.json")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let flags = format!("{LATER} --classes c2.csv --previous r1.csv --report r2.json --private p2.json");
    let second = succeed(&folder, "2.csv", "r2.csv", &flags);
    assert!(second.stderr.contains("20 new, 105 stayed, 2 with another value, 33 gone"), "{}", second.stderr);
    assert!(second.stderr.contains("who believes that values never change"), "{}", second.stderr);
    let third = succeed(&folder, "3.csv", "r3.csv", &format!("{LATER} --classes c3.csv --previous r2.csv"));
    assert!(third.stderr.contains("33 back"), "{}", third.stderr);
    let series =
        [1, 2, 3].map(|n| seen(&folder, &format!("{n}.csv"), &format!("r{n}.csv"), &format!("c{n}.csv")));
    assert_eq!(judge_series(&series, 3, true), Ok(()));
    for n in 1..=3 {
        assert_release(&folder.read(&format!("r{n}.csv")), Some("disease"), 3);
    }
    let report = folder.json("r2.json");
    assert_eq!(report["series"]["release"], 2);
    assert!(report["disclosure"].is_null());
    assert_eq!(folder.json("p2.json")["series"]["gone"], 33);
    let ledger = folder.json("ledger.json");
    assert_eq!(ledger["ledger"]["releases"].as_array().unwrap().len(), 3);
    assert_eq!(ledger["ledger"]["settings"]["seed"], serde_json::Value::Null);
}

#[test]
fn the_same_ledger_and_seed_give_the_same_release() {
    let (one, two) = (Folder::new(), Folder::new());
    let table = patients(90);
    for folder in [&one, &two] {
        folder.write("1.csv", &table);
        folder.write("2.csv", next_month(&table));
        succeed(folder, "1.csv", "r1.csv", FIRST);
        succeed(folder, "2.csv", "r2.csv", &format!("{LATER} --threads 1"));
    }
    assert_eq!(one.read("r2.csv"), two.read("r2.csv"));
    assert_eq!(one.read("ledger.json"), two.read("ledger.json"));
    // Taken back and made again: the same, as if nothing had been.
    one.write("r2-old.csv", one.read("r2.csv"));
    succeed(&one, "2.csv", "r2.csv", &format!("{LATER} --replace"));
    assert_eq!(one.read("r2.csv"), two.read("r2.csv"));
    assert_eq!(one.read("ledger.json"), two.read("ledger.json"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    let table = patients(90);
    folder.write("1.csv", &table);
    folder.write("2.csv", next_month(&table));
    let names = folder.names();
    let run = |input: &str, output: &str, flags: &str| republish(&folder, input, output, flags);
    let without = FIRST.replace("--id id ", "");
    refused(&folder, &run("1.csv", "r1.csv", &without), &names, 2, &["the first release", "--id"]);
    let without = FIRST.replace("--mode tau-safety ", "");
    refused(&folder, &run("1.csv", "r1.csv", &without), &names, 2, &["the first release", "--mode"]);
    refused(&folder, &run("1.csv", "ledger.json", FIRST), &names, 2, &["is the ledger"]);
    refused(
        &folder,
        &run("1.csv", "r1.csv", &format!("{FIRST} --publish centroid")),
        &names,
        2,
        &["centroids"],
    );
    refused(&folder, &run("1.csv", "r1.csv", &format!("{FIRST} --replace")), &names, 2, &["no release yet"]);
    refused(&folder, &run("1.csv", "r1.csv", "--recover"), &names, 2, &["nothing to recover"]);
    refused(
        &folder,
        &run("1.csv", "r1.csv", &format!("{FIRST} --previous 2.csv")),
        &names,
        2,
        &["right ledger"],
    );
    let quiet = folder.run(&["republish", "1.csv", "--ledger", "ledger.json"]);
    refused(&folder, &quiet, &names, 2, &["-o"]);

    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let names = folder.names();
    let good = folder.read("ledger.json");
    for (flags, says) in [
        ("--m 4", "model"),
        ("--quasi age", "quasi"),
        ("--weights age=0.8,sex=0.2", "weights"),
        ("--loss ncp", "loss"),
        ("--mode m-invariance", "mode (was tau-safety, now m-invariance)"),
        ("--id sex", "the column of individuals"),
    ] {
        let run = run("2.csv", "r2.csv", &format!("{LATER} {flags}"));
        refused(&folder, &run, &names, 2, &["begun with other settings", says]);
    }
    refused(&folder, &run("2.csv", "r1.csv", LATER), &names, 2, &["is release 1 of this series"]);
    refused(
        &folder,
        &run("2.csv", "r2.csv", &format!("{LATER} --previous 1.csv")),
        &names,
        2,
        &["is not a release"],
    );
    // A copy of the ledger from before cannot pretend to be the newest, on another machine either.
    succeed(&folder, "2.csv", "r2.csv", LATER);
    folder.write("ledger.json", &good);
    std::fs::remove_file(folder.path().join("ledger.json.used")).unwrap();
    let names = folder.names();
    let run_again = run("2.csv", "r3.csv", &format!("{LATER} --previous r2.csv"));
    refused(&folder, &run_again, &names, 2, &["the ledger is older than it"]);
    // Damage and strangers.
    let text = String::from_utf8(good.clone()).unwrap();
    for (ledger, says) in [
        (text.replacen("[1,1,0,0]", "[1,1,1,0]", 1), "the ledger is damaged"),
        (text[..text.len() / 2].to_owned(), "the ledger is damaged"),
        (text.replacen("\"P1\":", "\"P1\":[[1,1,0,0]],\"P1\":", 1), "its checksum does not fit"),
        (text.replacen("\"version\":2,", "", 1), "the ledger is damaged: it has no version"),
        (text.replacen("tau-safety", "m-invariance", 1), "the ledger is damaged"),
        (text.replacen("\"version\":2", "\"version\":9", 1), "version 9"),
        (String::from("{\"some\":\"json\"}"), "not a ledger of a series"),
        (String::from("id,age\n"), "not a ledger of a series"),
    ] {
        assert_ne!(ledger, text);
        folder.write("ledger.json", ledger);
        let run = run("2.csv", "r3.csv", LATER);
        refused(&folder, &run, &names, 2, &[says]);
    }
    // Neither is used with what would take its place.
    for flags in ["--replace", "--recover"] {
        folder.write("ledger.json", &text[..text.len() / 2]);
        let run = run("2.csv", "r3.csv", &format!("{LATER} {flags}"));
        refused(&folder, &run, &names, 2, &["the ledger is damaged"]);
    }
    folder.write("ledger.json", &good);
    folder.write("ledger.json.pending", &text[..text.len() / 2]);
    let run_again = run("2.csv", "r3.csv", LATER);
    assert_eq!(run_again.code, Some(2), "{}", run_again.stderr);
    assert!(run_again.stderr.contains("ledger.json.pending: the ledger is damaged"), "{}", run_again.stderr);
    std::fs::remove_file(folder.path().join("ledger.json.pending")).unwrap();
    let twice = format!("{table}P1,20,F,1000,flu\n");
    folder.write("2.csv", twice);
    refused(
        &folder,
        &run("2.csv", "r3.csv", LATER),
        &names,
        2,
        &["one person has several rows", "\"P1\" (2, 91)"],
    );
}

#[test]
fn counterfeits_of_classes_stay_private_unless_their_price_is_accepted() {
    let folder = Folder::new();
    let mut table = patients(60);
    for at in 0..40 {
        writeln!(table, "F{at},{},M,1000,flu", 20 + at).unwrap();
    }
    folder.write("1.csv", table);
    let names = folder.names();
    let flags = format!("{FIRST} --counterfeit-counts counts.csv --accept-exposure 0.4");
    let run = republish(&folder, "1.csv", "r1.csv", &flags);
    refused(&folder, &run, &names, 1, &["could tell a person's value", "you accept 0.4"]);
    let accepted = format!("{FIRST} --counterfeit-counts counts.csv --accept-exposure 1 --report r.json");
    succeed(&folder, "1.csv", "r1.csv", &accepted);
    let (header, rows) = parse(&folder.read("counts.csv"));
    assert_eq!(header, ["class", "counterfeits"]);
    let total: u64 = rows.iter().map(|row| row[1].parse::<u64>().unwrap()).sum();
    // 49 of 100 people have the flu: 3 * 49 - 100.
    assert_eq!(total, 47);
    assert_eq!(folder.json("r.json")["changes"]["counterfeits"], 47);
    let silent = succeed(&folder, "1.csv", "r2.csv", LATER);
    assert!(
        silent.stderr.contains("written only where you ask for --counterfeit-counts"),
        "{}",
        silent.stderr
    );
    assert!(!folder.text("r2.csv").contains("counterfeit"));
}

#[test]
fn a_mode_refuses_what_it_does_not_cover() {
    let table = patients(90);
    for (mode, says) in [
        ("incremental", "of the last release are missing"),
        ("m-invariance", "1 individual has another sensitive value than before"),
    ] {
        let folder = Folder::new();
        folder.write("1.csv", &table);
        let changed: String = next_month(&table)
            .lines()
            .map(|line| match line.rsplit_once(',') {
                Some((rest, old)) if mode == "m-invariance" && rest.starts_with("P1,") => {
                    let new = DIAGNOSES.iter().find(|disease| **disease != old).unwrap();
                    format!("{rest},{new}\n")
                }
                _ => format!("{line}\n"),
            })
            .collect();
        folder.write("2.csv", changed);
        succeed(&folder, "1.csv", "r1.csv", &FIRST.replace("tau-safety", mode));
        let names = folder.names();
        refused(&folder, &republish(&folder, "2.csv", "r2.csv", LATER), &names, 2, &[says]);
    }
}

#[test]
fn a_sealed_ledger_needs_its_passphrase() {
    let folder = Folder::new();
    let table = patients(60);
    folder.write("1.csv", &table);
    folder.write("secret", "correct horse battery staple\n");
    folder.write("wrong", "incorrect horse\n");
    folder.write("empty", "\n");
    let names = folder.names();
    let empty = republish(&folder, "1.csv", "r1.csv", &format!("{FIRST} --passphrase-file empty"));
    refused(&folder, &empty, &names, 2, &["no passphrase"]);
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --passphrase-file secret"));
    assert!(folder.read("ledger.json").starts_with(b"age-encryption.org/v1"));
    let names = folder.names();
    refused(&folder, &republish(&folder, "1.csv", "r2.csv", LATER), &names, 2, &["is sealed"]);
    let wrong = republish(&folder, "1.csv", "r2.csv", &format!("{LATER} --passphrase-file wrong"));
    refused(&folder, &wrong, &names, 2, &["Is the passphrase the right one?"]);
    let second = succeed(&folder, "1.csv", "r2.csv", &format!("{LATER} --passphrase-file secret"));
    assert!(second.stderr.contains("60 stayed"), "{}", second.stderr);
    assert!(folder.read("ledger.json").starts_with(b"age-encryption.org/v1"));
    // So does the check of the releases.
    let check = |more: &str| {
        let line = format!("check r1.csv r2.csv --model tau-safety --m 3 --ledger ledger.json {more}");
        folder.run(&line.split_whitespace().collect::<Vec<_>>())
    };
    let names = folder.names();
    refused(&folder, &check(""), &names, 2, &["is sealed", "--passphrase-file"]);
    refused(&folder, &check("--passphrase-file wrong"), &names, 2, &["Is the passphrase the right one?"]);
    let judged = check("--passphrase-file secret");
    assert_eq!(judged.code, Some(0), "{}", judged.stderr);
}

#[test]
fn an_unsealed_ledger_is_not_taken_for_the_sealed_one() {
    let folder = Folder::new();
    folder.write("1.csv", patients(60));
    folder.write("secret", "correct horse battery staple\n");
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let plain = folder.read("ledger.json");
    let names = folder.names();
    let sealed = |output: &str, more: &str| {
        republish(&folder, "1.csv", output, &format!("{LATER} --passphrase-file secret {more}"))
    };
    for flags in ["", "--replace", "--recover", "--previous r1.csv"] {
        let run = sealed("r2.csv", flags);
        refused(
            &folder,
            &run,
            &names,
            2,
            &["ledger.json is not sealed, though there is a passphrase", "--seal-now"],
        );
    }
    let line = "check r1.csv --model tau-safety --m 3 --ledger ledger.json --passphrase-file secret";
    let check = folder.run(&line.split(' ').collect::<Vec<_>>());
    refused(&folder, &check, &names, 2, &["is not sealed", "leave out --passphrase-file"]);
    let alone = republish(&folder, "1.csv", "r2.csv", &format!("{LATER} --seal-now"));
    refused(&folder, &alone, &names, 2, &["--passphrase-file"]);
    let run = sealed("r2.csv", "--seal-now");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(folder.read("ledger.json").starts_with(b"age-encryption.org/v1"));
    // Said by habit, it would let any ledger pass.
    let names = folder.names();
    refused(
        &folder,
        &sealed("r3.csv", "--seal-now"),
        &names,
        2,
        &["is sealed already", "leave out --seal-now"],
    );
    // Neither is one that somebody put in its place, nor one that is held beside it.
    let good = folder.read("ledger.json");
    folder.write("ledger.json", &plain);
    refused(&folder, &sealed("r3.csv", ""), &names, 2, &["ledger.json is not sealed"]);
    folder.write("ledger.json", &good);
    folder.write("ledger.json.pending", &plain);
    let run = sealed("r2.csv", "--recover");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("ledger.json.pending is not sealed"), "{}", run.stderr);
    assert_eq!(folder.read("ledger.json"), good);
}

/// Classes and signatures that a run tells of.
fn signatures(run: &Run) -> (usize, usize) {
    let line = run.stderr.lines().find(|line| line.contains("different signatures")).unwrap();
    let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

#[test]
fn signatures_and_prices_are_choices() {
    let table = patients(140);
    let first = |more: &str| {
        let folder = Folder::new();
        folder.write("1.csv", &table);
        let run = succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} --report r.json {more}"));
        let counterfeits = folder.json("r.json")["changes"]["counterfeits"].as_u64().unwrap();
        (signatures(&run), counterfeits, folder)
    };
    let (free, none, _) = first("");
    let (few, _, _) = first("--signatures few");
    assert!(none == 0 && few.1 < free.1, "{few:?} {free:?}");
    // 140 records in classes of exactly three: one counterfeit more.
    let (smallest, one, folder) = first("--signatures smallest");
    assert_eq!((smallest.0, one), (47, 1));
    let (_, rows) = parse(&folder.read("r1.csv"));
    assert_eq!(rows.len(), 141);
    // More counterfeits than need be, where they pay.
    assert_eq!(first("--counterfeit-price 1000000").1, 0);
    let (_, free_of_charge, folder) = first("--counterfeit-price 0");
    assert!(
        free_of_charge > 1 && free_of_charge % 3 == 1,
        "one to be a multiple, three a class: {free_of_charge}"
    );
    let names = folder.names();
    let bad = republish(&folder, "1.csv", "r2.csv", &format!("{LATER} --counterfeit-price=-1"));
    refused(&folder, &bad, &names, 2, &["the price of a counterfeit is -1"]);
}

#[test]
fn how_far_a_release_is_from_the_best_is_proven() {
    let folder = Folder::new();
    folder.write("1.csv", patients(42));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let flags = "--seed 2 --method column-generation --time-limit 60s --report r.json --private p.json";
    succeed(&folder, "1.csv", "r2.csv", flags);
    // With counterfeits it is for the data holder alone.
    let (published, private) = (folder.json("r.json"), folder.json("p.json"));
    let report = private.get("exact").unwrap_or(&published);
    let (bound, loss) = (&report["bound"], report["objective"]["value"].as_f64().unwrap());
    assert_eq!(bound["of"], "whole problem");
    assert!(bound["value"].as_f64().unwrap() <= loss + 1e-9, "{report}");
}

#[test]
fn a_ledger_of_other_people_is_wondered_at() {
    let folder = Folder::new();
    folder.write("1.csv", patients(60));
    folder.write("other.csv", patients(60).replace("\nP", "\nX"));
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let run = succeed(&folder, "other.csv", "r2.csv", LATER);
    assert!(run.stderr.contains("nobody in this table was ever published"), "{}", run.stderr);
    let run = succeed(&folder, "1.csv", "r3.csv", LATER);
    assert!(!run.stderr.contains("nobody in this table"), "{}", run.stderr);
}

/// P, Q and R hold `values` in some order; P alone stays, three others come. What is not known is spelt otherwise in the second
/// table.
fn second_release(values: [&str; 3], unknown: &str) -> Vec<u8> {
    let folder = Folder::new();
    let [p, q, r] = values;
    folder.write("1.csv", format!("id,age,disease\nP,30,{p}\nQ,31,{q}\nR,32,{r}\n"));
    let again = if p == "NA" { unknown } else { p };
    folder.write("2.csv", format!("id,age,disease\nP,30,{again}\nS,50,{unknown}\nT,51,flu\nU,52,gout\n"));
    let flags = "--effort 0 --seed 1 --missing-sensitive value";
    let begin =
        "--begin --id id --mode m-invariance --quasi age --sensitive disease --m 3 --vacancies counterfeits";
    for (input, output, more) in [("1.csv", "r1.csv", begin), ("2.csv", "r2.csv", "")] {
        let words = format!("republish {input} --ledger ledger.json -o {output} {more} {flags}");
        folder.succeed(&words.split_whitespace().collect::<Vec<_>>());
    }
    folder.read("r2.csv")
}

#[test]
fn how_a_value_that_is_not_known_is_spelt_tells_nobody_apart() {
    for unknown in ["NA", "?", "na"] {
        let worlds = [["NA", "hiv", "acne"], ["hiv", "NA", "acne"], ["acne", "hiv", "NA"]];
        let releases = worlds.map(|values| second_release(values, unknown));
        assert_eq!(releases[0], releases[1], "{unknown}");
        assert_eq!(releases[0], releases[2], "{unknown}");
    }
}
