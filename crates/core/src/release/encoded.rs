//! The records of a job under another encoding than its own.

use lookalike_model::{instance::Instance, job::Job, settings::Loss as LossName};

use crate::{Error, prepare::Encoded};

/// The records of the job under another encoding, in the job's order.
pub(super) fn instance(job: &Job, loss: LossName, encoded: &Encoded) -> Result<Instance, Error> {
    let reals = encoded.columns.first().map_or(0, Vec::len);
    let points = (0..reals).flat_map(|i| encoded.columns.iter().map(move |c| c[i])).collect();
    Ok(Instance::from_job(&Job {
        dims: encoded.columns.len(),
        points,
        loss,
        attributes: encoded.attributes.clone(),
        ..job.clone()
    })?)
}
