//! Heuristic pricing for the normalised certainty penalty: classes that grow from every type by the member that costs
//! least, among its nearest ones.

use std::sync::Arc;

use super::{Best, PartResult, PreparedPricer, Pricer, PricerName, Request};
use crate::exact::loss::ranges::{Ranges, Span};

/// Grows a class of every size from every type.
#[derive(Clone, Debug)]
pub struct Growth(pub Arc<Ranges>);

struct Starts {
    types: usize,
    /// Starts of a part.
    each: usize,
    ranges: Arc<Ranges>,
}

impl Pricer for Growth {
    fn name(&self) -> PricerName {
        PricerName::Growth
    }

    fn exact(&self) -> bool {
        false
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Starts {
            types: request.problem.types(),
            each: request.problem.params.starts,
            ranges: Arc::clone(&self.0),
        })
    }
}

impl PreparedPricer for Starts {
    fn count(&self) -> usize {
        self.types.div_ceil(self.each)
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let mut columns = Vec::new();
        let mut nodes = 0;
        let mut spans = [Span::new(&self.ranges), Span::new(&self.ranges)];
        for start in part * self.each..((part + 1) * self.each).min(self.types) {
            if !request.problem.real[start] {
                continue;
            }
            let mut best = Best::new(request);
            for size in request.problem.min..=request.problem.max {
                nodes += 1;
                if let Some(mut class) = grow(request, &self.ranges, &mut spans, start as u32, size) {
                    class.sort_unstable();
                    if !request.problem.has_real(&class) {
                        continue;
                    }
                    let reduced_cost = request.reduced_cost(&class);
                    best.offer(class, reduced_cost);
                }
            }
            columns.extend(best.into_sorted());
        }
        PartResult { columns, lowered: Vec::new(), complete: false, nodes }
    }
}

/// The class of `size` types that grows from `start`; `None` if there are too few around.
fn grow(
    request: &Request,
    ranges: &Ranges,
    spans: &mut [Span; 2],
    start: u32,
    size: usize,
) -> Option<Vec<u32>> {
    let problem = request.problem;
    let mut class = Vec::with_capacity(size);
    let mut next = start;
    spans[0] = Span::new(ranges);
    loop {
        let [from, into] = &mut *spans;
        ranges.join(from, &class, next, into);
        spans.swap(0, 1);
        class.push(next);
        if class.len() == size {
            return Some(class);
        }
        let cost = |t: u32| size as f64 * ranges.with(&spans[0], &class, t) - request.duals[t as usize];
        let around = problem.nearest(start).iter().copied().filter(|&t| problem.joins(&class, t));
        let best = around.map(|t| (cost(t), t)).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        next = best.1;
    }
}
