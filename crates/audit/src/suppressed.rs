//! Rows that were published with nothing in them.

use lookalike_table::Column;

/// The usual mark of a suppressed cell.
pub const SUPPRESSED: &str = "*";

/// Whether a cell, trimmed, is one of the markers.
pub(crate) fn is_suppressed(cell: &str, markers: &[String]) -> bool {
    markers.iter().any(|marker| marker == cell.trim())
}

/// Per row whether it belongs to a class: if any of its quasi-identifiers is published, or if it has a class label. A
/// class may be generalised until nothing is left of its quasi-identifiers; its label tells it from rows that were
/// suppressed, whose label is empty or suppressed too. Without labels nothing tells them apart, and rows that are all
/// markers count as suppressed.
pub(crate) fn kept_rows(
    rows: usize,
    quasi: &[&Column],
    class: Option<&Column>,
    markers: &[String],
) -> Vec<bool> {
    let mut keep = vec![false; rows];
    let columns = quasi.iter().map(|column| (*column, false)).chain(class.map(|column| (column, true)));
    for (column, is_label) in columns {
        let nothing = |cell: &str| is_suppressed(cell, markers) || is_label && cell.trim().is_empty();
        let empty: Vec<bool> = column.values.iter().map(nothing).collect();
        for (keep, &code) in keep.iter_mut().zip(&column.cells) {
            *keep |= !empty[code as usize];
        }
    }
    keep
}
