//! A mixed integer programme, as rows and columns: what the models of this crate that need a bound are written in. What a back
//! end's end means is read here and nowhere else.

#[cfg(feature = "highs")]
mod highs;
mod microlp;

use crate::{Backend, Error};

/// A variable of a programme, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column(usize);

/// `min sum cost x` with bounded variables, some of them whole numbers, and rows `lower <= sum coefficient x <= upper`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Integer {
    columns: Vec<Bounds>,
    rows: Vec<Row>,
    /// The values of a known solution, one a column; empty for none.
    start: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    cost: f64,
    upper: f64,
    whole: bool,
}

#[derive(Clone, Debug)]
struct Row {
    lower: f64,
    upper: f64,
    coefficients: Vec<(Column, f64)>,
}

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Seconds of wall clock; infinite for none.
    pub(crate) seconds: f64,
    /// Nodes of branch and bound.
    pub(crate) nodes: u32,
}

/// What a back end answers.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The values of the columns in the best solution, if there is one.
    pub(crate) values: Option<Vec<f64>>,
    /// No solution costs less, within the back end's tolerances; minus infinity if nothing is proven.
    pub(crate) bound: f64,
    /// Whether the search came to its end; without values there is no solution then.
    pub(crate) complete: bool,
}

/// Largest relative gap that counts as optimal.
const GAP: f64 = 1e-9;

impl Integer {
    /// A variable that is 0 or 1.
    pub(crate) fn binary(&mut self, cost: f64, start: f64) -> Column {
        self.add(Bounds { cost, upper: 1.0, whole: true }, start)
    }

    /// A variable that is a whole number from 0.
    pub(crate) fn count(&mut self, cost: f64, upper: usize, start: f64) -> Column {
        // No back end takes larger ones as whole numbers.
        let upper = upper.min(i32::MAX as usize) as f64;
        self.add(Bounds { cost, upper, whole: true }, start)
    }

    /// A variable of at least 0.
    pub(crate) fn number(&mut self, cost: f64, upper: f64, start: f64) -> Column {
        self.add(Bounds { cost, upper, whole: false }, start)
    }

    fn add(&mut self, bounds: Bounds, start: f64) -> Column {
        self.columns.push(bounds);
        self.start.push(start);
        Column(self.columns.len() - 1)
    }

    /// A row `sum = value`.
    pub(crate) fn equal(&mut self, value: f64, coefficients: Vec<(Column, f64)>) {
        self.rows.push(Row { lower: value, upper: value, coefficients });
    }

    /// A row `sum <= value`.
    pub(crate) fn at_most(&mut self, value: f64, coefficients: Vec<(Column, f64)>) {
        self.rows.push(Row { lower: f64::NEG_INFINITY, upper: value, coefficients });
    }

    /// Forgets the known solution.
    pub(crate) fn without_start(&mut self) {
        self.start.clear();
    }

    pub(crate) fn solve(&self, backend: Backend, limits: Limits) -> Result<Answer, Error> {
        match backend {
            Backend::Microlp => microlp::solve(self, limits),
            #[cfg(feature = "highs")]
            Backend::Highs => highs::solve(self, limits),
        }
    }
}

/// The value of a column.
pub(crate) fn value(values: &[f64], column: Column) -> f64 {
    values[column.0]
}
