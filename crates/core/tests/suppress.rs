//! Suppression of whole records, from the table to the release.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::fmt::Write as _;

use lookalike_core::{
    pipeline::{Outcome, anonymize, prepare},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    job::Status,
    settings::{
        Budget, ColumnGenerationOptions, Extent, Loss, MethodName, Model, Repair, Settings, Suppress,
    },
};

/// Thirty ages close together and one far away.
fn table() -> Table {
    let mut text = String::from("age,illness\n");
    for i in 0..30 {
        let _ = writeln!(text, "{},{}", 20 + i, ["flu", "cold", "gout"][i % 3]);
    }
    text.push_str("100,flu\n");
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(loss: Loss, suppress: Option<Suppress>) -> Settings {
    Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("illness")),
        loss,
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(4),
        suppress,
        ..Settings::of(Model::KAnonymity { k: 3 })
    }
}

fn price(price: f64) -> Suppress {
    Suppress { price: Some(price), limit: None, share: None }
}

fn run(settings: &Settings) -> Outcome {
    anonymize(&table(), settings, &Ctx::silent()).unwrap()
}

#[test]
fn who_is_far_from_all_others_is_left_out() {
    for (loss, each) in [(Loss::Ncp, 1.0), (Loss::NcpBinary, 1.0), (Loss::Sse, 1.0)] {
        let (plain, cheap) = (run(&settings(loss, None)), run(&settings(loss, Some(price(each)))));
        assert_eq!(plain.report.changes.suppressed_for_loss, 0);
        assert_eq!(cheap.report.changes.suppressed_for_loss, 1, "{loss:?}");
        assert!(cheap.report.audit.passed);
        let rows = |o: &Outcome| String::from_utf8_lossy(&o.published).lines().count() - 1;
        assert_eq!((rows(&plain), rows(&cheap)), (31, 30));
        assert!(!String::from_utf8(cheap.published.clone()).unwrap().contains("100"));
        let fates = &cheap.private.fates;
        assert_eq!((fates.len(), fates[0].row), (1, 30));
        assert!(fates[0].reason.to_string().starts_with("suppressed"), "{}", fates[0].reason);
        assert!(
            cheap.report.method.explanation.to_string().contains("then 1 record suppressed"),
            "{}",
            cheap.report.method.explanation
        );
        // No class of its own: all classes have at least three records.
        assert!(cheap.class_sizes.iter().all(|c| c.0 >= 3));
        assert_eq!(cheap.class_sizes.iter().map(|c| c.0 * c.1).sum::<usize>(), 30);
    }
}

#[test]
fn a_high_price_or_a_limit_keeps_them() {
    let plain = run(&settings(Loss::Ncp, None));
    let dear = run(&settings(Loss::Ncp, Some(price(5.0))));
    let none = run(&settings(Loss::Ncp, Some(Suppress { price: Some(0.1), limit: Some(0), share: None })));
    assert_eq!((&plain.published, &plain.published), (&dear.published, &none.published));
    let limited =
        run(&settings(Loss::Ncp, Some(Suppress { price: Some(0.01), limit: Some(2), share: None })));
    assert!((1..=2).contains(&limited.report.changes.suppressed_for_loss));
}

#[test]
fn m_invariance_suppresses_too_and_a_bound_is_dropped() {
    let mut secret = settings(Loss::Ncp, Some(price(1.0)));
    secret.model = Model::MInvariance { m: 2 };
    let outcome = run(&secret);
    assert_eq!(outcome.report.changes.suppressed_for_loss, 1);
    assert!(outcome.report.audit.passed);
    let mut bounded = settings(Loss::Ncp, Some(price(1.0)));
    bounded.method = MethodName::ColumnGeneration.into();
    let outcome = run(&bounded);
    assert!(outcome.report.bound.is_none() && outcome.report.status != Some(Status::Optimal));
    assert!(outcome.report.warnings.iter().any(|w| w.to_string().contains("suppressed afterwards")));
    // Nobody suppressed: the bound stays.
    bounded.suppress = Some(price(50.0));
    assert!(run(&bounded).report.bound.is_some());
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |settings: &Settings| match prepare(&table(), settings, &Ctx::silent()) {
        Err(error) if error.kind() == ErrorKind::Input => error.to_string(),
        other => panic!("{other:?}"),
    };
    for wrong in [0.0, -1.0, f64::NAN] {
        assert!(refused(&settings(Loss::Ncp, Some(price(wrong)))).contains("above 0"));
    }
    let mut certified = settings(Loss::Sse, Some(price(1.0)));
    let extent = Extent::Whole { duals: true };
    certified.method = ColumnGenerationOptions { extent, ..ColumnGenerationOptions::default() }.into();
    assert!(refused(&certified).contains("certificate"));
    let mut faked = settings(Loss::Ncp, Some(price(1.0)));
    faked.model = Model::MInvariance { m: 3 };
    faked.eligibility = Repair::Add;
    assert!(refused(&faked).contains("counterfeits"));
}
