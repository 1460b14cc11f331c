//! Risk, disclosure and utility in the report of a run.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::{collections::BTreeMap, fmt::Write as _};

use lookalike_core::{
    Error,
    disclosure::ways,
    pipeline::{self, Outcome},
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx,
    settings::{Budget, ChangeOptions, Loss, Method, Missing, Model, Publish, Repair, Settings},
};

fn run(text: &str, model: Model, eligibility: Repair, publish: Publish) -> Outcome {
    run_above(None, text, model, eligibility, publish).unwrap()
}

/// The same with another threshold of risk.
fn run_above(
    risk_threshold: Option<f64>,
    text: &str,
    model: Model,
    eligibility: Repair,
    publish: Publish,
) -> Result<Outcome, Error> {
    let settings = Settings {
        quasi: ["age", "size"].map(String::from).to_vec(),
        sensitive: Some(String::from("disease")),
        keep: Vec::new(),
        unchanged: Vec::new(),
        kinds: BTreeMap::new(),
        model,
        loss: Loss::Sse,
        weights: BTreeMap::new(),
        method: Method::default(),
        publish,
        eligibility,
        missing: Missing::default(),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(3),
        changes: ChangeOptions::default(),
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
        risk_threshold,
    };
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let outcome = pipeline::anonymize(&table, &settings, &Ctx::silent())?;
    assert!(outcome.report.audit.passed);
    Ok(outcome)
}

/// Groups of three: a record of them is found with a probability of a third.
#[test]
fn records_count_as_at_risk_above_the_threshold_that_is_asked_for() {
    let text = patients(&[("flu", 3), ("HIV", 3), ("acne", 3)]);
    let of = |threshold| {
        let model = Model::MInvariance { m: 3 };
        let outcome = run_above(threshold, &text, model, Repair::Error, Publish::Range).unwrap();
        let risk = outcome.report.risk;
        assert_eq!(risk.smallest_group, 3);
        (risk.threshold, risk.prosecutor.at_risk, risk.journalist.at_risk)
    };
    assert_eq!(of(None), (0.2, 9, 9));
    assert_eq!(of(Some(0.09)), (0.09, 9, 9));
    assert_eq!(of(Some(1.0 / 3.0)), (1.0 / 3.0, 0, 0));
    for wrong in [-0.1, 1.1, f64::NAN] {
        let refused = run_above(Some(wrong), &text, M2, Repair::Error, Publish::Range);
        assert!(refused.unwrap_err().to_string().contains("from 0 to 1"), "{wrong}");
    }
}

/// Ages and sizes that differ, and so many records of each disease.
fn patients(diseases: &[(&str, usize)]) -> String {
    let mut text = String::from("age,size,disease\n");
    for (i, disease) in diseases.iter().flat_map(|(d, n)| std::iter::repeat_n(d, *n)).enumerate() {
        writeln!(text, "{},{}.5,{disease}", 20 + 7 * i % 53, 150 + 11 * i % 37).unwrap();
    }
    text
}

const M2: Model = Model::MInvariance { m: 2 };

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-9
}

/// {10, 2}, m = 2: eight counterfeits of the rare value.
#[test]
fn ten_and_two() {
    let text = patients(&[("flu", 10), ("HIV", 2)]);
    let added = run(&text, M2, Repair::Add, Publish::Range);
    assert_eq!((added.report.changes.counterfeits, added.exact().classes.single_real), (8, Some(8)));
    let told = added.report.disclosure.unwrap();
    assert_eq!((told.promised, told.above, told.suspects, told.certainly_real), (0.5, 20, 2, 1));
    assert!(close(told.present, 1.0 / 1.2) && told.absent_values.is_none());
    let informed = added.private.informed.unwrap();
    assert!(close(informed.present.unwrap(), 1.0 / 1.2), "8 of 10 records with HIV are nobody");
    // One published count of counterfeits would tell: the real record of such a class has the flu.
    assert_eq!(informed.present_with_class_counts, 1.0);

    let cut = run(&text, M2, Repair::Delete, Publish::Range);
    let told = cut.report.disclosure.unwrap();
    assert_eq!((told.present, told.above, told.absent_values), (0.5, 0, Some(2)));
    assert_eq!(cut.private.informed.unwrap().absent, Some(1.0), "all who are missing had the flu");

    let before = ways(&[2, 10], 2);
    assert!(close(before.add.unwrap().present, informed.present.unwrap()));
    assert_eq!(before.delete.unwrap().absent, Some(1.0));
}

#[test]
fn a_table_that_needs_no_repair_promises_what_it_keeps() {
    let whole = run(&patients(&[("flu", 4), ("HIV", 4), ("acne", 4)]), M2, Repair::Error, Publish::Range);
    let told = whole.report.disclosure.unwrap();
    assert_eq!((told.promised, told.above, told.suspects, told.absent_values), (0.5, 0, 0, None));
    assert!(told.present <= 0.5);
}

/// The report's bound holds for the attacker who knows more than is published.
#[test]
fn nobody_learns_more_than_the_report_says() {
    for (diseases, m) in [
        (vec![("a", 9), ("b", 5), ("c", 2), ("d", 2)], 3),
        (vec![("a", 11), ("b", 7), ("c", 3), ("d", 1), ("e", 1)], 4),
        (vec![("a", 6), ("b", 3), ("c", 2)], 3),
    ] {
        let counts: Vec<u64> = diseases.iter().map(|d| d.1 as u64).collect();
        let before = ways(&counts, m as u64);
        for (repair, before) in
            [(Repair::Add, before.add), (Repair::Delete, before.delete), (Repair::Hybrid, before.hybrid)]
        {
            let done = run(&patients(&diseases), Model::MInvariance { m }, repair, Publish::Range);
            let (told, informed) = (done.report.disclosure.unwrap(), done.private.informed.unwrap());
            let present = informed.present.unwrap();
            assert!(present <= told.present + 1e-12, "{repair:?} {told:?} {informed:?}");
            assert!(present <= before.unwrap().present + 1e-12, "{repair:?} {before:?} {informed:?}");
            assert_eq!(informed.absent, before.unwrap().absent);
            assert_eq!(told.absent_values.is_some(), informed.absent.is_some());
            assert!(Some(told.certainly_real) <= done.exact().classes.min_real);
        }
    }
}

#[test]
fn utility_agrees_with_the_loss_that_was_minimised() {
    let text = patients(&[("flu", 12), ("HIV", 12), ("acne", 12)]);
    let outcome = run(&text, Model::MInvariance { m: 3 }, Repair::Error, Publish::Range);
    let (report, utility) = (&outcome.report, &outcome.report.utility);
    // Both columns have variance 1: the loss is the mean of theirs, which are rounded to two digits.
    let columns: Vec<f64> = utility.columns.iter().filter_map(|c| c.information_loss_percent).collect();
    let mean = columns.iter().sum::<f64>() / 2.0;
    assert!((mean / report.objective.information_loss_percent.unwrap() - 1.0).abs() < 0.06, "{columns:?}");
    assert!(utility.gcp_mean.is_some_and(|g| g > 0.0 && g < 1.0));
    assert!(close(utility.ncp_total.unwrap(), 36.0 * utility.gcp_mean.unwrap()));
    assert!(close(utility.average_class_size, 3.0 * utility.c_avg));
    assert!(close(utility.classification_metric.unwrap(), 2.0 / 3.0), "three different values a class");
    let queries = utility.queries.unwrap();
    assert_eq!((queries.count, queries.dimensions), (200, 2));
    assert!(queries.median_error <= queries.mean_error * 2.0 && queries.mean_error > 0.0);
    assert_eq!(report.risk.prosecutor, report.risk.journalist);
    assert!(close(report.risk.prosecutor.highest, report.risk.highest_reidentification));
    assert!(close(report.risk.marketer, report.risk.mean_reidentification));
    // Means and variances are private, and ranges keep the mean nearly.
    assert_eq!(outcome.private.statistics.len(), 2);
    assert!(outcome.private.statistics.iter().all(|s| s.mean_shift.abs() < 0.3 && s.variance_ratio < 1.5));
    let json = format!("{:?}", outcome.report);
    assert!(!json.contains("mean_shift") && !json.contains("informed"));
}

/// Sets of numbers and centroids are read as what they are; the order of the input's rows changes nothing.
#[test]
fn every_form_is_measured_alike_for_any_order() {
    let text = patients(&[("flu", 8), ("HIV", 8), ("acne", 8)]);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    let reversed = lines.join("\n");
    for publish in [Publish::Range, Publish::Set, Publish::Centroid] {
        let report = run(&text, M2, Repair::Error, publish).report;
        let ranged = publish != Publish::Centroid;
        assert_eq!(report.utility, run(&reversed, M2, Repair::Error, publish).report.utility);
        // A mean stands for a class without saying how wide it is.
        assert!(report.utility.columns.iter().all(|c| c.measurable == ranged), "{publish:?}");
        assert_eq!(report.utility.gcp_mean.is_some_and(|loss| loss > 0.0), ranged, "{publish:?}");
        assert_eq!(report.utility.gcp_mean.is_some(), ranged, "{publish:?}");
    }
}
