//! The restricted master of column generation: set partitioning over a pool of classes (docs/masters.md).
//!
//! [`open`] chooses a back end; [`Programme`] states the programme. A master's value is never a bound by itself: only duals
//! that exact pricing has proven feasible are.

#[cfg(feature = "highs")]
mod highs;
#[cfg(feature = "highs")]
mod highs_interior;
mod message;
mod microlp;
mod programme;

pub use message::MasterFault;
pub use programme::{Column, Cut, Programme};

use crate::Error;

/// What a solution is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Duals for pricing; `x` may be empty.
    Duals,
    /// Duals and `x`.
    Primal,
}

/// When to give up.
pub struct Limits<'a> {
    /// Seconds of wall clock, for back ends with a clock of their own; infinite for none.
    pub seconds: f64,
    /// Asked now and then; `true` ends the solve with [`Error::Stopped`].
    pub stop: &'a dyn Fn() -> bool,
}

impl Limits<'_> {
    /// No limit.
    #[must_use]
    pub fn none() -> Limits<'static> {
        Limits { seconds: f64::INFINITY, stop: &|| false }
    }
}

/// An optimal solution of a restricted master.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The optimal value, artificial columns included: `sum b lambda - sum rhs sigma`.
    pub value: f64,
    /// `lambda`, one a row, within the boxes.
    pub duals: Vec<f64>,
    /// `sigma >= 0`, one a cut: minus the dual of the cut as a row of the minimisation.
    pub sigmas: Vec<f64>,
    /// `x >= 0`, one a column; empty if [`Target::Duals`] was asked for and the back end has none at hand.
    pub x: Vec<f64>,
    /// The artificial columns' total: 0 (to a tolerance) iff `x` alone covers every row exactly; `None` if `x` is
    /// empty. With boxes that are wide enough, more than 0 says that the columns admit no solution.
    pub artificial: Option<f64>,
}

/// How a linear programme is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// From vertex to vertex: warm after a change.
    Simplex,
    /// Through the interior: every solve starts afresh, and none stalls for degeneracy.
    InteriorPoint,
}

/// The back ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Simplex on the dual, whose rows are classes; pure Rust.
    Microlp,
    /// HiGHS's simplex, started from the last basis; native only.
    #[cfg(feature = "highs")]
    Highs,
    /// HiGHS's interior point method; native only.
    #[cfg(feature = "highs")]
    HighsInterior,
}

impl Kind {
    /// Those that were compiled in, the quickest for large masters last.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &[
            Self::Microlp,
            #[cfg(feature = "highs")]
            Self::HighsInterior,
            #[cfg(feature = "highs")]
            Self::Highs,
        ]
    }

    /// The back end of this method that was compiled in, if there is one. Of the simplex methods that is HiGHS's, since it is
    /// the quickest to solve again after a change; microlp is always there. Where the simplex method stalls on a degenerate
    /// programme, an interior point method helps.
    #[must_use]
    pub fn by(algorithm: Algorithm) -> Option<Self> {
        Self::all().iter().rev().copied().find(|kind| kind.algorithm() == algorithm)
    }

    /// The method that it solves by.
    #[must_use]
    pub fn algorithm(self) -> Algorithm {
        match self {
            Self::Microlp => Algorithm::Simplex,
            #[cfg(feature = "highs")]
            Self::Highs => Algorithm::Simplex,
            #[cfg(feature = "highs")]
            Self::HighsInterior => Algorithm::InteriorPoint,
        }
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Microlp => "microlp",
            #[cfg(feature = "highs")]
            Self::Highs => "highs",
            #[cfg(feature = "highs")]
            Self::HighsInterior => "highs (interior point)",
        }
    }
}

/// A restricted master that is solved again and again while it grows.
pub trait Master {
    /// The programme as it stands.
    fn programme(&self) -> &Programme;

    /// Which back end this is.
    fn kind(&self) -> Kind;

    /// Adds columns, all or none; they take the next indices.
    ///
    /// # Errors
    /// [`Error::Input`] if one is empty, or has a number that is not finite or an index that does not exist.
    fn add_columns(&mut self, columns: &[Column]) -> Result<(), Error>;

    /// Adds cuts, all or none; they take the next indices.
    ///
    /// # Errors
    /// [`Error::Input`] if one has a negative right-hand side, a number that is not finite or an index that does not
    /// exist.
    fn add_cuts(&mut self, cuts: &[Cut]) -> Result<(), Error>;

    /// Keeps the columns whose entry is true; the kept ones move up.
    ///
    /// # Errors
    /// [`Error::Input`] if `keep` has another length than there are columns.
    fn retain_columns(&mut self, keep: &[bool]) -> Result<(), Error>;

    /// Keeps the cuts whose entry is true; the kept ones move up.
    ///
    /// # Errors
    /// [`Error::Input`] if `keep` has another length than there are cuts.
    fn retain_cuts(&mut self, keep: &[bool]) -> Result<(), Error>;

    /// Sets the boxes `lower_i <= lambda_i <= upper_i`.
    ///
    /// # Errors
    /// [`Error::Input`] if a length is wrong, a number is not finite, or a box is empty.
    fn set_boxes(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error>;

    /// Solves to optimality.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if no duals within the boxes are feasible for every column (the boxes lie too high);
    /// [`Error::Stopped`] if a limit was reached; [`Error::Backend`] if the back end fails.
    fn solve(&mut self, target: Target, limits: &Limits<'_>) -> Result<Solution, Error>;
}

/// A master over `programme` with the back end `kind`.
///
/// # Errors
/// [`Error::Backend`] if the back end cannot be started.
pub fn open_with(kind: Kind, programme: Programme) -> Result<Box<dyn Master>, Error> {
    match kind {
        Kind::Microlp => Ok(Box::new(microlp::Microlp::new(programme))),
        #[cfg(feature = "highs")]
        Kind::Highs => Ok(Box::new(highs::Highs::new(programme))),
        #[cfg(feature = "highs")]
        Kind::HighsInterior => Ok(Box::new(highs_interior::HighsInterior::new(programme))),
    }
}

/// A master over `programme` with the best simplex method that was compiled in ([`Kind::by`]).
///
/// # Errors
/// As [`open_with`].
pub fn open(programme: Programme) -> Result<Box<dyn Master>, Error> {
    open_with(Kind::by(Algorithm::Simplex).unwrap_or(Kind::Microlp), programme)
}
