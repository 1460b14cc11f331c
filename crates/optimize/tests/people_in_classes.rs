//! Classes with so many real records beside counterfeits: every search against brute force over all partitions.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/job.rs"]
mod jobs;

use lookalike_model::{
    Ctx, ErrorKind,
    job::{Attribute, Job, Status},
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions, Loss, Method},
    verify::{feasible, verify},
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::best_partition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use jobs::job;

/// What a class costs by definition: squared distances to the mean, or real records times the ranges.
fn cost(job: &Job, class: &[usize]) -> f64 {
    let (dims, reals) = (job.dims, job.points.len() / job.dims);
    let real: Vec<usize> = class.iter().copied().filter(|&i| i < reals).collect();
    let count = real.len() as f64;
    (0..dims)
        .map(|d| {
            let xs = || real.iter().map(|&i| job.points[i * dims + d]);
            if job.loss == Loss::Sse {
                let mean = xs().sum::<f64>() / count;
                return xs().map(|x| (x - mean).powi(2)).sum::<f64>();
            }
            let (low, high) = xs().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            count * (high - low) / dims as f64
        })
        .sum()
}

/// The least loss of all partitions into classes of m different colours with so many real records.
fn by_hand(job: &Job, m: usize, real: usize) -> Option<f64> {
    let reals = job.points.len() / job.dims;
    let admits = |class: &[usize]| {
        let mut colours: Vec<u32> = class.iter().map(|&i| job.colours[i]).collect();
        colours.sort_unstable();
        class.len() >= m
            && colours.windows(2).all(|w| w[0] != w[1])
            && class.iter().filter(|&&i| i < reals).count() >= real
    };
    best_partition(job.colours.len(), |class| admits(class).then(|| cost(job, class))).map(|best| best.0)
}

/// Some records of few colours and the fewest counterfeits that make them m-eligible, of the rarest colours.
fn drawn(rng: &mut ChaCha8Rng, m: usize, loss: Loss) -> Option<Job> {
    let (reals, dims, of) =
        (rng.random_range(3..9_usize), rng.random_range(1..4_usize), rng.random_range(m..m + 2));
    let mut colours: Vec<u32> =
        (0..reals).map(|_| rng.random_range(0..of as u32).min(rng.random_range(0..of as u32))).collect();
    let mut counts = vec![0_usize; of];
    for &colour in &colours {
        counts[colour as usize] += 1;
    }
    let most = *counts.iter().max().unwrap();
    while colours.len() < m * most {
        let rarest = (0..of).min_by_key(|&c| counts[c]).unwrap();
        counts[rarest] += 1;
        colours.push(rarest as u32);
    }
    let dense = counts.iter().all(|&c| c > 0);
    (dense && colours.len() > reals && colours.len() <= 12).then(|| {
        let points: Vec<f64> =
            (0..reals * dims).map(|_| f64::from(rng.random_range(0..50_u32)) / 50.0).collect();
        let mut job = job(dims, &points, &colours, Rule::all_different(m));
        job.loss = loss;
        if loss != Loss::Sse {
            let weight = 1.0 / dims as f64;
            job.attributes =
                (0..dims as u32).map(|rank| Attribute { weight, rank, ..Attribute::default() }).collect();
        }
        job
    })
}

#[test]
fn the_least_loss_with_so_many_real_records_is_that_of_all_partitions() {
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let (mut solved, mut refused, mut dearer) = (0, 0, 0);
    for case in 0..400 {
        let m = 3 + case % 2;
        let loss = if case % 4 < 2 { Loss::Sse } else { Loss::Ncp };
        let Some(mut job) = drawn(&mut rng, m, loss) else { continue };
        let free = by_hand(&job, m, 1).unwrap();
        for real in 2..=m {
            job.rule = Rule::all_different(m).with_real(real);
            let Some(best) = by_hand(&job, m, real) else {
                let why = feasible(&job).unwrap_err();
                assert_eq!(why.kind(), ErrorKind::Infeasible, "case {case}: {why}");
                assert!(why.to_string().contains("real"), "{why}");
                refused += 1;
                continue;
            };
            feasible(&job).unwrap();
            let scale = 1e-9 * best.max(1.0);
            job.method = Method::ColumnGeneration(ColumnGenerationOptions::default());
            let exact = solve(&job, &Ctx::silent()).unwrap();
            verify(&job, &exact).unwrap();
            assert!((exact.loss - best).abs() < scale, "case {case}, {real}: {} against {best}", exact.loss);
            assert_eq!(exact.status, Status::Optimal, "case {case}, {real}");
            for (method, effort) in [(Method::default(), 0.0), (Method::default(), 5.0)] {
                (job.method, job.budget) = (method, Budget::Effort(effort));
                let found = solve(&job, &Ctx::silent()).unwrap();
                verify(&job, &found).unwrap();
                assert!(found.loss > best - scale, "case {case}, {real}: {} below {best}", found.loss);
                let bound = found.bound.map_or(0.0, |bound| bound.value);
                assert!(bound < best + scale, "case {case}, {real}: bound {bound} above {best}");
            }
            dearer += usize::from(best > free + scale);
            solved += 1;
        }
    }
    assert!(
        solved > 100 && refused > 50 && dearer > 20,
        "{solved} solved, {refused} refused, {dearer} dearer"
    );
}

#[test]
fn an_answer_with_too_few_real_records_is_refused() {
    // Of two people of colour 0 one is near both others: the least loss leaves the other one with two counterfeits.
    let mut job = job(1, &[0.0, 5.05, 5.0, 5.1], &[0, 0, 1, 2, 1, 2], Rule::all_different(3));
    let answer = solve(&job, &Ctx::silent()).unwrap();
    let reals = |label: u32| (0..4).filter(|&i| answer.labels[i] == label).count();
    assert_eq!([reals(0).min(reals(1)), reals(0).max(reals(1))], [1, 3], "{:?}", answer.labels);
    job.rule = Rule::all_different(3).with_real(2);
    let why = verify(&job, &answer).unwrap_err().to_string();
    assert!(why.contains("real"), "{why}");
}
