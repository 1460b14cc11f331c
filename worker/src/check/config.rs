//! What `lookalike check --config` knows of a table from the configuration that it was anonymized with.

use std::path::Path;

use lookalike_core::{
    audit::{Model as Asked, measure::Reading},
    check::{DeclaredColumns, reading_of},
    table::Edits,
};
use lookalike_model::settings::{ClassColumn, MethodName, Model, RowsAre, Sample};
use lookalike_wire::config::Draft;

use crate::{
    anonymize::edits,
    column_flags::GivenFault,
    configuration::{self, File},
    exit::Failure,
};

use super::beside::Beside;

/// What flags need not say; empty without a configuration.
#[derive(Debug, Default)]
pub(super) struct FromConfiguration {
    /// Quasi-identifiers, and the columns that are kept: these are audited with them.
    pub(super) quasi: Vec<String>,
    pub(super) sensitive: Option<String>,
    pub(super) reading: Reading,
    /// What a record of a sample stands for: columns that are published.
    pub(super) sample: Sample,
    /// Domains of columns that are not asked about are none of them.
    pub(super) declared: DeclaredColumns,
    pub(super) model: Option<Asked>,
    /// What is asked beside it.
    pub(super) beside: Beside,
    /// Method and k of a run whose rows are of their own: it promises what is between the table and its original.
    pub(super) own_rows: Option<(MethodName, usize)>,
    /// Column of the table before with the key of a person, if a person may have several rows.
    pub(super) person: Option<String>,
    /// The published column with the classes.
    pub(super) class: Option<ClassColumn>,
    /// How the table before is read.
    pub(super) before: TableBefore,
}

/// How the table that a published one was made of is read.
#[derive(Clone, Debug, Default)]
pub(super) struct TableBefore {
    /// Its zeros and codes.
    pub(super) edits: Edits,
    /// Names of its columns, if it has no header.
    pub(super) names: Option<Vec<String>>,
}

impl FromConfiguration {
    /// What the file says of the columns of a published table. Columns that were not published are none of them.
    pub(super) fn of(file: Option<&File>) -> Result<Self, Failure> {
        let Some(file) = file else { return Ok(Self::default()) };
        let mut draft = Draft::default();
        if file.model().is_none() {
            // A configuration may leave the guarantee open; settings do not.
            draft.settings.model = Some(Model::KAnonymity { k: 2 });
        }
        let draft = configuration::merge(draft, Some(file))?;
        let settings =
            draft.complete(None).map_err(|error| Failure::in_file(Path::new(file.name()), error))?;
        let (reading, distances) = reading_of(&settings)
            .map_err(|why| Failure::in_file(Path::new(file.name()), GivenFault::from(why)))?;
        let (model, own_rows) = (file.model(), settings.method.is_freeform());
        Ok(Self {
            quasi: settings.quasi.iter().chain(&settings.keep).cloned().collect(),
            sensitive: settings.sensitive.clone(),
            sample: Sample {
                weight: settings.sample.weight.clone(),
                household: settings.sample.household.clone().filter(|name| settings.unchanged.contains(name)),
            },
            reading,
            declared: DeclaredColumns {
                domains: settings.domains.clone(),
                coding: settings.coding.clone(),
                distances,
            },
            person: match &settings.rows_are {
                Some(RowsAre::EventsOf(column)) => Some(column.clone()),
                _ => None,
            },
            class: Some(if own_rows { ClassColumn::None } else { settings.class_column.clone() }),
            before: TableBefore {
                edits: edits(&settings),
                names: file.reading().names.filter(|names| !names.is_empty()),
            },
            model: model.filter(|_| !own_rows).map(|model| match model {
                Model::KAnonymity { k } => Asked::KAnonymity { k },
                Model::MInvariance { m } => Asked::MUniqueness { m },
            }),
            beside: Beside::of(&settings),
            own_rows: match model {
                Some(Model::KAnonymity { k }) if own_rows => Some((settings.method.name(), k)),
                _ => None,
            },
        })
    }
}
