//! Pricing by complete enumeration: every class, by definition. For few records, and to test the others.

use super::{Best, PartResult, PreparedPricer, Pricer, PricerName, Request};

/// Looks at all classes, O(T^max): for small problems.
#[derive(Clone, Copy, Debug, Default)]
pub struct Enumerate;

/// One part a type: the classes whose first type it is.
struct Seeds(usize);

impl Pricer for Enumerate {
    fn name(&self) -> PricerName {
        PricerName::Enumeration
    }

    fn exact(&self) -> bool {
        true
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Seeds(request.problem.types()))
    }
}

impl PreparedPricer for Seeds {
    fn count(&self) -> usize {
        self.0
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let mut walk = Walk { request, best: Best::new(request), nodes: 0, least: 0.0 };
        walk.extend(&mut vec![part as u32]);
        let complete = walk.nodes <= request.nodes;
        // Of all classes with this first type the worst decides how far its lambda must fall.
        let lowered = if walk.least < -request.tolerance {
            vec![(part as u32, request.duals[part] + walk.least)]
        } else {
            Vec::new()
        };
        PartResult { columns: walk.best.into_sorted(), lowered, complete, nodes: walk.nodes }
    }
}

struct Walk<'a, 'b> {
    request: &'a Request<'b>,
    best: Best,
    nodes: u64,
    least: f64,
}

impl Walk<'_, '_> {
    fn extend(&mut self, class: &mut Vec<u32>) {
        let problem = self.request.problem;
        self.nodes += 1;
        if self.nodes > self.request.nodes {
            return;
        }
        if problem.admits(class) {
            let reduced_cost = self.request.reduced_cost(class);
            self.least = self.least.min(reduced_cost);
            self.best.offer(class.clone(), reduced_cost);
        }
        if class.len() == problem.max {
            return;
        }
        let from = class.last().copied().unwrap_or(0);
        for t in from..problem.types() as u32 {
            if problem.joins(class, t) {
                class.push(t);
                self.extend(class);
                class.pop();
            }
        }
    }
}
