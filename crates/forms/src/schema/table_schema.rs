//! Frictionless Table Schema, by its specification (version 2).

use serde_json::{Value, json};

use super::{Field, Kind};

pub(super) fn text(fields: &[Field]) -> String {
    let field = |field: &Field| {
        let of = match field.kind {
            Kind::Whole => "integer",
            Kind::Real => "number",
            Kind::Day => "date",
            Kind::Text => "string",
        };
        let mut about = json!({ "name": field.column.name, "type": of });
        if !field.label.is_empty() {
            about["description"] = Value::from(field.label);
        }
        about
    };
    let schema = json!({
        "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
        "fields": fields.iter().map(field).collect::<Vec<_>>(),
        "missingValues": [""],
    });
    format!("{schema:#}\n")
}
