//! What is recorded of a step: digests of what it wrote, and figures of its report.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Step;
use crate::program::Folder;

/// Figures by their names; what is `null` is left out.
pub type Figures = BTreeMap<String, Value>;

/// The name of the digest of whatever else is in the report.
pub const REST: &str = "rest of the report";

/// The gap between bound and loss.
const GAP: &str = "bound, gap in per cent";

/// The bound of a certificate.
const CERTIFIED: &str = "certificate, bound";

/// Figures of the report, and where they are.
const REPORTED: [(&str, &str); 18] = [
    ("loss", "/objective/value"),
    ("sse", "/objective/sse"),
    ("ncp", "/objective/ncp_total"),
    ("bound", "/bound/value"),
    (GAP, "/bound/gap_percent"),
    ("bound of", "/bound/of"),
    ("status", "/status/name"),
    ("classes", "/classes/count"),
    ("classes, smallest", "/classes/min_size"),
    ("classes, largest", "/classes/max_size"),
    ("counterfeits", "/changes/counterfeits"),
    ("deletions", "/changes/deletions"),
    ("suppressed", "/changes/suppressed"),
    ("suppressed for loss", "/changes/suppressed_for_loss"),
    ("audit passed", "/audit/passed"),
    ("rows", "/input/rows"),
    ("risk, smallest group", "/risk/smallest_group"),
    ("freeform, least matches", "/freeform/least_matches"),
];

/// What differs from machine to machine, and from version to version.
const PASSING: [&str; 3] = ["/seconds", "/threads", "/version"];

/// What tells the steps of column generation, which also finds the prices of the general programme: they hang on the last
/// digits of the solver of its master, which are not the same on all machines.
const STEPS: [&str; 3] = ["/method/explanation", "/bound/work", "/bound/proven_by"];

/// Whether a figure is the same wherever the search was: what is proven, and how it is told, is of the one who proves it.
pub fn is_of_the_release(name: &str) -> bool {
    !["status", REST].contains(&name) && !name.starts_with("bound") && !name.starts_with("certificate")
}

/// SHA-256 of bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// SHA-256 of a ledger without the version of the program, which its checksum is about as well.
pub fn digest_of_ledger(bytes: &[u8]) -> String {
    let mut file: Value = serde_json::from_slice(bytes).unwrap();
    let mut ledger = file["ledger"].take();
    for release in ledger["releases"].as_array_mut().expect("a ledger has releases") {
        take(release, "/version");
    }
    digest(rounded(&ledger).to_string().as_bytes())
}

/// Figures of a step that was carried out in a folder, and the rest of its report.
pub fn of(folder: &Folder, step: &Step) -> (Figures, String) {
    let mut report = folder.json(&step.file("report.json"));
    let mut figures: Vec<(&str, Value)> =
        REPORTED.iter().map(|(name, at)| (*name, figure(name, &take(&mut report, at)))).collect();
    for name in ["out.csv", "classes.csv"] {
        figures.push((name, json!(digest(&folder.read(&step.file(name))))));
    }
    if folder.path().join("ledger.json").exists() {
        figures.push(("ledger.json", json!(digest_of_ledger(&folder.read("ledger.json")))));
    }
    if folder.path().join("certificate.json").exists() {
        let mut certificate = folder.json("certificate.json");
        figures.push((CERTIFIED, figure(CERTIFIED, &take(&mut certificate, "/bound"))));
        figures.push(("certificate, duals", json!(certificate["duals"].as_array().map(Vec::len))));
    }
    let by_columns = ["column-generation", "programme"].iter().any(|name| report["method"]["name"] == *name);
    for at in PASSING.into_iter().chain(STEPS.into_iter().filter(|_| by_columns)) {
        take(&mut report, at);
    }
    // It stands beside the record.
    if let Some(report) = report.as_object_mut() {
        report.remove("revision");
    }
    let rest = serde_json::to_string_pretty(&rounded(&report)).unwrap() + "\n";
    figures.push((REST, json!(digest(rest.as_bytes()))));
    let figures = figures.into_iter().filter(|(_, value)| !value.is_null());
    (figures.map(|(name, value)| (name.to_owned(), value)).collect(), rest)
}

/// A figure as it is recorded: what is proven by a solver that rounds is recorded to fewer digits, and its gap to some
/// decimals, since it may be all rounding.
fn figure(name: &str, value: &Value) -> Value {
    match (name, value.as_f64()) {
        (GAP, Some(gap)) => json!((gap * 1e4).round() / 1e4),
        ("bound" | CERTIFIED, Some(bound)) => json!(to_digits(bound, 7)),
        _ => rounded(value),
    }
}

/// A number to so many digits.
fn to_digits(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits - 1).parse().unwrap()
}

/// Takes a value out and leaves `null`.
fn take(value: &mut Value, at: &str) -> Value {
    value.pointer_mut(at).map(Value::take).unwrap_or_default()
}

/// The same with fields in the order of their names, and numbers that are not whole to ten digits.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => json!(to_digits(number.as_f64().unwrap(), 10)),
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, Value> =
                fields.iter().map(|(name, value)| (name, rounded(value))).collect();
            json!(sorted)
        }
        other => other.clone(),
    }
}

/// Figures that are not as recorded, a line each.
pub fn differences(recorded: &Figures, found: &Figures, looked_at: impl Fn(&str) -> bool) -> Vec<String> {
    let names: BTreeSet<&String> = recorded.keys().chain(found.keys()).collect();
    let value = |of: &Figures, name: &str| of.get(name).cloned().unwrap_or_default();
    let different = names.into_iter().filter(|name| looked_at(name.as_str())).filter_map(|name| {
        let (recorded, found) = (value(recorded, name), value(found, name));
        (recorded != found).then(|| format!("{name} is {found}, recorded as {recorded}"))
    });
    different.collect()
}
