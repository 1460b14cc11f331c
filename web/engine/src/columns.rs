//! Questions about single columns of the open table, and their hierarchies.

use lookalike_core::{
    hierarchies::{self, HierarchyRefused},
    table::{
        Column, Error, Table,
        hierarchy::{GeneratorError, Hierarchy, HierarchyError},
        is_missing,
    },
};
use lookalike_model::settings::{Model, Settings};
use lookalike_wire::page::HierarchyOf;
use lookalike_words::{Name, Said};

use crate::session::Source;

/// Rows of a hierarchy.
type Rows = Vec<Vec<String>>;

lookalike_words::messages! {
    in "engine";

    /// Why a question about a column of the open table has no answer.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum ColumnRefused {
        /// No table is open.
        NoTable,
        /// The file did not come with its request.
        NoFile,
        /// The file cannot be read.
        File(Error),
        /// The table has no such column.
        NoColumn { column: Name },
        /// No generator is called so.
        Generator(GeneratorError),
        /// The file is no hierarchy.
        Hierarchy(HierarchyError),
        /// The hierarchy does not fit the column.
        Column(HierarchyRefused),
        /// What the core says of the column.
        Core(Said),
    }
}

impl From<HierarchyError> for ColumnRefused {
    fn from(why: HierarchyError) -> Self {
        Self::Hierarchy(why)
    }
}

impl From<lookalike_core::Error> for ColumnRefused {
    fn from(why: lookalike_core::Error) -> Self {
        match why {
            lookalike_core::Error::Hierarchy(refused) => Self::Column(refused),
            other => Self::Core(other.said()),
        }
    }
}

fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, ColumnRefused> {
    table.column(name).ok_or_else(|| ColumnRefused::NoColumn { column: Name::from(name) })
}

/// The known values of a column, trimmed and sorted.
pub(crate) fn values(table: &Table, name: &str, markers: &[String]) -> Result<Vec<String>, ColumnRefused> {
    let all = column(table, name)?.values.iter().filter(|value| !is_missing(value, markers));
    let mut values: Vec<String> = all.map(|value| value.trim().to_owned()).collect();
    values.sort_unstable();
    values.dedup();
    Ok(values)
}

/// Makes a hierarchy by a generator.
pub(crate) fn generate(table: &Table, of: &HierarchyOf, generator: &str) -> Result<Rows, ColumnRefused> {
    let generator = generator.parse().map_err(ColumnRefused::Generator)?;
    // What is to be published does not matter here, but settings hold it.
    let mut settings = Settings::of(Model::KAnonymity { k: 2 });
    settings.missing.markers.clone_from(&of.markers);
    settings.kinds.extend(of.kind.clone().map(|kind| (of.name.clone(), kind)));
    if !of.order.is_empty() {
        settings.orders.insert(of.name.clone(), of.order.clone());
    }
    Ok(hierarchies::generate(table, &of.name, &generator, &settings)?.rows())
}

/// Reads a hierarchy, which must have every known value of the column.
pub(crate) fn import(table: &Table, of: &HierarchyOf, file: &mut dyn Source) -> Result<Rows, ColumnRefused> {
    let hierarchy = read(file)?;
    let name = Name::from(of.name.as_str());
    let fits = hierarchy.check(column(table, &of.name)?, &of.markers);
    fits.map_err(|why| ColumnRefused::Column(HierarchyRefused::Column { column: name, why }))?;
    Ok(hierarchy.rows())
}

/// Reads the file of a hierarchy.
pub(crate) fn read(file: &mut dyn Source) -> Result<Hierarchy, ColumnRefused> {
    Ok(Hierarchy::read(&bytes(file).map_err(ColumnRefused::File)?)?)
}

/// All of a small file.
pub(crate) fn bytes(file: &mut dyn Source) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| Error::from_io(&error))?;
    Ok(bytes)
}

/// All of a small file.
///
/// # Errors
/// As [`bytes`], as a message.
pub(crate) fn loaded(file: &mut dyn Source) -> Result<Vec<u8>, Said> {
    Ok(bytes(file).map_err(ColumnRefused::File)?)
}

/// The file of a hierarchy.
pub(crate) fn export(rows: &Rows) -> Result<Vec<u8>, ColumnRefused> {
    Ok(Hierarchy::new(rows).and_then(|hierarchy| hierarchy.write())?)
}
