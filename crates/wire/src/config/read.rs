//! From the text of a file to a draft.

use std::collections::BTreeSet;

use lookalike_model::settings::{Model, Role, Settings};
use serde_json::{Map, Value, json};

use super::{
    BY_COLUMN, CONFIG_VERSION, Draft, Error, NAMESPACE, before,
    kinds::{Implied, implied},
    linked,
};

/// What a file says, and what of it was passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// What it says.
    pub draft: Draft,
    /// Properties of Frictionless that have no meaning here, for people.
    pub notes: Vec<String>,
}

/// Reads a configuration: a Frictionless Table Schema, with or without our property.
///
/// # Errors
/// If the text is no JSON, no table schema, or says something of ours that is not known or not of its type; with the
/// path of the property.
pub fn read(text: &str) -> Result<Loaded, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root: Value = serde_json::from_str(text).map_err(|e| Error::at("", format!("no JSON: {e}")))?;
    let root = object(&root, "")?;
    let mut reader = Reader::new()?;
    let Some(fields) = root.get("fields") else {
        let hint = if root.contains_key("resources") {
            "; this is a data package: take the schema of one resource"
        } else {
            ""
        };
        return Err(Error::at("fields", format!("missing: a table schema lists its columns here{hint}")));
    };
    let fields = fields.as_array().ok_or_else(|| Error::at("fields", "must be a list"))?;
    for (at, field) in fields.iter().enumerate() {
        reader.field(field, &format!("fields[{at}]"))?;
    }
    for (name, value) in root {
        match name.as_str() {
            "fields" => {}
            "missingValues" => reader.markers(value)?,
            NAMESPACE => reader.schema(value)?,
            other => reader.notes.push(format!("{other}: ignored")),
        }
    }
    reader.end()
}

/// Settings as they are serialised, into which one value after the other is put to see whether it fits.
fn template() -> Result<Map<String, Value>, Error> {
    let minimal = json!({ "quasi": [], "sensitive": null, "model": Model::KAnonymity { k: 2 } });
    let settings: Result<Settings, _> = serde_json::from_value(minimal);
    let value = settings.and_then(serde_json::to_value);
    match value.map_err(|e| Error::at("", e.to_string()))? {
        Value::Object(template) => Ok(template),
        _ => Ok(Map::new()),
    }
}

struct Reader {
    template: Map<String, Value>,
    /// What the file says, each of which was seen to fit.
    settings: Map<String, Value>,
    identifiers: Vec<String>,
    names: BTreeSet<String>,
    /// Markers and general policies for missing cells.
    missing: Map<String, Value>,
    /// Policies by column.
    policies: Map<String, Value>,
    notes: Vec<String>,
}

impl Reader {
    fn new() -> Result<Self, Error> {
        Ok(Self {
            template: template()?,
            settings: Map::new(),
            identifiers: Vec::new(),
            names: BTreeSet::new(),
            missing: Map::new(),
            policies: Map::new(),
            notes: Vec::new(),
        })
    }

    fn end(mut self) -> Result<Loaded, Error> {
        if !self.policies.is_empty() {
            self.missing.insert(String::from("columns"), Value::Object(self.policies));
        }
        if !self.missing.is_empty() {
            self.settings.insert(String::from("missing"), Value::Object(self.missing));
        }
        let settings = serde_json::from_value(Value::Object(self.settings));
        let settings = settings.map_err(|e| Error::at("", e.to_string()))?;
        Ok(Loaded { draft: Draft { settings, identifiers: self.identifiers }, notes: self.notes })
    }

    fn field(&mut self, field: &Value, path: &str) -> Result<(), Error> {
        let field = object(field, path)?;
        let name = match field.get("name") {
            Some(Value::String(name)) => name.trim().to_owned(),
            _ => {
                return Err(Error::at(
                    format!("{path}.name"),
                    "missing: every field needs the name of a column",
                ));
            }
        };
        if !self.names.insert(name.clone()) {
            return Err(Error::at(format!("{path}.name"), format!("\"{name}\" has a field already")));
        }
        let empty = Map::new();
        let own_path = format!("{path}.{NAMESPACE}");
        let own = field.get(NAMESPACE).map_or(Ok(&empty), |own| object(own, &own_path))?;
        for (property, value) in own {
            let at = format!("{own_path}.{property}");
            match property.as_str() {
                "role" => self.role(&name, value, &at)?,
                "missing" => {
                    let policy = json!({ "columns": { &name: value } });
                    self.fits("missing", &policy, &at)?;
                    self.policies.insert(name.clone(), value.clone());
                }
                other => {
                    let Some((setting, _)) = BY_COLUMN.iter().find(|(_, own)| *own == other) else {
                        let known = BY_COLUMN.iter().map(|(_, own)| *own);
                        let known: Vec<&str> = ["role", "missing"].into_iter().chain(known).collect();
                        return Err(unknown(&at, &known));
                    };
                    self.by_column(setting, &name, value, &at)?;
                }
            }
        }
        let said = own.contains_key("kind") || own.contains_key("order");
        match implied(field) {
            Implied::Kind(kind) if !said => self.by_column("kinds", &name, &json!(kind), path)?,
            Implied::Unknown if !said => {
                self.notes.push(format!("{path}.type: the cells decide what they are"));
            }
            _ => {}
        }
        for property in field.keys() {
            match property.as_str() {
                "name" | "type" | "format" | "decimalChar" | "groupChar" | NAMESPACE => {}
                "missingValues" => {
                    let what = "markers of one column alone are not supported: list them in the schema's missingValues";
                    return Err(Error::at(format!("{path}.missingValues"), what));
                }
                other => self.notes.push(format!("{path}.{other}: ignored")),
            }
        }
        Ok(())
    }

    fn role(&mut self, name: &str, value: &Value, path: &str) -> Result<(), Error> {
        let role: Role = serde_json::from_value(value.clone()).map_err(|e| Error::at(path, e.to_string()))?;
        let list = match role {
            Role::QuasiIdentifier => "quasi",
            Role::Keep => "keep",
            Role::Identifier => {
                self.identifiers.push(name.to_owned());
                return Ok(());
            }
            Role::Sensitive => {
                if let Some(other) = self.settings.get("sensitive").and_then(Value::as_str) {
                    let what = format!("\"{other}\" is sensitive already: one column can be protected");
                    return Err(Error::at(path, what));
                }
                self.settings.insert(String::from("sensitive"), json!(name));
                return Ok(());
            }
        };
        let names = self.settings.entry(list).or_insert_with(|| json!([]));
        names.as_array_mut().into_iter().for_each(|names| names.push(json!(name)));
        Ok(())
    }

    fn by_column(&mut self, setting: &str, name: &str, value: &Value, path: &str) -> Result<(), Error> {
        if setting != "hierarchies" || linked::file(value).is_none() {
            self.fits(setting, &json!({ name: value }), path)?;
        }
        self.settings.entry(setting).or_insert_with(|| json!({}))[name] = value.clone();
        Ok(())
    }

    fn markers(&mut self, value: &Value) -> Result<(), Error> {
        let list = value.as_array().ok_or_else(|| Error::at("missingValues", "must be a list"))?;
        let marker = |(at, marker): (usize, &Value)| {
            // Version 2 of the standard also allows {"value": "-", "label": "refused"}.
            let text = marker.as_str().or_else(|| marker.get("value").and_then(Value::as_str));
            let what = "must be a text, or an object with a text as its value";
            text.map(|text| text.trim().to_owned())
                .ok_or_else(|| Error::at(format!("missingValues[{at}]"), what))
        };
        let markers = list.iter().enumerate().map(marker).collect::<Result<Vec<_>, _>>()?;
        self.missing.insert(String::from("markers"), json!(markers));
        Ok(())
    }

    /// Our property of the schema.
    fn schema(&mut self, value: &Value) -> Result<(), Error> {
        let by_column: Vec<&str> = BY_COLUMN.iter().map(|(setting, _)| *setting).collect();
        let mut own = object(value, NAMESPACE)?.clone();
        before::join(&mut own).map_err(|what| Error::at(format!("{NAMESPACE}.{}", before::SEARCH), what))?;
        for (name, value) in &own {
            let path = format!("{NAMESPACE}.{name}");
            match name.as_str() {
                "note" => {}
                "version" if value.as_u64().is_some_and(|v| v <= CONFIG_VERSION) => {}
                "version" => {
                    let what = format!("this program reads configurations up to version {CONFIG_VERSION}");
                    return Err(Error::at(path, what));
                }
                "seed" => {
                    let what = "a seed does not belong here: whoever knows it can repeat the random choices";
                    return Err(Error::at(path, what));
                }
                "missing" => {
                    for (policy, value) in object(value, &path)? {
                        let path = format!("{path}.{policy}");
                        if !matches!(policy.as_str(), "quasi" | "sensitive") {
                            return Err(unknown(&path, &["quasi", "sensitive"]));
                        }
                        self.fits("missing", &json!({ policy: value }), &path)?;
                        self.missing.insert(policy.clone(), value.clone());
                    }
                }
                "quasi" | "sensitive" | "keep" => {
                    return Err(Error::at(path, "a role is said in the column's field, as lookalike.role"));
                }
                other if by_column.contains(&other) => {
                    return Err(Error::at(path, "this is said in the column's field"));
                }
                other => {
                    self.fits(other, value, &path).map_err(|error| {
                        // What is not said may be left out of the template: the settings themselves know their names.
                        let is_unknown = error.what.starts_with(&format!("unknown field `{other}`"));
                        if is_unknown { unknown(&path, &self.known(&by_column)) } else { error }
                    })?;
                    self.settings.insert(other.to_owned(), value.clone());
                }
            }
        }
        Ok(())
    }

    /// What may stand in our property of the schema.
    fn known(&self, by_column: &[&str]) -> Vec<&str> {
        let elsewhere = ["quasi", "sensitive", "keep", "seed"];
        let known = self.template.keys().map(String::as_str);
        let known = known.filter(|k| !elsewhere.contains(k) && !by_column.contains(k));
        known.chain(["note", "version"]).collect()
    }

    /// Whether the settings take a value under this name.
    fn fits(&self, setting: &str, value: &Value, path: &str) -> Result<(), Error> {
        let mut trial = self.template.clone();
        trial.insert(setting.to_owned(), value.clone());
        let settings: Result<Settings, _> = serde_json::from_value(Value::Object(trial));
        settings.map(drop).map_err(|e| Error::at(path, e.to_string()))
    }
}

fn object<'a>(value: &'a Value, path: &str) -> Result<&'a Map<String, Value>, Error> {
    value.as_object().ok_or_else(|| Error::at(path, "must be an object"))
}

fn unknown(path: &str, known: &[&str]) -> Error {
    Error::at(path, format!("unknown property; known are {}", known.join(", ")))
}
