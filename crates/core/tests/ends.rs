//! Ranges in two columns: what is published is computed here once more from the input and the linking key, by code that shares
//! nothing with the core; and the audit refuses bytes in which a single cell is altered.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_audit::{
    Dialect, Guarantee, Question, judge,
    measure::{ColumnReading, Ends, EndsSource, Reading, ends},
};
use lookalike_core::{
    Error,
    out_of_core::Survey,
    pipeline::{Outcome, anonymize},
    statement,
};
use lookalike_model::{Ctx, settings::Settings};
use lookalike_table::{DateFormat, NumberFormat, ReadOptions, Reading as Compared, Table, read};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const ORDER: [&str; 4] = ["none", "low", "mid", "high"];

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn run(text: &str, settings: Value) -> Result<Outcome, Error> {
    let settings: Settings = serde_json::from_value(settings).unwrap();
    anonymize(&table(text), &settings, &Ctx::silent())
}

/// The value of a cell.
type Measure = fn(&str) -> i64;

type Rows = Vec<BTreeMap<String, String>>;

fn rows(bytes: &[u8]) -> Rows {
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let row = |row: csv::StringRecord| names.iter().cloned().zip(row.iter().map(String::from)).collect();
    reader.records().map(Result::unwrap).map(row).collect()
}

/// For each class the input rows that are in it.
fn linked(outcome: &Outcome) -> BTreeMap<String, Vec<usize>> {
    let mut classes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in rows(&outcome.classes) {
        if let (Ok(at), false) = (row["row"].parse(), row["class"].is_empty()) {
            classes.entry(row["class"].clone()).or_default().push(at);
        }
    }
    classes
}

fn people(rng: &mut ChaCha8Rng) -> String {
    let mut text = String::from("age,seen,kg,pain,city,illness\n");
    for _ in 0..rng.random_range(9..40) {
        writeln!(
            text,
            "{},2023-{:02}-{:02},{}.{},{},{},{}",
            rng.random_range(-5..70),
            rng.random_range(1..13),
            rng.random_range(1..29),
            rng.random_range(40..120),
            rng.random_range(0..10),
            ORDER[rng.random_range(0..4)],
            ["Bath", "Hull", "Kent"][rng.random_range(0..3)],
            ["flu", "cold"][rng.random_range(0..2)],
        )
        .unwrap();
    }
    text
}

fn settings(publish: &str, loss: &str, class: &Value) -> Value {
    json!({
        "quasi": ["age", "seen", "kg", "pain", "city"], "sensitive": "illness", "orders": { "pain": ORDER },
        "model": { "name": "k-anonymity", "k": 3 }, "loss": loss, "publish": publish, "class_column": class,
        "budget": { "effort": 1.0 }, "seed": 5,
    })
}

/// Days since the beginning of 2023, and back.
fn day(date: &str) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let parts: Vec<i64> = date.split('-').map(|part| part.parse().unwrap()).collect();
    BEFORE[parts[1] as usize - 1] + parts[2]
}

/// Tenths, of a number with at most two decimals.
fn hundredths(text: &str) -> i64 {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    sign * format!("{whole}{fraction:0<2}").parse::<i64>().unwrap()
}

fn rank(label: &str) -> i64 {
    (0..).zip(ORDER).find(|(_, known)| *known == label).unwrap().0
}

#[test]
fn ends_are_the_least_and_the_greatest_of_the_records_of_a_class_and_the_middle_lies_between() {
    let of: [(&str, Measure); 4] = [("age", hundredths), ("seen", day), ("kg", hundredths), ("pain", rank)];
    for seed in 0..12 {
        let text = people(&mut ChaCha8Rng::seed_from_u64(seed));
        let input = rows(text.as_bytes());
        let with_mid = seed % 2 == 0;
        let publish = if with_mid { "min-max-mid" } else { "min-max" };
        let loss = ["ncp", "sse", "ncp-binary"][seed as usize % 3];
        let outcome = run(&text, settings(publish, loss, &json!({ "named": "class" }))).unwrap();
        assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
        let named = |audit: &lookalike_model::report::Audit| {
            audit.checks.iter().map(|c| c.name.to_string()).collect::<Vec<_>>()
        };
        assert!(
            named(&outcome.report.audit)
                .contains(&String::from("ranges in two columns are those of their records"))
        );
        let expected = if with_mid {
            "age_min,age_max,age_mid,seen_min,seen_max,seen_mid,kg_min,kg_max,kg_mid,pain_min,pain_max,city,illness,class\n"
        } else {
            "age_min,age_max,seen_min,seen_max,kg_min,kg_max,pain_min,pain_max,city,illness,class\n"
        };
        assert!(outcome.published.starts_with(expected.as_bytes()));
        let classes = linked(&outcome);
        let published = rows(&outcome.published);
        assert_eq!(published.len(), input.len());
        for row in &published {
            let members = &classes[&row["class"]];
            for (name, value) in of {
                let own: Vec<i64> = members.iter().map(|&at| value(&input[at][name])).collect();
                let (low, high) = (*own.iter().min().unwrap(), *own.iter().max().unwrap());
                let end = |end: &str| value(&row[&format!("{name}_{end}")]);
                assert_eq!((end("min"), end("max")), (low, high), "{name} {row:?}");
                if with_mid && name != "pain" {
                    // Half a day is rounded up; half a hundredth does not occur.
                    let rounded = if name == "seen" {
                        (low + high + 1).div_euclid(2)
                    } else {
                        i64::midpoint(low, high)
                    };
                    assert_eq!(end("mid"), rounded, "{name} {row:?}");
                }
            }
        }
        // The classes, their loss and what is measured are those of ranges in one column.
        let one = run(&text, settings("range", loss, &json!({ "named": "class" }))).unwrap();
        let sets = |outcome: &Outcome| linked(outcome).into_values().collect::<BTreeSet<_>>();
        assert_eq!(sets(&outcome), sets(&one));
        assert_eq!(outcome.report.objective, one.report.objective);
        for (two, one) in outcome.report.utility.columns.iter().zip(&one.report.utility.columns) {
            assert!(two.name == one.name && two.measurable && one.measurable);
            // Sums over rows in another order.
            assert!((two.ncp.unwrap() - one.ncp.unwrap()).abs() < 1e-12, "{two:?} {one:?}");
            assert_eq!(two.information_loss_percent, one.information_loss_percent);
        }
        assert_eq!(outcome.report.risk, one.report.risk);
        // The class column is not needed for any of it.
        let hidden = run(&text, settings(publish, loss, &json!("none"))).unwrap();
        assert!(hidden.report.audit.passed, "{:?}", hidden.report.audit);
        assert_eq!(hidden.report.utility, outcome.report.utility);
    }
}

/// Worked by hand: equal cells, missing ones, coded ends, local numbers.
#[test]
fn each_kind_of_class_by_hand() {
    let text = "age;kg;illness\n18;1,5;a\n20;2;b\n?;2,25;c\n40;100,0;a\n40;100,0;b\n40;100,0;c\n88;300;a\n95;301;b\n97;303;c\n";
    let options = ReadOptions { delimiter: Some(b';'), ..ReadOptions::default() };
    let of = |publish: &str| {
        let settings = json!({
            "quasi": ["age", "kg"], "sensitive": "illness", "model": { "name": "k-anonymity", "k": 3 },
            "publish": publish, "coding": { "age": { "top": 90.0 } }, "missing": { "markers": ["?"], "quasi": "value" },
            "output": { "delimiter": "semicolon" }, "budget": { "effort": 1.0 }, "seed": 1,
        });
        let settings: Settings = serde_json::from_value(settings).unwrap();
        let table = read(text.as_bytes(), &options).unwrap();
        let outcome = anonymize(&table, &settings, &Ctx::silent()).unwrap();
        assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
        String::from_utf8(outcome.published).unwrap()
    };
    assert_eq!(
        of("min-max-mid"),
        "age_min;age_max;age_mid;kg_min;kg_max;kg_mid;illness;class\n\
         40;40;40;100,0;100,0;100,0;a;1\n40;40;40;100,0;100,0;100,0;b;1\n40;40;40;100,0;100,0;100,0;c;1\n\
         88;>=90;;300;303;301,50;a;2\n88;>=90;;300;303;301,50;b;2\n88;>=90;;300;303;301,50;c;2\n\
         {?, 18};{?, 20};{?, 19};1,5;2,25;1,875;a;3\n{?, 18};{?, 20};{?, 19};1,5;2,25;1,875;b;3\n\
         {?, 18};{?, 20};{?, 19};1,5;2,25;1,875;c;3\n"
    );
    assert!(of("range").contains(">=88;[300-303];a"));
}

/// All that a test alters, cell by cell.
struct Released {
    header: Vec<String>,
    cells: Vec<Vec<String>>,
    links: Vec<Option<String>>,
    original: Table,
    reading: Reading,
}

fn released() -> Released {
    let text = people(&mut ChaCha8Rng::seed_from_u64(3));
    let outcome = run(&text, settings("min-max-mid", "ncp", &json!({ "named": "class" }))).unwrap();
    let original = table(&text);
    let mut links = vec![None; original.rows];
    for (class, members) in linked(&outcome) {
        for at in members {
            links[at] = Some(class.clone());
        }
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&outcome.published[..]);
    let mut all: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect();
    let plain = || Compared::Numbers(NumberFormat::PLAIN);
    let columns = [
        ("age", plain()),
        ("kg", plain()),
        ("seen", Compared::Dates(DateFormat::iso())),
        ("pain", Compared::Ranks(ORDER.map(String::from).to_vec())),
    ];
    let reading = Reading {
        ends: columns
            .iter()
            .map(|(name, by)| (String::from(*name), Ends::named(name, !matches!(by, Compared::Ranks(_)))))
            .collect(),
        columns: columns.into_iter().map(|(name, by)| (name.to_owned(), ColumnReading::As(by))).collect(),
        ..Reading::default()
    };
    Released { header: all.remove(0), cells: all, links, original, reading }
}

impl Released {
    fn bytes(&self) -> Vec<u8> {
        lookalike_table::write(&self.header, self.cells.iter().map(|row| row.iter().map(String::as_str)))
    }

    /// Whether the check of ends holds, and whether the judge takes the bytes.
    fn is_taken(&self) -> (bool, bool) {
        let bytes = self.bytes();
        let source = EndsSource { original: &self.original, links: &self.links, wider: false };
        let check = ends(&bytes, (&bytes, "class"), Dialect::PLAIN, &self.reading, &source).unwrap().unwrap();
        let question = Question {
            quasi: self.header[..self.header.len() - 2].to_vec(),
            sensitive: Some(String::from("illness")),
            conditions: lookalike_core::audit::Conditions::default(),
            guarantee: Guarantee::KAnonymity { k: 3 },
            class: Some(String::from("class")),
            markers: vec![String::from("?")],
            dialect: Dialect::PLAIN,
        };
        (check.passed, judge(&bytes, &question).unwrap().passed)
    }
}

/// Another value of the column, a little less or more.
fn others(name: &str, text: &str) -> Vec<String> {
    if name.starts_with("pain") {
        return ORDER.iter().filter(|label| **label != text).map(ToString::to_string).collect();
    }
    if name.starts_with("seen") {
        let (month, day) = text[5..].split_once('-').unwrap();
        let (month, day): (u32, u32) = (month.parse().unwrap(), day.parse().unwrap());
        let near = [(month, day % 28 + 1), (month, (day + 26) % 28 + 1), (month % 12 + 1, day)];
        let near = near.into_iter().map(|(month, day)| format!("2023-{month:02}-{day:02}"));
        return near.filter(|date| date != text).collect();
    }
    let x: f64 = text.parse().unwrap();
    [x - 1.0, x + 1.0, x + 0.01, x - 0.01, -x - 3.0].iter().map(|x| format!("{x:.2}")).collect()
}

#[test]
fn an_altered_end_or_middle_is_refused() {
    let mut released = released();
    assert_eq!(released.is_taken(), (true, true));
    let ends: Vec<usize> = (0..released.header.len())
        .filter(|&at| ["_min", "_max", "_mid"].iter().any(|end| released.header[at].ends_with(end)))
        .collect();
    let class = released.header.len() - 1;
    let mut tried = 0;
    for row in 0..released.cells.len() {
        for &at in &ends {
            let before = released.cells[row][at].clone();
            let mut all = others(&released.header[at], &before);
            all.extend(["", "?", "*", "old"].map(String::from));
            all.push(format!("[{before}-{before}]"));
            all.push(format!(">={before}"));
            all.push(format!("<={before}"));
            for other in all {
                // In one row: its class falls apart, and the range is another.
                released.cells[row][at].clone_from(&other);
                let (holds, is_taken) = released.is_taken();
                assert!(!is_taken, "{} {before} to {other}", released.header[at]);
                // In the whole class: only the records tell.
                let label = released.cells[row][class].clone();
                let whole: Vec<usize> =
                    (0..released.cells.len()).filter(|&row| released.cells[row][class] == label).collect();
                for &row in &whole {
                    released.cells[row][at].clone_from(&other);
                }
                let (holds_of_class, _) = released.is_taken();
                for &row in &whole {
                    released.cells[row][at].clone_from(&before);
                }
                assert!(!holds_of_class, "{} {before} to {other} in class {label}", released.header[at]);
                // A row that is not the first of its class is no witness of its own where only the middle tells nothing.
                assert!(!holds || whole[0] != row, "{} {before} to {other}", released.header[at]);
                tried += 1;
            }
        }
    }
    assert!(tried > 500);
    // Two columns changed for each other.
    let (min, max) = (
        released.header.iter().position(|n| n == "age_min"),
        released.header.iter().position(|n| n == "age_max"),
    );
    for row in &mut released.cells {
        row.swap(min.unwrap(), max.unwrap());
    }
    assert!(!released.is_taken().0);
}

#[test]
fn names_that_are_taken_and_columns_without_ends_are_refused_with_what_to_do() {
    let text = "age,age_max,city,illness\n10,1,A,x\n12,2,A,y\n30,3,B,x\n33,4,B,y\n";
    let of = |quasi: &[&str], more: Value| {
        let mut settings = json!({
            "quasi": quasi, "model": { "name": "k-anonymity", "k": 2 }, "budget": { "effort": 1.0 }, "seed": 1,
        });
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        run(text, settings).map(|outcome| String::from_utf8(outcome.published).unwrap())
    };
    // Published or not.
    let told = of(&["age"], json!({ "publish": "min-max" })).unwrap_err().to_string();
    assert!(
        told.contains("\"age\" would need a column \"age_max\"") && told.contains("rename it in the input"),
        "{told}"
    );
    let one = of(&["age"], json!({ "publish": "min-max", "publish_columns": { "age": "range" } })).unwrap();
    assert!(one.contains("[10-12]"), "{one}");
    let other = of(&["age_max"], json!({ "publish": "min-max" })).unwrap();
    assert!(other.starts_with("age_max_min,age_max_max,class\n1,2,1\n"), "{other}");
    let class = json!({ "publish": "min-max", "class_column": { "named": "age_max_min" } });
    let told = of(&["age_max"], class).unwrap_err().to_string();
    assert!(told.contains("the name of the column of classes") && told.contains("--class-column"), "{told}");
    let told = of(&["city"], json!({ "publish_columns": { "city": "min-max" } })).unwrap_err().to_string();
    assert!(told.contains("\"city\" holds labels without an order") && told.contains("--order"), "{told}");
    // Said of all columns, it is said of those that have ends.
    let mixed = of(&["age_max", "city"], json!({ "publish": "min-max" })).unwrap();
    assert!(mixed.starts_with("age_max_min,age_max_max,city,class\n"), "{mixed}");
    // A single column in two, others in one.
    let single = of(&["age_max", "age"], json!({ "publish_columns": { "age_max": "min-max-mid" } })).unwrap();
    assert!(
        single.starts_with("age,age_max_min,age_max_max,age_max_mid,class\n[10-12],1,2,1.5,1\n"),
        "{single}"
    );
}

#[test]
fn what_compares_single_columns_refuses_two() {
    let text = people(&mut ChaCha8Rng::seed_from_u64(1));
    let mut freeform = settings("min-max", "sse", &json!({ "named": "class" }));
    freeform["method"] = json!("doka-greedy");
    let told = run(&text, freeform).unwrap_err().to_string();
    assert!(told.contains("publishes its ranges in one column"), "{told}");
    let of = |publish: &str| -> Settings {
        serde_json::from_value(settings(publish, "sse", &json!({ "named": "class" }))).unwrap()
    };
    let told = Survey::new(&table(&text), &of("min-max"), &[]).err().unwrap().to_string();
    assert!(told.contains("ranges in two columns (--publish)"), "{told}");
}

/// Counterfeits, persons with several rows, columns that are published unchanged, suppressed records: ranges are in two columns
/// whatever else is done.
#[test]
fn beside_all_else_that_is_done_to_a_table() {
    let mut text = String::from("person,age,ward,illness\n");
    for i in 0..40 {
        writeln!(text, "p{},{},w{},{}", i / 2, 20 + i, i % 3, ["flu", "flu", "cold", "gout", "flu"][i % 5])
            .unwrap();
    }
    let base = |model: Value| {
        json!({
            "quasi": ["age"], "sensitive": "illness", "model": model, "publish": "min-max-mid", "rows_are": "people",
            "budget": { "effort": 1.0 }, "seed": 1,
        })
    };
    let m = || base(json!({ "name": "m-invariance", "m": 3 }));
    let k = || base(json!({ "name": "k-anonymity", "k": 3 }));
    let with = |mut settings: Value, more: Value| {
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        settings
    };
    for settings in [
        with(m(), json!({ "eligibility": "add" })),
        with(m(), json!({ "eligibility": "add", "class_column": "none" })),
        with(
            m(),
            json!({ "eligibility": "add", "changes": { "counterfeit_points": "drawn" }, "loss": "ncp" }),
        ),
        with(m(), json!({ "eligibility": "delete", "loss": "ncp" })),
        with(k(), json!({ "unchanged": ["ward"] })),
        with(k(), json!({ "rows_are": { "events-of": "person" } })),
        with(k(), json!({ "rows_are": { "events-of": "person" }, "unchanged": ["ward"] })),
        with(k(), json!({ "suppress": { "price": 0.5 }, "loss": "ncp" })),
        with(k(), json!({ "domains": { "age": { "from": "0", "to": "120" } }, "loss": "ncp" })),
        with(
            k(),
            json!({ "output": { "delimiter": "semicolon", "bom": true, "line_ends": "crlf", "formulas": "defuse" } }),
        ),
    ] {
        let outcome = run(&text, settings.clone()).unwrap_or_else(|why| panic!("{settings}: {why}"));
        assert!(outcome.report.audit.passed, "{settings}: {:?}", outcome.report.audit);
        assert_eq!(outcome.header[..3], ["age_min", "age_max", "age_mid"], "{settings}");
        assert_eq!(outcome.report.utility.measured(), (1, 1), "{settings}");
        let said =
            |warning: &lookalike_words::Said| warning.to_string().contains("are published in \"age_min\"");
        assert!(outcome.report.warnings.iter().any(said), "{:?}", outcome.report.warnings);
        let html = statement::html(outcome.exact(), &outcome.private, &statement::Made::default());
        assert!(
            html.contains("ranges in two columns, the least and the greatest value, and the middle"),
            "{html}"
        );
    }
}
