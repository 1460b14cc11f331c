//! What a class costs. One file a loss.

mod ncp;
mod sse;

pub use ncp::Ncp;
pub use sse::Sse;

use std::sync::Arc;

use crate::settings::Loss as Name;

use crate::instance::{Instance, Lane};

/// What a class costs; the loss of a partition is the sum over its classes.
pub trait Loss: Copy + Send + Sync + 'static {
    /// Running values of many classes, for local search.
    type Table: LossTable + 'static;

    /// A loss that is nearly this one and faster.
    type Coarse: Loss;

    /// What a long search may go by instead, as long as what it finds is valued by the loss itself; `None` if there is
    /// nothing faster.
    fn coarse(&self, _instance: &Instance) -> Option<Self::Coarse> {
        None
    }

    /// Loss of one class from scratch. An empty class, and one of counterfeits alone, costs 0.
    fn class(&self, instance: &Instance, members: &[u32]) -> f64;

    /// A table for `classes` empty classes.
    fn table(&self, instance: &Arc<Instance>, classes: usize) -> Self::Table;

    /// What record `i` adds to the loss in any class, which the values of a table leave out.
    fn record(&self, instance: &Instance, i: u32) -> f64;

    /// What to add to the sum of a table's values to get the loss.
    fn offset(&self, instance: &Instance) -> f64 {
        (0..instance.reals as u32).map(|i| self.record(instance, i)).sum()
    }

    /// A start temperature of annealing that is good for most tables, in units of loss per record after a descent.
    fn start_temperature(&self, min_size: usize) -> f64;

    /// How far apart two real records are: the order of their losses as a class of two.
    fn distance(&self, instance: &Instance, i: u32, j: u32) -> f64;

    /// The same, or nothing if it is more than `most`: far points need not be measured to the end.
    #[inline]
    fn distance_within(&self, instance: &Instance, i: u32, j: u32, most: f64) -> Option<f64> {
        Some(self.distance(instance, i, j)).filter(|&distance| distance <= most)
    }

    /// What it is called in a job.
    fn name(&self) -> Name;

    /// A lower bound on [`Loss::distance`] from a record with coordinate `from` in attribute `axis` to one beyond `to`.
    fn gap(&self, instance: &Instance, axis: usize, from: f64, to: f64) -> f64;

    /// A lower bound on [`Loss::distance`] from a record to any whose coordinates lie between these corners.
    fn beyond(&self, instance: &Instance, of: u32, low: &[Lane], high: &[Lane]) -> f64 {
        let apart = |axis: usize| {
            let ((lane, l), at) = (instance.layout.slot(axis), instance.coordinate(of, axis));
            let nearest = if at < low[lane][l] { low[lane][l] } else { at.min(high[lane][l]) };
            if nearest == at { 0.0 } else { self.gap(instance, axis, at, nearest) }
        };
        (0..instance.dims).map(apart).sum()
    }
}

/// Running values of many classes. Values are losses up to an amount that belongs to the records, not to the
/// partition ([`Loss::offset`]), so that differences of sums of values are differences of losses.
pub trait LossTable: Send + Sync {
    /// The value of a class.
    fn value(&self, class: u32) -> f64;

    /// The value after `gains` has entered and `loses` has left; `members` are the members before.
    fn value_after(&self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>) -> f64;

    /// Lets `gains` enter and `loses` leave; `members` are the members after.
    fn apply(&mut self, class: u32, members: &[u32], gains: Option<u32>, loses: Option<u32>);

    /// Of `others`, members of class `b`, the one with which `i`, of class `a`, changes places best, and the change of the loss,
    /// if many can be looked at quickly; `sizes` are those of both classes.
    fn best_swap(
        &self,
        _i: u32,
        _classes: [u32; 2],
        _sizes: [usize; 2],
        _others: &[u32],
    ) -> Option<(u32, f64)> {
        None
    }

    /// A member that decides over the value, drawn with `pick`, if the loss knows such members.
    fn extreme(&mut self, _class: u32, _members: &[u32], _pick: u32) -> Option<u32> {
        None
    }

    /// Whether the class is known to cost nothing, so that a move had better begin elsewhere.
    fn costs_nothing(&self, _class: u32) -> bool {
        false
    }

    /// Computes a class afresh, which removes accumulated rounding.
    fn refresh(&mut self, class: u32, members: &[u32]);
}
