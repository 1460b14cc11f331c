//! Rows that were published with nothing in them.

use lookalike_table::Column;

/// The usual mark of a suppressed cell.
pub const SUPPRESSED: &str = "*";

/// Whether a cell, trimmed, is one of the markers.
pub(crate) fn is_suppressed(cell: &str, markers: &[String]) -> bool {
    markers.iter().any(|marker| marker == cell.trim())
}

/// Per row whether any of its quasi-identifiers is published: a row with none belongs to no class.
pub(crate) fn kept_rows(rows: usize, quasi: &[&Column], markers: &[String]) -> Vec<bool> {
    let mut keep = vec![false; rows];
    for column in quasi {
        let empty: Vec<bool> = column.values.iter().map(|cell| is_suppressed(cell, markers)).collect();
        for (keep, &code) in keep.iter_mut().zip(&column.cells) {
            *keep |= !empty[code as usize];
        }
    }
    keep
}
