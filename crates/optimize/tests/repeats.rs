//! Column generation of tables in which many records are equal, against brute force over how many of each a class holds.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/ncp.rs"]
mod jobs;

use std::cell::RefCell;

use lookalike_model::{
    Ctx,
    job::{Attribute, JOB_VERSION, Job, Status},
    loss::{Ncp, Sse},
    rule::Rule,
    settings::{BoundWork, Budget, Loss, MethodName},
    verify::verify,
};
use lookalike_optimize::{
    bounds::neighbour_bound,
    exact::{AllParams, column_generation},
    solve::solve,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use jobs::{With, by_definition, random_job};

/// Counts of the kinds, as one number.
fn code(counts: &[usize], most: &[usize]) -> usize {
    counts.iter().zip(most).rev().fold(0, |code, (count, most)| code * (most + 1) + count)
}

fn counts_of(mut code: usize, most: &[usize]) -> Vec<usize> {
    let mut counts = Vec::new();
    for most in most {
        counts.push(code % (most + 1));
        code /= most + 1;
    }
    counts
}

/// The least loss of a table with so many records of each kind: for every number of records of each kind the best last class. `cost`
/// is what a class with so many of each loses.
fn optimum(most: &[usize], least: usize, cost: impl Fn(&[usize]) -> f64) -> f64 {
    let all: usize = most.iter().map(|most| most + 1).product();
    let vectors: Vec<Vec<usize>> = (0..all).map(|code| counts_of(code, most)).collect();
    let size = |counts: &[usize]| counts.iter().sum::<usize>();
    let classes: Vec<(&Vec<usize>, f64)> =
        vectors.iter().filter(|class| size(class) >= least).map(|class| (class, cost(class))).collect();
    let mut best = vec![f64::INFINITY; all];
    best[0] = 0.0;
    for (at, counts) in vectors.iter().enumerate().skip(1) {
        for &(class, cost) in &classes {
            if class.iter().zip(counts).all(|(a, b)| a <= b) {
                let rest: Vec<usize> = counts.iter().zip(class).map(|(b, a)| b - a).collect();
                best[at] = best[at].min(best[code(&rest, most)] + cost);
            }
        }
    }
    best[all - 1]
}

/// Kinds with their records: few points, some of them many times.
fn multiplicities(rng: &mut ChaCha8Rng, least: usize) -> Vec<usize> {
    let kinds = rng.random_range(2..5usize);
    let most = [0, 0, 16, 9, 5][kinds];
    loop {
        let counts: Vec<usize> = (0..kinds).map(|_| rng.random_range(1..=most)).collect();
        if counts.iter().sum::<usize>() >= least {
            return counts;
        }
    }
}

/// A job of squared errors, and its optimum.
fn squares(rng: &mut ChaCha8Rng) -> (Job, f64) {
    let least = rng.random_range(2..6usize);
    let dims = [1, 2, 4, 6][rng.random_range(0..4usize)];
    let most = multiplicities(rng, least);
    let weights: Vec<f64> = (0..dims).map(|_| [0.3, 1.0, 2.0][rng.random_range(0..3usize)]).collect();
    let kinds: Vec<Vec<f64>> = most
        .iter()
        .map(|_| weights.iter().map(|w| w * f64::from(rng.random_range(0..5u32))).collect())
        .collect();
    let cost = |counts: &[usize]| {
        let records = counts.iter().sum::<usize>() as f64;
        let axis = |j: usize| {
            let mean = kinds.iter().zip(counts).map(|(x, &c)| c as f64 * x[j]).sum::<f64>() / records;
            kinds.iter().zip(counts).map(|(x, &c)| c as f64 * (x[j] - mean).powi(2)).sum::<f64>()
        };
        (0..dims).map(axis).sum()
    };
    let optimum = optimum(&most, least, cost);
    let points = spread(rng, &most).into_iter().flat_map(|kind| kinds[kind].clone()).collect();
    let job = Job {
        version: JOB_VERSION,
        dims,
        points,
        colours: vec![0; most.iter().sum()],
        rule: Rule::at_least(least),
        loss: Loss::Sse,
        method: MethodName::ColumnGeneration.into(),
        budget: Budget::Effort(1.0),
        attributes: Vec::new(),
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 1,
    };
    (job, optimum)
}

/// The kind of each record, in any order.
fn spread(rng: &mut ChaCha8Rng, most: &[usize]) -> Vec<usize> {
    let mut records: Vec<usize> =
        most.iter().enumerate().flat_map(|(kind, &count)| std::iter::repeat_n(kind, count)).collect();
    for at in (1..records.len()).rev() {
        records.swap(at, rng.random_range(0..=at));
    }
    records
}

/// The same of the penalty: numbers, categories and hierarchies of several weights.
fn penalties(rng: &mut ChaCha8Rng) -> (Job, f64) {
    let mut job = random_job(rng, 12, With { counterfeits: false, hierarchies: true });
    let least = rng.random_range(2..5usize);
    let most = multiplicities(rng, least);
    let from: Vec<usize> = most.iter().map(|_| rng.random_range(0..job.colours.len())).collect();
    let dims = job.dims;
    let rows: Vec<Vec<f64>> = from.iter().map(|&i| job.points[i * dims..(i + 1) * dims].to_vec()).collect();
    let kinds = spread(rng, &most);
    job.points = kinds.iter().flat_map(|&kind| rows[kind].clone()).collect();
    job.colours = vec![0; kinds.len()];
    job.rule = Rule::at_least(least);
    let kinds = &kinds;
    let of = |kind: usize| (0..kinds.len() as u32).filter(move |&i| kinds[i as usize] == kind);
    let cost = |counts: &[usize]| {
        let records =
            counts.iter().enumerate().flat_map(|(kind, &count)| of(kind).take(count).collect::<Vec<u32>>());
        by_definition(&job, &records.collect::<Vec<u32>>())
    };
    let optimum = optimum(&most, least, cost);
    (job, optimum)
}

/// Solves a job with this budget; says whether its answer is proven to be the best.
fn check(job: &Job, optimum: f64, case: usize) -> bool {
    let answer = solve(job, &Ctx::silent()).unwrap();
    verify(job, &answer).unwrap();
    let slack = 1e-7 * optimum.max(1.0);
    assert!(answer.loss >= optimum - slack, "case {case}: {} below {optimum}", answer.loss);
    let bound = answer.bound.as_ref().map_or(0.0, |bound| bound.value);
    assert!(bound <= optimum + slack, "case {case}: the bound {bound} is above {optimum}");
    let optimal = answer.status == Status::Optimal;
    assert!(!optimal || answer.loss <= optimum + slack, "case {case}: {} is not {optimum}", answer.loss);
    optimal
}

#[test]
fn tables_of_equal_records_are_solved_to_the_optimum() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut proven = 0;
    for case in 0..600 {
        let (job, optimum) = if case % 3 == 0 { penalties(&mut rng) } else { squares(&mut rng) };
        proven += usize::from(check(&job, optimum, case));
    }
    assert_eq!(proven, 600, "small tables are proven");
}

#[test]
fn bounds_of_equal_records_hold_however_early_they_are_taken() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    for case in 0..300 {
        let (mut job, optimum) = if case % 3 == 0 { penalties(&mut rng) } else { squares(&mut rng) };
        job.budget = Budget::Effort([1e-6, 1e-4, 1e-2][case % 3]);
        check(&job, optimum, case);
    }
}

/// The bounds that a run tells, from its first step on.
fn told(job: &Job) -> Vec<f64> {
    let bounds = RefCell::new(Vec::new());
    let progress = |p: &lookalike_model::event::Progress| bounds.borrow_mut().push(p.bound.unwrap_or(0.0));
    let ctx = Ctx { progress: &progress, ..Ctx::silent() };
    let (rule, params) = (job.rule.clone(), AllParams::default());
    if job.loss == Loss::Sse {
        let mut run = column_generation(job, Sse, rule, &params).unwrap();
        while !run.step(&ctx, 0.0).unwrap() {}
    } else {
        let loss = Ncp { binary: job.loss == Loss::NcpBinary };
        let mut run = column_generation(job, loss, rule, &params).unwrap();
        while !run.step(&ctx, 0.0).unwrap() {}
    }
    bounds.into_inner()
}

#[test]
fn a_bound_begins_with_that_of_the_neighbours_and_never_falls() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let (mut runs, mut open) = (0, 0);
    for case in 0..90 {
        let (n, dims) = (40, 1 + case % 6);
        let (mut job, _) = squares(&mut rng);
        job.dims = dims;
        job.points = (0..n * dims).map(|_| f64::from(rng.random_range(0..9u32))).collect();
        job.colours = (0..n as u32).map(|i| if case % 2 == 0 { 0 } else { i % 7 }).collect();
        job.rule = if case % 2 == 0 { Rule::at_least(3) } else { Rule::all_different(3) };
        job.budget = Budget::Effort(0.05);
        if case % 3 == 0 {
            job.loss = Loss::Ncp;
            job.attributes = vec![Attribute { weight: 1.0, ..Attribute::default() }; dims];
        }
        let least = neighbour_bound(&job).unwrap().map_or(0.0, |bound| bound.value);
        let bounds = told(&job);
        runs += usize::from(least > 0.0);
        let first = bounds.first().copied().unwrap_or(f64::INFINITY);
        assert!(first >= least * (1.0 - 1e-7), "case {case}: {first} at first, {least} by neighbours");
        assert!(bounds.windows(2).all(|w| w[1] >= w[0] * (1.0 - 1e-12)), "case {case}: {bounds:?}");
        open += usize::from(bounds.last() > bounds.first());
    }
    assert!(runs > 60 && open > 40, "{runs} runs, {open} of them with better bounds later");
}
