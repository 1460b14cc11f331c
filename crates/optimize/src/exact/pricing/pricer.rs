//! What every pricer is asked, and what it answers.

use super::PricerName;
use crate::exact::{column::Column, cuts::ActiveCuts, problem::Problem};

/// What is asked of a pricer.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// lambda, one a type.
    pub duals: &'a [f64],
    /// Cuts with their sigma.
    pub cuts: &'a ActiveCuts,
    /// Classes with a reduced cost below this are wanted. Classes above `-tolerance` are never called violated.
    pub threshold: f64,
    /// Reduced costs of at least `-tolerance` count as 0; the bound pays for it.
    pub tolerance: f64,
    /// Most classes that a part reports, the best ones.
    pub keep: usize,
    /// Most nodes that a part may visit; one that needs more is incomplete, and nothing is proven.
    pub nodes: u64,
    /// Look at classes of these types only (one flag a type). Then nothing is proven about the others.
    pub only: Option<&'a [bool]>,
}

impl Request<'_> {
    /// Reduced cost of a class, by definition.
    #[must_use]
    pub fn reduced_cost(&self, members: &[u32]) -> f64 {
        let lambda: f64 = members.iter().map(|&t| self.duals[t as usize]).sum();
        self.problem.cost(members) - lambda + self.cuts.charge(members)
    }

    /// Reduced cost of a column, whose loss is known.
    #[must_use]
    pub(crate) fn reduced_cost_of(&self, column: &Column) -> f64 {
        let lambda: f64 = column.members.iter().map(|&t| self.duals[t as usize]).sum();
        column.cost - lambda + self.cuts.charge(&column.members)
    }
}

/// A class with its reduced cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Priced {
    /// The types, ascending; some may repeat.
    pub members: Vec<u32>,
    /// The reduced cost at the duals of the request, or lower ones met during repair.
    pub reduced_cost: f64,
}

/// What a part found.
#[derive(Clone, Debug, Default)]
pub struct PartResult {
    /// Classes below the threshold, best first.
    pub columns: Vec<Priced>,
    /// Types whose lambda had to be lowered, with the new value.
    pub lowered: Vec<(u32, f64)>,
    /// Whether every class of this part was looked at or excluded by a bound. Never true for a heuristic.
    pub complete: bool,
    /// Nodes or boxes visited.
    pub nodes: u64,
}

/// A pricer that was prepared for certain duals.
pub trait PreparedPricer: Send + Sync {
    /// Number of parts.
    fn count(&self) -> usize;

    /// Works on one part. `request` may hold lower duals than those that the parts were prepared for.
    fn run(&self, request: &Request, part: usize) -> PartResult;
}

/// A way to find classes with negative reduced cost.
pub trait Pricer: Send + Sync {
    /// Its name, for reports.
    fn name(&self) -> PricerName;

    /// Whether complete parts prove anything.
    fn exact(&self) -> bool;

    /// Prepares the parts.
    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer>;
}

/// Keeps the best classes, at most so many.
#[derive(Debug)]
pub(crate) struct Best {
    keep: usize,
    limit: f64,
    list: Vec<Priced>,
}

impl Best {
    pub(crate) fn new(request: &Request) -> Self {
        Self { keep: request.keep.max(1), limit: request.threshold, list: Vec::new() }
    }

    /// Classes must be below this to be of use.
    pub(crate) fn limit(&self) -> f64 {
        self.limit
    }

    pub(crate) fn offer(&mut self, mut members: Vec<u32>, reduced_cost: f64) {
        if reduced_cost >= self.limit {
            return;
        }
        members.sort_unstable();
        self.list.push(Priced { members, reduced_cost });
        // Sorting now and then keeps the cost of a long list low.
        if self.list.len() >= self.keep.saturating_mul(2).max(8) {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        self.list.sort_by(|a, b| {
            a.reduced_cost.total_cmp(&b.reduced_cost).then_with(|| a.members.cmp(&b.members))
        });
        self.list.dedup_by(|a, b| a.members == b.members);
        if self.list.len() >= self.keep {
            self.list.truncate(self.keep);
            self.limit = self.list.last().map_or(self.limit, |c| c.reduced_cost.min(self.limit));
        }
    }

    pub(crate) fn into_sorted(mut self) -> Vec<Priced> {
        self.shorten();
        self.list
    }
}
