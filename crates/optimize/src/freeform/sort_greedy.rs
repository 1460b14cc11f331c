//! `SortGreedy`: the pair of record and row that costs least of all that are left, again and again.
//!
//! All pairs sorted would take n^2 places. Each record holds its cheapest row instead, and looks for the next one when
//! that is gone: the same pairs in the same order.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use lookalike_model::loss::Loss;

use super::{
    partial::{Partial, least},
    round::Round,
    rows::Rows,
};

/// A pair and its cost; among equals the first record goes first, then the first row.
#[derive(PartialEq)]
struct Pair {
    cost: f64,
    record: u32,
    row: u32,
}

impl Eq for Pair {}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        let places = (self.record, self.row).cmp(&(other.record, other.row));
        self.cost.total_cmp(&other.cost).then(places)
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A round of `SortGreedy`.
pub(super) struct SortGreedy {
    /// The next record that has not looked yet.
    next: u32,
    cheapest: BinaryHeap<Reverse<Pair>>,
}

impl SortGreedy {
    pub(super) fn new() -> Self {
        Self { next: 0, cheapest: BinaryHeap::new() }
    }

    /// Looks for a record's cheapest free row.
    fn look<L: Loss>(&mut self, rows: &Rows<L>, matched: &Partial, record: u32) {
        let before: Vec<u32> = rows.of_record(record).collect();
        let free = (0..rows.len() as u32).filter(|row| matched.is_free(*row) && !before.contains(row));
        if let Some((cost, row)) = least(free.map(|row| (rows.increase(record, row), row))) {
            self.cheapest.push(Reverse(Pair { cost, record, row }));
        }
    }
}

impl<L: Loss> Round<L> for SortGreedy {
    fn advance(&mut self, rows: &Rows<L>, matched: &mut Partial) -> Option<usize> {
        if (self.next as usize) < rows.len() {
            self.next += 1;
            self.look(rows, matched, self.next - 1);
            return Some(rows.len());
        }
        let Reverse(Pair { record, row, .. }) = self.cheapest.pop()?;
        if matched.is_free(row) {
            matched.place(record, row);
            return Some(1);
        }
        self.look(rows, matched, record);
        Some(rows.len())
    }
}
