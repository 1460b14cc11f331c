//! The certainty penalty of columns that are published by their hierarchy: what is optimised, proven and stated is computed here
//! once more from the published bytes and from all partitions, by code that shares nothing with the core.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeSet, fmt::Write as _};

use lookalike_core::{
    Error,
    pipeline::{Outcome, anonymize},
    table::{ReadOptions, read},
};
use lookalike_model::{Ctx, settings::Settings};
use lookalike_testkit::best_partition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

fn run(text: &str, settings: &Value) -> Result<Outcome, Error> {
    let settings: Settings = serde_json::from_value(settings.clone()).unwrap();
    anonymize(&read(text.as_bytes(), &ReadOptions::default()).unwrap(), &settings, &Ctx::silent())
}

/// A random hierarchy: each value with its labels from fine to coarse, the last one of all. At times a label stands for one value
/// alone, or for the same ones as the label below.
fn hierarchy(rng: &mut ChaCha8Rng, name: char) -> Vec<Vec<String>> {
    let values = rng.random_range(4..10usize);
    let levels = rng.random_range(1..4usize);
    let mut nodes: Vec<usize> = (0..values).collect();
    let mut rows: Vec<Vec<String>> = (0..values).map(|value| vec![format!("{name}{value}")]).collect();
    for level in 1..=levels {
        let branches = rng.random_range(1..=values);
        let parents: Vec<usize> = (0..values).map(|_| rng.random_range(0..branches)).collect();
        for (row, node) in rows.iter_mut().zip(&mut nodes) {
            *node = parents[*node];
            row.push(if level == levels { String::from("*") } else { format!("{name}-{level}-{node}") });
        }
    }
    rows
}

/// The values that a label stands for.
fn stands_for<'a>(rows: &'a [Vec<String>], label: &str) -> BTreeSet<&'a str> {
    let under = |row: &&Vec<String>| row.iter().any(|other| other == label);
    rows.iter().filter(under).map(|row| row[0].as_str()).collect()
}

/// Penalty of a label.
fn of_label(rows: &[Vec<String>], label: &str) -> f64 {
    let values = stands_for(rows, label);
    assert!(!values.is_empty(), "{label} is no label");
    (values.len() - 1) as f64 / (rows.len() - 1) as f64
}

/// Penalty of the label with the fewest values that stands for all of these.
fn of_values(rows: &[Vec<String>], values: &[&str]) -> f64 {
    let labels: BTreeSet<&str> = rows.iter().flatten().map(String::as_str).collect();
    let covers = |label: &&str| values.iter().all(|value| stands_for(rows, label).contains(value));
    labels.into_iter().filter(covers).map(|label| of_label(rows, label)).fold(f64::INFINITY, f64::min)
}

/// A column of numbers and two that are published by hierarchies.
struct Table {
    ages: Vec<u32>,
    cells: [Vec<String>; 2],
    hierarchies: [Vec<Vec<String>>; 2],
    weights: [f64; 3],
}

impl Table {
    fn random(rng: &mut ChaCha8Rng, rows: usize) -> Self {
        let hierarchies = ['a', 'b'].map(|name| hierarchy(rng, name));
        let cells = [0, 1].map(|c: usize| {
            (0..rows).map(|_| hierarchies[c][rng.random_range(0..hierarchies[c].len())][0].clone()).collect()
        });
        let ages = (0..rows).map(|_| rng.random_range(20..40)).collect();
        let weights = [1, 1, 1].map(|_| f64::from(rng.random_range(1..5_u8)));
        let sum: f64 = weights.iter().sum();
        Self { ages, cells, hierarchies, weights: weights.map(|weight| weight / sum) }
    }

    fn text(&self) -> String {
        let mut text = String::from("age,zip,icd\n");
        for (at, age) in self.ages.iter().enumerate() {
            writeln!(text, "{age},{},{}", self.cells[0][at], self.cells[1][at]).unwrap();
        }
        text
    }

    fn span(&self) -> f64 {
        f64::from(self.ages.iter().max().unwrap() - self.ages.iter().min().unwrap()).max(1.0)
    }

    /// Penalty of a class, by what it would be published as.
    fn class(&self, members: &[usize]) -> f64 {
        let ages = || members.iter().map(|&i| self.ages[i]);
        let mut sum =
            self.weights[0] * f64::from(ages().max().unwrap() - ages().min().unwrap()) / self.span();
        for c in 0..2 {
            let values: Vec<&str> = members.iter().map(|&i| self.cells[c][i].as_str()).collect();
            sum += self.weights[c + 1] * of_values(&self.hierarchies[c], &values);
        }
        members.len() as f64 * sum
    }

    /// Penalty of published rows, from their cells.
    fn published(&self, bytes: &[u8]) -> f64 {
        let mut total = 0.0;
        for row in csv::Reader::from_reader(bytes).records().map(Result::unwrap) {
            if let Some((low, high)) = row[0].trim_matches(['[', ']']).split_once('-') {
                let width = high.parse::<f64>().unwrap() - low.parse::<f64>().unwrap();
                total += self.weights[0] * width / self.span();
            }
            for c in 0..2 {
                total += self.weights[c + 1] * of_label(&self.hierarchies[c], &row[c + 1]);
            }
        }
        total
    }

    fn settings(&self, loss: &str, method: &str, k: usize) -> Value {
        json!({
            "quasi": ["age", "zip", "icd"], "model": { "name": "k-anonymity", "k": k }, "loss": loss, "method": method,
            "kinds": { "zip": "category", "icd": "category" }, "publish": "hierarchy",
            "hierarchies": { "zip": self.hierarchies[0], "icd": self.hierarchies[1] },
            "weights": { "age": self.weights[0], "zip": self.weights[1], "icd": self.weights[2] },
            "budget": { "effort": 1.0 }, "seed": 3,
        })
    }
}

fn close(told: f64, found: f64) -> bool {
    (told - found).abs() <= 1e-9 * found.max(1.0)
}

#[test]
fn what_is_stated_is_the_penalty_of_the_published_labels() {
    let methods =
        ["auto", "column-generation", "mondrian", "k-member", "greedy-search", "annealing", "two-swap"];
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for at in 0..84 {
        let rows = rng.random_range(9..30);
        let table = Table::random(&mut rng, rows);
        let loss = ["ncp", "ncp", "sse"][at % 3];
        let outcome =
            run(&table.text(), &table.settings(loss, methods[at % methods.len()], 2 + at % 2)).unwrap();
        let (found, told) = (table.published(&outcome.published), &outcome.report.objective);
        assert!(close(told.ncp_total.unwrap(), found), "{at}: {told:?}, published {found}");
        assert!(close(told.gcp_mean.unwrap(), found / rows as f64), "{at}");
        if loss == "ncp" {
            assert!(close(told.value, found), "{at}: {told:?}, published {found}");
        }
        if let Some(bound) = &outcome.report.bound {
            assert!(bound.value <= told.value + 1e-9, "{at}");
        }
    }
}

#[test]
fn what_is_proven_optimal_is_the_best_that_can_be_published() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut proven = 0;
    for at in 0..60 {
        let (k, rows) = (2 + at % 2, rng.random_range(6..10));
        let table = Table::random(&mut rng, rows);
        let (best, _) = best_partition(rows, |class| (class.len() >= k).then(|| table.class(class))).unwrap();
        let outcome = run(&table.text(), &table.settings("ncp", "column-generation", k)).unwrap();
        let told = &outcome.report.objective;
        assert!(close(told.value, table.published(&outcome.published)), "{at}");
        assert!((told.value - best).abs() < 1e-7, "{at}: {} where {best} can be had", told.value);
        let bound = outcome.report.bound.as_ref().unwrap();
        assert!(bound.value <= best + 1e-9, "{at}: {} above {best}", bound.value);
        proven += usize::from(bound.value >= best - 1e-7);
    }
    assert!(proven > 50, "{proven}");
}

#[test]
fn an_order_of_rows_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut table = Table::random(&mut rng, 24);
    let settings = table.settings("ncp", "auto", 3);
    let before = run(&table.text(), &settings).unwrap().published;
    table.ages.reverse();
    table.cells.iter_mut().for_each(|cells| cells.reverse());
    assert_eq!(run(&table.text(), &settings).unwrap().published, before);
}

#[test]
fn hierarchies_without_a_penalty_are_refused() {
    let text = "zip\na\nb\nc\na\nb\nc\n";
    let of = |rows: &[&str]| {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(';').collect()).collect();
        json!({
            "quasi": ["zip"], "model": { "name": "k-anonymity", "k": 2 }, "loss": "ncp", "publish": "hierarchy",
            "kinds": { "zip": "category" }, "hierarchies": { "zip": rows }, "budget": { "effort": 1.0 }, "seed": 1,
        })
    };
    let refused = |text: &str, settings: &Value, part: &str| {
        let error = run(text, settings).unwrap_err();
        assert!(matches!(error, Error::Misfit(_)) && error.to_string().contains(part), "{error}");
        let mut squares = settings.clone();
        squares["loss"] = json!("sse");
        let objective = run(text, &squares).unwrap().report.objective;
        assert_eq!(objective.ncp_total, None, "{part}");
    };
    refused(text, &of(&["a;north", "b;north", "c;south"]), "ends in several labels");
    refused(text, &of(&["a;b;*", "b;b;*", "c;c;*"]), "stands for different");
    let mut gaps = of(&["a;*", "b;*", "c;*"]);
    gaps["missing"] = json!({ "markers": ["?"], "quasi": "value" });
    refused("zip\na\nb\n?\na\nb\n?\n", &gaps, "is missing in some rows and is published by its hierarchy");
    let mut binary = of(&["a;*", "b;*", "c;*"]);
    binary["loss"] = json!("ncp-binary");
    let error = run(text, &binary).unwrap_err().to_string();
    assert!(error.contains("--loss ncp)") && error.contains("--publish-column zip=range"), "{error}");
}

/// Both losses know any number of generalisations.
#[test]
fn a_large_hierarchy_has_a_penalty_and_squares() {
    let mut text = String::from("zip\n");
    let mut rows = Vec::new();
    for i in 0..1_200_u32 {
        let zip = format!("{:05}", 10_000 + 37 * i);
        writeln!(text, "{zip}").unwrap();
        rows.push(vec![zip.clone(), format!("{}**", &zip[..3]), String::from("*****")]);
    }
    let settings = json!({
        "quasi": ["zip"], "model": { "name": "k-anonymity", "k": 2 }, "loss": "ncp", "publish": "hierarchy",
        "kinds": { "zip": "category" }, "hierarchies": { "zip": rows }, "budget": { "effort": 0.1 }, "seed": 1,
        "method": "two-swap",
    });
    let objective = run(&text, &settings).unwrap().report.objective;
    // A column has the variance 1. Neighbours meet at the second of three levels, so that half of what they lose is at the first, where
    // nearly all that there is to lose is.
    assert!((objective.sst.unwrap() - 1200.0).abs() < 1e-6, "{objective:?}");
    let percent = objective.information_loss_percent.unwrap();
    assert!((20.0..35.0).contains(&percent), "{percent}");
    // Two or three neighbours share a prefix of three digits.
    assert!(objective.gcp_mean.unwrap() < 0.01, "{objective:?}");
}
