//! What a run can show for itself: its proof, and what it took.

use std::collections::BTreeSet;

use lookalike_wire::proof::{ColumnWork, Duals, OddSet};

use super::{cuts::Cuts, problem::Problem, run::ColumnGeneration};
use crate::rule::Rule;

/// A feasible dual solution.
#[derive(Clone)]
pub(super) struct Proof {
    /// The bound.
    pub(super) value: f64,
    /// lambda, one a type.
    pub(super) duals: Vec<f64>,
    /// The cuts that were felt.
    pub(super) cuts: Cuts,
    /// The pricing that proved it.
    pub(super) by: &'static str,
    /// No class has a reduced cost below minus this.
    pub(super) tolerance: f64,
}

impl Proof {
    /// The same by records: all records of a type have its dual, and a cut holds all of them.
    pub(super) fn by_record(&self, problem: &Problem) -> Duals {
        let cuts = self.cuts.sets.iter().map(|cut| {
            let records: BTreeSet<u32> =
                cut.members.iter().flat_map(|&t| problem.records[t as usize].iter().copied()).collect();
            OddSet { records: records.into_iter().collect(), sigma: cut.sigma }
        });
        Duals {
            tolerance: self.tolerance,
            values: problem.type_of.iter().map(|&t| self.duals[t as usize]).collect(),
            cuts: cuts.collect(),
        }
    }
}

impl<R: Rule> ColumnGeneration<R> {
    /// What was done so far.
    pub(super) fn work_done(&self) -> ColumnWork {
        let c = self.counts;
        ColumnWork {
            rounds: c.rounds,
            columns: self.pool.len() as u64,
            exact_pricings: c.exact,
            nodes: c.nodes,
            cuts: self.proof.as_ref().map_or(0, |p| p.cuts.sets.len() as u64),
            neighbourhoods: c.neighbourhoods,
            enumerated: c.enumerated,
        }
    }

    /// The duals that prove the bound over all classes, if they are asked for and there are any.
    pub(super) fn duals_by_record(&self) -> Option<Duals> {
        let proof = self.whole.as_ref().filter(|_| self.duals_asked)?;
        Some(proof.by_record(&self.problem))
    }

    /// How the bound is proven, in words.
    pub(super) fn proven_by(&self) -> String {
        let Some(proof) = &self.proof else { return String::from("no loss is below 0") };
        let cuts = match proof.cuts.sets.len() {
            0 => String::new(),
            count => format!(" and {count} odd-set cuts"),
        };
        let mut text = format!("feasible duals{cuts}, proven by {}", proof.by);
        if self.optimal {
            text.push_str("; all classes that could improve on it were enumerated and an integer programme over them solved");
        }
        text
    }
}
