//! The findings about a series for programs.

use std::collections::BTreeMap;

use lookalike_core::audit::{
    ClassName,
    series::{Attack, Evidence, Step, Trace, Verdict},
};
use serde_json::{Map, Value, json};

use super::super::json::{check, finding};
use crate::exit::Failure;

pub(super) fn tell(verdict: &Verdict, evidence: Evidence) -> Result<String, Failure> {
    let releases = verdict.releases.iter().map(|release| {
        json!({
            "passed": release.passed,
            "findings": release.findings.iter().map(finding).collect::<Vec<_>>(),
            "notes": release.notes.iter().map(check).collect::<Vec<_>>(),
        })
    });
    let answer = json!({
        "passed": verdict.passed,
        "model": verdict.model.name(),
        "m": verdict.m,
        "evidence": match evidence {
            Evidence::Alone => "releases alone",
            Evidence::Sources { .. } => "sources",
            Evidence::Ledger(_) => "ledger",
        },
        "releases": releases.collect::<Vec<_>>(),
        "checks": verdict.checks.iter().map(check).collect::<Vec<_>>(),
        "attack": verdict.attack.as_ref().map(attack),
    });
    let text = serde_json::to_string_pretty(&answer);
    Ok(text.map_err(|e| Failure::json(&e))? + "\n")
}

fn attack(attack: &Attack) -> Value {
    json!({
        "individuals": attack.individuals,
        "tuples": attack.tuples,
        "changed": attack.changed,
        "returned": attack.returned,
        "tuples_by_values_left": by_number(&attack.left),
        "individuals_by_values_left_to_believer": by_number(&attack.believer.left),
        "traces": attack.traces.iter().map(trace).collect::<Vec<_>>(),
    })
}

fn by_number(left: &BTreeMap<usize, usize>) -> Value {
    Value::Object(left.iter().map(|(values, of)| (values.to_string(), json!(of))).collect::<Map<_, _>>())
}

fn trace(trace: &Trace) -> Value {
    json!({ "individual": trace.individual, "steps": trace.steps.iter().map(step).collect::<Vec<_>>() })
}

fn step(step: &Step) -> Value {
    json!({
        "release": step.release,
        "value": step.value,
        "classes": step.classes.iter().map(class).collect::<Vec<_>>(),
        "published": step.published,
        "left": step.left,
        "left_at_least": step.at_least,
        "left_to_believer": step.left_to_believer,
    })
}

/// A class by its label as it stands, or by what its rows share.
fn class(name: &ClassName) -> String {
    match name {
        ClassName::Label(label) => label.clone(),
        ClassName::Alike(cells) => {
            let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            cells.join(", ")
        }
        ClassName::Suppressed => String::from("suppressed rows"),
    }
}
