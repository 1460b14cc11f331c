//! Roles and kinds: from the settings to a checked schema.

use std::collections::BTreeMap;

use lookalike_model::settings::{self as wire, ClassColumn, Model, RowsAre, Settings};
use lookalike_table::{
    Column, ColumnSpec, Kind, MissingPolicy, Reading, Renamed, Role, Schema, Table, is_formula,
};

use lookalike_words::{Figure, Said};

use super::{
    kinds::kind,
    misfit::{Misfit, RoleWord},
};
use crate::{Error, ReleaseWarning};

/// Name of the column with the class labels in a published table, where nothing is said of it.
pub(crate) const CLASS: &str = ClassColumn::USUAL;

/// Tolerance for "weights sum to 1".
const WEIGHT_SUM: f64 = 1e-6;

/// Checks the settings against the table.
pub(crate) fn schema(table: &Table, settings: &Settings) -> Result<Schema, Error> {
    check_model(settings)?;
    let roles = roles(table, settings)?;
    if let Some(RowsAre::EventsOf(key)) = &settings.rows_are
        && roles.contains_key(key.as_str())
    {
        return Err(Misfit::PersonPublished { name: key.as_str().into() }.into());
    }
    let class = settings.class_column.name();
    if let Some(name) = class
        && (name.is_empty() || name.trim() != name)
    {
        return Err(Misfit::ClassName { name: name.into() }.into());
    }
    if let Some(name) = class.filter(|name| is_formula(name)) {
        return Err(Misfit::ClassFormula { name: name.into() }.into());
    }
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
        if (keep || role != Role::Other) && class == Some(name.as_str()) {
            return Err(Misfit::ClassColumn { name: name.into() }.into());
        }
        let (missing, (kind, reading)) = match role {
            Role::QuasiIdentifier => (settings.missing.quasi, kind(column, settings)?),
            Role::Sensitive => (settings.missing.sensitive, (Kind::Category, Reading::Labels)),
            // A further sensitive column, which is published cell by cell.
            Role::Unchanged if settings.conditions_of.contains_key(&name) => {
                (settings.missing.sensitive, (Kind::Category, Reading::Labels))
            }
            Role::Identifier | Role::Unchanged | Role::Other => {
                (wire::MissingPolicy::Value, (Kind::Category, Reading::Labels))
            }
        };
        let missing = match settings.missing.columns.get(&name) {
            Some(&own)
                if matches!(role, Role::QuasiIdentifier | Role::Sensitive)
                    || settings.conditions_of.contains_key(&name) =>
            {
                own
            }
            Some(_) => {
                return Err(Misfit::MissingPolicy { name: name.into() }.into());
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
    let has_role = |role| matches!(role, Role::QuasiIdentifier | Role::Sensitive | Role::Unchanged);
    schema.columns.iter().filter(move |c| c.keep || has_role(c.role))
}

/// The columns whose cells are recoded class by class, in the table's order.
pub(crate) fn recoded(schema: &Schema) -> impl Iterator<Item = &ColumnSpec> {
    published(schema).filter(|c| !matches!(c.role, Role::Sensitive | Role::Unchanged))
}

/// The columns that are published cell by cell as they are, in the table's order.
pub(crate) fn unchanged(schema: &Schema) -> impl Iterator<Item = &ColumnSpec> {
    schema.columns.iter().filter(|c| c.role == Role::Unchanged)
}

/// Published columns whose name is not the file's, for a reader of the report.
pub(crate) fn renamed(table: &Table, schema: &Schema) -> Vec<Said> {
    let of_published = |to: &str| published(schema).any(|spec| spec.name == to);
    let renamed = table.renamed.iter().filter(|one| of_published(&one.to));
    let said = renamed.map(|Renamed { column, from, to }| {
        let (to, from) = (to.as_str().into(), from.as_str().into());
        ReleaseWarning::Renamed { to, from, column: *column }.into()
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
    let wrong = match settings.model {
        Model::MInvariance { m } if m < 2 => Misfit::TooSmall { parameter: "m" },
        Model::KAnonymity { k } if k < 2 => Misfit::TooSmall { parameter: "k" },
        Model::MInvariance { .. } if settings.sensitive.is_none() => Misfit::NoSensitive,
        _ if settings.quasi.is_empty() => Misfit::NoQuasi,
        _ => return Ok(()),
    };
    Err(wrong.into())
}

/// The stated role of each named column; an error if a name is unknown or stated twice.
fn roles<'a>(table: &Table, settings: &'a Settings) -> Result<BTreeMap<&'a str, Role>, Error> {
    let quasi = settings.quasi.iter().map(|n| (n, Role::QuasiIdentifier));
    let sensitive = settings.sensitive.iter().map(|n| (n, Role::Sensitive));
    let keep = settings.keep.iter().map(|n| (n, Role::Other));
    let unchanged = settings.unchanged.iter().map(|n| (n, Role::Unchanged));
    let mut roles = BTreeMap::new();
    for (name, role) in quasi.chain(sensitive).chain(keep).chain(unchanged) {
        known(table, name)?;
        if let Some(before) = roles.insert(name.as_str(), role) {
            let word = |role| match role {
                Role::QuasiIdentifier => RoleWord::Quasi,
                Role::Sensitive => RoleWord::Sensitive,
                Role::Identifier => RoleWord::Identifier,
                Role::Unchanged => RoleWord::Unchanged,
                Role::Other => RoleWord::Keep,
            };
            let (name, one, other) = (name.as_str().into(), word(before), word(role));
            return Err(if before == role {
                Misfit::RoleTwice { name, role: other }.into()
            } else {
                Misfit::TwoRoles { name, one, other }.into()
            });
        }
    }
    Ok(roles)
}

pub(crate) fn known<'a>(table: &'a Table, name: &str) -> Result<&'a Column, Error> {
    table.column(name).ok_or_else(|| no_column(table, name))
}

/// That a table has no column of this name.
pub(crate) fn no_column(table: &Table, name: &str) -> Error {
    let columns = table.columns.iter().map(|column| column.name.as_str().into()).collect();
    Misfit::NoColumn { name: name.into(), columns }.into()
}

fn check_weights(settings: &Settings) -> Result<(), Error> {
    if settings.weights.is_empty() {
        return Ok(());
    }
    for (name, &weight) in &settings.weights {
        if !settings.quasi.contains(name) {
            return Err(Misfit::WeightOfOther { name: name.as_str().into() }.into());
        }
        if !weight.is_finite() || weight < 0.0 {
            let weight = Figure::shortest(weight);
            return Err(Misfit::Weight { name: name.as_str().into(), weight }.into());
        }
    }
    if let Some(name) = settings.quasi.iter().find(|q| !settings.weights.contains_key(*q)) {
        return Err(Misfit::NoWeight { name: name.as_str().into() }.into());
    }
    let sum: f64 = settings.weights.values().sum();
    if (sum - 1.0).abs() > WEIGHT_SUM {
        return Err(Misfit::WeightSum { sum: Figure::shortest(sum) }.into());
    }
    Ok(())
}
