//! From the text of a file to a draft.

use std::collections::BTreeSet;

use lookalike_model::settings::{Model, Role, Settings};
use serde_json::{Map, Value, json};

use super::{
    BY_COLUMN, CONFIG_VERSION, Draft, Error, Fault, NAMESPACE, Note, READING, Reading, before, fit,
    kinds::{Implied, implied},
    linked,
};

/// What a file says, and what of it was passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// What it says.
    pub draft: Draft,
    /// Properties of Frictionless that have no meaning here.
    pub notes: Vec<Note>,
}

/// Reads a configuration: a Frictionless Table Schema, with or without our property.
///
/// # Errors
/// If the text is no JSON, no table schema, or says something of ours that is not known or not of its type; with the
/// path of the property.
pub fn read(text: &str) -> Result<Loaded, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root: Value = serde_json::from_str(text)
        .map_err(|error| Error::at("", Fault::NotJson { why: error.to_string() }))?;
    let root = object(&root, "")?;
    let mut reader = Reader::new()?;
    let Some(fields) = root.get("fields") else {
        let package = root.contains_key("resources");
        return Err(Error::at("fields", if package { Fault::DataPackage } else { Fault::NoFields }));
    };
    let fields = fields.as_array().ok_or_else(|| Error::at("fields", Fault::NotList))?;
    for (at, field) in fields.iter().enumerate() {
        reader.field(field, &format!("fields[{at}]"))?;
    }
    for (name, value) in root {
        match name.as_str() {
            "fields" => {}
            "missingValues" => reader.markers(value)?,
            NAMESPACE => reader.schema(value)?,
            other => reader.notes.push(Note::Ignored { path: other.to_owned() }),
        }
    }
    reader.end()
}

/// Settings as they are serialised, into which one value after the other is put to see whether it fits.
fn template() -> Result<Map<String, Value>, Error> {
    let minimal = json!({ "quasi": [], "sensitive": null, "model": Model::KAnonymity { k: 2 } });
    let settings: Result<Settings, _> = serde_json::from_value(minimal);
    let value = settings.and_then(serde_json::to_value);
    match value.map_err(|error| Error::at("", Fault::Unfit { why: error.to_string() }))? {
        Value::Object(template) => Ok(template),
        _ => Ok(Map::new()),
    }
}

struct Reader {
    template: Map<String, Value>,
    /// What the file says, each of which was seen to fit.
    settings: Map<String, Value>,
    identifiers: Vec<String>,
    reading: Reading,
    names: BTreeSet<String>,
    /// Markers and general policies for missing cells.
    missing: Map<String, Value>,
    /// Policies by column.
    policies: Map<String, Value>,
    notes: Vec<Note>,
}

impl Reader {
    fn new() -> Result<Self, Error> {
        Ok(Self {
            template: template()?,
            settings: Map::new(),
            identifiers: Vec::new(),
            reading: Reading::default(),
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
        let settings = fit::fitted(&Value::Object(self.settings)).map_err(|fault| Error::at("", fault))?;
        let draft = Draft { settings, identifiers: self.identifiers, reading: self.reading };
        Ok(Loaded { draft, notes: self.notes })
    }

    fn field(&mut self, field: &Value, path: &str) -> Result<(), Error> {
        let field = object(field, path)?;
        let name = match field.get("name") {
            Some(Value::String(name)) => name.trim().to_owned(),
            _ => return Err(Error::at(format!("{path}.name"), Fault::NoName)),
        };
        if !self.names.insert(name.clone()) {
            return Err(Error::at(format!("{path}.name"), Fault::FieldTwice { name: name.into() }));
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
                        let known: Vec<&'static str> = ["role", "missing"].into_iter().chain(known).collect();
                        return Err(Error::at(at, Fault::Unknown { known }));
                    };
                    self.by_column(setting, &name, value, &at)?;
                }
            }
        }
        let said = own.contains_key("kind") || own.contains_key("order");
        match implied(field) {
            Implied::Kind(kind) if !said => self.by_column("kinds", &name, &json!(kind), path)?,
            Implied::Unknown if !said => {
                self.notes.push(Note::CellsDecide { path: format!("{path}.type") });
            }
            _ => {}
        }
        for property in field.keys() {
            match property.as_str() {
                "name" | "type" | "format" | "decimalChar" | "groupChar" | NAMESPACE => {}
                "missingValues" => {
                    return Err(Error::at(format!("{path}.missingValues"), Fault::MarkersOfColumn));
                }
                other => self.notes.push(Note::Ignored { path: format!("{path}.{other}") }),
            }
        }
        Ok(())
    }

    fn role(&mut self, name: &str, value: &Value, path: &str) -> Result<(), Error> {
        let role: Role = fit::fitted(value).map_err(|fault| Error::at(path, fault))?;
        let list = match role {
            Role::QuasiIdentifier => "quasi",
            Role::Keep => "keep",
            Role::Unchanged => "unchanged",
            Role::Identifier => {
                self.identifiers.push(name.to_owned());
                return Ok(());
            }
            Role::Sensitive => {
                if let Some(other) = self.settings.get("sensitive").and_then(Value::as_str) {
                    return Err(Error::at(path, Fault::SecondSensitive { other: other.into() }));
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
        let list = value.as_array().ok_or_else(|| Error::at("missingValues", Fault::NotList))?;
        let marker = |(at, marker): (usize, &Value)| {
            // Version 2 of the standard also allows {"value": "-", "label": "refused"}.
            let text = marker.as_str().or_else(|| marker.get("value").and_then(Value::as_str));
            text.map(|text| text.trim().to_owned())
                .ok_or_else(|| Error::at(format!("missingValues[{at}]"), Fault::NotMarker))
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
                "version" => return Err(Error::at(path, Fault::Version { newest: CONFIG_VERSION })),
                READING => {
                    self.reading = fit::fitted(value).map_err(|fault| Error::at(path, fault))?;
                }
                "seed" => return Err(Error::at(path, Fault::Seed)),
                "missing" => {
                    for (policy, value) in object(value, &path)? {
                        let path = format!("{path}.{policy}");
                        if !matches!(policy.as_str(), "quasi" | "sensitive") {
                            return Err(Error::at(
                                path,
                                Fault::Unknown { known: vec!["quasi", "sensitive"] },
                            ));
                        }
                        self.fits("missing", &json!({ policy: value }), &path)?;
                        self.missing.insert(policy.clone(), value.clone());
                    }
                }
                "quasi" | "sensitive" | "keep" | "unchanged" => {
                    return Err(Error::at(path, Fault::RoleElsewhere));
                }
                other if by_column.contains(&other) => return Err(Error::at(path, Fault::ColumnElsewhere)),
                other => {
                    self.fits(other, value, &path).map_err(|error| match error.fault {
                        Fault::UnknownPart { part, known } if part.0 == other && known.contains(&"quasi") => {
                            Error::at(error.path, Fault::Unknown { known: of_schema(known, &by_column) })
                        }
                        fault => Error::at(error.path, fault),
                    })?;
                    self.settings.insert(other.to_owned(), value.clone());
                }
            }
        }
        Ok(())
    }

    /// Whether the settings take a value under this name.
    fn fits(&self, setting: &str, value: &Value, path: &str) -> Result<(), Error> {
        let mut trial = self.template.clone();
        trial.insert(setting.to_owned(), value.clone());
        let settings: Result<Settings, _> = fit::fitted(&Value::Object(trial));
        settings.map(drop).map_err(|fault| Error::at(path, fault))
    }
}

/// What may stand in our property of the schema, of all that the settings know.
fn of_schema(mut known: Vec<&'static str>, by_column: &[&str]) -> Vec<&'static str> {
    known.retain(|name| {
        !["quasi", "sensitive", "keep", "unchanged", "seed"].contains(name) && !by_column.contains(name)
    });
    known.sort_unstable();
    known.extend(["note", READING, "version"]);
    known
}

fn object<'a>(value: &'a Value, path: &str) -> Result<&'a Map<String, Value>, Error> {
    value.as_object().ok_or_else(|| Error::at(path, Fault::NotObject))
}
