//! The answer of a run: its partition, its bound, and what it took.

use lookalike_model::{
    job::{Answer, Bound, BoundOf, Status},
    proof::ColumnWork,
};

use super::{measure::Priceable, run::ColumnGeneration, stage::Stage};

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
            labels: state.incumbent.partition().labels.clone(),
            loss: state.incumbent.loss(),
            status,
            bound,
            claimed: None,
            work: Some(self.work()),
            duals: duals.flatten(),
            method: self.method(),
            moves: self.controller.annealing.moves(),
            threads: rayon::current_num_threads(),
            seconds: 0.0,
        }
    }

    /// What was done, in words.
    fn method(&self) -> String {
        let state = &self.controller.state;
        if state.effort.is_nothing() {
            return String::from(
                "column generation; the budget left nothing for it: this is what it starts from",
            );
        }
        let failure = state.master.failure();
        let failure =
            failure.map_or_else(String::new, |why| format!("; ended since its solver failed: {why}"));
        let work = self.work();
        format!(
            "column generation: {} rounds, {} columns, {} exact pricings with {} nodes or boxes, {} neighbourhoods, \
             master solved by {}{failure}",
            work.rounds,
            work.columns,
            work.exact_pricings,
            work.nodes,
            work.neighbourhoods,
            state.master.backend()
        )
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
