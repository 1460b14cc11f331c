//! The published cells of a class in one column: one, or the two ends of its range.

use std::collections::BTreeSet;

use lookalike_table::{Column, ColumnSpec, is_missing};

use super::{
    centre::middle,
    recode::{cell, set, values},
};
use crate::prepare::recoding::{Coded, Recoding};

/// One cell, as [`cell`] has it, or the two ends of a range, with the middle or without.
pub(crate) fn cells(
    column: &Column,
    spec: &ColumnSpec,
    recoding: &Recoding,
    rows: &[u32],
    markers: &[String],
) -> Vec<String> {
    match recoding.ends(spec) {
        None => vec![cell(column, spec, recoding, rows, markers)],
        Some(ends) => in_ends(column, spec, recoding, rows, markers, ends.mid.is_some()),
    }
}

/// The ends of the range of a class. Where all cells are equal, so are its ends, byte for byte. Missing cells are listed with
/// each: `{?, 18}` and `{?, 20}`. Coded numbers are ends as they are, `>=90`; a range that reaches beyond a limit has no middle.
fn in_ends(
    column: &Column,
    spec: &ColumnSpec,
    recoding: &Recoding,
    rows: &[u32],
    markers: &[String],
    with_mid: bool,
) -> Vec<String> {
    let cells: BTreeSet<&str> = rows.iter().map(|&r| column.cell(r as usize)).collect();
    let (missing, known): (Vec<&str>, Vec<&str>) = cells.iter().partition(|cell| is_missing(cell, markers));
    let beside = |known: Option<&str>| match (missing.as_slice(), known) {
        ([], Some(known)) => known.to_owned(),
        ([only], None) => (*only).to_owned(),
        _ => set(missing.iter().copied().chain(known)),
    };
    let values = values(&spec.reading, recoding, &known);
    let (Some((low, least)), Some((high, greatest))) = (values.first(), values.last()) else {
        return vec![beside(None); 2 + usize::from(with_mid)];
    };
    let open = [*low, *high].iter().any(|&end| recoding.coded(end) != Coded::No);
    let ends = match known.as_slice() {
        [only] if missing.is_empty() && !open => [*only, *only],
        _ => [least.as_str(), greatest.as_str()],
    };
    let mid = with_mid.then(|| match values.as_slice() {
        _ if open => String::new(),
        [_] => beside(Some(ends[0])),
        _ => beside(Some(&middle(column, &spec.reading, recoding, (*low, *high)))),
    });
    ends.iter().map(|end| beside(Some(end))).chain(mid).collect()
}
