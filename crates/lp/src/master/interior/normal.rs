//! The normal equations `A D A' u = r`.

use super::{
    cholesky::{Shape, Tiles},
    order,
    programme::Programme,
};

/// Corrections of a solution by its residual.
const REFINEMENTS: usize = 2;

pub(super) struct Normal<'a> {
    programme: &'a Programme,
    /// Rows in the order of elimination.
    order: Vec<usize>,
    /// Per column of the programme its entries by place in that order, descending.
    columns: Vec<Vec<(usize, f64)>>,
    shape: Shape,
    tiles: Tiles,
    d: Vec<f64>,
}

impl<'a> Normal<'a> {
    pub(super) fn new(programme: &'a Programme) -> Self {
        let order = order::dissect(programme);
        let mut place = vec![0; order.len()];
        for (at, &row) in order.iter().enumerate() {
            place[row] = at;
        }
        let columns: Vec<Vec<(usize, f64)>> = programme
            .columns()
            .map(|column| {
                let mut placed: Vec<(usize, f64)> =
                    column.iter().map(|&(row, a)| (place[row as usize], a)).collect();
                placed.sort_unstable_by_key(|e| std::cmp::Reverse(e.0));
                placed
            })
            .collect();
        let pairs = columns.iter().flat_map(|c| {
            c.iter().enumerate().flat_map(move |(n, a)| c[n + 1..].iter().map(move |b| (a.0, b.0)))
        });
        let shape = Shape::new(order.len(), pairs);
        let tiles = Tiles::zero(&shape);
        Self { programme, order, columns, shape, tiles, d: Vec::new() }
    }

    /// Factors `A D A'`.
    pub(super) fn factor(&mut self, d: Vec<f64>) {
        self.tiles.clear();
        for (column, &d) in self.columns.iter().zip(&d) {
            for (n, &(i, a)) in column.iter().enumerate() {
                let scaled = a * d;
                for &(j, b) in &column[n..] {
                    self.tiles.add(&self.shape, i, j, scaled * b);
                }
            }
        }
        self.tiles.factor(&self.shape, self.order.len());
        self.d = d;
    }

    /// The solution of the factored equations.
    pub(super) fn solve(&self, r: &[f64]) -> Vec<f64> {
        let mut u = self.back(r);
        for _ in 0..REFINEMENTS {
            let mut scaled = self.programme.transposed(&u);
            for (s, d) in scaled.iter_mut().zip(&self.d) {
                *s *= d;
            }
            let product = self.programme.times(&scaled);
            let rest: Vec<f64> = r.iter().zip(&product).map(|(r, p)| r - p).collect();
            for (u, correction) in u.iter_mut().zip(self.back(&rest)) {
                *u += correction;
            }
        }
        u
    }

    fn back(&self, r: &[f64]) -> Vec<f64> {
        let mut placed: Vec<f64> = self.order.iter().map(|&row| r[row]).collect();
        self.tiles.solve(&self.shape, &mut placed);
        let mut u = vec![0.0; r.len()];
        for (&row, value) in self.order.iter().zip(placed) {
            u[row] = value;
        }
        u
    }
}
