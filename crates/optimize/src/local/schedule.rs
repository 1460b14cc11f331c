//! How annealing spends its budget: chains in parallel, temperatures, slices.
//!
//! Cooling is geometric, in units of loss per record after a descent. The start temperature decides the quality and
//! differs from table to table: a long budget spends a part of itself on short annealings from several temperatures and
//! goes on with the best, a short one takes what is good for most tables. With an effort budget the schedule is a fixed list of slices, so the answer depends on input, seed and version only, whatever the number of
//! threads; with a time budget the temperature follows the clock.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance, job::Status, loss::Loss, neighbours::Neighbours, partition::Partition, rule::Rule,
    settings::Budget,
};
use rayon::prelude::*;

use super::{
    anneal::{Chain, Shared, Shares},
    improvement::{Improvement, out_of_time, spent},
    params::{self, Params},
    state::State,
};

/// Chains that run side by side; a fixed number, so that the answer does not depend on the machine.
const CHAINS: usize = 2;

/// What the next slice does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Settle,
    /// Tries the candidates from this one on.
    Try(usize),
    Cool,
    Finish,
}

/// A running annealing.
pub(crate) struct Annealing<L: Loss> {
    chains: Vec<Chain<L>>,
    instance: Arc<Instance>,
    offset: f64,
    budget: Budget,
    params: Arc<Params>,
    phase: Phase,
    /// Moves a chain has made in this phase, and will have made at its end (effort budget).
    done: u64,
    total: u64,
    /// Loss per record after the descent, in the best chain.
    unit: f64,
    /// Start temperature of the cooling in that unit.
    start: f64,
    /// Where the tries start, for each chain, and the value each has reached.
    settled: Vec<Vec<u32>>,
    tried: Vec<f64>,
    fraction: f64,
    slice: u64,
    began: f64,
    /// When this phase ends (time budget).
    until: f64,
    last: f64,
    /// Chains that still run.
    running: usize,
    threads: Vec<usize>,
}

impl<L: Loss> Annealing<L> {
    /// Prepares the chains from an admissible start.
    pub(crate) fn new(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &Rule,
        start: &Partition,
        budget: Budget,
        seed: u64,
    ) -> Self {
        Self::with_params(instance, loss, rule, start, (budget, seed), &Arc::default())
    }

    /// The same with these parameters.
    pub(crate) fn with_params(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &Rule,
        start: &Partition,
        (budget, seed): (Budget, u64),
        params: &Arc<Params>,
    ) -> Self {
        let Params { annealing, moves, .. } = &**params;
        let neighbours = Neighbours::new(instance, loss, annealing.neighbours);
        let shared = Arc::new(Shared::new(neighbours, Shares::whole(moves)));
        let chains: Vec<_> = (0..CHAINS as u64)
            .map(|c| Chain::new(State::new(instance, loss, rule, start), &shared, seed, c + 1))
            .collect();
        let n = instance.records() as u64;
        Self {
            offset: loss.offset(instance),
            instance: Arc::clone(instance),
            unit: 0.0,
            start: loss.start_temperature(rule.min_size),
            settled: Vec::new(),
            tried: Vec::new(),
            chains,
            budget,
            phase: Phase::Settle,
            done: 0,
            total: (annealing.descent * n as f64) as u64,
            fraction: 0.0,
            slice: annealing.slice.max(n),
            params: Arc::clone(params),
            began: 0.0,
            until: 0.0,
            last: 0.0,
            running: CHAINS,
            threads: Vec::new(),
        }
    }

    fn settle(&mut self, elapsed: f64) {
        self.slice_at(&[0.0; CHAINS], self.slice.min(self.total - self.done));
        if self.done < self.total {
            return;
        }
        self.unit = self.loss() / self.instance.records() as f64;
        if !self.params.annealing.candidates.is_empty() && self.worth_trying(elapsed) {
            self.settled = self.chains.iter().map(|c| c.labels().to_vec()).collect();
            self.start_try(0, elapsed);
        } else {
            self.start_cooling(elapsed);
        }
    }

    /// Whether the budget allows tries that are long enough to tell.
    fn worth_trying(&self, elapsed: f64) -> bool {
        let params = &self.params.annealing;
        let n = self.instance.records() as f64;
        let moves = match self.budget {
            Budget::Effort(effort) => effort * self.params.work.moves_per_effort * n / CHAINS as f64,
            // At the speed of the descent.
            Budget::Seconds(limit) => params.descent * n * (limit - elapsed) / elapsed.max(1e-3),
        };
        params.try_share * moves >= params.least_try * n
    }

    /// Begins the tries of some candidates, one a chain.
    fn start_try(&mut self, first: usize, elapsed: f64) {
        for (chain, labels) in self.chains.iter_mut().zip(&self.settled) {
            chain.reload(labels);
        }
        self.begin(Phase::Try(first), self.params.annealing.try_share, elapsed);
    }

    fn start_cooling(&mut self, elapsed: f64) {
        if !self.tried.is_empty() {
            let best = self.tried.iter().copied().fold(f64::INFINITY, f64::min);
            let params = &self.params.annealing;
            let near = best + params.near * (best + self.offset).max(0.0);
            let good =
                self.tried.iter().zip(params.candidates.iter().copied()).filter(|(value, _)| **value <= near);
            // Candidates rise, so the last is the hottest.
            self.start = good.map(|(_, start)| start).fold(self.start, |_, start| start);
            // A cold start must not lose what is known already.
            for chain in &mut self.chains {
                let best = chain.best_labels().to_vec();
                chain.reload(&best);
            }
        }
        if matches!(self.budget, Budget::Seconds(_)) && rayon::current_num_threads() == 1 {
            // By turns each would cool twice as fast. With an effort the answer must not depend on the threads.
            self.running = 1;
        }
        let tries = self.tried.len().div_ceil(CHAINS) as f64;
        self.begin(Phase::Cool, (1.0 - self.params.annealing.try_share * tries).max(0.0), elapsed);
    }

    /// Begins a phase with this share of the budget.
    fn begin(&mut self, phase: Phase, share: f64, elapsed: f64) {
        let n = self.instance.records() as f64;
        let params::Annealing { levels, slice, cooling_share, .. } = self.params.annealing;
        self.began = elapsed;
        self.last = elapsed;
        match self.budget {
            Budget::Effort(effort) => {
                let moves = (effort * self.params.work.moves_per_effort * n * share / CHAINS as f64) as u64;
                self.slice = (moves / levels).clamp(n as u64, slice.max(n as u64));
                self.enter(phase, moves);
            }
            Budget::Seconds(limit) => {
                // The last few per cent are kept for the descent at the end.
                let until =
                    if phase == Phase::Cool { cooling_share * (limit - elapsed) } else { share * limit };
                self.until = elapsed + until;
                self.slice = (slice / 4).max(n as u64);
                self.enter(phase, u64::MAX);
            }
        }
    }

    /// One slice of a cooling from `starts`, one a chain; true when it is over.
    fn slice_of_cooling(&mut self, starts: [f64; CHAINS], elapsed: f64) -> bool {
        self.fraction = match self.budget {
            Budget::Effort(_) => self.done as f64 / self.total.max(1) as f64,
            Budget::Seconds(_) => ((elapsed - self.began) / (self.until - self.began).max(1e-9)).min(1.0),
        };
        if self.fraction >= 1.0 || self.done >= self.total {
            return true;
        }
        let params::Annealing { end, slice_seconds, .. } = self.params.annealing;
        let temperatures = starts.map(|start| self.unit * start * libm::pow(end / start, self.fraction));
        if matches!(self.budget, Budget::Seconds(_)) && self.done > 0 {
            // Aim at slices of about that time.
            let took = (elapsed - self.last).max(1e-4);
            let n = self.instance.records() as u64;
            self.slice =
                ((self.slice as f64 * (slice_seconds / took).clamp(0.5, 2.0)) as u64).max(n / 4 + 1000);
        }
        self.last = elapsed;
        self.slice_at(&temperatures, self.slice.min(self.total - self.done));
        false
    }

    fn try_candidates(&mut self, first: usize, elapsed: f64) {
        let candidates = &self.params.annealing.candidates;
        let (all, last) = (candidates.len(), candidates.len() - 1);
        let starts = std::array::from_fn(|chain| candidates[(first + chain).min(last)]);
        if !self.slice_of_cooling(starts, elapsed) {
            return;
        }
        self.tried.extend(self.chains.iter().map(Chain::value).take(all - first));
        if self.tried.len() < all {
            self.start_try(first + CHAINS, elapsed);
        } else {
            self.start_cooling(elapsed);
        }
    }

    fn cool(&mut self, elapsed: f64) {
        let params::Annealing { second, slice, descent, .. } = self.params.annealing;
        if self.slice_of_cooling([self.start, second * self.start], elapsed) {
            self.slice = slice.max(self.instance.records() as u64);
            self.enter(Phase::Finish, (descent * self.instance.records() as f64) as u64);
        }
    }

    fn enter(&mut self, phase: Phase, total: u64) {
        self.phase = phase;
        self.done = 0;
        self.total = total;
    }

    fn slice_at(&mut self, temperatures: &[f64; CHAINS], moves: u64) {
        self.chains[..self.running].par_iter_mut().zip(temperatures.par_iter()).for_each(|(chain, &t)| {
            chain.run(moves, t);
            chain.thread = rayon::current_thread_index().unwrap_or(0);
        });
        self.done += moves;
        for chain in &self.chains {
            if !self.threads.contains(&chain.thread) {
                self.threads.push(chain.thread);
            }
        }
    }

    fn leader(&self) -> &Chain<L> {
        // The first of the best: ties are broken by the chain's number.
        self.chains.iter().fold(&self.chains[0], |a, b| if b.best_value() < a.best_value() { b } else { a })
    }
}

impl<L: Loss> Improvement for Annealing<L> {
    fn phase(&self) -> crate::Phase {
        crate::Phase::Annealing
    }

    /// Runs one slice on every chain.
    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        if out_of_time(self.budget, elapsed) {
            return Some(Status::TimeLimit);
        }
        match self.phase {
            Phase::Settle => self.settle(elapsed),
            Phase::Try(first) => self.try_candidates(first, elapsed),
            Phase::Cool => self.cool(elapsed),
            Phase::Finish => {
                self.slice_at(&[0.0; CHAINS], self.slice.min(self.total - self.done));
                if self.done >= self.total {
                    return Some(spent(self.budget));
                }
            }
        }
        None
    }

    fn fraction(&self) -> Option<f64> {
        let params::Annealing { try_share, candidates, .. } = &self.params.annealing;
        let tries = try_share * candidates.len().div_ceil(CHAINS) as f64;
        Some(match self.phase {
            Phase::Settle => 0.0,
            Phase::Try(first) => try_share * (first as f64 / CHAINS as f64 + self.fraction),
            Phase::Cool if self.tried.is_empty() => self.fraction,
            Phase::Cool => tries + (1.0 - tries) * self.fraction,
            Phase::Finish => 1.0,
        })
    }

    fn loss(&self) -> f64 {
        (self.leader().best_value() + self.offset).max(0.0)
    }

    fn best(&self) -> Partition {
        self.leader().best()
    }

    fn moves(&self) -> u64 {
        self.chains.iter().map(|c| c.moves).sum()
    }

    fn threads(&self) -> usize {
        self.threads.len()
    }
}
