//! Settings as a file: a Frictionless Table Schema (`fields` with name, type and format, `missingValues`) whose property
//! `lookalike` holds what is ours: role, weight, order and policy in each field; model, loss, form, budget in the schema.
//!
//! A file need not say everything: it is read as a [`Draft`], flags or a form may overrule it, and only then must the
//! settings be complete. The seed is never part of a file: whoever knows it can repeat the random choices.
//!
//! The property follows the shape that [`Settings`] itself has: a new setting is a field of [`Told`], which is what flags, fields
//! and files say of them. What the settings hold by column is listed in `BY_COLUMN`, all else stands in the schema's property
//! under its own name.

pub(crate) mod before;
mod error;
mod fit;
mod kinds;
mod linked;
mod near;
mod object;
mod partial_settings;
mod read;
mod write;

use std::collections::BTreeSet;

pub use error::{Error, Fault, Found, Lacking, Note, Wanted};
pub use near::near;
pub use object::{setting_names, told};
pub use partial_settings::{ChangesTold, CostsTold, HierarchyTold, MissingTold, Told};
pub use read::{Loaded, read};
pub use write::write;

use lookalike_model::settings::{Budget, Role, Settings};
use serde::{Deserialize, Serialize};

/// The property of what is said of the file.
pub(crate) const READING: &str = "reading";

/// Version of the property's shape.
pub const CONFIG_VERSION: u64 = 1;

/// The property's name, in a field and in the schema.
pub(crate) const NAMESPACE: &str = "lookalike";

/// What the settings hold by column: the name there, and the property of a field.
pub(crate) const BY_COLUMN: &[(&str, &str)] = &[
    ("kinds", "kind"),
    ("orders", "order"),
    ("pad", "pad"),
    ("labels", "labels"),
    ("weights", "weight"),
    ("publish_columns", "publish"),
    ("hierarchies", "hierarchy"),
    ("coding", "coding"),
    ("domains", "domain"),
];

/// Settings that may be incomplete, and the columns that are named as identifiers, of which settings know nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// What is said; never a seed.
    pub settings: Told,
    /// Columns that are said to be identifiers.
    pub identifiers: Vec<String>,
    /// How the table's file is read.
    pub reading: Reading,
}

/// How a table's file is read: exports of one kind have as many lines above and below their tables, and the same columns where
/// they have no header. All else about a file is its own, and in no configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// How many lines at its beginning are no part of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_rows: Option<u16>,
    /// How many at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_last_rows: Option<u16>,
    /// Names of the columns, of a file that has no header row; none if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
}

impl Reading {
    /// This before another.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            skip_rows: self.skip_rows.or(below.skip_rows),
            skip_last_rows: self.skip_last_rows.or(below.skip_last_rows),
            names: self.names.or(below.names),
        }
    }

    /// Without what says nothing.
    #[must_use]
    pub fn said(self) -> Self {
        let said = |lines: Option<u16>| lines.filter(|&lines| lines > 0);
        let names = self.names.filter(|names| !names.is_empty());
        Self { skip_rows: said(self.skip_rows), skip_last_rows: said(self.skip_last_rows), names }
    }
}

impl Draft {
    /// All that settings say, but for the seed.
    ///
    /// # Errors
    /// If a number is not finite: JSON has none such.
    pub fn of(settings: &Settings) -> Result<Self, Error> {
        let (Budget::Effort(budget) | Budget::Seconds(budget)) = settings.budget;
        let infinite = [
            ("weights", settings.weights.values().any(|weight| !weight.is_finite())),
            ("budget", !budget.is_finite()),
            ("risk_threshold", !settings.threshold().is_finite()),
        ];
        if let Some((name, _)) = infinite.into_iter().find(|(_, infinite)| *infinite) {
            return Err(Error::at(name, Fault::NotFinite));
        }
        Ok(Self { settings: settings.into(), ..Self::default() })
    }

    /// The settings, once they are complete; what is not said has its default.
    ///
    /// # Errors
    /// If something is missing that has no default.
    pub fn complete(&self, seed: Option<u64>) -> Result<Settings, Error> {
        let Some(model) = self.settings.model else { return Err(Error::at("model", Fault::NoModel)) };
        if let Some((column, file)) = self.linked().into_iter().next() {
            let fault = Fault::Linked { column: column.into(), file: file.into() };
            return Err(Error::at("hierarchies", fault));
        }
        Ok(self.settings.clone().complete(model, seed))
    }

    /// This draft before another: what both say is taken from this one. What is said by column is taken column by
    /// column, but for weights, which belong together; what is said of changes field by field, costs too; an order and a kind that contradict each other are one thing.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let identifiers = if self.identifiers.is_empty() { below.identifiers } else { self.identifiers };
        let reading = self.reading.over(below.reading);
        Self { settings: self.settings.over(below.settings), identifiers, reading }
    }

    /// The role of each named column, in the order of the settings.
    #[must_use]
    pub fn roles(&self) -> Vec<(String, Role)> {
        let Told { quasi, sensitive, keep, unchanged, .. } = &self.settings;
        let list = |names: &Option<Vec<String>>| names.clone().unwrap_or_default();
        let roles = [
            (list(quasi), Role::QuasiIdentifier),
            (sensitive.iter().cloned().collect(), Role::Sensitive),
            (list(keep), Role::Keep),
            (list(unchanged), Role::Unchanged),
            (self.identifiers.clone(), Role::Identifier),
        ];
        roles.into_iter().flat_map(|(names, role)| names.into_iter().map(move |name| (name, role))).collect()
    }

    /// All columns that are named: those with a role, in their order, then the others.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        let Told {
            kinds,
            orders,
            pad,
            labels,
            weights,
            publish_columns,
            hierarchies,
            coding,
            domains,
            missing,
            ..
        } = &self.settings;
        let others =
            (kinds.keys().chain(orders.keys()).chain(pad.keys()).chain(labels.keys()).chain(weights.keys()))
                .chain(publish_columns.keys())
                .chain(hierarchies.keys())
                .chain(coding.keys())
                .chain(domains.keys())
                .chain(missing.columns.keys());
        let others = others.cloned();
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
        let lacking = |name: String| {
            let near = near(&name, table).into_iter().map(Into::into).collect();
            Lacking::Column { name: name.into(), near }
        };
        let columns = self.columns().into_iter().filter(|name| !known.contains(name.as_str()));
        let lacking: Vec<Lacking> = columns.map(lacking).collect();
        if lacking.is_empty() { Ok(()) } else { Err(Error::at("fields", Fault::NoColumns { lacking })) }
    }
}
