//! How annealing spends its budget: chains in parallel, temperatures, slices.
//!
//! Cooling is geometric, in units of loss per record after a descent (METHODS, section 4). With an effort budget the
//! schedule is a fixed list of slices, so the answer depends on input, seed and version only, whatever the number of
//! threads; with a time budget the temperature follows the clock.

use std::sync::Arc;

use lookalike_wire::{job::Status, settings::Budget};
use rayon::prelude::*;

use super::{
    Improvement,
    anneal::{Chain, Shared},
    neighbours::Neighbours,
    out_of_time, spent,
    state::State,
};
use crate::{instance::Instance, loss::Loss, partition::Partition, rule::Rule};

/// Distinct near points that a move chooses from.
const NEIGHBOURS: usize = 40;

/// Proposed moves a record, all chains together, for one unit of effort.
const MOVES_PER_EFFORT: f64 = 1000.0;

/// Chains that run side by side; a fixed number, so that the answer does not depend on the machine.
const CHAINS: usize = 2;

/// Moves a record of the descent that sets the temperature scale, and of the last one.
const DESCENT: f64 = 60.0;

/// Start temperature in units of loss per record after the descent, one a chain.
const START: [f64; CHAINS] = [5.0, 2.5];

/// End temperature in the same units.
const END: f64 = 0.01;

/// Temperature levels of a schedule, at least.
const LEVELS: u64 = 400;

/// Most moves of a slice: some ten milliseconds, so that a host can listen in between.
const SLICE: u64 = 200_000;

/// What the next slice does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Settle,
    Cool,
    Finish,
}

/// A running annealing.
pub struct Annealing<L: Loss> {
    chains: Vec<Chain<L>>,
    instance: Arc<Instance>,
    offset: f64,
    budget: Budget,
    phase: Phase,
    /// Moves a chain has made in this phase, and will have made at its end (effort budget).
    done: u64,
    total: u64,
    /// Loss per record after the descent, of each chain.
    unit: Vec<f64>,
    fraction: f64,
    slice: u64,
    began: f64,
    last: f64,
    threads: Vec<usize>,
}

impl<L: Loss> Annealing<L> {
    /// Prepares the chains from an admissible start.
    pub fn new(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &impl Rule,
        start: &Partition,
        budget: Budget,
        seed: u64,
    ) -> Self {
        let shared = Arc::new(Shared::new(Neighbours::new(instance, loss, NEIGHBOURS)));
        let chains: Vec<_> = (0..CHAINS as u64)
            .map(|c| Chain::new(State::new(instance, loss, rule, start), &shared, seed, c + 1))
            .collect();
        let n = instance.records() as u64;
        Self {
            offset: loss.offset(instance),
            instance: Arc::clone(instance),
            unit: vec![0.0; chains.len()],
            chains,
            budget,
            phase: Phase::Settle,
            done: 0,
            total: (DESCENT * n as f64) as u64,
            fraction: 0.0,
            slice: SLICE.max(n),
            began: 0.0,
            last: 0.0,
            threads: Vec::new(),
        }
    }

    fn settle(&mut self, elapsed: f64) {
        self.slice_at(&[0.0; CHAINS], self.slice.min(self.total - self.done));
        if self.done < self.total {
            return;
        }
        let n = self.instance.records() as f64;
        for (unit, chain) in self.unit.iter_mut().zip(&self.chains) {
            *unit = (chain.best_value() + self.offset).max(0.0) / n;
        }
        self.began = elapsed;
        self.last = elapsed;
        if let Budget::Effort(effort) = self.budget {
            let moves = (effort * MOVES_PER_EFFORT * n / CHAINS as f64) as u64;
            self.slice = (moves / LEVELS).clamp(n as u64, SLICE.max(n as u64));
            self.enter(Phase::Cool, moves);
        } else {
            self.slice = (SLICE / 4).max(n as u64);
            self.enter(Phase::Cool, u64::MAX);
        }
    }

    fn cool(&mut self, elapsed: f64) {
        self.fraction = match self.budget {
            Budget::Effort(_) => self.done as f64 / self.total.max(1) as f64,
            // The last few per cent are kept for the descent at the end.
            Budget::Seconds(limit) => {
                ((elapsed - self.began) / (0.96 * (limit - self.began)).max(1e-9)).min(1.0)
            }
        };
        if self.fraction >= 1.0 || self.done >= self.total {
            self.slice = SLICE.max(self.instance.records() as u64);
            self.enter(Phase::Finish, (DESCENT * self.instance.records() as f64) as u64);
            return;
        }
        let mut temperatures = [0.0; CHAINS];
        for ((t, start), unit) in temperatures.iter_mut().zip(START).zip(&self.unit) {
            let start = &(start * std::env::var("T0").map_or(1.0, |t| t.parse().unwrap()));
            *t = unit * start * libm::pow(END / start, self.fraction);
        }
        if matches!(self.budget, Budget::Seconds(_)) && self.done > 0 {
            // Aim at slices of about 30 ms.
            let took = (elapsed - self.last).max(1e-4);
            let n = self.instance.records() as u64;
            self.slice = ((self.slice as f64 * (0.03 / took).clamp(0.5, 2.0)) as u64).max(n / 4 + 1000);
        }
        self.last = elapsed;
        self.slice_at(&temperatures, self.slice.min(self.total - self.done));
    }

    fn enter(&mut self, phase: Phase, total: u64) {
        self.phase = phase;
        self.done = 0;
        self.total = total;
    }

    fn slice_at(&mut self, temperatures: &[f64; CHAINS], moves: u64) {
        self.chains.par_iter_mut().zip(temperatures.par_iter()).for_each(|(chain, &t)| {
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
    fn phase(&self) -> &'static str {
        "annealing"
    }

    /// Runs one slice on every chain.
    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        if out_of_time(self.budget, elapsed) {
            return Some(Status::TimeLimit);
        }
        match self.phase {
            Phase::Settle => self.settle(elapsed),
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
        Some(if self.phase == Phase::Finish { 1.0 } else { self.fraction })
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
