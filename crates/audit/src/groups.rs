//! Rows grouped by equal cells.

use lookalike_table::Column;
use lookalike_words::Cell;
use rustc_hash::FxHashMap;

use crate::Shared;

/// The group of rows that are left out.
pub(crate) const NO_GROUP: u32 = u32::MAX;

/// The rows of a table, grouped by equal cells in some columns; groups are numbered by first appearance.
pub(crate) struct Groups<'a> {
    by: Vec<&'a Column>,
    /// Group of each row.
    pub(crate) of: Vec<u32>,
    /// Rows of each group; never 0.
    pub(crate) sizes: Vec<usize>,
    /// First row of each group, 0-based.
    pub(crate) first: Vec<usize>,
}

/// How often a sensitive value occurs in a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tally {
    pub(crate) group: u32,
    pub(crate) code: u32,
    pub(crate) count: usize,
}

impl<'a> Groups<'a> {
    /// Groups `rows` rows by their cells in the columns `by`, refining column by column.
    pub(crate) fn by(rows: usize, by: Vec<&'a Column>) -> Self {
        Self::among(&vec![true; rows], by)
    }

    /// The same for the rows that `keep` names; the others belong to the group [`NO_GROUP`], which does not count.
    pub(crate) fn among(keep: &[bool], by: Vec<&'a Column>) -> Self {
        let rows = keep.len();
        let mut of = vec![0; rows];
        for column in &by {
            let mut codes: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (group, &cell) in of.iter_mut().zip(&column.cells) {
                let next = codes.len() as u32;
                *group = *codes.entry((*group, cell)).or_insert(next);
            }
        }
        // Groups are numbered by their first kept row; a group without one gets no number.
        let (mut sizes, mut first) = (Vec::new(), Vec::new());
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        for (row, group) in of.iter_mut().enumerate() {
            if !keep[row] {
                *group = NO_GROUP;
                continue;
            }
            *group = *number.entry(*group).or_insert_with(|| {
                sizes.push(0);
                first.push(row);
                sizes.len() as u32 - 1
            });
            sizes[*group as usize] += 1;
        }
        Self { by, of, sizes, first }
    }

    /// How often each cell of `column` occurs in each group: sorted, only where it does.
    pub(crate) fn tallies(&self, column: &Column) -> Vec<Tally> {
        let mut counts: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        let rows = self.of.iter().zip(&column.cells).filter(|(group, _)| **group != NO_GROUP);
        for (&group, &code) in rows {
            *counts.entry((group, code)).or_insert(0) += 1;
        }
        let mut tallies: Vec<Tally> =
            counts.into_iter().map(|((group, code), count)| Tally { group, code, count }).collect();
        tallies.sort_unstable();
        tallies
    }

    /// The cells that the rows of a group share.
    pub(crate) fn describe(&self, group: usize) -> Vec<Shared> {
        cells(&self.by, self.first[group])
    }
}

/// The cells of a row in some columns.
pub(crate) fn cells(columns: &[&Column], row: usize) -> Vec<Shared> {
    let shared = |c: &&Column| Shared::Cell { column: c.name.clone(), cell: Cell::from(c.cell(row)) };
    columns.iter().map(shared).collect()
}
