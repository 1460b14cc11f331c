//! What a run can show for itself: its proof, and what it took.

use std::collections::BTreeSet;

use lookalike_model::{
    job::{Answer, Bound, BoundOf, Status},
    proof::{ColumnWork, Duals, SubsetRow},
    settings::Budget,
};

use super::{cuts::Cuts, measure::Priceable, problem::Problem, run::ColumnGeneration, stage::Stage};

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
            SubsetRow { records: records.into_iter().collect(), divisor: cut.divisor, sigma: cut.sigma }
        });
        Duals {
            tolerance: self.tolerance,
            values: problem.type_of.iter().map(|&t| self.duals[t as usize]).collect(),
            cuts: cuts.collect(),
        }
    }
}

impl<L: Priceable> ColumnGeneration<L> {
    /// The best answer so far.
    #[must_use]
    pub fn finish(&mut self) -> Answer {
        let status = match &self.stage {
            Stage::Done(status) => status.clone(),
            _ => Status::Cancelled,
        };
        let bound =
            self.bound().map(|value| Bound { value, proven_by: self.proven_by(), of: BoundOf::WholeProblem });
        Answer {
            freeform: None,
            labels: self.best.labels.clone(),
            loss: self.loss,
            status,
            bound,
            claimed: None,
            work: Some(self.work_done()),
            duals: self.duals_by_record(),
            method: self.explanation(),
            moves: self.counts.moves,
            threads: rayon::current_num_threads(),
            seconds: 0.0,
        }
    }

    fn explanation(&self) -> String {
        if matches!(self.budget, Budget::Effort(0.0) | Budget::Seconds(0.0)) {
            return String::from(
                "column generation; the budget left nothing for it: this is what it starts from",
            );
        }
        let c = self.counts;
        let failure = self.master.failure.as_ref();
        let failure =
            failure.map_or_else(String::new, |why| format!("; ended since its solver failed: {why}"));
        format!(
            "column generation: {} rounds, {} columns, {} exact pricings with {} nodes or boxes, {} neighbourhoods, \
             master solved by {}{failure}",
            c.rounds,
            self.pool.len(),
            c.exact,
            c.nodes,
            c.neighbourhoods,
            self.backend
        )
    }

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
            count => format!(" and {count} subset-row cuts"),
        };
        let mut text = format!("feasible duals{cuts}, proven by {}", proof.by);
        if self.branched > proof.value
            && let Some(tree) = &self.tree
        {
            let nodes = tree.nodes;
            text = format!("{text}; raised by branching over pairs of records, {nodes} nodes");
        }
        if self.optimal {
            text.push_str(
                "; all classes that could improve on it were enumerated, and no partition into them does",
            );
        }
        text
    }
}
