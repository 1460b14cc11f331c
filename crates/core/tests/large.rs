//! Rows of a large table placed: each in the leaf of its values, whatever the order of the parts, and counted.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    out_of_core::{Routing, Survey},
    table::{ReadOptions, Table, read},
};
use lookalike_model::settings::{
    Budget, ChangeOptions, Loss, Method, Missing, Model, Publish, Repair, Settings,
};

fn settings(model: Model) -> Settings {
    Settings {
        quasi: ["age", "city"].map(String::from).to_vec(),
        sensitive: Some(String::from("disease")),
        keep: Vec::new(),
        unchanged: Vec::new(),
        kinds: BTreeMap::default(),
        orders: BTreeMap::default(),
        model,
        loss: Loss::Sse,
        weights: BTreeMap::default(),
        method: Method::default(),
        publish: Publish::Range,
        publish_columns: BTreeMap::default(),
        hierarchies: BTreeMap::default(),
        domains: BTreeMap::new(),
        pad: BTreeMap::new(),
        labels: BTreeMap::new(),
        coding: BTreeMap::default(),
        suppress: None,
        rows_are: None,
        output: lookalike_model::settings::Output::default(),
        class_column: lookalike_model::settings::ClassColumn::default(),
        conditions: Vec::new(),
        conditions_of: std::collections::BTreeMap::new(),
        sets: Vec::new(),
        sample: lookalike_model::settings::Sample::default(),
        risk_threshold: None,
        eligibility: Repair::Error,
        changes: ChangeOptions::default(),
        missing: Missing::default(),
        budget: Budget::Effort(0.1),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(5),
    }
}

/// Parts of a table of a hundred rows each.
fn parts() -> Vec<Table> {
    let part = |part: u32| {
        let mut text = String::from("age,city,disease\n");
        for i in (0..100).map(|i| part * 100 + i) {
            let city = ["Bath", "Hull", "Kent", "Rye", "Ely"][(i * 7 % 31 % 5) as usize];
            writeln!(text, "{},{city},d{}", 20 + i * 17 % 61, i * 13 % 7).unwrap();
        }
        read(text.as_bytes(), &ReadOptions::default()).unwrap()
    };
    (0..5).map(part).collect()
}

fn routing(settings: &Settings, parts: &[Table]) -> Routing {
    let mut survey = Survey::new(&parts[0], settings, &[]).unwrap();
    for (at, part) in parts.iter().enumerate() {
        survey.add(100 * at, part).unwrap();
    }
    Routing::of(survey, 20).unwrap()
}

/// Rows, each with its leaf.
type Leaves = Vec<(u32, u32)>;

/// The leaf of each row of each part, taken in in this order, and the leaves and rows of each block.
fn placed(settings: &Settings, order: &[usize]) -> (Vec<Leaves>, Vec<(Vec<u32>, u64)>) {
    let parts = parts();
    let mut routing = routing(settings, &parts);
    let mut leaves = vec![Vec::new(); parts.len()];
    for &at in order {
        leaves[at] = routing.place(&parts[at]).unwrap();
    }
    let blocks = routing.merge().unwrap();
    (leaves, (0..blocks.len()).map(|block| (blocks.leaves(block).to_vec(), blocks.rows(block))).collect())
}

#[test]
fn every_row_is_placed_once_whatever_the_order_of_the_parts() {
    for model in [Model::MInvariance { m: 3 }, Model::KAnonymity { k: 3 }] {
        let settings = settings(model);
        let found = placed(&settings, &[0, 1, 2, 3, 4]);
        assert!(found.1.len() > 8, "{:?}", found.1);
        for rows in &found.0 {
            assert_eq!(rows.iter().map(|(row, _)| *row).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
        }
        // The blocks count the rows of their leaves.
        for (leaves, rows) in &found.1 {
            let there = found.0.iter().flatten().filter(|(_, leaf)| leaves.contains(leaf)).count();
            assert_eq!(there as u64, *rows);
        }
        assert_eq!(placed(&settings, &[3, 0, 4, 2, 1]), found);
        // Rows with the same values are in one leaf.
        let parts = parts();
        let mut homes = BTreeMap::new();
        for (part, placed) in parts.iter().zip(&found.0) {
            for &(row, leaf) in placed {
                let at = [0, 1].map(|c| part.columns[c].cell(row as usize).to_owned());
                assert_eq!(*homes.entry(at).or_insert(leaf), leaf);
            }
        }
    }
}

/// Other rows than the first time are found out by their number and their sensitive values.
#[test]
fn other_rows_are_an_error() {
    let parts = parts();
    for (model, again) in [
        (Model::MInvariance { m: 3 }, [&parts[0], &parts[0], &parts[2], &parts[3], &parts[4]].to_vec()),
        (Model::KAnonymity { k: 3 }, [&parts[0], &parts[1], &parts[2], &parts[3]].to_vec()),
    ] {
        let mut routing = routing(&settings(model), &parts);
        for part in again {
            routing.place(part).unwrap();
        }
        let error = routing.merge().err().unwrap().to_string();
        assert!(error.contains("not those of the first look"), "{error}");
    }
}

/// A table of one column of numbers, and one of labels.
fn of_numbers(numbers: &[&str]) -> Table {
    let rows: Vec<String> = numbers.iter().map(|number| format!("{number},x,d\n")).collect();
    read(format!("age,city,disease\n{}", rows.concat()).as_bytes(), &ReadOptions::default()).unwrap()
}

/// What becomes of a table of three parts; each ends in twenty ordinary numbers.
fn said_of(firsts: [&str; 3]) -> Result<(), String> {
    let ordinary: Vec<String> = (0..20).map(|row| format!("{row}.5")).collect();
    let parts = firsts.map(|first| {
        of_numbers(&std::iter::once(first).chain(ordinary.iter().map(String::as_str)).collect::<Vec<_>>())
    });
    let settings = Settings { sensitive: None, ..settings(Model::KAnonymity { k: 3 }) };
    let mut survey = Survey::new(&parts[0], &settings, &[]).unwrap();
    for (at, part) in parts.iter().enumerate() {
        survey.add(21 * at, part).map_err(|error| error.to_string())?;
    }
    let mut routing = Routing::of(survey, 20).unwrap();
    parts.iter().try_for_each(|part| routing.place(part).map(drop).map_err(|error| error.to_string()))
}

/// Numbers of several parts that a 64-bit floating-point number does not tell apart are not taken for one value.
#[test]
fn numbers_are_told_apart_over_all_parts() {
    let (a, b) = ("0.12345678901234567891", "0.12345678901234567892");
    assert_eq!(said_of([a, a, "1"]), Ok(()));
    assert_eq!(said_of(["0.30000000000000004", "0.3", "0.1"]), Ok(()));
    let said = said_of([a, "1", b]).unwrap_err();
    assert!(said.contains("row 43") && said.contains("too many digits to be distinguished"), "{said}");
    // The shorter one comes first: it is met again at the second look.
    let said = said_of(["0.1", "1", "0.10000000000000001"]).unwrap_err();
    assert!(
        said.contains("row 1:") && said.contains("\"0.1\" cannot be distinguished from another number"),
        "{said}"
    );
    let said = said_of(["1", "12345678901234567", "2"]).unwrap_err();
    assert!(said.contains("row 22: the number") && !said.contains("finite"), "{said}");
}
