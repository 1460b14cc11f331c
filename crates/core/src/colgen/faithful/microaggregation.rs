//! Paper 3's `MicroaggregationHeuristicMP`.

use std::sync::Arc;

use lookalike_wire::settings::Method;

use super::{
    Deadline,
    cheapest::Exact,
    looped::Looped,
    rounding::{simple, spanning_tree},
};
use crate::{
    Ctx, Error, construct::build, instance::Instance, loss::Sse, partition::Partition, rule::MinSize,
};

/// What a row of paper 3's Tables 3 and 4 is made of. All losses are SSE.
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

/// Runs the paper's procedure for at most so many seconds by the clock of `ctx`; a master or an integer programme that is
/// under way is not stopped.
///
/// # Errors
/// [`Error::Infeasible`] for fewer than k records; [`Error::Input`] for too many; a solver's.
pub fn microaggregation(
    instance: &Arc<Instance>,
    rule: MinSize,
    exact: Exact,
    seconds: f64,
    ctx: &Ctx,
) -> Result<Microaggregation, Error> {
    crate::rule::Rule::feasible(&rule, instance)?;
    let deadline = Deadline::new(ctx, seconds);
    let loss = |p: &Partition| p.loss(instance, &Sse);
    let first = build(Method::Mdav, instance, &Sse, &rule, 0)?;
    let second = build(Method::VMdav, instance, &Sse, &rule, 0)?;
    let (mdav, v_mdav) = (loss(&first), loss(&second));
    let mut looped = Looped::new(instance, &rule, &[&first, &second], exact)?;
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
