//! Annealing within column generation: short runs at the start, whose partitions are columns, and long ones while they lower
//! the loss: a gap may be wide since the bound is low, or since the loss is high.

use std::sync::Arc;

use lookalike_model::{instance::Instance, partition::Partition, settings::Budget};

use super::{
    Heuristic, Outcome,
    set_aside::Rest,
    snapshots::{Slice, Snapshots},
};
use crate::{
    Error,
    exact::{effort::Stop, loss::Priceable, params, problem::Problem, state::State},
    local,
};

/// Annealing, and when a long run of it is worth its while.
pub(in crate::exact) struct Annealing<L: Priceable> {
    params: params::Annealing,
    /// What it looks at, if classes are set aside.
    rest: Option<Rest>,
    /// The runs under way.
    runs: Option<Box<Snapshots<L>>>,
    /// The last run lowered the loss.
    falling: bool,
    /// It is time for a long run.
    due: bool,
    /// Long runs begun.
    count: u64,
    /// The loss before the last one.
    before: f64,
    /// What was spent when the first cuts were looked for.
    cuts_from: Option<f64>,
    /// Moves so far.
    moves: u64,
}

impl<L: Priceable> Annealing<L> {
    /// With the runs at the start.
    pub(in crate::exact) fn new(
        problem: &Problem,
        objective: L,
        start: &Partition,
        (budget, seed): (Budget, u64),
        (params, local): (&params::Annealing, &Arc<local::Params>),
    ) -> Self {
        let rest = Rest::new(problem, start);
        let runs = match budget {
            // So many records that usual runs would be broken off, still hot: one that cools in time is worth more.
            Budget::Seconds(seconds) if rest.is_some() => {
                vec![Budget::Seconds(params.cooled_share * params.start_share * seconds)]
            }
            _ => at_the_start(budget, problem.min, params),
        };
        let (instance, start) = searched(rest.as_ref(), problem, start);
        let runs = Box::new(Snapshots::new(instance, objective, start, &runs, (seed, local)));
        Self {
            params: params.clone(),
            rest,
            runs: Some(runs),
            falling: false,
            due: false,
            count: 0,
            before: 0.0,
            cuts_from: None,
            moves: 0,
        }
    }

    /// Moves so far.
    pub(in crate::exact) fn moves(&self) -> u64 {
        self.moves
    }

    /// There was a long run, or it is under way.
    pub(in crate::exact) fn is_long(&self) -> bool {
        self.count > 0
    }

    /// Asks for a long run: nothing else helps.
    pub(in crate::exact) fn call(&mut self) {
        self.due = true;
    }

    /// Cuts are looked for.
    pub(in crate::exact) fn note_cuts(&mut self, state: &State<L>) {
        self.cuts_from.get_or_insert(state.effort.spent());
    }

    /// Says that the last run lowered the loss or did not, whether a long one is due, and how much of the budget cuts have had.
    #[cfg(test)]
    pub(in crate::exact) fn pretend(&mut self, falling: bool, due: bool, cuts_from: Option<f64>) {
        (self.falling, self.due, self.cuts_from) = (falling, due, cuts_from);
    }

    /// Begins a long run if cuts have had their time; says whether it does.
    pub(in crate::exact) fn begin_after_cuts(&mut self, state: &State<L>) -> bool {
        let spent = state.effort.spent();
        let over = self.cuts_from.is_some_and(|from| spent - from > self.params.cuts_share);
        over && self.begin_long(state)
    }

    /// Begins a long run if one is due, the gap says that there may be something to be found, and the budget allows a long one;
    /// says whether it does.
    pub(in crate::exact) fn begin_long(&mut self, state: &State<L>) -> bool {
        // Where most records are in classes of equal ones, neighbourhoods find in a second what it does not in a minute.
        let wanted = self.falling && self.due && self.rest.is_none();
        self.due = false;
        let loss = state.incumbent.loss();
        if !wanted || state.list.is_some() || state.gap() < self.params.least_gap * loss {
            return false;
        }
        let Some(budget) = self.long_budget(state) else { return false };
        self.count += 1;
        self.before = loss;
        let input = &state.input;
        let seed = input.seed.rotate_left(32).wrapping_add(self.count);
        let (instance, start) = searched(self.rest.as_ref(), &input.problem, &input.start);
        let run = Snapshots::new(instance, input.objective, start, &[budget], (seed, &input.local));
        self.runs = Some(Box::new(run));
        true
    }

    /// The budget of a long run; `None` if that is too short.
    fn long_budget(&self, state: &State<L>) -> Option<Budget> {
        let share = self.params.long_share * (1.0 - state.effort.spent());
        match state.effort.budget() {
            Budget::Seconds(_) if share < self.params.least_share => None,
            Budget::Seconds(seconds) => Some(Budget::Seconds(share * seconds)),
            Budget::Effort(effort) => {
                let work = &state.input.params.work;
                let moves = share * effort * work.nodes_per_effort * work.moves_per_node;
                let input = &state.input;
                let records = searched(self.rest.as_ref(), &input.problem, &input.start).0.records() as f64;
                let effort = moves / (state.input.local.work.moves_per_effort * records);
                (effort >= self.params.least_effort).then_some(Budget::Effort(effort))
            }
        }
    }

    /// The runs are over.
    fn end(&mut self, runs: &Snapshots<L>, state: &mut State<L>) -> Outcome {
        if self.is_long() {
            self.falling = state.incumbent.loss() < (1.0 - self.params.falling) * self.before;
            return Outcome::of(state.incumbent.loss() < self.before);
        }
        (self.falling, self.due) = (runs.fell(self.params.falling), true);
        let best = state.incumbent.partition().clone();
        state.offer(best);
        Outcome::Improved
    }
}

impl<L: Priceable> Heuristic<L> for Annealing<L> {
    /// One slice.
    fn run(&mut self, state: &mut State<L>, _: Stop) -> Result<Outcome, Error> {
        let Some(mut runs) = self.runs.take() else { return Ok(Outcome::Unimproved) };
        let limited = matches!(state.effort.budget(), Budget::Seconds(_));
        let late = !self.is_long() && limited && state.effort.spent() > self.params.start_share;
        let before = runs.moves();
        let elapsed = state.effort.elapsed();
        let slice = if late { Slice::Over } else { runs.advance(&state.input.rule, elapsed) };
        let moved = runs.moves() - before;
        self.moves += moved;
        match slice {
            Slice::Over => return Ok(self.end(&runs, state)),
            Slice::Same => {}
            Slice::Better(partition) => {
                state.offer(
                    self.rest.as_ref().map_or_else(|| partition.clone(), |rest| rest.whole(&partition)),
                );
            }
        }
        if self.is_long() {
            state.effort.pay(moved as f64 / state.input.params.work.moves_per_node);
        }
        self.runs = Some(runs);
        Ok(Outcome::Unfinished)
    }
}

/// The records that are looked at, and their partition.
fn searched<'a>(
    rest: Option<&'a Rest>,
    problem: &'a Problem,
    start: &'a Partition,
) -> (&'a Arc<Instance>, &'a Partition) {
    rest.map_or((&problem.instance, start), |rest| (&rest.instance, &rest.start))
}

/// The runs at the start.
fn at_the_start(budget: Budget, smallest: usize, params: &params::Annealing) -> Vec<Budget> {
    let efforts = match budget {
        Budget::Effort(e) if e < 1.0 => &params.at_start_hurried,
        Budget::Seconds(s) if s < 2.0 => &params.at_start_brief,
        _ if smallest < params.large_class => &params.at_start_small,
        _ => &params.at_start_large,
    };
    efforts.iter().map(|&effort| Budget::Effort(effort)).collect()
}
