//! From a draft to the text of a file.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    BY_COLUMN, CONFIG_VERSION, Draft, READING, Reading,
    kinds::{Implied, frictionless, implied},
    linked,
};

/// What a file with values says of itself.
const WITH_VALUES: &str = "This file holds values of the table (orders of values, hierarchies, domains of labels, values with costs or a \
                           preference of their own): whoever reads it knows which values may occur. Share it \
                           accordingly.";

/// What a file without values says of itself.
const WITHOUT_VALUES: &str = "This file holds names of columns and settings, but no values of the table.";

#[derive(Serialize)]
struct Document {
    fields: Vec<Field>,
    #[serde(rename = "missingValues", skip_serializing_if = "Option::is_none")]
    missing_values: Option<Value>,
    lookalike: Map<String, Value>,
}

#[derive(Serialize)]
struct Field {
    name: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    lookalike: Map<String, Value>,
}

/// The text of a configuration file: a Frictionless Table Schema, indented, with a note that says whether it holds
/// values of the table. [`super::read`] gives the draft back.
#[must_use]
pub fn write(draft: &Draft) -> String {
    // Texts, finite numbers and maps with texts as keys: serde_json cannot fail on them.
    let settings = serde_json::to_value(&draft.settings).unwrap_or_default();
    let fields: Vec<Field> = draft.columns().into_iter().map(|name| field(draft, &settings, name)).collect();
    let of_columns = fields.iter().any(|f| holds_values(&f.lookalike));
    let note = if of_columns || changes_name_values(draft) { WITH_VALUES } else { WITHOUT_VALUES };
    let mut own = Map::from_iter([
        (String::from("note"), json!(note)),
        (String::from("version"), json!(CONFIG_VERSION)),
    ]);
    let mut missing_values = None;
    for (name, value) in settings.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("quasi" | "sensitive" | "keep" | "unchanged", _) => {}
            ("missing", Value::Object(missing)) => {
                missing_values = missing.get("markers").cloned();
                let policies =
                    missing.iter().filter(|(name, _)| !matches!(name.as_str(), "markers" | "columns"));
                let policies: Map<String, Value> = policies.map(|(n, v)| (n.clone(), v.clone())).collect();
                if !policies.is_empty() {
                    own.insert(name.clone(), Value::Object(policies));
                }
            }
            (of, _) if BY_COLUMN.iter().any(|(name, _)| *name == of) => {}
            _ => {
                own.insert(name.clone(), value.clone());
            }
        }
    }
    let reading = draft.reading.clone().said();
    if reading != Reading::default() {
        own.insert(String::from(READING), json!(reading));
    }
    let file = Document { fields, missing_values, lookalike: own };
    // Texts, numbers and maps with texts as keys: serde_json cannot fail on them.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

/// Whether a field tells values that may occur: an order, labels of a domain, a hierarchy that is not in a file of its own.
fn holds_values(field: &Map<String, Value>) -> bool {
    let labels = field.get("domain").is_some_and(Value::is_array);
    labels
        || field.contains_key("order")
        || field.get("hierarchy").is_some_and(|of| linked::file(of).is_none())
}

/// Whether sensitive values are named, as preferred or with costs of their own.
fn changes_name_values(draft: &Draft) -> bool {
    let changes = &draft.settings.changes;
    let filled = |of: &Option<BTreeMap<String, u64>>| of.as_ref().is_some_and(|of| !of.is_empty());
    changes.prefer.as_ref().is_some_and(|prefer| !prefer.is_empty())
        || filled(&changes.costs.add_of)
        || filled(&changes.costs.delete_of)
}

fn field(draft: &Draft, settings: &Value, name: String) -> Field {
    let mut own = Map::new();
    if let Some((_, role)) = draft.roles().into_iter().find(|(of, _)| *of == name) {
        own.insert(String::from("role"), json!(role));
    }
    for (setting, property) in BY_COLUMN {
        if let Some(value) = settings.get(*setting).and_then(|map| map.get(&name)) {
            own.insert((*property).to_owned(), value.clone());
        }
    }
    if let Some(policy) = draft.settings.missing.columns.get(&name) {
        own.insert(String::from("missing"), json!(policy));
    }
    let kind = draft.settings.kinds.get(&name);
    let typed = match (kind, own.contains_key("order")) {
        (Some(kind), _) => Some(frictionless(kind)),
        (None, true) => Some(("string", None)),
        (None, false) => None,
    };
    let (typed, format) = typed.map_or((None, None), |(typed, format)| (Some(typed), format));
    // The type says it all, where it is read back as this kind.
    let schema =
        Map::from_iter([(String::from("type"), json!(typed)), (String::from("format"), json!(format))]);
    let says_all =
        matches!((implied(&schema), kind), (Implied::Kind(implied), Some(kind)) if implied == *kind);
    if says_all && !own.contains_key("order") {
        own.remove("kind");
    }
    Field { name, kind: typed, format, lookalike: own }
}
