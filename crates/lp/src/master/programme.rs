//! The classes, cuts and boxes a restricted master is made of.

use lookalike_words::Figure;

use super::MasterFault;
use crate::Error;

/// A class: one variable of the master.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What the class costs; finite.
    pub cost: f64,
    /// Its rows, in any order; a row that stands here twice has coefficient 2. Not empty.
    pub rows: Vec<u32>,
    /// Its coefficients in the cuts that exist, as (cut, coefficient); a cut not named has coefficient 0.
    pub cuts: Vec<(u32, f64)>,
}

/// A cut `sum coefficient_C x_C <= rhs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// Right-hand side; finite, at least 0, so that the master never becomes infeasible.
    pub rhs: f64,
    /// Coefficients of the columns that exist, as (column, coefficient); a column not named has coefficient 0.
    pub coefficients: Vec<(u32, f64)>,
}

/// The restricted master as plain data, which every back end keeps.
///
/// ```text
/// min  sum w_C x_C + sum upper_i a_i - sum lower_i s_i
/// s.t. sum_C (count of i in C) x_C + a_i - s_i = b_i      for every row i      dual lambda_i
///      sum_C coefficient x_C <= rhs                        for every cut        dual -sigma, sigma >= 0
///      x, a, s >= 0
/// ```
///
/// The artificial columns `a` (row not covered) and `s` (row covered too often) are the boxes
/// `lower_i <= lambda_i <= upper_i` of the dual.
#[derive(Clone, Debug)]
pub struct Programme {
    b: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    columns: Vec<Stored>,
    rhs: Vec<f64>,
}

/// A column with its repeated rows counted.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) cost: f64,
    /// (row, count), ascending.
    pub(super) rows: Vec<(u32, f64)>,
    /// (cut, coefficient), ascending, none 0.
    pub(super) cuts: Vec<(u32, f64)>,
}

impl Programme {
    /// A master with right-hand sides `b` (how often each row is to be covered), no column, and duals in
    /// `[-limit, limit]`.
    ///
    /// # Errors
    /// [`Error::Input`] if there is no row, a number of `b` is negative or not finite, or `limit` is not positive
    /// and finite.
    pub fn new(b: &[f64], limit: f64) -> Result<Self, Error> {
        if b.is_empty() {
            return Err(Error::input(MasterFault::NoRow));
        }
        if let Some((row, b)) = b.iter().enumerate().find(|(_, b)| !b.is_finite() || **b < 0.0) {
            return Err(Error::input(MasterFault::Right { row, times: Figure::shortest(*b) }));
        }
        if !limit.is_finite() || limit <= 0.0 {
            return Err(Error::input(MasterFault::Limit { limit: Figure::shortest(limit) }));
        }
        Ok(Self {
            b: b.to_vec(),
            lower: vec![-limit; b.len()],
            upper: vec![limit; b.len()],
            columns: Vec::new(),
            rhs: Vec::new(),
        })
    }

    /// How often each row is to be covered.
    #[must_use]
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// The least value of each dual.
    #[must_use]
    pub fn lower(&self) -> &[f64] {
        &self.lower
    }

    /// The greatest value of each dual.
    #[must_use]
    pub fn upper(&self) -> &[f64] {
        &self.upper
    }

    /// How many rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// How many columns, artificial ones not counted.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// How many cuts.
    #[must_use]
    pub fn cuts(&self) -> usize {
        self.rhs.len()
    }

    /// The cuts' right-hand sides.
    #[must_use]
    pub fn rhs(&self) -> &[f64] {
        &self.rhs
    }

    /// What column `column` costs; `None` if there is none.
    #[must_use]
    pub fn cost(&self, column: usize) -> Option<f64> {
        self.columns.get(column).map(|c| c.cost)
    }

    /// `w_C - sum lambda_i (count of i in C) + sum sigma coefficient`, one a column.
    #[must_use]
    pub fn reduced_costs(&self, duals: &[f64], sigmas: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|c| c.reduced_cost(duals, sigmas)).collect()
    }

    /// The dual objective `sum b_i lambda_i - sum rhs sigma`: the master's value if the duals are optimal.
    #[must_use]
    pub fn dual_value(&self, duals: &[f64], sigmas: &[f64]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&self.b, duals) - dot(&self.rhs, sigmas)
    }

    pub(super) fn stored(&self) -> &[Stored] {
        &self.columns
    }

    /// Adds columns; all or none.
    pub(super) fn add_columns(&mut self, columns: &[Column]) -> Result<(), Error> {
        let stored: Result<Vec<Stored>, Error> =
            columns.iter().enumerate().map(|(i, c)| self.check(i, c)).collect();
        self.columns.extend(stored?);
        Ok(())
    }

    fn check(&self, index: usize, column: &Column) -> Result<Stored, Error> {
        let fail = |fault: MasterFault| Err(Error::input(fault));
        if !column.cost.is_finite() {
            return fail(MasterFault::Cost { column: index, cost: Figure::shortest(column.cost) });
        }
        if column.rows.is_empty() {
            return fail(MasterFault::CoversNothing { column: index });
        }
        if let Some(&row) = column.rows.iter().find(|&&r| r as usize >= self.rows()) {
            return fail(MasterFault::CoversRow { column: index, row, rows: self.rows() });
        }
        let ones = column.rows.iter().map(|&r| (r, 1.0));
        match (sum_up(ones), terms(&column.cuts, self.cuts())) {
            (rows, Ok(cuts)) => Ok(Stored { cost: column.cost, rows, cuts }),
            (_, Err((cut, coefficient))) => {
                fail(MasterFault::InCut { column: index, coefficient, cut, cuts: self.cuts() })
            }
        }
    }

    /// Adds cuts; all or none.
    pub(super) fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error> {
        let mut checked = Vec::with_capacity(cuts.len());
        for (index, cut) in cuts.iter().enumerate() {
            if !cut.rhs.is_finite() || cut.rhs < 0.0 {
                let right = Figure::shortest(cut.rhs);
                return Err(Error::input(MasterFault::CutRight { cut: index, right }));
            }
            let columns = self.columns();
            match terms(&cut.coefficients, columns) {
                Ok(terms) => checked.push(terms),
                Err((column, coefficient)) => {
                    let cut = index;
                    return Err(Error::input(MasterFault::CutColumn { cut, coefficient, column, columns }));
                }
            }
        }
        for (cut, terms) in cuts.iter().zip(checked) {
            let index = self.rhs.len() as u32;
            self.rhs.push(cut.rhs);
            for (column, coefficient) in terms {
                self.columns[column as usize].cuts.push((index, coefficient));
            }
        }
        Ok(())
    }

    /// Keeps the columns whose entry is true, in their order.
    pub(super) fn retain_columns(&mut self, keep: &[bool]) -> Result<(), Error> {
        same(keep.len(), self.columns.len(), |given, there| MasterFault::KeepColumns { given, there })?;
        let mut flags = keep.iter();
        self.columns.retain(|_| flags.next().is_some_and(|&k| k));
        Ok(())
    }

    /// Keeps the cuts whose entry is true, in their order.
    pub(super) fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error> {
        same(keep.len(), self.rhs.len(), |given, there| MasterFault::KeepCuts { given, there })?;
        let mut next = 0;
        let place: Vec<Option<u32>> = keep
            .iter()
            .map(|&k| {
                k.then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let mut flags = keep.iter();
        self.rhs.retain(|_| flags.next().is_some_and(|&k| k));
        for column in &mut self.columns {
            let kept = column.cuts.iter().filter_map(|&(cut, c)| Some((place[cut as usize]?, c)));
            column.cuts = kept.collect();
        }
        Ok(())
    }

    pub(super) fn set_boxes(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
        for ends in [lower, upper] {
            same(ends.len(), self.rows(), |given, there| MasterFault::Boxes { given, there })?;
        }
        let wrong = |(l, u): (&f64, &f64)| !l.is_finite() || !u.is_finite() || l > u;
        if let Some(row) = lower.iter().zip(upper).position(wrong) {
            let [lower, upper] = [lower[row], upper[row]].map(Figure::shortest);
            return Err(Error::input(MasterFault::Box { row, lower, upper }));
        }
        self.lower.copy_from_slice(lower);
        self.upper.copy_from_slice(upper);
        Ok(())
    }
}

impl Stored {
    pub(super) fn reduced_cost(&self, duals: &[f64], sigmas: &[f64]) -> f64 {
        let covered: f64 = self.rows.iter().map(|&(r, a)| a * duals[r as usize]).sum();
        let cut: f64 = self.cuts.iter().map(|&(c, a)| a * sigmas[c as usize]).sum();
        self.cost - covered + cut
    }
}

fn same(given: usize, there: usize, fault: fn(usize, usize) -> MasterFault) -> Result<(), Error> {
    if given == there { Ok(()) } else { Err(Error::input(fault(given, there))) }
}

/// Sorted by index, equal indices added up.
fn sum_up(entries: impl Iterator<Item = (u32, f64)>) -> Vec<(u32, f64)> {
    let mut sorted: Vec<(u32, f64)> = entries.collect();
    sorted.sort_by_key(|e| e.0);
    sorted.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    sorted
}

/// The terms that are not 0, by index; else the index of one that cannot be, and its coefficient.
fn terms(entries: &[(u32, f64)], len: usize) -> Result<Vec<(u32, f64)>, (u32, Figure)> {
    if let Some(&(index, a)) = entries.iter().find(|e| e.0 as usize >= len || !e.1.is_finite()) {
        return Err((index, Figure::shortest(a)));
    }
    let mut terms = sum_up(entries.iter().copied());
    terms.retain(|e| e.1 != 0.0);
    Ok(terms)
}
