//! Jobs for column generation.

use lookalike_model::{
    job::{JOB_VERSION, Job},
    rule::Rule,
    settings::{Budget, Loss, MethodName},
};

/// A job for column generation.
pub(crate) fn job(dims: usize, points: &[f64], colours: &[u32], rule: Rule) -> Job {
    Job {
        version: JOB_VERSION,
        dims,
        points: points.to_vec(),
        colours: colours.to_vec(),
        rule,
        loss: Loss::Sse,
        method: MethodName::ColumnGeneration.into(),
        budget: Budget::Effort(5.0),
        attributes: Vec::new(),
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 1,
    }
}
