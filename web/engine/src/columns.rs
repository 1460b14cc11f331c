//! Questions about single columns of the open table, and their hierarchies.

use lookalike_core::{
    hierarchies,
    table::{Column, Table, hierarchy::Hierarchy, is_missing},
};
use lookalike_model::settings::{Model, Settings};
use lookalike_wire::page::HierarchyOf;

use crate::session::Source;

/// Rows of a hierarchy.
type Rows = Vec<Vec<String>>;

fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, String> {
    table.column(name).ok_or_else(|| format!("there is no column \"{name}\""))
}

/// The known values of a column, trimmed and sorted.
pub(crate) fn values(table: &Table, name: &str, markers: &[String]) -> Result<Vec<String>, String> {
    let all = column(table, name)?.values.iter().filter(|value| !is_missing(value, markers));
    let mut values: Vec<String> = all.map(|value| value.trim().to_owned()).collect();
    values.sort_unstable();
    values.dedup();
    Ok(values)
}

/// Makes a hierarchy by a generator.
pub(crate) fn generate(table: &Table, of: &HierarchyOf, generator: &str) -> Result<Rows, String> {
    let generator = generator.parse()?;
    // What is to be published does not matter here, but settings hold it.
    let mut settings = Settings::of(Model::KAnonymity { k: 2 });
    settings.missing.markers.clone_from(&of.markers);
    settings.kinds.extend(of.kind.map(|kind| (of.name.clone(), kind)));
    if !of.order.is_empty() {
        settings.orders.insert(of.name.clone(), of.order.clone());
    }
    let hierarchy = hierarchies::generate(table, &of.name, &generator, &settings);
    hierarchy.map(|made| made.rows()).map_err(|error| error.to_string())
}

/// Reads a hierarchy, which must have every known value of the column.
pub(crate) fn import(table: &Table, of: &HierarchyOf, file: &mut dyn Source) -> Result<Rows, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| format!("the file cannot be read: {error}"))?;
    let hierarchy = Hierarchy::read(&bytes).map_err(|error| error.to_string())?;
    let column = column(table, &of.name)?;
    hierarchy.check(column, &of.markers).map_err(|error| format!("column \"{}\": {error}", of.name))?;
    Ok(hierarchy.rows())
}

/// The file of a hierarchy.
pub(crate) fn export(rows: &Rows) -> Result<Vec<u8>, String> {
    let written = Hierarchy::new(rows).and_then(|hierarchy| hierarchy.write());
    written.map_err(|error| error.to_string())
}
