//! Closing the gap once the master has converged: rounding, integer master, cuts, enumeration.

use super::{
    integer::{self, Limits},
    pricing::{Request, Sweep, Tree},
    rounding::{self, Weighted},
    run::{ColumnGeneration, Stage},
    separate,
};
use crate::{Error, rule::Rule};

/// Columns of an integer master, at most.
const INTEGER_COLUMNS: usize = 6000;

/// Columns up to which enumeration goes on.
const ENUMERATED: usize = 40_000;

/// Nodes up to which enumeration goes on.
const ENUMERATION_NODES: u64 = 20_000_000;

/// New cuts a round, at most.
const CUTS_PER_ROUND: usize = 250;

/// Rounds of cuts in a row that may gain nearly nothing.
const STALE: u32 = 3;

/// What counts as nearly nothing, as a part of the gap.
const GAIN: f64 = 2e-3;

/// Neighbourhoods between two attempts at something else.
const NEIGHBOURHOODS: u64 = 12;

/// How the cuts are doing.
#[derive(Clone, Debug, Default)]
pub(super) struct CutRounds {
    rounds: u32,
    stale: u32,
    bound: f64,
    over: bool,
    /// The gap at the last enumeration that was too long.
    enumerated: Option<f64>,
    integer: u32,
}

impl<R: Rule> ColumnGeneration<R> {
    /// UB - LB; the loss itself while there is no bound.
    pub(super) fn gap(&self) -> f64 {
        self.loss - self.proof.as_ref().map_or(0.0, |p| p.value)
    }

    /// The roundings of paper 3, each with a descent.
    pub(super) fn round(&mut self) -> Stage {
        let partitions = {
            let solution: Vec<Weighted> =
                self.solution.iter().map(|&(c, x)| (self.pool.column(c).members.as_slice(), x)).collect();
            let mut partitions = rounding::spanning_tree(&self.problem, &solution);
            partitions.extend(rounding::simple(&self.problem, &solution));
            partitions
        };
        for partition in &partitions {
            if partition.check(&self.problem.instance, &self.rule).is_ok() {
                self.offer_descended(partition);
            }
        }
        self.worked(100.0 * self.problem.instance.records() as f64 * partitions.len() as f64);
        // The first integer master comes at once; the others when the cuts are done.
        if self.progress_of_cuts.integer == 0 { Stage::Integer } else { Stage::Separate }
    }

    /// The integer master over the columns of lowest reduced cost, among those that can improve.
    pub(super) fn integer(&mut self) -> Result<Stage, Error> {
        self.progress_of_cuts.integer += 1;
        let Some(proof) = &self.proof else { return Ok(Stage::Separate) };
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let reduced = self.pool.reduced_costs(&request);
        let gap = self.gap();
        let mut chosen: Vec<u32> =
            (0..self.pool.len() as u32).filter(|&c| reduced[c as usize] < gap).collect();
        let key = |c: u32| reduced[c as usize] / self.pool.column(c).members.len() as f64;
        chosen.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        chosen.truncate(INTEGER_COLUMNS);
        chosen.extend(self.numbers_of_best());
        chosen.sort_unstable();
        chosen.dedup();
        let seconds = self.seconds_left().map(|left| (0.15 * left).min(15.0));
        let right: Vec<usize> = (0..self.problem.types()).map(|t| self.problem.multiplicity(t)).collect();
        let columns: Vec<_> = chosen.iter().map(|&c| self.pool.column(c)).collect();
        let limits = Limits { seconds, nodes: 500, cutoff: self.loss };
        let found = integer::solve(&right, &columns, &self.cuts, limits)?;
        if let Some(classes) = found.classes
            && let Some(partition) = self.problem.partition(&classes)
        {
            self.offer_descended(&partition);
        }
        self.worked(100.0 * columns_size(chosen.len()));
        Ok(if self.progress_of_cuts.over { Stage::Neighbourhood } else { Stage::Separate })
    }

    /// The incumbent's classes as columns of the pool.
    fn numbers_of_best(&mut self) -> Vec<u32> {
        let classes = self.problem.classes(&self.best);
        let admitted = classes.into_iter().filter(|c| self.problem.admits(c));
        admitted.map(|class| self.pool.insert(&self.problem, &class)).collect()
    }

    /// New cuts for the last solution; enumeration when they have run dry.
    pub(super) fn separate(&mut self) -> Stage {
        let bound = self.proof.as_ref().map_or(0.0, |p| p.value);
        let state = &mut self.progress_of_cuts;
        state.rounds += 1;
        let gap = (self.loss - bound).max(1e-300);
        if state.rounds > 1 && bound - state.bound < GAIN * gap {
            state.stale += 1;
        } else {
            state.stale = 0;
        }
        state.bound = bound;
        if state.stale < STALE && !state.over {
            let solution: Vec<Weighted> =
                self.solution.iter().map(|&(c, x)| (self.pool.column(c).members.as_slice(), x)).collect();
            let mut cuts = separate::separate(&self.problem, &solution, CUTS_PER_ROUND);
            cuts.retain(|c| self.cuts.iter().all(|known| known.members != c.members));
            if !cuts.is_empty() {
                self.drop_slack_cuts();
                self.cuts.extend(cuts);
                self.master.rebuild(&self.pool, &self.cuts);
                return Stage::Master;
            }
        }
        self.progress_of_cuts.over = true;
        self.begin_enumeration()
    }

    /// Forgets cuts that are not felt.
    fn drop_slack_cuts(&mut self) {
        let scale = 1e-9 * self.loss / self.problem.types() as f64;
        self.cuts.retain(|c| c.sigma > scale);
    }

    /// Starts to enumerate all classes that can improve on the incumbent, if that seems possible.
    pub(super) fn begin_enumeration(&mut self) -> Stage {
        let Some(proof) = &self.proof else { return self.stuck() };
        let gap = self.gap();
        let state = &mut self.progress_of_cuts;
        if state.enumerated.is_some_and(|tried| gap > 0.7 * tried) {
            return if state.integer < 2 { Stage::Integer } else { Stage::Neighbourhood };
        }
        state.enumerated = Some(gap);
        let request = Request {
            threshold: gap * (1.0 + 1e-9),
            nodes: ENUMERATION_NODES / 10,
            ..self.request(&proof.duals, &proof.cuts, ENUMERATED)
        };
        Stage::Enumerate(Sweep::new(&Tree, &request))
    }

    /// Goes on enumerating; with all classes at hand, solves the integer master over them: a proof.
    pub(super) fn enumerate(&mut self, mut sweep: Sweep) -> Result<Stage, Error> {
        let Some(proof) = &self.proof else { return Ok(self.stuck()) };
        let before = sweep.nodes;
        // A better incumbent in the meantime only makes the threshold larger than needed.
        let threshold = self.progress_of_cuts.enumerated.unwrap_or(0.0) * (1.0 + 1e-9);
        let request = Request {
            threshold,
            nodes: ENUMERATION_NODES / 10,
            ..self.request(&proof.duals, &proof.cuts, ENUMERATED)
        };
        let done = sweep.advance(&request);
        self.counts.nodes += sweep.nodes - before;
        if sweep.gave_up() || sweep.columns.len() > ENUMERATED || sweep.nodes > ENUMERATION_NODES {
            return Ok(Stage::Neighbourhood);
        }
        if !done {
            return Ok(Stage::Enumerate(sweep));
        }
        let columns: Vec<_> = sweep
            .columns
            .iter()
            .map(|c| super::pool::Column { members: c.members.clone(), cost: self.problem.cost(&c.members) })
            .collect();
        let columns: Vec<_> = columns.iter().collect();
        let seconds = self.seconds_left().map(|left| 0.5 * left);
        let right: Vec<usize> = (0..self.problem.types()).map(|t| self.problem.multiplicity(t)).collect();
        let limits = Limits { seconds, nodes: 5000, cutoff: self.loss };
        let found = integer::solve(&right, &columns, &self.cuts, limits)?;
        self.worked(100.0 * columns_size(columns.len()));
        if let Some(classes) = found.classes
            && let Some(partition) = self.problem.partition(&classes)
        {
            self.offer_descended(&partition);
        }
        if found.exhausted {
            self.optimal = true;
            return Ok(self.stuck());
        }
        Ok(Stage::Neighbourhood)
    }

    /// One large neighbourhood; now and then a global attempt.
    pub(super) fn neighbourhood(&mut self) -> Result<Stage, Error> {
        self.counts.neighbourhoods += 1;
        let gap = self.gap();
        if self.progress_of_cuts.enumerated.is_some_and(|tried| gap < 0.7 * tried) {
            return Ok(self.begin_enumeration());
        }
        self.search_neighbourhood()?;
        if self.counts.neighbourhoods.is_multiple_of(NEIGHBOURHOODS) {
            return Ok(Stage::Integer);
        }
        Ok(Stage::Neighbourhood)
    }
}

/// Work of an integer master, roughly.
fn columns_size(columns: usize) -> f64 {
    columns as f64
}
