//! k-anonymity as one mixed integer linear programme: Liang 2020, (21)-(28) with the weights of (34)-(35).
//!
//! `y_ij` and `z_ij` are the ends of the range that record i is published with in attribute j, `v_il` says that i and l are
//! published alike:
//!
//! ```text
//! min  sum_ij w_j (z_ij - y_ij) / (U_j - L_j)
//! s.t. |y_ij - y_lj| <= M^y (1 - v_il),   |z_ij - z_lj| <= M^z (1 - v_il)     for i < l and every j     (22)-(25)
//!      sum_{l != i} v_il >= k - 1                                             for every i               (26)
//!      L_j <= y_ij <= x_ij <= z_ij <= U_j,   v_il = v_li in {0, 1}
//! ```
//!
//! The last line the paper leaves unsaid; without it the programme is unbounded. The constants are its (29)-(32). A category
//! is a binary attribute for each of its values; with the weight 1/|H| they cost what the paper's section 2.5 says, and if
//! only the upper ends count, less one for each record, (count - 1) / |H|, as in its Definition 8.
//!
//! For small cases only: n (n - 1) / 2 binaries and a weak relaxation. [`prove`] writes the same problem so that its bound can
//! be proven.

mod columns;
mod message;
mod model;
mod proof;
mod reach;

pub use message::GeneralFault;
pub use proof::{Proven, prove};

use lookalike_words::Figure;

use crate::{Backend, Error};

/// An attribute of the records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attribute {
    /// `w_j`, at least 0.
    pub weight: f64,
    /// What its values are.
    pub kind: Kind,
}

/// What the values of an attribute are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Numbers.
    Number {
        /// `L_j`, the least value that is possible.
        lower: f64,
        /// `U_j`, the greatest. If it is `L_j`, the attribute costs nothing.
        upper: f64,
        /// Whether values are whole, so that the ends are integer variables (27); else (28).
        whole: bool,
    },
    /// Codes `0..levels` of a category.
    Category {
        /// |H|.
        levels: u32,
        /// Whether c >= 2 values cost c / |H| (section 2.5) instead of (c - 1) / |H| (Definition 8).
        binary: bool,
    },
}

/// The programme.
#[derive(Clone, Debug)]
pub struct Programme<'a> {
    /// The attributes.
    pub attributes: &'a [Attribute],
    /// The values `x_ij`, record by record.
    pub values: &'a [f64],
    /// The least number of records that are published alike.
    pub k: usize,
    /// A known solution, as the class of each record: the initial feasible solution of section 2.3. May be empty.
    pub start: &'a [u32],
}

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of wall clock; infinite for none.
    pub seconds: f64,
    /// Nodes of branch and bound; only HiGHS counts them.
    pub nodes: u32,
}

impl Limits {
    /// No limit.
    #[must_use]
    pub fn none() -> Self {
        Self { seconds: f64::INFINITY, nodes: u32::MAX }
    }
}

/// The best solution that was found, if any was, and what is proven of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The class of each record: records that are directly or indirectly equivalent (Definition 6) share one. `None` if
    /// the limit came before any solution.
    pub labels: Option<Vec<u32>>,
    /// Whether no solution is better, within the back end's tolerances.
    pub complete: bool,
}

/// Solves the programme.
///
/// # Errors
/// [`Error::Input`] for lengths that do not fit, values outside their bounds, or fewer than k records;
/// [`Error::Backend`] if the back end fails or its classes are too small.
pub fn solve(programme: &Programme, backend: Backend, limits: Limits) -> Result<Solution, Error> {
    check(programme)?;
    model::solve(programme, backend, limits)
}

fn check(programme: &Programme) -> Result<(), Error> {
    let bad = |fault: GeneralFault| Err(Error::input(fault));
    let width = programme.attributes.len();
    if width == 0 || !programme.values.len().is_multiple_of(width) {
        return bad(GeneralFault::Values { values: programme.values.len(), attributes: width });
    }
    let records = programme.values.len() / width;
    if programme.k < 2 || records < programme.k {
        return bad(GeneralFault::Records { records, k: programme.k });
    }
    if !programme.start.is_empty() && programme.start.len() != records {
        return bad(GeneralFault::Start { labels: programme.start.len(), records });
    }
    for (j, attribute) in programme.attributes.iter().enumerate() {
        if !attribute.weight.is_finite() || attribute.weight < 0.0 {
            return bad(GeneralFault::Weight { attribute: j, weight: Figure::shortest(attribute.weight) });
        }
        let fits = |x: f64| match attribute.kind {
            Kind::Number { lower, upper, whole } => {
                lower <= x && x <= upper && upper.is_finite() && (!whole || x == x.trunc())
            }
            Kind::Category { levels, .. } => x >= 0.0 && x < f64::from(levels) && x == x.trunc(),
        };
        if let Some(i) = (0..records).find(|i| !fits(programme.values[i * width + j])) {
            let value = Figure::shortest(programme.values[i * width + j]);
            return bad(GeneralFault::Value { record: i, attribute: j, value });
        }
    }
    Ok(())
}
