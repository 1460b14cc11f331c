//! `docs/report.schema.json` and the report say the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/schema.rs"]
mod schema;

use std::collections::BTreeSet;

use lookalike_model::{
    assessment::{ColumnUtility, Disclosure, Queries, Utility},
    job::{BoundOf, Status},
    ledger::{Ledger, Mode, Release, Vacancies},
    proof::ColumnWork,
    received::Proof,
    report::{
        Audit, Changes, Check, Classes, ColumnLevel, ConditionReport, Dialect, Formulas, FreeformReport,
        FullDomainReport, FurtherReport, HouseholdReport, InputSize, LineEnds, LinkedValues, MethodUsed,
        MissingColumn, MissingReport, Objective, PersonsReport, REPORT_VERSION, Reader, Report, ReportBound,
        ReportClaim, Risk, SampleReport, Seconds, Separator, SeriesPlace, SetReport,
    },
    sent::Searched,
    settings::{Loss, MethodName, MissingPolicy, Model, Publish, Settings},
    unchanged::{ClassesAt, Known, MinimalUniques, UnchangedColumn, UnchangedReport},
};
use lookalike_wire::ledger;
use lookalike_words::Said;
use schema::check;
use serde_json::Value;

fn by_hand() -> MethodUsed {
    let parameters =
        [("local.annealing.end", "0.02")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    MethodUsed {
        name: MethodName::Auto,
        explanation: Said::verbatim("by hand"),
        parameters: parameters.into(),
    }
}

fn known() -> Known {
    Known {
        unique_before: 4,
        unique_after: 2,
        highest: 1.0,
        mean: 0.75,
        highest_mean: 1.0,
        classes: vec![ClassesAt { highest: 1.0, classes: 1 }],
        highest_attribute_disclosure: Some(1.0),
        told_values: Some(2),
    }
}

fn persons() -> PersonsReport {
    PersonsReport {
        count: 2,
        suppressed: 1,
        min_in_class: 2,
        max_in_class: 2,
        sse_of_rows: 0.75,
        sst_of_rows: 4.5,
        linked: Some(LinkedValues { values: 4, groups: 3, largest: 2 }),
        most_rows: 3,
        largest_share: 0.6,
        alone_by_rows: 2,
        groups_told_by_rows: 1,
    }
}

fn unchanged() -> UnchangedReport {
    UnchangedReport {
        columns: vec![UnchangedColumn {
            name: String::from("cost"),
            known: known(),
            minimal_uniques: vec![1, 0],
            singled_out: 1,
        }],
        together: known(),
        minimal_uniques: MinimalUniques { largest_set: 2, rows: vec![1, 0] },
    }
}

const FORM: Dialect = Dialect {
    delimiter: Separator::Semicolon,
    bom: true,
    line_ends: LineEnds::Crlf,
    formulas: Formulas::Defuse,
};

/// One that has a figure, and one that has none.
fn conditions() -> Vec<ConditionReport> {
    let condition = |json: &str| serde_json::from_str(json).unwrap();
    let close = condition(r#"{"name":"t-closeness","t":0.2,"distance":"ordered"}"#);
    let recursive = condition(r#"{"name":"recursive-diversity","c":3,"l":2}"#);
    vec![
        ConditionReport { condition: close, reached: Some(0.1) },
        ConditionReport { condition: recursive, reached: None },
    ]
}

fn further() -> Vec<FurtherReport> {
    vec![FurtherReport {
        column: String::from("pay"),
        conditions: conditions(),
        highest_disclosure: 0.5,
        told: Some(3),
    }]
}

fn utility() -> Utility {
    Utility {
        ncp_total: Some(1.0),
        gcp_mean: Some(0.25),
        average_class_size: 2.0,
        c_avg: 1.0,
        discernibility: 8.0,
        classification_metric: Some(0.5),
        queries: Some(Queries { count: 9, dimensions: 2, mean_error: 0.5, median_error: 0.25 }),
        columns: vec![ColumnUtility {
            name: String::from("age"),
            ncp: None,
            measurable: false,
            information_loss_percent: Some(1.5),
        }],
    }
}

fn claim() -> ReportClaim {
    ReportClaim { bound: Some(0.75), of: BoundOf::WholeProblem }
}

fn objective() -> Objective {
    Objective {
        loss: Loss::Sse,
        value: 1.0,
        sse: Some(1.0),
        sst: Some(8.0),
        information_loss_percent: Some(12.5),
        ncp_total: Some(1.0),
        gcp_mean: Some(0.25),
    }
}

fn sets() -> Vec<SetReport> {
    vec![SetReport { columns: vec![String::from("age")], k: 5, smallest: 6, groups: 3 }]
}

fn drawn() -> SampleReport {
    SampleReport {
        weight: Some(String::from("weight")),
        people: 1200.0,
        left_out: 10.0,
        highest: 0.2,
        mean: 0.04,
        expected: 3.5,
        households: Some(HouseholdReport {
            column: String::from("home"),
            households: 40,
            highest: 0.4,
            mean: 0.1,
            expected: 9.0,
        }),
    }
}

fn sample(model: Model, status: Status) -> Report {
    Report {
        schema_version: REPORT_VERSION,
        input: InputSize { rows: 4, columns: 2 },
        conditions: conditions(),
        further: further(),
        sets: sets(),
        sample: Some(drawn()),
        model,
        against: Said::verbatim("somebody"),
        loss: Loss::Sse,
        method: by_hand(),
        publish: Publish::Range,
        version: String::from("0.0.0"),
        revision: 1,
        threads: 1,
        lp_backend: Some(String::from("microlp")),
        objective: objective(),
        bound: Some(ReportBound {
            loss: Loss::Sse,
            value: 0.5,
            information_loss_percent: Some(6.25),
            gap_percent: 50.0,
            proven_by: Proof::CheckedDuals { cuts: 2 }.into(),
            of: BoundOf::WholeProblem,
            work: Some(ColumnWork { enumerated: Some(3), ..ColumnWork::default() }),
        }),
        claimed: Some(claim()),
        classes: Classes {
            count: 2,
            min_size: 2,
            max_size: 2,
            median_size: 2.0,
            min_real: Some(2),
            single_real: Some(0),
        },
        persons: Some(persons()),
        changes: Changes::default(),
        missing: MissingReport {
            markers: vec![String::new()],
            columns: vec![MissingColumn {
                column: String::from("age"),
                policy: MissingPolicy::Value,
                rows: 2,
            }],
        },
        audit: Audit {
            passed: true,
            checks: vec![Check { name: Reader::Strict.into(), passed: true, finding: Said::verbatim("b") }],
            reader: Reader::Strict,
            dialect: FORM,
        },
        risk: Risk {
            smallest_group: 2,
            highest_reidentification: 0.5,
            mean_reidentification: 0.5,
            highest_attribute_disclosure: Some(0.5),
            highest_known_disclosure: Some(0.75),
            highest_alike_disclosure: Some(0.8),
            ..Risk::default()
        },
        unchanged: Some(unchanged()),
        disclosure: Some(Disclosure {
            promised: 0.5,
            present: 0.6,
            present_known: Some(0.9),
            above: 2,
            suspects: 1,
            certainly_real: 1,
            absent_values: Some(1),
        }),
        utility: utility(),
        seconds: Seconds::default(),
        status: Some(status),
        reproducible: true,
        warnings: vec![Said::verbatim("c")],
        series: Some(SeriesPlace { release: 2, mode: Mode::TauSafety, vacancies: Vacancies::Counterfeits }),
        freeform: Some(FreeformReport {
            guarantee: Said::verbatim("d"),
            least_matches: 3,
            smallest_group: 1,
        }),
        full_domain: Some(FullDomainReport {
            columns: vec![ColumnLevel { column: "age".into(), level: 1, highest: 4 }],
            suppressed: 2,
            most_suppressed: 3,
            price: 1.0,
            cost: 4.5,
            bound: None,
            nodes: 10,
            looked_at: 3,
            complete: false,
        }),
        searched: Some(Searched::Worker),
        table_sha256: Some("0".repeat(64)),
    }
}

#[test]
fn the_schema_describes_the_report() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let infeasible = Status::Infeasible { why: Said::verbatim("d") };
    for report in
        [sample(Model::MInvariance { m: 2 }, Status::Optimal), sample(Model::KAnonymity { k: 2 }, infeasible)]
    {
        let json = serde_json::to_value(&report).unwrap();
        check(&json, &schema, "report");
        let back: Report = serde_json::from_value(json).unwrap();
        assert_eq!(back, report);
    }
}

/// What earlier reports say in words alone is still read, and still a report by the schema.
#[test]
fn the_words_of_earlier_reports_are_read() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let report = sample(Model::MInvariance { m: 2 }, Status::Optimal);
    let mut json = serde_json::to_value(&report).unwrap();
    json["against"] = Value::from("somebody");
    json["warnings"] = Value::from(vec!["c"]);
    check(&json, &schema, "report");
    assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
}

/// Whether a list of names in a schema is that of a type, whose other values would be reports that no schema admits.
#[test]
fn the_schema_has_every_method() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let listed = schema["properties"]["method"]["properties"]["name"]["enum"].as_array().unwrap();
    let listed: BTreeSet<&str> = listed.iter().filter_map(Value::as_str).collect();
    assert_eq!(listed, MethodName::ALL.map(MethodName::name).into_iter().collect());
    let openapi: Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
    let methods = openapi["components"]["schemas"]["MethodName"].to_string();
    for method in MethodName::ALL {
        assert!(methods.contains(&format!("\"{}\"", method.name())), "{}", method.name());
    }
}

#[test]
fn the_schema_describes_the_ledger() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/ledger.schema.json")).unwrap();
    let settings = Settings::of(Model::MInvariance { m: 2 });
    let mut ledger = Ledger::new(String::from("0f"), String::from("id"), Mode::TauSafety, &settings);
    let release = Release {
        hash: String::from("ab"),
        rows: 2,
        counterfeits: vec![1],
        version: String::from("0.1.0"),
        ..Release::default()
    };
    let signature = ["a", "b"].map(String::from);
    ledger.add(release, [("p", "a", &signature[..])].into_iter());
    let mut json: Value = serde_json::from_slice(&ledger::write(&ledger).unwrap()).unwrap();
    let first = String::from_utf8(ledger::write(&ledger).unwrap()).unwrap();
    assert!(first.starts_with("{\"do not publish\":"), "the first field");
    // The settings have a schema of their own, that of the configuration.
    json["ledger"]["settings"] = Value::Object(serde_json::Map::new());
    check(&json, &schema, "ledger");
}
