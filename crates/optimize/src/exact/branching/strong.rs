//! Strong branching: before a node branches, both children of a few pairs are looked at.
//!
//! A child's master is that of its parent without the columns that the child does not admit, solved again from the parent's basis.
//! No column enters, so its value may be above the child's bound: it chooses, and proves nothing. Of several pairs that one is taken
//! for which the product of both gains is largest. A pair that was tried often enough is judged by its mean gains, so that trials become rare
//! with depth: reliability branching (Achterberg, Koch and Martin 2005, Branching rules revisited).

use std::collections::BTreeMap;

use lookalike_lp::master::Target;

use super::tree::{Ground, Pair};
use crate::{
    Error,
    exact::{cuts::SubsetRow, master::restricted::RestrictedMaster, params, pool::ColumnPool},
};

/// Least gain that counts in a product, as part of what is left of the gap: a child that gains nothing must not hide the other one.
const LEAST: f64 = 1e-6;

/// Two types of one record each that share a class to a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fractional {
    pub(super) types: (u32, u32),
    /// The sum of the classes with both, between 0 and 1.
    pub(super) shared: f64,
}

/// What a trial of a child says.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// Value of the child's restricted master.
    pub(super) value: f64,
    /// Its duals, one a type; not proven feasible.
    pub(super) duals: Vec<f64>,
    /// One a cut of the tree.
    pub(super) sigmas: Vec<f64>,
}

/// The node whose children are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    /// Value of its master.
    pub(super) value: f64,
    /// Loss of the incumbent: a child that reaches it is done with, and what it gains beyond does not count.
    pub(super) loss: f64,
}

/// The pair to branch on.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) types: (u32, u32),
    /// The child in which it is together and the one in which it is apart, if they were tried.
    pub(super) children: [Option<Trial>; 2],
}

/// The master of a node, to try its children with.
pub(super) struct Trials {
    master: RestrictedMaster,
    pool: ColumnPool,
    /// Those in the master.
    cuts: Vec<SubsetRow>,
    /// Entries of its matrix.
    entries: f64,
}

impl Trials {
    pub(super) fn new(master: RestrictedMaster, pool: ColumnPool, cuts: Vec<SubsetRow>) -> Self {
        let held = (0..pool.len() as u32).filter(|&c| master.holds(c));
        let entries = held.map(|c| pool.column(c).members.len() as f64).sum();
        Self { master, pool, cuts, entries }
    }

    /// Solves a child over the columns that the master holds; `None` if that was stopped or failed. `work` is in nodes.
    ///
    /// # Errors
    /// If the master cannot be stated.
    pub(super) fn solve(
        &mut self,
        pair: Pair,
        ground: &Ground,
        work: &mut f64,
    ) -> Result<Option<Trial>, Error> {
        let Self { master, pool, cuts, .. } = self;
        let admits = |c: u32| pair.admits(&pool.column(c).members);
        let out: Vec<u32> = (0..pool.len() as u32).filter(|&c| master.holds(c) && !admits(c)).collect();
        master.retain(admits)?;
        let solution = master.solve(Target::Duals, ground.seconds, ground.stop)?;
        master.add_columns(pool, cuts, &out)?;
        *work += ground.params.branching.trial_entry * self.entries;
        Ok(solution.map(|s| Trial { value: s.value, duals: s.duals, sigmas: s.sigmas }))
    }
}

/// Gains of one kind of child, for a whole unit of what the pair shares.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn take(&mut self, gain: f64) {
        self.sum += gain;
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// What branching on pairs gained so far: together, apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Gains {
    of: BTreeMap<(u32, u32), [Mean; 2]>,
    all: [Mean; 2],
}

impl Gains {
    /// What a pair's children are expected to gain; before any trial only how far they are from whole counts.
    fn expected(&self, pair: Fractional) -> [f64; 2] {
        let own = self.of.get(&pair.types).copied().unwrap_or_default();
        let way = [1.0 - pair.shared, pair.shared];
        [0, 1].map(|side| way[side] * own[side].value().or(self.all[side].value()).unwrap_or(1.0))
    }

    fn is_reliable(&self, pair: Fractional, trials: u32) -> bool {
        self.of.get(&pair.types).is_some_and(|of| of.iter().all(|mean| mean.count >= trials))
    }

    fn note(&mut self, pair: Fractional, gains: [f64; 2]) {
        let way = [1.0 - pair.shared, pair.shared];
        let own = self.of.entry(pair.types).or_default();
        for side in 0..2 {
            own[side].take(gains[side] / way[side]);
            self.all[side].take(gains[side] / way[side]);
        }
    }

    /// The pair whose children gain most; `None` if there is no pair. `attempt` solves a child.
    ///
    /// # Errors
    /// Those of `attempt`.
    pub(super) fn choose(
        &mut self,
        pairs: &[Fractional],
        parent: Parent,
        params: &params::Branching,
        mut attempt: impl FnMut(Pair) -> Result<Option<Trial>, Error>,
    ) -> Result<Option<Choice>, Error> {
        let Some(first) = pairs.first() else { return Ok(None) };
        let mut best = Choice { types: first.types, children: [None, None] };
        if params.candidates < 2 {
            return Ok(Some(best));
        }
        let left = (parent.loss - parent.value).max(0.0);
        let least = LEAST * left;
        let score = |gains: [f64; 2]| gains.iter().map(|gain| gain.max(least)).product::<f64>();
        let mut order: Vec<(f64, Fractional)> =
            pairs.iter().map(|&pair| (score(self.expected(pair)), pair)).collect();
        // A stable order: of equals the one nearest to half comes first.
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut highest, mut worse) = (f64::NEG_INFINITY, 0);
        for (expected, pair) in order.into_iter().take(params.candidates) {
            let (reached, children) = if self.is_reliable(pair, params.reliable) {
                (expected, [None, None])
            } else {
                let mut child = |together| attempt(Pair { types: pair.types, together });
                let (Some(together), Some(apart)) = (child(true)?, child(false)?) else { break };
                let gains = [&together, &apart].map(|child| (child.value - parent.value).clamp(0.0, left));
                self.note(pair, gains);
                (score(gains), [Some(together), Some(apart)])
            };
            if reached > highest {
                (highest, worse) = (reached, 0);
                best = Choice { types: pair.types, children };
            } else {
                worse += 1;
                if worse >= params.lookahead {
                    break;
                }
            }
        }
        Ok(Some(best))
    }
}

#[cfg(test)]
mod tests;
