//! Certificates of real runs, against the audit's own points.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    Error,
    audit::certificate::{
        Certificate, Data, Points, Refusal, Widths, points, verify, verify_penalty, widths,
    },
    certify,
    pipeline::{Conflict, Prepared, finish, prepare},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    job::{Answer, Status},
    proof::{Duals, SubsetRow},
    settings::{
        BoundWork, Budget, ChangeOptions, Coding, ColumnGenerationOptions, Extent, Loss, Method, MethodName,
        Missing, MissingPolicy, Model, Publish, Repair, Settings,
    },
};
use lookalike_optimize::solve::solve;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Numbers, dates, ranks, labels, some of them missing, and diagnoses of which the flu is frequent.
fn patients(rows: usize, gaps: &[&str]) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(rows as u64);
    let mut text = String::from("age,visit,school,city,ill\n");
    for i in 0..rows {
        let age = rng.random_range(18..90u32);
        let (month, day) = (rng.random_range(1..13u32), rng.random_range(1..29u32));
        let school = ["low", "middle", "high"][rng.random_range(0..3usize)];
        let city = ["X", "Y", "Z"][rng.random_range(0..3usize)];
        let ill = ["flu", "flu", "HIV", "ulcer", "acne", "gout"][i % 6];
        let city = if gaps.contains(&"city") && rng.random_bool(0.1) { "?" } else { city };
        let no_age = gaps.contains(&"age") && rng.random_bool(0.1);
        let age = if no_age { String::from("?") } else { age.to_string() };
        let school = if gaps.contains(&"school") && i % 11 == 5 { "" } else { school };
        writeln!(text, "{age},2024-{month:02}-{day:02},{school},{city},{ill}").unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// Column generation, with or without duals.
fn generation(duals: bool) -> Method {
    ColumnGenerationOptions { extent: Extent::Whole { duals }, ..ColumnGenerationOptions::default() }.into()
}

fn settings(model: Model) -> Settings {
    let school = ["low", "middle", "high"].map(String::from).to_vec();
    Settings {
        quasi: ["age", "visit", "school", "city"].map(String::from).to_vec(),
        sensitive: Some(String::from("ill")),
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
        orders: BTreeMap::from([(String::from("school"), school)]),
        model,
        loss: Loss::Sse,
        weights: BTreeMap::new(),
        method: generation(true),
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
        budget: Budget::Effort(2.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(7),
    }
}

struct Made {
    prepared: Prepared,
    answer: Answer,
    certificate: Certificate,
    points: Points,
}

/// A run, its certificate, and the points as the audit sees them; the whole variation must be that of the run.
fn made(table: &Table, settings: &Settings) -> Made {
    let prepared = prepare(table, settings, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let certificate = certify::certificate(&prepared, &answer).unwrap();
    let rows = certificate.records(table.rows).unwrap();
    let points = points(table, &rows, &certify::meaning(table, settings).unwrap()).unwrap();
    let report = finish(table, &prepared, &answer, &Ctx::silent()).unwrap().report;
    let sst = report.objective.sst.unwrap();
    assert!((points.total() - sst).abs() < 1e-9 * sst, "{} {sst}", points.total());
    Made { prepared, answer, certificate, points }
}

fn verified(made: &Made, model: Model) -> Result<f64, Refusal> {
    let Points { points, weights, colours } = &made.points;
    let data = Data { points, weights, colours: colours.as_deref() };
    verify(data, certify::rule(model), &made.certificate, 50_000_000).map(|v| v.bound)
}

fn check(table: &Table, settings: &Settings) -> Made {
    let made = made(table, settings);
    let bound = verified(&made, settings.model).unwrap();
    let reported = made.answer.bound.as_ref().unwrap().value;
    assert!(bound > 0.5 * made.answer.loss, "{bound} of {}", made.answer.loss);
    assert!(bound <= reported * (1.0 + 1e-6), "{bound} {reported}");
    made
}

#[test]
fn runs_are_certified_with_and_without_colours() {
    for model in [Model::KAnonymity { k: 3 }, Model::MInvariance { m: 3 }] {
        check(&patients(66, &[]), &settings(model));
    }
}

#[test]
fn missing_cells_weights_and_coding_are_computed_alike() {
    let table = patients(60, &["age", "school", "city"]);
    let mut settings = settings(Model::KAnonymity { k: 3 });
    settings.missing.quasi = MissingPolicy::Value;
    settings.missing.columns = BTreeMap::from([(String::from("school"), MissingPolicy::Drop)]);
    let weights = [("age", 0.4), ("visit", 0.3), ("school", 0.3), ("city", 0.0)];
    settings.weights = weights.map(|(name, weight)| (name.to_owned(), weight)).into();
    settings.coding = BTreeMap::from([(String::from("age"), Coding { bottom: Some(25.0), top: Some(80.0) })]);
    let made = check(&table, &settings);
    assert!(made.certificate.rows.len() < 60, "rows are dropped");
}

#[test]
fn deleted_records_are_not_in_it() {
    let table = patients(66, &[]);
    let mut settings = settings(Model::MInvariance { m: 4 });
    settings.eligibility = Repair::Delete;
    let made = check(&table, &settings);
    assert!(made.certificate.rows.len() < 66, "records are deleted");
    // All classes have four records, so that larger ones were never priced.
    settings.eligibility = Repair::Add;
    let refused = prepare(&table, &settings, &Ctx::silent()).unwrap_err();
    assert_eq!(refused, Error::Conflict(Conflict::CertificateWithCounterfeits));
}

#[test]
fn nothing_of_it_comes_unasked() {
    let table = patients(30, &[]);
    let mut settings = settings(Model::KAnonymity { k: 3 });
    settings.method = generation(false);
    let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    assert!(answer.duals.is_none() && answer.bound.is_some());
    assert!(!serde_json::to_string(&answer).unwrap().contains("duals\":"));
    assert_eq!(certify::certificate(&prepared, &answer).unwrap().bound, 0.0);
    settings.method = MethodName::Annealing.into();
    let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    assert!(answer.duals.is_none() && answer.bound.is_some());
    settings.method = MethodName::DokaGreedy.into();
    settings.duals = true;
    let refused = prepare(&table, &settings, &Ctx::silent()).unwrap_err();
    let method = MethodName::DokaGreedy.name();
    assert_eq!(refused, Error::Conflict(Conflict::CertificateNeedsBound { method }));
    settings.method = MethodName::Annealing.into();
    settings.bound = BoundWork::Off;
    let refused = prepare(&table, &settings, &Ctx::silent()).unwrap_err();
    assert_eq!(refused, Error::Conflict(Conflict::CertificateWithoutBound));
}

/// Whatever found the classes: what the certificate proves is what the report states, raised duals or not.
#[test]
fn the_bound_beside_any_search_is_certified() {
    let mut raised = 0;
    for (method, loss, model) in [
        (MethodName::Annealing, Loss::Sse, Model::KAnonymity { k: 3 }),
        (MethodName::Mdav, Loss::Sse, Model::KAnonymity { k: 5 }),
        (MethodName::Auto, Loss::Sse, Model::MInvariance { m: 3 }),
        (MethodName::Decompose, Loss::Ncp, Model::KAnonymity { k: 4 }),
        (MethodName::Spatial, Loss::NcpBinary, Model::KAnonymity { k: 3 }),
        (MethodName::TwoSwap, Loss::Ncp, Model::MInvariance { m: 3 }),
    ] {
        for work in [BoundWork::Quick, BoundWork::Full] {
            let table = patients(120, &["city"]);
            let mut settings = settings(model);
            (settings.method, settings.loss) = (method.into(), loss);
            (settings.bound, settings.duals) = (work, true);
            settings.missing.quasi = MissingPolicy::Value;
            let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
            let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
            let certificate = certify::certificate(&prepared, &answer).unwrap();
            let rows = certificate.records(table.rows).unwrap();
            let meaning = certify::meaning(&table, &settings).unwrap();
            let rule = certify::rule(model);
            let verified = if loss == Loss::Sse {
                let Points { points, weights, colours } = points(&table, &rows, &meaning).unwrap();
                let data = Data { points: &points, weights: &weights, colours: colours.as_deref() };
                verify(data, rule, &certificate, 50_000_000)
            } else {
                verify_penalty(&widths(&table, &rows, &meaning).unwrap(), rule, &certificate, 50_000_000)
            };
            let (proven, reported) = (verified.unwrap().bound, answer.bound.unwrap().value);
            assert!((proven / reported - 1.0).abs() < 1e-8, "{method:?} {loss:?}: {proven} {reported}");
            raised += usize::from(proven > 0.7 * answer.loss);
            // What a worker sends is checked by the same code.
            let duals = answer.duals.unwrap();
            let checked = certify::proven(prepared.job(), &duals, None, 20_000_000).unwrap().unwrap().bound;
            assert!((checked / reported - 1.0).abs() < 1e-8, "{checked} {reported}");
            let values = duals.values.iter().map(|dual| dual * 1.5).collect();
            assert!(certify::proven(prepared.job(), &Duals { values, ..duals }, None, 20_000_000).is_err());
        }
    }
    assert!(raised > 6, "{raised}");
}

#[test]
fn answers_from_elsewhere_are_not_believed() {
    let table = patients(30, &[]);
    let settings = settings(Model::KAnonymity { k: 3 });
    let Made { prepared, answer, .. } = made(&table, &settings);
    let good = answer.duals.clone().unwrap();
    let refused = |duals: Duals| {
        let answer = Answer { duals: Some(duals), ..answer.clone() };
        certify::certificate(&prepared, &answer).is_err_and(|error| error.kind() == ErrorKind::Answer)
    };
    assert!(!refused(good.clone()));
    assert!(refused(Duals { values: good.values[1..].to_vec(), ..good.clone() }));
    assert!(refused(Duals { tolerance: -1.0, ..good.clone() }));
    assert!(refused(Duals { values: vec![f64::INFINITY; 30], ..good.clone() }));
    for (record, divisor, sigma) in [(30, 2, 1.0), (0, 2, -1.0), (0, 1, 1.0)] {
        let cut = SubsetRow { records: vec![record], divisor, sigma };
        assert!(refused(Duals { cuts: vec![cut], ..good.clone() }));
    }
}

/// A run under the penalty, its certificate, and what the audit sees.
fn penalised(table: &Table, settings: &Settings) -> (Answer, Certificate, Widths) {
    let prepared = prepare(table, settings, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let certificate = certify::certificate(&prepared, &answer).unwrap();
    let rows = certificate.records(table.rows).unwrap();
    (answer, certificate, widths(table, &rows, &certify::meaning(table, settings).unwrap()).unwrap())
}

/// Both penalties, with and without colours, with missing labels, weights, coding and a hierarchy: and every attack fails.
#[test]
fn penalties_are_certified_and_attacks_refused() {
    let mut cuts = 0;
    for (seed, loss) in [(0, Loss::Ncp), (1, Loss::NcpBinary), (2, Loss::Ncp), (3, Loss::NcpBinary)] {
        for model in [Model::KAnonymity { k: 3 }, Model::MInvariance { m: 3 }] {
            let table = patients(54 + 6 * seed, if seed > 1 { &["city"] } else { &[] });
            let mut settings = settings(model);
            settings.loss = loss;
            settings.missing.quasi = MissingPolicy::Value;
            if seed > 1 {
                let weights = [("age", 0.4), ("visit", 0.3), ("school", 0.2), ("city", 0.1)];
                settings.weights = weights.map(|(name, weight)| (name.to_owned(), weight)).into();
                let ends = Coding { bottom: Some(25.0), top: Some(80.0) };
                settings.coding = BTreeMap::from([(String::from("age"), ends)]);
                let row = |leaf: &str| vec![leaf.to_owned(), String::from("*")];
                settings.hierarchies =
                    BTreeMap::from([(String::from("city"), ["X", "Y", "Z"].map(row).to_vec())]);
            }
            let (answer, certificate, widths) = penalised(&table, &settings);
            let judge = |widths: &Widths, certificate: &Certificate| {
                verify_penalty(widths, certify::rule(model), certificate, 20_000_000)
            };
            let verified = judge(&widths, &certificate).unwrap();
            let reported = answer.bound.as_ref().unwrap().value;
            assert!(verified.bound > 0.5 * answer.loss, "{} of {}", verified.bound, answer.loss);
            assert!(verified.bound <= reported * (1.0 + 1e-6) && verified.bound <= answer.loss);

            // The largest dual, one per cent more.
            let mut raised = certificate.clone();
            let largest =
                (0..raised.duals.len()).max_by(|&a, &b| raised.duals[a].total_cmp(&raised.duals[b]));
            raised.duals[largest.unwrap()] *= 1.01;
            assert!(matches!(judge(&widths, &raised), Err(Refusal::Negative { .. })), "{loss:?} {model:?}");
            let mut claimed = certificate.clone();
            claimed.bound *= 1.0001;
            assert!(matches!(judge(&widths, &claimed), Err(Refusal::Claim { .. })));
            let mut dropped = certificate.clone();
            dropped.cuts.sort_by(|a, b| a.sigma.total_cmp(&b.sigma));
            if dropped.cuts.pop().is_some_and(|cut| cut.sigma > 1e-3) {
                assert!(matches!(judge(&widths, &dropped), Err(Refusal::Negative { .. })));
                cuts += 1;
            }
            // Another table of the same shape, another penalty, or none.
            let (_, _, other) =
                penalised(&patients(54 + 6 * seed, if seed < 2 { &["city"] } else { &[] }), &settings);
            assert!(judge(&other, &certificate).is_err());
            let sse = certificate.clone().under(certify::loss(Loss::Sse));
            assert!(matches!(judge(&widths, &sse), Err(Refusal::Mismatch(_))));
            let none = Data { points: &[], weights: &[], colours: None };
            let refused = verify(none, certify::rule(model), &certificate, 1);
            assert!(matches!(refused, Err(Refusal::Mismatch(_))));
        }
    }
    assert!(cuts > 1, "{cuts}");
}

/// Where duals prove less than the search has, the certificate claims the optimum, the audit proves it by its own search, and nothing above it.
#[test]
fn an_optimum_is_certified_beyond_the_duals() {
    let mut claimed = 0;
    for rows in [31, 36, 41, 44, 52] {
        for model in [Model::KAnonymity { k: 3 }, Model::MInvariance { m: 2 }, Model::KAnonymity { k: 4 }] {
            let settings = Settings { budget: Budget::Effort(20.0), ..settings(model) };
            let made = made(&patients(rows, &[]), &settings);
            let Some(optimum) = made.certificate.optimum else { continue };
            assert_eq!(made.answer.status, Status::Optimal);
            let bound = made.certificate.bound;
            assert!(optimum > bound && optimum <= made.answer.loss, "{bound} {optimum} {}", made.answer.loss);
            assert!((verified(&made, model).unwrap() - optimum).abs() <= 1e-12 * optimum);
            claimed += usize::from(optimum > bound * (1.0 + 1e-4));
            // One per million more than the best partition loses is refuted by that partition.
            let forged = made.certificate.clone().optimal(made.answer.loss * (1.0 + 1e-6));
            let refused = verified(&Made { certificate: forged, ..made }, model);
            assert!(matches!(refused, Err(Refusal::Better { .. })), "{refused:?}");
        }
    }
    assert!(claimed > 0, "no run proved more than its duals: the test shows nothing");
}
