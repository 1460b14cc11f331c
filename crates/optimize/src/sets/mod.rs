//! Classes with groups of larger sets of them, one partition for each set of attributes ([`lookalike_model::sets`]).
//!
//! Groups are made of given classes by [`coarsen`], classes of given groups by [`refine`], and both are improved together by
//! [`exchange`], which moves records and keeps every size.

mod coarsen;
mod exchange;
mod refine;

use std::sync::Arc;

use lookalike_model::{instance::Instance, job::Job, loss::Loss, partition::Partition, sets};

pub(crate) use self::{coarsen::coarsen, exchange::Exchange, refine::refine};
use crate::Error;

/// Rounding of a difference of losses, as a part of them: less is no gain.
const ROUNDING: f64 = 1e-12;

/// The parts of a job that the loss is a sum over.
pub(crate) struct Parts<L> {
    pub(crate) loss: L,
    /// All attributes.
    pub(crate) whole: Arc<Instance>,
    /// Of each set its attributes, and the least size of its groups.
    pub(crate) sets: Vec<(Arc<Instance>, usize)>,
    /// The attributes that are in no set.
    pub(crate) rest: Arc<Instance>,
    /// The least size of a class.
    pub(crate) least: usize,
    /// Whether any attribute is in no set.
    pub(crate) with_rest: bool,
}

/// Classes, and the groups of each set, as labels of the records.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Groups {
    pub(crate) classes: Vec<u32>,
    pub(crate) coarser: Vec<Vec<u32>>,
}

impl<L: Loss> Parts<L> {
    pub(crate) fn new(job: &Job, loss: L) -> Result<Self, Error> {
        let mut parts = sets::parts(job);
        let rest = parts.pop().unwrap_or_else(|| job.clone());
        let of = |part: &Job| Instance::from_job(part).map(Arc::new);
        Ok(Self {
            loss,
            whole: of(job)?,
            sets: parts
                .iter()
                .map(|part| Ok((of(part)?, part.rule.min_size)))
                .collect::<Result<_, Error>>()?,
            rest: of(&rest)?,
            least: job.rule.min_size,
            with_rest: !sets::others(job).is_empty(),
        })
    }

    /// The loss, from scratch.
    pub(crate) fn loss(&self, groups: &Groups) -> f64 {
        let of =
            |instance: &Instance, labels: &[u32]| Partition::from_labels(labels).loss(instance, &self.loss);
        let sets = self.sets.iter().zip(&groups.coarser).map(|((instance, _), labels)| of(instance, labels));
        sets.sum::<f64>() + of(&self.rest, &groups.classes)
    }

    /// Groups of these classes for each set, but those of a set that is given.
    pub(crate) fn grouped(&self, classes: Vec<u32>, given: Option<(usize, &[u32])>) -> Groups {
        let units = Partition::from_labels(&classes).members();
        let coarser = (self.sets.iter().enumerate())
            .map(|(at, (instance, least))| match given {
                Some((of, labels)) if of == at => labels.to_vec(),
                _ => coarsen(instance, &self.loss, &units, *least),
            })
            .collect();
        Groups { classes, coarser }
    }
}
