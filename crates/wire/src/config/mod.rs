//! Settings as a file: a Frictionless Table Schema (`fields` with name, type and format, `missingValues`) whose property
//! `lookalike` holds what is ours: role, weight, order and policy in each field; model, loss, form, budget in the schema.
//!
//! A file need not say everything: it is read as a [`Draft`], flags or a form may overrule it, and only then must the
//! settings be complete. The seed is never part of a file: whoever knows it can repeat the random choices.
//!
//! The property follows the shape that [`Settings`] itself has, so that a new setting needs nothing here: what the
//! settings hold by column is listed in `BY_COLUMN`, all else stands in the schema's property under its own name.

pub(crate) mod before;
mod error;
mod kinds;
mod linked;
mod near;
mod read;
mod write;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

pub use error::Error;
pub use near::near;
pub use read::{Loaded, read};
pub use write::write;

use lookalike_model::settings::{Role, Settings};

/// Version of the property's shape.
pub const CONFIG_VERSION: u64 = 1;

/// The property's name, in a field and in the schema.
pub(crate) const NAMESPACE: &str = "lookalike";

/// What the settings hold by column: the name there, and the property of a field.
pub(crate) const BY_COLUMN: &[(&str, &str)] = &[
    ("kinds", "kind"),
    ("orders", "order"),
    ("weights", "weight"),
    ("publish_columns", "publish"),
    ("hierarchies", "hierarchy"),
    ("coding", "coding"),
];

/// Objects within a setting that are merged entry by entry.
const DEEPER: &[&str] = &["columns", "costs", "add_of", "delete_of"];

/// Settings that may be incomplete, and the columns that are named as identifiers, of which settings know nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// What is said, in the shape in which [`Settings`] are serialised; never a seed.
    pub settings: Map<String, Value>,
    /// Columns that are said to be identifiers.
    pub identifiers: Vec<String>,
}

impl Draft {
    /// All that settings say, but for the seed.
    ///
    /// # Errors
    /// If a number is not finite: JSON has none such.
    pub fn of(settings: &Settings) -> Result<Self, Error> {
        let value = serde_json::to_value(settings).map_err(|e| Error::at("", e.to_string()))?;
        let Value::Object(mut settings) = value else { return Ok(Self::default()) };
        settings.remove("seed");
        // Null stands for NaN and infinity.
        let infinite = |name: &&str| {
            let map = settings.get(*name).and_then(Value::as_object);
            map.is_some_and(|map| map.values().any(Value::is_null))
        };
        if let Some(name) = ["weights", "budget"].into_iter().find(infinite) {
            return Err(Error::at(name, "a number is not finite"));
        }
        Ok(Self { settings, identifiers: Vec::new() })
    }

    /// The settings, once they are complete; what is not said has its default.
    ///
    /// # Errors
    /// If something is missing that has no default, or is not of its type.
    pub fn complete(&self, seed: Option<u64>) -> Result<Settings, Error> {
        let mut all = self.settings.clone();
        all.entry("quasi").or_insert_with(|| json!([]));
        all.entry("sensitive").or_insert(Value::Null);
        if !all.contains_key("model") {
            return Err(Error::at("model", "say which guarantee the table needs"));
        }
        if let Some((column, file)) = self.linked().into_iter().next() {
            let what = format!(
                "the hierarchy of \"{column}\" is in the file \"{file}\", which cannot be read from here: put its rows \
                 into the configuration, a list for each value"
            );
            return Err(Error::at("hierarchies", what));
        }
        all.insert(String::from("seed"), json!(seed));
        serde_json::from_value(Value::Object(all)).map_err(|e| Error::at("", e.to_string()))
    }

    /// This draft before another: what both say is taken from this one. What is said by column is taken column by
    /// column, but for weights, which belong together; what is said of changes field by field, costs too; an order and a kind that contradict each other are one thing.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let mut settings = below.settings;
        for (said, gone) in [("kinds", "orders"), ("orders", "kinds")] {
            let gone = settings.get_mut(gone).and_then(Value::as_object_mut);
            if let (Some(said), Some(gone)) = (self.by_column(said), gone) {
                gone.retain(|name, _| said.get(name).is_none_or(|kind| kind == "ordinal"));
            }
        }
        for (name, value) in self.settings {
            match (settings.get_mut(&name), value) {
                (Some(Value::Object(old)), Value::Object(new)) if merges(&name) => merge(old, new),
                (_, value) => {
                    settings.insert(name, value);
                }
            }
        }
        let identifiers = if self.identifiers.is_empty() { below.identifiers } else { self.identifiers };
        Self { settings, identifiers }
    }

    /// The role of each named column, in the order of the settings.
    #[must_use]
    pub fn roles(&self) -> Vec<(String, Role)> {
        let list = |name: &str| -> Vec<String> {
            match self.settings.get(name) {
                Some(Value::Array(names)) => {
                    names.iter().filter_map(Value::as_str).map(String::from).collect()
                }
                Some(Value::String(name)) => vec![name.clone()],
                _ => Vec::new(),
            }
        };
        let roles = [
            (list("quasi"), Role::QuasiIdentifier),
            (list("sensitive"), Role::Sensitive),
            (list("keep"), Role::Keep),
            (self.identifiers.clone(), Role::Identifier),
        ];
        roles.into_iter().flat_map(|(names, role)| names.into_iter().map(move |name| (name, role))).collect()
    }

    /// All columns that are named: those with a role, in their order, then the others.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        let by_column = BY_COLUMN.iter().filter_map(|(name, _)| self.settings.get(*name));
        let maps = by_column.chain(self.policies()).filter_map(Value::as_object);
        let others = maps.flat_map(|map| map.keys().cloned());
        for name in self.roles().into_iter().map(|(name, _)| name).chain(others) {
            if seen.insert(name.clone()) {
                columns.push(name);
            }
        }
        columns
    }

    /// Checks that a table has all columns that are named.
    ///
    /// # Errors
    /// Names the columns that it lacks, each with names that are near.
    pub fn check<S: AsRef<str>>(&self, table: &[S]) -> Result<(), Error> {
        let known: BTreeSet<&str> = table.iter().map(AsRef::as_ref).collect();
        let lacking: Vec<String> = self
            .columns()
            .into_iter()
            .filter(|name| !known.contains(name.as_str()))
            .map(|name| match near(&name, table).as_slice() {
                [] => format!("\"{name}\""),
                near => format!("\"{name}\" (near: {})", near.join(", ")),
            })
            .collect();
        if lacking.is_empty() {
            return Ok(());
        }
        let what = format!(
            "the table has no column {}: is this the configuration of another table?",
            lacking.join(", ")
        );
        Err(Error::at("fields", what))
    }

    fn by_column(&self, setting: &str) -> Option<&Map<String, Value>> {
        self.settings.get(setting).and_then(Value::as_object)
    }

    /// Policies for missing cells by column.
    pub(crate) fn policies(&self) -> Option<&Value> {
        self.settings.get("missing").and_then(|missing| missing.get("columns"))
    }
}

fn merges(name: &str) -> bool {
    matches!(name, "missing" | "changes")
        || (name != "weights" && BY_COLUMN.iter().any(|(of, _)| *of == name))
}

/// Deeper for the policies by column, and for costs, in general and by value.
fn merge(old: &mut Map<String, Value>, new: Map<String, Value>) {
    for (name, value) in new {
        match (old.get_mut(&name), value) {
            (Some(Value::Object(old)), Value::Object(new)) if DEEPER.contains(&name.as_str()) => {
                merge(old, new);
            }
            (_, value) => {
                old.insert(name, value);
            }
        }
    }
}
