//! Castro 2022's `MicroaggregationHeuristicMP`.

use std::sync::Arc;

use lookalike_model::{
    Ctx, instance::Instance, loss::Sse, partition::Partition, rule::Rule, settings::Construction,
};

use super::{
    Deadline,
    cheapest::Exact,
    looped::Looped,
    rounding::{simple, spanning_tree},
};
use lookalike_optimize::{Error, construct::build};

/// What a row of Castro 2022's Tables 3 and 4 is made of. All losses are SSE.
#[derive(Clone, Debug)]
pub struct Microaggregation {
    /// Of MDAV.
    pub mdav: f64,
    /// Of V-MDAV.
    pub v_mdav: f64,
    /// Best of the two constructions, of integer masters and of `SimpleRoundingHeuristic` in any round.
    pub simple: f64,
    /// The same with `RoundingMSTHeuristic`.
    pub spanning_tree: f64,
    /// The master's value at the end, the paper's lower bound within a solver's tolerances; `None` if the time was up.
    pub relaxation: Option<f64>,
    /// Whether the last master was integer: the paper's "exact".
    pub integer: bool,
    /// Solutions of the master.
    pub rounds: u64,
    /// Exact pricings.
    pub exact_pricings: u64,
    /// Classes in the pool.
    pub columns: usize,
    /// The best partition.
    pub best: Partition,
}

/// Runs the paper's procedure for at most so many seconds by the clock of `ctx`; a programme (14) that is under way is not
/// stopped.
///
/// # Errors
/// [`Error::Model`] for fewer than k records; [`Error::Exact`] for too many; a solver's.
pub fn microaggregation(
    instance: &Arc<Instance>,
    rule: &Rule,
    exact: Exact,
    seconds: f64,
    ctx: &Ctx,
) -> Result<Microaggregation, Error> {
    rule.feasible(instance)?;
    let deadline = Deadline::new(ctx, seconds);
    let loss = |p: &Partition| p.loss(instance, &Sse);
    let first = build(Construction::Mdav, instance, &Sse, rule, 0)?;
    let second = build(Construction::VMdav, instance, &Sse, rule, 0)?;
    let (mdav, v_mdav) = (loss(&first), loss(&second));
    let mut looped = Looped::new(instance, rule, &[&first, &second], exact)?;
    let start = if mdav < v_mdav { first } else { second };
    let mut bests = [(mdav.min(v_mdav), start.clone()), (mdav.min(v_mdav), start)];
    let end = looped.run(&deadline, |looped, solution| {
        let found = match looped.integer(solution) {
            Some(partition) => [vec![partition.clone()], vec![partition]],
            None => [
                simple(&looped.problem, &looped.pool, &solution.columns).into_iter().collect(),
                spanning_tree(&looped.problem, &looped.pool, &solution.columns),
            ],
        };
        for (best, found) in bests.iter_mut().zip(found) {
            for partition in found {
                let loss = partition.loss(instance, &Sse);
                if loss < best.0 {
                    *best = (loss, partition);
                }
            }
        }
    })?;
    let integer = end.as_ref().is_some_and(|solution| looped.integer(solution).is_some());
    let [simple, spanning_tree] = bests;
    Ok(Microaggregation {
        mdav,
        v_mdav,
        simple: simple.0,
        spanning_tree: spanning_tree.0,
        relaxation: end.map(|solution| solution.value),
        integer,
        rounds: looped.rounds,
        exact_pricings: looped.exact_pricings,
        columns: looped.pool.len(),
        best: if simple.0 < spanning_tree.0 { simple.1 } else { spanning_tree.1 },
    })
}

#[cfg(test)]
mod tests {
    use lookalike_lp::master::{self, Column, Limits, Target};
    use lookalike_model::fixtures::instance;
    use lookalike_testkit::best_partition_sse;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use lookalike_optimize::exact::{
        cuts::ActiveCuts,
        pricing::{Enumerate, Request, sweep},
        problem::Problem,
    };

    /// The linear relaxation over all classes.
    fn full_relaxation(instance: &Arc<Instance>, rule: &Rule) -> f64 {
        let problem = Problem::unmerged(instance, &Sse, rule).unwrap();
        let (duals, cuts) = (vec![0.0; problem.types()], ActiveCuts::none(problem.types()));
        let all = Request { threshold: f64::INFINITY, ..sweep::request(&problem, &duals, &cuts, usize::MAX) };
        let classes = sweep::price(&Enumerate, &all).columns;
        let column = |c: lookalike_optimize::exact::pricing::Priced| Column {
            cost: c.reduced_cost,
            rows: c.members,
            cuts: Vec::new(),
        };
        let columns: Vec<Column> = classes.into_iter().map(column).collect();
        let mut master =
            master::open(master::Programme::new(&vec![1.0; problem.types()], 1e4).unwrap()).unwrap();
        master.add_columns(&columns).unwrap();
        master.solve(Target::Duals, &Limits::none()).unwrap().value
    }

    #[test]
    fn the_loop_ends_at_the_relaxation_and_never_below_the_optimum() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let (mut integer, mut fractional, mut better) = (0, 0, 0);
        for case in 0..40 {
            let n = rng.random_range(7..11);
            let rule = Rule::at_least(2 + case % 3);
            let points: Vec<f64> = (0..2 * n).map(|_| rng.random_range(0.0..4.0)).collect();
            let instance = Arc::new(instance(2, &points, &vec![0; n]));
            let exact = [Exact::Table2 { programme: 0 }, Exact::Table2 { programme: 9 }, Exact::Implicit];
            let ctx = Ctx::silent();
            let found = microaggregation(&instance, &rule, exact[case / 3 % 3], 1.0, &ctx).unwrap();
            let full = full_relaxation(&instance, &rule);
            let value = found.relaxation.expect("time stands still");
            assert!((value - full).abs() < 1e-5 * full.max(1.0), "case {case}: {value}, {full}");
            let best = best_partition_sse(&points, 2, None, rule.min_size);
            let start = found.mdav.min(found.v_mdav);
            for loss in [found.simple, found.spanning_tree] {
                assert!(loss <= start && loss > best - 1e-9, "case {case}: {loss}, optimum {best}");
            }
            assert!(found.best.check(&instance, &rule).is_ok());
            assert!((found.best.loss(&instance, &Sse) - found.simple.min(found.spanning_tree)).abs() < 1e-9);
            if found.integer {
                integer += 1;
                assert!((found.simple - best).abs() < 1e-5, "case {case}: {}, {best}", found.simple);
            } else {
                fractional += 1;
            }
            better += usize::from(found.spanning_tree < start - 1e-9);
        }
        assert!(integer > 5 && fractional > 2 && better > 5, "{integer}, {fractional}, {better}");
    }

    #[test]
    fn without_time_there_is_no_relaxation() {
        let instance = Arc::new(instance(1, &[0., 1., 5., 6., 9., 9.5], &[0; 6]));
        let rule = Rule::at_least(2);
        let found = microaggregation(&instance, &rule, Exact::Implicit, 0.0, &Ctx::silent()).unwrap();
        assert_eq!((found.relaxation, found.rounds), (None, 0));
        assert!((found.simple - found.mdav.min(found.v_mdav)).abs() < 1e-12);
        let few = microaggregation(&instance, &Rule::at_least(7), Exact::Implicit, 1.0, &Ctx::silent());
        assert!(few.unwrap_err().to_string().contains("k = 7"));
    }
}
