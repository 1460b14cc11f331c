//! Duals before the first master, where that is large: they are raised from the classes of annealing without a linear programme, prove
//! a bound, and bring classes that a master of thousands of rows would need minutes to ask for.

use super::{dual_bound::FeasibleDuals, loss::Priceable, params, pricing::PricerName, state::State};
use crate::{
    Error,
    bounds::{self, Allowance, Raise, raise},
};

/// Duals being raised before the first master.
pub(super) struct FirstDuals {
    params: params::FirstDuals,
    by: bounds::Params,
    work: Option<Box<dyn Raise>>,
    begun: bool,
    /// What was spent when it began.
    from: f64,
}

impl FirstDuals {
    pub(super) fn new(params: &params::FirstDuals, by: &bounds::Params) -> Self {
        Self { params: params.clone(), by: by.clone(), work: None, begun: false, from: 0.0 }
    }

    /// Rounds that have ended.
    pub(super) fn rounds(&self) -> usize {
        self.work.as_ref().map_or(0, |work| work.rounds())
    }

    /// Begins from the incumbent, once, if the table is large; says whether it has begun.
    pub(super) fn begin<L: Priceable>(&mut self, state: &State<L>) -> bool {
        let problem = &state.input.problem;
        if std::mem::replace(&mut self.begun, true) || !problem.bounded || problem.types() < self.params.types
        {
            return false;
        }
        self.from = state.effort.spent();
        let looks = state.effort.looks(self.params.share, self.params.looks_per_node);
        let (loss, start) = (state.input.objective.name(), state.incumbent.partition().clone());
        self.work = raise(
            &problem.instance,
            loss,
            &state.input.rule,
            start,
            (Allowance::Candidates(looks), &self.by),
        );
        self.work.is_some()
    }

    /// One step; true when it is over. What has been proven by then is the run's first proof.
    pub(super) fn advance<L: Priceable>(&mut self, state: &mut State<L>) -> Result<bool, Error> {
        let Some(work) = &mut self.work else { return Ok(true) };
        let before = (work.looks(), work.rounds());
        let over = work.advance() || state.effort.spent() - self.from >= self.params.share;
        state.effort.pay((work.looks() - before.0) / self.params.looks_per_node);
        if (over || work.rounds() > before.1)
            && let Some(duals) = work.duals()
        {
            let by = if work.is_by_boxes() { PricerName::Transport } else { PricerName::LeastMeans };
            take(state, &duals.values, by);
        }
        if over {
            self.end(state)?;
        }
        Ok(over)
    }

    /// Gives the master its first classes and the place of its box.
    fn end<L: Priceable>(&mut self, state: &mut State<L>) -> Result<(), Error> {
        let Some(work) = self.work.take() else { return Ok(()) };
        let problem = &state.input.problem;
        let by_type = |class: Vec<u32>| {
            let mut types: Vec<u32> = class.iter().map(|&i| problem.type_of[i as usize]).collect();
            types.sort_unstable();
            types
        };
        let classes: Vec<Vec<u32>> =
            work.classes(self.params.columns * problem.types()).into_iter().map(by_type).collect();
        state.master.insert(problem, classes.iter().filter(|class| problem.admits(class)));
        if let Some(proof) = state.dual_bound.proof().cloned() {
            state.master.recentre(&proof.duals)?;
        }
        Ok(())
    }
}

/// Takes feasible duals of the records: those of a type count by their mean, which changes neither what they are worth nor whether
/// they are feasible, for its records can be exchanged.
fn take<L: Priceable>(state: &mut State<L>, of_records: &[f64], by: PricerName) {
    let problem = &state.input.problem;
    let mean = |records: &Vec<u32>| {
        records.iter().map(|&i| of_records[i as usize]).sum::<f64>() / records.len() as f64
    };
    let duals: Vec<f64> = problem.records.iter().map(mean).collect();
    let (tolerance, cuts) = (state.tolerance(), super::cuts::ActiveCuts::none(problem.types()));
    let value = super::bound::value(problem, &cuts, &duals, tolerance);
    state.dual_bound.accept(FeasibleDuals { value, duals, cuts, by, tolerance }, true);
}
