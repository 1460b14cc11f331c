//! An attacker who has the published table and the report looks for the number of counterfeits of each class. He enumerates
//! all of them (and under SSE all values of the real records), and keeps those that fit. The report must leave him no fewer
//! than the rounded loss alone does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    pipeline::{Outcome, anonymize},
    table::{ReadOptions, read},
};
use lookalike_model::{Ctx, report::Report, settings::Settings};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const M: usize = 3;

/// A run with counterfeits over a random table, if this table needs some and they are possible.
fn run(seed: u64, loss: &str, publish: &str, method: &str) -> Option<Outcome> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let columns: &[&str] = if loss == "sse" { &["age"] } else { &["age", "size"] };
    let mut text = format!("{},disease\n", columns.join(","));
    let rare = ["gout", "HIV", "cold", "acne", "ulcer"];
    for i in 0..rng.random_range(14..19) {
        for _ in columns {
            write!(text, "{},", rng.random_range(20..60)).unwrap();
        }
        let disease = if i % 2 == 0 { "flu" } else { rare[rng.random_range(0..rare.len())] };
        writeln!(text, "{disease}").unwrap();
    }
    let settings: Settings = serde_json::from_value(json!({
        "quasi": columns, "sensitive": "disease", "model": { "name": "m-invariance", "m": M }, "loss": loss,
        "method": method, "publish": publish, "eligibility": "add", "budget": { "effort": 1.0 }, "seed": seed,
    }))
    .unwrap();
    let outcome =
        anonymize(&read(text.as_bytes(), &ReadOptions::default()).unwrap(), &settings, &Ctx::silent())
            .ok()?;
    (outcome.report.changes.counterfeits > 0).then_some(outcome)
}

/// A published class: its rows, how many of their values may be faked, and its cells.
struct Class {
    rows: usize,
    fakeable: usize,
    cells: Vec<Vec<f64>>,
}

/// The numbers of a cell: the ends of a range or the members of a set.
fn numbers(cell: &str) -> Vec<f64> {
    cell.trim_matches(['[', ']', '{', '}'])
        .split(['-', ','])
        .map(|number| number.trim().parse().unwrap())
        .collect()
}

fn classes(published: &[u8]) -> Vec<Class> {
    let mut reader = csv::Reader::from_reader(published);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let columns = rows[0].len() - 2;
    let mut held: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *held.entry(row.get(columns).unwrap()).or_insert(0) += 1;
    }
    // Algorithm 1 fills the rarest values to a common level.
    let least = *held.values().min().unwrap();
    let mut of: BTreeMap<usize, Class> = BTreeMap::new();
    for row in &rows {
        let class = of.entry(row[columns + 1].parse().unwrap()).or_insert_with(|| Class {
            rows: 0,
            fakeable: 0,
            cells: row.iter().take(columns).map(numbers).collect(),
        });
        class.rows += 1;
        class.fakeable += usize::from(held[row.get(columns).unwrap()] <= least + 1);
    }
    of.into_values().collect()
}

/// What a class may be: its real records, and what it adds to the loss (NCP: the penalty; SSE: the values themselves).
type Possible = (usize, Vec<f64>);

fn options(class: &Class, sse: bool) -> Vec<Possible> {
    let least = (class.rows - class.fakeable).max(1);
    let mut all = Vec::new();
    for real in least..=class.rows {
        if sse {
            // All multisets of so many values that show the published set.
            let set = &class.cells[0];
            let mut grow = vec![Vec::new()];
            for _ in 0..real {
                grow = grow
                    .iter()
                    .flat_map(|some: &Vec<f64>| {
                        let from = some.last().copied().unwrap_or(f64::NEG_INFINITY);
                        set.iter().filter(move |&&x| x >= from).map(|&x| [some.as_slice(), &[x]].concat())
                    })
                    .collect();
            }
            all.extend(
                grow.into_iter()
                    .filter(|values| set.iter().all(|x| values.contains(x)))
                    .map(|values| (real, values)),
            );
        } else if real > 1 || class.cells.iter().all(|cell| cell.len() == 1) {
            all.push((real, Vec::new()));
        }
    }
    all
}

/// All worlds that have so many real records: real records of each class, and the exact loss.
fn worlds(classes: &[Class], reals: usize, sse: bool) -> Vec<(Vec<usize>, f64)> {
    let mut worlds: Vec<Vec<Possible>> = vec![Vec::new()];
    for (at, class) in classes.iter().enumerate() {
        let left = classes.len() - at - 1;
        let own = options(class, sse);
        worlds = worlds
            .iter()
            .flat_map(|before| own.iter().map(|one| [before.as_slice(), std::slice::from_ref(one)].concat()))
            .filter(|world| world.iter().map(|one| one.0).sum::<usize>() + left <= reals)
            .collect();
        assert!(worlds.len() < 3_000_000, "too many to look at");
    }
    worlds.retain(|world| world.iter().map(|one| one.0).sum::<usize>() == reals);
    let ends = |at: usize| {
        let of = || classes.iter().flat_map(move |class| class.cells[at].iter().copied());
        of().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let columns = classes[0].cells.len();
    let loss = |world: &Vec<Possible>| {
        if !sse {
            let width = |class: &Class| {
                (0..columns)
                    .map(|at| {
                        let ((low, high), cell) = (ends(at), &class.cells[at]);
                        if high > low { (cell[cell.len() - 1] - cell[0]) / (high - low) } else { 0.0 }
                    })
                    .sum::<f64>()
                    / columns as f64
            };
            return world.iter().zip(classes).map(|(one, class)| one.0 as f64 * width(class)).sum();
        }
        let around = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
        };
        let all: Vec<f64> = world.iter().flat_map(|one| one.1.iter().copied()).collect();
        let variance = around(&all) / all.len() as f64;
        if variance == 0.0 { 0.0 } else { world.iter().map(|one| around(&one.1)).sum::<f64>() / variance }
    };
    worlds.iter().map(|world| (world.iter().map(|one| one.0).collect(), loss(world))).collect()
}

fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap()
}

/// Whether a number of the report may come from `exact`: as it is, or rounded.
fn may_be(told: &Value, exact: f64) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs().max(1e-3);
    told.as_f64().is_none_or(|told| {
        near(told, exact) || (near(told, two_digits(told)) && near(two_digits(exact), told))
    })
}

/// Whether everything that the report says fits a world; what it does not say fits any.
fn fits(report: &Value, (reals, loss): &(Vec<usize>, f64), sse: bool) -> bool {
    let (objective, bound, classes) = (&report["objective"], &report["bound"], &report["classes"]);
    let records: usize = reals.iter().sum();
    let percent = 100.0 * loss / records as f64;
    let told = |value: &Value, exact: f64| may_be(value, exact);
    let count = |value: &Value, exact: usize| value.as_u64().is_none_or(|told| told == exact as u64);
    let best = report["status"]["name"] == "optimal";
    let value = bound["value"].as_f64();
    let of_loss = if sse {
        // With one column its information loss is that of the whole.
        told(&objective["sse"], *loss)
            && (told(&objective["information_loss_percent"], percent) || follows(objective))
            && told(&report["utility"]["columns"][0]["information_loss_percent"], percent)
    } else {
        told(&objective["ncp_total"], *loss)
            && (told(&objective["gcp_mean"], loss / records as f64) || follows(objective))
    };
    told(&objective["value"], *loss)
        && of_loss
        && value.is_none_or(|bound| bound <= loss + 1e-6 && (!best || bound >= loss - 1e-6))
        && count(&classes["min_real"], *reals.iter().min().unwrap())
        && count(&classes["single_real"], reals.iter().filter(|&&real| real == 1).count())
}

/// Whether the means of an objective follow from its rounded value, and so say no more.
fn follows(objective: &Value) -> bool {
    let number = |name: &str| objective[name].as_f64();
    let value = number("value").unwrap();
    let rounded = value == two_digits(value);
    let of_sse = || Some(number("information_loss_percent")? == 100.0 * value / number("sst")?);
    let of_ncp = || Some((number("gcp_mean")? - value / (value / number("gcp_mean")?).round()).abs() < 1e-12);
    rounded && (of_sse() == Some(true) || value == 0.0 || of_ncp() == Some(true))
}

/// Different numbers of real records of the classes.
fn left(worlds: &[(Vec<usize>, f64)], report: &Value, sse: bool) -> usize {
    let fitting = worlds.iter().filter(|world| fits(report, world, sse));
    fitting.map(|world| &world.0).collect::<BTreeSet<_>>().len()
}

/// The attacker's candidates over some runs: by the rounded loss alone, by the published report, by the one with all figures.
fn attacked(loss: &str, publish: &str, method: &str, runs: usize) -> Vec<[usize; 3]> {
    let sse = loss == "sse";
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < runs {
        seed += 1;
        assert!(seed < 1000, "too few tables need counterfeits");
        let Some(outcome) = run(seed, loss, publish, method) else { continue };
        let classes = classes(&outcome.published);
        let worlds = worlds(&classes, outcome.report.input.rows, sse);
        let published = serde_json::to_value(&outcome.report).unwrap();
        let exact = serde_json::to_value(outcome.exact()).unwrap();
        let rounded = json!({ "objective": { "value": two_digits(outcome.exact().objective.value) } });
        let key = String::from_utf8(outcome.classes.clone()).unwrap();
        let class_of = |line: &str| line.split(',').nth(1).unwrap().parse::<usize>().unwrap();
        let mut real = vec![0; classes.len()];
        for line in key.lines().skip(1).filter(|line| !line.starts_with('+')) {
            real[class_of(line) - 1] += 1;
        }
        for report in [&rounded, &published, &exact] {
            assert!(
                worlds.iter().any(|world| world.0 == real && fits(report, world, sse)),
                "the real numbers, {real:?}, are among those that fit: {report}\n{}",
                String::from_utf8_lossy(&outcome.published)
            );
        }
        found.push([&rounded, &published, &exact].map(|report| left(&worlds, report, sse)));
    }
    found
}

#[test]
fn the_report_leaves_an_attacker_no_fewer_worlds_than_the_rounded_loss() {
    for (loss, publish, method, runs) in [
        ("ncp", "range", "column-generation", 24),
        ("ncp", "range", "auto", 8),
        ("sse", "set", "column-generation", 16),
        ("sse", "set", "auto", 8),
    ] {
        let found = attacked(loss, publish, method, runs);
        for [rounded, published, _] in &found {
            assert_eq!(published, rounded, "{loss} by {method}: {found:?}");
        }
        // The attack itself is one: with all figures he would know the numbers of every class.
        let known = found.iter().filter(|[rounded, _, exact]| *exact == 1 && *rounded > 1).count();
        assert!(3 * known > runs, "{loss} by {method}: {found:?}");
    }
}

/// What a report says of its bound holds together.
fn sound(report: &Report) {
    let Some(bound) = &report.bound else { return };
    assert!(bound.value <= report.objective.value, "{bound:?} above {:?}", report.objective);
    assert!((0.0..=100.0).contains(&bound.gap_percent), "{bound:?}");
    assert!(bound.value > 0.0 || report.objective.value <= 0.0, "a bound that says nothing: {bound:?}");
}

#[test]
fn no_bound_is_above_its_loss_and_none_is_told_with_counterfeits() {
    for (loss, publish) in [("ncp", "range"), ("sse", "range"), ("ncp-binary", "range")] {
        for outcome in (1..40).filter_map(|seed| run(seed, loss, publish, "column-generation")) {
            sound(&outcome.report);
            sound(outcome.exact());
            let report = &outcome.report;
            assert!(report.bound.is_none() && report.status.is_none() && outcome.exact().status.is_some());
            assert!(report.classes.min_real.is_none() && report.utility.queries.is_none());
            assert!(
                !report.method.explanation.to_string().contains("columns"),
                "{}",
                report.method.explanation
            );
            assert_eq!(report.objective.value, two_digits(outcome.exact().objective.value));
        }
    }
}

#[test]
fn the_private_record_has_the_exact_figures_and_only_with_counterfeits() {
    let outcome = (1..).find_map(|seed| run(seed, "ncp", "range", "column-generation")).unwrap();
    let private = serde_json::to_value(&outcome.private).unwrap();
    assert!(private["exact"]["bound"]["value"].as_f64().is_some(), "{}", private["exact"]);
    let settings: Settings = serde_json::from_value(json!({
        "quasi": ["age"], "model": { "name": "k-anonymity", "k": 2 }, "method": "column-generation",
        "budget": { "effort": 1.0 }, "seed": 1,
    }))
    .unwrap();
    let table = read(b"age\n20\n21\n30\n34\n50\n", &ReadOptions::default()).unwrap();
    let plain = anonymize(&table, &settings, &Ctx::silent()).unwrap();
    sound(&plain.report);
    assert!(plain.private.exact.is_none() && plain.report.bound.is_some() && plain.report.reproducible);
}
