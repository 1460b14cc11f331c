//! Points and colours of one's own: the problem behind every table, without a table.

use lookalike_core::Error;
use lookalike_model::{
    job::{Answer, Attribute, Job},
    rule::Rule,
    settings::{Loss, Model},
    verify::verify,
};
use pyo3::prelude::*;

use crate::{
    arguments::Given,
    failure::Failure,
    run::{Surroundings, beside},
};

/// Numbers of one's own.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    /// Points row by row: 64-bit numbers in the machine's order of bytes.
    points: Vec<u8>,
    dims: usize,
    /// A code a point, from 0 on.
    colours: Option<Vec<u32>>,
    settings: String,
    /// What each attribute is, as JSON.
    attributes: Option<String>,
    threads: Option<usize>,
}

/// Partitions points into admissible classes: labels, everything else of the answer as JSON, and whether Ctrl-C stopped the search.
#[pyfunction]
#[pyo3(signature = (told, progress=None))]
pub(crate) fn solve(
    py: Python<'_>,
    told: Told,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<u32>, String, bool)> {
    let threads = told.threads;
    let job = job(told)?;
    let work = move |around: &Surroundings<Result<Answer, Failure>>| {
        let answer = around.with(|ctx| lookalike_optimize::solve::solve(&job, ctx)).map_err(Error::from)?;
        verify(&job, &answer).map_err(Error::from)?;
        Ok(answer)
    };
    let ended = beside(py, threads, progress, work)?;
    let mut answer = ended.result?;
    let labels = std::mem::take(&mut answer.labels);
    let rest = serde_json::to_string(&answer).map_err(Failure::from)?;
    Ok((labels, rest, ended.interrupted))
}

fn job(told: Told) -> Result<Job, Failure> {
    let given = Given::read(&told.settings, None)?;
    let settings = given.settings()?;
    let points = told.points.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect();
    let rule = match settings.model {
        Model::MInvariance { m } => Rule::all_different(m),
        Model::KAnonymity { k } if settings.conditions.is_empty() => Rule::at_least(k),
        Model::KAnonymity { k } => Rule::with_values(k, &settings.conditions),
    };
    let mut job = Job::of(told.dims, points, rule);
    if let Some(colours) = told.colours {
        job.colours = colours;
    }
    job.attributes = match told.attributes {
        Some(attributes) => serde_json::from_str(&attributes)
            .map_err(|why| Failure::settings(format!("attributes: {why}")))?,
        None if settings.loss == Loss::Sse => Vec::new(),
        None => {
            let weight = 1.0 / told.dims.max(1) as f64;
            (0..told.dims as u32).map(|rank| Attribute { weight, rank, ..Attribute::default() }).collect()
        }
    };
    (job.loss, job.method, job.budget) = (settings.loss, settings.method, settings.budget);
    (job.bound, job.seed) = (settings.bound, settings.seed.unwrap_or_default());
    Ok(job)
}
