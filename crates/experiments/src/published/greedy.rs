//! Castro 2022's `SolveHeuristicPricing`: disjoint classes, grown greedily from the record of largest dual.
//!
//! The paper selects by sum of c / eta - lambda / (eta - 1), which weighs the dual too high: its model counts each dual
//! over eta - 1 edges, but only one edge at a time is added here.

use lookalike_optimize::exact::pricing::{Priced, Request};

/// The disjoint classes of size `eta` with negative reduced cost that the greedy finds; smaller ones where the colours do not
/// suffice.
pub(super) fn grow(request: &Request, eta: usize) -> Vec<Priced> {
    let problem = request.problem;
    let divisor = (eta - 1).max(1) as f64;
    let mut order: Vec<u32> = (0..problem.types() as u32).collect();
    order.sort_by(|&a, &b| request.duals[b as usize].total_cmp(&request.duals[a as usize]).then(a.cmp(&b)));
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
        let row = problem.distances(first);
        let mut sums: Vec<f64> = (0..problem.types() as u32).map(|u| row.to(u)).collect();
        let mut class = vec![first];
        while class.len() < eta {
            let value = |w: u32| sums[w as usize] / eta as f64 - request.duals[w as usize] / divisor;
            let next = order
                .iter()
                .copied()
                .filter(|&w| {
                    let colour = problem.colours[w as usize];
                    free[w as usize] && class.iter().all(|&c| c != w && problem.colours[c as usize] != colour)
                })
                .map(|w| (value(w), w))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((_, w)) = next else { break };
            let row = problem.distances(w);
            for (s, u) in sums.iter_mut().zip(0..) {
                *s += row.to(u);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};
    use lookalike_optimize::exact::{cuts::ActiveCuts, pricing::sweep, problem::Problem};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_greedy_reports_disjoint_classes_of_negative_reduced_cost() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut found = 0;
        for case in 0..100 {
            let n = rng.random_range(6..14);
            let points: Vec<f64> = (0..2 * n).map(|_| rng.random_range(0.0..4.0)).collect();
            let colours: Vec<u32> = (0..n as u32).map(|i| i % 4).collect();
            let rule = if case % 2 == 0 { Rule::at_least(3) } else { Rule::all_different(3) };
            let problem = Problem::unmerged(&Arc::new(instance(2, &points, &colours)), &Sse, &rule).unwrap();
            let duals: Vec<f64> = (0..n).map(|_| rng.random_range(-0.3..1.5)).collect();
            let cuts = ActiveCuts::none(n);
            let request = sweep::request(&problem, &duals, &cuts, 1);
            for size in problem.min..=problem.max {
                let classes = grow(&request, size);
                let mut members: Vec<u32> = classes.iter().flat_map(|c| c.members.clone()).collect();
                let count = members.len();
                members.sort_unstable();
                members.dedup();
                assert_eq!(members.len(), count, "they are disjoint");
                for class in &classes {
                    assert!(problem.admits(&class.members) && class.members.len() <= size);
                    assert!((request.reduced_cost(&class.members) - class.reduced_cost).abs() < 1e-12);
                    assert!(class.reduced_cost < 0.0);
                }
                found += classes.len();
            }
        }
        assert!(found > 50, "{found}");
    }
}
