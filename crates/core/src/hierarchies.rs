//! Generalisation hierarchies made from the values of a column.

use lookalike_model::settings::Settings;
use lookalike_table::{
    Reading, Table,
    hierarchy::{Generator, Hierarchy, HierarchyError},
    infer,
};
use lookalike_words::Name;

use crate::{
    Error,
    prepare::{kind, known},
};

lookalike_words::messages! {
    in "core";

    /// Why a column has no hierarchy.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum HierarchyRefused {
        /// It cannot be made, or does not fit the column.
        Column {
            /// The column.
            column: Name,
            /// What is wrong.
            why: HierarchyError,
        },
    }
}

impl std::error::Error for HierarchyRefused {}

/// Makes a hierarchy for the known values of a column. Kinds, orders and missing markers are those of the settings; a
/// column that is declared a category is generalised by what its cells look like.
///
/// # Errors
/// [`Error::Misfit`] if there is no such column; [`Error::Hierarchy`] if its values are not what the generator needs.
pub fn generate(
    table: &Table,
    name: &str,
    generator: &Generator,
    settings: &Settings,
) -> Result<Hierarchy, Error> {
    let column = known(table, name)?;
    let markers = &settings.missing.markers;
    let reading = match generator {
        // Codes are texts, whatever they look like.
        Generator::Prefix => Reading::Labels,
        _ => match kind(column, settings)?.1 {
            Reading::Labels => infer(column, markers).reading,
            reading => reading,
        },
    };
    let made = generator.make(column, markers, &reading);
    made.map_err(|why| HierarchyRefused::Column { column: Name::from(name), why }.into())
}
