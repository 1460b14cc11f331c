//! Column generation against brute force and against the full linear programme, on instances small enough for both.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

mod support;

use std::sync::Arc;

use lookalike_model::{
    Ctx, ErrorKind,
    instance::Instance,
    job::{Answer, Attribute, Job, Status},
    loss::Sse,
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions},
    verify::verify,
};
use lookalike_optimize::{
    Error,
    exact::{AllParams, ExactFault, column_generation, problem::Problem},
    solve::solve,
};
use lookalike_testkit::best_partition_sse;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use support::{full_relaxation, job};

fn run(job: &Job, rule: Rule) -> (Answer, Option<f64>) {
    let mut search = column_generation(job, Sse, rule, &AllParams::default()).unwrap();
    while !search.step(&Ctx::silent(), 0.0).unwrap() {}
    (search.finish(), search.relaxation())
}

/// Random points: with duplicates on a grid, or in general position.
fn random_points(rng: &mut ChaCha8Rng, n: usize, dims: usize) -> Vec<f64> {
    let grid = rng.random_bool(0.5);
    (0..n * dims)
        .map(|_| if grid { f64::from(rng.random_range(0..6u32)) } else { 10.0 * rng.random::<f64>() })
        .collect()
}

#[test]
fn small_instances_are_proven_optimal_and_the_relaxation_is_that_of_all_classes() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut solved, mut converged) = (0, 0);
    for case in 0..300 {
        let n = rng.random_range(6..13usize);
        let dims = rng.random_range(1..7usize);
        let least = rng.random_range(2..4usize);
        let points = random_points(&mut rng, n, dims);
        let coloured = case % 2 == 0;
        let colours: Vec<u32> = (0..n as u32)
            .map(|i| {
                if !coloured {
                    0
                } else if i < 4 {
                    i
                } else {
                    rng.random_range(0..4)
                }
            })
            .collect();
        let optimum = best_partition_sse(&points, dims, coloured.then_some(&colours), least);
        if optimum.is_infinite() {
            continue;
        }
        let rule = if coloured { Rule::all_different(least) } else { Rule::at_least(least) };
        let job = job(dims, &points, &colours, rule);
        let instance = Arc::new(Instance::from_job(&job).unwrap());
        let (problem, (answer, relaxation)) = if coloured {
            let rule = Rule::all_different(least);
            (Problem::new(&instance, &Sse, &rule).unwrap(), run(&job, rule))
        } else {
            let rule = Rule::at_least(least);
            (Problem::new(&instance, &Sse, &rule).unwrap(), run(&job, rule))
        };
        verify(&job, &answer).unwrap();
        let scale = 1e-6 * optimum.max(1.0);
        assert!((answer.loss - optimum).abs() < scale, "case {case}: {} against {optimum}", answer.loss);
        assert_eq!(answer.status, Status::Optimal, "case {case}");
        let bound = answer.bound.unwrap();
        assert!((bound.value - optimum).abs() < scale && !bound.proven_by.is_empty());
        let (full, _) = full_relaxation(&problem);
        // A gap that was closed before the end was closed by the relaxation.
        let reached = relaxation.unwrap_or(bound.value);
        assert!((reached - full).abs() < scale, "case {case}: relaxation {reached}, of all classes {full}");
        converged += usize::from(relaxation.is_some());
        solved += 1;
    }
    assert!(solved > 200 && converged > 20, "{solved} solved, {converged} converged");
}

#[test]
fn counterfeits_with_classes_of_one_size_are_bounded_too() {
    // Six records of colour 0 need two others each: all classes have three records.
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..20 {
        let points: Vec<f64> = (0..12).map(|_| rng.random::<f64>()).collect();
        let colours = [0, 0, 0, 0, 1, 2, 1, 1, 1, 2, 2, 2];
        let job = job(2, &points, &colours, Rule::all_different(3));
        let answer = solve(&job, &Ctx::silent()).unwrap();
        verify(&job, &answer).unwrap();
        assert_eq!(answer.status, Status::Optimal);
        // Brute force over who of colour 0 gets the real records of colours 1 and 2.
        let at = |i: usize| (points[2 * i], points[2 * i + 1]);
        let square = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).powi(2) + (a.1 - b.1).powi(2);
        let mut least = f64::INFINITY;
        for a in 0..4 {
            for b in 0..4 {
                let loss = if a == b {
                    (square(at(a), at(4)) + square(at(a), at(5)) + square(at(4), at(5))) / 3.0
                } else {
                    f64::midpoint(square(at(a), at(4)), square(at(b), at(5)))
                };
                least = least.min(loss);
            }
        }
        assert!((answer.loss - least).abs() < 1e-9, "{} against {least}", answer.loss);
        assert!((answer.bound.unwrap().value - least).abs() < 1e-6);
    }
}

#[test]
fn counterfeits_with_classes_of_several_sizes_get_the_bound_by_neighbours_alone() {
    let job = job(1, &[0.0, 1.0, 5.0, 6.0], &[0, 1, 0, 1, 2], Rule::all_different(2));
    let answer = solve(&job, &Ctx::silent()).unwrap();
    verify(&job, &answer).unwrap();
    // Each costs a quarter beside its nearest, or nothing beside the one counterfeit: 4/4 less 1/4. The best is 1.
    let bound = answer.bound.unwrap();
    assert_eq!(bound.proven_by.id(), "optimize.ProvenByDuals.Nearest");
    assert!((bound.value - 0.75).abs() < 1e-6 && (answer.loss - 1.0).abs() < 1e-9, "{}", bound.value);
    assert_ne!(answer.status, Status::Optimal);
}

#[test]
fn equal_points_lose_nothing_and_need_no_proof() {
    let answer = solve(&job(2, &[3.0; 14], &[0; 7], Rule::at_least(3)), &Ctx::silent()).unwrap();
    assert_eq!((answer.loss, answer.status), (0.0, Status::Optimal));
    assert_eq!(answer.bound.unwrap().value, 0.0);
}

#[test]
fn scales_and_offsets_do_not_break_the_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let base: Vec<f64> = (0..40).map(|_| rng.random::<f64>()).collect();
    let colours: Vec<u32> = (0..20).map(|i| i % 5).collect();
    let run = |scale: f64, offset: f64| {
        let points: Vec<f64> = base.iter().map(|x| x * scale + offset).collect();
        let answer = solve(&job(2, &points, &colours, Rule::all_different(3)), &Ctx::silent()).unwrap();
        let bound = answer.bound.unwrap().value;
        assert!(bound <= answer.loss * (1.0 + 1e-9));
        assert!(bound > 0.9 * answer.loss, "{bound} of {}", answer.loss);
        answer.loss / (scale * scale)
    };
    let plain = run(1.0, 0.0);
    for (scale, offset) in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e6)] {
        assert!((run(scale, offset) - plain).abs() < 1e-6 * plain, "{scale} {offset}");
    }
}

#[test]
fn an_effort_is_reproducible_and_a_gap_stops_the_run() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let points: Vec<f64> = (0..240).map(|_| rng.random::<f64>()).collect();
    let mut wide = job(2, &points, &[0; 120], Rule::at_least(4));
    wide.budget = Budget::Effort(0.3);
    let (a, b) = (solve(&wide, &Ctx::silent()).unwrap(), solve(&wide, &Ctx::silent()).unwrap());
    assert_eq!(
        (&a.labels, a.bound.as_ref().map(|b| b.value)),
        (&b.labels, b.bound.as_ref().map(|b| b.value))
    );
    wide.budget = Budget::Effort(5.0);
    let stop_gap_percent = Some(30.0);
    wide.method = ColumnGenerationOptions { stop_gap_percent, ..ColumnGenerationOptions::default() }.into();
    let stopped = solve(&wide, &Ctx::silent()).unwrap();
    assert!(matches!(stopped.status, Status::GapReached | Status::Optimal));
    assert!(stopped.bound.unwrap().value >= 0.7 * stopped.loss);
}

#[test]
fn a_cancelled_run_keeps_its_best_and_its_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let points: Vec<f64> = (0..600).map(|_| rng.random::<f64>()).collect();
    let colours: Vec<u32> = (0..200).map(|i| i % 9).collect();
    let mut job = job(3, &points, &colours, Rule::all_different(3));
    job.budget = Budget::Effort(100.0);
    let bounded = std::cell::Cell::new(false);
    let progress = |p: &lookalike_model::event::Progress| {
        let gap = p.bound.is_some_and(|b| b > 0.0);
        assert!(p.bound.is_none_or(|b| b <= p.incumbent.unwrap()));
        bounded.set(bounded.get() || gap);
    };
    let ctx = Ctx { progress: &progress, cancelled: &|| bounded.get(), ..Ctx::silent() };
    let answer = solve(&job, &ctx).unwrap();
    verify(&job, &answer).unwrap();
    assert!(matches!(answer.status, Status::Cancelled | Status::Optimal));
    assert!(answer.bound.unwrap().value > 0.0);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let refused = |dims, points: &[f64], colours: &[u32], rule| {
        solve(&job(dims, points, colours, rule), &Ctx::silent()).unwrap_err()
    };
    assert!(matches!(refused(1, &[1.0, 2.0], &[0, 0], Rule::at_least(3)).kind(), ErrorKind::Infeasible));
    assert!(matches!(
        refused(1, &[1.0, 2.0], &[0, 0], Rule::at_least(1)),
        Error::Model(lookalike_model::Error::ProtectsNobody { .. })
    ));
    let many: Vec<f64> = (0..20_001).map(f64::from).collect();
    assert_eq!(
        refused(1, &many, &vec![0; 20_001], Rule::at_least(3)),
        Error::Exact(ExactFault::TooManyRecords { records: 20_001, most: 20_000 })
    );
}

/// Six labels under three, these under two, where a level is 3 apart: their nodes by level, and as leaves.
const NODES: [[usize; 3]; 6] = [[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 1, 0], [4, 2, 1], [5, 2, 1]];
const JOINS: [f64; 5] = [3.0, 6.0, 3.0, 9.0, 3.0];

#[test]
fn labels_that_are_leaves_are_proven_as_their_coordinates_would_be() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut solved = 0;
    for case in 0..60 {
        let n = rng.random_range(6..11usize);
        let numbers = rng.random_range(0..2usize);
        let rows: Vec<(usize, f64)> =
            (0..n).map(|_| (rng.random_range(0..6), 6.0 * rng.random::<f64>())).collect();
        let colours: Vec<u32> =
            (0..n as u32).map(|i| if i < 4 { i } else { rng.random_range(0..4) }).collect();
        let one_hot = rows.iter().flat_map(|&(label, x)| {
            let mut point = vec![0.0; 11 + numbers];
            for (level, node) in NODES[label].into_iter().enumerate() {
                point[[0, 6, 9][level] + node] = 1.5_f64.sqrt();
            }
            point[11..].fill(x);
            point
        });
        let coloured = (case % 2 == 0).then_some(&colours[..]);
        let optimum = best_partition_sse(&one_hot.collect::<Vec<f64>>(), 11 + numbers, coloured, 2);
        if optimum.is_infinite() {
            continue;
        }
        let points: Vec<f64> = rows
            .iter()
            .flat_map(|&(label, x)| std::iter::once(label as f64).chain(vec![x; numbers]))
            .collect();
        let rule = if coloured.is_some() { Rule::all_different(2) } else { Rule::at_least(2) };
        let colours = coloured.map_or_else(|| vec![0; n], <[u32]>::to_vec);
        let mut job = job(1 + numbers, &points, &colours, rule.clone());
        job.attributes = vec![Attribute::default(); 1 + numbers];
        job.attributes[0].joins = Some(JOINS.to_vec());
        let (answer, _) = run(&job, rule);
        verify(&job, &answer).unwrap();
        let scale = 1e-6 * optimum.max(1.0);
        assert!((answer.loss - optimum).abs() < scale, "case {case}: {} against {optimum}", answer.loss);
        assert_eq!(answer.status, Status::Optimal, "case {case}");
        assert!(answer.bound.unwrap().value <= optimum + scale);
        solved += 1;
    }
    assert!(solved > 40, "{solved}");
}
