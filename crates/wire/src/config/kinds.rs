//! Kinds of ours and types of Frictionless.

use serde_json::{Map, Value};

/// Type and format of Frictionless for a kind of ours.
pub(crate) fn frictionless(kind: &str) -> Option<(&'static str, Option<&'static str>)> {
    match kind {
        "integer" => Some(("integer", None)),
        "real" | "number" => Some(("number", None)),
        // "default" would promise ISO 8601.
        "date" | "date-dmy" | "date-mdy" => Some(("date", Some("any"))),
        "category" | "ordinal" => Some(("string", None)),
        _ => None,
    }
}

/// What a field's type says of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implied {
    /// This kind.
    Kind(&'static str),
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
        (Some("integer" | "year"), _) => Implied::Kind("integer"),
        (Some("number"), _) => {
            // A stated decimal point may forbid the decimal comma that `real` would prefer.
            let stated = text("decimalChar").is_some() || text("groupChar").is_some();
            Implied::Kind(if stated && text("decimalChar") != Some(",") { "number" } else { "real" })
        }
        (Some("date"), "default" | "any" | "%Y-%m-%d" | "%Y/%m/%d" | "%Y%m%d") => Implied::Kind("date"),
        (Some("date"), "%d.%m.%Y" | "%d/%m/%Y" | "%d-%m-%Y") => Implied::Kind("date-dmy"),
        (Some("date"), "%m.%d.%Y" | "%m/%d/%Y" | "%m-%d-%Y") => Implied::Kind("date-mdy"),
        (Some("string" | "boolean"), _) => Implied::Kind("category"),
        _ => Implied::Unknown,
    }
}
