//! What a run may take and what it has taken: its budget, its work, its clock.
//!
//! Work is counted in nodes (one node or box of an exact pricing), whatever it is: with an effort as budget a run is over after
//! the same work on every machine.

use lookalike_model::{job::Status, settings::Budget};

use super::params;

/// Asked within long steps: whether the run was cancelled, or its time is up.
pub(super) type Stop<'a> = &'a dyn Fn() -> bool;

/// The budget of a run, and what of it is gone.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    budget: Budget,
    /// What a unit of effort and a second pay for.
    per_unit: f64,
    per_second: f64,
    /// Work that is paid for, in nodes.
    work: f64,
    /// Nodes visited so far; those of a step are paid for at its end.
    nodes: u64,
    paid: u64,
    /// Seconds since the start, as of the beginning or end of a step.
    elapsed: f64,
}

impl Effort {
    pub(super) fn new(budget: Budget, params: &params::Work) -> Self {
        let (per_unit, per_second) = (params.nodes_per_effort, params.nodes_per_second);
        Self { budget, per_unit, per_second, work: 0.0, nodes: 0, paid: 0, elapsed: 0.0 }
    }

    pub(super) fn budget(&self) -> Budget {
        self.budget
    }

    /// Replaces the budget.
    #[cfg(test)]
    pub(super) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Whether it left nothing to begin with.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self.budget, Budget::Effort(0.0) | Budget::Seconds(0.0))
    }

    /// Takes the time.
    pub(super) fn clock(&mut self, elapsed: f64) {
        self.elapsed = elapsed;
    }

    /// Seconds since the start.
    pub(super) fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// Counts nodes.
    pub(super) fn visit(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Nodes visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Pays for work other than nodes.
    pub(super) fn pay(&mut self, work: f64) {
        self.work += work;
    }

    /// Pays for the nodes of a step.
    pub(super) fn end_step(&mut self) {
        self.work += (self.nodes - self.paid) as f64;
        self.paid = self.nodes;
    }

    /// Part of the budget that is spent.
    pub(super) fn spent(&self) -> f64 {
        match self.budget {
            Budget::Effort(e) => self.work / (e * self.per_unit),
            Budget::Seconds(s) => self.elapsed / s.max(1e-9),
        }
    }

    /// Seconds that a solver may still take; `None` with an effort as budget.
    pub(super) fn seconds_left(&self) -> Option<f64> {
        match self.budget {
            Budget::Effort(_) => None,
            Budget::Seconds(s) => Some((s - self.elapsed).max(0.1)),
        }
    }

    /// Nodes that a part of the budget pays for, about.
    pub(super) fn nodes_of(&self, share: f64) -> u64 {
        let all = match self.budget {
            Budget::Effort(effort) => effort * self.per_unit,
            Budget::Seconds(seconds) => seconds * self.per_second,
        };
        (share * all) as u64
    }

    /// Looks that a part of the budget pays for, so many for a node; a clock counts none.
    pub(super) fn looks(&self, share: f64, per_node: f64) -> f64 {
        match self.budget {
            Budget::Effort(effort) => share * effort * self.per_unit * per_node,
            Budget::Seconds(_) => f64::INFINITY,
        }
    }

    /// The status of a run that has used it up.
    pub(super) fn status(&self) -> Status {
        match self.budget {
            Budget::Effort(_) => Status::EffortSpent,
            Budget::Seconds(_) => Status::TimeLimit,
        }
    }
}
