//! Annealing within column generation: short runs at the start, whose partitions are columns, and long ones while they lower
//! the loss: a gap may be wide since the bound is low, or since the loss is high.

use lookalike_model::settings::Budget;

use super::{
    measure::Priceable,
    run::{ColumnGeneration, WORK_PER_EFFORT},
    snapshots::Snapshots,
    stage::Stage,
};

/// Share of a time budget that the runs at the start may take, and share of what is left of any budget for a long run.
const START_SHARE: f64 = 0.25;
const LONG_SHARE: f64 = 0.5;

/// Part of the budget for which cuts are tried before: where they close the gap they do so soon.
const CUTS_SHARE: f64 = 0.08;

/// Gap, as a part of the loss, above which a long run is worth its while: below, neighbourhoods are better at it.
const WORTH: f64 = 4e-3;

/// A run that lowers the loss by more than this part has not found the end of the road.
const DEEPER: f64 = 1e-3;

/// Moves that take as long as a node or a box.
const MOVES_PER_UNIT: f64 = 4.0;

/// Moves a record for a unit of annealing's effort, and the least effort of a long run: what is shorter was there at the start.
const MOVES_PER_EFFORT: f64 = 1000.0;
const LEAST: f64 = 40.0;

/// Least part of a time budget for a long run.
const LEAST_SHARE: f64 = 0.02;

/// How long annealing does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LongRuns {
    /// The last run lowered the loss.
    falling: bool,
    /// It is time for one.
    due: bool,
    /// Those begun.
    count: u64,
    /// The loss before the last one.
    before: f64,
    /// What was spent when the first cuts were looked for.
    cuts_from: Option<f64>,
}

impl LongRuns {
    /// Nothing else helps.
    pub(super) fn call(&mut self) {
        self.due = true;
    }

    /// There was one, or it is under way.
    pub(super) fn begun(&self) -> bool {
        self.count > 0
    }
}

/// The runs at the start.
pub(super) fn at_the_start(budget: Budget, smallest: usize) -> Vec<Budget> {
    let efforts: &[f64] = match budget {
        Budget::Effort(e) if e < 1.0 => &[0.2],
        Budget::Seconds(s) if s < 2.0 => &[0.5],
        _ if smallest < 5 => &[1.0, 1.0, 2.0, 6.0],
        // Larger classes are for annealing more than for anything else.
        _ => &[2.0, 4.0, 40.0],
    };
    efforts.iter().map(|&effort| Budget::Effort(effort)).collect()
}

impl<L: Priceable> ColumnGeneration<L> {
    /// One slice.
    pub(super) fn anneal(&mut self, mut snapshots: Box<Snapshots<L>>) -> Stage<L> {
        let first = self.long_runs.count == 0;
        let late = first && matches!(self.budget, Budget::Seconds(_)) && self.spent() > START_SHARE;
        let before = snapshots.moves();
        let news = if late { None } else { snapshots.advance(&self.rule, self.elapsed) };
        let moved = snapshots.moves() - before;
        self.counts.moves += moved;
        match news {
            Some(found) => {
                if let Some(partition) = found {
                    self.offer(partition);
                }
                if !first {
                    self.worked(moved as f64 / MOVES_PER_UNIT);
                }
                Stage::Anneal(snapshots)
            }
            None if first => {
                (self.long_runs.falling, self.long_runs.due) = (snapshots.fell(DEEPER), true);
                let best = self.best.clone();
                self.offer(best);
                Stage::Master
            }
            None => {
                self.long_runs.falling = self.loss < (1.0 - DEEPER) * self.long_runs.before;
                // It may have come between cuts and the solution that they ask for.
                Stage::Master
            }
        }
    }

    /// Cuts are looked for.
    pub(super) fn note_cuts(&mut self) {
        let spent = self.spent();
        self.long_runs.cuts_from.get_or_insert(spent);
    }

    /// A long run if cuts have had their time.
    pub(super) fn anneal_after_cuts(&mut self) -> Option<Stage<L>> {
        let spent = self.spent();
        let over = self.long_runs.cuts_from.is_some_and(|from| spent - from > CUTS_SHARE);
        if over { self.anneal_longer() } else { None }
    }

    /// A long run if one is due, the gap says that there may be something to be found, and the budget allows a long one.
    pub(super) fn anneal_longer(&mut self) -> Option<Stage<L>> {
        let LongRuns { falling, due, .. } = self.long_runs;
        self.long_runs.due = false;
        if !(falling && due) || self.listed.is_some() || self.gap() < WORTH * self.loss {
            return None;
        }
        let share = LONG_SHARE * (1.0 - self.spent());
        let budget = match self.budget {
            Budget::Seconds(_) if share < LEAST_SHARE => return None,
            Budget::Seconds(seconds) => Budget::Seconds(share * seconds),
            Budget::Effort(effort) => {
                let moves = share * effort * WORK_PER_EFFORT * MOVES_PER_UNIT;
                let effort = moves / (MOVES_PER_EFFORT * self.problem.instance.records() as f64);
                if effort < LEAST {
                    return None;
                }
                Budget::Effort(effort)
            }
        };
        self.long_runs.count += 1;
        self.long_runs.before = self.loss;
        let seed = self.seed.rotate_left(32).wrapping_add(self.long_runs.count);
        let run = Snapshots::new(&self.problem.instance, self.objective, &self.start, &[budget], seed);
        Some(Stage::Anneal(Box::new(run)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{
        Ctx,
        instance::Instance,
        loss::Sse,
        rule::Rule,
        settings::{Method, SearchOptions},
    };
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::construct;

    fn instance() -> Arc<Instance> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut column = || (0..120).map(|_| rng.random::<f64>()).collect::<Vec<f64>>();
        Arc::new(Instance::from_columns(&[column(), column(), column()], &[0; 120]).unwrap())
    }

    /// A run that has a first bound, whose annealing is said to be on its way down.
    fn bounded(effort: f64) -> ColumnGeneration<Sse> {
        let (instance, rule) = (instance(), Rule::at_least(5));
        let start = construct::build(Method::Classic, &instance, &Sse, &rule, 1).unwrap();
        // Without lists.
        let options = SearchOptions { duals: true, ..SearchOptions::default() };
        let budget = Budget::Effort(effort);
        let mut run = ColumnGeneration::from(&instance, &start, Sse, rule, budget, options, 1).unwrap();
        while !matches!(run.stage, Stage::Separate) {
            assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        }
        assert!(run.gap() > 2.0 * WORTH * run.loss);
        run.long_runs.falling = true;
        assert!(run.anneal_after_cuts().is_none(), "cuts come first");
        (run.stage, run.long_runs.cuts_from) = (Stage::Master, Some(run.spent() - 1.1 * CUTS_SHARE));
        run
    }

    #[test]
    fn a_long_run_is_paid_for_and_the_master_follows_it() {
        let mut run = bounded(3.0);
        let (moves, spent, loss) = (run.counts.moves, run.spent(), run.loss);
        let share = LONG_SHARE * (1.0 - spent);
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        assert!(matches!(run.stage, Stage::Anneal(_)));
        while matches!(run.stage, Stage::Anneal(_)) {
            assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        }
        let made = (run.counts.moves - moves) as f64;
        let asked = share * 3.0 * WORK_PER_EFFORT * MOVES_PER_UNIT;
        assert!((0.9..1.1).contains(&(made / asked)), "{made} of {asked}");
        assert!((0.9..1.1).contains(&((run.spent() - spent) / share)), "{} of {share}", run.spent() - spent);
        assert!(run.loss <= loss);
        let rounds = run.counts.rounds;
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        assert_eq!(run.counts.rounds, rounds + 1, "the master is solved before anything relies on it");
        // The next one has to be called for.
        run.long_runs.falling = true;
        assert!(run.anneal_longer().is_none());
        run.long_runs.call();
        assert!(run.anneal_longer().is_some());
    }

    #[test]
    fn cuts_before_a_long_run_are_solved_after_it_and_raise_the_bound() {
        let mut run = bounded(3.0);
        run.stage = Stage::Separate;
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        let (entered, rounds, bound) = (run.master.unsolved_cuts(), run.counts.rounds, run.bound().unwrap());
        assert!(entered > 0, "there are cuts");
        run.long_runs.falling = true;
        run.long_runs.cuts_from = Some(run.spent() - 1.1 * CUTS_SHARE);
        assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        assert!(matches!(run.stage, Stage::Anneal(_)), "the long run comes first");
        while matches!(run.stage, Stage::Anneal(_)) {
            assert!(!run.step(&Ctx::silent(), 0.0).unwrap());
        }
        assert_eq!((run.master.unsolved_cuts(), run.counts.rounds), (entered, rounds), "it solves nothing");
        while run.counts.rounds < rounds + 3 {
            let relies = !matches!(run.stage, Stage::Anneal(_) | Stage::Master);
            assert!(!relies || run.master.unsolved_cuts() == 0, "{}", run.stage.phase());
            assert!(!run.step(&Ctx::silent(), 0.0).unwrap(), "there is budget left");
        }
        while run.bound().unwrap() <= bound {
            assert!(!run.step(&Ctx::silent(), 0.0).unwrap(), "the cuts have raised nothing");
        }
    }

    #[test]
    fn nothing_relies_on_a_solution_that_knows_fewer_cuts() {
        let mut run = bounded(3.0);
        run.long_runs.cuts_from = None;
        let (mut runs, mut entered, mut both) = (0_u32, 0, 0);
        loop {
            // Annealing is said to be worth its while again and again, whenever cuts have entered.
            let unsolved = run.master.unsolved_cuts() > 0;
            if unsolved && run.spent() > 0.1 * f64::from(runs) {
                (run.long_runs.falling, run.long_runs.due) = (true, true);
                run.long_runs.cuts_from = Some(run.spent() - 1.1 * CUTS_SHARE);
                runs += 1;
            }
            entered += usize::from(unsolved);
            both += usize::from(unsolved && matches!(run.stage, Stage::Anneal(_)));
            let relies = !matches!(run.stage, Stage::Anneal(_) | Stage::Master | Stage::Done(_));
            assert!(!relies || !unsolved, "{}", run.stage.phase());
            if run.step(&Ctx::silent(), 0.0).unwrap() {
                break;
            }
        }
        assert!(entered > 0 && both > 0 && run.long_runs.count > 0, "{entered} {both} {runs}");
        assert!(run.counts.neighbourhoods > 0 && run.shares.cuts > 0.0, "cuts and neighbourhoods take turns");
    }

    #[test]
    fn a_long_run_is_not_for_narrow_gaps_nor_small_budgets_nor_where_annealing_has_ended() {
        let mut run = bounded(3.0);
        run.budget = Budget::Effort(3.0 * 1.1 * run.spent());
        assert!(run.anneal_longer().is_none());
        let mut run = bounded(3.0);
        run.long_runs.falling = false;
        assert!(run.anneal_longer().is_none());
        let mut run = bounded(3.0);
        run.loss = run.proof.as_ref().unwrap().value * (1.0 + 0.5 * WORTH);
        assert!(run.anneal_longer().is_none());
    }
}
