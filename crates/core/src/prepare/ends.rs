//! Columns whose ranges are published as two columns, and the names of these.

use lookalike_audit::measure::Ends;
use lookalike_model::settings::{Publish, Settings};
use lookalike_table::{ColumnSpec, Reading, Schema, Table};

use super::{Recoding, misfit::Misfit, roles::recoded};
use crate::Error;

impl Recoding {
    /// The columns for the ends of the ranges of a column, if it is published in such.
    pub(crate) fn ends(&self, spec: &ColumnSpec) -> Option<Ends> {
        let has_ends = self.form.is_in_two() && spec.reading != Reading::Labels;
        let with_mid = self.form == Publish::MinMaxMid && !matches!(spec.reading, Reading::Ranks(_));
        has_ends.then(|| Ends::named(&spec.name, with_mid))
    }

    /// The names under which a column is published, in their order.
    pub(crate) fn names(&self, spec: &ColumnSpec) -> Vec<String> {
        self.ends(spec).map_or_else(|| vec![spec.name.clone()], |ends| ends.names().cloned().collect())
    }
}

/// Refuses columns for the ends of ranges that have the name of another column, and those of a column without an order.
pub(super) fn check(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    settings: &Settings,
) -> Result<(), Error> {
    for spec in recoded(schema) {
        let name = || spec.name.as_str().into();
        let Some(ends) = recodings[spec.index].ends(spec) else {
            // Said of all columns, it is said of those that have ends.
            if settings.publish_columns.get(&spec.name).is_some_and(|form| form.is_in_two()) {
                return Err(Misfit::NoEnds { name: name() }.into());
            }
            continue;
        };
        for end in ends.names() {
            if table.header.contains(end) || table.column(end).is_some() {
                return Err(Misfit::EndsTaken { name: name(), end: end.as_str().into() }.into());
            }
            if settings.class_column.name() == Some(end) {
                return Err(Misfit::EndsOfClass { name: name(), end: end.as_str().into() }.into());
            }
        }
    }
    Ok(())
}
