//! What columns would cost if they were published unchanged, as far as the source tells, before anything is done.

use lookalike_audit::unchanged::{each_its_own, minimal};
use lookalike_model::{settings::RowsAre, unchanged::MinimalUniques};
use lookalike_table::Table;

use crate::{
    Error,
    persons::owners,
    prepare::{Misfit, RoleWord, known},
    release::unchanged::unique,
};

/// What columns would cost. Where persons may have several rows, all figures count persons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// How many persons there are, where these may have several rows; `None` if rows are counted.
    pub persons: Option<usize>,
    /// Each column, the riskiest first.
    pub columns: Vec<OutlookColumn>,
    /// Rows, or persons, that are unique by the quasi-identifiers and all of these columns.
    pub together: usize,
    /// Rows that these columns single out alone.
    pub minimal_uniques: MinimalUniques,
}

/// What a column would cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlookColumn {
    /// Its name.
    pub name: String,
    /// Rows that are unique by the quasi-identifiers and this column.
    pub unique: usize,
    /// Rows with a minimal sample unique that this column belongs to: of one column, of two, ...
    pub minimal_uniques: Vec<usize>,
    /// Rows with such a minimal sample unique, of whatever size.
    pub singled_out: usize,
}

/// What the columns `unchanged` would cost beside these quasi-identifiers, of persons if these are said to have several rows.
///
/// # Errors
/// [`Error::Misfit`] for a column that is not there, is named twice, or is the key of persons who may have several rows;
/// [`Error::Key`] if that key is missing in some rows.
pub fn outlook(
    table: &Table,
    (quasi, unchanged): (&[String], &[String]),
    rows_are: Option<&RowsAre>,
    markers: &[String],
) -> Result<Outlook, Error> {
    let named: Vec<&String> = quasi.iter().chain(unchanged).collect();
    for (at, name) in named.iter().enumerate() {
        known(table, name)?;
        if named[..at].contains(name) {
            let (name, one, other) = (name.as_str().into(), RoleWord::Quasi, RoleWord::Unchanged);
            return Err(Misfit::TwoRoles { name, one, other }.into());
        }
    }
    let key = match rows_are {
        Some(RowsAre::EventsOf(key)) => Some(key),
        _ => None,
    };
    if let Some(key) = key.filter(|key| named.contains(key)) {
        return Err(Misfit::PersonPublished { name: key.as_str().into() }.into());
    }
    let owners = key.map_or_else(|| Ok(each_its_own(table.rows)), |key| owners(table, key, markers))?;
    let place = |name: &String| table.columns.iter().position(|column| column.name == *name);
    let places = |names: &[String]| names.iter().filter_map(place).collect::<Vec<usize>>();
    let (quasi, of) = (places(quasi), places(unchanged));
    let rows: Vec<u32> = (0..table.rows as u32).collect();
    let beside = |columns: &[usize]| unique(table, (&rows, &owners), &[quasi.as_slice(), columns].concat());
    let cells: Vec<&[u32]> = of.iter().map(|&at| table.columns[at].cells.as_slice()).collect();
    let found = minimal(&cells, &owners);
    let of_column =
        |((name, &at), (minimal_uniques, &singled_out)): ((&String, &usize), (Vec<usize>, &usize))| {
            OutlookColumn { name: name.clone(), unique: beside(&[at]), minimal_uniques, singled_out }
        };
    let minimal = found.columns.into_iter().zip(&found.singled_out);
    let mut columns: Vec<OutlookColumn> = unchanged.iter().zip(&of).zip(minimal).map(of_column).collect();
    columns.sort_by_key(|column| std::cmp::Reverse((column.unique, column.singled_out)));
    let together = beside(&of);
    let persons = key.map(|_| owners.iter().max().map_or(0, |&last| last as usize + 1));
    Ok(Outlook {
        persons,
        columns,
        together,
        minimal_uniques: MinimalUniques { largest_set: found.largest_set, rows: found.rows },
    })
}
