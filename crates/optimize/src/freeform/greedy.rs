//! Greedy: one record after another takes the row that grows least by it.

use lookalike_model::loss::Loss;

use super::{
    partial::{Partial, least},
    round::Round,
    rows::Rows,
};

/// A round of Greedy.
pub(super) struct Greedy {
    /// The record whose turn it is.
    next: u32,
    /// Rows without a record, ascending; empty before the first turn.
    free: Vec<u32>,
}

impl Greedy {
    pub(super) fn new() -> Self {
        Self { next: 0, free: Vec::new() }
    }
}

impl<L: Loss> Round<L> for Greedy {
    fn advance(&mut self, rows: &Rows<L>, matched: &mut Partial) -> Option<usize> {
        let record = self.next;
        if record == 0 {
            self.free = (0..rows.len() as u32).collect();
        }
        if record as usize == rows.len() {
            return None;
        }
        self.next += 1;
        let before: Vec<u32> = rows.of_record(record).collect();
        let looked = self.free.len();
        let costs = self.free.iter().enumerate().filter(|(_, row)| !before.contains(row));
        if let Some((_, at)) = least(costs.map(|(at, &row)| (rows.increase(record, row), at))) {
            matched.place(record, self.free.remove(at));
        } else {
            // An earlier record gives up its row, and another one is free no longer.
            matched.settle(rows, record);
            self.free.retain(|&row| matched.is_free(row));
        }
        Some(looked)
    }
}
