//! Rows of the strict reader as columns, for checks that compare a release with its original.

use lookalike_table::{Column, Table};
use rustc_hash::FxHashMap;

use crate::{Dialect, Error, judge::rows};

/// The different cells of a column, and the cells by code.
#[derive(Default)]
struct Codes {
    places: FxHashMap<Box<str>, u32>,
    values: Vec<Box<str>>,
    cells: Vec<u32>,
}

/// The table that the bytes of a release hold, as the strict reader of [`crate::judge`] finds it.
///
/// # Errors
/// If the bytes do not have the form of a release.
pub(crate) fn columns(published: &[u8], dialect: Dialect) -> Result<Table, Error> {
    let mut columns: Vec<Codes> = Vec::new();
    let mut count = 0;
    let header = rows(published, dialect, &mut |_, cells| {
        columns.resize_with(cells.len(), Codes::default);
        for (column, cell) in columns.iter_mut().zip(cells) {
            let code = column.places.get(*cell).copied().unwrap_or_else(|| {
                let code = column.values.len() as u32;
                column.places.insert((*cell).into(), code);
                column.values.push((*cell).into());
                code
            });
            column.cells.push(code);
        }
        count += 1;
    })?;
    columns.resize_with(header.len(), Codes::default);
    let columns = header.iter().zip(columns).map(|(name, column)| Column {
        name: name.clone(),
        texts: false,
        values: column.values.iter().collect(),
        cells: column.cells,
    });
    Ok(Table {
        first_row: lookalike_table::HeaderRow::Present,
        columns: columns.collect(),
        header,
        rows: count,
        renamed: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        described: Vec::new(),
        dialect: lookalike_model::dialect::Dialect::PLAIN,
        digest: [0; 32],
    })
}
