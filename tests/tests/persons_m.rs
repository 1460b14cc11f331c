//! m-invariance of persons with several rows: source, linking key and published file, read by this file alone, show that each class
//! has m persons and that each of its sensitive values is one person's; on tiny tables all partitions are tried.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

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
        assert!(persons.len() >= m, "class {class} has {} persons", persons.len());
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
            assert!(told.stderr.contains(&format!("held by {most} of {persons} persons")), "{}", told.stderr);
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

/// The least sum of squared errors of all partitions of these points into classes of at least m, no two of which `clash`.
fn least(points: &[f64], m: usize, clash: &dyn Fn(usize, usize) -> bool) -> Option<f64> {
    fn place(
        at: usize,
        classes: &mut Vec<Vec<usize>>,
        points: &[f64],
        m: usize,
        clash: &dyn Fn(usize, usize) -> bool,
    ) -> Option<f64> {
        if at == points.len() {
            return classes.iter().all(|class| class.len() >= m).then(|| {
                let errors = |class: &Vec<usize>| squared(class.iter().map(|&i| points[i]));
                classes.iter().map(errors).sum()
            });
        }
        let mut best: Option<f64> = None;
        let mut keep = |found: Option<f64>| {
            best = match (best, found) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        };
        for class in 0..classes.len() {
            if classes[class].iter().all(|&other| !clash(at, other)) {
                classes[class].push(at);
                keep(place(at + 1, classes, points, m, clash));
                classes[class].pop();
            }
        }
        classes.push(vec![at]);
        keep(place(at + 1, classes, points, m, clash));
        classes.pop();
        best
    }
    place(0, &mut Vec::new(), points, m, clash)
}

fn squared(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mean = values.clone().sum::<f64>() / values.clone().count() as f64;
    values.map(|value| (value - mean) * (value - mean)).sum()
}

/// Runs column generation on ages and values of persons; its loss as a share of the whole, beside the least of this model and the
/// least of classes that only keep persons with a common value apart.
fn solved(of: &[Vec<(f64, &str)>], m: usize) -> (Folder, Option<[f64; 3]>) {
    let mut text = String::from("patient,age,ill\n");
    for (person, rows) in of.iter().enumerate() {
        for (age, ill) in rows {
            writeln!(text, "p{person},{age},{ill}").unwrap();
        }
    }
    let folder = Folder::new();
    folder.write("in.csv", &text);
    let mean = |rows: &Vec<(f64, &str)>| rows.iter().map(|row| row.0).sum::<f64>() / rows.len() as f64;
    let points: Vec<f64> = of.iter().map(mean).collect();
    let values: Vec<BTreeSet<&str>> = of.iter().map(|rows| rows.iter().map(|row| row.1).collect()).collect();
    let named = |set: &BTreeSet<&str>| set.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
    let held = values.iter().enumerate().map(|(i, set)| (i.to_string(), named(set))).collect();
    let groups = groups(&held);
    let group = |i: usize| groups.iter().position(|group| !group.is_disjoint(&named(&values[i])));
    let strict = least(&points, m, &|i, j| group(i) == group(j));
    let loose = least(&points, m, &|i, j| !values[i].is_disjoint(&values[j]));
    let run = line(
        &folder,
        &format!(
            "anonymize in.csv --quasi age --sensitive ill --rows-are events-of=patient --model m-invariance --m {m} --seed 1 \
             --method column-generation --effort 20 -o out.csv --classes k.csv --report r.json --statement s.html"
        ),
    );
    let Some(strict) = strict else {
        assert_ne!(run.code, Some(0), "{text}");
        return (folder, None);
    };
    assert_eq!(run.code, Some(0), "{}{text}", run.stderr);
    let report = folder.json("r.json");
    assert!(report["status"].to_string().contains("optimal"), "{}", report["status"]);
    let all = squared(points.iter().copied());
    let share = |loss: f64| 100.0 * loss / all;
    let reached = report["objective"]["information_loss_percent"].as_f64().unwrap();
    (folder, Some([reached, share(strict), share(loose.unwrap())]))
}

#[test]
fn a_proven_loss_is_the_least_of_all_partitions_by_groups_of_values() {
    let mut draws = Draws(5);
    let (mut proven, mut stricter) = (0, 0);
    let names = ["q", "r", "s", "t", "u", "v", "w", "x", "y", "z"];
    for _ in 0..50 {
        let persons = 5 + draws.below(5);
        let m = 2 + usize::from(persons > 6 && draws.below(2) == 0);
        let rows = |draws: &mut Draws| {
            let usual = draws.below(10);
            let row = |draws: &mut Draws| {
                let value = if draws.below(8) == 0 { draws.below(10) } else { usual };
                ((20 + draws.below(40)) as f64, names[value as usize])
            };
            (0..=draws.below(4)).map(|_| row(draws)).collect::<Vec<_>>()
        };
        let of: Vec<Vec<(f64, &str)>> = (0..persons).map(|_| rows(&mut draws)).collect();
        let (folder, Some([reached, strict, loose])) = solved(&of, m) else { continue };
        confirm_ages(&folder);
        assert!((reached - strict).abs() < 1e-6, "{reached}, but {strict} is the least: {of:?}");
        assert!(loose <= strict + 1e-9);
        proven += 1;
        stricter += usize::from(loose < strict - 1e-9);
    }
    assert!(proven >= 20 && stricter >= 2, "{proven} proven, {stricter} of them stricter");
}

/// The published files of a table without places.
fn confirm_ages(folder: &Folder) {
    for name in ["in.csv", "out.csv"] {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let mut lines = text.lines();
        let mut placed = format!("{},place\n", lines.next().unwrap());
        lines.for_each(|line| writeln!(placed, "{line},here").unwrap());
        folder.write(name, placed);
    }
    confirm(folder, 2);
}

/// Nobody has a value in common with the other at the same age, but a third person has both values.
#[test]
fn what_is_proven_is_said_to_be_of_groups_of_values() {
    let one = |age: f64, ill: &'static str| vec![(age, ill)];
    let linked = [
        one(20.0, "x"),
        one(20.0, "z"),
        vec![(30.0, "x"), (30.0, "z")],
        one(30.0, "u"),
        one(50.0, "v"),
        one(50.0, "w"),
    ];
    let (folder, Some([reached, strict, loose])) = solved(&linked, 2) else { panic!("is eligible") };
    assert!((reached - strict).abs() < 1e-6 && loose < 1e-9 && strict > 1.0, "{reached} {strict} {loose}");
    let statement = String::from_utf8(folder.read("s.html")).unwrap();
    for said in [
        "m-invariance with m = 2",
        "Each class has at least 2 persons, and each sensitive value of a class is of one of them only",
        "how many rows a person has, or can count them",
        "keeps persons of linked sensitive values apart, which is proven",
        "It promises nothing about the number of rows of a person",
        "the 5 values of \"ill\" count as 4 values",
    ] {
        assert!(
            statement.replace("&quot;", "\"").replace(['“', '”'], "\"").contains(said),
            "{said}: {statement}"
        );
    }
    let again = line(
        &folder,
        "anonymize in.csv --quasi age --sensitive ill --rows-are events-of=patient --model m-invariance --m 2 --seed 1 \
         --method column-generation --effort 20 -o out.csv",
    );
    let told = printed(&again);
    for said in [
        "m-invariance, m = 2: 6 persons in 7 rows",
        "proven optimal among partitions that keep persons of linked sensitive values apart",
        "values that one person holds are linked, and up to 2 of them count as one",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    // With one value each, values are groups, and a proof is of all partitions.
    let single =
        [one(20.0, "x"), one(21.0, "z"), one(30.0, "x"), one(30.0, "u"), one(50.0, "v"), one(50.0, "w")];
    let (folder, Some([reached, strict, loose])) = solved(&single, 2) else { panic!("is eligible") };
    assert!((reached - strict).abs() < 1e-6 && (strict - loose).abs() < 1e-9);
    let statement = String::from_utf8(folder.read("s.html")).unwrap();
    assert!(
        statement.contains("nothing better exists, which is proven") && !statement.contains("linked"),
        "{statement}"
    );
}

/// 24 patients of two visits each, with an illness of their own in both; the first three share an illness with nobody at first.
fn pairs() -> String {
    let mut text = String::from("patient,age,place,ill\n");
    for row in 0..48 {
        writeln!(text, "p{},{},c,ill {}", row / 2, 20 + row / 2, row / 2 % 8).unwrap();
    }
    text
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    let folder = Folder::new();
    folder.write("in.csv", pairs());
    let refused = |extra: &str, words: &[&str]| {
        let run = line(&folder, &format!("anonymize in.csv {FLAGS} {extra} -o no.csv"));
        assert!(
            run.code != Some(0) && words.iter().all(|word| run.stderr.contains(word)),
            "{extra}: {}",
            run.stderr
        );
    };
    refused(
        "--m 9",
        &[
            "\"ill 0\" is held by 3 of 24 persons",
            "m = 9 allows at most 2",
            "the largest possible m is 8",
            "k-anonymity",
        ],
    );
    for way in ["add", "delete", "hybrid"] {
        refused(
            &format!("--m 3 --eligibility {way}"),
            &["nothing can be added or deleted", "--rows-are events-of=patient", "--eligibility"],
        );
    }
    refused("--m 3 --loss ncp", &["the width of all rows"]);
    refused("--m 3 --method doka-greedy", &["doka-greedy"]);
    refused("--m 3 --certificate c.json", &["certificate"]);
    refused("--m 3 --class-column none", &["class by class"]);
    // One person with two illnesses links them, with both of their holders.
    folder.write("in.csv", pairs().replacen("p0,20,c,ill 0", "p0,20,c,ill 1", 1));
    refused(
        "--m 5",
        &[
            "2 values of \"ill\", which are linked by persons who hold several of them and count as one, are held by 6 of 24 persons",
            "m = 5 allows at most 4",
            "the largest possible m is 4",
            "a smaller m",
        ],
    );
    let series = line(
        &folder,
        "republish in.csv --ledger l.json --id patient --rows-are events-of=patient --quasi age --sensitive ill --m 2 --seed 1 -o no.csv",
    );
    assert_ne!(series.code, Some(0));
}

#[test]
fn a_check_counts_the_persons_of_a_value() {
    let folder = Folder::new();
    folder.write("in.csv", pairs());
    let run = line(
        &folder,
        &format!("anonymize in.csv {FLAGS} --m 3 -o out.csv --classes k.csv --save-config c.json"),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    confirm(&folder, 3);
    let flags = "--quasi age,place --sensitive ill --model m-uniqueness --m 3 --rows-are events-of=patient";
    let check =
        |told: &str| line(&folder, &format!("check out.csv {told} --original in.csv --classes k.csv"));
    for told in ["--config c.json", flags] {
        let run = check(told);
        // Everybody has the illness in two rows, which is no harm.
        assert_eq!(run.code, Some(0), "{}", printed(&run));
        assert!(
            printed(&run).contains("each sensitive value of a class is held by one of its persons only"),
            "{}",
            printed(&run)
        );
    }
    // Two persons of a class share a value: in the published file alone, and in the original, too.
    let (source, honest) = (rows(&folder.read("in.csv")), folder.read("out.csv"));
    let links = rows(&folder.read("k.csv"));
    let of_class: Vec<&BTreeMap<String, String>> =
        links.iter().zip(&source).filter(|(link, _)| link["class"] == "1").map(|(_, row)| row).collect();
    let (one, other) = (of_class[0], of_class.iter().find(|row| row["ill"] != of_class[0]["ill"]).unwrap());
    let text = String::from_utf8(honest.clone()).unwrap();
    let shared: Vec<String> = text
        .lines()
        .map(|line| {
            let first = line.ends_with(",1") || line.contains(",1,");
            if first {
                line.replace(&format!(",{}", other["ill"]), &format!(",{}", one["ill"]))
            } else {
                line.to_owned()
            }
        })
        .collect();
    folder.write("out.csv", shared.join("\n") + "\n");
    assert_ne!(folder.read("out.csv"), honest);
    for told in ["--config c.json", flags] {
        let run = check(told);
        assert_eq!(run.code, Some(1), "{}", printed(&run));
        assert!(
            printed(&run).contains("FAILS  sensitive values of persons")
                && printed(&run).contains("1 class with other values"),
            "{}",
            printed(&run)
        );
    }
    let both = String::from_utf8(folder.read("in.csv")).unwrap();
    let both: Vec<String> = both
        .lines()
        .map(|line| {
            let theirs = line.starts_with(&format!("{},", other["patient"]));
            if theirs { line.replace(&other["ill"], &one["ill"]) } else { line.to_owned() }
        })
        .collect();
    folder.write("in.csv", both.join("\n") + "\n");
    let run = check(flags);
    assert_eq!(run.code, Some(1), "{}", printed(&run));
    assert!(
        printed(&run).contains("1 of ")
            && printed(&run).contains("with a sensitive value that two persons hold"),
        "{}",
        printed(&run)
    );
    let json = line(&folder, &format!("check out.csv {flags} --original in.csv --classes k.csv --json"));
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(found["passed"], false);
    assert_eq!(found["persons"]["values"]["classes_with_a_shared_value"], 1);
    assert_eq!(found["persons"]["values"]["classes_with_other_values"], 0);
}
