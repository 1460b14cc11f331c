//! The pricing loop: heuristic pricing, then exact pricing, which proves a bound.

use super::{
    bound,
    dual_bound::FeasibleDuals,
    loss::Priceable,
    params,
    pricing::{Pricer, Request, Sweep},
    state::State,
};
use crate::Error;

/// How a batch of a pricing has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priced {
    /// There is more to do.
    Unfinished,
    /// The master is to be solved again: it has new columns, or a wider box.
    Columns,
    /// There are too few columns to solve the master again before an exact pricing.
    FewColumns,
    /// Pricing with cuts takes too long.
    TooHard,
    /// The master has converged.
    Converged,
}

/// The pricing under way, and which pricer is exact.
pub(super) struct PricingLoop {
    params: params::Pricing,
    sweep: Option<Sweep>,
    /// Exact pricing with cuts goes by boxes: the tree has too many nodes.
    by_boxes: bool,
    /// Exact pricings that came to their end.
    exact: u64,
}

impl PricingLoop {
    pub(super) fn new(params: &params::Pricing) -> Self {
        Self { params: params.clone(), sweep: None, by_boxes: false, exact: 0 }
    }

    /// Exact pricings that came to their end.
    pub(super) fn exact_pricings(&self) -> u64 {
        self.exact
    }

    /// Whether exact pricing with cuts goes by boxes.
    #[cfg(test)]
    pub(super) fn is_by_boxes(&self) -> bool {
        self.by_boxes
    }

    /// The exact pricer for the active cuts.
    fn exact_pricer<L: Priceable>(&self, state: &State<L>) -> Box<dyn Pricer> {
        let (pricers, problem) = (&state.input.pricers, &state.input.problem);
        match &state.list {
            Some(list) => Box::new(list.pricer()),
            None if state.master.active().sets.is_empty() => pricers.without_cuts(problem),
            None if self.by_boxes => {
                pricers.by_boxes(problem).unwrap_or_else(|| pricers.combinatorial(problem))
            }
            None => pricers.combinatorial(problem),
        }
    }

    /// Columns that a part of the exact pricing reports.
    fn exact_columns<L: Priceable>(&self, state: &State<L>) -> usize {
        if state.list.is_some() { self.params.listed_columns } else { self.params.exact_columns }
    }

    fn exact_sweep<L: Priceable>(&self, state: &State<L>) -> Sweep {
        Sweep::new(&*self.exact_pricer(state), &state.master_request(self.exact_columns(state)))
    }

    /// A batch of heuristic pricing.
    pub(super) fn heuristic<L: Priceable>(&mut self, state: &mut State<L>) -> Result<Priced, Error> {
        let params = &self.params;
        let request = state.master_request(params.heuristic_columns);
        let mut sweep = self
            .sweep
            .take()
            .unwrap_or_else(|| Sweep::new(&*state.input.pricers.heuristic(&state.input.problem), &request));
        if !sweep.advance(&request) {
            self.sweep = Some(sweep);
            return Ok(Priced::Unfinished);
        }
        state.effort.visit(sweep.nodes);
        let added = Self::take(state, &sweep)?;
        let many = added > state.input.problem.types() / params.types_per_heuristic_column;
        // The first rounds want a bound soon; later ones only when there is nothing easy to be had.
        let proven = state.dual_bound.proof().is_some();
        let skipped = many && proven && !state.master.rounds().is_multiple_of(params.exact_every);
        Ok(if skipped { Priced::Columns } else { Priced::FewColumns })
    }

    /// Takes priced columns into the pool and the violated ones into the master; returns how many were new to it.
    fn take<L: Priceable>(state: &mut State<L>, sweep: &Sweep) -> Result<usize, Error> {
        state.master.insert(&state.input.problem, sweep.columns.iter().map(|column| &column.members));
        state.enter_violated()
    }

    /// A batch of exact pricing.
    pub(super) fn exact<L: Priceable>(&mut self, state: &mut State<L>) -> Result<Priced, Error> {
        let mut sweep = match self.sweep.take() {
            Some(sweep) => sweep,
            None => self.exact_sweep(state),
        };
        let charged = state.list.is_none() && !state.master.active().sets.is_empty();
        // The tree first, then boxes where there are any.
        let (pricers, problem) = (&state.input.pricers, &state.input.problem);
        let tree = charged && !self.by_boxes && pricers.by_boxes(problem).is_some();
        let most = match (charged, tree) {
            (false, _) => u64::MAX,
            (true, true) => self.params.tree_nodes,
            (true, false) => self.params.cut_nodes.max(state.effort.nodes_of(self.params.cut_share)),
        };
        let request = Request { nodes: most, ..state.master_request(self.exact_columns(state)) };
        let before = sweep.nodes;
        let done = sweep.advance(&request);
        state.effort.visit(sweep.nodes - before);
        let over = (sweep.nodes > most || sweep.gave_up()) && !(done && sweep.proven());
        if over && tree {
            self.by_boxes = true;
            Self::take(state, &sweep)?;
            self.sweep = Some(self.exact_sweep(state));
            return Ok(Priced::Unfinished);
        }
        if over {
            return Ok(Priced::TooHard);
        }
        if !done {
            self.sweep = Some(sweep);
            return Ok(Priced::Unfinished);
        }
        self.exact += 1;
        self.converge(state, &sweep)
    }

    /// What an exact pricing that came to its end says of the master.
    fn converge<L: Priceable>(&self, state: &mut State<L>, sweep: &Sweep) -> Result<Priced, Error> {
        let problem = &state.input.problem;
        let proven = bound::proven(problem, state.master.active(), sweep, state.tolerance());
        // Asked before the box moves.
        let boxed = state.master.is_boxed();
        let gained = self.accept(state, proven, sweep)?;
        Self::take(state, sweep)?;
        // Those of the heuristic pricing count too: the master has not seen them yet.
        let added = state.master.unseen();
        let bound = proven.unwrap_or(0.0);
        let left = (state.master.value() - bound) / (state.incumbent.loss() - bound).max(1e-300);
        let small = state.input.problem.types() <= self.params.small;
        let tail = if small { 0.0 } else { self.params.tail };
        if added > 0 && (left > tail || boxed) || boxed && gained {
            return Ok(Priced::Columns);
        }
        if boxed {
            state.master.grow()?;
            return Ok(Priced::Columns);
        }
        if state.master.cuts().is_empty() {
            state.dual_bound.relaxation_converged();
        }
        Ok(Priced::Converged)
    }

    /// Keeps a better bound, and puts the box around its duals. Says whether it was better.
    fn accept<L: Priceable>(
        &self,
        state: &mut State<L>,
        proven: Option<f64>,
        sweep: &Sweep,
    ) -> Result<bool, Error> {
        let Some(value) = proven else { return Ok(false) };
        let proof = FeasibleDuals {
            value,
            duals: sweep.duals.clone(),
            cuts: state.master.active().clone(),
            by: self.exact_pricer(state).name(),
            tolerance: state.tolerance(),
        };
        if !state.dual_bound.accept(proof, state.list.is_none()) {
            return Ok(false);
        }
        let loss = state.incumbent.loss();
        if loss - value < state.input.params.master.box_gap * loss {
            state.master.recentre(&sweep.duals)?;
        }
        state.shorten_list();
        Ok(true)
    }
}
