//! Column generation as the papers print it, for comparisons with their tables: nothing here is as good as
//! [`ColumnGeneration`](lookalike_optimize::exact::ColumnGeneration), and nothing here is used by it.
//!
//! * [`microaggregation()`] — Castro 2022: `MicroaggregationHeuristicMP` with its pricing and its two roundings.
//! * [`invariance()`] — Tobar 2023: blocks of a Tau partition, the same pricing with colours, an integer master, two-swaps.
//!
//! Where the papers and [`ColumnGeneration`](lookalike_optimize::exact::ColumnGeneration) differ: the pool starts from the constructions alone;
//! every record has a row of its own; duals are not stabilised; pricing goes through the sizes in order and stops at the
//! first one that has columns; a round adds the disjoint classes of a greedy, or one class. The papers' value of a
//! converged master is told as what it is, a relaxation within a solver's tolerances, and not as a proven bound.

mod cheapest;
mod greedy;
mod invariance;
mod looped;
mod microaggregation;
mod rounding;

pub use self::{
    cheapest::Exact,
    invariance::{Invariance, Step, invariance},
    microaggregation::{Microaggregation, microaggregation},
};

use lookalike_model::Ctx;

/// When a column generation has to stop, by the clock of a [`Ctx`].
pub(super) struct Deadline<'a> {
    ctx: &'a Ctx<'a>,
    until: f64,
}

impl<'a> Deadline<'a> {
    /// So many seconds from now.
    pub(super) fn new(ctx: &'a Ctx<'a>, seconds: f64) -> Self {
        Self { ctx, until: (ctx.clock)() + seconds }
    }

    /// Whether it has passed, or the run is cancelled.
    pub(super) fn over(&self) -> bool {
        self.left() <= 0.0 || (self.ctx.cancelled)()
    }

    /// Seconds left.
    pub(super) fn left(&self) -> f64 {
        self.until - (self.ctx.clock)()
    }
}
