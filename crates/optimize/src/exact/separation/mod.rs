//! Rounds of cuts: separators look for cuts that the master's solution violates, for as long as they raise the bound.

mod odd_sets;
mod selection;
mod triples;

use super::{
    column::Weighted, cuts::SubsetRow, effort::Stop, loss::Priceable, params, problem::Problem, state::State,
};
use crate::Error;

/// A solution of the master that cuts are separated from.
#[derive(Clone, Copy)]
pub(super) struct Fractional<'a> {
    pub(super) problem: &'a Problem,
    /// Its columns with their values.
    pub(super) solution: &'a [Weighted<'a>],
    /// Most cuts that are wanted.
    pub(super) most: usize,
}

/// A family of cuts.
pub(super) trait Separator {
    /// Cuts violated by more than `violation`, the best ones first; what was found so far when it has to stop.
    fn separate(&self, fractional: &Fractional, violation: f64, stop: Stop) -> Vec<SubsetRow>;
}

/// How the rounds of cuts are doing.
pub(super) struct CutRounds {
    separators: Vec<Box<dyn Separator>>,
    params: params::Separation,
    rounds: u32,
    /// Rounds in a row that have gained nearly nothing.
    stalled: u32,
    /// The bound before the last round.
    bound: f64,
    /// Pricing with cuts takes too long.
    unpriceable: bool,
}

impl CutRounds {
    pub(super) fn new(params: &params::Params) -> Self {
        let odd_sets = odd_sets::OddSets(params.odd_sets.clone());
        let triples = triples::Triples(params.triples.clone());
        Self {
            separators: vec![Box::new(odd_sets), Box::new(triples)],
            params: params.separation.clone(),
            rounds: 0,
            stalled: 0,
            bound: 0.0,
            unpriceable: false,
        }
    }

    /// Begins a round: takes note of what the last one has gained.
    pub(super) fn begin<L: Priceable>(&mut self, state: &State<L>) {
        let bound = state.dual_bound.proven();
        let gap = (state.incumbent.loss() - bound).max(1e-300);
        self.rounds += 1;
        let stalled = self.rounds > 1 && bound - self.bound < self.params.gain * gap;
        self.stalled = if stalled { self.stalled + 1 } else { 0 };
        self.bound = bound;
    }

    /// Whether the rounds gain nearly nothing, or cannot be priced.
    pub(super) fn tail_off(&self) -> bool {
        self.stalled >= self.params.stalled_rounds || self.unpriceable
    }

    /// Whether to look for cuts all the same: a wide gap is worth more rounds, and a list prices all cuts.
    pub(super) fn are_worth_trying<L: Priceable>(&self, state: &State<L>) -> bool {
        self.stalled < self.patience(state) && (!self.unpriceable || state.list.is_some())
    }

    fn patience<L: Priceable>(&self, state: &State<L>) -> u32 {
        let gap = state.gap().max(1e-300);
        // Where most records have equals, the gap is wide for the loss, which neighbourhoods lower.
        let wide = gap > self.params.wide * state.incumbent.loss() && !state.input.problem.is_mostly_equal();
        if wide { self.params.stalled_rounds_wide } else { self.params.stalled_rounds }
    }

    /// Looks for cuts, and brings them into the master; says whether there were any.
    pub(super) fn separate<L: Priceable>(&self, state: &mut State<L>, stop: Stop) -> Result<bool, Error> {
        let problem = &state.input.problem;
        let solution = state.master.weighted();
        let known = state.master.cuts();
        let is_new = |c: &SubsetRow| known.iter().all(|k| k.divisor != c.divisor || k.members != c.members);
        let fractional = Fractional { problem, solution: &solution, most: self.params.cuts_per_round };
        let find = |violation: f64| -> Vec<SubsetRow> {
            let found = self.separators.iter().flat_map(|s| s.separate(&fractional, violation, stop));
            found.filter(is_new).collect()
        };
        let mut cuts = find(self.params.violation);
        if cuts.is_empty() {
            cuts = find(self.params.slight_violation);
        }
        let columns = solution.len() as f64;
        state.effort.pay(state.input.params.work.separated_column * columns);
        if cuts.is_empty() {
            return Ok(false);
        }
        let inactive = 1e-9 * state.incumbent.loss() / state.input.problem.types() as f64;
        state.master.exchange_cuts(inactive, cuts)?;
        Ok(true)
    }

    /// The rounds count from here on: the gap, or what is priced, is another.
    pub(super) fn restart(&mut self) {
        self.stalled = 0;
    }

    /// There are none for now.
    pub(super) fn rest<L: Priceable>(&mut self, state: &State<L>) {
        self.stalled = self.patience(state);
    }

    /// Pricing with cuts takes too long: they are given up until all classes that matter are listed.
    pub(super) fn give_up(&mut self) {
        self.unpriceable = true;
    }
}
