//! The integer master: the best partition into the listed classes, and with it the end of the run. It is looked for by reduced
//! costs first, then by an integer programme.

use std::sync::Arc;

use lookalike_lp::partition::Limits;

use super::{Heuristic, Outcome};
use crate::{
    Error,
    exact::{
        column::Column,
        effort::Stop,
        loss::Priceable,
        params,
        reduced_cost_search::{self, Task},
        set_partitioning,
        state::State,
    },
};

/// Attempts to find the best partition into the listed classes.
pub(in crate::exact) struct IntegerMaster {
    params: params::IntegerMaster,
    /// Length of the list at the last attempt.
    tried: Option<usize>,
    /// Attempts that have not come to an end.
    unfinished: u32,
}

impl IntegerMaster {
    pub(in crate::exact) fn new(params: &params::IntegerMaster) -> Self {
        Self { params: params.clone(), tried: None, unfinished: 0 }
    }

    /// Whether there is a list that is short enough, and clearly shorter than at the last attempt.
    pub(in crate::exact) fn is_due<L: Priceable>(&self, state: &State<L>) -> bool {
        let length = state.list.as_ref().map_or(usize::MAX, |list| list.classes().len());
        length <= self.params.classes && self.tried.is_none_or(|tried| length < tried * 2 / 3)
    }

    /// A list may be tried again: beside branching nothing else is left to help.
    pub(in crate::exact) fn restart(&mut self) {
        self.tried = None;
    }

    /// Searches the listed classes by their reduced costs; true if nothing better is among them.
    fn search<L: Priceable>(
        state: &mut State<L>,
        right: &[usize],
        columns: &[&Column],
        evaluations: u64,
        stop: Stop,
    ) -> bool {
        let Some(proof) = state.dual_bound.proof().cloned() else { return false };
        let request = state.request(&proof.duals, &proof.cuts, 1);
        let reduced: Vec<f64> = columns.iter().map(|c| request.reduced_cost_of(c)).collect();
        let gap_budget = state.gap() * (1.0 + 1e-9) + state.tolerance();
        let task = Task { right, columns, reduced: &reduced, loss: state.incumbent.loss(), gap_budget };
        let covering = reduced_cost_search::cheapest(&task, evaluations, stop);
        let evaluations_per_node = state.input.params.work.evaluations_per_node;
        state.effort.pay(covering.evaluations as f64 / evaluations_per_node);
        if let Some(chosen) = covering.classes {
            let classes: Vec<Vec<u32>> =
                chosen.iter().map(|&at| columns[at as usize].members.clone()).collect();
            if let Some(partition) = state.input.problem.partition(&classes) {
                state.offer_descended(&partition);
            }
        }
        covering.complete
    }
}

impl<L: Priceable> Heuristic<L> for IntegerMaster {
    /// One attempt.
    fn run(&mut self, state: &mut State<L>, stop: Stop) -> Result<Outcome, Error> {
        let Some(classes) = state.list.as_ref().map(|list| Arc::clone(list.classes())) else {
            return Ok(Outcome::Unimproved);
        };
        let before = state.incumbent.loss();
        let columns: Vec<&Column> = classes.iter().collect();
        self.tried = Some(columns.len());
        if columns.is_empty() {
            return Ok(Outcome::Optimal);
        }
        let seconds = state.effort.seconds_left().map(|left| self.params.time_share * left);
        let problem = &state.input.problem;
        let right: Vec<usize> = (0..problem.types()).map(|t| problem.multiplicity(t)).collect();
        // An effort must not hide how long it takes.
        let again = if seconds.is_some() { self.unfinished.min(self.params.doublings) } else { 0 };
        if Self::search(state, &right, &columns, self.params.evaluations << again, stop) {
            return Ok(Outcome::Optimal);
        }
        let seconds = seconds.map(|s| s.min(state.effort.seconds_left().unwrap_or(s)));
        let nodes = self.params.nodes << again;
        let limits = Limits { seconds: seconds.unwrap_or(f64::INFINITY), nodes };
        let mut start = state.input.problem.classes(state.incumbent.partition());
        start.sort();
        let cover = set_partitioning::solve(&right, &columns, state.master.cuts(), &start, limits)?;
        state.effort.pay(state.input.params.work.integer_column * columns.len() as f64);
        if let Some(classes) = cover.classes
            && let Some(partition) = state.input.problem.partition(&classes)
        {
            state.offer_descended(&partition);
        }
        if cover.complete {
            state.dual_bound.rest_on_solver();
            return Ok(Outcome::Optimal);
        }
        self.unfinished += 1;
        Ok(Outcome::of(state.incumbent.loss() < before))
    }
}
