use lookalike_wire::{
    job::{BoundOf, Status},
    report::ReportBound,
    settings::{Budget, Kind, Model, Publish, Repair, Settings},
};

use super::html;
use crate::{Ctx, demo, pipeline::anonymize};

fn settings(model: Model) -> Settings {
    Settings {
        quasi: vec![String::from("age"), String::from("sex")],
        sensitive: Some(String::from("diagnosis")),
        budget: Budget::Effort(1.0),
        seed: Some(424_242),
        ..Settings::of(model)
    }
}

fn statement(csv: &str, settings: &Settings) -> (String, crate::pipeline::Outcome) {
    let table = lookalike_table::read(csv.as_bytes(), &lookalike_table::ReadOptions::default()).unwrap();
    let outcome = anonymize(&table, settings, &Ctx::silent()).unwrap();
    (html(outcome.exact(), settings), outcome)
}

/// Every figure that an officer is to find there stands there.
#[test]
fn it_says_what_was_done_and_what_holds() {
    let settings = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 6 }) };
    let (text, outcome) = statement(&demo::hospital(300, 7), &settings);
    let report = outcome.exact();
    assert!(report.changes.counterfeits > 0);
    for said in [
        "The audit passed",
        "m-invariance with m = 6",
        "counterfeits among them",
        "424242",
        "Lookalike ",
        &report.version,
        &format!("{:.6}", report.objective.value),
        &format!("<th scope=\"row\">Counterfeit records added</th><td>{}</td>", report.changes.counterfeits),
        &format!("told with a probability of at most {:.4}", report.disclosure.unwrap().present),
        "<th scope=\"row\">age</th><td>quasi-identifier</td><td>as ranges or sets</td><td>equal</td>",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    for check in &report.audit.checks {
        assert!(text.contains(&super::escaped(&check.name)), "{}", check.name);
    }
}

/// The bound rounded down, and the gap as a part of the loss; a search that a clock or a person had a part in says which.
#[test]
fn what_it_says_of_bound_and_repetition_is_so() {
    let settings = settings(Model::KAnonymity { k: 3 });
    let (text, outcome) = statement(&demo::hospital(60, 7), &settings);
    assert!(text.contains("none: how far the loss is from the least possible is not known"), "{text}");
    assert!(text.contains("give the same bytes again"), "{text}");
    let mut report = outcome.report;
    let bound = |of: BoundOf| {
        Some(ReportBound {
            loss: report.loss,
            value: 2.123_456_99,
            information_loss_percent: None,
            gap_percent: 12.345_61,
            proven_by: String::from("feasible duals"),
            of: String::from(of.words()),
            work: None,
        })
    };
    let (whole, blocks) = (bound(BoundOf::WholeProblem), bound(BoundOf::DecomposedProblem));
    report.bound = whole;
    let text = html(&report, &settings);
    assert!(
        text.contains("2.123456; at most 12.3457 % of the loss could be avoided; feasible duals"),
        "{text}"
    );
    report.bound = blocks;
    let text = html(&report, &settings);
    assert!(
        text.contains("2.123456 for tables that keep to the blocks of the search; others may lose less"),
        "{text}"
    );
    report.reproducible = false;
    for (budget, status, why) in [
        (Budget::Effort(1.0), Status::Cancelled, "a person ended it"),
        (Budget::Seconds(1.0), Status::Optimal, "how far a search gets in its time depends on the machine"),
        (Budget::Effort(1.0), Status::TimeLimit, "a part of the search ran into a time limit of its own"),
    ] {
        report.status = Some(status);
        let text = html(&report, &Settings { budget, ..settings.clone() });
        assert!(text.contains(&format!("the run cannot be repeated exactly: {why}")), "{text}");
    }
}

/// It stands alone, and no column's name breaks out of its cell.
#[test]
fn it_is_one_file_without_scripts_and_names_cannot_break_it() {
    let csv = demo::hospital(60, 7).replacen("age", "<script>alert(1)</script>", 1);
    let mut settings = settings(Model::KAnonymity { k: 3 });
    settings.quasi[0] = String::from("<script>alert(1)</script>");
    let (text, _) = statement(&csv, &settings);
    assert!(!text.contains("<script") && text.contains("&lt;script&gt;alert(1)"));
    assert!(!text.contains("src=") && !text.contains("href=") && !text.contains("url("));
    assert!(text.contains("default-src 'none'"));
    assert_eq!(text.matches("<table").count(), text.matches("</table>").count());
}

/// Neither labels of hierarchies nor orders are told: they are values.
#[test]
fn it_holds_no_value_of_the_table() {
    let csv: String = (0..40).fold(String::from("town,job\n"), |csv, i| {
        csv + &format!("{},{}\n", ["Xanten", "Ystad"][i % 2], ["cook", "smith", "nurse"][i % 3])
    });
    let tree =
        [["Xanten", "Germany"], ["Ystad", "Sweden"]].map(|row| row.map(String::from).to_vec()).to_vec();
    let (text, outcome) = statement(
        &csv,
        &Settings {
            quasi: vec![String::from("town")],
            sensitive: None,
            kinds: [(String::from("town"), Kind::Category)].into(),
            publish: Publish::Hierarchy,
            hierarchies: [(String::from("town"), tree)].into(),
            ..settings(Model::KAnonymity { k: 2 })
        },
    );
    assert!(outcome.report.audit.passed);
    assert!(text.contains("by a hierarchy of 1 level<"), "{text}");
    for value in ["Xanten", "Ystad", "Germany", "Sweden", "cook"] {
        assert!(!text.contains(value), "{value}");
    }
}

#[test]
fn a_failed_audit_is_said_first() {
    let settings = settings(Model::KAnonymity { k: 3 });
    let (_, mut outcome) = statement(&demo::hospital(60, 7), &settings);
    outcome.report.audit.passed = false;
    outcome.report.audit.checks[0].passed = false;
    let text = html(&outcome.report, &settings);
    assert!(text.contains("must not be published") && text.contains("<td>NO</td>"));
}

/// A table that is not k-anonymous never says that it is.
#[cfg(feature = "freeform")]
#[test]
fn rows_of_their_own_are_labelled() {
    let settings = Settings {
        method: lookalike_wire::settings::Method::DokaSortGreedy,
        ..settings(Model::KAnonymity { k: 4 })
    };
    let (text, outcome) = statement(&demo::hospital(80, 7), &settings);
    assert!(text.contains("This table is not k-anonymous") && text.contains("k-concealment with k = 4"));
    assert!(!text.contains("shares its published quasi-identifiers with at least"));
    assert!(text.contains("there are no classes") && !text.contains("the class of each record"));
    assert!(outcome.report.warnings[0].contains("not k-anonymity"));
}
