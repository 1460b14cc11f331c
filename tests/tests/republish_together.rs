//! All releases of a series judged together when one is made, what chains them, and a run that writes nothing.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_tests::{
    program::{Folder, Run},
    series::{FIRST, LATER, next_month, refused, republish, succeed},
    tables::{DIAGNOSES, parse, patients},
};
use serde_json::Value;

fn line(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

/// Three tables of one series, the third as the second with everybody of the first back.
fn tables(folder: &Folder) {
    let first = patients(120);
    let second = next_month(&first);
    let came: String =
        second.lines().filter(|row| row.starts_with('N')).flat_map(|row| [row, "\n"]).collect();
    folder.write("1.csv", &first);
    folder.write("2.csv", &second);
    folder.write("3.csv", first + &came);
    std::fs::create_dir(folder.path().join("out")).unwrap();
}

/// A ledger whose content was changed by somebody who knows how its checksum is made.
fn forged(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    let (head, rest) = text.split_once("\"ledger\":").unwrap();
    let body = rest.trim_end().strip_suffix('}').unwrap();
    let changed = change(body);
    assert_ne!(changed, body);
    let old = serde_json::from_slice::<Value>(bytes).unwrap()["checksum"].as_str().unwrap().to_owned();
    let sum = blake3::hash(changed.as_bytes()).to_hex().to_string();
    format!("{}\"ledger\":{changed}}}\n", head.replace(&old, &sum)).into_bytes()
}

/// The link of each release, computed from what docs/republish.md says it is the digest of.
fn links(chain: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut links: Vec<String> = Vec::new();
    for (at, release) in chain["releases"].as_array().unwrap().iter().enumerate() {
        let audit = &release["audit"];
        let audit = if audit.is_null() {
            String::from("none")
        } else {
            let with = if audit["sources"] == true { "sources" } else { "ledger" };
            format!("passed {} {} {with}", audit["releases"], audit["checks"])
        };
        let lines = [
            String::from("lookalike chain 1"),
            format!("series {}", text(&chain["series"])),
            format!("mode {}", text(&chain["mode"])),
            format!("vacancies {}", text(&chain["vacancies"])),
            format!("m {}", chain["m"]),
            format!("release {}", at + 1),
            format!("before {}", links.last().map_or("none", String::as_str)),
            format!("table {}", text(&release["table"])),
            format!("rows {}", release["rows"]),
            format!("version {}", text(&release["version"])),
            format!("audit {audit}"),
        ];
        links.push(blake3::hash((lines.join("\n") + "\n").as_bytes()).to_hex().to_string());
    }
    links
}

#[test]
fn all_releases_are_judged_before_one_is_written_and_chained() {
    let folder = Folder::new();
    tables(&folder);
    let sources = ["", "--sources 1.csv", "--sources 1.csv 2.csv"];
    for n in 1..=3 {
        let flags = if n == 1 { FIRST } else { LATER };
        let more = format!(
            "--releases out {} --statement s{n}.html --statement-json s{n}.json --report p{n}.json",
            sources[n - 1]
        );
        let run = succeed(&folder, &format!("{n}.csv"), &format!("out/r{n}.csv"), &format!("{flags} {more}"));
        let told = if n == 1 {
            String::from("1 release judged together")
        } else {
            format!("{n} releases judged together")
        };
        assert!(run.stderr.contains(&told), "{}", run.stderr);
        let ledger = folder.json("ledger.json");
        let facts = folder.json(&format!("s{n}.json"))["series"].clone();
        let (audit, chain) = (&ledger["ledger"]["releases"][n - 1]["audit"], &facts["chain"]);
        assert_eq!((&audit["passed"], &audit["releases"]), (&true.into(), &n.into()));
        assert_eq!(audit["sources"], n > 1);
        assert!(audit["checks"].as_u64() > Some(n as u64), "{audit}");
        assert_eq!(&chain["audit"], audit);
        assert_eq!(chain["link"], ledger["ledger"]["releases"][n - 1]["link"]);
        for (at, digest) in chain["tables"].as_array().unwrap().iter().enumerate() {
            let bytes = folder.read(&format!("out/r{}.csv", at + 1));
            assert_eq!(digest, blake3::hash(&bytes).to_hex().as_str());
        }
        // The digest of the ledger is of the one that says what was found.
        assert_eq!(facts["ledger_after"], ledger["checksum"]);
        let printed = folder.text(&format!("s{n}.html"));
        assert!(
            printed.contains(chain["link"].as_str().unwrap())
                && printed.contains("judged together from their bytes"),
            "{printed}"
        );
        assert!(!folder.text(&format!("p{n}.json")).contains(chain["link"].as_str().unwrap()));
    }
    let whole = line(&folder, "ledger verify ledger.json --releases out");
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);

    // The chain: nothing of people, and verified without them.
    let printed = line(&folder, "ledger chain ledger.json");
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let text = String::from_utf8(printed.stdout).unwrap();
    assert!(DIAGNOSES.iter().all(|value| !text.contains(value)) && !text.contains("\"P1"), "{text}");
    for state in
        ["s1.json", "s2.json", "s3.json"].map(|name| folder.json(name)["series"]["ledger_after"].clone())
    {
        assert!(!text.contains(state.as_str().unwrap()), "guesses about people could be tried: {text}");
    }
    let chain: Value = serde_json::from_str(&text).unwrap();
    let links = links(&chain);
    for (n, link) in (1..).zip(&links) {
        assert_eq!(chain["releases"][n - 1]["link"], link.as_str());
        assert_eq!(folder.json(&format!("s{n}.json"))["series"]["chain"]["link"], link.as_str());
    }
    let elsewhere = Folder::new();
    elsewhere.write("chain.json", &text);
    for n in 1..=3 {
        elsewhere.write(&format!("published/t{n}.csv"), folder.read(&format!("out/r{n}.csv")));
    }
    let verified =
        line(&elsewhere, &format!("ledger verify chain.json --releases published --link {}", links[1]));
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    let told = String::from_utf8(verified.stdout).unwrap();
    for said in [
        "each link fits; it has 3 releases",
        "the link is that of release 2; others followed",
        "release 3 is published/t3.csv",
    ] {
        assert!(told.contains(said), "{said} is not in {told}");
    }
    let names = elsewhere.names();
    let other = line(&elsewhere, &format!("ledger verify chain.json --link {}", "0".repeat(64)));
    refused(&elsewhere, &other, &names, 1, &["no release has the link"]);
    elsewhere.write("published/t2.csv", folder.read("out/r1.csv"));
    let missing = line(&elsewhere, "ledger verify chain.json --releases published");
    refused(&elsewhere, &missing, &names, 1, &["release 2 is in no file"]);
    elsewhere.write("chain.json", text.replacen("\"passed\": true", "\"passed\": false", 1));
    refused(
        &elsewhere,
        &line(&elsewhere, "ledger verify chain.json"),
        &names,
        2,
        &["release 1 is not chained"],
    );
}

#[test]
fn a_release_that_does_not_hold_with_those_before_is_not_written() {
    let folder = Folder::new();
    tables(&folder);
    succeed(&folder, "1.csv", "out/r1.csv", FIRST);
    let (ledger, first) = (folder.read("ledger.json"), folder.read("out/r1.csv"));
    let stays = |says: &[&str], code: i32, ledger: &[u8], flags: &str| {
        let names = folder.names();
        let run = republish(&folder, "2.csv", "out/r2.csv", &format!("{LATER} --statement s.html {flags}"));
        refused(&folder, &run, &names, code, says);
        assert_eq!(folder.read("ledger.json"), ledger);
    };
    // The release before is not there, or other bytes.
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    stays(&["release 1 is in no file of empty"], 1, &ledger, "--releases empty");
    stays(&["nowhere"], 4, &ledger, "--releases nowhere");
    let mut other = first.clone();
    let at = other.len() - 3;
    other[at] ^= 1;
    folder.write("out/r1.csv", &other);
    stays(&["release 1 is in no file of out"], 1, &ledger, "--releases out");
    folder.write("out/r1.csv", &first);
    // As many sources as earlier releases.
    stays(&["2 sources are named for 1 earlier release"], 2, &ledger, "--releases out --sources 1.csv 1.csv");

    // A ledger with another value than the release shows: it fits itself, and not the bytes.
    let wrong = forged(&ledger, |body| body.replacen("\"zoster\"", "\"zooster\"", 1));
    folder.write("ledger.json", &wrong);
    stays(&["the audit of all 2 releases together failed, nothing was written"], 1, &wrong, "--releases out");
    // One that has taken people for each other is seen by the sources alone.
    let swap = |body: &str| {
        (0..120).step_by(2).fold(body.to_owned(), |body, at| {
            let (one, two) = (format!("\"P{at}\":"), format!("\"P{}\":", at + 1));
            body.replacen(&one, "\"?\":", 1).replacen(&two, &one, 1).replacen("\"?\":", &two, 1)
        })
    };
    let swapped = forged(&ledger, swap);
    folder.write("ledger.json", &swapped);
    stays(
        &["the audit of all 2 releases together failed, nothing was written"],
        1,
        &swapped,
        "--releases out --sources 1.csv",
    );
    // What was right all the time.
    folder.write("ledger.json", &ledger);
    succeed(&folder, "2.csv", "out/r2.csv", &format!("{LATER} --releases out --sources 1.csv"));
    // A release that is made again is not one of those before, although its file is in the folder.
    succeed(&folder, "2.csv", "out/r2.csv", "--seed 3 --effort 0.2 --replace --releases out");
    assert_eq!(folder.json("ledger.json")["ledger"]["releases"][1]["audit"]["releases"], 2);
}

/// A ledger of version 0.1.0 has no links; the next release is chained to what it says of those before.
#[test]
fn ledgers_without_a_chain_go_on_with_one() {
    let folder = Folder::new();
    tables(&folder);
    succeed(&folder, "1.csv", "out/r1.csv", FIRST);
    let without = |body: &str| {
        let (before, rest) = body.split_once(",\"link\":\"").unwrap();
        format!("{before}{}", rest.split_once('"').unwrap().1)
    };
    let old = String::from_utf8(forged(&folder.read("ledger.json"), without)).unwrap();
    let old = old.replacen("\"version\":2,", "\"version\":1,", 1);
    folder.write("ledger.json", &old);
    std::fs::remove_file(folder.path().join("ledger.json.used")).unwrap();
    let told = String::from_utf8(line(&folder, "ledger verify ledger.json --releases out").stdout).unwrap();
    assert!(told.contains("not judged together with others"), "{told}");
    succeed(&folder, "2.csv", "out/r2.csv", &format!("{LATER} --releases out"));
    let ledger = folder.json("ledger.json");
    assert_eq!((&ledger["version"], &ledger["ledger"]["releases"][0]["link"]), (&2.into(), &Value::Null));
    let state = serde_json::from_str::<Value>(&old).unwrap()["checksum"].clone();
    assert_eq!(ledger["ledger"]["releases"][1]["before"], state);
    let chain = serde_json::from_slice(&line(&folder, "ledger chain ledger.json").stdout).unwrap();
    assert_eq!(ledger["ledger"]["releases"][1]["link"], links(&chain)[1].as_str());

    // A state in between that was changed is not the one that the release was made from.
    folder.write("first.json", &old);
    let diff = line(&folder, "ledger diff first.json ledger.json");
    assert_eq!(diff.code, Some(0), "{}", diff.stderr);
    folder.write("first.json", forged(old.as_bytes(), |body| body.replacen("\"P5\":", "\"Q5\":", 1)));
    let names = folder.names();
    refused(
        &folder,
        &line(&folder, "ledger diff first.json ledger.json"),
        &names,
        1,
        &["release 2 was not made from first.json"],
    );
}

#[test]
fn a_dry_run_says_all_and_writes_nothing() {
    let folder = Folder::new();
    tables(&folder);
    let files = |folder: &Folder| -> Vec<(String, Vec<u8>)> {
        let names = folder.names().into_iter().filter(|name| folder.path().join(name).is_file());
        names.map(|name| (name.clone(), folder.read(&name))).collect()
    };
    let dry = |input: &str, flags: &str| {
        let before = files(&folder);
        let run = line(&folder, &format!("republish {input} --ledger ledger.json --dry-run {flags}"));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(files(&folder), before, "nothing is written");
        assert!(run.stdout.is_empty());
        run.stderr
    };
    let begins = dry("1.csv", FIRST);
    assert!(
        begins.contains("from release 0 to release 1: 120 came (0 of them had been published before)"),
        "{begins}"
    );
    succeed(&folder, "1.csv", "out/r1.csv", FIRST);

    // With outputs named: the same line without the flag makes the release.
    let outputs = "-o out/r2.csv --report p.json --private q.json --statement s.html --classes c.csv";
    let told = dry("2.csv", &format!("{LATER} {outputs} --releases out"));
    assert!(told.contains("2 releases judged together") && told.contains("nothing was written"), "{told}");
    assert!(!told.contains("N19") && !told.contains("P2"), "people are not named: {told}");
    let named = dry("2.csv", &format!("{LATER} --people"));
    assert!(
        named.contains("N19") && named.contains("left: ") && named.contains("have another value: "),
        "{named}"
    );
    let again = told.rsplit("--seed ").next().unwrap().split_whitespace().next().unwrap().to_owned();
    assert_eq!(again, "2");
    let unseeded = dry("2.csv", "--effort 0.2");
    let seed = unseeded.rsplit("--seed ").next().unwrap().split_whitespace().next().unwrap();
    assert!(seed.parse::<u64>().is_ok_and(|seed| seed != 2), "{unseeded}");

    // What it says is what the release is then.
    let made = succeed(&folder, "2.csv", "out/r2.csv", &format!("{LATER} --report p.json"));
    let of = |text: &str, begins: &str| {
        text.lines()
            .find(|line| line.contains(begins))
            .unwrap_or_else(|| panic!("no {begins} in {text}"))
            .to_owned()
    };
    for begins in ["release 2 (tau-safety)", "different signatures"] {
        assert_eq!(of(&told, begins), of(&made.stderr, begins));
    }
    // Every line of figures, but for times.
    let figures = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("loss") || line.contains("counterfeit"));
        lines.map(String::from).collect()
    };
    assert!(!figures(&told).is_empty());
    assert_eq!(figures(&told), figures(&made.stderr));
    let counted: Vec<usize> = {
        let ids = |name: &str| {
            parse(&folder.read(name))
                .1
                .into_iter()
                .map(|row| row[0].clone())
                .collect::<std::collections::BTreeSet<_>>()
        };
        let (before, after) = (ids("1.csv"), ids("2.csv"));
        vec![after.difference(&before).count(), before.difference(&after).count()]
    };
    let line_told = of(&told, "from release 1 to release 2");
    assert!(
        line_told.contains(&format!("{} came", counted[0]))
            && line_told.contains(&format!("{} left", counted[1])),
        "{line_told}"
    );
    // A release that the series refuses is refused.
    let names = folder.names();
    let refuses = line(&folder, "republish 2.csv --ledger ledger.json --dry-run --m 4 --effort 0.2");
    refused(&folder, &refuses, &names, 2, &["m-invariance"]);
}

#[test]
fn a_ledger_is_held_against_the_list_of_used_states_beside_it() {
    let folder = Folder::new();
    tables(&folder);
    succeed(&folder, "1.csv", "out/r1.csv", FIRST);
    let first = folder.read("ledger.json");
    succeed(&folder, "2.csv", "out/r2.csv", LATER);
    let second = folder.read("ledger.json");
    succeed(&folder, "3.csv", "out/r3.csv", LATER);
    let (third, used) = (folder.read("ledger.json"), folder.text("ledger.json.used"));
    let verify = |ledger: &[u8], list: Option<&str>| {
        std::fs::write(folder.path().join("ledger.json"), ledger).unwrap();
        let path = folder.path().join("ledger.json.used");
        match list {
            Some(list) => std::fs::write(path, list).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
        let run = line(&folder, "ledger verify ledger.json");
        (run.code, String::from_utf8(run.stdout).unwrap() + &run.stderr)
    };
    let says = |(code, text): (Option<i32>, String), expected: i32, what: &str| {
        assert!(code == Some(expected) && text.contains(what), "{code:?} {what:?}: {text}");
    };
    says(verify(&third, Some(&used)), 0, "releases 1 to 3 were made from, and none besides");
    // The states are those of the ledgers themselves, by the digest of what stands in them.
    let states = [&first, &second].map(|bytes| {
        serde_json::from_slice::<Value>(bytes).unwrap()["checksum"].as_str().unwrap().to_owned()
    });
    assert!(states.iter().all(|state| used.contains(state)), "{used}");
    // Old copies.
    says(verify(&second, Some(&used)), 1, "release 3 was made from this state already");
    says(verify(&first, Some(&used)), 1, "release 2 was made from this state already");
    let without =
        |state: &str| used.lines().filter(|line| !line.contains(state)).collect::<Vec<_>>().join("\n") + "\n";
    says(verify(&third, Some(&without(&states[0]))), 1, "state that release 2 was made from");
    // A list that was lost after the first release, and begun anew.
    says(verify(&third, Some(&without("none"))), 0, "releases 2 to 3 were made from");
    says(verify(&third, Some(&format!("{used}used 00ff\n"))), 1, "1 state that no release of this ledger");
    says(verify(&third, Some("used 00ff\n")), 1, "it is of another series");
    says(verify(&third, None), 0, "this may be an old copy");
    // A run that was killed while it wrote, whose state the list has already.
    folder.write("ledger.json.pending", &third);
    says(verify(&second, Some(&used)), 1, "ledger.json.pending: finish it first (republish --recover)");
    std::fs::remove_file(folder.file("ledger.json.pending")).unwrap();
    // A release that was taken back and made again is one of the ledger's, and its first ledger is known.
    std::fs::write(folder.path().join("ledger.json"), &third).unwrap();
    std::fs::write(folder.path().join("ledger.json.used"), &used).unwrap();
    succeed(&folder, "3.csv", "out/r3b.csv", "--seed 9 --effort 0.2 --replace");
    let (again, used) = (folder.read("ledger.json"), folder.text("ledger.json.used"));
    says(verify(&again, Some(&used)), 0, "releases 1 to 3 were made from");
    says(verify(&third, Some(&used)), 1, "release 3 was taken back");
}

#[test]
fn places_of_people_who_left_are_filled_by_the_rule_of_the_mode_unless_said_otherwise() {
    let folder = Folder::new();
    let first = patients(120);
    folder.write("1.csv", &first);
    // Those who come and leave, with nobody's value changed.
    let came: Vec<String> =
        (0..20).map(|at| format!("N{at},{},F,1000,{}\n", 20 + at, DIAGNOSES[at % 3])).collect();
    let came = came.concat();
    let stay: Vec<&str> =
        first.lines().enumerate().filter(|(at, _)| at % 3 != 1 || *at > 90).map(|(_, row)| row).collect();
    folder.write("2.csv", stay.join("\n") + "\n" + &came);
    folder.write("grown.csv", format!("{first}{came}"));
    for (mode, second, usual) in [
        ("m-invariance", "2.csv", "counterfeits"),
        ("incremental", "grown.csv", "counterfeits"),
        ("tau-safety", "2.csv", "new-records"),
    ] {
        let series = |name: &str, said: &str| {
            let begins = FIRST.replace("tau-safety", mode);
            for (input, flags) in [("1.csv", format!("{begins} {said}")), (second, LATER.to_owned())] {
                let run = line(
                    &folder,
                    &format!(
                        "republish {input} --ledger {name}.json -o {name}-{input} --report {name}-r.json {flags}"
                    ),
                );
                assert_eq!(run.code, Some(0), "{}", run.stderr);
            }
            let shown = line(&folder, &format!("ledger show {name}.json"));
            let shown = String::from_utf8(shown.stdout).unwrap();
            let report = folder.json(&format!("{name}-r.json"));
            (report["series"]["vacancies"].clone(), shown, folder.read(&format!("{name}-{second}")))
        };
        let unsaid = series(&format!("{mode}-unsaid"), "");
        assert_eq!(unsaid.0, usual, "{mode}");
        assert!(unsaid.1.contains(&format!("places of people who left: {usual}")), "{}", unsaid.1);
        assert_eq!(series(&format!("{mode}-said"), &format!("--vacancies {usual}")).2, unsaid.2, "{mode}");
        // A series that began by the other rule goes on by it, without a word.
        let other = if usual == "counterfeits" { "new-records" } else { "counterfeits" };
        let against = series(&format!("{mode}-other"), &format!("--vacancies {other}"));
        assert_eq!(against.0, other, "{mode}");
        // Where nobody leaves there is nothing to fill.
        let same = against.2 == unsaid.2;
        assert_eq!(same, mode == "incremental", "{mode}");
    }
}
