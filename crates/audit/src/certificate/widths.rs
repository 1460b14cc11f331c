//! From a table to what the certainty penalty is computed from, anew from the cells.
//!
//! With weights `w_c` that sum to 1, a class C loses |C| times the sum over the columns of
//!
//! * numbers, days and ranks: `w_c` times their range in C as a part of that of all records, 0 if that is 0;
//! * labels: `w_c` times (their number in C - 1) / their number among all records; all missing ones are one label;
//! * labels that are published by a hierarchy: `w_c` times (u - 1) / (L - 1), u being the values under the lowest label above
//!   those of C, L all values of the hierarchy; if labels are intervals of numbers, `w_c` times the width of that label as a
//!   part of that of all;
//! * numbers of which some are missing: half of `w_c` for the range, the missing ones standing in the middle of the whole
//!   range, and half of it for the labels "known" and "missing".
//!
//! What counts are the records of the certificate; where a domain is declared, its width and its number of labels take the place of
//! theirs.

use std::{collections::BTreeMap, iter};

use lookalike_table::{Column, Reading, Table, hierarchy::Hierarchy, is_missing};

use super::{Attribute, Meaning, Misfit, Refusal, points::misfit};
use crate::measure::{Domain, Intervals};

/// An attribute of the penalty.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// Its weight.
    pub weight: f64,
    /// What its values are.
    pub kind: WidthKind,
    /// One a record.
    pub values: Vec<f64>,
}

/// What the values of an attribute are, and so what the width of some of them is.
#[derive(Clone, Debug, PartialEq)]
pub enum WidthKind {
    /// Numbers, as parts of their whole range.
    Number,
    /// Codes of labels, of which there are so many among all records.
    Labels(u32),
    /// Places of leaves of a hierarchy, in an order in which those under a label are neighbours. One entry fewer than places: the
    /// width of the lowest label above a place and the next; that of several places is the largest between them.
    Leaves(Vec<f64>),
}

/// The records as the penalty sees them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Widths {
    /// The attributes.
    pub attributes: Vec<Width>,
    /// Colour of each record, if there is a column of colours.
    pub colours: Option<Vec<u32>>,
}

/// The widths of the given 0-based rows of a table.
///
/// # Errors
/// [`Refusal::Mismatch`] for a row or column that the table does not have, and for a cell that has no number.
pub fn widths(table: &Table, rows: &[u32], meaning: &Meaning) -> Result<Widths, Refusal> {
    if let Some(&row) = rows.iter().find(|&&row| row as usize >= table.rows) {
        return Err(Refusal::Mismatch(Misfit::Row { row, rows: table.rows }));
    }
    let column = |at: usize| table.columns.get(at).ok_or(Refusal::Mismatch(Misfit::Column));
    let cells = |column: &Column| -> Vec<Option<u32>> {
        let missing: Vec<bool> = column.values.iter().map(|c| is_missing(c, &meaning.markers)).collect();
        let codes = rows.iter().map(|&row| column.cells[row as usize]);
        codes.map(|code| (!missing[code as usize]).then_some(code)).collect()
    };
    let mut attributes = Vec::new();
    for attribute in &meaning.attributes {
        let column = column(attribute.column)?;
        match (&attribute.hierarchy, &attribute.reading) {
            (Some(hierarchy), _) => {
                attributes.push(leaves(column, attribute, hierarchy, &cells(column))?);
            }
            (None, Reading::Labels) => attributes.push(labels(attribute, &cells(column))),
            _ => attributes.extend(numbers(column, attribute, &cells(column))?),
        }
    }
    let colours = meaning.colours.map(column).transpose()?;
    let coded = |column: &Column| cells(column).into_iter().map(|code| code.unwrap_or(u32::MAX)).collect();
    Ok(Widths { attributes, colours: colours.map(coded) })
}

fn labels(attribute: &Attribute, cells: &[Option<u32>]) -> Width {
    let mut different = cells.to_vec();
    different.sort_unstable();
    different.dedup();
    let code = |cell: &Option<u32>| different.partition_point(|other| other < cell) as f64;
    let absent = usize::from(cells.iter().any(Option::is_none));
    let all = match &attribute.domain {
        Some(Domain::Labels(declared)) => declared.len() + absent,
        _ => different.len(),
    };
    let (weight, kind) = (attribute.weight, WidthKind::Labels(all as u32));
    Width { weight, kind, values: cells.iter().map(code).collect() }
}

fn leaves(
    column: &Column,
    attribute: &Attribute,
    hierarchy: &Hierarchy,
    cells: &[Option<u32>],
) -> Result<Width, Refusal> {
    let rows = hierarchy.rows();
    // The labels above each value, from coarse to fine, and the value.
    let path = |code: u32| -> Option<Vec<&str>> {
        let value = column.values[code as usize].trim();
        let row = rows.iter().find(|row| row[0].trim() == value)?;
        Some(row.iter().rev().map(|label| label.trim()).collect())
    };
    let mut paths: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for cell in cells {
        let lacking = || {
            let (name, cell) = (column.name.as_str().into(), cell.map_or("", |c| &column.values[c as usize]));
            Refusal::Mismatch(Misfit::NoLeaf { name, cell: cell.into() })
        };
        let code = cell.ok_or_else(lacking)?;
        paths.insert(code, path(code).ok_or_else(lacking)?);
    }
    let mut order: Vec<&Vec<&str>> = paths.values().collect();
    order.sort();
    order.dedup();
    let under = |label: &str| rows.iter().filter(|row| row.iter().any(|other| other.trim() == label)).count();
    let intervals = Intervals::new(hierarchy, &attribute.reading);
    let join = |pair: &[&Vec<&str>]| {
        let shared = pair[0].iter().zip(pair[1]).take_while(|(a, b)| a == b).last();
        if let Some(intervals) = &intervals {
            return shared.map_or(1.0, |(label, _)| intervals.part(iter::once(*label)));
        }
        let values = shared.map_or(rows.len(), |(label, _)| under(label));
        (values.max(1) - 1) as f64 / (rows.len().max(2) - 1) as f64
    };
    let kind = WidthKind::Leaves(order.windows(2).map(join).collect());
    let place = |code: u32| order.partition_point(|other| *other < &paths[&code]) as f64;
    let values = cells.iter().flatten().map(|&code| place(code)).collect();
    Ok(Width { weight: attribute.weight, kind, values })
}

fn numbers(column: &Column, attribute: &Attribute, cells: &[Option<u32>]) -> Result<Vec<Width>, Refusal> {
    let number = |code: u32| {
        let cell = &column.values[code as usize];
        let Some(x) = attribute.reading.value(cell) else {
            return Err(misfit(column, cell, &attribute.reading));
        };
        let x = attribute.bottom.map_or(x, |limit| x.max(limit));
        Ok(attribute.top.map_or(x, |limit| x.min(limit)))
    };
    let known = cells.iter().map(|cell| cell.map(number).transpose()).collect::<Result<Vec<_>, _>>()?;
    let least = known.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let most = known.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = match attribute.domain {
        Some(Domain::Numbers(least, most)) => (least, most),
        _ => (least, most),
    };
    let part = |x: &Option<f64>| match x {
        Some(x) if most > least => (x - least) / (most - least),
        Some(_) => 0.0,
        None => 0.5,
    };
    let values = known.iter().map(part).collect();
    if known.iter().all(Option::is_some) {
        return Ok(vec![Width { weight: attribute.weight, kind: WidthKind::Number, values }]);
    }
    let absent = known.iter().map(|x| f64::from(u8::from(x.is_none()))).collect();
    // If no number is known, "missing" is the only label.
    let levels = if known.iter().all(Option::is_none) { 1 } else { 2 };
    let half = attribute.weight / 2.0;
    Ok(vec![
        Width { weight: half, kind: WidthKind::Number, values },
        Width { weight: half, kind: WidthKind::Labels(levels), values: absent },
    ])
}
