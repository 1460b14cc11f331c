//! `--unchanged` on the command line: flags, files, words and refusals.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

#[path = "../../crates/wire/tests/support/schema.rs"]
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use lookalike_tests::{
    program::Folder,
    tables::{discharges, parse, patients},
};
use serde_json::json;

/// A table with a cost that the release is for.
fn folder() -> Folder {
    let folder = Folder::new();
    let table = patients(120);
    let costs = (0_u32..)
        .map(|row| if row == 0 { String::from("cost, net") } else { (row * 37 % 23 * 50).to_string() });
    let lines = table.lines().zip(costs).map(|(line, cost)| match cost.parse::<u32>() {
        Ok(cost) => format!("{line},{cost}\n"),
        Err(_) => format!("{line},\"{cost}\"\n"),
    });
    folder.write("in.csv", lines.collect::<String>());
    folder
}

const RUN: &str = "anonymize in.csv --quasi age,sex --sensitive disease --model k-anonymity --k 4 --effort 0.5 --seed 1 \
                   --report report.json --statement statement.html -o out.csv";

fn args<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

const UNCHANGED: [&str; 2] = ["--unchanged", "\"cost, net\""];

#[test]
fn a_column_is_published_unchanged_and_its_price_is_said() {
    let folder = folder();
    let told = folder.succeed(&args(RUN, &UNCHANGED)).stderr;
    let (header, rows) = parse(&folder.read("out.csv"));
    assert_eq!(header, ["age", "sex", "disease", "cost, net", "class"]);
    let sorted = |mut cells: Vec<String>| {
        cells.sort_unstable();
        cells
    };
    let (before, source) = parse(&folder.read("in.csv"));
    let at = before.iter().position(|name| name == "cost, net").unwrap();
    let column = |rows: &[Vec<String>], at: usize| sorted(rows.iter().map(|row| row[at].clone()).collect());
    assert_eq!(column(&rows, 3), column(&source, at), "cell by cell");

    let report = folder.json("report.json");
    schema::check(
        &report,
        &serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap(),
        "report",
    );
    let known = &report["unchanged"]["columns"][0]["known"];
    // An attacker who knows quasi-identifiers and cost, by the published rows alone.
    let fits = |a: &Vec<String>, b: &Vec<String>| a[0] == b[0] && a[1] == b[1] && a[3] == b[3];
    let matches: Vec<usize> =
        rows.iter().map(|row| rows.iter().filter(|other| fits(row, other)).count()).collect();
    let unique = matches.iter().filter(|&&found| found == 1).count();
    assert!(unique > 0 && unique < rows.len(), "{unique}");
    assert_eq!(known["unique_after"], json!(unique));
    let mean = matches.iter().map(|&found| 1.0 / found as f64).sum::<f64>() / rows.len() as f64;
    assert!((known["mean"].as_f64().unwrap() - mean).abs() < 1e-9);

    let before = known["unique_before"].as_u64().unwrap();
    for said in [
        format!("published unchanged, \"cost, net\": {before} of 120 records unique in the source"),
        format!("{unique} as published; an attacker who knows it"),
        format!("{mean:.4} on average"),
        String::from("Nor does it hold against an attacker who knows a person's cells"),
        String::from("alone by unchanged cells, without the quasi-identifiers: "),
    ] {
        assert!(told.contains(&said), "{said} is not in {told}");
    }
    assert!(folder.text("statement.html").contains("published unchanged: the guarantee is for attackers"));
}

#[test]
fn a_configuration_says_it_as_flags_do() {
    let folder = folder();
    folder.succeed(&args(RUN, &[&UNCHANGED[..], &["--save-config", "config.json"]].concat()));
    let published = folder.read("out.csv");
    let config = folder.json("config.json");
    let field =
        config["fields"].as_array().unwrap().iter().find(|field| field["name"] == "cost, net").unwrap();
    assert_eq!(field["lookalike"]["role"], "unchanged");
    folder.succeed(&["anonymize", "in.csv", "--config", "config.json", "--seed", "1", "-o", "again.csv"]);
    assert_eq!(folder.read("again.csv"), published);
    // A flag that makes it something else must replace the role.
    let other = folder.run(&[
        "anonymize",
        "in.csv",
        "--config",
        "config.json",
        "--keep",
        "\"cost, net\"",
        "-o",
        "x.csv",
    ]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(
        other.stderr.contains("a column that is published unchanged") && other.stderr.contains("--unchanged"),
        "{}",
        other.stderr
    );
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_written() {
    let folder = folder();
    let run = |more: &[&str]| {
        let all = [&UNCHANGED[..], more].concat();
        let refused = folder.run(&args(RUN, &all));
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert_eq!(folder.names(), ["in.csv"]);
        refused.stderr
    };
    let said = run(&["--method", "doka-greedy"]);
    assert!(said.contains("doka-greedy gives each record a separate row"), "{said}");
    let folder_of_parts = folder.file("");
    let said = run(&["--out-of-core", &folder_of_parts]);
    assert!(said.contains("columns that are published unchanged (--unchanged)"), "{said}");
    let said = run(&["--missing-column", "\"cost, net\"=drop"]);
    assert!(said.contains("neither a quasi-identifier nor the sensitive column"), "{said}");
    let said = run(&["--publish-column", "\"cost, net\"=set"]);
    assert!(said.contains("\"cost, net\""), "{said}");
    let series = "republish in.csv --begin --id id --ledger ledger.json --mode m-invariance --quasi age,sex --sensitive disease --model m-invariance --m 3 \
                  --seed 1 -o out.csv";
    let refused = folder.run(&args(series, &UNCHANGED));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("a series publishes no column unchanged (\"cost, net\")"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_price_is_told_before_a_run() {
    let folder = folder();
    let line = ["describe", "in.csv", "--quasi", "age,sex", "--unchanged", "\"cost, net\"", "--json"];
    let told: serde_json::Value = serde_json::from_slice(&folder.succeed(&line).stdout).unwrap();
    let (header, rows) = parse(&folder.read("in.csv"));
    let at = |name: &str| header.iter().position(|other| other == name).unwrap();
    let known = [at("age"), at("sex"), at("cost, net")];
    let alone = |row: &&Vec<String>| {
        rows.iter().filter(|other| known.iter().all(|&at| other[at] == row[at])).count() == 1
    };
    let unique = rows.iter().filter(alone).count();
    assert_eq!(told["unchanged"]["columns"][0]["unique"], json!(unique));
    let proposed = told["anonymize"].as_str().unwrap();
    assert!(proposed.contains("--quasi age,sex --unchanged '\"cost, net\"'"), "{proposed}");
    let text = String::from_utf8(folder.succeed(&line[..6]).stdout).unwrap();
    assert!(text.contains(&format!("make {unique} of 120 rows unique")), "{text}");
    let refused = folder.run(&["describe", "in.csv", "--unchanged", "age"]);
    assert_eq!(refused.code, Some(2));
}

const DISCHARGES: &str = "anonymize in.csv --rows-are events-of=patient --quasi icd,postcode,born,admitted --sensitive outcome \
     --unchanged stay,cost --kind icd=category,postcode=category --hierarchy icd=icd.csv --generate-hierarchy postcode=prefix \
     --publish-column icd=hierarchy,postcode=hierarchy --model k-anonymity --k 5 --method mondrian --seed 1 --report report.json \
     --statement statement.html --classes classes.csv -o out.csv";

/// A table by its columns.
struct Columns {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    fn new(bytes: &[u8]) -> Self {
        let (names, rows) = parse(bytes);
        Self { names, rows }
    }

    fn cell(&self, row: usize, name: &str) -> &str {
        &self.rows[row][self.names.iter().position(|other| other == name).unwrap()]
    }

    fn cells(&self, row: usize, names: &[&str]) -> Vec<&str> {
        names.iter().map(|name| self.cell(row, name)).collect()
    }
}

/// Day and minute of `05.03.2023 14:37`, as something to compare.
fn moment(text: &str) -> (u32, u32, u32) {
    let part = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap();
    (part(3, 5), part(0, 2), part(11, 13) * 60 + part(14, 16))
}

/// As English writes it, below a million.
fn thousands(count: usize) -> String {
    if count < 1000 { count.to_string() } else { format!("{},{:03}", count / 1000, count % 1000) }
}

/// Whether a published range has this; a range of one is the cell itself.
fn within<T: PartialOrd>(range: &str, parts: &str, cell: &str, read: impl Fn(&str) -> T) -> bool {
    let ends = range.trim_start_matches('[').trim_end_matches(']');
    let (low, high) = ends.split_once(parts).unwrap_or((ends, ends));
    read(low) <= read(cell) && read(cell) <= read(high)
}

/// A run of the discharges, read back.
struct Discharged {
    source: Columns,
    release: Columns,
    key: Columns,
    /// A published row of each class.
    published: BTreeMap<String, usize>,
}

const QUASI: [&str; 4] = ["icd", "postcode", "born", "admitted"];

impl Discharged {
    fn new(folder: &Folder) -> Self {
        let [source, release, key] =
            ["in.csv", "out.csv", "classes.csv"].map(|name| Columns::new(&folder.read(name)));
        let rows = 0..release.rows.len();
        let published = rows.map(|row| (release.cell(row, "class").to_owned(), row)).collect();
        Self { source, release, key, published }
    }

    fn rows(&self) -> std::ops::Range<usize> {
        0..self.source.rows.len()
    }

    fn class(&self, row: usize) -> &str {
        self.key.cell(row, "class")
    }

    fn patient(&self, row: usize) -> &str {
        self.source.cell(row, "patient")
    }

    /// Each row with its own cells, in the class of the key.
    fn keeps_cells(&self) {
        let own = ["outcome", "stay", "cost"];
        let mut before: Vec<(&str, Vec<&str>)> =
            self.rows().map(|row| (self.class(row), self.source.cells(row, &own))).collect();
        let mut after: Vec<(&str, Vec<&str>)> =
            self.rows().map(|row| (self.release.cell(row, "class"), self.release.cells(row, &own))).collect();
        before.sort_unstable();
        after.sort_unstable();
        assert_eq!(before, after);
    }

    /// What is published of a class stands for all of its rows.
    fn covers(&self, hierarchy: &str) {
        let line = |line: &'_ str| -> (String, Vec<String>) {
            let labels: Vec<String> = line.split(';').map(String::from).collect();
            (labels[0].clone(), labels)
        };
        let levels: BTreeMap<String, Vec<String>> = hierarchy.lines().map(line).collect();
        for row in self.rows() {
            let of = self.published[self.class(row)];
            let cell = |name| (self.release.cell(of, name), self.source.cell(row, name));
            let (label, code) = cell("icd");
            assert!(levels[code].iter().any(|level| level == label), "{code} is not {label}");
            let (label, postcode) = cell("postcode");
            let prefix = label.trim_end_matches('*');
            assert!(label.len() == 5 && postcode.starts_with(prefix), "{postcode} is not {label}");
            let (range, born) = cell("born");
            assert!(
                within(range, "-", born, |year| year.parse::<u32>().unwrap()),
                "{born} is not in {range}"
            );
            let (range, admitted) = cell("admitted");
            assert!(within(range, " - ", admitted, moment), "{admitted} is not in {range}");
        }
    }

    /// So many patients at least in every class and in every group of equal quasi-identifiers, and nobody in two classes. Returns
    /// those of the smallest group.
    fn hides(&self, k: usize, patients: usize) -> usize {
        let mut classes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut groups: BTreeMap<Vec<&str>, BTreeSet<&str>> = BTreeMap::new();
        for row in self.rows() {
            classes.entry(self.class(row)).or_default().insert(self.patient(row));
            let shared = self.release.cells(self.published[self.class(row)], &QUASI);
            groups.entry(shared).or_default().insert(self.patient(row));
        }
        assert!(classes.values().chain(groups.values()).all(|patients| patients.len() >= k));
        assert_eq!(classes.values().map(BTreeSet::len).sum::<usize>(), patients, "one class each");
        groups.values().map(BTreeSet::len).min().unwrap()
    }

    /// Of the rows with the same cells those of each patient.
    fn alike<'a>(
        &'a self,
        cells: impl Fn(usize) -> Vec<&'a str>,
    ) -> BTreeMap<Vec<&'a str>, BTreeMap<&'a str, usize>> {
        let mut alike: BTreeMap<Vec<&str>, BTreeMap<&str, usize>> = BTreeMap::new();
        for row in self.rows() {
            *alike.entry(cells(row)).or_default().entry(self.patient(row)).or_default() += 1;
        }
        alike
    }

    /// Unique in the source, unique in the class, the mean match probability, and in how many classes somebody is certain.
    fn figures(&self, columns: &[&str]) -> (usize, usize, f64, usize) {
        let before =
            self.alike(|row| [self.source.cells(row, &QUASI), self.source.cells(row, columns)].concat());
        let after = self.alike(|row| [vec![self.class(row)], self.source.cells(row, columns)].concat());
        let unique = |alike: &BTreeMap<Vec<&str>, BTreeMap<&str, usize>>| {
            let alone = alike.values().filter(|patients| patients.len() == 1);
            alone.flat_map(|patients| patients.keys().map(ToString::to_string)).collect::<BTreeSet<_>>().len()
        };
        // Of the rows of the class with a cell those that are the patient's, for the cell of which that is most.
        let mut best: BTreeMap<&str, f64> = BTreeMap::new();
        for patients in after.values() {
            let all = patients.values().sum::<usize>() as f64;
            for (patient, &own) in patients {
                let best = best.entry(patient).or_default();
                *best = best.max(own as f64 / all);
            }
        }
        let certain = after.iter().filter(|(_, patients)| patients.len() == 1).map(|(cells, _)| cells[0]);
        let certain = certain.collect::<BTreeSet<&str>>().len();
        (unique(&before), unique(&after), best.values().sum::<f64>() / best.len() as f64, certain)
    }
}

/// From file to published table, report and statement: 5,000 stays of 3,000 patients, read back by this test alone.
#[test]
fn the_stays_of_a_hospital_are_published_with_their_costs() {
    let folder = Folder::new();
    let (text, hierarchy) = discharges(5000, 3000);
    folder.write("in.csv", text);
    folder.write("icd.csv", &hierarchy);
    let told = folder.succeed(&args(DISCHARGES, &[])).stderr;
    let back = Discharged::new(&folder);
    assert_eq!(
        back.release.names,
        ["icd", "postcode", "born", "admitted", "outcome", "stay", "cost", "class"]
    );
    let sizes = [&back.source, &back.release, &back.key].map(|table| table.rows.len());
    assert_eq!(sizes, [5000; 3]);
    back.keeps_cells();
    back.covers(&hierarchy);
    let smallest = back.hides(5, 3000);

    let report = folder.json("report.json");
    let schema = serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap();
    schema::check(&report, &schema, "report");
    assert_eq!((&report["persons"]["count"], &report["audit"]["passed"]), (&json!(3000), &json!(true)));
    assert_eq!(report["risk"]["smallest_group"], json!(smallest));
    let statement = folder.text("statement.html");
    for (name, columns) in [("stay", &["stay"][..]), ("cost", &["cost"]), ("together", &["stay", "cost"])] {
        let (before, after, mean, certain) = back.figures(columns);
        let alone = report["unchanged"]["columns"].as_array().unwrap().iter();
        let known = alone.clone().find(|column| column["name"] == name);
        let known = known.map_or(&report["unchanged"]["together"], |column| &column["known"]);
        assert_eq!(
            (&known["unique_before"], &known["unique_after"]),
            (&json!(before), &json!(after)),
            "{name}"
        );
        assert!(after > 0 && after < 3000 && known["highest"] == json!(1.0), "{name}: {known}");
        let rounded = known["mean"].as_f64().unwrap();
        assert!((rounded - mean).abs() <= 0.05 * mean, "{name}: {rounded} {mean}");
        assert_eq!(known["classes"][0], json!({ "highest": 1.0, "classes": certain }), "{name}");
        let (before, after) = (thousands(before), thousands(after));
        let line = format!("<td>{before}</td><td>{after}</td><td>at most 1, {rounded} on average");
        assert!(statement.contains(&line), "{name}: {line} is not in {statement}");
        for said in [
            format!("{before} of 3,000 people unique in the source"),
            format!("{after} in their class as published"),
        ] {
            assert!(told.contains(&said), "{name}: {said} is not in {told}");
        }
    }
    for said in
        ["3,000 people in 5,000 rows", "of at least 5 different people", "The figures are of 3,000 people"]
    {
        assert!(statement.contains(said), "{said} is not in {statement}");
    }
    assert!(told.contains("Nor does it hold against an attacker who knows a person's cells"), "{told}");
}

/// Before a run persons are counted by their key, and rows without it.
#[test]
fn describe_counts_persons_where_it_is_told_of_them() {
    let folder = Folder::new();
    // By postcode alone not everybody is unique.
    folder.write("in.csv", discharges(500, 300).0);
    let line = ["describe", "in.csv", "--quasi", "postcode", "--unchanged", "stay,cost"];
    let describe = |more: &[&str]| folder.succeed(&[&line[..], more].concat()).stdout;
    let events = ["--rows-are", "events-of=patient"];
    let json = |more: &[&str]| -> serde_json::Value { serde_json::from_slice(&describe(more)).unwrap() };
    let of_persons = json(&["--rows-are", "events-of=patient", "--json"]);
    assert_eq!(of_persons["unchanged"]["persons"], json!(300));
    let source = Columns::new(&folder.read("in.csv"));
    let alone = |columns: &[&str], owner: &dyn Fn(usize) -> String| {
        let mut alike: BTreeMap<Vec<&str>, BTreeSet<String>> = BTreeMap::new();
        for row in 0..500 {
            alike.entry(source.cells(row, columns)).or_default().insert(owner(row));
        }
        let alone = alike.into_values().filter(|owners| owners.len() == 1).flatten();
        alone.collect::<BTreeSet<String>>().len()
    };
    let all = ["postcode", "stay", "cost"];
    let patients = alone(&all, &|row| source.cell(row, "patient").to_owned());
    let rows = alone(&all, &|row| row.to_string());
    assert!(patients < 300 && patients < rows, "{patients} {rows}");
    assert_eq!(of_persons["unchanged"]["together"], json!(patients));
    assert_eq!(json(&["--json"])["unchanged"]["together"], json!(rows));
    let proposed = of_persons["anonymize"].as_str().unwrap();
    assert!(
        proposed.contains("--rows-are events-of=patient") && proposed.contains("--model k-anonymity"),
        "{proposed}"
    );
    let text = String::from_utf8(describe(&events)).unwrap();
    assert!(
        text.contains(&format!("make {patients} of 300 people unique")) && !text.contains("count rows"),
        "{text}"
    );
    let text = String::from_utf8(describe(&[])).unwrap();
    assert!(
        text.contains(&format!("make {rows} of 500 rows unique"))
            && text.contains("These figures count rows"),
        "{text}"
    );
}

/// A file says of persons and their costs what flags do, and what cannot be is still refused.
#[test]
fn persons_with_costs_come_from_a_configuration() {
    let folder = Folder::new();
    let (text, hierarchy) = discharges(200, 120);
    folder.write("in.csv", text);
    folder.write("icd.csv", hierarchy);
    folder.succeed(&args(DISCHARGES, &["--save-config", "config.json"]));
    let published = folder.read("out.csv");
    folder.succeed(&["anonymize", "in.csv", "--config", "config.json", "--seed", "1", "-o", "again.csv"]);
    assert_eq!(folder.read("again.csv"), published);
    let refused = |more: &[&str], said: &str| {
        let refused = folder.run(&args(DISCHARGES, more));
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(said), "{said} is not in {}", refused.stderr);
    };
    refused(&["--loss", "ncp"], "--rows-are events-of=patient");
    refused(&["--class-column", "none"], "--class-column");
    refused(&["--keep", "patient"], "holds the keys of people and is never published");
}
