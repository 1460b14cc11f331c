//! Roles and kinds: from the settings to a checked schema.

use std::collections::BTreeMap;

use lookalike_model::settings::{self as wire, Model, Settings};
use lookalike_table::{ColumnSpec, Kind, MissingPolicy, Reading, Renamed, Role, Schema, Table, text};

use super::kinds::kind;
use crate::Error;

/// Name of the column with the class labels in a published table.
pub(crate) const CLASS: &str = "class";

/// Tolerance for "weights sum to 1".
const WEIGHT_SUM: f64 = 1e-6;

/// Checks the settings against the table.
pub(crate) fn schema(table: &Table, settings: &Settings) -> Result<Schema, Error> {
    check_model(settings)?;
    let roles = roles(table, settings)?;
    check_weights(settings)?;
    for name in settings.kinds.keys().chain(settings.orders.keys()).chain(settings.missing.columns.keys()) {
        known(table, name)?;
    }
    let equal = 1.0 / settings.quasi.len() as f64;
    let mut columns = Vec::with_capacity(table.columns.len());
    for (index, column) in table.columns.iter().enumerate() {
        let name = column.name.clone();
        let role = roles.get(name.as_str()).copied().unwrap_or(Role::Other);
        let keep = settings.keep.contains(&name);
        if (keep || role != Role::Other) && name == CLASS {
            return Err(Error::Input(format!(
                "the published table has a column \"{CLASS}\" of its own: rename the input's column \"{CLASS}\""
            )));
        }
        let (missing, (kind, reading)) = match role {
            Role::QuasiIdentifier => (settings.missing.quasi, kind(column, settings)?),
            Role::Sensitive => (settings.missing.sensitive, (Kind::Category, Reading::Labels)),
            Role::Identifier | Role::Other => (wire::MissingPolicy::Value, (Kind::Category, Reading::Labels)),
        };
        let missing = match settings.missing.columns.get(&name) {
            Some(&own) if role != Role::Other => own,
            Some(_) => {
                return Err(Error::Input(format!(
                    "a policy for missing cells is given for \"{name}\" (--missing-column), which is neither a \
                     quasi-identifier nor the sensitive column"
                )));
            }
            None => missing,
        };
        let weight = match (role, settings.weights.get(&name)) {
            (Role::QuasiIdentifier, Some(&w)) => w,
            (Role::QuasiIdentifier, None) => equal,
            _ => 0.0,
        };
        columns.push(ColumnSpec { index, name, role, kind, reading, missing: policy(missing), weight, keep });
    }
    Ok(Schema { columns, markers: settings.missing.markers.clone() })
}

/// The columns that are published, in the table's order.
pub(crate) fn published(schema: &Schema) -> impl Iterator<Item = &ColumnSpec> {
    schema.columns.iter().filter(|c| c.keep || matches!(c.role, Role::QuasiIdentifier | Role::Sensitive))
}

/// Published columns whose name is not the file's, for a reader of the report.
pub(crate) fn renamed(table: &Table, schema: &Schema) -> Vec<String> {
    let of_published = |to: &str| published(schema).any(|spec| spec.name == to);
    let renamed = table.renamed.iter().filter(|one| of_published(&one.to));
    let said = renamed.map(|Renamed { column, from, to }| {
        format!(
            "{to:?} is called {from:?} in the file, as an earlier column is: it is column {} there",
            text::thousands(*column)
        )
    });
    said.collect()
}

fn policy(p: wire::MissingPolicy) -> MissingPolicy {
    match p {
        wire::MissingPolicy::Error => MissingPolicy::Error,
        wire::MissingPolicy::Drop => MissingPolicy::Drop,
        wire::MissingPolicy::Value => MissingPolicy::Value,
    }
}

fn check_model(settings: &Settings) -> Result<(), Error> {
    let input = |what: &str| Err(Error::Input(what.to_owned()));
    match settings.model {
        Model::MInvariance { m } if m < 2 => {
            input("m must be at least 2: with 1 a record is its own only lookalike")
        }
        Model::KAnonymity { k } if k < 2 => {
            input("k must be at least 2: with 1 a record is its own only lookalike")
        }
        Model::MInvariance { .. } if settings.sensitive.is_none() => {
            input("m-invariance protects a sensitive column: say which one (--sensitive)")
        }
        _ if settings.quasi.is_empty() => {
            input("no quasi-identifier: say which columns an attacker may know (--quasi)")
        }
        _ => Ok(()),
    }
}

/// The stated role of each named column; an error if a name is unknown or stated twice.
fn roles<'a>(table: &Table, settings: &'a Settings) -> Result<BTreeMap<&'a str, Role>, Error> {
    let quasi = settings.quasi.iter().map(|n| (n, Role::QuasiIdentifier));
    let sensitive = settings.sensitive.iter().map(|n| (n, Role::Sensitive));
    let keep = settings.keep.iter().map(|n| (n, Role::Other));
    let mut roles = BTreeMap::new();
    for (name, role) in quasi.chain(sensitive).chain(keep) {
        known(table, name)?;
        if let Some(before) = roles.insert(name.as_str(), role) {
            let told = |r| match r {
                Role::QuasiIdentifier => "a quasi-identifier",
                Role::Sensitive => "the sensitive column",
                Role::Identifier => "an identifier",
                Role::Other => "a column to keep",
            };
            return Err(Error::Input(if before == role {
                format!("column \"{name}\" is named twice as {}", told(role))
            } else {
                format!("column \"{name}\" is named as {} and as {}: choose one", told(before), told(role))
            }));
        }
    }
    Ok(roles)
}

pub(crate) fn known(table: &Table, name: &str) -> Result<(), Error> {
    if table.column(name).is_some() {
        return Ok(());
    }
    let names: Vec<_> = table.columns.iter().map(|c| format!("\"{}\"", c.name)).collect();
    Err(Error::Input(format!("there is no column \"{name}\"; the columns are {}", names.join(", "))))
}

fn check_weights(settings: &Settings) -> Result<(), Error> {
    if settings.weights.is_empty() {
        return Ok(());
    }
    for (name, &weight) in &settings.weights {
        if !settings.quasi.contains(name) {
            return Err(Error::Input(format!(
                "a weight is given for \"{name}\", which is no quasi-identifier"
            )));
        }
        if !weight.is_finite() || weight < 0.0 {
            return Err(Error::Input(format!(
                "the weight of \"{name}\" is {weight}: weights are at least 0"
            )));
        }
    }
    if let Some(name) = settings.quasi.iter().find(|q| !settings.weights.contains_key(*q)) {
        return Err(Error::Input(format!(
            "quasi-identifier \"{name}\" has no weight; give it one (0 is allowed)"
        )));
    }
    let sum: f64 = settings.weights.values().sum();
    if (sum - 1.0).abs() > WEIGHT_SUM {
        return Err(Error::Input(format!("the weights sum to {sum}, they must sum to 1")));
    }
    Ok(())
}
