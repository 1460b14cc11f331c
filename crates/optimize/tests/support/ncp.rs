//! Random jobs with the normalised certainty penalty, and the penalty by its definition.

use lookalike_model::{
    job::{Attribute, JOB_VERSION, Job},
    rule::Rule,
    settings::{Budget, Loss, MethodName},
};
use rand::{Rng, RngExt};

/// What a job may have beside numbers and categories of real records.
#[derive(Clone, Copy)]
pub(crate) struct With {
    /// At times a counterfeit.
    pub(crate) counterfeits: bool,
    /// At times attributes that are published by a hierarchy.
    pub(crate) hierarchies: bool,
}

/// A job of fewer than `most` records: numbers and categories, weights, records that repeat, with and without colours.
pub(crate) fn random_job(rng: &mut impl Rng, most: usize, with: With) -> Job {
    let least = rng.random_range(2..4usize);
    let dims = rng.random_range(1..7usize);
    let n = rng.random_range(2 * least..most);
    let attributes: Vec<Attribute> = (0..dims)
        .map(|_| {
            let joins = with.hierarchies && rng.random_bool(0.4);
            // Any numbers are some hierarchy's: its nodes are where they are largest.
            let joins = joins.then(|| (0..5).map(|_| f64::from(rng.random_range(1..=4)) / 4.0).collect());
            Attribute {
                weight: [0.1, 0.4, 1.0][rng.random_range(0..3usize)],
                levels: (joins.is_none() && rng.random_bool(0.4)).then_some(4),
                joins,
                ..Attribute::default()
            }
        })
        .collect();
    let steps = rng.random_range(2..8u32);
    let mut points = Vec::new();
    for _ in 0..n {
        for a in &attributes {
            points.push(match (&a.joins, a.levels) {
                (Some(joins), _) => rng.random_range(0..=joins.len()) as f64,
                (_, Some(levels)) => f64::from(rng.random_range(0..levels)),
                _ => f64::from(rng.random_range(0..=steps)) / f64::from(steps),
            });
        }
    }
    for _ in 0..rng.random_range(0..5) {
        let (from, to) = (rng.random_range(0..n), rng.random_range(0..n));
        let row: Vec<f64> = points[from * dims..(from + 1) * dims].to_vec();
        points[to * dims..(to + 1) * dims].copy_from_slice(&row);
    }
    let coloured = rng.random_bool(0.5);
    let colour = |i: u32, drawn: u32| match (coloured, i) {
        (false, _) => 0,
        (true, 0..4) => i,
        _ => drawn,
    };
    let colours: Vec<u32> = (0..n as u32).map(|i| colour(i, rng.random_range(0..4))).collect();
    if with.counterfeits && coloured && rng.random_bool(0.3) {
        points.truncate((n - 1) * dims);
    }
    Job {
        ranks: None,
        further: Vec::new(),
        series: None,
        version: JOB_VERSION,
        dims,
        points,
        colours,
        rule: if coloured { Rule::all_different(least) } else { Rule::at_least(least) },
        loss: if rng.random_bool(0.3) { Loss::NcpBinary } else { Loss::Ncp },
        method: MethodName::ColumnGeneration.into(),
        budget: Budget::Effort(5.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        attributes,
        seed: 1,
    }
}

/// The penalty of a class, from the job's numbers (Liang 2020, Definition 8 and Appendix B).
pub(crate) fn by_definition(job: &Job, class: &[u32]) -> f64 {
    let real = |&i: &usize| i * job.dims < job.points.len();
    let reals: Vec<usize> = class.iter().map(|&i| i as usize).filter(real).collect();
    let mut sum = 0.0;
    for (j, a) in job.attributes.iter().enumerate() {
        let mut values: Vec<f64> = reals.iter().map(|&i| job.points[i * job.dims + j]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let count = values.len() as f64;
        if let (Some(joins), Some(&first), Some(&last)) = (&a.joins, values.first(), values.last()) {
            let between = &joins[first as usize..last as usize];
            sum += a.weight * between.iter().fold(0.0, |most: f64, &x| most.max(x));
            continue;
        }
        let part = match (a.levels, job.loss) {
            (None, _) => values.last().unwrap_or(&0.0) - values.first().unwrap_or(&0.0),
            (Some(levels), Loss::NcpBinary) if count > 1.0 => count / f64::from(levels),
            (Some(levels), _) => (count - 1.0).max(0.0) / f64::from(levels),
        };
        sum += a.weight * part;
    }
    reals.len() as f64 * sum
}
