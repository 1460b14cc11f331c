//! The incumbent: the best partition found so far.

use lookalike_model::partition::Partition;

/// The best partition so far, with its loss: an upper bound on the least loss.
#[derive(Clone, Debug)]
pub(super) struct Incumbent {
    partition: Partition,
    loss: f64,
}

impl Incumbent {
    /// The partition that a run begins with.
    pub(super) fn new(partition: Partition, loss: f64) -> Self {
        Self { partition, loss }
    }

    pub(super) fn partition(&self) -> &Partition {
        &self.partition
    }

    pub(super) fn loss(&self) -> f64 {
        self.loss
    }

    /// Takes an admissible partition if it loses less; says whether it does.
    pub(super) fn offer(&mut self, partition: Partition, loss: f64) -> bool {
        let better = loss < self.loss;
        if better {
            *self = Self { partition, loss };
        }
        better
    }
}
