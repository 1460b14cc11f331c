//! Kinds of ours and types of Frictionless.

use lookalike_model::settings::Kind;
use serde_json::{Map, Value};

/// Type and format of Frictionless for a kind of ours.
pub(crate) fn frictionless(kind: &Kind) -> (&'static str, Option<String>) {
    match kind {
        Kind::Integer => ("integer", None),
        Kind::Real | Kind::Number => ("number", None),
        // "default" would promise ISO 8601.
        Kind::Date | Kind::DateDmy | Kind::DateMdy => ("date", Some(String::from("any"))),
        Kind::DateAs(format) if of_strptime(format) => {
            let time = ["%H", "%I", "%-H", "%-I", "%T", "%R"].iter().any(|letter| format.contains(letter));
            (if time { "datetime" } else { "date" }, Some(format.to_string()))
        }
        // Quarters and centuries are ours.
        Kind::DateAs(_) | Kind::Category | Kind::Ordinal => ("string", None),
    }
}

/// Whether a format has letters that Frictionless takes from Python, and nothing else that it does not know.
fn of_strptime(format: &str) -> bool {
    let letters = format.split('%').skip(1).map(|rest| rest.chars().next());
    !format.contains(" from ") && letters.flatten().all(|letter| "YmdbBHIMSfpz".contains(letter))
}

/// What a field's type says of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Implied {
    /// This kind.
    Kind(Kind),
    /// Nothing: the cells decide.
    Nothing,
    /// Nothing that is known here; the cells decide, and the user should know.
    Unknown,
}

/// The kind that a field's type and format imply.
pub(crate) fn implied(field: &Map<String, Value>) -> Implied {
    let text = |name: &str| field.get(name).and_then(Value::as_str);
    match (text("type"), text("format").unwrap_or("default")) {
        (None | Some("any"), _) => Implied::Nothing,
        (Some("integer" | "year"), _) => Implied::Kind(Kind::Integer),
        (Some("number"), _) => {
            // A stated decimal point may forbid the decimal comma that `real` would prefer.
            let stated = text("decimalChar").is_some() || text("groupChar").is_some();
            Implied::Kind(if stated && text("decimalChar") != Some(",") { Kind::Number } else { Kind::Real })
        }
        (Some("date"), "default" | "any" | "%Y-%m-%d" | "%Y/%m/%d" | "%Y%m%d")
        | (Some("datetime"), "default" | "any")
        | (Some("yearmonth"), _) => Implied::Kind(Kind::Date),
        (Some("date"), "%d.%m.%Y" | "%d/%m/%Y" | "%d-%m-%Y") => Implied::Kind(Kind::DateDmy),
        (Some("date"), "%m.%d.%Y" | "%m/%d/%Y" | "%m-%d-%Y") => Implied::Kind(Kind::DateMdy),
        (Some("date" | "datetime"), format) if format.contains('%') && of_strptime(format) => {
            Implied::Kind(Kind::DateAs(format.into()))
        }
        (Some("string" | "boolean"), _) => Implied::Kind(Kind::Category),
        _ => Implied::Unknown,
    }
}
