//! Column generation with the normalised certainty penalty, against brute force and the full linear programme.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/ncp.rs"]
mod jobs;
#[path = "support/relaxation.rs"]
mod relaxation;

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    instance::Instance,
    job::{Answer, Attribute, Job, Status},
    loss::Ncp,
    rule::Rule,
    settings::{Budget, Loss},
    verify::verify,
};
use lookalike_optimize::{
    exact::{AllParams, column_generation, problem::Problem},
    solve::solve,
};
use lookalike_testkit::best_partition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use jobs::{With, by_definition, random_job};
use relaxation::full_relaxation;

/// The least loss by brute force, infinite if there is no partition.
fn optimum(job: &Job) -> f64 {
    let reals = job.points.len() / job.dims;
    let best = best_partition(job.colours.len(), |class| {
        let mut colours: Vec<u32> = class.iter().map(|&i| job.colours[i]).collect();
        colours.sort_unstable();
        let differ = colours.windows(2).all(|w| w[0] != w[1]);
        let admissible = class.len() >= job.rule.min_size && (differ || !job.rule.distinct());
        let records: Vec<u32> = class.iter().map(|&i| i as u32).collect();
        // A class of counterfeits alone is not admissible.
        (admissible && class.iter().any(|&i| i < reals)).then(|| by_definition(job, &records))
    });
    best.map_or(f64::INFINITY, |b| b.0)
}

fn run(job: &Job) -> (Answer, Option<f64>, Problem) {
    let loss = Ncp { binary: job.loss == Loss::NcpBinary };
    let instance = Arc::new(Instance::from_job(job).unwrap());
    let mut search = column_generation(job, loss, job.rule.clone(), &AllParams::default()).unwrap();
    while !search.step(&Ctx::silent(), 0.0).unwrap() {}
    (search.finish(), search.relaxation(), Problem::new(&instance, &loss, &job.rule).unwrap())
}

#[test]
fn small_instances_are_proven_optimal_and_the_relaxation_is_that_of_all_classes() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut solved, mut converged) = (0, 0);
    for case in 0..400 {
        let job = random_job(&mut rng, 12, With { counterfeits: false, hierarchies: true });
        let optimum = optimum(&job);
        if optimum.is_infinite() {
            continue;
        }
        let (answer, relaxation, problem) = run(&job);
        verify(&job, &answer).unwrap();
        assert!((answer.loss - optimum).abs() < 1e-6, "case {case}: {} against {optimum}", answer.loss);
        assert_eq!(answer.status, Status::Optimal, "case {case}");
        let bound = answer.bound.unwrap();
        assert!((bound.value - optimum).abs() < 1e-6 && !bound.proven_by.is_empty());
        let (full, _) = full_relaxation(&problem);
        let reached = relaxation.unwrap_or(bound.value);
        assert!((reached - full).abs() < 1e-6, "case {case}: relaxation {reached}, of all classes {full}");
        converged += usize::from(relaxation.is_some());
        solved += 1;
    }
    assert!(solved > 300 && converged > 20, "{solved} solved, {converged} converged");
}

#[test]
fn a_bound_never_exceeds_the_optimum_however_early_it_is_taken() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let mut bounded = 0;
    for _ in 0..120 {
        let mut job = random_job(&mut rng, 13, With { counterfeits: true, hierarchies: true });
        job.budget = Budget::Effort([1e-6, 1e-4, 1e-3][rng.random_range(0..3usize)]);
        let optimum = optimum(&job);
        if optimum.is_infinite() {
            continue;
        }
        let answer = solve(&job, &Ctx::silent()).unwrap();
        verify(&job, &answer).unwrap();
        assert!(answer.loss >= optimum - 1e-9);
        if let Some(bound) = answer.bound {
            assert!(bound.value <= optimum + 1e-9, "{} above {optimum}", bound.value);
            bounded += 1;
        }
    }
    assert!(bounded > 30, "{bounded}");
}

#[test]
fn the_papers_20_records_have_the_bound_that_is_known() {
    // Liang 2020, Table 2a: age, sex, severity of the injury, drinking.
    let rows: [[u8; 4]; 20] = [
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
    let points = rows.iter().flat_map(|row| (0..4).map(|j| (f64::from(row[j]) - low[j]) / width[j]));
    let mut job =
        random_job(&mut ChaCha8Rng::seed_from_u64(1), 12, With { counterfeits: false, hierarchies: false });
    job.dims = 4;
    job.points = points.collect();
    job.colours = vec![0; 20];
    job.rule = Rule::at_least(3);
    job.loss = Loss::Ncp;
    job.attributes = vec![Attribute { weight: 1.0, ..Attribute::default() }; 4];
    let (answer, relaxation, _) = run(&job);
    assert_eq!(answer.status, Status::Optimal);
    assert!((answer.loss - 19.266_129).abs() < 1e-6, "{}", answer.loss);
    assert!((relaxation.unwrap() - 17.766).abs() < 1e-3, "{relaxation:?}");
}
