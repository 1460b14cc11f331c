//! Tobar 2023's decomposition (its section IV, steps 1 and 3 to 6).

use std::sync::Arc;

use lookalike_lp::partition::Limits;
use lookalike_model::{
    Ctx,
    instance::Instance,
    loss::Sse,
    partition::Partition,
    rule::Rule,
    settings::{Budget, Construction},
};

use super::{Deadline, cheapest::Exact, looped::Looped};
use lookalike_optimize::{
    Error,
    construct::build,
    exact::{column::Column, set_partitioning::solve},
    local::{
        Improvement as _,
        blocks::{fill, local},
        two_swap::TwoSwap,
    },
};

/// Nodes of a block's integer master.
const NODES: u32 = 1_000;

/// What a step reached.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// SSE after it.
    pub loss: f64,
    /// Seconds it took, by the clock of the run.
    pub seconds: f64,
}

/// What a row of Tobar 2023's Tables IV and V is made of.
#[derive(Clone, Debug)]
pub struct Invariance {
    /// Tau on the whole table.
    pub start: Step,
    /// Column generation in each block, and its integer master.
    pub optimised: Step,
    /// Two-swapping of the union.
    pub swapped: Step,
    /// Blocks.
    pub blocks: usize,
    /// Blocks whose column generation reached the limit.
    pub limited: usize,
    /// The partition at the end.
    pub best: Partition,
}

/// Runs the paper's decomposition into `count` blocks, one block after another, each for at most so many seconds by the
/// clock of `ctx`; `integer` is the most seconds of wall clock for the integer master of a block.
///
/// # Errors
/// [`Error::Model`] if no admissible partition exists; a solver's.
pub fn invariance(
    instance: &Arc<Instance>,
    rule: &Rule,
    count: usize,
    exact: Exact,
    (seconds, integer): (f64, f64),
    ctx: &Ctx,
) -> Result<Invariance, Error> {
    rule.feasible(instance)?;
    let began = (ctx.clock)();
    let first = build(Construction::Tau, instance, &Sse, rule, 0)?;
    let start = step(instance, &first, ctx, began);
    let mut labels = vec![0; instance.records()];
    let (mut named, mut limited) = (0, 0);
    let blocks = fill(&first, count);
    let began = (ctx.clock)();
    for classes in &blocks {
        let (records, part) = local(classes);
        let sub = Arc::new(instance.subset(&records));
        let (found, whole) = block(&sub, rule, &part, exact, (seconds, integer), ctx)?;
        limited += usize::from(!whole);
        for (&i, label) in records.iter().zip(&found.labels) {
            labels[i as usize] = named + label;
        }
        named += found.classes as u32;
    }
    let union = Partition::from_labels(&labels);
    let optimised = step(instance, &union, ctx, began);
    let began = (ctx.clock)();
    let mut swaps = TwoSwap::new(instance, &Sse, rule, &union, Budget::Effort(1.0));
    while !(ctx.cancelled)() && swaps.advance(0.0).is_none() {}
    let best = swaps.best();
    let swapped = step(instance, &best, ctx, began);
    Ok(Invariance { start, optimised, swapped, blocks: blocks.len(), limited, best })
}

fn step(instance: &Instance, partition: &Partition, ctx: &Ctx, began: f64) -> Step {
    Step { loss: partition.loss(instance, &Sse), seconds: (ctx.clock)() - began }
}

/// Column generation, then the last master with binary columns; and whether the column generation came to its end.
fn block(
    instance: &Arc<Instance>,
    rule: &Rule,
    start: &Partition,
    exact: Exact,
    (seconds, integer): (f64, f64),
    ctx: &Ctx,
) -> Result<(Partition, bool), Error> {
    let deadline = Deadline::new(ctx, seconds);
    let mut looped = Looped::new(instance, rule, &[start], exact)?;
    let end = looped.run(&deadline, |_, _| {})?;
    if let Some(partition) = end.as_ref().and_then(|solution| looped.integer(solution)) {
        return Ok((partition, true));
    }
    let mut columns: Vec<&Column> = (0..looped.pool.len() as u32).map(|c| looped.pool.column(c)).collect();
    columns.sort_by(|a, b| a.members.cmp(&b.members));
    let right = vec![1; instance.records()];
    let limits = Limits { seconds: integer, nodes: NODES };
    let classes = looped.problem.classes(start);
    let found = solve(&right, &columns, &[], &classes, limits)?;
    let better = found.classes.and_then(|classes| looped.problem.partition(&classes));
    let better = better.filter(|p| p.loss(instance, &Sse) < start.loss(instance, &Sse));
    Ok((better.unwrap_or_else(|| start.clone()), end.is_some()))
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;
    use lookalike_testkit::best_partition_sse;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn each_step_is_admissible_and_no_worse_and_one_block_is_often_optimal() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut optimal, mut cases) = (0, 0);
        for case in 0..30 {
            let n = rng.random_range(8..11);
            let points: Vec<f64> = (0..2 * n).map(|_| rng.random_range(0.0..4.0)).collect();
            let colours: Vec<u32> = (0..n as u32).map(|i| i % 4).collect();
            let instance = Arc::new(instance(2, &points, &colours));
            let rule = Rule::all_different(2 + case % 2);
            let run = |count, seconds| {
                invariance(&instance, &rule, count, Exact::Implicit, (seconds, 60.0), &Ctx::silent()).unwrap()
            };
            let whole = run(1, 1.0);
            assert_eq!((whole.blocks, whole.limited), (1, 0));
            assert!(whole.best.check(&instance, &rule).is_ok());
            assert!(whole.optimised.loss <= whole.start.loss && whole.swapped.loss <= whole.optimised.loss);
            let best = best_partition_sse(&points, 2, Some(&colours), rule.min_size);
            assert!(whole.optimised.loss > best - 1e-9, "case {case}");
            cases += 1;
            optimal += usize::from(whole.optimised.loss < best + 1e-6);
            let halves = run(2, 1.0);
            assert!(halves.best.check(&instance, &rule).is_ok());
            assert!(halves.optimised.loss > best - 1e-9 && halves.optimised.loss <= halves.start.loss);
            let stopped = run(2, 0.0);
            assert_eq!(stopped.limited, stopped.blocks);
            assert!((stopped.optimised.loss - stopped.start.loss).abs() < 1e-9, "the pool is the start");
        }
        // The last master with binary columns is a heuristic.
        assert!(optimal * 3 > cases, "{optimal} of {cases}");
    }
}
