//! Methods against the papers' numbers, and against each other.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{collections::BTreeMap, path::PathBuf};

use lookalike_core::{
    pipeline::prepare,
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx,
    job::{Answer, Attribute, JOB_VERSION, Job},
    rule::Rule,
    settings::{
        Budget, ChangeOptions, Construction, DecomposeOptions, Loss, Method, MethodName, Missing, Model,
        Publish, Repair, Settings,
    },
    verify::verify,
};
use lookalike_optimize::solve::solve;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Liang 2020, Table 2a: age, sex, severity of the injury, drinking.
const FARS: [[u8; 4]; 20] = [
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

fn job(dims: usize, points: Vec<f64>, colours: Vec<u32>, rule: Rule, method: MethodName, effort: f64) -> Job {
    Job {
        version: JOB_VERSION,
        dims,
        points,
        colours,
        rule,
        loss: Loss::Sse,
        method: method.into(),
        budget: Budget::Effort(effort),
        attributes: Vec::new(),
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 1,
    }
}

fn fars(weights: [f64; 4], method: MethodName) -> Job {
    let (low, width) = ([18.0, 1.0, 0.0, 0.0], [62.0, 1.0, 4.0, 1.0]);
    let points = FARS.iter().flat_map(|row| (0..4).map(|j| (f64::from(row[j]) - low[j]) / width[j]));
    Job {
        loss: Loss::Ncp,
        attributes: weights.map(|weight| Attribute { weight, ..Attribute::default() }).to_vec(),
        ..job(4, points.collect(), vec![0; 20], Rule::at_least(3), method, 20.0)
    }
}

fn run(job: &Job) -> Answer {
    let answer = solve(job, &Ctx::silent()).unwrap();
    verify(job, &answer).unwrap();
    answer
}

fn classes(answer: &Answer) -> Vec<Vec<usize>> {
    let count = answer.labels.iter().max().map_or(0, |&l| l as usize + 1);
    let mut classes = vec![Vec::new(); count];
    for (i, &l) in answer.labels.iter().enumerate() {
        classes[l as usize].push(i);
    }
    classes.sort();
    classes
}

#[test]
fn the_papers_20_records_are_solved_to_the_unique_optimum() {
    // Table 4b and c; 19.266129 for the unweighted sum, computed by hand.
    let equal = [
        vec![0, 2, 15, 17],
        vec![1, 11, 12],
        vec![3, 4, 18],
        vec![5, 6, 8, 9],
        vec![7, 10, 16],
        vec![13, 14, 19],
    ];
    let unequal = [
        vec![0, 8, 10, 16],
        vec![1, 14, 15],
        vec![2, 3, 13, 18],
        vec![4, 6, 9],
        vec![5, 7, 11],
        vec![12, 17, 19],
    ];
    for method in [
        MethodName::Annealing,
        MethodName::Auto,
        MethodName::LargeNeighbourhood,
        MethodName::ColumnGeneration,
    ] {
        let answer = run(&fars([1.0; 4], method));
        assert!((answer.loss - 19.266_129).abs() < 1e-6, "{method:?}: {}", answer.loss);
        assert_eq!(classes(&answer), equal, "{method:?}");
        assert_eq!(classes(&run(&fars([0.8, 0.05, 0.1, 0.05], method))), unequal, "{method:?}");
    }
}

/// Random points on a grid, so that there are ties and duplicates, with dense colours.
fn random(rng: &mut ChaCha8Rng, n: usize, dims: usize, colours: u32) -> (Vec<f64>, Vec<u32>) {
    let points = (0..n * dims).map(|_| f64::from(rng.random_range(0..40u32)) / 10.0).collect();
    let colours = (0..n as u32).map(|i| if i < colours { i } else { rng.random_range(0..colours) }).collect();
    (points, colours)
}

#[test]
fn auto_is_never_worse_than_a_construction_plus_descent() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let mut compared = 0;
    for case in 0..10 {
        let n = 60 + 40 * case;
        let dims = 1 + case % 4;
        let (points, colours) = random(&mut rng, n, dims, 9);
        let rule =
            if case % 2 == 0 { Rule::at_least(2 + case / 2) } else { Rule::all_different(2 + case / 3) };
        let colours = if case % 2 == 0 { vec![0; n] } else { colours };
        let auto = run(&job(dims, points.clone(), colours.clone(), rule.clone(), MethodName::Auto, 5.0));
        for start in Construction::all() {
            let mut other =
                job(dims, points.clone(), colours.clone(), rule.clone(), MethodName::TwoSwap, 5.0);
            other.method = Method::TwoSwap { start: Some(start) };
            // Not every construction is defined for every instance.
            if let Ok(answer) = solve(&other, &Ctx::silent()) {
                verify(&other, &answer).unwrap();
                compared += 1;
                assert!(
                    auto.loss <= answer.loss + 1e-9,
                    "case {case}, {start:?}: {} {}",
                    auto.loss,
                    answer.loss
                );
            }
        }
    }
    assert!(compared > 60, "only {compared}");
}

#[test]
fn searches_do_not_depend_on_threads_and_improve_their_start() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (points, colours) = random(&mut rng, 300, 2, 8);
    for rule in [Rule::at_least(3), Rule::all_different(3)] {
        // The programme is for few records and another loss.
        let searches = |m: &MethodName| m.is_search() && *m != MethodName::Programme;
        for method in MethodName::ALL.into_iter().filter(searches) {
            let mut job = job(2, points.clone(), colours.clone(), rule.clone(), method, 3.0);
            if method == MethodName::Decompose {
                let blocks = std::num::NonZeroUsize::new(3);
                job.method = DecomposeOptions { blocks, swap_first: true, start: None }.into();
            }
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| run(&job))
            };
            let (one, three) = (on(1), on(3));
            assert_eq!((&one.labels, one.loss), (&three.labels, three.loss), "{method:?}");
            let start = run(&Job { budget: Budget::Effort(0.0), ..job.clone() });
            assert!(one.loss < 0.95 * start.loss, "{method:?}: {} from {}", one.loss, start.loss);
            assert!(start.method.to_string().contains("the budget left nothing"), "{}", start.method);
        }
    }
}

#[test]
fn methods_that_do_not_fit_the_job_are_refused() {
    let points: Vec<f64> = (0..40).map(f64::from).collect();
    let refused = |method, rule| {
        let job = Job { method, ..job(1, points.clone(), vec![0; 40], rule, MethodName::Auto, 1.0) };
        solve(&job, &Ctx::silent()).unwrap_err().to_string()
    };
    let tau = Method::TwoSwap { start: Some(Construction::Tau) };
    assert!(refused(tau, Rule::at_least(2)).contains("sensitive"));
    let large = refused(MethodName::LargeNeighbourhood.into(), Rule::at_least(9));
    assert!(large.contains("k = 9") && large.contains("at most 7"), "{large}");
    let infeasible = refused(Method::default(), Rule::at_least(41));
    assert!(infeasible.contains("largest possible k is 40"), "{infeasible}");
}

#[test]
fn mdav_gives_the_losses_of_the_literature() {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let folder = std::env::var_os("LOOKALIKE_DATA").map_or(beside, PathBuf::from);
    for (file, expected) in [
        ("census.csv", [5.6922, 7.4947, 9.0884, 14.1559]),
        ("tarragona.csv", [16.9326, 19.5460, 22.4619, 33.1929]),
        ("eia-11.csv", [0.4829, 0.6713, 1.6667, 3.8397]),
    ] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            let required = std::env::var("LOOKALIKE_REQUIRE_DATA").is_ok_and(|value| value == "1");
            assert!(!(required && folder.is_dir()), "{file} is not in {}", folder.display());
            println!("SKIPPED: {file} is not in {} (set LOOKALIKE_DATA)", folder.display());
            continue;
        };
        let table = read(&bytes, &ReadOptions::default()).unwrap();
        for (k, expected) in [3, 4, 5, 10].into_iter().zip(expected) {
            let settings = Settings {
                quasi: table.columns.iter().map(|c| c.name.clone()).collect(),
                sensitive: None,
                keep: Vec::new(),
                unchanged: Vec::new(),
                kinds: BTreeMap::new(),
                model: Model::KAnonymity { k },
                loss: Loss::Sse,
                weights: BTreeMap::new(),
                method: MethodName::Mdav.into(),
                publish: Publish::Range,
                eligibility: Repair::Error,
                missing: Missing::default(),
                budget: Budget::default(),
                bound: lookalike_model::settings::BoundWork::Quick,
                duals: false,
                scheme: lookalike_model::settings::Scheme::Classes,
                seed: Some(1),
                changes: ChangeOptions::default(),
                orders: BTreeMap::new(),
                publish_columns: BTreeMap::new(),
                hierarchies: BTreeMap::new(),
                domains: BTreeMap::new(),
                pad: BTreeMap::new(),
                labels: BTreeMap::new(),
                coding: BTreeMap::new(),
                suppress: None,
                rows_are: None,
                output: lookalike_model::settings::Output::default(),
                class_column: lookalike_model::settings::ClassColumn::default(),
                conditions: Vec::new(),
                conditions_of: std::collections::BTreeMap::new(),
                sets: Vec::new(),
                sample: lookalike_model::settings::Sample::default(),
                risk_threshold: None,
            };
            let prepared = prepare(&table, &settings, &Ctx::silent()).unwrap();
            let job = prepared.job();
            let loss = run(job).loss;
            // Every attribute is z-scored: SST is n d.
            let percent = 100.0 * loss / job.points.len() as f64;
            assert!((percent - expected).abs() < 5e-5, "{file}, k = {k}: {percent}");
        }
    }
}

#[test]
fn equal_records_are_settled_where_there_are_many() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let n = 15_000;
    // A few thousand points, some of which hold a hundred records.
    let points: Vec<f64> = (0..2 * n)
        .map(|_| {
            f64::from(rng.random_range(0..60u32).min(rng.random_range(0..60)).min(rng.random_range(0..60)))
        })
        .collect();
    for rule in [Rule::at_least(4), Rule::all_different(4)] {
        let colours = if rule.distinct() { (0..n as u32).map(|i| i % 17).collect() } else { vec![0; n] };
        let auto = job(2, points.clone(), colours, rule.clone(), MethodName::Auto, 0.3);
        let answer = run(&auto);
        assert!(answer.method.to_string().contains("classes of equal points"), "{}", answer.method);
        // Who asks for a search by name gets it on all records.
        let named = run(&Job { method: MethodName::Spatial.into(), ..auto.clone() });
        assert!(!named.method.to_string().contains("equal"), "{}", named.method);
        assert!(answer.loss < 1.02 * named.loss, "{rule:?}: {} {}", answer.loss, named.loss);
    }
}
