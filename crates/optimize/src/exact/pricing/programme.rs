//! Pricing by the integer programme (14) of Castro 2022; with colours, that of Tobar 2023. For small cases.
//!
//! Not called exact: its answer holds within a solver's tolerances, which no bound should rest on.

use lookalike_lp::{Backend, clique};

use super::{Best, PartResult, PreparedPricer, Pricer, PricerName, Request};

/// One integer programme a size. Needs all types real, each in a class once at most, and no cuts.
#[derive(Clone, Copy, Debug)]
pub struct Programme {
    /// The solver.
    pub backend: Backend,
}

/// One part a size.
struct Sizes(Programme, usize);

impl Pricer for Programme {
    fn name(&self) -> PricerName {
        PricerName::Programme
    }

    fn exact(&self) -> bool {
        false
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Sizes(*self, request.problem.max + 1 - request.problem.min))
    }
}

impl PreparedPricer for Sizes {
    fn count(&self) -> usize {
        self.1
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let problem = request.problem;
        let square = |i: usize, j: usize| {
            let apart = problem.colours[i] != problem.colours[j];
            apart.then(|| problem.distances(i as u32).to(j as u32))
        };
        let mut best = Best::new(request);
        let answer = clique::cheapest(request.duals, problem.min + part, square, self.0.backend);
        if let Ok(Some((reduced_cost, members))) = answer {
            best.offer(members.into_iter().map(|t| t as u32).collect(), reduced_cost);
        }
        PartResult { columns: best.into_sorted(), lowered: Vec::new(), complete: false, nodes: 1 }
    }
}
