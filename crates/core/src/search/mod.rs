//! Local search. One file a method; all are generic over loss and rule.

pub mod anneal;
pub mod neighbours;
pub mod schedule;
pub mod state;

#[cfg(test)]
pub(crate) mod tests_support {
    //! Instances for the tests of the searches.

    use lookalike_wire::{
        job::{JOB_VERSION, Job, Rule},
        settings::{Budget, Loss, Method},
    };

    use crate::instance::Instance;

    /// An instance from plain numbers; colours beyond the points are counterfeits.
    pub(crate) fn instance(dims: usize, points: &[f64], colours: &[u32]) -> Instance {
        Instance::from_job(&job(dims, points, colours, Rule::MinSize { k: 2 }, 1.0)).unwrap()
    }

    /// A job from plain numbers.
    pub(crate) fn job(dims: usize, points: &[f64], colours: &[u32], rule: Rule, effort: f64) -> Job {
        Job {
            version: JOB_VERSION,
            dims,
            points: points.to_vec(),
            colours: colours.to_vec(),
            rule,
            loss: Loss::Sse,
            method: Method::Auto,
            budget: Budget::Effort(effort),
            stop_gap_percent: None,
            seed: 1,
        }
    }
}
