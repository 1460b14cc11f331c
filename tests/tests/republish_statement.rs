//! What the statement of a release says of its series, computed again from published bytes, linking keys and sources.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

#[path = "../../crates/wire/tests/support/schema.rs"]
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use lookalike_testkit::three;
use lookalike_tests::{
    program::Folder,
    series::{FIRST, LATER, succeed},
    tables::{DIAGNOSES, parse, patients},
};
use serde_json::Value;

/// A person in one release: the value, and the values of the published class.
struct Seen {
    value: String,
    class: BTreeSet<String>,
}

/// Everybody of release `n`, by the source, the linking key and the published bytes; and how many real people each class has.
fn seen(folder: &Folder, n: usize) -> (BTreeMap<String, Seen>, Vec<usize>) {
    let (_, source) = parse(&folder.read(&format!("{n}.csv")));
    let (_, key) = parse(&folder.read(&format!("c{n}.csv")));
    let (header, rows) = parse(&folder.read(&format!("r{n}.csv")));
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (class, disease) = (place("class"), place("disease"));
    let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in &rows {
        values.entry(row[class].clone()).or_default().insert(row[disease].clone());
    }
    let mut real: BTreeMap<&str, usize> = values.keys().map(|label| (label.as_str(), 0)).collect();
    let mut people = BTreeMap::new();
    for line in key.iter().filter(|line| !line[0].starts_with('+') && !line[1].is_empty()) {
        let row = &source[line[0].parse::<usize>().unwrap()];
        *real.get_mut(line[1].as_str()).unwrap() += 1;
        let seen = Seen { value: row.last().unwrap().clone(), class: values[&line[1]].clone() };
        people.insert(row[0].clone(), seen);
    }
    (people, real.into_values().collect())
}

/// Every fourth person has another value in the second and the third table, and the last third of the people leaves.
fn later(table: &str, shift: usize) -> String {
    let stay = table.lines().count() * 2 / 3;
    let changed = |(at, line): (usize, &str)| {
        let (rest, value) = line.rsplit_once(',').unwrap();
        let old = DIAGNOSES.iter().position(|name| *name == value);
        match old {
            Some(old) if at % 4 == 0 => format!("{rest},{}\n", DIAGNOSES[(old + shift) % DIAGNOSES.len()]),
            _ => format!("{line}\n"),
        }
    };
    table.lines().enumerate().take(stay).map(changed).collect()
}

#[test]
fn the_facts_of_a_series_are_those_of_its_bytes() {
    let folder = Folder::new();
    let first = patients(120);
    folder.write("1.csv", &first);
    folder.write("2.csv", later(&first, 1));
    folder.write("3.csv", later(&first, 3));
    let described: Value = serde_json::from_str(include_str!("../../docs/statement.schema.json")).unwrap();
    let mut states = vec![Value::Null];
    let mut all: Vec<BTreeMap<String, Seen>> = Vec::new();
    for n in 1..=3 {
        let flags = if n == 1 { FIRST } else { LATER };
        let flags = format!(
            "{flags} --classes c{n}.csv --statement s{n}.html --statement-json s{n}.json --report p{n}.json --private q{n}.json"
        );
        let run = succeed(&folder, &format!("{n}.csv"), &format!("r{n}.csv"), &flags);
        let (people, real) = seen(&folder, n);
        all.push(people);
        states.push(folder.json("ledger.json")["checksum"].clone());
        let data = folder.json(&format!("s{n}.json"));
        schema::check(&data, &described, "statement");
        let facts = &data["series"];
        assert_eq!((&facts["release"], &facts["mode"]), (&n.into(), &"tau-safety".into()));
        assert_eq!(facts["vacancies"], "new-records");
        assert_eq!((&facts["ledger_before"], &facts["ledger_after"]), (&states[n - 1], &states[n]));
        assert!(facts["attacker"]["text"].as_str().unwrap().contains("and all releases"), "{facts}");

        // The attacker who does not know the method is left with the values of the class.
        let fewest = all[n - 1].values().map(|seen| seen.class.len()).min().unwrap();
        assert_eq!(facts["fewest_values"], fewest);
        assert!((facts["belief"].as_f64().unwrap() * fewest as f64 - 1.0).abs() < 1e-12, "{facts}");
        assert_eq!(facts["fewest_real"], *real.iter().min().unwrap());
        let fakes = parse(&folder.read(&format!("r{n}.csv"))).1.len() - all[n - 1].len();
        assert_eq!(facts["belief_with_counts"].is_null(), fakes == 0, "{facts}");

        // The one who believes that values never change is left with what all classes of a person have in common.
        let mut left = Vec::new();
        for (name, now) in &all[n - 1] {
            let before: Vec<&Seen> = all.iter().filter_map(|people| people.get(name)).collect();
            if before.iter().any(|seen| seen.value != now.value) {
                let common = |set: BTreeSet<String>, seen: &&Seen| &set & &seen.class;
                left.push(before.iter().fold(now.class.clone(), common).len());
            }
        }
        assert_eq!(left.is_empty(), n == 1, "else this shows less");
        let one = left.iter().filter(|&&values| values == 1).count();
        assert_eq!((&facts["ever_changed"], &facts["left_with_one"]), (&left.len().into(), &one.into()));
        assert_eq!(facts["fewest_left"], left.iter().min().map_or(Value::Null, |&least| least.into()));
        assert_eq!(run.stderr.contains("believes that values never change"), n > 1, "{}", run.stderr);

        // The printed one says the same, and nothing of it that is not for others stands in the report.
        let printed = folder.text(&format!("s{n}.html"));
        assert!(
            printed.contains("<h3>The series</h3>") && printed.contains(states[n].as_str().unwrap()),
            "{printed}"
        );
        let belief = format!("{}: one of {fewest} values", three(1.0 / fewest as f64));
        assert!(printed.contains(&belief), "{belief} is not in {printed}");
        let report = folder.json(&format!("p{n}.json"));
        let place = serde_json::json!({ "release": n, "mode": "tau-safety", "vacancies": "new-records" });
        assert_eq!(report["series"], place);
        let public = report.to_string();
        for state in states[1..].iter().map(|state| state.as_str().unwrap()) {
            assert!(!public.contains(state), "a digest of the ledger tries guesses about it: {public}");
        }
        if fakes > 0 {
            assert_eq!(report["classes"]["min_real"], Value::Null);
        }
    }
    let ones = folder.json("s3.json")["series"]["left_with_one"].as_u64().unwrap();
    assert!(ones > 0, "else this shows less");
    // A table that is released once is of no series.
    folder.succeed(&[
        "anonymize",
        "1.csv",
        "--quasi",
        "age",
        "--model",
        "k-anonymity",
        "--k",
        "3",
        "--effort",
        "0",
        "-o",
        "once.csv",
        "--statement-json",
        "once.json",
    ]);
    assert_eq!(folder.json("once.json")["series"], Value::Null);
}

/// A series that fills places with counterfeits alone says so in every release.
#[test]
fn the_choice_of_how_places_are_filled_is_named() {
    let folder = Folder::new();
    let first = patients(90);
    folder.write("1.csv", &first);
    folder.write("2.csv", first.lines().take(61).collect::<Vec<_>>().join("\n"));
    let begin = FIRST.replace("tau-safety", "m-invariance") + " --vacancies counterfeits";
    for (n, flags) in [(1, begin.as_str()), (2, LATER)] {
        let flags = format!("{flags} --statement s{n}.html --statement-json s{n}.json --report p{n}.json");
        succeed(&folder, &format!("{n}.csv"), &format!("r{n}.csv"), &flags);
        assert_eq!(folder.json(&format!("s{n}.json"))["series"]["vacancies"], "counterfeits");
        assert_eq!(folder.json(&format!("p{n}.json"))["series"]["vacancies"], "counterfeits");
        let printed = folder.text(&format!("s{n}.html"));
        assert!(printed.contains("made-up records alone)</th><td>counterfeits</td>"), "{printed}");
    }
    let facts = &folder.json("s2.json")["series"];
    assert!(facts["belief_with_counts"].as_f64().unwrap() >= facts["belief"].as_f64().unwrap(), "{facts}");
}
