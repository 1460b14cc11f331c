//! Rows that grow by the records they are matched with.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::{Loss, LossTable},
};

/// The published rows, one a record, and what they cover.
pub(super) struct Rows<L: Loss> {
    instance: Arc<Instance>,
    loss: L,
    /// What the covered records lose as a class, for each row.
    table: L::Table,
    /// Records that each row covers, in the order of the matchings.
    covered: Vec<Vec<u32>>,
    /// What the table leaves out, for each row.
    records: Vec<f64>,
    /// Loss of each row.
    losses: Vec<f64>,
    /// The row of each record, by matching.
    matchings: Vec<Vec<u32>>,
}

impl<L: Loss> Rows<L> {
    /// Each row covers its own record.
    pub(super) fn new(instance: &Arc<Instance>, loss: &L) -> Self {
        let n = instance.records();
        let mut rows = Self {
            instance: Arc::clone(instance),
            loss: *loss,
            table: loss.table(instance, n),
            covered: vec![Vec::new(); n],
            records: vec![0.0; n],
            losses: vec![0.0; n],
            matchings: Vec::new(),
        };
        rows.cover((0..n as u32).collect());
        rows
    }

    pub(super) fn len(&self) -> usize {
        self.covered.len()
    }

    /// Number of matchings so far.
    pub(super) fn matchings(&self) -> usize {
        self.matchings.len()
    }

    pub(super) fn into_matchings(self) -> Vec<Vec<u32>> {
        self.matchings
    }

    /// Whether a record and a row are matched already.
    pub(super) fn paired(&self, record: u32, row: u32) -> bool {
        self.covered[row as usize].contains(&record)
    }

    /// The rows that a record is matched with already.
    pub(super) fn of_record(&self, record: u32) -> impl Iterator<Item = u32> + '_ {
        self.matchings.iter().map(move |rows| rows[record as usize])
    }

    /// What a row loses more if it covers one more record: its loss is that of the covered records as a class, in the
    /// mean of these.
    #[inline]
    pub(super) fn increase(&self, record: u32, row: u32) -> f64 {
        let members = &self.covered[row as usize];
        let fixed = self.records[row as usize] + self.loss.record(&self.instance, record);
        let after = self.table.value_after(row, members, Some(record), None) + fixed;
        after / (members.len() + 1) as f64 - self.losses[row as usize]
    }

    /// Takes in a matching: the row of each record.
    pub(super) fn cover(&mut self, rows: Vec<u32>) {
        for (record, &row) in (0..).zip(&rows) {
            let at = row as usize;
            self.covered[at].push(record);
            self.records[at] += self.loss.record(&self.instance, record);
            self.table.refresh(row, &self.covered[at]);
            self.losses[at] = (self.table.value(row) + self.records[at]) / self.covered[at].len() as f64;
        }
        self.matchings.push(rows);
    }
}
