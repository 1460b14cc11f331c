//! Records left out up to a share of the table, also beside conditions on sensitive values: judged from the published bytes.
#![cfg(test)]

use std::collections::BTreeMap;

use lookalike_core::{
    pipeline::{self, Outcome},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    rule::{Effective, Positive, Several, Share, ValueCondition},
    settings::{Budget, Loss, Model, RowsAre, Settings, Suppress},
};

const ROWS: usize = 240;

/// People by age and pay; one in 24 is far from everybody else.
fn table() -> Table {
    let row = |i: usize| {
        let age = if i.is_multiple_of(24) { 100 + i } else { 20 + (i * 37) % 50 };
        format!("{age},{},{}\n", ["f", "m"][i % 2], 100 * (1 + (i % 7) % 4))
    };
    let text: String = std::iter::once(String::from("age,sex,pay\n")).chain((0..ROWS).map(row)).collect();
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(conditions: Vec<ValueCondition>, suppress: Option<Suppress>) -> Settings {
    Settings {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        sensitive: Some(String::from("pay")),
        conditions,
        suppress,
        loss: Loss::Ncp,
        budget: Budget::Effort(0.5),
        rows_are: Some(RowsAre::People),
        seed: Some(3),
        ..Settings::of(Model::KAnonymity { k: 4 })
    }
}

fn run(settings: &Settings) -> Outcome {
    pipeline::anonymize(&table(), settings, &Ctx::silent()).unwrap()
}

/// How often each value occurs in each class of the published bytes.
fn counts(outcome: &Outcome) -> Vec<BTreeMap<String, usize>> {
    let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|cell| cell == name).unwrap();
    let mut classes: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for row in reader.records().map(Result::unwrap) {
        *classes
            .entry(row[at("class")].to_owned())
            .or_default()
            .entry(row[at("pay")].to_owned())
            .or_default() += 1;
    }
    classes.into_values().collect()
}

/// By the definitions of the conditions.
fn kept(condition: &ValueCondition, class: &BTreeMap<String, usize>) -> bool {
    let size: usize = class.values().sum();
    let mut sorted: Vec<usize> = class.values().copied().collect();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    match condition {
        ValueCondition::DistinctDiversity { l } => class.len() >= l.get(),
        ValueCondition::EntropyDiversity { l } => {
            let share = |count: &usize| *count as f64 / size as f64;
            let entropy: f64 = sorted.iter().map(|count| -share(count) * share(count).ln()).sum();
            entropy.exp() >= l.get() - 1e-9
        }
        ValueCondition::RecursiveDiversity { c, l } => {
            let tail: usize = sorted.iter().skip(l.get() - 1).sum();
            (sorted[0] as f64) < c.get() * tail as f64
        }
        ValueCondition::Frequency { alpha } => sorted[0] as f64 <= alpha.get() * size as f64 + 1e-9,
        other => panic!("{other:?} compares with the table"),
    }
}

#[test]
fn a_share_of_the_records_is_left_out_and_every_class_keeps_its_conditions() {
    let each = [
        ValueCondition::DistinctDiversity { l: Several::try_from(3).unwrap() },
        ValueCondition::EntropyDiversity { l: Effective::try_from(2.5).unwrap() },
        ValueCondition::RecursiveDiversity {
            c: Positive::try_from(1.5).unwrap(),
            l: Several::try_from(2).unwrap(),
        },
        ValueCondition::Frequency { alpha: Share::try_from(0.5).unwrap() },
    ];
    for asked in each.map(|one| vec![one]).into_iter().chain([each.to_vec(), Vec::new()]) {
        let all = run(&settings(asked.clone(), None));
        let most = Suppress { price: None, limit: None, share: Some(0.05) };
        let some = run(&settings(asked.clone(), Some(most)));
        assert!(some.report.audit.passed, "{asked:?}");
        let classes = counts(&some);
        let published: usize = classes.iter().flat_map(BTreeMap::values).sum();
        // 12 of 240 may go, and ten people spoil their classes.
        assert!((ROWS - 12..=ROWS - 8).contains(&published), "{asked:?}: {published}");
        assert_eq!(some.report.changes.suppressed_for_loss, ROWS - published);
        for class in &classes {
            assert!(class.values().sum::<usize>() >= 4);
            assert!(asked.iter().all(|condition| kept(condition, class)), "{asked:?} {class:?}");
        }
        // Those who are far from all others are the ones who went.
        let ages = |outcome: &Outcome| {
            let mut reader = csv::Reader::from_reader(outcome.published.as_slice());
            reader.records().map(Result::unwrap).filter(|row| row[0].contains("316")).count()
        };
        assert!(ages(&all) > 0 && ages(&some) == 0, "{asked:?}");
    }
}

#[test]
fn a_price_and_a_share_go_together() {
    let of = |price, share| {
        let suppress = Suppress { price, limit: None, share: Some(share) };
        run(&settings(Vec::new(), Some(suppress))).report.changes.suppressed_for_loss
    };
    assert_eq!(of(Some(0.2), 0.0), 0);
    assert!(of(Some(0.2), 0.02) <= 4);
    assert!(of(Some(5.0), 0.05) == 0, "nothing loses as much");
    assert!(of(None, 0.02) <= 4 && of(None, 0.02) > 0);
}
