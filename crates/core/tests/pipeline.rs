//! The whole way, from bytes to bytes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    Error,
    pipeline::{self, Misfit, Outcome},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    job::Status,
    settings::{
        Budget, ChangeOptions, Loss, Method, Missing, MissingPolicy, Model, Publish, Repair, Settings,
    },
};
use lookalike_optimize::solve;
use proptest::prelude::*;

const PATIENTS: &str = "name,age,sex,ward,diagnosis\n\
    Ann,18,F,A,HIV\nBob,20,M,A,FLU\nCid,19,M,B,ACNE\nDee,21,F,B,COUGH\n\
    Eve,45,F,A,FLU\nFay,47,F,B,ACNE\nGil,44,M,A,COUGH\nHal,46,M,B,HIV\n";

fn table(text: &str) -> Table {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(quasi: &[&str], model: Model) -> Settings {
    Settings {
        quasi: quasi.iter().map(ToString::to_string).collect(),
        sensitive: matches!(model, Model::MInvariance { .. }).then(|| String::from("diagnosis")),
        keep: Vec::new(),
        unchanged: Vec::new(),
        rows_are: None,
        output: lookalike_model::settings::Output::default(),
        class_column: lookalike_model::settings::ClassColumn::default(),
        conditions: Vec::new(),
        conditions_of: std::collections::BTreeMap::new(),
        sets: Vec::new(),
        sample: lookalike_model::settings::Sample::default(),
        risk_threshold: None,
        kinds: BTreeMap::new(),
        orders: BTreeMap::new(),
        model,
        loss: Loss::Sse,
        weights: BTreeMap::new(),
        method: Method::default(),
        publish: Publish::Range,
        publish_columns: BTreeMap::new(),
        hierarchies: BTreeMap::new(),
        domains: BTreeMap::new(),
        pad: BTreeMap::new(),
        labels: BTreeMap::new(),
        coding: BTreeMap::new(),
        suppress: None,
        eligibility: Repair::Error,
        changes: ChangeOptions::default(),
        missing: Missing::default(),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(1),
    }
}

fn run(text: &str, settings: &Settings) -> Result<Outcome, Error> {
    pipeline::anonymize(&table(text), settings, &Ctx::silent())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_small_table_is_published_as_computed_by_hand() {
    // Two clear groups of ages; the four diagnoses of each differ, so classes of 2 or 3 or 4 are admissible. With
    // m = 4 only the two groups themselves are good.
    let outcome = run(PATIENTS, &settings(&["age"], Model::MInvariance { m: 4 })).unwrap();
    assert_eq!(
        text(&outcome.published),
        "age,diagnosis,class\n[18-21],ACNE,1\n[18-21],COUGH,1\n[18-21],FLU,1\n[18-21],HIV,1\n\
         [44-47],ACNE,2\n[44-47],COUGH,2\n[44-47],FLU,2\n[44-47],HIV,2\n"
    );
    assert_eq!(text(&outcome.classes), "row,class\n0,1\n1,1\n2,1\n3,1\n4,2\n5,2\n6,2\n7,2\n");
    let report = &outcome.report;
    assert!(report.audit.passed, "{:?}", report.audit);
    // Ages 18..21 and 44..47: SSE 5 + 5 = 10, mean 32.5, SST = 2 (14.5^2 + 13.5^2 + 12.5^2 + 11.5^2) = 1362.
    assert!((report.objective.information_loss_percent.unwrap() - 100.0 * 10.0 / 1362.0).abs() < 1e-9);
    assert!((report.objective.sst.unwrap() - 8.0).abs() < 1e-9);
    assert_eq!((report.classes.count, report.classes.min_size, report.classes.single_real), (2, 4, Some(0)));
    assert_eq!(report.status, Some(Status::EffortSpent));
    assert!(report.reproducible);
    // The nearest three of each record are its class: what each costs at the least is what it costs, and nothing better exists.
    let bound = report.bound.as_ref().unwrap();
    assert!((bound.value - report.objective.value).abs() < 1e-7 && bound.value <= report.objective.value);
    assert!(bound.gap_percent < 1e-6, "{}", bound.gap_percent);
}

#[test]
fn columns_without_a_role_are_not_published() {
    let outcome = run(PATIENTS, &settings(&["age"], Model::KAnonymity { k: 2 })).unwrap();
    assert_eq!(outcome.header, ["age", "class"]);
    let with =
        Settings { keep: vec![String::from("ward")], ..settings(&["age"], Model::KAnonymity { k: 4 }) };
    let outcome = run(PATIENTS, &with).unwrap();
    // Kept, hence recoded by class and audited as a quasi-identifier.
    assert!(text(&outcome.published).starts_with("age,ward,class\n[18-21],\"{A, B}\",1\n"));
    assert!(outcome.report.audit.passed);
}

#[test]
fn sets_and_centroids() {
    let mut s = settings(&["age"], Model::MInvariance { m: 4 });
    s.publish = Publish::Set;
    assert!(text(&run(PATIENTS, &s).unwrap().published).contains("\"{18, 19, 20, 21}\",FLU,1\n"));
    s.publish = Publish::Centroid;
    assert!(text(&run(PATIENTS, &s).unwrap().published).contains("\n20,FLU,1\n"));
}

#[test]
fn an_ineligible_table_says_why_and_can_be_repaired() {
    let skewed = format!("{PATIENTS}Ida,30,F,A,HIV\nJim,31,M,A,HIV\nKim,32,M,A,HIV\nLou,33,F,B,HIV\n");
    let mut s = settings(&["age", "sex"], Model::MInvariance { m: 3 });
    let Err(Error::NotEligible(why)) = run(&skewed, &s) else { panic!("must be infeasible") };
    let why = why.to_string();
    assert!(why.contains("HIV") && why.contains('6') && why.contains("12"), "{why}");
    // 6 of 12 with m = 3: 6 counterfeits, or 3 deletions.
    for (repair, counterfeits, deletions) in [(Repair::Add, 6, 0), (Repair::Delete, 0, 3)] {
        s.eligibility = repair;
        let outcome = run(&skewed, &s).unwrap();
        let changes = outcome.report.changes;
        assert_eq!((changes.counterfeits, changes.deletions), (counterfeits, deletions));
        assert!(outcome.report.audit.passed);
        assert_eq!(outcome.private.counterfeits.len(), counterfeits);
        assert_eq!(outcome.private.fates.len(), deletions);
        assert_eq!(outcome.report.lp_backend.as_deref(), Some(lookalike_lp::Backend::best().name()));
        let lines = text(&outcome.classes).lines();
        assert_eq!(lines.clone().filter(|l| l.starts_with('+')).count(), counterfeits);
        assert_eq!(lines.filter(|l| l.trim_end_matches(',').parse::<u32>().is_ok()).count(), deletions);
    }
    s.eligibility = Repair::Hybrid;
    let changes = run(&skewed, &s).unwrap().report.changes;
    // Caps: t = 5: 1 deletion, 15 - 11 = 4 additions; t = 4: 2 + 2; t = 3: 3 + 0. Fewest: 3.
    assert_eq!(changes.counterfeits + changes.deletions, 3);
}

#[test]
fn missing_values_need_a_decision() {
    let holes = PATIENTS.replace("Bob,20", "Bob,?").replace("Fay,47,F,B,ACNE", "Fay,47,F,B,");
    let mut s = settings(&["age"], Model::MInvariance { m: 2 });
    let why = run(&holes, &s).unwrap_err();
    assert!(matches!(&why, Error::Misfit(why) if matches!(**why, Misfit::QuasiMissing { missing: 1, .. })));
    let why = why.to_string();
    assert!(why.contains("\"age\"") && why.contains("row 2") && why.contains("--missing-quasi"), "{why}");
    s.missing.quasi = MissingPolicy::Drop;
    s.missing.sensitive = MissingPolicy::Drop;
    let outcome = run(&holes, &s).unwrap();
    assert_eq!((outcome.report.input.rows, outcome.report.changes.suppressed), (6, 2));
    assert_eq!(outcome.private.fates[0].row, 1);
    assert!(text(&outcome.classes).contains("\n1,\n") && text(&outcome.classes).contains("\n5,\n"));
    s.missing.quasi = MissingPolicy::Value;
    s.missing.sensitive = MissingPolicy::Value;
    let outcome = run(&holes, &s).unwrap();
    assert_eq!(outcome.report.input.rows, 8);
    assert!(outcome.report.audit.passed);
}

#[test]
fn settings_that_contradict_themselves_are_refused() {
    let m3 = Model::MInvariance { m: 3 };
    let cases: Vec<(Settings, &str)> = vec![
        (settings(&[], m3), "no quasi-identifier"),
        (settings(&["agee"], m3), "\"agee\""),
        (settings(&["age", "age"], m3), "twice"),
        (settings(&["age", "diagnosis"], m3), "choose one"),
        (settings(&["age"], Model::MInvariance { m: 1 }), "at least 2"),
        (settings(&["age"], Model::KAnonymity { k: 1 }), "at least 2"),
        (Settings { sensitive: None, ..settings(&["age"], m3) }, "--sensitive"),
        (Settings { keep: vec![String::from("age")], ..settings(&["age"], m3) }, "choose one"),
        (
            Settings { weights: BTreeMap::from([(String::from("age"), 0.5)]), ..settings(&["age"], m3) },
            "sum to 0.5",
        ),
        (
            Settings { weights: BTreeMap::from([(String::from("sex"), 1.0)]), ..settings(&["age"], m3) },
            "\"sex\"",
        ),
        (Settings { weights: BTreeMap::from([(String::from("age"), -1.0)]), ..settings(&["age"], m3) }, "-1"),
        (Settings { budget: Budget::Effort(f64::NAN), ..settings(&["age"], m3) }, "effort"),
        (Settings { seed: None, ..settings(&["age"], m3) }, "seed"),
    ];
    for (settings, expected) in cases {
        let error = run(PATIENTS, &settings).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        assert!(error.to_string().contains(expected), "{error} lacks {expected}");
    }
    for (text, expected) in [
        (PATIENTS.replace("Bob,20", "Bob,NaN"), "\"age\" is missing in 1 of 8 rows (row 2)"),
        (PATIENTS.replace("Bob,20", "Bob,inf"), "inf"),
        (PATIENTS.replace("Bob,20", "Bob,1e308"), "1e308"),
        (PATIENTS.replace("age,sex", "class,sex"), "class"),
    ] {
        let quasi = if expected == "class" { "class" } else { "age" };
        let error = run(&text, &settings(&[quasi], m3)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    for (model, expected) in
        [(Model::KAnonymity { k: 9 }, "largest possible k is 8"), (Model::MInvariance { m: 5 }, "4")]
    {
        let error = run(PATIENTS, &settings(&["age"], model)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Infeasible, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn equal_points_lose_nothing() {
    let same = "age,diagnosis\n30,A\n30,B\n30,A\n30,B\n";
    let outcome = run(same, &settings(&["age"], Model::MInvariance { m: 2 })).unwrap();
    assert_eq!(outcome.report.objective.information_loss_percent, Some(0.0));
    assert!(outcome.report.audit.passed);
    assert!(outcome.report.warnings.iter().any(|w| w.to_string().contains("age")));
}

#[test]
fn a_tampered_answer_is_refused() {
    let table = table(PATIENTS);
    let prepared =
        pipeline::prepare(&table, &settings(&["age"], Model::MInvariance { m: 2 }), &Ctx::silent()).unwrap();
    let good = solve::solve(prepared.job(), &Ctx::silent()).unwrap();
    assert!(pipeline::finish(&table, &prepared, &good, &Ctx::silent()).is_ok());
    let refused = |answer| {
        pipeline::finish(&table, &prepared, &answer, &Ctx::silent())
            .is_err_and(|error| error.kind() == ErrorKind::Answer)
    };
    let mut short = good.clone();
    short.labels.pop();
    assert!(refused(short));
    let mut one = good.clone();
    one.labels.fill(0);
    assert!(refused(one), "one class repeats every diagnosis");
    let mut cheap = good.clone();
    cheap.loss /= 2.0;
    assert!(refused(cheap) || good.loss == 0.0);
    let mut unknown = good;
    unknown.loss = f64::NAN;
    assert!(refused(unknown));
}

/// What an attacker could compare: no cell, order or label may depend on the order of the input's rows.
fn shuffled(rows: &[(u8, bool, u8, u8)], order: &[usize]) -> String {
    let mut text = String::from("age,sex,postcode,diagnosis\n");
    for &i in order {
        let (age, sex, postcode, diagnosis) = rows[i];
        let sex = if sex { "F" } else { "M" };
        writeln!(text, "{age},{sex},p{postcode},d{diagnosis}").unwrap();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_permuted_input_gives_the_same_bytes(
        rows in prop::collection::vec((18u8..30, any::<bool>(), 0u8..4, 0u8..6), 12..60),
        shuffle in Just((0..60usize).collect::<Vec<_>>()).prop_shuffle(),
        k_anonymity: bool,
        form in prop::sample::select(vec![Publish::Range, Publish::Set, Publish::Centroid]),
        repair in prop::sample::select(vec![Repair::Add, Repair::Delete, Repair::Hybrid]),
    ) {
        let order: Vec<usize> = shuffle.into_iter().filter(|&i| i < rows.len()).collect();
        let distinct: BTreeSet<u8> = rows.iter().map(|r| r.3).collect();
        prop_assume!(distinct.len() >= 2);
        let model = if k_anonymity { Model::KAnonymity { k: 3 } } else { Model::MInvariance { m: 2 } };
        let mut s = settings(&["age", "sex", "postcode"], model);
        s.publish = form;
        s.eligibility = repair;
        let first = run(&shuffled(&rows, &(0..rows.len()).collect::<Vec<_>>()), &s).unwrap();
        let second = run(&shuffled(&rows, &order), &s).unwrap();
        prop_assert!(first.report.audit.passed, "{:?}", first.report.audit);
        prop_assert_eq!(text(&first.published), text(&second.published));
        prop_assert_eq!(first.report.objective, second.report.objective);
    }

    #[test]
    fn threads_do_not_change_the_answer(
        rows in prop::collection::vec((18u8..60, any::<bool>(), 0u8..4, 0u8..6), 20..80),
    ) {
        let input = shuffled(&rows, &(0..rows.len()).collect::<Vec<_>>());
        let s = settings(&["age", "sex"], Model::KAnonymity { k: 3 });
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&input, &s).unwrap().published)
        };
        prop_assert_eq!(with(1), with(3));
    }
}

#[test]
fn ncp_counts_ranges_and_values_as_computed_by_hand() {
    let ncp = |loss, model| Settings { loss, ..settings(&["age", "ward"], model) };
    let outcome = run(PATIENTS, &ncp(Loss::Ncp, Model::KAnonymity { k: 4 })).unwrap();
    // Two groups of ages, each 3 wide of 29, each with both of two wards: 8 (0.5 * 3/29 + 0.5 * 1/2).
    let objective = outcome.report.objective;
    let total = 8.0 * (0.5 * 3.0 / 29.0 + 0.25);
    assert!((objective.value - total).abs() < 1e-9 && (objective.ncp_total.unwrap() - total).abs() < 1e-9);
    assert!((objective.gcp_mean.unwrap() - total / 8.0).abs() < 1e-9);
    assert_eq!(outcome.report.objective.loss, Loss::Ncp);
    // As binaries both wards cost 2/2 instead of 1/2; the report's NCP stays what it is.
    let binary = run(PATIENTS, &ncp(Loss::NcpBinary, Model::MInvariance { m: 4 })).unwrap().report.objective;
    assert!((binary.value - 8.0 * (0.5 * 3.0 / 29.0 + 0.5)).abs() < 1e-9);
    assert!((binary.ncp_total.unwrap() - total).abs() < 1e-9);
    // Both measures are told whatever was minimised, and agree for the same classes.
    let sse = run(PATIENTS, &settings(&["age"], Model::MInvariance { m: 4 })).unwrap().report.objective;
    let ages =
        run(PATIENTS, &Settings { loss: Loss::Ncp, ..settings(&["age"], Model::MInvariance { m: 4 }) });
    let ages = ages.unwrap().report.objective;
    assert_eq!((sse.sse, sse.sst), (ages.sse, ages.sst));
    let (sse, ages) = (sse.ncp_total.unwrap(), ages.ncp_total.unwrap());
    assert!((sse - 8.0 * 3.0 / 29.0).abs() < 1e-9 && (ages - sse).abs() < 1e-12);
}

#[test]
fn ncp_does_not_see_the_order_of_rows() {
    let mut lines: Vec<&str> = PATIENTS.lines().collect();
    lines[1..].reverse();
    let other = lines.join("\n");
    let settings =
        Settings { loss: Loss::Ncp, ..settings(&["age", "sex", "ward"], Model::KAnonymity { k: 2 }) };
    assert_eq!(run(PATIENTS, &settings).unwrap().published, run(&other, &settings).unwrap().published);
}
