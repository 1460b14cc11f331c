//! Heuristic pricing by alternation: the best set around a point, the centroid of that set, and so on.
//!
//! For a fixed point y the set that minimises sum |a - y|^2 - lambda is the eta smallest such values, of different colours or of
//! as many records of each type as there are; for a fixed set the best y is its centroid. Both steps lower the value, which ends at a class's reduced
//! cost (cuts apart). Started from every type, among its nearest ones.

use lookalike_model::instance::{LANE, Lane, distance2};

use super::{Best, PartResult, PreparedPricer, Pricer, PricerName, Request};

/// Alternates from every type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alternate;

/// A part is a run of starts.
struct Starts {
    types: usize,
    /// Starts of a part.
    each: usize,
}

impl Pricer for Alternate {
    fn name(&self) -> PricerName {
        PricerName::Alternation
    }

    fn exact(&self) -> bool {
        false
    }

    fn parts(&self, request: &Request) -> Box<dyn PreparedPricer> {
        Box::new(Starts { types: request.problem.types(), each: request.problem.params.starts })
    }
}

impl PreparedPricer for Starts {
    fn count(&self) -> usize {
        self.types.div_ceil(self.each)
    }

    fn run(&self, request: &Request, part: usize) -> PartResult {
        let mut columns = Vec::new();
        let mut nodes = 0;
        let mut scratch = Scratch::default();
        for start in part * self.each..((part + 1) * self.each).min(self.types) {
            if !request.problem.real[start] {
                continue;
            }
            let mut best = Best::new(request);
            for eta in request.problem.min..=request.problem.max {
                nodes += 1;
                if let Some(class) = scratch.alternate(request, start as u32, eta) {
                    let reduced_cost = request.reduced_cost(&class);
                    best.offer(class, reduced_cost);
                }
            }
            columns.extend(best.into_sorted());
        }
        PartResult { columns, lowered: Vec::new(), complete: false, nodes }
    }
}

#[derive(Default)]
struct Scratch {
    values: Vec<(f64, u32)>,
    centroid: Vec<Lane>,
    class: Vec<u32>,
    before: Vec<u32>,
}

impl Scratch {
    /// The class of size `eta` where alternation from `start` ends, ascending; `None` if there is none around.
    fn alternate(&mut self, request: &Request, start: u32, eta: usize) -> Option<Vec<u32>> {
        let problem = request.problem;
        self.centroid.clear();
        self.centroid.extend_from_slice(problem.point(start as usize));
        self.class.clear();
        for _ in 0..problem.params.alternations {
            std::mem::swap(&mut self.before, &mut self.class);
            self.values.clear();
            for &t in problem.nearest(start) {
                let square = if problem.real[t as usize] {
                    distance2(problem.point(t as usize), &self.centroid)
                } else {
                    0.0
                };
                self.values.push((square - request.duals[t as usize], t));
            }
            self.best_set(request, eta);
            if self.class.len() < eta {
                return None;
            }
            self.class.sort_unstable();
            if self.class == self.before {
                break;
            }
            self.recentre(request);
        }
        problem.has_real(&self.class).then(|| self.class.clone())
    }

    /// The `eta` smallest values of different colours.
    fn best_set(&mut self, request: &Request, eta: usize) {
        let problem = request.problem;
        self.class.clear();
        let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        // Without colours the smallest ones are all that matters; with colours a few more, and in the end all.
        let first = (3 * eta).min(self.values.len());
        if first < self.values.len() {
            self.values.select_nth_unstable_by(first, order);
        }
        self.values[..first].sort_unstable_by(order);
        for round in 0..2 {
            let from = if round == 0 { 0 } else { first };
            if round == 1 {
                self.values[first..].sort_unstable_by(order);
            }
            let to = if round == 0 { first } else { self.values.len() };
            for &(_, t) in &self.values[from..to] {
                if self.class.len() == eta {
                    return;
                }
                let colour = problem.colours[t as usize];
                if !problem.distinct {
                    let room = eta - self.class.len();
                    self.class.extend(std::iter::repeat_n(t, problem.copies(t).min(room)));
                } else if self.class.iter().all(|&u| problem.colours[u as usize] != colour) {
                    self.class.push(t);
                }
            }
        }
    }

    fn recentre(&mut self, request: &Request) {
        let problem = request.problem;
        let reals = self.class.iter().filter(|&&t| problem.real[t as usize]);
        let count = reals.clone().count();
        if count == 0 {
            return;
        }
        self.centroid.fill([0.0; LANE]);
        for &t in reals {
            for (c, x) in self.centroid.iter_mut().zip(problem.point(t as usize)) {
                for l in 0..LANE {
                    c[l] += x[l];
                }
            }
        }
        for x in self.centroid.iter_mut().flatten() {
            *x /= count as f64;
        }
    }
}
