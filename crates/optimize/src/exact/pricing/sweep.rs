//! One run of a pricing over all its parts, batch by batch.

use rayon::prelude::*;

use super::{PartResult, PreparedPricer, Priced, Pricer, Request};
use crate::exact::{cuts::ActiveCuts, problem::Problem};

/// A pricing under way.
pub struct Sweep {
    parts: Box<dyn PreparedPricer>,
    exact: bool,
    next: usize,
    /// Parts that run side by side from the same duals; the next ones see the duals that these have lowered.
    batch: usize,
    /// lambda, lowered so far.
    pub duals: Vec<f64>,
    /// Classes found so far.
    pub columns: Vec<Priced>,
    /// Nodes or boxes visited so far.
    pub nodes: u64,
    complete: bool,
}

impl Sweep {
    /// Prepares a run.
    #[must_use]
    pub fn new(pricer: &dyn Pricer, request: &Request) -> Self {
        Self {
            parts: pricer.parts(request),
            exact: pricer.exact() && request.only.is_none(),
            next: 0,
            batch: request.problem.params.batch,
            duals: request.duals.to_vec(),
            columns: Vec::new(),
            nodes: 0,
            complete: true,
        }
    }

    /// Works on the next batch; true when all parts are done.
    pub fn advance(&mut self, request: &Request) -> bool {
        let end = (self.next + self.batch).min(self.parts.count());
        let found: Vec<PartResult> = {
            let request = Request { duals: &self.duals, ..*request };
            (self.next..end).into_par_iter().map(|part| self.parts.run(&request, part)).collect()
        };
        for part in found {
            for (t, value) in part.lowered {
                let dual = &mut self.duals[t as usize];
                *dual = dual.min(value);
            }
            self.columns.extend(part.columns);
            self.nodes += part.nodes;
            self.complete &= part.complete;
        }
        self.next = end;
        end == self.parts.count()
    }

    /// Part of the work that is done, 0 to 1.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.next as f64 / self.parts.count().max(1) as f64
    }

    /// Whether `duals` is proven feasible: the pricing is exact, and every part is done and complete.
    #[must_use]
    pub fn proven(&self) -> bool {
        self.exact && self.complete && self.next == self.parts.count()
    }

    /// Whether some part gave up.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        !self.complete
    }
}

/// Runs a pricing to its end.
#[must_use]
pub fn price(pricer: &dyn Pricer, request: &Request) -> Sweep {
    let mut sweep = Sweep::new(pricer, request);
    while !sweep.advance(request) {}
    sweep
}

/// A request with usual limits: all violated classes count, the best `keep` of each part are reported.
#[must_use]
pub fn request<'a>(problem: &'a Problem, duals: &'a [f64], cuts: &'a ActiveCuts, keep: usize) -> Request<'a> {
    let tolerance = tolerance(duals);
    Request { problem, duals, cuts, threshold: -tolerance, tolerance, keep, nodes: u64::MAX, only: None }
}

/// What counts as 0 beside these duals: some orders above rounding, some below any gap of interest.
#[must_use]
pub fn tolerance(duals: &[f64]) -> f64 {
    1e-10 * duals.iter().map(|x| x.abs()).sum::<f64>() / duals.len().max(1) as f64
}
