//! Persons with several rows: what is published, read back from its bytes by code of this file alone, hides each person
//! among k different ones.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    Error,
    pipeline::{Conflict, Misfit, Outcome, anonymize, prepare},
    republish::{
        series::{self, Options},
        ways::Way,
    },
    statement::{Made, html},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    ledger::{Mode, Signatures, Vacancies},
    settings::{
        Budget, ClassColumn, Coding, Loss, MethodName, MissingPolicy, Model, Publish, Repair, RowsAre,
        Settings, Suppress,
    },
};
use proptest::prelude::*;

/// The cells of a text, by the rules of RFC 4180 and nothing else.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(sign),
        }
    }
    rows
}

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// k-anonymity of the persons of `patient`, who are known by the other columns but `illness`.
fn settings(k: usize, quasi: &[&str]) -> Settings {
    Settings {
        quasi: quasi.iter().map(ToString::to_string).collect(),
        rows_are: Some(RowsAre::EventsOf(String::from("patient"))),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(3),
        ..Settings::of(Model::KAnonymity { k })
    }
}

fn run(text: &str, settings: &Settings) -> Result<Outcome, Error> {
    anonymize(&table(text), settings, &Ctx::silent())
}

/// What is published, read back.
struct Back {
    /// Rows of the source.
    source: Vec<BTreeMap<String, String>>,
    /// Class of each; empty if it is not published.
    class: Vec<String>,
    /// Published rows by class.
    published: BTreeMap<String, Vec<BTreeMap<String, String>>>,
}

impl Back {
    fn new(text: &str, outcome: &Outcome) -> Self {
        let named = |rows: Vec<Vec<String>>| -> Vec<BTreeMap<String, String>> {
            let names = rows[0].clone();
            rows[1..].iter().map(|row| names.iter().cloned().zip(row.iter().cloned()).collect()).collect()
        };
        let bytes = |bytes: &[u8]| cells(std::str::from_utf8(bytes).unwrap());
        let mut published: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
        for mut row in named(bytes(&outcome.published)) {
            published.entry(row.remove("class").unwrap()).or_default().push(row);
        }
        let links = named(bytes(&outcome.classes));
        Self {
            source: named(cells(text)),
            class: links.iter().map(|l| l["class"].clone()).collect(),
            published,
        }
    }

    /// Rows of each person in each class.
    fn persons(&self) -> BTreeMap<&str, BTreeMap<String, usize>> {
        let mut found: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
        for (row, class) in self.source.iter().zip(&self.class) {
            if !class.is_empty() {
                let person = row["patient"].trim().to_lowercase();
                *found.entry(class).or_default().entry(person).or_default() += 1;
            }
        }
        found
    }

    /// All that is promised, from what is published.
    fn check(&self, k: usize, quasi: &[&str]) {
        let persons = self.persons();
        assert_eq!(self.class.len(), self.source.len());
        assert_eq!(persons.keys().copied().collect::<Vec<_>>(), self.published.keys().collect::<Vec<_>>());
        let mut groups: BTreeMap<Vec<&String>, BTreeSet<&String>> = BTreeMap::new();
        let mut met: BTreeSet<&String> = BTreeSet::new();
        for (class, of) in &persons {
            assert!(of.len() >= k, "class {class} has {} people", of.len());
            for person in of.keys() {
                assert!(met.insert(person), "{person} has rows in two classes");
            }
            let rows = &self.published[*class];
            assert_eq!(rows.len(), of.values().sum::<usize>());
            let key =
                |row: &'_ BTreeMap<String, String>| quasi.iter().map(|&q| row[q].clone()).collect::<Vec<_>>();
            assert!(rows.iter().all(|row| key(row) == key(&rows[0])), "class {class}");
            groups.entry(quasi.iter().map(|&q| &rows[0][q]).collect()).or_default().extend(of.keys());
            assert!(rows.iter().all(|row| !row.contains_key("patient")));
        }
        assert!(groups.values().all(|persons| persons.len() >= k));
    }

    /// Whether each published range of whole numbers covers those of its class, and no more.
    fn covers(&self, column: &str) {
        for (class, rows) in &self.published {
            let own = (self.source.iter().zip(&self.class)).filter(|(_, c)| *c == class);
            let numbers: Vec<i64> = own.map(|(row, _)| row[column].parse().unwrap()).collect();
            let (low, high) = (numbers.iter().min().unwrap(), numbers.iter().max().unwrap());
            let cell = if low == high { low.to_string() } else { format!("[{low}-{high}]") };
            assert_eq!(rows[0][column], cell, "class {class}");
        }
    }
}

/// 40 patients with 5 visits each, older at each visit.
fn visits() -> String {
    let mut text = String::from("patient,age,sex,illness\n");
    for row in 0..200 {
        let (patient, visit) = (row % 40, row / 40);
        let sex = if patient % 2 == 0 { "m" } else { "f" };
        writeln!(text, "p{patient},{},{sex},d{}", 20 + patient + visit, row % 7).unwrap();
    }
    text
}

#[test]
fn five_visits_of_forty_patients_are_published_among_others() {
    let text = visits();
    let asked = Settings { sensitive: Some(String::from("illness")), ..settings(4, &["age", "sex"]) };
    let outcome = run(&text, &asked).unwrap();
    let back = Back::new(&text, &outcome);
    back.check(4, &["age", "sex"]);
    back.covers("age");
    let report = &outcome.report;
    assert!(report.audit.passed);
    let of = report.persons.unwrap();
    assert_eq!((report.input.rows, of.count, of.most_rows), (200, 40, 5));
    let sizes: Vec<usize> = back.persons().values().map(BTreeMap::len).collect();
    assert_eq!(
        (of.min_in_class, of.max_in_class),
        (*sizes.iter().min().unwrap(), *sizes.iter().max().unwrap())
    );
    assert!((report.risk.prosecutor.highest - 1.0 / report.risk.smallest_group as f64).abs() < 1e-12);
    assert!(report.risk.smallest_group >= 4 && report.risk.smallest_group <= of.min_in_class);
    // Everybody has five rows: nobody is told by that.
    assert_eq!((of.alone_by_rows, of.groups_told_by_rows), (0, 0));
    // The same classes, whichever order the rows come in.
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    let reversed = run(&(lines.join("\n") + "\n"), &asked).unwrap();
    assert_eq!(reversed.published, outcome.published);
}

/// The mean of each person's rows, z-scored over all rows, and the squares around the means of the published classes.
fn loss_over_persons(back: &Back, column: &str) -> f64 {
    let number = |row: &BTreeMap<String, String>| row[column].parse::<f64>().unwrap();
    let all: Vec<f64> = back.source.iter().map(number).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let deviation = (all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / all.len() as f64).sqrt();
    let mut persons: BTreeMap<(&String, String), Vec<f64>> = BTreeMap::new();
    for (row, class) in back.source.iter().zip(&back.class) {
        persons.entry((class, row["patient"].clone())).or_default().push((number(row) - mean) / deviation);
    }
    let mut classes: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
    for ((class, _), own) in persons {
        classes.entry(class).or_default().push(own.iter().sum::<f64>() / own.len() as f64);
    }
    let squares = |own: &Vec<f64>| {
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        own.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
    };
    classes.values().map(squares).sum()
}

#[test]
fn the_loss_is_over_persons_and_that_of_the_rows_stands_beside() {
    let text = visits();
    let outcome = run(&text, &settings(3, &["age"])).unwrap();
    let back = Back::new(&text, &outcome);
    let report = &outcome.report;
    let (expected, found) = (loss_over_persons(&back, "age"), report.objective.value);
    assert!((expected - found).abs() < 1e-9, "{expected} {found}");
    // One point a person; the rows vary around it.
    let of = report.persons.unwrap();
    assert!(of.sse_of_rows > 5.0 * found && (of.sst_of_rows - 200.0).abs() < 1e-6, "{of:?}");
    // With one row each, both are the same.
    let single: String = text.split_inclusive('\n').take(41).collect();
    let outcome = run(&single, &settings(3, &["age"])).unwrap();
    let of = outcome.report.persons.unwrap();
    assert!((of.sse_of_rows - outcome.report.objective.value).abs() < 1e-9);
    let alone = Settings { rows_are: Some(RowsAre::Of(String::from("patient"))), ..settings(3, &["age"]) };
    assert_eq!(run(&single, &alone).unwrap().published, outcome.published);
}

#[test]
fn column_generation_proves_what_is_best_over_persons() {
    let mut text = String::from("patient,age\n");
    for (person, ages) in [[20, 22], [21, 21], [40, 44], [41, 43], [60, 61], [59, 64]].iter().enumerate() {
        for age in ages {
            writeln!(text, "p{person},{age}").unwrap();
        }
    }
    let asked = Settings { method: MethodName::ColumnGeneration.into(), ..settings(2, &["age"]) };
    let outcome = run(&text, &asked).unwrap();
    let back = Back::new(&text, &outcome);
    back.check(2, &["age"]);
    // Pairs of neighbours, as anybody sees; the bound is of that loss.
    assert_eq!(back.published.len(), 3);
    let bound = outcome.report.bound.as_ref().unwrap();
    assert!((bound.value - loss_over_persons(&back, "age")).abs() < 1e-6, "{bound:?}");
}

#[test]
fn a_job_knows_neither_keys_nor_how_many_rows_somebody_has() {
    let text = visits();
    let prepared = prepare(&table(&text), &settings(4, &["age", "sex"]), &Ctx::silent()).unwrap();
    let job = prepared.job();
    assert_eq!((job.colours.len(), job.points.len()), (40, 40 * job.dims));
    assert!(!serde_json::to_string(job).unwrap().contains("p1"));
}

#[test]
fn rows_that_are_dropped_leave_a_person_the_others() {
    let text = visits().replace("p3,23,f", "p3,,f").replace("p7,27,f", "p7,,f");
    let mut asked = settings(4, &["age", "sex"]);
    asked.missing.quasi = MissingPolicy::Drop;
    let outcome = run(&text, &asked).unwrap();
    let back = Back::new(&text, &outcome);
    back.check(4, &["age", "sex"]);
    let rows = |person: &str| back.persons().values().filter_map(|of| of.get(person)).copied().sum::<usize>();
    assert_eq!((rows("p3"), rows("p7"), rows("p4")), (4, 4, 5));
    assert_eq!((outcome.report.input.rows, outcome.private.fates.len()), (198, 2));
    // Four of five everywhere else: these two are told by their number of rows unless they are together.
    let of = outcome.report.persons.unwrap();
    let together = back.persons().values().any(|of| of.contains_key("p3") && of.contains_key("p7"));
    assert_eq!(of.alone_by_rows, if together { 0 } else { 2 });
}

#[test]
fn whoever_costs_too_much_goes_with_all_rows() {
    let text = visits().replace("p39,", "far,").replace("far,6", "far,29").replace("far,59", "far,290");
    let asked = Settings {
        suppress: Some(Suppress { price: Some(0.5), limit: Some(1), share: None }),
        ..settings(3, &["age"])
    };
    let outcome = run(&text, &asked).unwrap();
    let back = Back::new(&text, &outcome);
    back.check(3, &["age"]);
    let report = &outcome.report;
    assert_eq!((report.changes.suppressed_for_loss, report.persons.unwrap().suppressed), (5, 1));
    assert_eq!((report.input.rows, report.persons.unwrap().count, outcome.private.fates.len()), (195, 39, 5));
    let explained = report.method.explanation.to_string();
    assert!(explained.contains("then 1 person suppressed with all rows"), "{explained}");
    assert!(
        back.source.iter().zip(&back.class).all(|(row, class)| (row["patient"] == "far") == class.is_empty())
    );
}

/// One patient has 17 visits, all others one.
fn one_with_many() -> String {
    let mut text = String::from("patient,age,sex,illness\n");
    for row in 0..29 {
        writeln!(text, "p{row},{},{},d{}", 20 + row, ["m", "f"][row % 2], row % 3).unwrap();
    }
    for visit in 0..17 {
        writeln!(text, "Q,{},m,d{}", 30 + visit % 2, visit % 3).unwrap();
    }
    text
}

#[test]
fn how_many_rows_somebody_has_is_said_not_to_be_hidden() {
    let text = one_with_many();
    let asked = Settings { sensitive: Some(String::from("illness")), ..settings(3, &["age"]) };
    let outcome = run(&text, &asked).unwrap();
    let back = Back::new(&text, &outcome);
    back.check(3, &["age"]);
    let of = outcome.report.persons.unwrap();
    assert_eq!((of.count, of.most_rows, of.alone_by_rows), (30, 17, 1));
    let persons = back.persons();
    let share =
        persons.values().map(|own| *own.values().max().unwrap() as f64 / own.values().sum::<usize>() as f64);
    let largest = share.fold(0.0, f64::max);
    assert!((of.largest_share - largest).abs() < 0.01 && largest > 0.6, "{of:?} {largest}");
    let text = html(&outcome.report, &outcome.private, &Made::default());
    assert!(text.contains("30 people in 46 rows"), "{text}");
    assert!(text.contains("of at least 3 different people"), "{text}");
    assert!(text.contains("It promises nothing about the number of rows of a person"), "{text}");
    assert!(text.contains("1 of 30"), "{text}");
    // Whoever counts the rows is right about more than one in k of them, so that is promised to nobody.
    assert!(largest > 1.0 / 3.0);
    assert!(
        text.contains("or can count them") && text.contains("but not how many rows the person has"),
        "{text}"
    );
}

#[test]
fn an_outlier_is_a_persons_however_many_rows_it_has() {
    let mut text = one_with_many();
    for _ in 0..6 {
        text.push_str("Old,250,m,d1\n");
    }
    let ends = |outcome: &Outcome| {
        outcome.report.warnings.iter().filter(|w| w.to_string().contains("upper end")).count()
    };
    // Six rows of 250 would be a class of three; they are one person's.
    assert_eq!(ends(&run(&text, &settings(3, &["age"])).unwrap()), 1);
    let coded = Settings {
        coding: [(String::from("age"), Coding { bottom: None, top: Some(60.0) })].into(),
        ..settings(3, &["age"])
    };
    assert_eq!(ends(&run(&text, &coded).unwrap()), 0);
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    let text = visits();
    let base = settings(4, &["age", "sex"]);
    let told = |settings: &Settings| run(&text, settings).unwrap_err();
    let says = |settings: &Settings, words: &[&str]| {
        let said = told(settings).to_string();
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    };
    let flag = "--rows-are events-of=patient";
    says(&Settings { loss: Loss::Ncp, ..base.clone() }, &["the width of all rows", flag, "--loss sse"]);
    let anonymous = Settings { sensitive: Some(String::from("illness")), ..base.clone() };
    let m = Settings { model: Model::MInvariance { m: 3 }, ..anonymous };
    says(
        &m,
        &[
            "values of \"illness\", which are linked",
            "are held by 40 of 40 people",
            "m = 3 allows at most 13",
        ],
    );
    says(
        &Settings { eligibility: Repair::Add, ..m.clone() },
        &["nothing can be added or deleted", flag, "--eligibility"],
    );
    says(&Settings { method: MethodName::DokaGreedy.into(), ..base.clone() }, &["a separate row", flag]);
    for settings in [
        Settings { quasi: vec![String::from("age"), String::from("patient")], ..base.clone() },
        Settings { keep: vec![String::from("patient")], ..base.clone() },
        Settings { sensitive: Some(String::from("patient")), ..base.clone() },
    ] {
        assert!(
            matches!(told(&settings), Error::Misfit(why) if matches!(*why, Misfit::PersonPublished { .. }))
        );
    }
    says(&Settings { class_column: ClassColumn::None, ..base.clone() }, &["class by class", flag]);
    // The key is published in no role.
    let unchanged = vec![String::from("patient")];
    assert!(matches!(
        told(&Settings { unchanged, ..base.clone() }),
        Error::Misfit(why) if matches!(*why, Misfit::PersonPublished { .. })
    ));
    says(
        &Settings { model: Model::KAnonymity { k: 41 }, ..base.clone() },
        &["only 40 people in 200 rows", "is 40"],
    );
    let unknown = Settings { rows_are: Some(RowsAre::EventsOf(String::from("nobody"))), ..base.clone() };
    says(&unknown, &["there is no column \"nobody\""]);
    let gap = run(&text.replacen("p5,", ",", 1), &base).unwrap_err().to_string();
    assert!(gap.contains("is missing in 1 of 200 rows"), "{gap}");
    let options = Options {
        id: String::from("patient"),
        mode: Mode::MInvariance,
        signatures: Signatures::Free,
        ledger: None,
        exact_names: false,
        key: None,
        vacancies: Some(Vacancies::NewRecords),
        way: Way::Fewest,
        more: 0,
    };
    let series = series::prepare(&table(&text), &m, &options, &Ctx::silent()).unwrap_err();
    assert!(matches!(series, Error::Conflict(Conflict::PersonsInSeries { .. })), "{series}");
}

prop_compose! {
    /// Patients with one to six rows each, whose cells may be missing.
    fn tables()(
        rows in prop::collection::vec((0..12_u8, 0..60_u8, 0..3_u8, 0..4_u8, 0..12_u8), 24..90),
    ) -> String {
        let mut text = String::from("patient,age,place,illness\n");
        for person in 0..12 {
            writeln!(text, "p{person},{},a,i0", 20 + person * 3).unwrap();
        }
        for (person, age, place, illness, gap) in rows {
            let age = if gap == 0 { String::new() } else { age.to_string() };
            let key = if gap == 1 { format!(" P{person} ") } else { format!("p{person}") };
            writeln!(text, "{key},{age},{},i{illness}", ["a", "b", "c, d"][place as usize]).unwrap();
        }
        text.replace("c, d", "\"c, d\"")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_the_table_k_persons_are_in_every_class(
        text in tables(),
        k in 2..6_usize,
        drop: bool,
        price in prop::option::of(0.2..3.0_f64),
        form in 0..3_usize,
        sensitive: bool,
    ) {
        let mut asked = settings(k, &["age", "place"]);
        asked.missing.quasi = if drop { MissingPolicy::Drop } else { MissingPolicy::Value };
        asked.suppress = price.map(|price| Suppress { price: Some(price), limit: None, share: None });
        asked.publish = [Publish::Range, Publish::Set, Publish::Centroid][form];
        asked.sensitive = sensitive.then(|| String::from("illness"));
        let outcome = run(&text, &asked).unwrap();
        let report = &outcome.report;
        prop_assert!(report.audit.passed);
        let back = Back::new(&text, &outcome);
        back.check(k, &["age", "place"]);
        prop_assert_eq!(back.class.iter().filter(|class| !class.is_empty()).count(), report.input.rows);
        prop_assert_eq!(back.class.iter().filter(|class| class.is_empty()).count(), outcome.private.fates.len());
        // A person is published whole, but for rows that were dropped.
        let mut kept: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
        for (row, class) in back.source.iter().zip(&back.class) {
            if !(drop && row["age"].is_empty()) {
                kept.entry(row["patient"].trim().to_lowercase()).or_default().insert(class.is_empty());
            }
        }
        prop_assert!(kept.values().all(|fates| fates.len() == 1));
        let gone = kept.values().filter(|fates| fates.contains(&true)).count();
        let of = report.persons.unwrap();
        prop_assert_eq!((of.suppressed, of.count), (gone, kept.len() - gone));
        if sensitive {
            let mut before: Vec<(&String, &String)> = (back.class.iter().zip(&back.source))
                .filter(|(class, _)| !class.is_empty()).map(|(class, row)| (class, &row["illness"])).collect();
            let mut after: Vec<(&String, &String)> = back.published.iter()
                .flat_map(|(class, rows)| rows.iter().map(move |row| (class, &row["illness"]))).collect();
            before.sort();
            after.sort();
            prop_assert_eq!(before, after);
        }
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1..].reverse();
        let reversed = run(&(lines.join("\n") + "\n"), &asked).unwrap();
        prop_assert_eq!(reversed.published, outcome.published);
    }
}
