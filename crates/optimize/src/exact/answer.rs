//! The answer of a run: its partition, its bound, and what it took.

use std::collections::BTreeMap;

use lookalike_model::{
    job::{Answer, Bound, BoundOf, Status},
    proof::ColumnWork,
};

use super::{loss::Priceable, run::ColumnGeneration, stage::Stage};

lookalike_words::messages! {
    in "optimize";

    /// How column generation found its answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FoundByColumns {
        /// It had nothing to spend: the answer is what it starts from.
        Start,
        /// It searched.
        Searched {
            /// Solutions of the master.
            rounds: u64,
            /// Different classes in the pool.
            columns: u64,
            /// Exact pricings that came to their end.
            exact_pricings: u64,
            /// Nodes and boxes of all pricings and enumerations.
            nodes: u64,
            /// Large neighbourhoods that were searched.
            neighbourhoods: u64,
            /// What solved the master, if anything did.
            backend: Option<&'static str>,
            /// Why that failed, if it did.
            failure: Option<lookalike_lp::Error>,
        },
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
        let state = &self.controller.state;
        let bound = state.bound().map(|value| Bound {
            value,
            proven_by: state.dual_bound.proven_by(),
            of: BoundOf::WholeProblem,
        });
        let duals = state.input.duals_asked.then(|| state.dual_bound.by_record(&state.input.problem));
        Answer {
            freeform: None,
            full_domain: None,
            coarser: Vec::new(),
            labels: state.incumbent.partition().labels.clone(),
            loss: state.incumbent.loss(),
            status,
            bound,
            claimed: None,
            work: Some(self.work()),
            duals: duals.flatten(),
            parameters: BTreeMap::new(),
            method: self.method().into(),
            moves: self.controller.annealing.moves(),
            threads: rayon::current_num_threads(),
            seconds: 0.0,
        }
    }

    /// What was done.
    fn method(&self) -> FoundByColumns {
        let state = &self.controller.state;
        if state.effort.is_nothing() {
            return FoundByColumns::Start;
        }
        let ColumnWork { rounds, columns, exact_pricings, nodes, neighbourhoods, .. } = self.work();
        FoundByColumns::Searched {
            rounds,
            columns,
            exact_pricings,
            nodes,
            neighbourhoods,
            backend: state.master.backend(),
            failure: state.master.failure().cloned(),
        }
    }

    /// What was done so far.
    fn work(&self) -> ColumnWork {
        let state = &self.controller.state;
        ColumnWork {
            rounds: state.master.rounds(),
            columns: state.master.pool().len() as u64,
            exact_pricings: self.controller.pricing.exact_pricings(),
            nodes: state.effort.nodes(),
            cuts: state.dual_bound.cuts() as u64,
            neighbourhoods: self.controller.neighbourhoods.count(),
            enumerated: state.list.as_ref().map(super::list::ClassList::enumerated),
        }
    }
}
