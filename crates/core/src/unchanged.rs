//! What columns would cost if they were published unchanged, as far as the source tells, before anything is done.

use lookalike_audit::unchanged::minimal;
use lookalike_model::unchanged::MinimalUniques;
use lookalike_table::Table;

use crate::{
    Error,
    prepare::{Misfit, RoleWord, known},
    release::unchanged::unique,
};

/// What columns would cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Each column, the riskiest first.
    pub columns: Vec<OutlookColumn>,
    /// Rows that are unique by the quasi-identifiers and all of these columns.
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

/// What the columns `unchanged` would cost beside these quasi-identifiers.
///
/// # Errors
/// [`Error::Misfit`] for a column that is not there, or is named twice.
pub fn outlook(table: &Table, quasi: &[String], unchanged: &[String]) -> Result<Outlook, Error> {
    let named: Vec<&String> = quasi.iter().chain(unchanged).collect();
    for (at, name) in named.iter().enumerate() {
        known(table, name)?;
        if named[..at].contains(name) {
            let (name, one, other) = (name.as_str().into(), RoleWord::Quasi, RoleWord::Unchanged);
            return Err(Misfit::TwoRoles { name, one, other }.into());
        }
    }
    let place = |name: &String| table.columns.iter().position(|column| column.name == *name);
    let places = |names: &[String]| names.iter().filter_map(place).collect::<Vec<usize>>();
    let (quasi, of) = (places(quasi), places(unchanged));
    let rows: Vec<u32> = (0..table.rows as u32).collect();
    let beside = |columns: &[usize]| unique(table, &rows, &[quasi.as_slice(), columns].concat());
    let cells: Vec<&[u32]> = of.iter().map(|&at| table.columns[at].cells.as_slice()).collect();
    let found = minimal(&cells);
    let of_column =
        |((name, &at), (minimal_uniques, &singled_out)): ((&String, &usize), (Vec<usize>, &usize))| {
            OutlookColumn { name: name.clone(), unique: beside(&[at]), minimal_uniques, singled_out }
        };
    let minimal = found.columns.into_iter().zip(&found.singled_out);
    let mut columns: Vec<OutlookColumn> = unchanged.iter().zip(&of).zip(minimal).map(of_column).collect();
    columns.sort_by_key(|column| std::cmp::Reverse((column.unique, column.singled_out)));
    let together = beside(&of);
    Ok(Outlook {
        columns,
        together,
        minimal_uniques: MinimalUniques { largest_set: found.largest_set, rows: found.rows },
    })
}
