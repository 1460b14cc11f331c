//! One optimum, found in three ways: Liang 2020's general programme, set partitioning over all classes, column generation.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

#[path = "support/ncp.rs"]
mod jobs;

use lookalike_model::{
    Ctx,
    job::{Answer, Job, Status},
    settings::{CarryOptions, Construction, Loss, SortOrder, SubSolver},
    verify::verify,
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::best_partition;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use jobs::{With, by_definition, random_job};

/// Split & Carry with a single sub-problem: the whole table.
fn whole(job: &Job, solver: SubSolver) -> Answer {
    let carry = CarryOptions { sets: job.colours.len(), solver, ..CarryOptions::default() };
    let method = Construction::SplitAndCarry(SortOrder::default(), carry).into();
    solved(&Job { method, ..job.clone() })
}

fn solved(job: &Job) -> Answer {
    let answer = solve(job, &Ctx::silent()).unwrap();
    verify(job, &answer).unwrap();
    answer
}

#[test]
fn programme_set_partitioning_and_column_generation_agree() {
    let mut rng = ChaCha8Rng::seed_from_u64(64);
    let mut compared = std::collections::BTreeMap::new();
    while compared.values().sum::<u32>() < 300 {
        // microlp takes seconds for seven records.
        let job = random_job(&mut rng, 7, With { counterfeits: false, hierarchies: false });
        if job.rule.distinct() {
            continue;
        }
        let k = job.rule.min_size;
        if job.dims > 3 {
            continue;
        }
        let cost = |class: &[usize]| {
            let records: Vec<u32> = class.iter().map(|&i| i as u32).collect();
            (class.len() >= k).then(|| by_definition(&job, &records))
        };
        let (least, _) = best_partition(job.colours.len(), cost).unwrap();
        let generated = solved(&job);
        assert_eq!(generated.status, Status::Optimal);
        let programme = whole(&job, SubSolver::Programme);
        let partitioning = whole(&job, SubSolver::SetPartitioning);
        for (name, answer) in
            [("programme", programme), ("set partitioning", partitioning), ("column generation", generated)]
        {
            let case = (job.loss, k, job.colours.len(), job.dims);
            assert!((answer.loss - least).abs() < 1e-6, "{case:?}, {name}: {} against {least}", answer.loss);
        }
        *compared.entry((job.loss == Loss::NcpBinary, k)).or_insert(0) += 1;
    }
    assert!(compared.len() == 4 && compared.values().all(|count| *count > 10), "{compared:?}");
}
