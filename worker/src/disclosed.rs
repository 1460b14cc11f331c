//! What counterfeits and deletions disclose, in words and as JSON.

use lookalike_core::{audit::disclosure::Informed as Told, disclosure::ways};
use lookalike_wire::{
    assessment::{Disclosure, Informed},
    report::Report,
};
use serde_json::{Value, json};

/// What each way to m would disclose, from the counts alone.
pub(crate) fn json(counts: &[u64], m: u64) -> Value {
    let ways = ways(counts, m);
    let told = |told: Option<Told>| told.map(|t| json!({ "present": t.present, "absent": t.absent }));
    json!({ "add": told(ways.add), "delete": told(ways.delete), "hybrid": told(ways.hybrid) })
}

/// One line about a repaired table; none if nothing is disclosed beyond 1/m.
pub(crate) fn line(disclosure: &Disclosure) -> Option<String> {
    let mut parts = Vec::new();
    if disclosure.above > 0 {
        parts.push(format!(
            "{} records are in classes where somebody who knows the method may tell a person's value with a probability \
             above 1/m = {:.4}, in the worst case {:.4}; records of a class that are certainly real: {} or more",
            disclosure.above, disclosure.promised, disclosure.present, disclosure.certainly_real
        ));
    }
    match disclosure.absent_values {
        Some(1) => {
            parts.push(String::from("whoever was deleted is known to have held the one most frequent value"));
        }
        Some(values) => parts.push(format!("whoever was deleted held one of {values} values")),
        None => {}
    }
    (!parts.is_empty()).then(|| format!("disclosure: {}", parts.join("; ")))
}

/// One line for the data holder alone; none if nothing was changed.
pub(crate) fn informed(report: &Report, informed: &Informed) -> Option<String> {
    if report.changes.counterfeits + report.changes.deletions == 0 {
        return None;
    }
    let absent = informed
        .absent
        .map_or_else(String::new, |absent| format!("; of a person who was deleted with {absent:.4}"));
    Some(format!(
        "for you alone: who also knows how often each value was changed tells the value of a person in a class with a \
         probability of {:.4}{absent}",
        informed.present
    ))
}
