//! The graph of consistent records, one node for each different combination of quasi-identifiers.

use lookalike_table::{Column, Table};
use lookalike_words::Name;

use crate::{
    Error, Shared,
    groups::{Groups, cells},
    measure::{Covering, Reading},
};

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// Original and published combinations of quasi-identifiers, and which are consistent.
pub(crate) struct Graph {
    pub(crate) original: Side,
    pub(crate) published: Side,
    /// Per original combination the published ones that are consistent with it, ascending.
    pub(crate) edges: Vec<Vec<u32>>,
}

/// The different combinations of one table.
pub(crate) struct Side {
    /// Combination of each row.
    pub(crate) of: Vec<u32>,
    /// Rows of each.
    pub(crate) rows: Vec<usize>,
    /// Its cells.
    pub(super) cells: Vec<Vec<Shared>>,
}

impl Graph {
    pub(crate) fn new(
        published: &Table,
        original: &Table,
        quasi: &[String],
        reading: &Reading,
    ) -> Result<Self, Error> {
        if quasi.is_empty() {
            return Err(Error::NoQuasi);
        }
        let column = |name: &String| {
            original.column(name).ok_or_else(|| Error::NoOriginalColumn { column: Name::from(name.as_str()) })
        };
        let before = quasi.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let column = |name: &String| {
            published.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
        };
        let after = quasi.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let originals = Groups::by(original.rows, before.clone());
        let publisheds = Groups::by(published.rows, after.clone());

        let words = publisheds.sizes.len().div_ceil(BITS);
        let mut all: Vec<Vec<u64>> = vec![full(publisheds.sizes.len()); originals.sizes.len()];
        for (before, after) in before.iter().zip(&after) {
            let covering = Covering::new(before, after, reading)
                .map_err(|why| Error::Incomparable { column: Name::from(before.name.as_str()), why })?;
            // Per original cell the published combinations that may be it; made when first asked for.
            let mut of_entry: Vec<Option<Vec<u64>>> = vec![None; before.values.len()];
            for (set, &row) in all.iter_mut().zip(&originals.first) {
                let entry = before.cells[row] as usize;
                let own = of_entry[entry].get_or_insert_with(|| {
                    let mut bits = vec![0; words];
                    let cells = publisheds.first.iter().map(|&row| after.cells[row] as usize);
                    for (at, _) in cells.enumerate().filter(|(_, cell)| covering.covers(entry, *cell)) {
                        bits[at / BITS] |= 1 << (at % BITS);
                    }
                    bits
                });
                set.iter_mut().zip(own).for_each(|(set, own)| *set &= *own);
            }
        }
        let edges = all.iter().map(|set| members(set)).collect();
        let side = |groups: &Groups, columns: &[&Column]| Side {
            of: groups.of.clone(),
            rows: groups.sizes.clone(),
            cells: groups.first.iter().map(|&row| cells(columns, row)).collect(),
        };
        Ok(Self { original: side(&originals, &before), published: side(&publisheds, &after), edges })
    }

    /// Published rows that are consistent with each original combination.
    pub(super) fn published_of_original(&self) -> Vec<usize> {
        let rows = |edges: &Vec<u32>| edges.iter().map(|&p| self.published.rows[p as usize]).sum();
        self.edges.iter().map(rows).collect()
    }

    /// Original records that are consistent with each published combination.
    pub(super) fn original_of_published(&self) -> Vec<usize> {
        let mut records = vec![0; self.published.rows.len()];
        for (edges, rows) in self.edges.iter().zip(&self.original.rows) {
            for &p in edges {
                records[p as usize] += rows;
            }
        }
        records
    }
}

/// The first `n` bits.
fn full(n: usize) -> Vec<u64> {
    let word = |w: usize| match n - w * BITS {
        rest if rest >= BITS => u64::MAX,
        rest => (1 << rest) - 1,
    };
    (0..n.div_ceil(BITS)).map(word).collect()
}

/// Places of the bits that are set.
fn members(set: &[u64]) -> Vec<u32> {
    let mut members = Vec::new();
    for (at, &word) in set.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            members.push((at * BITS) as u32 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
    members
}
