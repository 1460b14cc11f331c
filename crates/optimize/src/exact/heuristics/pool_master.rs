//! The pool as an integer programme: the best partition into the classes met so far that the gap can pay for. Where most records
//! have many equals, rounding leaves records over that fit nowhere, and a partition is better put together from all classes at once.

use lookalike_lp::partition::Limits;

use super::{Heuristic, Outcome};
use crate::{
    Error,
    exact::{column::Column, effort::Stop, loss::Priceable, params, set_partitioning, state::State},
};

/// Attempts to put a partition together from the pool.
pub(in crate::exact) struct PoolMaster {
    params: params::PoolMaster,
    /// The gap at the last attempt.
    tried: f64,
}

impl PoolMaster {
    pub(in crate::exact) fn new(params: &params::PoolMaster) -> Self {
        Self { params: params.clone(), tried: f64::INFINITY }
    }

    /// Whether the table is of that kind, and the gap is clearly smaller than at the last attempt.
    pub(in crate::exact) fn is_due<L: Priceable>(&self, state: &State<L>) -> bool {
        let problem = &state.input.problem;
        problem.is_mostly_equal()
            && state.list.is_none()
            && state.dual_bound.proof().is_some()
            && state.gap() < self.params.retry * self.tried
    }
}

impl<L: Priceable> Heuristic<L> for PoolMaster {
    fn run(&mut self, state: &mut State<L>, _: Stop) -> Result<Outcome, Error> {
        let Some(proof) = state.dual_bound.proof().cloned() else { return Ok(Outcome::Unimproved) };
        let before = state.incumbent.loss();
        let problem = &state.input.problem;
        let request = state.request(&proof.duals, &proof.cuts, 1);
        let reduced = state.master.pool().reduced_costs(&request);
        let (gap, mut start) = (state.gap(), problem.classes(state.incumbent.partition()));
        let key = |&c: &u32| reduced[c as usize] / state.master.pool().column(c).members.len() as f64;
        let mut chosen: Vec<u32> =
            (0..state.master.pool().len() as u32).filter(|&c| reduced[c as usize] < gap).collect();
        chosen.sort_by(|a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        chosen.truncate(self.params.classes);
        let mut columns: Vec<Column> =
            chosen.into_iter().map(|c| state.master.pool().column(c).clone()).collect();
        // The incumbent is a start, whatever its classes cost.
        start.sort();
        let own = start.chunk_by(|a, b| a == b).map(|same| &same[0]);
        columns.extend(own.map(|members| Column { cost: problem.cost(members), members: members.clone() }));
        columns.sort_by(|a, b| a.members.cmp(&b.members));
        columns.dedup_by(|a, b| a.members == b.members);
        let columns: Vec<&Column> = columns.iter().collect();
        let right: Vec<usize> = (0..problem.types()).map(|t| problem.multiplicity(t)).collect();
        let seconds = state.effort.seconds_left().map(|left| self.params.time_share * left);
        let limits = Limits { seconds: seconds.unwrap_or(f64::INFINITY), nodes: self.params.nodes };
        let cover = set_partitioning::solve(&right, &columns, state.master.cuts(), &start, limits)?;
        let work = state.input.params.work.integer_column * columns.len() as f64;
        state.effort.pay(work);
        if let Some(classes) = cover.classes
            && let Some(partition) = state.input.problem.partition(&classes)
        {
            state.offer_descended(&partition);
        }
        self.tried = state.gap();
        Ok(Outcome::of(state.incumbent.loss() < before))
    }
}
