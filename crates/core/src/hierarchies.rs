//! Generalisation hierarchies made from the values of a column.

use lookalike_model::settings::Settings;
use lookalike_table::{
    Reading, Table,
    hierarchy::{Generator, Hierarchy},
    infer,
};

use crate::{
    Error,
    prepare::{kind, known},
};

/// Makes a hierarchy for the known values of a column. Kinds, orders and missing markers are those of the settings; a
/// column that is declared a category is generalised by what its cells look like.
///
/// # Errors
/// [`Error::Input`] if there is no such column, or its values are not what the generator needs.
pub fn generate(
    table: &Table,
    name: &str,
    generator: &Generator,
    settings: &Settings,
) -> Result<Hierarchy, Error> {
    known(table, name)?;
    let wrong = |error: &dyn std::fmt::Display| Error::Input(format!("column \"{name}\": {error}"));
    let column = table.column(name).ok_or_else(|| wrong(&"it is not there"))?;
    let markers = &settings.missing.markers;
    let reading = match generator {
        // Codes are texts, whatever they look like.
        Generator::Prefix => Reading::Labels,
        _ => match kind(column, settings)?.1 {
            Reading::Labels => infer(column, markers).reading,
            reading => reading,
        },
    };
    generator.make(column, markers, &reading).map_err(|error| wrong(&error))
}
