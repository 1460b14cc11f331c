//! The assignment problem, dense: shortest augmenting paths with potentials (Jonker and Volgenant, Computing 38, 1987,
//! without their reduction transfer). O(n^3) at worst, O(n^2) for each row that has to look for a column.

/// Nobody.
const NONE: usize = usize::MAX;

/// An assignment under way.
pub(super) struct Assignment {
    n: usize,
    /// Cost of row i and column j at `i * n + j`; infinite where it is not allowed.
    costs: Vec<f64>,
    /// Potentials: `costs - row - column >= 0`, and 0 for what is assigned.
    rows: Vec<f64>,
    columns: Vec<f64>,
    of_row: Vec<usize>,
    of_column: Vec<usize>,
    /// The next row that may have no column.
    next: usize,
}

impl Assignment {
    /// Reduces columns, then rows, and assigns what costs nothing then, first come first served.
    pub(super) fn new(n: usize, costs: Vec<f64>) -> Self {
        let mut columns = vec![f64::INFINITY; n];
        for row in costs.chunks_exact(n) {
            for (least, cost) in columns.iter_mut().zip(row) {
                *least = least.min(*cost);
            }
        }
        let (mut rows, mut of_row, mut of_column) = (Vec::with_capacity(n), vec![NONE; n], vec![NONE; n]);
        for (i, row) in costs.chunks_exact(n).enumerate() {
            let reduced = || row.iter().zip(&columns).map(|(cost, column)| cost - column);
            let least = reduced().fold(f64::INFINITY, f64::min);
            rows.push(least);
            if let Some(j) = (0..n).zip(reduced()).find(|(j, cost)| *cost == least && of_column[*j] == NONE) {
                (of_row[i], of_column[j.0]) = (j.0, i);
            }
        }
        Self { n, costs, rows, columns, of_row, of_column, next: 0 }
    }

    /// Finds a column for one more row; the costs it looked at, about, or `None` if all have one.
    pub(super) fn advance(&mut self) -> Option<usize> {
        let free = (self.next..self.n).find(|&i| self.of_row[i] == NONE)?;
        self.next = free + 1;
        Some(self.augment(free))
    }

    /// The pairs that are assigned, by row.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let assigned = self.of_row.iter().enumerate().filter(|(_, column)| **column != NONE);
        assigned.map(|(row, &column)| (row as u32, column as u32))
    }

    /// The shortest path from a row to a column without one (Dijkstra), then the assignments along it are turned round.
    fn augment(&mut self, root: usize) -> usize {
        let n = self.n;
        let (mut length, mut from) = (vec![f64::INFINITY; n], vec![root; n]);
        let mut near: Vec<usize> = Vec::new();
        let mut far: Vec<usize> = (0..n).collect();
        let (mut row, mut walked, mut looked) = (root, 0.0, 0);
        let end = loop {
            let costs = &self.costs[row * n..(row + 1) * n];
            let base = walked - self.rows[row];
            let mut best = (f64::INFINITY, NONE);
            for (at, &j) in far.iter().enumerate() {
                let there = base + costs[j] - self.columns[j];
                if there < length[j] {
                    (length[j], from[j]) = (there, row);
                }
                if length[j] < best.0 {
                    best = (length[j], at);
                }
            }
            looked += far.len();
            if best.1 == NONE {
                // No column can be reached at a finite cost: the row stays without.
                return looked;
            }
            let column = far.swap_remove(best.1);
            walked = best.0;
            if self.of_column[column] == NONE {
                break column;
            }
            near.push(column);
            row = self.of_column[column];
        };
        self.rows[root] += walked;
        for &j in &near {
            self.columns[j] -= walked - length[j];
            self.rows[self.of_column[j]] += walked - length[j];
        }
        let mut column = end;
        loop {
            let row = from[column];
            self.of_column[column] = row;
            column = std::mem::replace(&mut self.of_row[row], column);
            if row == root {
                return looked;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The least cost over all permutations.
    fn brute_force(n: usize, costs: &[f64], row: usize, taken: &mut Vec<bool>) -> f64 {
        if row == n {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for j in 0..n {
            if !taken[j] {
                taken[j] = true;
                best = best.min(costs[row * n + j] + brute_force(n, costs, row + 1, taken));
                taken[j] = false;
            }
        }
        best
    }

    #[test]
    fn the_least_of_all_permutations() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut forbidden = 0;
        for _ in 0..400 {
            let n = rng.random_range(1..8usize);
            let mut costs: Vec<f64> = (0..n * n).map(|_| f64::from(rng.random_range(0..9u32))).collect();
            if n > 2 {
                // A pair in each row and column that is not allowed, as the identity is in the rounds.
                for i in 0..n {
                    costs[i * n + i] = f64::INFINITY;
                }
                forbidden += 1;
            }
            let least = brute_force(n, &costs, 0, &mut vec![false; n]);
            let mut assignment = Assignment::new(n, costs.clone());
            while assignment.advance().is_some() {}
            let pairs: Vec<(u32, u32)> = assignment.pairs().collect();
            let mut columns: Vec<u32> = pairs.iter().map(|p| p.1).collect();
            columns.sort_unstable();
            assert!(columns.iter().copied().eq(0..n as u32), "{pairs:?}");
            let cost: f64 = pairs.iter().map(|&(i, j)| costs[i as usize * n + j as usize]).sum();
            assert!((cost - least).abs() < 1e-9, "{cost} against {least}");
        }
        assert!(forbidden > 100);
    }
}
