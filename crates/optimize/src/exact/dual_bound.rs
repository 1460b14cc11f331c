//! The dual bound: no partition loses less. It rests on duals that are proven feasible, raised by branching.

use std::{collections::BTreeSet, sync::Arc};

use lookalike_model::{
    proof::{Duals, SubsetRow},
    received::Proof,
};
use lookalike_words::Said;

use super::{cuts::ActiveCuts, pricing::PricerName, problem::Problem};
use crate::bounds::ProvenByDuals;

lookalike_words::messages! {
    in "optimize";

    /// Why no partition has a loss below a bound of column generation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProvenBy {
        /// Duals that are feasible for all classes, or for all that were enumerated.
        FeasibleDuals {
            /// Cuts they rest on.
            cuts: usize,
            /// The pricing that proved them feasible.
            pricer: PricerName,
            /// Nodes of branching over pairs of records, if that raised the bound.
            nodes: Option<u64>,
            /// Whether all classes that could improve on the partition were enumerated, and no partition into them does.
            enumerated: bool,
            /// Whether a solver of integer programmes says the latter, within its tolerances.
            solver: bool,
        },
    }
}

/// A feasible dual solution: a proof of the bound that is its value.
#[derive(Clone)]
pub(super) struct FeasibleDuals {
    /// The bound.
    pub(super) value: f64,
    /// lambda, one a type.
    pub(super) duals: Vec<f64>,
    /// The active cuts, with their sigma.
    pub(super) cuts: ActiveCuts,
    /// The pricing that proved it.
    pub(super) by: PricerName,
    /// No class has a reduced cost below minus this.
    pub(super) tolerance: f64,
}

impl FeasibleDuals {
    /// The same by records: all records of a type have its dual, and a cut holds all of them.
    fn by_record(&self, problem: &Problem) -> Duals {
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

/// The bound with its proofs.
#[derive(Clone, Default)]
pub(super) struct DualBound {
    /// The best proof. Once all classes that matter are listed, its duals are feasible for the listed ones only.
    proof: Option<Arc<FeasibleDuals>>,
    /// What is proven before any pricing, and by what.
    start: Option<(f64, ProvenByDuals)>,
    /// The best proof over all classes.
    whole: Option<Arc<FeasibleDuals>>,
    /// The best bound by branching, and the nodes that it took; 0 without.
    branching: (f64, u64),
    /// No partition into the listed classes is better than the incumbent.
    optimal: bool,
    /// Whether a solver of integer programmes says so.
    by_solver: bool,
    /// The value of the relaxation without cuts, once it has converged.
    relaxation: Option<f64>,
}

impl DualBound {
    /// The proof with the best value, feasible for all classes that can improve on the incumbent.
    pub(super) fn proof(&self) -> Option<&Arc<FeasibleDuals>> {
        self.proof.as_ref()
    }

    /// Takes what is proven before any pricing. It bounds the loss, and nothing else relies on it: its duals are too far from the
    /// best ones to list classes by.
    pub(super) fn begin(&mut self, value: f64, by: ProvenByDuals) {
        self.start = (value > 0.0).then_some((value, by));
    }

    /// Its value; 0 without, since no loss is negative.
    pub(super) fn proven(&self) -> f64 {
        self.proof.as_ref().map_or(0.0, |p| p.value)
    }

    /// The bound beside an incumbent of this loss.
    pub(super) fn value(&self, loss: f64) -> Option<f64> {
        let proven = self.proof.as_ref().map(|p| p.value.max(self.branching.0));
        let start = self.start.as_ref().map(|start| start.0);
        let proven = match (proven, start) {
            (Some(proven), Some(start)) => Some(proven.max(start)),
            (proven, start) => proven.or(start),
        };
        // No loss is negative.
        if self.optimal || loss <= 0.0 { Some(loss) } else { proven.map(|proven| proven.min(loss)) }
    }

    /// Takes a proof if it is better; `whole` says that it is over all classes. Says whether it was better.
    pub(super) fn accept(&mut self, proof: FeasibleDuals, whole: bool) -> bool {
        if self.proof.as_ref().is_some_and(|p| p.value >= proof.value) {
            return false;
        }
        let proof = Arc::new(proof);
        if whole {
            self.whole = Some(Arc::clone(&proof));
        }
        self.proof = Some(proof);
        true
    }

    /// Takes the bound of open nodes, and how many nodes there were.
    pub(super) fn raise_by_branching(&mut self, bound: f64, nodes: u64) {
        self.branching = (self.branching.0.max(bound), nodes);
    }

    /// The incumbent is proven optimal.
    pub(super) fn close(&mut self) {
        self.optimal = true;
    }

    /// That nothing is left to improve on rests on a solver of integer programmes.
    pub(super) fn rest_on_solver(&mut self) {
        self.by_solver = true;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.optimal
    }

    /// The master without cuts has converged.
    pub(super) fn relaxation_converged(&mut self) {
        if self.relaxation.is_none() {
            self.relaxation = self.proof.as_ref().map(|p| p.value);
        }
    }

    /// The value of the relaxation without cuts, once it has converged.
    pub(super) fn relaxation(&self) -> Option<f64> {
        self.relaxation
    }

    /// Cuts of the best proof.
    pub(super) fn cuts(&self) -> usize {
        self.proof.as_ref().map_or(0, |p| p.cuts.sets.len())
    }

    /// The duals that prove the bound over all classes, by records.
    pub(super) fn by_record(&self, problem: &Problem) -> Option<Duals> {
        self.whole.as_ref().map(|proof| proof.by_record(problem))
    }

    /// How the bound is proven.
    pub(super) fn proven_by(&self) -> Said {
        let (branched, nodes) = self.branching;
        let priced = self.proof.as_ref().map_or(f64::NEG_INFINITY, |proof| proof.value.max(branched));
        if let Some((value, by)) = &self.start
            && !self.optimal
            && *value > priced
        {
            return (*by).into();
        }
        let Some(proof) = &self.proof else { return Proof::NoLossBelowZero.into() };
        ProvenBy::FeasibleDuals {
            cuts: proof.cuts.sets.len(),
            pricer: proof.by,
            nodes: (branched > proof.value).then_some(nodes),
            enumerated: self.optimal,
            solver: self.optimal && self.by_solver,
        }
        .into()
    }
}
