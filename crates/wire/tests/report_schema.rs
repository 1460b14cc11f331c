//! `docs/report.schema.json` and the report say the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_wire::{
    assessment::{ColumnUtility, Disclosure, Queries, Utility},
    job::Status,
    ledger::{self, Ledger, Mode, Release},
    proof::ColumnWork,
    report::{
        Audit, Changes, Check, Classes, FreeformReport, InputSize, MethodUsed, MissingColumn, MissingReport,
        Objective, REPORT_VERSION, Report, ReportBound, Risk, Seconds, SeriesPlace,
    },
    sent::Searched,
    settings::{Loss, Method, MissingPolicy, Model, Publish, Settings},
};
use serde_json::Value;

fn sample(model: Model, status: Status) -> Report {
    Report {
        schema_version: REPORT_VERSION,
        input: InputSize { rows: 4, columns: 2 },
        model,
        loss: Loss::Sse,
        method: MethodUsed { name: Method::Auto, explanation: String::from("by hand") },
        publish: Publish::Range,
        version: String::from("0.0.0"),
        threads: 1,
        lp_backend: Some(String::from("microlp")),
        objective: Objective {
            loss: Loss::Sse,
            value: 1.0,
            sse: 1.0,
            sst: 8.0,
            information_loss_percent: 12.5,
            ncp_total: 1.0,
            gcp_mean: 0.25,
        },
        bound: Some(ReportBound {
            loss: Loss::Sse,
            value: 0.5,
            information_loss_percent: Some(6.25),
            gap_percent: 50.0,
            proven_by: String::from("hand"),
            of: String::from("whole problem"),
            work: Some(ColumnWork { enumerated: Some(3), ..ColumnWork::default() }),
        }),
        classes: Classes {
            count: 2,
            min_size: 2,
            max_size: 2,
            median_size: 2.0,
            min_real: 2,
            single_real: 0,
        },
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
            checks: vec![Check { name: String::from("a"), passed: true, finding: String::from("b") }],
        },
        risk: Risk {
            smallest_group: 2,
            highest_reidentification: 0.5,
            mean_reidentification: 0.5,
            highest_attribute_disclosure: Some(0.5),
            highest_known_disclosure: Some(0.75),
            ..Risk::default()
        },
        disclosure: Some(Disclosure {
            promised: 0.5,
            present: 0.6,
            above: 2,
            suspects: 1,
            certainly_real: 1,
            absent_values: Some(1),
        }),
        utility: Utility {
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
                information_loss_percent: 1.5,
            }],
        },
        seconds: Seconds::default(),
        status,
        reproducible: true,
        warnings: vec![String::from("c")],
        series: Some(SeriesPlace { release: 2, mode: Mode::TauSafety }),
        freeform: Some(FreeformReport { guarantee: String::from("d"), least_matches: 3, smallest_group: 1 }),
        searched: Some(Searched::Worker),
    }
}

/// Every field must be described, every required one present, every value of a permitted type or name.
fn check(value: &Value, schema: &Value, at: &str) {
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value} is not among {allowed:?}");
        return;
    }
    if !schema["const"].is_null() {
        assert_eq!(value, &schema["const"], "{at}");
        return;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |t: &Value| t == kind || (t == "number" && kind == "integer");
    let types = &schema["type"];
    assert!(
        is(types) || types.as_array().is_some_and(|all| all.iter().any(is)),
        "{at} is {kind}, not {types}"
    );
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let named = &schema["properties"][name];
                let described = if named.is_null() { &schema["additionalProperties"] } else { named };
                assert!(described.is_object(), "{at}.{name} is not described");
                check(field, described, &format!("{at}.{name}"));
            }
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(fields.contains_key(name.as_str().unwrap()), "{at} lacks {name}");
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check(item, &schema["items"], at)),
        _ => {}
    }
}

#[test]
fn the_schema_describes_the_report() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let infeasible = Status::Infeasible { why: String::from("d") };
    for report in
        [sample(Model::MInvariance { m: 2 }, Status::Optimal), sample(Model::KAnonymity { k: 2 }, infeasible)]
    {
        let json = serde_json::to_value(&report).unwrap();
        check(&json, &schema, "report");
        let back: Report = serde_json::from_value(json).unwrap();
        assert_eq!(back, report);
    }
}

#[test]
fn the_schema_describes_the_ledger() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/ledger.schema.json")).unwrap();
    let settings = Settings::of(Model::MInvariance { m: 2 });
    let mut ledger = Ledger::new(String::from("0f"), String::from("id"), Mode::TauSafety, &settings);
    let release =
        Release { hash: String::from("ab"), rows: 2, counterfeits: vec![1], version: String::from("0.1.0") };
    let signature = ["a", "b"].map(String::from);
    ledger.add(release, [("p", "a", &signature[..])].into_iter());
    let mut json: Value = serde_json::from_slice(&ledger::write(&ledger).unwrap()).unwrap();
    let first = String::from_utf8(ledger::write(&ledger).unwrap()).unwrap();
    assert!(first.starts_with("{\"do not publish\":"), "the first field");
    // The settings have a schema of their own, that of the configuration.
    json["ledger"]["settings"] = Value::Object(serde_json::Map::new());
    check(&json, &schema, "ledger");
}
