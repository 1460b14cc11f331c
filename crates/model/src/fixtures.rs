//! Instances for the tests of the searches.

use crate::job::Attribute;
use crate::{
    job::{JOB_VERSION, Job},
    rule::Rule,
    settings::{Budget, Loss, Method},
};

use crate::instance::Instance;

/// The 20 records of Liang 2020 (Table 2a): `AGE`, `SEX`, `INJ_SEV`, `DRINKING`, as an instance under NCP with the weights 1,
/// which makes its loss the paper's unnormalised sum.
pub fn fars(k: usize) -> Instance {
    Instance::from_job(&fars_job(k, [1.0; 4], 1.0)).unwrap()
}

/// The job of [`fars`].
pub fn fars_job(k: usize, weights: [f64; 4], effort: f64) -> Job {
    const ROWS: [[u8; 4]; 20] = [
        [64, 2, 4, 0],
        [29, 1, 0, 0],
        [42, 2, 0, 0],
        [41, 2, 4, 1],
        [53, 1, 2, 1],
        [59, 1, 4, 0],
        [49, 1, 4, 0],
        [59, 1, 2, 0],
        [80, 1, 4, 0],
        [50, 1, 4, 0],
        [64, 1, 3, 0],
        [55, 1, 0, 0],
        [25, 1, 0, 0],
        [42, 1, 4, 0],
        [33, 1, 2, 0],
        [31, 2, 2, 0],
        [68, 1, 3, 0],
        [20, 2, 4, 0],
        [40, 1, 4, 1],
        [18, 1, 4, 0],
    ];
    let (low, width) = ([18.0, 1.0, 0.0, 0.0], [62.0, 1.0, 4.0, 1.0]);
    let points = ROWS.iter().flat_map(|row| (0..4).map(|j| (f64::from(row[j]) - low[j]) / width[j]));
    // Variances of the values as they are: 0.13 (DRINKING), 0.19 (SEX), 2.8 (INJ_SEV), 270 (AGE), over w^2.
    let variance = |j: usize| {
        let mean = ROWS.iter().map(|r| f64::from(r[j])).sum::<f64>() / 20.0;
        ROWS.iter().map(|r| (f64::from(r[j]) - mean).powi(2)).sum::<f64>() / weights[j].powi(2)
    };
    let rank = |j: usize| (0..4).filter(|&other| variance(other) < variance(j)).count() as u32;
    let mut job = job(4, &points.collect::<Vec<_>>(), &[0; 20], Rule::at_least(k), effort);
    job.loss = Loss::Ncp;
    job.attributes =
        (0..4).map(|j| Attribute { weight: weights[j], rank: rank(j), ..Attribute::default() }).collect();
    job
}

/// An instance from plain numbers; colours beyond the points are counterfeits.
pub fn instance(dims: usize, points: &[f64], colours: &[u32]) -> Instance {
    Instance::from_job(&job(dims, points, colours, Rule::at_least(2), 1.0)).unwrap()
}

/// A job from plain numbers.
pub fn job(dims: usize, points: &[f64], colours: &[u32], rule: Rule, effort: f64) -> Job {
    Job {
        version: JOB_VERSION,
        dims,
        points: points.to_vec(),
        colours: colours.to_vec(),
        rule,
        loss: Loss::Sse,
        method: Method::default(),
        budget: Budget::Effort(effort),
        attributes: Vec::new(),
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: crate::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 1,
    }
}
