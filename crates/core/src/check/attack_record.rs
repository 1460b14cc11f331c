//! What attacks reached as data for programs: one record, whichever door they were asked through.

use lookalike_audit::attacks::{Attacked, Attacks, Interval, Outcome, Rate};
use lookalike_words::{Message as _, Said};
use serde_json::{Value, json};

use super::tell_attacks;

/// The attacks for programs; `docs/checks.md` says what the figures mean. Rates and shares are from 0 to 1. `say` writes a message: as an
/// object with its arguments, or in the words of the interface.
#[must_use]
pub fn attack_record(wanted: &Attacks, found: &Attacked, say: impl Fn(&Said) -> Value) -> Value {
    let left_out =
        found.left_out.iter().map(|(column, why)| json!({ "column": column, "why": say(&why.said()) }));
    let foreign = found.foreign.iter().map(|(column, rows)| json!({ "column": column, "rows": rows }));
    let findings = tell_attacks(found).into_iter().filter_map(|line| line.said);
    json!({
        "seed": wanted.seed,
        "confidence": found.confidence,
        "neighbours": wanted.neighbours,
        "tolerance": wanted.tolerance,
        "columns": found.columns,
        "secret": found.secret,
        "control_rows": found.control,
        "left_out": left_out.collect::<Vec<_>>(),
        "unknown_labels": foreign.collect::<Vec<_>>(),
        "singling_out": {
            "univariate": outcome(&found.univariate),
            "multivariate": found.multivariate.as_ref().map(|(columns, of)| with(outcome(of), &[("columns", json!(columns))])),
        },
        "linkability": found.linkability.as_ref().map(|linked| {
            with(outcome(&linked.outcome), &[("first", json!(linked.first)), ("second", json!(linked.second))])
        }),
        "inference": found.inference.as_ref().map(outcome),
        "findings": findings.map(|said| say(&said)).collect::<Vec<_>>(),
    })
}

fn with(mut object: Value, more: &[(&str, Value)]) -> Value {
    for (name, value) in more {
        object[*name] = value.clone();
    }
    object
}

fn outcome(of: &Outcome) -> Value {
    json!({
        "asked": of.asked,
        "main": rate(&of.main),
        "control": of.control.as_ref().map(rate),
        "naive": rate(&of.naive),
        "residual_risk": of.residual.as_ref().map(interval),
    })
}

fn rate(rate: &Rate) -> Value {
    json!({
        "attacks": rate.attacks,
        "successes": rate.successes,
        "rate": rate.share(),
        "wilson": interval(&rate.wilson),
    })
}

fn interval(of: &Interval) -> Value {
    json!({ "value": of.value, "low": of.low, "high": of.high })
}
