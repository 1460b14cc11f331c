//! The configurations in `docs/examples/`: what they promise, counted anew from source, published bytes and linking key.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use lookalike_tests::program::{Folder, workspace};
use serde_json::Value;

fn example(name: &str) -> PathBuf {
    workspace().join("docs/examples").join(name)
}

/// Rows of cells; none of these files needs more than quotes around commas.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    text.lines().map(cells).collect()
}

fn column(table: &[Vec<String>], name: &str) -> Vec<String> {
    let at = table[0].iter().position(|cell| cell == name).unwrap();
    table[1..].iter().map(|row| row[at].clone()).collect()
}

/// Source, published table, linking key and report of a sample.
struct Made {
    source: Vec<Vec<String>>,
    published: Vec<Vec<String>>,
    classes: Vec<String>,
    report: Value,
}

fn made(table: &Path, config: &str) -> Made {
    let folder = Folder::new();
    let [table, config] = [table, &example(config)].map(|path| path.display().to_string());
    let flags = "--seed 1 -o out.csv --report report.json --classes classes.csv";
    let mut asked = vec!["anonymize", &table, "--config", &config];
    asked.extend(flags.split(' '));
    let run = folder.run(&asked);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let read = |file: &str| folder.text(file);
    Made {
        source: rows(&std::fs::read_to_string(table).unwrap()),
        published: rows(&read("out.csv")),
        classes: column(&rows(&read("classes.csv")), "class"),
        report: serde_json::from_str(&read("report.json")).unwrap(),
    }
}

#[test]
fn stays_are_of_five_patients_in_every_class() {
    let made = made(&example("stays.csv"), "stays.json");
    let mut persons: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut of_person: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (patient, class) in column(&made.source, "patient").into_iter().zip(&made.classes) {
        of_person.entry(patient.clone()).or_default().insert(class);
        persons.entry(class).or_default().insert(patient);
    }
    assert!(persons.len() > 20 && persons.values().all(|of_class| of_class.len() >= 5));
    assert!(of_person.values().all(|classes| classes.len() == 1));
    // Nights and costs are those of the source, whichever row they are of.
    for name in ["nights", "cost"] {
        let sorted = |table| {
            let mut cells = column(table, name);
            cells.sort();
            cells
        };
        assert_eq!(sorted(&made.published), sorted(&made.source));
    }
    assert!(
        made.report["objective"]["value"].as_f64().unwrap()
            >= made.report["bound"]["value"].as_f64().unwrap()
    );
}

/// The certainty penalty by the published labels: intervals of ages by their width, postcodes by how many values they stand for.
#[test]
fn hospital_loses_what_its_labels_say() {
    let made = made(&workspace().join("samples/hospital.csv"), "hospital.json");
    let codes = rows(&std::fs::read_to_string(example("postcodes.csv")).unwrap().replace(';', ","));
    let under = |label: &str| codes.iter().filter(|row| row.iter().any(|cell| cell == label)).count();
    let of_age = |label: &str| {
        let Some(ends) = label.strip_prefix('[').and_then(|l| l.strip_suffix(']')) else {
            return if label == "*" { 1.0 } else { 0.0 };
        };
        let (low, high) = ends.split_once('-').unwrap();
        (high.parse::<f64>().unwrap() - low.parse::<f64>().unwrap()) / 99.0
    };
    let sexes: BTreeSet<String> = column(&made.source, "sex").into_iter().collect();
    let of_sex = |set: &str| set.matches(',').count() as f64 / sexes.len() as f64;
    let cells = ["age", "postcode", "sex"].map(|name| column(&made.published, name));
    let mut penalty = 0.0;
    for ((age, postcode), sex) in cells[0].iter().zip(&cells[1]).zip(&cells[2]) {
        let of_code = (under(postcode) - 1) as f64 / (codes.len() - 1) as f64;
        penalty += (of_age(age) + of_code + of_sex(sex)) / 3.0;
    }
    let said = made.report["objective"]["value"].as_f64().unwrap();
    assert!((penalty - said).abs() < 1e-6 * said, "{penalty} {said}");
    assert!(said >= made.report["bound"]["value"].as_f64().unwrap());
}

/// A label of all values of the file is narrower than the one above it, and costs its width all the same.
#[test]
fn an_interval_of_all_values_is_not_everything() {
    let folder = Folder::new();
    folder.write("in.csv", "age,ill\n20,a\n21,b\n22,c\n27,d\n28,e\n29,f\n");
    let flags = "anonymize in.csv --quasi age --loss ncp --publish-column age=hierarchy --generate-hierarchy \
                 age=interval:5,2,2:from=20,to=90 --model k-anonymity --k 4 --seed 1 --effort 1 -o out.csv --report r.json";
    let run = folder.run(&flags.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let ages = column(&rows(&folder.text("out.csv")), "age");
    assert!(ages.iter().all(|age| age == "[20-29]"), "{ages:?}");
    let report = folder.json("r.json");
    let penalty = |of: &str| report.pointer(of).and_then(Value::as_f64).unwrap();
    // Everything that a label says lies between 20 and 39.
    let by_hand = 6.0 * 9.0 / 19.0;
    for of in ["/objective/value", "/objective/ncp_total", "/utility/ncp_total"] {
        assert!((penalty(of) - by_hand).abs() < 1e-6, "{of}: {} {by_hand}", penalty(of));
    }
}

/// The people on the page's first screen are two whole groups of a run on the sample that is offered beside them.
#[test]
fn the_first_screen_shows_a_run_on_the_sample() {
    let folder = Folder::new();
    folder.write("hospital.csv", std::fs::read(workspace().join("samples/hospital.csv")).unwrap());
    let run = "anonymize hospital.csv --quasi sex,age,postcode --missing-quasi value --sensitive diagnosis --model m-invariance \
               --m 4 --loss ncp --seed 1 --effort 5 --bound off -o out.csv --classes classes.csv";
    folder.succeed(&run.split_whitespace().collect::<Vec<_>>());
    let source = rows(&folder.text("hospital.csv"));
    let (published, classes) = (rows(&folder.text("out.csv")), rows(&folder.text("classes.csv")));
    let shown = std::fs::read_to_string(workspace().join("web/ui/src/texts/example.rs")).unwrap();
    let shown: Vec<Vec<&str>> = (shown.lines().filter(|line| line.trim().starts_with("person(\"")))
        .map(|line| line.split('"').skip(1).step_by(2).collect())
        .collect();
    assert_eq!(shown.len(), 8);
    let cells = |table: &[Vec<String>], names: [&str; 4]| -> Vec<Vec<String>> {
        let columns = names.map(|name| column(table, name));
        (0..table.len() - 1).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
    };
    let people = cells(&source, ["name", "age", "postcode", "diagnosis"]);
    let out = cells(&published, ["age", "postcode", "diagnosis", "class"]);
    let mut of_groups = BTreeMap::new();
    for person in &shown {
        let [name, age, diagnosis, range] = person[..] else { panic!("{person:?}") };
        let at = people.iter().position(|of| *of == [name, age, "01010", diagnosis]);
        let class = &classes[1 + at.unwrap_or_else(|| panic!("{person:?} is not in the sample"))][1];
        let row = |row: &&Vec<String>| row[2] == diagnosis && row[3] == *class;
        let row = out.iter().find(row).unwrap_or_else(|| panic!("{person:?} is not in {class}"));
        assert_eq!((row[0].trim_matches(['[', ']']), &*row[1]), (range, "01010"), "{person:?}");
        *of_groups.entry(class).or_insert(0) += 1;
    }
    assert!(of_groups.values().eq(&[4, 4]), "{of_groups:?}");
    for class in of_groups.keys() {
        assert_eq!(out.iter().filter(|row| row[3] == **class).count(), 4, "the whole group");
    }
}
