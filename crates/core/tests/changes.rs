//! Tables that are changed for eligibility, from bytes to bytes.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    pipeline::{self, Outcome},
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx,
    settings::{
        Budget, ChangeCosts, ChangeOptions, CounterfeitPoints, DeletionChoice, Fake, Loss, Method, Missing,
        Model, Publish, Repair, Settings, Ties,
    },
};
use proptest::prelude::*;

/// Age, sex and diagnosis, the first diagnosis far too frequent.
type Rows = Vec<(u8, bool, u8)>;

fn rows() -> impl Strategy<Value = Rows> {
    let diagnosis = prop_oneof![3 => Just(0_u8), 2 => 1_u8..5];
    prop::collection::vec((18_u8..60, any::<bool>(), diagnosis), 8..40).prop_map(|mut rows| {
        // Every diagnosis occurs, or m = 3 may be out of reach.
        rows.extend((0..5).map(|d| (30 + d, false, d)));
        rows
    })
}

fn run(rows: &Rows, order: &[usize], way: Repair, changes: &ChangeOptions, publish: Publish) -> Outcome {
    let mut text = String::from("age,sex,diagnosis\n");
    for &i in order {
        let (age, sex, diagnosis) = rows[i];
        writeln!(text, "{age},{},d{diagnosis}", if sex { "F" } else { "M" }).unwrap();
    }
    let settings = Settings {
        quasi: vec![String::from("age"), String::from("sex")],
        sensitive: Some(String::from("diagnosis")),
        keep: Vec::new(),
        unchanged: Vec::new(),
        kinds: BTreeMap::new(),
        model: Model::MInvariance { m: 3 },
        loss: Loss::Sse,
        weights: BTreeMap::new(),
        method: Method::default(),
        publish,
        eligibility: way,
        changes: changes.clone(),
        missing: Missing::default(),
        budget: Budget::Effort(0.5),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(1),
        orders: BTreeMap::new(),
        publish_columns: BTreeMap::new(),
        hierarchies: BTreeMap::new(),
        domains: BTreeMap::new(),
        pad: BTreeMap::new(),
        labels: BTreeMap::new(),
        coding: BTreeMap::new(),
        suppress: None,
        rows_are: None,
        output: lookalike_model::settings::Output::default(),
        class_column: lookalike_model::settings::ClassColumn::default(),
        conditions: Vec::new(),
        conditions_of: std::collections::BTreeMap::new(),
        sets: Vec::new(),
        sample: lookalike_model::settings::Sample::default(),
        risk_threshold: None,
    };
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    pipeline::anonymize(&table, &settings, &Ctx::silent()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_option_keeps_the_guarantee_and_forgets_the_order(
        (rows, order) in rows().prop_flat_map(|rows| {
            let order = (0..rows.len()).collect::<Vec<_>>();
            (Just(rows), Just(order).prop_shuffle())
        }),
        way in prop::sample::select(vec![Repair::Add, Repair::Delete, Repair::Hybrid]),
        drawn: bool,
        least_loss: bool,
        fewest_additions: bool,
        frequent: bool,
        delete in 1_u64..4,
        delete_growth in 0_u64..3,
        publish in prop::sample::select(vec![Publish::Range, Publish::Set, Publish::Centroid]),
    ) {
        let changes = ChangeOptions {
            counterfeit_points: if drawn { CounterfeitPoints::Drawn } else { CounterfeitPoints::None },
            delete: if least_loss { DeletionChoice::LeastLoss } else { DeletionChoice::Random },
            prefer: vec![String::from("d3"), String::from("d1")],
            ties: if fewest_additions { Ties::FewestAdditions } else { Ties::FewestDeletions },
            fake: if frequent { Fake::Frequent } else { Fake::Rarest },
            costs: ChangeCosts { delete, delete_growth, ..ChangeCosts::default() },
            ..ChangeOptions::default()
        };
        let first = run(&rows, &(0..rows.len()).collect::<Vec<_>>(), way, &changes, publish);
        let second = run(&rows, &order, way, &changes, publish);
        prop_assert!(first.report.audit.passed, "{:?}", first.report.audit);
        prop_assert_eq!(&first.published, &second.published);
        prop_assert!(first.exact().classes.min_real >= Some(1));
        let added = first.report.changes.counterfeits;
        prop_assert_eq!(first.private.counterfeits.len(), added);
        // Each lender holds the value of its counterfeit.
        for fake in &first.private.counterfeits {
            prop_assert_eq!(fake.drawn_from.is_some(), drawn);
            if let Some(row) = fake.drawn_from {
                prop_assert_eq!(&fake.sensitive, &format!("d{}", rows[row].2));
            }
        }
    }
}
