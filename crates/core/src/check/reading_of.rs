//! How published cells are read by what the settings of their run say.

use std::collections::BTreeMap;

use lookalike_audit::measure::{ColumnReading, Reading};
use lookalike_model::settings::{Kind, Publish, Settings};
use lookalike_table::{
    DateOrder, Declared, Reading as Compared,
    hierarchy::{Hierarchy, HierarchyError},
};

use crate::{Error, prepare::Misfit};

/// What of the settings cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Unread {
    /// The format of a column's dates.
    Date {
        /// The column.
        column: String,
        /// The format.
        format: String,
        /// Why.
        why: lookalike_table::DateFault,
    },
    /// The hierarchy of a column.
    Hierarchy {
        /// The column.
        column: String,
        /// Why.
        why: HierarchyError,
    },
}

impl From<Unread> for Error {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Date { column, format, why } => {
                Misfit::DateFormat { name: column.as_str().into(), format: format.as_str().into(), why }
            }
            Unread::Hierarchy { column, why } => Misfit::Hierarchy { name: column.as_str().into(), why },
        }
        .into()
    }
}

/// How the cells of the columns are compared, and the hierarchies by which columns are not published: those are distances.
///
/// # Errors
/// If a format or a hierarchy cannot be read.
pub fn reading_of(settings: &Settings) -> Result<(Reading, BTreeMap<String, Hierarchy>), Unread> {
    let mut distances = BTreeMap::new();
    let mut reading = Reading { missing: settings.missing.markers.clone(), ..Reading::default() };
    for name in settings.pad.keys() {
        reading.columns.insert(name.clone(), ColumnReading::As(Compared::Labels));
    }
    for (name, kind) in &settings.kinds {
        // The order of an ordinal column follows.
        if let Some(known) = of_kind(name, kind)? {
            reading.columns.insert(name.clone(), known);
        }
    }
    for (name, values) in &settings.orders {
        reading.columns.insert(name.clone(), ColumnReading::As(Compared::Ranks(values.clone())));
    }
    for (name, rows) in &settings.hierarchies {
        let hierarchy =
            Hierarchy::new(rows).map_err(|why| Unread::Hierarchy { column: name.clone(), why })?;
        if settings.goes_by_hierarchy(name) {
            continue;
        }
        let form = settings.publish_columns.get(name).copied().unwrap_or(settings.publish);
        let those = if form == Publish::Hierarchy { &mut reading.hierarchies } else { &mut distances };
        those.insert(name.clone(), hierarchy);
    }
    Ok((reading, distances))
}

/// What a kind says of cells; nothing of ordinal ones, whose order has to be known.
///
/// # Errors
/// If a date's format cannot be read.
pub fn of_kind(name: &str, kind: &Kind) -> Result<Option<ColumnReading>, Unread> {
    let declared = match kind {
        Kind::Category => return Ok(Some(ColumnReading::As(Compared::Labels))),
        Kind::Integer => Declared::Integer,
        Kind::Real => Declared::Real,
        Kind::Number => Declared::Number,
        Kind::Date => Declared::Date(None),
        Kind::DateDmy => Declared::Date(Some(DateOrder::Dmy)),
        Kind::DateMdy => Declared::Date(Some(DateOrder::Mdy)),
        Kind::DateAs(format) => Declared::DateAs(format.parse().map_err(|why| Unread::Date {
            column: name.into(),
            format: format.to_string(),
            why,
        })?),
        Kind::Ordinal => return Ok(None),
    };
    Ok(Some(ColumnReading::Declared(declared)))
}
