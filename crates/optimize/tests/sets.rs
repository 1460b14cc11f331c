//! Classes with groups of sets of attributes: against brute force on tables of up to nine records.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_model::{
    Ctx,
    instance::Instance,
    job::{Attribute, Job, Status},
    loss::{Loss, Ncp, Sse},
    partition::Partition,
    rule::Rule,
    sets::{AttributeSet, parts},
    settings::{Budget, Loss as LossName, Method, MethodName},
    verify::verify,
};
use lookalike_optimize::solve::solve;
use proptest::prelude::*;

/// All partitions of `n` things, as labels by first appearance.
fn partitions(n: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let next = |labels: &Vec<u32>| {
            let classes = labels.iter().max().map_or(0, |&last| last + 1);
            let labels = labels.clone();
            (0..=classes).map(move |label| labels.iter().copied().chain([label]).collect())
        };
        all = all.iter().flat_map(next).collect();
    }
    all
}

fn large(labels: &[u32], least: usize) -> bool {
    Partition::from_labels(labels).members().iter().all(|class| class.len() >= least)
}

fn loss(part: &Job, labels: &[u32]) -> f64 {
    let (instance, partition) = (Instance::from_job(part).unwrap(), Partition::from_labels(labels));
    let of = |loss: &dyn Fn(&[u32]) -> f64| partition.members().iter().map(|class| loss(class)).sum();
    match part.loss {
        LossName::Sse => of(&|class| Sse.class(&instance, class)),
        _ => of(&|class| Ncp { binary: part.loss == LossName::NcpBinary }.class(&instance, class)),
    }
}

/// The least loss of classes with groups, and that of one partition with the largest size.
fn brute(job: &Job) -> (f64, f64) {
    let parts = parts(job);
    let (rest, sets) = parts.split_last().unwrap();
    let all = partitions(job.colours.len());
    let groupings: Vec<Vec<Vec<u32>>> = (0..=4).map(partitions).collect();
    let least = |classes: &Vec<u32>| {
        let count = Partition::from_labels(classes).classes;
        let of_set = |set: &Job| {
            let grouped = groupings[count]
                .iter()
                .map(|group| classes.iter().map(|&class| group[class as usize]).collect::<Vec<u32>>());
            let grouped = grouped.filter(|labels| large(labels, set.rule.min_size));
            grouped.map(|labels| loss(set, &labels)).fold(f64::INFINITY, f64::min)
        };
        loss(rest, classes) + sets.iter().map(of_set).sum::<f64>()
    };
    let best = all.iter().filter(|labels| large(labels, job.rule.min_size));
    let best = best.map(least).fold(f64::INFINITY, f64::min);
    let largest = job.sets.iter().map(|set| set.least).max().unwrap();
    let one = all.iter().filter(|labels| large(labels, largest));
    let one =
        one.map(|labels| parts.iter().map(|part| loss(part, labels)).sum()).fold(f64::INFINITY, f64::min);
    (best, one)
}

fn job(points: &[u8], name: LossName, sets: &[(Vec<usize>, usize)]) -> Job {
    let step = if name == LossName::Sse { 1.0 } else { 0.2 };
    let points: Vec<f64> = points.iter().map(|&x| f64::from(x) * step).collect();
    let attribute = |rank| Attribute { weight: 1.0, rank, ..Attribute::default() };
    let sets =
        sets.iter().map(|(attributes, least)| AttributeSet { attributes: attributes.clone(), least: *least });
    Job {
        loss: name,
        attributes: (0..3).map(attribute).collect(),
        budget: Budget::Effort(2.0),
        sets: sets.collect(),
        ..Job::of(3, points, Rule::at_least(2))
    }
}

/// The attributes of each set, and its least size.
type SetsOf = Vec<(Vec<usize>, usize)>;

fn cases() -> impl Strategy<Value = (Vec<u8>, LossName, SetsOf)> {
    let loss = prop_oneof![Just(LossName::Sse), Just(LossName::Ncp), Just(LossName::NcpBinary)];
    let set = |attributes: &[usize], least: usize| (attributes.to_vec(), least);
    let sets = (3..=4_usize, 3..=4_usize).prop_flat_map(move |(a, b)| {
        prop_oneof![
            Just(vec![set(&[0], a)]),
            Just(vec![set(&[0, 2], b)]),
            Just(vec![set(&[0], a), set(&[1, 2], b)]),
            Just(vec![set(&[0], a), set(&[2], b)]),
        ]
    });
    (5..=9_usize)
        .prop_flat_map(|n| prop::collection::vec(0..6_u8, 3 * n))
        .prop_flat_map(move |points| (Just(points), loss.clone(), sets.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_loses_less_than_what_is_proven((points, name, sets) in cases(), columns in any::<bool>()) {
        let mut job = job(&points, name, &sets);
        if columns {
            job.method = Method::from(MethodName::ColumnGeneration);
        }
        let answer = solve(&job, &Ctx::silent()).unwrap();
        verify(&job, &answer).unwrap();
        let (best, one) = brute(&job);
        let near = 1e-9 * (1.0 + best);
        prop_assert!(answer.loss >= best - near, "{} {best}", answer.loss);
        if let Some(bound) = &answer.bound {
            prop_assert!(bound.value <= best + near, "{} {best}", bound.value);
        }
        if answer.status == Status::Optimal {
            prop_assert!((answer.loss - best).abs() <= near, "{} {best}", answer.loss);
        }
        // One partition with the largest size is one of the starts; column generation solves it to the end.
        if columns {
            prop_assert!(answer.loss <= one + near, "{} {one}", answer.loss);
        }
    }
}

/// The search is no proof: annealing keeps the number of classes and groups of its starts. On average it is near the optimum.
#[test]
fn small_tables_are_near_the_optimum() {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut ratios = Vec::new();
    for case in 0..30 {
        let n = 7 + case % 3;
        let points: Vec<u8> = (0..3 * n).map(|_| next(6) as u8).collect();
        let sets = match case % 3 {
            0 => vec![(vec![0, 2], 4)],
            1 => vec![(vec![0], 3), (vec![1, 2], 4)],
            _ => vec![(vec![0], 4), (vec![2], 3)],
        };
        let name = if case % 2 == 0 { LossName::Sse } else { LossName::Ncp };
        let job = job(&points, name, &sets);
        let answer = solve(&job, &Ctx::silent()).unwrap();
        let (best, _) = brute(&job);
        ratios.push((answer.loss + 1e-9) / (best + 1e-9));
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    println!("{mean:.4} {ratios:?}");
    assert!(mean <= 1.05, "{mean}: {ratios:?}");
}

#[test]
fn the_same_job_has_the_same_answer_and_a_cancelled_one_has_one() {
    let points: Vec<u8> = (0..180_u32).map(|at| (at * at % 47 % 6) as u8).collect();
    let job =
        Job { budget: Budget::Effort(0.3), ..job(&points, LossName::Ncp, &[(vec![0], 7), (vec![1], 11)]) };
    let labels = || {
        let answer = solve(&job, &Ctx::silent()).unwrap();
        (answer.labels, answer.coarser)
    };
    assert_eq!(labels(), labels());
    let stopped = || true;
    let answer = solve(&job, &Ctx { cancelled: &stopped, ..Ctx::silent() }).unwrap();
    verify(&job, &answer).unwrap();
    assert_eq!(answer.status, Status::Cancelled);
}

#[test]
fn too_large_a_set_is_refused() {
    let job = job(&[0; 15], LossName::Sse, &[(vec![0], 6)]);
    assert!(solve(&job, &Ctx::silent()).is_err());
}
