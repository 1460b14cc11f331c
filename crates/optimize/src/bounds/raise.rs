//! Duals being raised, whatever their loss.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::Bound,
    loss::{Ncp, Sse},
    partition::Partition,
    proof::Duals,
    rule::Rule,
    settings::Loss as LossName,
};

use super::duals::{DualAscent, Measure, Params};

/// Duals being raised, their loss forgotten.
pub(crate) trait Raise: Send {
    /// Goes one step; true when there is nothing left to do.
    fn advance(&mut self) -> bool;
    /// Part of the round at hand that is done.
    fn fraction(&self) -> f64;
    /// Rounds that have ended.
    fn rounds(&self) -> usize;
    /// What it has looked at.
    fn looks(&self) -> f64;
    /// The bound so far; `None` if nothing is known.
    fn bound(&self) -> Option<Bound>;
    /// Whether the bound is by boxes of centres.
    fn is_by_boxes(&self) -> bool;
    /// The duals behind the bound.
    fn duals(&self) -> Option<Duals>;
    /// So many of the classes met, by records: those of least reduced cost a record, the least one last.
    fn classes(&self, most: usize) -> Vec<Vec<u32>>;
}

impl<L: Measure> Raise for DualAscent<L> {
    fn advance(&mut self) -> bool {
        DualAscent::advance(self)
    }

    fn fraction(&self) -> f64 {
        DualAscent::fraction(self)
    }

    fn rounds(&self) -> usize {
        DualAscent::rounds(self)
    }

    fn looks(&self) -> f64 {
        DualAscent::looks(self)
    }

    fn bound(&self) -> Option<Bound> {
        DualAscent::bound(self)
    }

    fn is_by_boxes(&self) -> bool {
        DualAscent::is_by_boxes(self)
    }

    fn duals(&self) -> Option<Duals> {
        DualAscent::duals(self)
    }

    fn classes(&self, most: usize) -> Vec<Vec<u32>> {
        DualAscent::classes(self, most)
    }
}

/// Begins from the classes of a partition, to look at so many records beside others; `None` where there is no theorem.
pub(crate) fn raise(
    instance: &Arc<Instance>,
    loss: LossName,
    rule: &Rule,
    partition: Partition,
    budget: (f64, &Params),
) -> Option<Box<dyn Raise>> {
    match loss {
        LossName::Sse => {
            DualAscent::new(instance, Sse, rule, partition, budget).map(|work| Box::new(work) as _)
        }
        LossName::Ncp | LossName::NcpBinary => {
            let loss = Ncp { binary: loss == LossName::NcpBinary };
            DualAscent::new(instance, loss, rule, partition, budget).map(|work| Box::new(work) as _)
        }
    }
}
