//! Cholesky factorisation of a symmetric positive definite matrix stored in square tiles; tiles that are zero, and stay
//! zero, are neither stored nor touched.

/// Side of a tile.
const T: usize = 48;

/// Entries of a tile.
const AREA: usize = T * T;

/// A pivot below this share of the largest diagonal entry belongs to a row that depends on others; its variable is
/// set to 0.
const SMALLEST: f64 = 1e-30;

/// Which tiles of the lower triangle of the factor can hold a number.
pub(super) struct Shape {
    side: usize,
    /// Per tile (i, j) with j <= i, at `i (i + 1) / 2 + j`: its place among the stored ones.
    place: Vec<Option<usize>>,
    stored: usize,
}

impl Shape {
    /// For a matrix of `len` rows whose entries below the diagonal lie at `entries`, as (row, column) in either order.
    pub(super) fn new(len: usize, entries: impl Iterator<Item = (usize, usize)>) -> Self {
        let side = len.div_ceil(T);
        let mut used = vec![false; at(side, 0)];
        for i in 0..side {
            used[at(i, i)] = true;
        }
        for (a, b) in entries {
            used[at(a.max(b) / T, a.min(b) / T)] = true;
        }
        // Fill: a column of tiles couples all tiles below its diagonal with each other.
        for k in 0..side {
            let below: Vec<usize> = (k + 1..side).filter(|&i| used[at(i, k)]).collect();
            for (n, &i) in below.iter().enumerate() {
                for &j in &below[..=n] {
                    used[at(i, j)] = true;
                }
            }
        }
        let mut stored = 0;
        let number = |&used: &bool| {
            used.then(|| {
                stored += 1;
                stored - 1
            })
        };
        let place = used.iter().map(number).collect();
        Self { side, place, stored }
    }

    fn tile(&self, i: usize, j: usize) -> Option<usize> {
        self.place[at(i, j)].map(|p| p * AREA)
    }
}

fn at(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// A matrix of some [`Shape`], then its factor.
pub(super) struct Tiles {
    entries: Vec<f64>,
}

impl Tiles {
    pub(super) fn zero(shape: &Shape) -> Self {
        Self { entries: vec![0.0; shape.stored * AREA] }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds `value` to the entry (i, j), j <= i, which lies in the shape.
    #[inline]
    pub(super) fn add(&mut self, shape: &Shape, i: usize, j: usize, value: f64) {
        if let Some(tile) = shape.tile(i / T, j / T) {
            self.entries[tile + (i % T) * T + j % T] += value;
        }
    }

    /// Replaces the matrix, of `len` rows, by its lower factor.
    pub(super) fn factor(&mut self, shape: &Shape, len: usize) {
        // What pads the last tile becomes the identity.
        for i in len..shape.side * T {
            self.add(shape, i, i, 1.0);
        }
        let largest = (0..len).map(|i| self.diagonal(shape, i)).fold(0.0, f64::max);
        let mut transposed = vec![0.0; shape.side * AREA];
        let mut update = vec![0.0; AREA];
        for k in 0..shape.side {
            for j in 0..k {
                if let Some(tile) = shape.tile(k, j) {
                    transpose(&self.entries[tile..tile + AREA], &mut transposed[j * AREA..(j + 1) * AREA]);
                }
            }
            for i in k..shape.side {
                let Some(target) = shape.tile(i, k) else { continue };
                update.copy_from_slice(&self.entries[target..target + AREA]);
                for j in 0..k {
                    if shape.tile(k, j).is_some()
                        && let Some(left) = shape.tile(i, j)
                    {
                        let left = &self.entries[left..left + AREA];
                        subtract_product(&mut update, left, &transposed[j * AREA..(j + 1) * AREA]);
                    }
                }
                self.entries[target..target + AREA].copy_from_slice(&update);
            }
            let Some(diagonal) = shape.tile(k, k) else { continue };
            update.copy_from_slice(&self.entries[diagonal..diagonal + AREA]);
            factor_tile(&mut update, SMALLEST * largest);
            self.entries[diagonal..diagonal + AREA].copy_from_slice(&update);
            for i in k + 1..shape.side {
                if let Some(tile) = shape.tile(i, k) {
                    solve_tile(&update, &mut self.entries[tile..tile + AREA]);
                }
            }
        }
    }

    fn diagonal(&self, shape: &Shape, i: usize) -> f64 {
        shape.tile(i / T, i / T).map_or(0.0, |tile| self.entries[tile + (i % T) * (T + 1)])
    }

    /// Solves with the factor, in place; `x` has the matrix's length.
    pub(super) fn solve(&self, shape: &Shape, x: &mut [f64]) {
        let len = x.len();
        let mut padded = x.to_vec();
        padded.resize(shape.side * T, 0.0);
        for i in 0..shape.side {
            let (done, rest) = padded.split_at_mut(i * T);
            let own = &mut rest[..T];
            for j in 0..i {
                if let Some(tile) = shape.tile(i, j) {
                    for (row, value) in self.entries[tile..tile + AREA].chunks_exact(T).zip(own.iter_mut()) {
                        *value -= row.iter().zip(&done[j * T..]).map(|(a, b)| a * b).sum::<f64>();
                    }
                }
            }
            if let Some(tile) = shape.tile(i, i) {
                let factor = &self.entries[tile..tile + AREA];
                for r in 0..T {
                    let before: f64 = (0..r).map(|c| factor[r * T + c] * own[c]).sum();
                    own[r] = (own[r] - before) / factor[r * T + r];
                }
            }
        }
        for i in (0..shape.side).rev() {
            let (before, rest) = padded.split_at_mut(i * T);
            let own = &mut rest[..T];
            if let Some(tile) = shape.tile(i, i) {
                let factor = &self.entries[tile..tile + AREA];
                for r in (0..T).rev() {
                    own[r] /= factor[r * T + r];
                    for c in 0..r {
                        own[c] -= factor[r * T + c] * own[r];
                    }
                }
            }
            for j in 0..i {
                if let Some(tile) = shape.tile(i, j) {
                    for (row, &value) in self.entries[tile..tile + AREA].chunks_exact(T).zip(own.iter()) {
                        for (b, a) in before[j * T..].iter_mut().zip(row) {
                            *b -= a * value;
                        }
                    }
                }
            }
        }
        x.copy_from_slice(&padded[..len]);
    }
}

fn transpose(from: &[f64], to: &mut [f64]) {
    for (r, row) in from.chunks_exact(T).enumerate() {
        for (c, &value) in row.iter().enumerate() {
            to[c * T + r] = value;
        }
    }
}

/// `target -= left * right`, all tiles by rows; four rows by four columns at a time, which fills the registers.
fn subtract_product(target: &mut [f64], left: &[f64], right: &[f64]) {
    for r in (0..T).step_by(4) {
        let (a0, rest) = left[r * T..(r + 4) * T].split_at(T);
        let (a1, rest) = rest.split_at(T);
        let (a2, a3) = rest.split_at(T);
        for c in (0..T).step_by(4) {
            let mut sum = [[0.0_f64; 4]; 4];
            for ((((row, &b0), &b1), &b2), &b3) in right.chunks_exact(T).zip(a0).zip(a1).zip(a2).zip(a3) {
                let four = &row[c..c + 4];
                for (n, &b) in four.iter().enumerate() {
                    sum[0][n] += b0 * b;
                    sum[1][n] += b1 * b;
                    sum[2][n] += b2 * b;
                    sum[3][n] += b3 * b;
                }
            }
            for (n, sums) in sum.iter().enumerate() {
                for (t, s) in target[(r + n) * T + c..(r + n) * T + c + 4].iter_mut().zip(sums) {
                    *t -= s;
                }
            }
        }
    }
}

/// The lower factor of one tile, in place; the upper triangle becomes 0.
fn factor_tile(tile: &mut [f64], smallest: f64) {
    for k in 0..T {
        let pivot = tile[k * T + k] - (0..k).map(|j| tile[k * T + j] * tile[k * T + j]).sum::<f64>();
        // An enormous pivot makes the variable 0.
        let root = if pivot > smallest { pivot.sqrt() } else { 1e64 };
        tile[k * T + k] = root;
        let (above, below) = tile.split_at_mut((k + 1) * T);
        let own = &above[k * T..k * T + k];
        for row in below.chunks_exact_mut(T) {
            let dot: f64 = row.iter().zip(own).map(|(a, b)| a * b).sum();
            row[k] = (row[k] - dot) / root;
        }
        above[k * T + k + 1..].fill(0.0);
    }
}

/// `tile := tile * factor^-T`.
fn solve_tile(factor: &[f64], tile: &mut [f64]) {
    for row in tile.chunks_exact_mut(T) {
        for c in 0..T {
            let own = &factor[c * T..c * T + c];
            let dot: f64 = row.iter().zip(own).map(|(a, b)| a * b).sum();
            row[c] = (row[c] - dot) / factor[c * T + c];
        }
    }
}
