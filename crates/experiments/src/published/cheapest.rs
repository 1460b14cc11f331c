//! Exact pricing for one size (Castro 2022, Table 2): the class of least reduced cost.
//!
//! The papers name three ways to the same class: complete enumeration by nested loops, the integer programme (14), and
//! implicit enumeration (Tobar 2023, its reference 26).

use lookalike_lp::Backend;
use lookalike_model::rule::Rule;
use rayon::prelude::*;

use super::Deadline;
use lookalike_optimize::exact::{
    pricing::{Priced, Pricer as _, Programme, Request, Tree},
    problem::Problem,
};

/// Parts that run side by side between two looks at the clock.
const BATCH: usize = 16;

/// Nodes of implicit enumeration from one record, at most.
const NODES: u64 = 20_000_000;

/// How exact pricing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// By Table 2 of Castro 2022: complete enumeration up to a size of 6 (5 from 200 records on); above, the integer
    /// programme (14) for at most so many records, and implicit enumeration for more.
    Table2 {
        /// Most records for which the integer programme is solved.
        programme: usize,
    },
    /// Implicit enumeration (branch and bound) for all sizes.
    Implicit,
}

/// Classes of exactly so many records.
pub(super) fn sized(size: usize, distinct: bool) -> Rule {
    let rule = if distinct { Rule::all_different(size) } else { Rule::at_least(size) };
    Rule { max_size: size, ..rule }
}

/// What came of it.
pub(super) enum Answer {
    /// The class of least reduced cost, if that is below the threshold.
    Found(Option<Priced>),
    /// The time was up, or nodes ran out.
    Stopped,
}

/// The class of least reduced cost below the threshold of `request`, whose problem has one size.
pub(super) fn cheapest(exact: Exact, request: &Request, deadline: &Deadline) -> Answer {
    let (n, eta) = (request.problem.types(), request.problem.min);
    let enumerated = eta <= if n < 200 { 6 } else { 5 };
    match exact {
        Exact::Table2 { .. } if enumerated => complete(request, deadline),
        Exact::Table2 { programme } if n <= programme => {
            let parts = Programme { backend: Backend::best() }.parts(request);
            Answer::Found(parts.run(request, 0).columns.into_iter().next())
        }
        _ => implicit(request, deadline),
    }
}

/// Branch and bound from each record; nothing is lowered, so the least one of all is found.
fn implicit(request: &Request, deadline: &Deadline) -> Answer {
    let parts = Tree.parts(request);
    in_batches(parts.count(), request, deadline, |request, part| {
        let found = parts.run(&Request { keep: 1, nodes: NODES, ..*request }, part);
        (found.columns.into_iter().next(), found.complete)
    })
}

/// Nested loops over all classes.
fn complete(request: &Request, deadline: &Deadline) -> Answer {
    in_batches(request.problem.types(), request, deadline, |request, first| {
        (Loops::new(request).from(first), true)
    })
}

/// The best of all parts, ties going to the first members. `work` says which class is best and whether it has seen all.
fn in_batches(
    count: usize,
    request: &Request,
    deadline: &Deadline,
    work: impl Fn(&Request, usize) -> (Option<Priced>, bool) + Sync,
) -> Answer {
    let mut best: Option<Priced> = None;
    let mut whole = true;
    for first in (0..count).step_by(BATCH) {
        if deadline.over() {
            return Answer::Stopped;
        }
        let threshold = best.as_ref().map_or(request.threshold, |b| b.reduced_cost);
        let request = Request { threshold, ..*request };
        let last = (first + BATCH).min(count);
        let found: Vec<_> = (first..last).into_par_iter().map(|part| work(&request, part)).collect();
        for (class, seen) in found {
            whole &= seen;
            if let Some(class) = class
                && best.as_ref().is_none_or(|b| class.reduced_cost < b.reduced_cost)
            {
                best = Some(class);
            }
        }
    }
    // A class is of use even if a better one may have been missed.
    if whole || best.is_some() { Answer::Found(best) } else { Answer::Stopped }
}

/// Nested loops, as many as a class has members.
struct Loops<'a> {
    problem: &'a Problem,
    duals: &'a [f64],
    best: f64,
    found: Option<Vec<u32>>,
    class: Vec<u32>,
    /// By depth: the sum of squared distances to the members so far, infinite for a colour that is taken.
    sums: Vec<Vec<f64>>,
}

impl<'a> Loops<'a> {
    fn new(request: &Request<'a>) -> Self {
        let (eta, n) = (request.problem.min, request.problem.types());
        Self {
            problem: request.problem,
            duals: request.duals,
            best: request.threshold,
            found: None,
            class: Vec::with_capacity(eta),
            sums: vec![vec![0.0; n]; eta],
        }
    }

    /// The best of the classes whose first member is `first`.
    fn from(mut self, first: usize) -> Option<Priced> {
        self.enter(first as u32, 0.0, 0.0);
        self.found.map(|members| Priced { members, reduced_cost: self.best })
    }

    /// Adds a member; `pairs` is the sum over pairs of squared distances and `lambda` the sum of duals before.
    fn enter(&mut self, member: u32, pairs: f64, lambda: f64) {
        let depth = self.class.len();
        let (eta, n, from) = (self.problem.min, self.problem.types(), member as usize + 1);
        let pairs = pairs + if depth == 0 { 0.0 } else { self.sums[depth - 1][member as usize] };
        let lambda = lambda + self.duals[member as usize];
        self.class.push(member);
        let row = self.problem.distances(member);
        let (before, here) = self.sums.split_at_mut(depth);
        let here = &mut here[0][from..];
        match before.last() {
            Some(before) => {
                let both = before[from..].iter().zip(from as u32..);
                here.iter_mut().zip(both).for_each(|(s, (b, u))| *s = b + row.to(u));
            }
            None => here.iter_mut().zip(from as u32..).for_each(|(s, u)| *s = row.to(u)),
        }
        if self.problem.distinct {
            let colour = self.problem.colours[member as usize];
            let taken = self.problem.colours[from..].iter().map(|&c| c == colour);
            here.iter_mut().zip(taken).filter(|s| s.1).for_each(|s| *s.0 = f64::INFINITY);
        }
        if depth + 2 == eta {
            let (scale, base) = (1.0 / eta as f64, pairs / eta as f64 - lambda);
            for (at, (sum, dual)) in self.sums[depth][from..].iter().zip(&self.duals[from..]).enumerate() {
                let reduced_cost = base + sum * scale - dual;
                if reduced_cost < self.best {
                    self.best = reduced_cost;
                    let last = (from + at) as u32;
                    self.found = Some(self.class.iter().copied().chain([last]).collect());
                }
            }
        } else {
            for next in from..n {
                if self.sums[depth][next].is_finite() {
                    self.enter(next as u32, pairs, lambda);
                }
            }
        }
        self.class.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{Ctx, fixtures::instance, loss::Sse};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use lookalike_optimize::exact::{
        cuts::ActiveCuts,
        pricing::{Enumerate, sweep},
    };

    #[test]
    fn all_three_ways_find_the_least_of_all_classes() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let ctx = Ctx { clock: &|| 0.0, ..Ctx::silent() };
        let (mut classes, mut none) = (0, 0);
        for case in 0..60 {
            let n = rng.random_range(6..11);
            let distinct = case % 2 == 1;
            let points: Vec<f64> = (0..2 * n).map(|_| rng.random_range(0.0..4.0)).collect();
            let mut colours: Vec<u32> = (0..n as u32).map(|i| i % 4).collect();
            colours.rotate_left(case % 4);
            let instance = Arc::new(instance(2, &points, &colours));
            let size = 2 + case % 3;
            let problem = Problem::unmerged(&instance, &Sse, &sized(size, distinct)).unwrap();
            let duals: Vec<f64> = (0..n).map(|_| rng.random_range(-0.3..1.5)).collect();
            let cuts = ActiveCuts::none(n);
            let request = sweep::request(&problem, &duals, &cuts, usize::MAX);
            // Every class by definition, at these duals.
            let parts = Enumerate.parts(&request);
            let all = (0..parts.count()).flat_map(|part| parts.run(&request, part).columns);
            let least = all.map(|c| c.reduced_cost).min_by(f64::total_cmp);
            for exact in [Exact::Table2 { programme: 0 }, Exact::Implicit] {
                let Answer::Found(found) = cheapest(exact, &request, &Deadline::new(&ctx, 1.0)) else {
                    panic!("time stands still")
                };
                let value = found.as_ref().map(|c| c.reduced_cost);
                assert_eq!(value.is_some(), least.is_some(), "case {case}, {exact:?}");
                if let (Some(found), Some(least)) = (&found, least) {
                    assert!((found.reduced_cost - least).abs() < 1e-9, "case {case}, {exact:?}");
                    assert!((request.reduced_cost(&found.members) - least).abs() < 1e-9);
                    assert!(problem.admits(&found.members));
                }
            }
            if let Some(least) = least {
                classes += 1;
                let parts = Programme { backend: Backend::best() }.parts(&request);
                let programme = parts.run(&request, 0).columns;
                assert!(least > -1e-5 || (programme[0].reduced_cost - least).abs() < 1e-5);
            } else {
                none += 1;
            }
        }
        assert!(classes > 20 && none > 0, "{classes} cases with a class, {none} without");
    }

    #[test]
    fn table_2_and_the_clock_are_heeded() {
        let points: Vec<f64> = (0..40).map(f64::from).collect();
        let instance = Arc::new(instance(1, &points, &[0; 40]));
        let problem = Problem::unmerged(&instance, &Sse, &sized(3, false)).unwrap();
        let (duals, cuts) = (vec![5.0; 40], ActiveCuts::none(40));
        let request = sweep::request(&problem, &duals, &cuts, 1);
        let ctx = Ctx::silent();
        // Three neighbours: pairs 1, 1, 4 over 3, less 15.
        let Answer::Found(Some(found)) = cheapest(Exact::Implicit, &request, &Deadline::new(&ctx, 1.0))
        else {
            panic!("there are violated classes")
        };
        assert!((found.reduced_cost + 13.0).abs() < 1e-12);
        let late = Deadline::new(&ctx, 0.0);
        assert!(matches!(cheapest(Exact::Implicit, &request, &late), Answer::Stopped));
    }
}
