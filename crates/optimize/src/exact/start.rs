//! Column generation of a job, from what a construction makes.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::Job,
    rule::Rule,
    settings::{ColumnGenerationOptions, Construction},
};

use super::{ColumnGeneration, Options, Params, loss::Priceable};
use crate::{Error, bounds, construct, local, solve::Settled};

/// All parameters that a run goes by.
#[derive(Clone, Debug, Default)]
pub struct AllParams {
    /// Of column generation.
    pub exact: Arc<Params>,
    /// Of the annealing that it does.
    pub local: Arc<local::Params>,
    /// Of the construction that it starts from.
    pub construct: construct::Params,
    /// Of duals that are raised before the first master.
    pub bound: Arc<bounds::Params>,
}

/// Checks the job and builds the starting partition.
///
/// # Errors
/// [`Error::Model`] for an inconsistent job, and if no admissible partition exists; [`Error::Exact`] and
/// [`Error::Construction`] for a job that column generation or what it starts from cannot solve.
pub fn column_generation<L: Priceable>(
    job: &Job,
    objective: L,
    rule: Rule,
    params: &AllParams,
) -> Result<ColumnGeneration<L>, Error> {
    rule.protects()?;
    let instance = Arc::new(Instance::from_job(job)?);
    rule.feasible(&instance)?;
    let asked = job.method.column_generation().copied().unwrap_or_default();
    let ColumnGenerationOptions { start, stop_gap_percent, .. } = asked;
    let start = start.unwrap_or(Construction::Classic);
    let build =
        |of: &Arc<Instance>| construct::build_with(start, of, &objective, &rule, job.seed, &params.construct);
    // Where most records are in classes of equal ones, it starts from these.
    let settled = (!rule.distinct()).then(|| Settled::new(&instance, &rule)).flatten();
    let start = match settled.filter(|settled| 2 * settled.settled() >= instance.records()) {
        Some(settled) => settled.whole(&build(&Arc::new(settled.instance(&instance)))?),
        None => build(&instance)?,
    };
    // Classes of old records have no largest size; others above it stay as they are.
    let start = match instance.series {
        Some(_) => start,
        None => construct::cut_large(&instance, &rule, start),
    };
    let options = Options {
        budget: job.budget,
        stop_gap_percent: stop_gap_percent.unwrap_or(0.0),
        duals: job.wants_duals(),
        seed: job.seed,
        params: Arc::clone(&params.exact),
        local: Arc::clone(&params.local),
        bound: Arc::clone(&params.bound),
    };
    ColumnGeneration::from(&instance, &start, objective, rule, &options)
}
