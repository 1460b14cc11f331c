//! Out of core the bound is one of the whole table: no partition of it loses less, whatever cuts the blocks. Held against all partitions
//! of small tables, which are measured here once more, and against the bound of the same table in memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_audit::Before;
use lookalike_core::{
    out_of_core::{Routing, Survey, Totals},
    pipeline::prepare as prepare_alone,
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    dialect::Dialect,
    job::BoundOf,
    report::{Report, Seconds},
    settings::Settings,
};
use lookalike_optimize::{bounds::neighbour_bound, solve::solve};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(more: &Value) -> Settings {
    let mut all = json!({
        "quasi": ["age", "hours", "town"], "sensitive": "illness", "model": { "name": "k-anonymity", "k": 2 }, "loss": "sse",
        "method": "auto", "budget": { "effort": 0.0 }, "seed": 1, "missing": { "markers": ["?"], "quasi": "value" },
    });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(all).unwrap()
}

/// The report of a run in blocks of about so many rows, their number, and the sum of the bounds that they would have by themselves.
fn in_blocks(text: &str, settings: &Settings, most: usize) -> (Report, usize, f64) {
    let ctx = Ctx::silent();
    let whole = table(text);
    let mut survey = Survey::new(&whole, settings, &[]).unwrap();
    survey.add(0, &whole).unwrap();
    let mut routing = Routing::of(survey, most).unwrap();
    let (names, columns) = (routing.names(), routing.published());
    let placed = routing.place(&whole).unwrap();
    let blocks = routing.merge().unwrap();
    let (mut totals, mut classes, mut alone) = (Totals::default(), Vec::new(), 0.0);
    for block in 0..blocks.len() {
        let mut text = names.join(",") + "\n";
        let mut rows = Vec::new();
        for &(row, leaf) in &placed {
            if blocks.leaves(block).contains(&leaf) {
                let cells: Vec<&str> = columns.iter().map(|&c| whole.columns[c].cell(row as usize)).collect();
                writeln!(text, "{}", cells.join(",")).unwrap();
                rows.push(u64::from(row));
            }
        }
        let mut part = table(&text);
        let prepared = blocks.prepare(block, &mut part, &ctx).unwrap();
        alone += neighbour_bound(prepared.job()).unwrap().map_or(0.0, |bound| bound.value);
        let answer = solve(prepared.job(), &ctx).unwrap();
        let solved = blocks.finish(block, &part, &prepared, answer, &rows).unwrap();
        totals.add(&solved);
        classes.extend(solved.classes);
    }
    let published = blocks.publish(classes, Before::default()).unwrap().ok().unwrap();
    let (judged, penalties, _) = blocks.audited(vec![published.audited], Dialect::PLAIN).unwrap();
    let audited = (&judged, &penalties);
    let (report, _) = totals.reports(&blocks, &whole, audited, (1, Seconds::default())).unwrap();
    (report, blocks.len(), alone)
}

/// The neighbour bound of the same table in memory.
fn in_memory(text: &str, settings: &Settings) -> f64 {
    let prepared = prepare_alone(&table(text), settings, &Ctx::silent()).unwrap();
    neighbour_bound(prepared.job()).unwrap().map_or(0.0, |bound| bound.value)
}

/// A row: two numbers, of which the first may be missing, a label, and a sensitive value.
#[derive(Clone, Copy)]
struct Row(Option<f64>, f64, usize, usize);

fn text(rows: &[Row]) -> String {
    let mut text = String::from("age,hours,town,illness\n");
    for Row(age, hours, town, illness) in rows {
        let age = age.map_or(String::from("?"), |age| age.to_string());
        writeln!(text, "{age},{hours},{},i{illness}", ["Bath", "Hull", "Rye"][*town]).unwrap();
    }
    text
}

/// Mean and variance.
fn moments(of: &[f64]) -> (f64, f64) {
    let n = of.len() as f64;
    let mean = of.iter().sum::<f64>() / n;
    (mean, of.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n)
}

/// Z-scores and scaled dummies of the rows, as docs/measures.md has them.
fn points(rows: &[Row]) -> Vec<Vec<f64>> {
    let n = rows.len() as f64;
    let mut points = vec![Vec::new(); rows.len()];
    let known: Vec<f64> = rows.iter().filter_map(|row| row.0).collect();
    let (mean, variance) = moments(&known);
    let share = known.len() as f64 / n;
    let total = if share < 1.0 { (1.0 + share).sqrt() } else { 1.0 };
    for (row, point) in rows.iter().zip(&mut points) {
        point.push(row.0.map_or(0.0, |x| (x - mean) / variance.sqrt() / total));
        let dummy = if share < 1.0 { 1.0 / (share * (1.0 - share)).sqrt() / total } else { 0.0 };
        point.push(if row.0.is_none() { dummy } else { 0.0 });
    }
    let (mean, variance) = moments(&rows.iter().map(|row| row.1).collect::<Vec<_>>());
    let shares: Vec<f64> =
        (0..3).map(|town| rows.iter().filter(|row| row.2 == town).count() as f64 / n).collect();
    let spread: f64 = shares.iter().map(|p| p * (1.0 - p)).sum();
    for (row, point) in rows.iter().zip(&mut points) {
        point.push((row.1 - mean) / variance.sqrt());
        // Of two labels one dummy is scaled to the variance 1, which is the same as both with half of it each.
        point.extend((0..3).map(|town| if row.2 == town { 1.0 / spread.sqrt() } else { 0.0 }));
    }
    points
}

fn squares(points: &[Vec<f64>], class: &[usize]) -> f64 {
    let of = |axis: usize| class.iter().map(move |&row| points[row][axis]).collect::<Vec<_>>();
    (0..points[0].len()).map(|axis| moments(&of(axis)).1 * class.len() as f64).sum()
}

/// The penalty with equal weights.
fn penalty(rows: &[Row], class: &[usize]) -> f64 {
    let width = |of: &dyn Fn(&Row) -> f64, class: &[usize]| {
        let values = class.iter().map(|&row| of(&rows[row]));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        high - low
    };
    let all: Vec<usize> = (0..rows.len()).collect();
    let numbers: [&dyn Fn(&Row) -> f64; 2] = [&|row| row.0.unwrap(), &|row| row.1];
    let ranges: f64 = numbers.iter().map(|of| width(of, class) / width(of, &all)).sum();
    let towns = |class: &[usize]| {
        let mut towns: Vec<usize> = class.iter().map(|&row| rows[row].2).collect();
        towns.sort_unstable();
        towns.dedup();
        towns.len() as f64
    };
    class.len() as f64 * (ranges + (towns(class) - 1.0) / towns(&all)) / 3.0
}

/// The least that a partition into admissible classes loses, over all of them.
fn optimum(n: usize, admissible: &dyn Fn(&[usize]) -> bool, cost: &dyn Fn(&[usize]) -> f64) -> f64 {
    let mut least = vec![f64::INFINITY; 1 << n];
    least[0] = 0.0;
    for rows in 1_usize..1 << n {
        let first = rows.trailing_zeros() as usize;
        let mut class = rows;
        while class > 0 {
            if class >> first & 1 == 1 && least[rows ^ class].is_finite() {
                let members: Vec<usize> = (0..n).filter(|&row| class >> row & 1 == 1).collect();
                if admissible(&members) {
                    least[rows] = least[rows].min(least[rows ^ class] + cost(&members));
                }
            }
            class = (class - 1) & rows;
        }
    }
    least[(1 << n) - 1]
}

#[test]
fn no_partition_of_a_small_table_loses_less() {
    const N: usize = 9;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut cut, mut worth, mut lowered) = (0, 0, 0);
    for case in 0..240 {
        let (ncp, unlike) = (case % 2 == 1, case % 4 > 1);
        let rows: Vec<Row> = (0..N)
            .map(|at| {
                let missing = !ncp && rng.random_range(0..5) == 0;
                let age = (!missing).then(|| f64::from(rng.random_range(20..60)));
                Row(age, f64::from(rng.random_range(0..12)), rng.random_range(0..3), at % 4)
            })
            .collect();
        let known: Vec<f64> = rows.iter().filter_map(|row| row.0).collect();
        if (0..3).any(|town| rows.iter().all(|row| row.2 != town)) || moments(&known).1 == 0.0 {
            continue;
        }
        let model = if unlike {
            json!({ "name": "m-invariance", "m": 2 })
        } else {
            json!({ "name": "k-anonymity", "k": 2 })
        };
        let settings = settings(&json!({ "loss": if ncp { "ncp" } else { "sse" }, "model": model }));
        let text = text(&rows);
        let (report, blocks, alone) = in_blocks(&text, &settings, 3);
        let points = points(&rows);
        let admissible = |class: &[usize]| {
            let mut values: Vec<usize> = class.iter().map(|&row| rows[row].3).collect();
            values.sort_unstable();
            values.dedup();
            class.len() >= 2 && (!unlike || values.len() == class.len())
        };
        let cost = |class: &[usize]| if ncp { penalty(&rows, class) } else { squares(&points, class) };
        let best = optimum(N, &admissible, &cost);
        let context = format!("case {case}: {text}");
        assert!(report.objective.value >= best - 1e-9, "measured alike, {context}");
        let bound = report.bound.as_ref().map_or(0.0, |bound| {
            assert_eq!(bound.of, BoundOf::WholeProblem);
            bound.value
        });
        assert!(bound <= best + 1e-9, "{bound} > {best}, {context}");
        let memory = in_memory(&text, &settings);
        assert!(bound <= memory * (1.0 + 1e-6) + 1e-9, "{bound} > {memory}, {context}");
        cut += usize::from(blocks > 1);
        worth += usize::from(blocks > 1 && bound > 0.2 * best);
        lowered += usize::from(alone > memory + 1e-6);
    }
    assert!(cut > 100 && worth > 20, "{cut} tables were cut, of {worth} the bound says something");
    assert!(lowered > 20, "without the borders {lowered} tables would have more than their own bound");
}

#[test]
fn a_large_table_has_nearly_the_bound_that_it_has_in_memory() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut text = String::from("age,hours,town,illness\n");
    for row in 0..20_000 {
        let (age, hours) = (rng.random_range(0..4000), rng.random_range(0..3000));
        writeln!(text, "{age},{hours},Rye,i{}", row % 11).unwrap();
    }
    for (loss, model) in [
        ("sse", json!({ "name": "k-anonymity", "k": 5 })),
        ("ncp", json!({ "name": "k-anonymity", "k": 5 })),
        ("sse", json!({ "name": "m-invariance", "m": 3 })),
    ] {
        let settings = settings(&json!({ "quasi": ["age", "hours"], "loss": loss, "model": model }));
        let (report, blocks, _) = in_blocks(&text, &settings, 2000);
        let (bound, memory) = (report.bound.unwrap(), in_memory(&text, &settings));
        assert!(blocks > 8, "{blocks}");
        assert!(bound.value <= memory * (1.0 + 1e-9), "{loss}: {} > {memory}", bound.value);
        assert!(bound.value > 0.85 * memory, "{loss}: {} of {memory}", bound.value);
        assert!(bound.gap_percent > 0.0 && bound.gap_percent < 100.0, "{loss}: {}", bound.gap_percent);
    }
    // Who asks for no bound has none.
    let off = settings(&json!({ "quasi": ["age", "hours"], "bound": "off" }));
    assert!(in_blocks(&text, &off, 5000).0.bound.is_none());
}
