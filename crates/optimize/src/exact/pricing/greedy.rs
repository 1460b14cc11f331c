//! Paper 3's `SolveHeuristicPricing`: disjoint classes, grown greedily from the type of largest dual.
//!
//! The paper selects by sum of c / eta - lambda / (eta - 1), which weighs the dual too high (its model counts each dual
//! over eta - 1 edges, but only one edge at a time is added here); faithful mode keeps that.

use super::{Found, Parts, Priced, Pricing, Request};

/// Grows classes greedily.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy {
    /// Select as the paper prints it; else by the true increase of the reduced cost.
    pub faithful: bool,
}

/// One part a size.
struct Sizes(Greedy, usize);

impl Pricing for Greedy {
    fn name(&self) -> &'static str {
        "greedy growth (paper 3)"
    }

    fn exact(&self) -> bool {
        false
    }

    fn parts(&self, request: &Request) -> Box<dyn Parts> {
        Box::new(Sizes(*self, request.problem.max + 1 - request.problem.min))
    }
}

impl Parts for Sizes {
    fn count(&self) -> usize {
        self.1
    }

    fn run(&self, request: &Request, part: usize) -> Found {
        let columns = self.0.grow(request, request.problem.min + part);
        Found { nodes: columns.len() as u64, columns, lowered: Vec::new(), complete: false }
    }
}

impl Greedy {
    /// The disjoint classes of size `eta` with negative reduced cost that the greedy finds.
    #[must_use]
    pub fn grow(self, request: &Request, eta: usize) -> Vec<Priced> {
        let problem = request.problem;
        let divisor = if self.faithful { (eta - 1).max(1) as f64 } else { 1.0 };
        let mut order: Vec<u32> = (0..problem.types() as u32).collect();
        order.sort_by(|&a, &b| {
            request.duals[b as usize].total_cmp(&request.duals[a as usize]).then(a.cmp(&b))
        });
        let mut free = vec![true; problem.types()];
        let mut left = problem.types();
        let mut columns = Vec::new();
        for &first in &order {
            if left < eta {
                break;
            }
            if !free[first as usize] {
                continue;
            }
            // The first type is not tried again, whether or not its class is kept.
            free[first as usize] = false;
            left -= 1;
            let mut sums: Vec<f64> = problem.distances(first).to_vec();
            let mut class = vec![first];
            while class.len() < eta {
                let value = |w: u32| sums[w as usize] / eta as f64 - request.duals[w as usize] / divisor;
                let next = order
                    .iter()
                    .copied()
                    .filter(|&w| {
                        let colour = problem.colours[w as usize];
                        free[w as usize]
                            && class.iter().all(|&c| c != w && problem.colours[c as usize] != colour)
                    })
                    .map(|w| (value(w), w))
                    .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let Some((_, w)) = next else { break };
                for (s, d) in sums.iter_mut().zip(problem.distances(w)) {
                    *s += d;
                }
                class.push(w);
            }
            class.sort_unstable();
            if !problem.admits(&class) {
                continue;
            }
            let reduced_cost = request.reduced_cost(&class);
            if reduced_cost < request.threshold {
                for &t in &class {
                    left -= usize::from(std::mem::take(&mut free[t as usize]));
                }
                columns.push(Priced { members: class, reduced_cost });
            }
        }
        columns
    }
}
