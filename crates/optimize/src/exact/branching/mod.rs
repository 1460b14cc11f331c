//! Branching over the listed classes: it raises the bound where they cannot be settled.

mod strong;
mod tree;

use std::sync::Arc;

use self::tree::{Ground, Tree};
use super::{effort::Stop, loss::Priceable, state::State};
use crate::Error;

/// The branching of a run.
#[derive(Default)]
pub(super) struct Branching {
    /// The open nodes, once it has begun.
    tree: Option<Tree>,
}

impl Branching {
    /// There are no open nodes left.
    pub(super) fn is_over(&self) -> bool {
        self.tree.as_ref().is_some_and(Tree::is_over)
    }

    /// Solves one node; false if there is no list to branch over.
    pub(super) fn advance<L: Priceable>(&mut self, state: &mut State<L>, stop: Stop) -> Result<bool, Error> {
        let (Some(list), Some(proof)) = (&state.list, state.dual_bound.proof()) else { return Ok(false) };
        let mut tree = self.tree.take().unwrap_or_else(|| {
            Tree::plant(Arc::clone(list.classes()), proof.duals.clone(), proof.cuts.clone(), proof.value)
        });
        let ground = Ground {
            problem: &state.input.problem,
            params: &state.input.params,
            loss: state.incumbent.loss(),
            tolerance: state.tolerance(),
            seconds: state.effort.seconds_left(),
            stop,
        };
        let step = tree.step(&ground)?;
        state.effort.pay(step.work);
        if let Some(partition) = step.classes.and_then(|classes| state.input.problem.partition(&classes)) {
            state.offer_descended(&partition);
            state.shorten_list();
        }
        let loss = state.incumbent.loss();
        state.dual_bound.raise_by_branching(tree.bound().min(loss), tree.nodes);
        if tree.bound() >= loss && !stop() {
            state.dual_bound.close();
        }
        self.tree = Some(tree);
        Ok(true)
    }
}
