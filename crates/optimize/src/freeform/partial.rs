//! A matching under way.

use std::collections::VecDeque;

use lookalike_model::loss::Loss;

use super::rows::Rows;

/// Not matched.
const OPEN: u32 = u32::MAX;

/// Which records have which rows.
pub(super) struct Partial {
    row: Vec<u32>,
    record: Vec<u32>,
    placed: usize,
}

impl Partial {
    /// Nobody has a row.
    pub(super) fn new(n: usize) -> Self {
        Self { row: vec![OPEN; n], record: vec![OPEN; n], placed: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.row.len()
    }

    /// Share of the records that have a row.
    pub(super) fn share(&self) -> f64 {
        self.placed as f64 / self.row.len() as f64
    }

    /// Whether neither has a partner.
    pub(super) fn is_open(&self, record: u32, row: u32) -> bool {
        self.row[record as usize] == OPEN && self.is_free(row)
    }

    /// Whether a row has no record.
    pub(super) fn is_free(&self, row: u32) -> bool {
        self.record[row as usize] == OPEN
    }

    /// Records without a row, ascending.
    pub(super) fn open(&self) -> Vec<u32> {
        (0..self.len() as u32).filter(|&record| self.row[record as usize] == OPEN).collect()
    }

    /// Matches two that are open.
    pub(super) fn place(&mut self, record: u32, row: u32) {
        self.row[record as usize] = row;
        self.record[row as usize] = record;
        self.placed += 1;
    }

    /// The row of each record; all must have one.
    pub(super) fn into_rows(self) -> Vec<u32> {
        self.row
    }

    /// Gives a record a row where all free ones are matched with it already, by going back on earlier choices: it takes
    /// the row of a record that takes a free one, at the least cost; if no two can change so, along a path of such
    /// changes. One exists: pairs that are not matched yet make a regular graph, which has a perfect matching.
    pub(super) fn settle<L: Loss>(&mut self, rows: &Rows<L>, record: u32) {
        let n = self.len() as u32;
        let free: Vec<u32> = (0..n).filter(|&row| self.is_free(row)).collect();
        let direct = free.iter().filter(|&&row| !rows.paired(record, row));
        if let Some((_, row)) = least(direct.map(|&row| (rows.increase(record, row), row))) {
            self.place(record, row);
            return;
        }
        let mut best: Option<(f64, (u32, u32))> = None;
        for other in 0..n {
            let own = self.row[other as usize];
            if own == OPEN || rows.paired(record, own) {
                continue;
            }
            let gain = rows.increase(record, own) - rows.increase(other, own);
            let changes = free.iter().filter(|&&row| !rows.paired(other, row));
            let changes = changes.map(|&row| (gain + rows.increase(other, row), (other, row)));
            best = least(best.into_iter().chain(changes));
        }
        match best {
            Some((_, (other, row))) => {
                let own = self.row[other as usize];
                (self.row[other as usize], self.record[row as usize]) = (row, other);
                (self.row[record as usize], self.record[own as usize]) = (own, record);
                self.placed += 1;
            }
            None => self.augment(rows, record),
        }
    }

    /// Breadth first along rows that a record may have and the records that have them, to a free row.
    fn augment<L: Loss>(&mut self, rows: &Rows<L>, root: u32) {
        let n = self.len();
        let mut from = vec![OPEN; n];
        let mut wave = VecDeque::from([root]);
        while let Some(record) = wave.pop_front() {
            for row in 0..n as u32 {
                if from[row as usize] != OPEN || rows.paired(record, row) {
                    continue;
                }
                from[row as usize] = record;
                if self.is_free(row) {
                    let mut row = row;
                    loop {
                        let record = from[row as usize];
                        let before = std::mem::replace(&mut self.row[record as usize], row);
                        self.record[row as usize] = record;
                        if record == root {
                            self.placed += 1;
                            return;
                        }
                        row = before;
                    }
                }
                wave.push_back(self.record[row as usize]);
            }
        }
    }
}

/// The least cost, the first among equals.
pub(super) fn least<T>(costs: impl Iterator<Item = (f64, T)>) -> Option<(f64, T)> {
    costs.reduce(|a, b| if b.0 < a.0 { b } else { a })
}
