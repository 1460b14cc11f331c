//! Columns that are published unchanged beside persons with several rows. The attacker here reads the source, the published bytes
//! and the linking key by itself, knows all rows of a person, and counts persons; it shares no code with the program.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    Error,
    comparison::Look,
    pipeline::{self, Misfit, Outcome, prepare},
    statement,
    table::{ReadOptions, Table, read},
    unchanged::outlook,
};
use lookalike_model::{
    Ctx,
    comparison::RowOrder,
    settings::{Budget, Missing, MissingPolicy, Model, Publish, RowsAre, Settings, Suppress},
    unchanged::{Known, UnchangedReport},
};
use lookalike_optimize::solve::solve;
use proptest::prelude::*;

type Row = BTreeMap<String, String>;

/// The cells of a text without quotation marks within cells, by the names of their columns.
fn cells(text: &str) -> Vec<Row> {
    let split = |line: &str| {
        let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        row.push(cell);
        row
    };
    let mut lines = text.lines().map(split);
    let header = lines.next().unwrap();
    lines.map(|row| header.iter().cloned().zip(row).collect()).collect()
}

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn settings(k: usize) -> Settings {
    Settings {
        quasi: names(&["age", "place"]),
        unchanged: names(&["cost", "days"]),
        rows_are: Some(RowsAre::EventsOf(String::from("patient"))),
        budget: Budget::Effort(0.5),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(3),
        ..Settings::of(Model::KAnonymity { k })
    }
}

fn published(text: &str, settings: &Settings) -> Outcome {
    let outcome = pipeline::anonymize(&table(text), settings, &Ctx::silent());
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
    outcome
}

/// Source, release and key, read back.
struct Back {
    source: Vec<Row>,
    /// Class of each row of the source; empty if it is not published.
    class: Vec<String>,
    published: Vec<Row>,
}

impl Back {
    fn new(text: &str, outcome: &Outcome) -> Self {
        let text_of = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            source: cells(text),
            class: cells(&text_of(&outcome.classes)).iter().map(|row| row["class"].clone()).collect(),
            published: cells(&text_of(&outcome.published)),
        }
    }

    /// The published rows of the source by person: class and row.
    fn persons(&self) -> BTreeMap<String, Vec<(&str, &Row)>> {
        let mut persons: BTreeMap<String, Vec<(&str, &Row)>> = BTreeMap::new();
        for (row, class) in self.source.iter().zip(&self.class).filter(|(_, class)| !class.is_empty()) {
            persons.entry(row["patient"].trim().to_lowercase()).or_default().push((class, row));
        }
        persons
    }

    /// In each class, each row of the source with its own cells, and no other row.
    fn keeps_cells(&self, columns: &[&str]) {
        let own = |row: &Row| columns.iter().map(|column| row[*column].clone()).collect::<Vec<_>>();
        let mut before: Vec<(String, Vec<String>)> = (self.source.iter().zip(&self.class))
            .filter(|(_, class)| !class.is_empty())
            .map(|(row, class)| (class.clone(), own(row)))
            .collect();
        let mut after: Vec<(String, Vec<String>)> =
            self.published.iter().map(|row| (row["class"].clone(), own(row))).collect();
        before.sort();
        after.sort();
        assert_eq!(before, after);
    }
}

fn like(a: &Row, b: &Row, columns: &[&str]) -> bool {
    columns.iter().all(|column| a[*column] == b[*column])
}

/// Up to the next tenth, as the report says.
fn up(p: f64) -> f64 {
    match p {
        p if p >= 1.0 => 1.0,
        p if p <= 0.9 => (p * 10.0 - 1e-9).ceil() / 10.0,
        p if p <= 0.99 => 0.99,
        _ => 0.999,
    }
}

/// The share of all ways to take `own` of these rows that take none with the value, way by way.
fn missed(rows: &[&Row], value: &str, own: usize) -> f64 {
    assert!(rows.len() <= 24, "too many ways");
    let ways = (0..1_u32 << rows.len()).filter(|way| way.count_ones() as usize == own);
    let (mut all, mut none) = (0, 0);
    for way in ways {
        all += 1;
        let taken = rows.iter().enumerate().filter(|(at, _)| way >> at & 1 == 1);
        none += usize::from(taken.into_iter().all(|(_, row)| row["illness"] != value));
    }
    f64::from(u32::try_from(none).unwrap()) / f64::from(u32::try_from(all).unwrap())
}

/// The attacker: knows the class of a person and these cells of all of the person's rows, and guesses which published rows are the
/// person's, and which illness the person has.
fn attack(back: &Back, columns: &[&str], stated: &Known, sensitive: bool) {
    let persons = back.persons();
    let mut by_class: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let (mut unique, mut certain, mut surest) = (0, 0, 0.0_f64);
    for own in persons.values() {
        let class = own[0].0;
        let in_class: Vec<&Row> = back.published.iter().filter(|row| row["class"] == class).collect();
        let matches = |row: &Row| -> Vec<&Row> {
            in_class.iter().filter(|other| like(other, row, columns)).copied().collect()
        };
        let mine = |row: &Row| own.iter().filter(|(_, other)| like(other, row, columns)).count();
        let share = |(_, row): &(&str, &Row)| mine(row) as f64 / matches(row).len() as f64;
        let best = own.iter().map(share).fold(0.0, f64::max);
        by_class.entry(class).or_default().push(best);
        // By persons: a cell that nobody else in the class has.
        let others = |row: &Row| {
            let others = persons.values().filter(|other| !std::ptr::eq(*other, own));
            others.flatten().any(|(of, other)| *of == class && like(other, row, columns))
        };
        unique += usize::from(own.iter().any(|(_, row)| !others(row)));
        if sensitive {
            let mut different: Vec<&Row> = Vec::new();
            for (_, row) in own {
                if !different.iter().any(|other| like(other, row, columns)) {
                    different.push(row);
                }
            }
            let values: BTreeSet<&String> = in_class.iter().map(|row| &row["illness"]).collect();
            let misses = |value: &&String| -> f64 {
                different.iter().map(|row| missed(&matches(row), value, mine(row))).product()
            };
            let least = values.iter().map(misses).fold(1.0, f64::min);
            certain += usize::from(least <= 0.0);
            surest = surest.max(1.0 - least);
        }
    }
    let near = |stated: f64, exact: f64, what: &str| {
        assert!((stated - exact).abs() < 1e-9, "{what}: {stated} is not {exact} ({columns:?})");
    };
    let rounded = |stated: f64, exact: f64, what: &str| {
        assert!((stated - exact).abs() <= 0.05 * exact, "{what}: {stated} is not {exact} ({columns:?})");
    };
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let all: Vec<f64> = by_class.values().flatten().copied().collect();
    assert_eq!(all.len(), persons.len());
    assert_eq!(stated.unique_after, unique, "{columns:?}");
    near(stated.highest, up(all.iter().copied().fold(0.0, f64::max)), "highest");
    rounded(stated.mean, mean(&all), "mean");
    rounded(
        stated.highest_mean,
        by_class.values().map(|class| mean(class)).fold(0.0, f64::max),
        "worst class",
    );
    let largest = |class: &Vec<f64>| up(class.iter().copied().fold(0.0, f64::max));
    for at in &stated.classes {
        let with = by_class.values().filter(|class| (largest(class) - at.highest).abs() < 1e-9).count();
        assert_eq!(at.classes, with, "{columns:?}: {at:?}");
    }
    assert_eq!(stated.classes.iter().map(|at| at.classes).sum::<usize>(), by_class.len());
    assert!(stated.classes.windows(2).all(|pair| pair[0].highest > pair[1].highest));
    assert_eq!(stated.told_values, sensitive.then_some(certain), "{columns:?}");
    match stated.highest_attribute_disclosure {
        Some(highest) if certain == 0 => near(highest, up(surest), "sensitive"),
        Some(highest) => near(highest, 1.0, "sensitive"),
        None => assert!(!sensitive),
    }
}

/// Persons with a row like which no other person has one, in these columns.
fn unique(rows: &[&Row], columns: &[&str]) -> usize {
    let person = |row: &Row| row["patient"].trim().to_lowercase();
    let alone =
        |row: &&&Row| rows.iter().all(|other| person(other) == person(row) || !like(other, row, columns));
    rows.iter().filter(alone).map(|row| person(row)).collect::<BTreeSet<_>>().len()
}

/// All that is stated of unchanged columns, by the attacker.
fn check(back: &Back, stated: &UnchangedReport, sensitive: bool) {
    let kept: Vec<&Row> =
        (back.source.iter().zip(&back.class)).filter(|(_, c)| !c.is_empty()).map(|(row, _)| row).collect();
    for column in &stated.columns {
        attack(back, &[&column.name], &column.known, sensitive);
        assert_eq!(column.known.unique_before, unique(&kept, &["age", "place", &column.name]));
        assert_eq!(column.minimal_uniques[0], unique(&kept, &[&column.name]));
    }
    attack(back, &["cost", "days"], &stated.together, sensitive);
    assert_eq!(stated.together.unique_before, unique(&kept, &["age", "place", "cost", "days"]));
    // Minimal sample uniques of persons, of one column and of both.
    let person = |row: &Row| row["patient"].trim().to_lowercase();
    let alone = |row: &Row, columns: &[&str]| {
        kept.iter().all(|other| person(other) == person(row) || !like(other, row, columns))
    };
    let one = kept.iter().filter(|row| alone(row, &["cost"]) || alone(row, &["days"]));
    let both = kept
        .iter()
        .filter(|row| alone(row, &["cost", "days"]) && !alone(row, &["cost"]) && !alone(row, &["days"]));
    let count = |rows: Vec<&&Row>| rows.into_iter().map(|row| person(row)).collect::<BTreeSet<_>>().len();
    let found = &stated.minimal_uniques;
    assert_eq!((found.largest_set, &found.rows), (2, &vec![count(one.collect()), count(both.collect())]));
}

/// Patients with one or more rows.
fn stays(rows: &[(u8, u8, u8, u8, u8, u8)]) -> String {
    let mut text = String::from("patient,age,place,illness,cost,days\n");
    for &(person, age, place, illness, cost, days) in rows {
        let key = if days == 3 { format!(" P{person} ") } else { format!("p{person}") };
        let (place, days) =
            (["a", "b", "\"c, d\""][place as usize % 3], ["1", "2", "?", "07"][days as usize % 4]);
        writeln!(text, "{key},{},{place},i{illness},{},{days}", 20 + age, 50 * u32::from(cost)).unwrap();
    }
    text
}

/// So many rows of so many patients.
fn spread(rows: u32, patients: u32) -> String {
    let row = |i: u32| {
        [i % patients, i * 7 % 40, i % 3, i % 4, i * 11 % 9, i % 3].map(|x| u8::try_from(x).unwrap())
    };
    let rows = (0..rows)
        .map(row)
        .map(|[person, age, place, illness, cost, days]| (person, age, place, illness, cost, days));
    stays(&rows.collect::<Vec<_>>())
}

prop_compose! {
    fn tables()(
        first in prop::collection::vec((0..60_u8, 0..3_u8, 0..4_u8, 0..8_u8, 0..4_u8), 12),
        more in prop::collection::vec((0..12_u8, 0..60_u8, 0..3_u8, 0..4_u8, 0..8_u8, 0..4_u8), 0..13),
    ) -> String {
        let first = (0..).zip(first).map(|(person, (age, place, illness, cost, days))| (person, age, place, illness, cost, days));
        stays(&first.chain(more).collect::<Vec<_>>())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// What the report states is what an attacker reaches who knows all rows of a person.
    #[test]
    fn an_attacker_reaches_what_is_stated(
        text in tables(),
        k in 2..5_usize,
        price in prop::option::of(0.3..3.0_f64),
        hull in 0..3_usize,
        sensitive: bool,
    ) {
        let asked = Settings {
            suppress: price.map(|price| Suppress { price: Some(price), limit: None, share: None }),
            sensitive: sensitive.then(|| String::from("illness")),
            publish: [Publish::Range, Publish::Set, Publish::Centroid][hull],
            ..settings(k)
        };
        let outcome = published(&text, &asked);
        let back = Back::new(&text, &outcome);
        back.keeps_cells(if sensitive { &["illness", "cost", "days"] } else { &["cost", "days"] });
        let persons = back.persons();
        prop_assert_eq!(outcome.report.persons.unwrap().count, persons.len());
        let mut in_class: BTreeMap<&str, usize> = BTreeMap::new();
        for own in persons.values() {
            prop_assert!(own.iter().all(|(class, _)| *class == own[0].0), "a person in two classes");
            *in_class.entry(own[0].0).or_default() += 1;
        }
        prop_assert!(in_class.values().all(|&persons| persons >= k));
        let stated = outcome.report.unchanged.unwrap();
        let order: Vec<f64> = stated.columns.iter().map(|column| column.known.mean).collect();
        prop_assert!(order.windows(2).all(|pair| pair[0] >= pair[1]), "the riskiest first");
        check(&back, &stated, sensitive);
    }
}

/// Six patients; the first has five rows of one cost, the others one row each with a cost that another has, too.
fn five_equal() -> String {
    let mut rows = vec![(0, 5, 0, 0, 1, 0); 5];
    rows.extend((1..6).map(|person| (person, 3 + person, 0, person % 2, 2 + person / 4, 0)));
    stays(&rows)
}

#[test]
fn five_equal_cells_of_one_patient_are_no_crowd() {
    let text = five_equal();
    let asked = Settings { sensitive: Some(String::from("illness")), ..settings(6) };
    let outcome = published(&text, &asked);
    let back = Back::new(&text, &outcome);
    let stated = outcome.report.unchanged.as_ref().unwrap();
    check(&back, stated, true);
    let cost = stated.columns.iter().find(|column| column.name == "cost").unwrap();
    // By rows the five would hide each other, and a match would be right once in five times.
    assert_eq!((cost.known.unique_after, cost.known.highest), (1, 1.0));
    assert_eq!((cost.minimal_uniques[0], cost.singled_out), (1, 1));
    // Of five rows with an age of 25, only this patient has that cost: unique in the source, too.
    assert!(cost.known.unique_before >= 1);
    assert!(cost.known.told_values.unwrap() >= 1, "all five hold one illness");
    let days = stated.columns.iter().find(|column| column.name == "days").unwrap();
    // Everybody has one day: half of the rows are the patient's.
    assert_eq!((days.known.unique_after, days.known.highest, days.known.classes.len()), (0, 0.5, 1));
}

#[test]
fn statement_and_guarantee_speak_of_persons() {
    let text = five_equal();
    let outcome = published(&text, &Settings { sensitive: Some(String::from("illness")), ..settings(6) });
    let against = outcome.report.against.to_string();
    assert!(
        against.contains("how many rows a person has")
            && against.contains("Nor does it hold against an attacker who knows a person's cells")
            && against.contains("(\"cost\" and \"days\")"),
        "{against}"
    );
    let told = statement::html(&outcome.report, &outcome.private, &statement::Made::default());
    for said in [
        "The figures are of 6 people",
        "the cells of all of the person",
        "certain for a person of 1 of 1 class",
        "people have a row with cells that no other person has",
        "1 person by 1 column",
        "of at least 6 different people",
    ] {
        assert!(told.contains(said), "{said} is not in {told}");
    }
    assert!(!told.contains("A record counts as unique"), "{told}");
}

#[test]
fn neither_a_worker_nor_the_classes_depend_on_them() {
    let text = spread(90, 30);
    let with = Settings { sensitive: Some(String::from("illness")), ..settings(4) };
    let without = Settings { unchanged: Vec::new(), ..with.clone() };
    let job = |settings: &Settings| {
        let prepared = prepare(&table(&text), settings, &Ctx::silent()).unwrap();
        serde_json::to_value(prepared.job()).unwrap()
    };
    assert_eq!(job(&with), job(&without));
    let shared = |settings: &Settings| {
        let outcome = published(&text, settings);
        let mut rows: Vec<Vec<String>> = cells(std::str::from_utf8(&outcome.published).unwrap())
            .iter()
            .map(|row| ["age", "place", "illness"].map(|column| row[column].clone()).to_vec())
            .collect();
        rows.sort();
        (rows, outcome.report.risk, outcome.report.objective, outcome.report.persons)
    };
    assert_eq!(shared(&with), shared(&without));
    // The order of the input shows nowhere.
    let (header, body) = text.split_once('\n').unwrap();
    let mut lines: Vec<&str> = body.lines().collect();
    lines.reverse();
    lines.rotate_left(7);
    let turned = format!("{header}\n{}\n", lines.join("\n"));
    let (a, b) = (published(&text, &with), published(&turned, &with));
    assert_eq!(std::str::from_utf8(&a.published).unwrap(), std::str::from_utf8(&b.published).unwrap());
    assert_eq!(a.report.unchanged, b.report.unchanged);
}

#[test]
fn rows_that_are_dropped_count_nowhere() {
    let text = spread(60, 15).replacen(",27,", ",,", 2);
    let mut asked = settings(3);
    asked.missing.quasi = MissingPolicy::Drop;
    let outcome = published(&text, &asked);
    let back = Back::new(&text, &outcome);
    assert!(back.class.iter().any(String::is_empty));
    back.keeps_cells(&["cost", "days"]);
    check(&back, outcome.report.unchanged.as_ref().unwrap(), false);
}

#[test]
fn a_row_is_shown_beside_its_own_cells() {
    let text = spread(60, 15);
    let table = table(&text);
    let prepared = prepare(&table, &settings(3), &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let outcome = pipeline::finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
    let shown = Look::new(&table, &prepared, &outcome).unwrap().rows(&table, RowOrder::File, (0, table.rows));
    let names: Vec<&String> = outcome.header.iter().filter(|name| *name != "class").collect();
    for (row, original) in shown.iter().zip(cells(&text)) {
        for (name, cell) in
            names.iter().zip(&row.after).filter(|(name, _)| ["cost", "days"].contains(&name.as_str()))
        {
            assert_eq!(*cell, original[*name], "{name}");
        }
    }
}

#[test]
fn the_outlook_counts_persons_by_their_key() {
    let text = five_equal();
    let rows = cells(&text);
    let rows: Vec<&Row> = rows.iter().collect();
    let events = Some(RowsAre::EventsOf(String::from("patient")));
    let told = |quasi: &[&str], unchanged: &[&str], rows_are: &Option<RowsAre>, text: &str| {
        let markers = Missing::default().markers;
        outlook(&table(text), (&names(quasi), &names(unchanged)), rows_are.as_ref(), &markers)
    };
    let found = told(&["age", "place"], &["cost", "days"], &events, &text).unwrap();
    assert_eq!(found.persons, Some(6));
    for column in &found.columns {
        assert_eq!(column.unique, unique(&rows, &["age", "place", &column.name]));
        assert_eq!(column.minimal_uniques[0], unique(&rows, &[&column.name]));
    }
    assert_eq!(found.together, unique(&rows, &["age", "place", "cost", "days"]));
    let cost = found.columns.iter().find(|column| column.name == "cost").unwrap();
    let by_rows = told(&["age", "place"], &["cost", "days"], &None, &text).unwrap();
    let of_rows = by_rows.columns.iter().find(|column| column.name == "cost").unwrap();
    // The patient with five equal rows is nobody by rows.
    assert_eq!((cost.unique, of_rows.unique, by_rows.persons), (6, 5, None));
    let said = told(&["age", "patient"], &["cost"], &events, &text).unwrap_err();
    assert!(matches!(said, Error::Misfit(why) if matches!(*why, Misfit::PersonPublished { .. })));
    let gap = told(&["age"], &["cost"], &events, &text.replacen("p0,", ",", 1)).unwrap_err().to_string();
    assert!(gap.contains("is missing in 1 of 10 rows"), "{gap}");
}
