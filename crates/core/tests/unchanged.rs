//! Columns that are published unchanged, from the published bytes: the cells are those of the source, what an attacker gains is what
//! is stated, and nothing else is told. The attackers here read the bytes themselves and share no code with the program.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    Error,
    comparison::Look,
    out_of_core::Survey,
    pipeline::{self, Outcome, prepare},
    republish::series,
    statement,
    table::{ReadOptions, Table, read},
    unchanged::outlook,
};
use lookalike_model::{
    Ctx, ErrorKind,
    comparison::RowOrder,
    ledger::{Mode, Signatures, Vacancies},
    settings::{
        Budget, ClassColumn, FreeformMethod, Method, Missing, MissingPolicy, Model, Repair, Settings,
        Suppress,
    },
    unchanged::Known,
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::three;
use proptest::prelude::*;

/// A hospital's stays: what is known of patients, and what the table is for. Cells need no quotation marks.
fn stays(rows: u64, seed: u64) -> String {
    let mut state = seed.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3_037_000_493);
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::from("cost,age,diagnosis,sex,days,ward\n");
    for _ in 0..rows {
        let days = ["1", "2", "3", "?", "12"][draw(5) as usize];
        let (cost, age, diagnosis) = (100 * draw(40), 18 + draw(60), draw(9));
        let (sex, ward) = (["F", "M"][draw(2) as usize], ["A", "B", "C"][draw(3) as usize]);
        writeln!(text, "{cost},{age},d{diagnosis},{sex},{days},{ward}").unwrap();
    }
    text
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn settings(model: Model) -> Settings {
    Settings {
        quasi: names(&["age", "sex"]),
        sensitive: Some(String::from("diagnosis")),
        unchanged: names(&["cost", "days", "ward"]),
        budget: Budget::Effort(0.5),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(1),
        ..Settings::of(model)
    }
}

const K5: Model = Model::KAnonymity { k: 5 };
const M3: Model = Model::MInvariance { m: 3 };

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn run(text: &str, settings: &Settings) -> Result<Outcome, Error> {
    pipeline::anonymize(&table(text), settings, &Ctx::silent())
}

fn published(text: &str, settings: &Settings) -> Outcome {
    let outcome = run(text, settings).unwrap_or_else(|error| panic!("{error}"));
    assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
    outcome
}

/// A file, cell by cell: each row by the names of its columns. Quoted cells hold no quotation marks here.
fn cells(text: &str) -> Vec<BTreeMap<String, String>> {
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

fn release(outcome: &Outcome) -> Vec<BTreeMap<String, String>> {
    cells(std::str::from_utf8(&outcome.published).unwrap())
}

/// The cells of a row in these columns.
fn of<'a>(row: &'a BTreeMap<String, String>, columns: &[&str]) -> Vec<&'a str> {
    columns.iter().map(|column| row[*column].as_str()).collect()
}

#[test]
fn each_class_has_the_cells_of_its_source_rows() {
    for (model, suppress) in
        [(K5, None), (M3, None), (K5, Some(Suppress { price: Some(0.0001), limit: Some(9), share: None }))]
    {
        let source = stays(200, 4);
        let outcome = published(&source, &Settings { suppress, ..settings(model) });
        let (before, after) = (cells(&source), release(&outcome));
        let key = cells(std::str::from_utf8(&outcome.classes).unwrap());
        let columns = ["cost", "days", "ward", "diagnosis"];
        let mut expected: Vec<(&str, Vec<&str>)> = key
            .iter()
            .filter(|row| !row["class"].is_empty())
            .map(|row| (row["class"].as_str(), of(&before[row["row"].parse::<usize>().unwrap()], &columns)))
            .collect();
        let mut found: Vec<(&str, Vec<&str>)> =
            after.iter().map(|row| (row["class"].as_str(), of(row, &columns))).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(suppress.is_some(), after.len() < before.len(), "suppressed records are in no class");
        let checks: Vec<String> = outcome.report.audit.checks.iter().map(|c| c.name.to_string()).collect();
        assert!(checks.contains(&String::from(
            "the cells of columns that are published unchanged are those of the source"
        )));
        assert!(!checks.contains(&String::from("columns that were not judged")), "{checks:?}");
    }
}

/// The attacker: knows everybody's published quasi-identifiers and these unchanged cells, and matches all rows that fit.
fn attack(rows: &[BTreeMap<String, String>], known: &[&str], stated: &Known) {
    let matches = |row: &BTreeMap<String, String>| -> Vec<&BTreeMap<String, String>> {
        let fits = |other: &&BTreeMap<String, String>| {
            ["age", "sex"].iter().chain(known).all(|column| other[*column] == row[*column])
        };
        rows.iter().filter(fits).collect()
    };
    let mut by_class: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let (mut unique, mut certain, mut share) = (0, 0, 0.0_f64);
    for row in rows {
        let found = matches(row);
        by_class.entry(&row["class"]).or_default().push(1.0 / found.len() as f64);
        unique += usize::from(found.len() == 1);
        let own = found.iter().filter(|other| other["diagnosis"] == row["diagnosis"]).count();
        certain += usize::from(own == found.len());
        share = share.max(own as f64 / found.len() as f64);
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let all: Vec<f64> = by_class.values().flatten().copied().collect();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b} ({known:?})");
    assert_eq!((stated.unique_after, stated.told_values), (unique, Some(certain)), "{known:?}");
    near(stated.highest, all.iter().copied().fold(0.0, f64::max));
    near(stated.mean, mean(&all));
    near(stated.highest_mean, by_class.values().map(|class| mean(class)).fold(0.0, f64::max));
    near(stated.highest_attribute_disclosure.unwrap(), share);
    let largest = |class: &Vec<f64>| class.iter().copied().fold(0.0, f64::max);
    for at in &stated.classes {
        let with = by_class.values().filter(|class| (largest(class) - at.highest).abs() < 1e-12).count();
        assert_eq!(at.classes, with);
    }
    assert_eq!(stated.classes.iter().map(|at| at.classes).sum::<usize>(), by_class.len());
    assert!(stated.classes.windows(2).all(|pair| pair[0].highest > pair[1].highest));
}

fn unique(rows: &[BTreeMap<String, String>], columns: &[&str]) -> usize {
    rows.iter()
        .filter(|row| rows.iter().filter(|other| of(other, columns) == of(row, columns)).count() == 1)
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    /// What the report states is what an attacker reaches who has nothing but the published bytes and these cells.
    #[test]
    fn an_attacker_reaches_what_is_stated(rows in 20..120_u64, seed: u64, diverse: bool) {
        let source = stays(rows, seed);
        let asked = settings(if diverse { Model::MInvariance { m: 2 } } else { K5 });
        let asked = Settings { eligibility: Repair::Delete, ..asked };
        let outcome = published(&source, &asked);
        let after = release(&outcome);
        let key = cells(std::str::from_utf8(&outcome.classes).unwrap());
        let before: Vec<_> = (cells(&source).into_iter().zip(key))
            .filter_map(|(row, of)| (!of["class"].is_empty()).then_some(row))
            .collect();
        let stated = outcome.report.unchanged.unwrap();
        let order: Vec<f64> = stated.columns.iter().map(|column| column.known.mean).collect();
        prop_assert!(order.windows(2).all(|pair| pair[0] >= pair[1]), "the riskiest first");
        let listed: BTreeSet<&str> = stated.columns.iter().map(|column| column.name.as_str()).collect();
        prop_assert_eq!(listed, BTreeSet::from(["cost", "days", "ward"]));
        for column in &stated.columns {
            attack(&after, &[&column.name], &column.known);
            prop_assert_eq!(column.known.unique_before, unique(&before, &["age", "sex", &column.name]));
        }
        attack(&after, &["cost", "days", "ward"], &stated.together);
        prop_assert_eq!(stated.together.unique_before, unique(&before, &["age", "sex", "cost", "days", "ward"]));
        // Minimal sample uniques of one column, and of two that are not of one.
        let alone = |row: &BTreeMap<String, String>, columns: &[&str]| {
            after.iter().filter(|other| of(other, columns) == of(row, columns)).count() == 1
        };
        let single = |row: &&BTreeMap<String, String>| ["cost", "days", "ward"].iter().any(|c| alone(row, &[c]));
        let pair = |row: &&BTreeMap<String, String>| {
            [["cost", "days"], ["cost", "ward"], ["days", "ward"]]
                .iter()
                .any(|two| alone(row, two) && !two.iter().any(|c| alone(row, &[c])))
        };
        prop_assert_eq!(stated.minimal_uniques.largest_set, 3);
        prop_assert_eq!(stated.minimal_uniques.rows[0], after.iter().filter(single).count());
        prop_assert_eq!(stated.minimal_uniques.rows[1], after.iter().filter(pair).count());
    }
}

#[test]
fn what_a_worker_sees_and_how_classes_are_made_does_not_depend_on_them() {
    let source = stays(150, 9);
    for model in [K5, M3] {
        let with = settings(model);
        let without = Settings { unchanged: Vec::new(), ..with.clone() };
        let job = |settings: &Settings| {
            let prepared = prepare(&table(&source), settings, &Ctx::silent()).unwrap();
            serde_json::to_value(prepared.job()).unwrap()
        };
        assert_eq!(job(&with), job(&without));
        let rows = |settings: &Settings| {
            let outcome = published(&source, settings);
            let mut rows: Vec<Vec<String>> = release(&outcome)
                .iter()
                .map(|row| of(row, &["age", "sex", "diagnosis"]).into_iter().map(String::from).collect())
                .collect();
            rows.sort_unstable();
            (rows, outcome.report.risk, outcome.report.objective)
        };
        assert_eq!(rows(&with), rows(&without));
    }
}

#[test]
fn the_order_of_the_input_shows_nowhere() {
    let source = stays(120, 3);
    let (header, body) = source.split_once('\n').unwrap();
    let mut lines: Vec<&str> = body.lines().collect();
    lines.reverse();
    lines.rotate_left(17);
    let turned = format!("{header}\n{}\n", lines.join("\n"));
    for model in [K5, M3] {
        let (a, b) = (published(&source, &settings(model)), published(&turned, &settings(model)));
        assert_eq!(std::str::from_utf8(&a.published).unwrap(), std::str::from_utf8(&b.published).unwrap());
    }
}

#[test]
fn cells_are_published_byte_for_byte() {
    let source = "age,note\n18,\" padded \"\n19,?\n20,\"a, \"\"b\"\"\"\n21,007\n";
    let asked = Settings {
        quasi: names(&["age"]),
        sensitive: None,
        unchanged: names(&["note"]),
        ..settings(Model::KAnonymity { k: 4 })
    };
    let outcome = published(source, &asked);
    let expected =
        "age,note,class\n[18-21],007,1\n[18-21], padded ,1\n[18-21],?,1\n[18-21],\"a, \"\"b\"\"\",1\n";
    assert_eq!(std::str::from_utf8(&outcome.published).unwrap(), expected);
    let missing = &outcome.report.missing.columns[1];
    assert_eq!((missing.column.as_str(), missing.rows), ("note", 1), "one row says that it is missing");
    let known = &outcome.report.unchanged.as_ref().unwrap().columns[0].known;
    assert_eq!((known.told_values, known.highest_attribute_disclosure), (None, None), "nothing is sensitive");
}

#[test]
fn the_guarantee_says_whom_it_is_not_for() {
    for model in [K5, M3] {
        let source = stays(100, 5);
        let outcome = published(&source, &settings(model));
        let against = outcome.report.against.to_string();
        assert!(
            against.contains("Nor does it hold against an attacker who knows a person's cells")
                && against.contains("(\"cost\", \"days\" and \"ward\")"),
            "{against}"
        );
        let text = statement::html(&outcome.report, &outcome.private, &statement::Made::default());
        let known = &outcome.report.unchanged.as_ref().unwrap().columns[0];
        for said in [
            String::from("published unchanged: the guarantee is for attackers who do not know it"),
            format!(
                "<td>{}</td><td>{}</td><td>at most ",
                known.known.unique_before, known.known.unique_after
            ),
            format!("{} on average", three(known.known.mean)),
            String::from("all sets of up to 3 unchanged columns"),
        ] {
            assert!(text.contains(&said), "{said} is not in {text}");
        }
        let without = Settings { unchanged: Vec::new(), ..settings(model) };
        let outcome = published(&source, &without);
        assert!(outcome.report.unchanged.is_none());
        assert!(!outcome.report.against.to_string().contains("unchanged"));
    }
}

fn refused(result: Result<impl Sized, Error>) -> String {
    match result {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Input, "{error}");
            error.to_string()
        }
        Ok(_) => panic!("not refused"),
    }
}

/// Beside each row of the source stand its own unchanged cells, and not those of another row of its class.
#[test]
fn a_row_is_shown_beside_its_own_unchanged_cells() {
    let source = stays(60, 2);
    let table = table(&source);
    let prepared = pipeline::prepare(&table, &settings(K5), &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let outcome = pipeline::finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
    let shown = Look::new(&table, &prepared, &outcome).unwrap().rows(&table, RowOrder::File, (0, table.rows));
    let names: Vec<&String> = outcome.header.iter().filter(|name| *name != "class").collect();
    for (row, original) in shown.iter().zip(cells(&source)) {
        for (name, cell) in names.iter().zip(&row.after) {
            if ["cost", "days", "ward", "diagnosis"].contains(&name.as_str()) {
                assert_eq!(*cell, original[*name], "{name}");
            }
        }
    }
}

#[test]
fn what_cannot_have_unchanged_cells_is_refused_with_the_way_out() {
    let source = stays(60, 2);
    let own = Settings { method: Method::Freeform(FreeformMethod::SortGreedy), ..settings(K5) };
    let said = refused(run(&source, &own));
    assert!(said.contains("a separate row") && said.contains("--unchanged"), "{said}");
    let said = refused(run(&source, &Settings { class_column: ClassColumn::None, ..settings(K5) }));
    assert!(said.contains("class by class") && said.contains("--class-column"), "{said}");
    let said = refused(Survey::new(&table(&source), &settings(K5), &[]).map(drop));
    assert!(said.contains("out of core") && said.contains("columns that are published unchanged"), "{said}");
    let numbered: String = (source.lines().enumerate())
        .map(|(at, line)| if at == 0 { format!("id,{line}\n") } else { format!("p{at},{line}\n") })
        .collect();
    let options = series::Options {
        id: String::from("id"),
        mode: Mode::MInvariance,
        ledger: None,
        way: lookalike_core::republish::ways::Way::default(),
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: Some(Vacancies::NewRecords),
        more: 0,
    };
    let said = refused(series::prepare(&table(&numbered), &settings(M3), &options, &Ctx::silent()).map(drop));
    assert!(said.contains("a series publishes no column unchanged") && said.contains("\"cost\""), "{said}");
    let policy = BTreeMap::from([(String::from("days"), MissingPolicy::Drop)]);
    let mut dropping = settings(K5);
    dropping.missing.columns = policy;
    assert!(refused(run(&source, &dropping)).contains("\"days\" (--missing-column)"));
    let twice = Settings { unchanged: names(&["age"]), ..settings(K5) };
    let said = refused(run(&source, &twice));
    assert!(said.contains("\"age\"") && said.contains("a column that is published unchanged"), "{said}");
}

#[test]
fn counterfeits_have_no_cells_and_deletions_need_none() {
    // Half of the rows hold one value: m = 3 needs changes.
    let of = |value: &dyn Fn(i32) -> i32| {
        let row = |i| format!("{},d{},{}\n", 20 + i * 17 % 41, value(i), i * 7 % 5);
        let rows: Vec<String> = (0..24).map(row).collect();
        format!("age,diagnosis,cost\n{}", rows.concat())
    };
    let source = of(&|i| if i < 12 { 0 } else { i % 4 });
    let with = |eligibility| Settings {
        quasi: names(&["age"]),
        unchanged: names(&["cost"]),
        eligibility,
        ..settings(M3)
    };
    for repair in [Repair::Add, Repair::Hybrid] {
        let said = refused(run(&source, &with(repair)));
        assert!(said.contains("counterfeits are needed") && said.contains("--eligibility delete"), "{said}");
    }
    let outcome = published(&source, &with(Repair::Delete));
    assert!(outcome.report.changes.deletions > 0);
    let published = release(&outcome).len();
    assert_eq!(published + outcome.report.changes.deletions, 24);
    // Nothing is needed where the table is eligible as it is.
    self::published(&of(&|i| i % 4), &with(Repair::Add));
}

#[test]
fn before_anything_is_done_the_source_tells_what_columns_would_cost() {
    let source = stays(80, 6);
    let rows = cells(&source);
    let markers = Missing::default().markers;
    let outlook = |quasi: &[&str], unchanged: &[&str]| {
        outlook(&table(&source), (&names(quasi), &names(unchanged)), None, &markers)
    };
    let found = outlook(&["age", "sex"], &["ward", "days", "cost"]).unwrap();
    assert_eq!(found.persons, None);
    assert_eq!(found.columns[0].name, "cost", "the riskiest first");
    for column in &found.columns {
        assert_eq!(column.unique, unique(&rows, &["age", "sex", &column.name]));
        assert_eq!(column.minimal_uniques[0], unique(&rows, &[&column.name]));
    }
    assert_eq!(found.together, unique(&rows, &["age", "sex", "ward", "days", "cost"]));
    let said = refused(outlook(&["age"], &["age"]));
    assert!(said.contains("\"age\""), "{said}");
}
