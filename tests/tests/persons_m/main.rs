//! m-invariance of persons with several rows: source, linking key and published file, read by this file alone, show that each class
//! has m persons and that each of its sensitive values is one person's; on tiny tables all partitions are tried (`least.rs`).

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

mod least;
mod refused;

use std::collections::{BTreeMap, BTreeSet};

use lookalike_tests::program::{Folder, Run};

fn line(folder: &Folder, line: &str) -> Run {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

fn printed(run: &Run) -> String {
    format!("{}{}", std::str::from_utf8(&run.stdout).unwrap(), run.stderr)
}

/// Rows of a text by the names of its columns: cells in quotation marks may hold commas, nothing else.
fn rows(bytes: &[u8]) -> Vec<BTreeMap<String, String>> {
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for sign in line.chars() {
            match sign {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                _ => cells.last_mut().unwrap().push(sign),
            }
        }
        cells
    };
    let text = std::str::from_utf8(bytes).unwrap();
    let mut lines = text.lines().map(cells);
    let names = lines.next().unwrap();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

/// Numbers that look random and are the same again.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Persons of 1 to 4 rows. Most have one value, in every row; some have several, and some cells are missing.
fn visits(draws: &mut Draws, missing: bool) -> String {
    let (persons, values) = (12 + draws.below(40), 6 + draws.below(30));
    let mut lines = Vec::new();
    for person in 0..persons {
        let usual = draws.below(values);
        for _ in 0..=draws.below(4) {
            let value = if draws.below(14) == 0 { draws.below(values) } else { usual };
            let gap = missing && draws.below(25) == 0;
            let ill = if gap { String::from("?") } else { format!("ill {value}") };
            let key = if draws.below(9) == 0 { format!(" P{person}") } else { format!("p{person}") };
            let place = ["\"a, b\"", "c", "d"][draws.below(3) as usize];
            lines
                .push((draws.below(1000), format!("{key},{},{place},{ill}\n", 20 + person + draws.below(4))));
        }
    }
    lines.sort();
    format!("patient,age,place,ill\n{}", lines.into_iter().map(|line| line.1).collect::<String>())
}

fn person(row: &BTreeMap<String, String>) -> String {
    row["patient"].trim().to_lowercase()
}

/// Values of each person, whose rows are kept.
fn held(source: &[BTreeMap<String, String>], drop: bool) -> BTreeMap<String, BTreeSet<String>> {
    let mut held: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in source.iter().filter(|row| !(drop && row["ill"] == "?")) {
        held.entry(person(row)).or_default().insert(row["ill"].clone());
    }
    held
}

/// Groups of values: those that one person holds are in one, by merging sets until nothing changes.
fn groups(held: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let mut groups: Vec<BTreeSet<String>> = Vec::new();
    for values in held.values() {
        let (touched, mut others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.is_disjoint(values));
        others.push(touched.into_iter().flatten().chain(values.iter().cloned()).collect());
        groups = others;
    }
    groups
}

/// Persons who hold a value of the most frequent group.
fn most(held: &BTreeMap<String, BTreeSet<String>>) -> usize {
    let holders =
        |group: &BTreeSet<String>| held.values().filter(|values| !values.is_disjoint(group)).count();
    groups(held).iter().map(holders).max().unwrap()
}

/// Persons of a group of equal published quasi-identifiers, and the holders of each value there.
type Group<'a> = (BTreeSet<String>, BTreeMap<&'a str, BTreeSet<String>>);

/// What is promised, from the three files.
fn confirm(folder: &Folder, m: usize) {
    let (source, published) = (rows(&folder.read("in.csv")), rows(&folder.read("out.csv")));
    let mut linked: BTreeMap<String, Vec<&BTreeMap<String, String>>> = BTreeMap::new();
    for link in rows(&folder.read("k.csv")).iter().filter(|link| !link["class"].is_empty()) {
        let row: usize = link["row"].parse().unwrap();
        linked.entry(link["class"].clone()).or_default().push(&source[row]);
    }
    let mut classes: BTreeMap<String, Vec<&BTreeMap<String, String>>> = BTreeMap::new();
    for row in &published {
        assert!(!row.contains_key("patient"));
        classes.entry(row["class"].clone()).or_default().push(row);
    }
    assert!(classes.keys().eq(linked.keys()));
    let mut met = BTreeSet::new();
    let mut groups: BTreeMap<(&str, &str), Group> = BTreeMap::new();
    for (class, rows) in &classes {
        let own = &linked[class];
        let values = |rows: &[&BTreeMap<String, String>]| {
            let mut values: Vec<String> = rows.iter().map(|row| row["ill"].clone()).collect();
            values.sort();
            values
        };
        assert_eq!(values(rows), values(own), "class {class} has other values than its source rows");
        let persons: BTreeSet<String> = own.iter().map(|row| person(row)).collect();
        assert!(persons.len() >= m, "class {class} has {} people", persons.len());
        for person in &persons {
            assert!(met.insert(person.clone()), "{person} is in two classes");
        }
        let group = groups.entry((rows[0]["age"].as_str(), rows[0]["place"].as_str())).or_default();
        assert!(rows.iter().all(|row| (&row["age"], &row["place"]) == (&rows[0]["age"], &rows[0]["place"])));
        group.0.extend(persons);
        let mut holders: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for row in own {
            holders.entry(&row["ill"]).or_default().insert(person(row));
            group.1.entry(&row["ill"]).or_default().insert(person(row));
        }
        for (value, holders) in holders {
            assert_eq!(holders.len(), 1, "class {class}: {value} is held by {holders:?}");
        }
    }
    for (persons, holders) in groups.values() {
        assert!(persons.len() >= m);
        assert!(holders.values().all(|of_value| of_value.len() * m <= persons.len()));
    }
}

const FLAGS: &str =
    "--quasi age,place --sensitive ill --rows-are events-of=patient --model m-invariance --seed 1 --effort 1";

#[test]
fn each_class_has_m_persons_and_each_of_its_values_is_one_persons() {
    let mut draws = Draws(11);
    let (mut released, mut linked, mut refused) = (0, 0, 0);
    for table in 0..30 {
        let (missing, m) = (table % 3 == 0, 2 + table % 3);
        let drop = table % 2 == 0;
        let text = visits(&mut draws, missing);
        let folder = Folder::new();
        folder.write("in.csv", &text);
        let policy = if drop { "drop" } else { "value" };
        let run = format!(
            "anonymize in.csv {FLAGS} --m {m} --missing-sensitive {policy} -o out.csv --classes k.csv --report r.json"
        );
        let told = line(&folder, &run);
        let held = held(&rows(text.as_bytes()), drop);
        let (persons, most) = (held.len(), most(&held));
        if most * m > persons {
            assert_ne!(told.code, Some(0), "{most} of {persons}, m = {m}");
            assert!(told.stderr.contains(&format!("held by {most} of {persons} people")), "{}", told.stderr);
            refused += 1;
            continue;
        }
        assert_eq!(told.code, Some(0), "{}", told.stderr);
        confirm(&folder, m);
        let report = folder.json("r.json");
        assert_eq!(report["audit"]["passed"], true);
        assert!(report["risk"]["highest_attribute_disclosure"].as_f64().unwrap() <= 1.0 / m as f64 + 1e-12);
        assert!(report["disclosure"].is_null());
        let (values, groups) = (held.values().flatten().collect::<BTreeSet<_>>().len(), groups(&held));
        let largest = groups.iter().map(BTreeSet::len).max().unwrap();
        let said = &report["persons"]["linked"];
        assert_eq!(
            (&said["values"], &said["groups"], &said["largest"]),
            (&values.into(), &groups.len().into(), &largest.into())
        );
        let warned = report["warnings"].to_string().contains("values that one person holds are linked");
        assert_eq!(warned, groups.len() < values);
        released += 1;
        linked += usize::from(warned);
        // The rows' order means nothing.
        if table < 12 {
            let bytes = folder.read("out.csv");
            let mut lines: Vec<&str> = text.lines().collect();
            lines[1..].reverse();
            folder.write("in.csv", lines.join("\n") + "\n");
            assert_eq!(line(&folder, &run).code, Some(0));
            assert_eq!(folder.read("out.csv"), bytes);
        }
    }
    assert!(
        released >= 12 && linked >= 8 && refused >= 3,
        "{released}, {linked} of them linked, {refused} refused"
    );
}
