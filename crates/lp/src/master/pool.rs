//! The classes, cuts and boxes a restricted master is made of.

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
pub struct Pool {
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

impl Pool {
    /// A master with right-hand sides `b` (how often each row is to be covered), no column, and duals in
    /// `[-limit, limit]`.
    ///
    /// # Errors
    /// [`Error::Input`] if there is no row, a number of `b` is negative or not finite, or `limit` is not positive
    /// and finite.
    pub fn new(b: &[f64], limit: f64) -> Result<Self, Error> {
        if b.is_empty() {
            return Err(Error::Input(String::from("the master has no row")));
        }
        if let Some((row, b)) = b.iter().enumerate().find(|(_, b)| !b.is_finite() || **b < 0.0) {
            return Err(Error::Input(format!("row {row} is to be covered {b} times")));
        }
        if !limit.is_finite() || limit <= 0.0 {
            return Err(Error::Input(format!("duals up to {limit}: the limit must be positive and finite")));
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
        let fail = |why: String| Err(Error::Input(format!("new column {index} {why}")));
        if !column.cost.is_finite() {
            return fail(format!("costs {}", column.cost));
        }
        if column.rows.is_empty() {
            return fail(String::from("covers no row"));
        }
        if let Some(row) = column.rows.iter().find(|&&r| r as usize >= self.rows()) {
            return fail(format!("covers row {row} of {}", self.rows()));
        }
        let ones = column.rows.iter().map(|&r| (r, 1.0));
        match (sum_up(ones), terms(&column.cuts, self.cuts())) {
            (rows, Ok(cuts)) => Ok(Stored { cost: column.cost, rows, cuts }),
            (_, Err(why)) => fail(format!("and the cuts: {why}")),
        }
    }

    /// Adds cuts; all or none.
    pub(super) fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error> {
        let mut checked = Vec::with_capacity(cuts.len());
        for (index, cut) in cuts.iter().enumerate() {
            let fail = |why: String| Err(Error::Input(format!("new cut {index}: {why}")));
            if !cut.rhs.is_finite() || cut.rhs < 0.0 {
                return fail(format!("right-hand side {}; it must be at least 0", cut.rhs));
            }
            match terms(&cut.coefficients, self.columns()) {
                Ok(terms) => checked.push(terms),
                Err(why) => return fail(why),
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
        check_len("columns", keep.len(), self.columns.len())?;
        let mut flags = keep.iter();
        self.columns.retain(|_| flags.next().is_some_and(|&k| k));
        Ok(())
    }

    /// Keeps the cuts whose entry is true, in their order.
    pub(super) fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error> {
        check_len("cuts", keep.len(), self.rhs.len())?;
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
        check_len("rows", lower.len(), self.rows())?;
        check_len("rows", upper.len(), self.rows())?;
        let wrong = |(l, u): (&f64, &f64)| !l.is_finite() || !u.is_finite() || l > u;
        if let Some(row) = lower.iter().zip(upper).position(wrong) {
            let (l, u) = (lower[row], upper[row]);
            return Err(Error::Input(format!("the dual of row {row} is to lie between {l} and {u}")));
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

fn check_len(what: &str, given: usize, there: usize) -> Result<(), Error> {
    if given == there {
        return Ok(());
    }
    Err(Error::Input(format!("{given} entries for {there} {what}")))
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

fn terms(entries: &[(u32, f64)], len: usize) -> Result<Vec<(u32, f64)>, String> {
    if let Some((index, a)) = entries.iter().find(|e| e.0 as usize >= len || !e.1.is_finite()) {
        return Err(format!("coefficient {a} at index {index} of {len}"));
    }
    let mut terms = sum_up(entries.iter().copied());
    terms.retain(|e| e.1 != 0.0);
    Ok(terms)
}
