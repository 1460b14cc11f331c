//! The master in standard form: `min c x, A x = b, x >= 0`, with the artificial columns and the cuts' slacks in `A`.

use super::super::Pool;

/// Columns: the pool's, then per row what is missing and what is too much, then the cuts' slacks. Rows: the pool's rows,
/// then its cuts.
pub(super) struct Programme {
    pub(super) cost: Vec<f64>,
    pub(super) b: Vec<f64>,
    start: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Programme {
    pub(super) fn new(pool: &Pool) -> Self {
        let rows = pool.rows();
        let mut this = Self {
            cost: Vec::new(),
            b: pool.b().iter().chain(pool.rhs()).copied().collect(),
            start: vec![0],
            entries: Vec::new(),
        };
        for column in pool.stored() {
            let cuts = column.cuts.iter().map(|&(cut, a)| (rows as u32 + cut, a));
            this.push(column.cost, column.rows.iter().copied().chain(cuts));
        }
        for (row, (&lower, &upper)) in (0..).zip(pool.lower().iter().zip(pool.upper())) {
            this.push(upper, [(row, 1.0)].into_iter());
            this.push(-lower, [(row, -1.0)].into_iter());
        }
        for cut in 0..pool.cuts() as u32 {
            this.push(0.0, [(rows as u32 + cut, 1.0)].into_iter());
        }
        this
    }

    fn push(&mut self, cost: f64, entries: impl Iterator<Item = (u32, f64)>) {
        self.cost.push(cost);
        self.entries.extend(entries);
        self.start.push(self.entries.len());
    }

    /// The columns' entries as (row, coefficient), ascending.
    pub(super) fn columns(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        self.start.windows(2).map(|w| &self.entries[w[0]..w[1]])
    }

    /// `A x`.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.b.len()];
        for (column, &x) in self.columns().zip(x) {
            for &(row, a) in column {
                product[row as usize] += a * x;
            }
        }
        product
    }

    /// `A' y`.
    pub(super) fn transposed(&self, y: &[f64]) -> Vec<f64> {
        self.columns().map(|column| column.iter().map(|&(row, a)| a * y[row as usize]).sum()).collect()
    }
}
