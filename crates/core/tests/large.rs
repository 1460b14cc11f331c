//! Rows of a large table placed by whoever there is: the leaves are those of one process, and what is no answer is not taken.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::out_of_core::solve_block;
use lookalike_core::{
    out_of_core::{Routing, Survey},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    block::Block,
    kept::{Kept, Placed},
    settings::{Budget, ChangeOptions, Loss, Method, Missing, Model, Publish, Repair, Settings},
};
use lookalike_wire::block;

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

/// The answer of somebody else, to whom the task goes as bytes.
fn answer(task: Block) -> Kept {
    let block = block::decode(&block::encode(task).unwrap()).unwrap();
    solve_block(&block, &Ctx::silent()).unwrap().unwrap()
}

type Leaves = Vec<Vec<(u32, u32)>>;

/// The leaf of each row of each part, and the leaves of each block.
fn placed(settings: &Settings, lie: &dyn Fn(usize, Placed) -> Kept) -> (Leaves, Vec<Vec<u32>>) {
    let parts = parts();
    let mut routing = routing(settings, &parts);
    let groups: Vec<_> = parts.iter().map(|part| routing.group(part).unwrap().unwrap()).collect();
    let answers: Vec<Kept> = (0..)
        .zip(&groups)
        .map(|(at, group)| match answer(group.task()) {
            Kept::Placed(placed) => lie(at, placed),
            other => panic!("{other:?}"),
        })
        .collect();
    // In any order.
    let mut leaves = vec![Vec::new(); parts.len()];
    for at in [3, 0, 4, 2, 1] {
        leaves[at] = routing.take(&groups[at], answers[at].clone()).unwrap();
    }
    let blocks = routing.merge().unwrap();
    (leaves, (0..blocks.len()).map(|block| blocks.leaves(block).to_vec()).collect())
}

#[test]
fn what_is_no_answer_is_not_taken() {
    for model in [Model::MInvariance { m: 3 }, Model::KAnonymity { k: 3 }] {
        let settings = settings(model);
        let honest = placed(&settings, &|_, placed| Kept::Placed(placed));
        assert!(honest.1.len() > 8, "{:?}", honest.1);
        for rows in &honest.0 {
            assert_eq!(rows.iter().map(|(row, _)| *row).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
        }
        let lies = placed(&settings, &|at, placed| {
            let Placed { mut leaves, mut counts } = placed;
            match at {
                0 => leaves[7] = u32::MAX,
                1 => leaves.truncate(99),
                2 => counts[0].2 += 1,
                3 => return Kept::Annealed(lookalike_model::kept::Annealed { labels: leaves, moves: 0 }),
                _ => counts.clear(),
            }
            Kept::Placed(Placed { leaves, counts })
        });
        assert_eq!(lies, honest);
    }
}

/// Counts that fit their group and are wrong are found out in the end.
#[test]
fn false_counts_are_an_error() {
    let settings = settings(Model::MInvariance { m: 3 });
    let parts = parts();
    let mut routing = routing(&settings, &parts);
    for part in &parts {
        let group = routing.group(part).unwrap().unwrap();
        let Kept::Placed(mut placed) = answer(group.task()) else { panic!("no answer") };
        placed.counts[0].1 = u32::MAX - 1;
        placed.counts.sort_unstable();
        assert_eq!(routing.take(&group, Kept::Placed(placed)).unwrap().len(), 100);
    }
    let error = routing.merge().err().unwrap().to_string();
    assert!(error.contains("not those of the first look"), "{error}");
}

/// What is told of a row is between which cuts it lies, under names that change with the seed, and in no order.
#[test]
fn a_task_tells_no_value() {
    let parts = parts();
    let mut orders = BTreeSet::new();
    for seed in 0..8 {
        let settings = Settings { seed: Some(seed), ..settings(Model::MInvariance { m: 3 }) };
        let mut routing = routing(&settings, &parts);
        let Block::Rows(rows) = routing.group(&parts[1]).unwrap().unwrap().task() else { panic!("no rows") };
        assert_eq!((rows.dims, rows.colours.len(), rows.places.len()), (2, 100, 200));
        // Fewer places than leaves; the ages are 20 and more.
        assert!(rows.places.iter().all(|&place| (place as usize) < routing.leaves() && place < 20));
        orders.insert(rows.colours);
    }
    assert_eq!(orders.len(), 8);
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
    parts.iter().try_for_each(|part| routing.group(part).map(drop).map_err(|error| error.to_string()))
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
