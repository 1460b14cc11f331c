//! The general programme as a method: against brute force, with the back end that is compiled in.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use lookalike_model::{
    Ctx, ErrorKind,
    fixtures::fars_job,
    job::{Attribute, JOB_VERSION, Job, Series, Status},
    rule::Rule,
    settings::{Budget, Loss, MethodName},
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::best_partition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A job under NCP with numbers from 0 to 1 and categories, on few steps and with equal records.
fn job(rng: &mut ChaCha8Rng, n: usize, k: usize, binary: bool) -> Job {
    let dims = rng.random_range(1..4usize);
    let attributes: Vec<Attribute> = (0..dims)
        .map(|j| Attribute {
            weight: [0.25, 0.5, 1.0][rng.random_range(0..3usize)],
            levels: (rng.random_range(0..3u32) == 0).then_some(4),
            rank: j as u32,
            ..Attribute::default()
        })
        .collect();
    let mut points = Vec::new();
    for i in 0..n {
        if i > 0 && rng.random_range(0..5u32) == 0 {
            points.extend_from_within((i - 1) * dims..);
            continue;
        }
        for attribute in &attributes {
            points.push(match attribute.levels {
                Some(levels) => f64::from(rng.random_range(0..levels)),
                None => f64::from(rng.random_range(0..7u32)) / 6.0,
            });
        }
    }
    Job {
        version: JOB_VERSION,
        attributes,
        loss: if binary { Loss::NcpBinary } else { Loss::Ncp },
        method: MethodName::Programme.into(),
        budget: Budget::Effort(20.0),
        ..Job::of(dims, points, Rule::at_least(k))
    }
}

/// What a class loses, from the job's numbers: ranges, and of categories the values beyond the first as parts of all.
fn loss(job: &Job, class: &[usize]) -> f64 {
    let mut record = 0.0;
    for (j, attribute) in job.attributes.iter().enumerate() {
        let mut own: Vec<f64> = class.iter().map(|&i| job.points[i * job.dims + j]).collect();
        own.sort_by(f64::total_cmp);
        own.dedup();
        record += attribute.weight
            * match attribute.levels {
                None => own[own.len() - 1] - own[0],
                Some(_) if own.len() == 1 => 0.0,
                // The codes of a job are dense or not: a level that is missing counts in the domain all the same.
                Some(levels) if job.loss == Loss::NcpBinary => own.len() as f64 / f64::from(levels),
                Some(levels) => (own.len() - 1) as f64 / f64::from(levels),
            };
    }
    class.len() as f64 * record
}

#[test]
fn brute_force_finds_nothing_cheaper_and_the_bound_is_the_optimum() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut searched = 0;
    for case in 0..140 {
        let k = rng.random_range(2..5usize);
        let n = rng.random_range(k..10usize);
        let job = job(&mut rng, n, k, case % 3 == 0);
        let cost = |class: &[usize]| (class.len() >= k).then(|| loss(&job, class));
        let (least, _) = best_partition(n, cost).unwrap();
        let answer = solve(&job, &Ctx::silent()).unwrap();
        assert_eq!(lookalike_model::verify::verify(&job, &answer).unwrap(), answer.loss);
        let bound = answer.bound.clone().unwrap();
        assert_eq!(answer.status, Status::Optimal, "{case}: {} {:?}", answer.method, answer.bound);
        assert!((answer.loss - least).abs() < 1e-6, "{case}: {} against {least}", answer.loss);
        assert!(bound.value <= least + 1e-6 && bound.value >= least - 1e-6, "{case}: {}", bound.value);
        searched += usize::from(bound.proven_by.to_string().contains("over the general programme"));
    }
    // Where the prices meet the loss they are the proof, elsewhere a solver is.
    assert!(searched > 60 && searched < 120, "{searched}");
}

/// Whichever solver is there: the paper's 20 records have a bound that the optimum does not undercut, and good classes.
#[test]
fn the_papers_records_have_a_bound_after_little_effort() {
    let job = Job { method: MethodName::Programme.into(), ..fars_job(3, [1.0; 4], 0.01) };
    let answer = solve(&job, &Ctx::silent()).unwrap();
    let bound = answer.bound.unwrap();
    let optimum = 19.266_129;
    assert!(answer.loss > optimum - 1e-6 && answer.loss < 1.03 * optimum, "{}", answer.loss);
    assert!(bound.value > 0.0 && bound.value < optimum + 1e-6, "{bound:?}");
}

#[test]
fn an_early_end_leaves_a_bound_that_holds() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (n, budget) in [(9, Budget::Effort(0.0)), (9, Budget::Seconds(0.0)), (9, Budget::Effort(1e-4))] {
        let job = Job { budget, ..job(&mut rng, n, 2, false) };
        let cost = |class: &[usize]| (class.len() >= 2).then(|| loss(&job, class));
        let (least, _) = best_partition(n, cost).unwrap();
        let answer = solve(&job, &Ctx::silent()).unwrap();
        assert!(answer.loss >= least - 1e-6);
        assert!(answer.bound.is_none_or(|bound| bound.value <= least + 1e-6));
    }
    let stopped = Ctx { cancelled: &|| true, ..Ctx::silent() };
    let answer = solve(&job(&mut rng, 9, 2, false), &stopped).unwrap();
    assert_eq!(answer.status, Status::Cancelled);
}

#[test]
fn what_it_does_not_know_is_refused_with_a_way_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let good = job(&mut rng, 8, 2, false);
    let refused = |job: Job, way: &str| {
        let error = solve(&job, &Ctx::silent()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.to_string().contains(way), "{error}");
    };
    refused(Job { loss: Loss::Sse, ..good.clone() }, "--loss ncp");
    let colours = (0..8).map(|i| i % 4).collect();
    let different = Job { rule: Rule::all_different(2), colours, ..good.clone() };
    refused(different.clone(), "k-anonymity (--model)");
    refused(Job { series: Some(Series { bound: vec![0; 8], ..Series::default() }), ..different }, "--model");
    let joins = Some(vec![1.0; 6]);
    let hierarchy = Attribute { weight: 1.0, joins, ..Attribute::default() };
    let places = (0..8).map(|i| f64::from(i % 7)).collect();
    refused(Job { dims: 1, points: places, attributes: vec![hierarchy], ..good }, "hierarchy");
    refused(job(&mut rng, 101, 2, false), "at most 100");
    let few = solve(&job(&mut rng, 2, 3, false), &Ctx::silent()).unwrap_err();
    assert_eq!(few.kind(), ErrorKind::Infeasible);
}
