//! Column generation in blocks: a bound of the decomposed problem, and blocks that are not solved twice.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{cell::RefCell, collections::BTreeMap, num::NonZeroUsize};

use lookalike_model::{
    Ctx,
    checkpoint::{Checkpoint, Key},
    job::{BoundOf, JOB_VERSION, Job, Status},
    kept::Kept,
    rule::Rule,
    settings::{Budget, ColumnGenerationOptions, DecomposeOptions, Extent, Loss, Method, MethodName},
    verify::verify,
};
use lookalike_optimize::solve::solve;

/// Column generation in so many blocks.
fn in_blocks(blocks: usize) -> Method {
    let extent = Extent::Blocks(NonZeroUsize::new(blocks).unwrap());
    ColumnGenerationOptions { extent, ..ColumnGenerationOptions::default() }.into()
}

/// Records on a grid, with five colours.
fn job(rule: Rule) -> Job {
    let n = 60u32;
    Job {
        version: JOB_VERSION,
        dims: 2,
        points: (0..n).flat_map(|i| [f64::from(i * 37 % 61), f64::from(i * 17 % 23)]).collect(),
        colours: (0..n).map(|i| i * 7 % 5).collect(),
        rule,
        loss: Loss::Sse,
        method: in_blocks(4),
        budget: Budget::Effort(1.0),
        attributes: Vec::new(),
        series: None,
        seed: 3,
    }
}

/// Keeps blocks in memory and counts.
#[derive(Default)]
struct Memory {
    blocks: RefCell<BTreeMap<Key, Kept>>,
    found: RefCell<usize>,
    saved: RefCell<usize>,
}

impl Checkpoint for Memory {
    fn load(&self, key: &Key) -> Option<Kept> {
        let found = self.blocks.borrow().get(key).cloned();
        *self.found.borrow_mut() += usize::from(found.is_some());
        found
    }

    fn save(&self, key: &Key, part: &Kept) {
        let before = self.blocks.borrow_mut().insert(*key, part.clone());
        assert!(before.is_none() || matches!(before, Some(Kept::Rounds(_))), "solved twice");
        *self.saved.borrow_mut() += 1;
    }
}

#[test]
fn the_bound_is_that_of_the_decomposed_problem() {
    for rule in [Rule::at_least(3), Rule::all_different(3)] {
        let job = job(rule);
        let answer = solve(&job, &Ctx::silent()).unwrap();
        verify(&job, &answer).unwrap();
        assert_eq!(answer.status, Status::EffortSpent, "nothing is proven of the whole");
        let bound = answer.bound.unwrap();
        assert_eq!(bound.of, BoundOf::DecomposedProblem);
        assert!(bound.value <= answer.loss * (1.0 + 1e-9), "{} {}", bound.value, answer.loss);
        // Whoever need not keep to the blocks loses no more.
        let whole = Job { method: MethodName::ColumnGeneration.into(), ..job.clone() };
        let best = solve(&whole, &Ctx::silent()).unwrap();
        assert_eq!(best.bound.as_ref().unwrap().of, BoundOf::WholeProblem);
        assert!(best.loss <= answer.loss * (1.0 + 1e-9), "{} {}", best.loss, answer.loss);
        assert!(best.bound.unwrap().value < bound.value, "the blocks cost something here");
    }
}

#[test]
fn blocks_that_are_finished_are_not_solved_again() {
    let job = job(Rule::at_least(3));
    let undisturbed = solve(&job, &Ctx::silent()).unwrap();
    let kept = Memory::default();
    // Interrupted once a block is finished, again and again.
    for finished in 1..4 {
        let stop = || kept.blocks.borrow().len() >= finished;
        let ctx = Ctx { cancelled: &stop, checkpoint: Some(&kept), ..Ctx::silent() };
        let answer = solve(&job, &ctx).unwrap();
        verify(&job, &answer).unwrap();
        assert_eq!(answer.status, Status::Cancelled);
        // The blocks' bounds are not all there; that of the whole is.
        assert_eq!(answer.bound.unwrap().of, BoundOf::WholeProblem);
        assert_eq!(kept.blocks.borrow().len(), finished);
    }
    let ctx = Ctx { checkpoint: Some(&kept), ..Ctx::silent() };
    *kept.found.borrow_mut() = 0;
    assert_eq!(solve(&job, &ctx).unwrap(), undisturbed);
    assert_eq!((*kept.found.borrow(), kept.blocks.borrow().len()), (3, 4));
    // Nothing of it is of use to another job.
    let other = Job { seed: 4, ..job };
    *kept.found.borrow_mut() = 0;
    let _ = solve(&other, &ctx).unwrap();
    assert_eq!((*kept.found.borrow(), kept.blocks.borrow().len()), (0, 8));
}

#[test]
fn annealed_blocks_and_rounds_that_are_finished_are_not_done_again() {
    // So many records that space is cut into several blocks.
    let n = 7_000u32;
    let nine = DecomposeOptions { blocks: NonZeroUsize::new(9), ..DecomposeOptions::default() };
    for (method, parts) in [(Method::from(nine), 9), (MethodName::Spatial.into(), 6)] {
        let job = Job {
            points: (0..n).flat_map(|i| [f64::from(i * 7919 % 997), f64::from(i * 6007 % 83)]).collect(),
            colours: vec![0; n as usize],
            method,
            budget: Budget::Effort(0.2),
            ..job(Rule::at_least(3))
        };
        let undisturbed = solve(&job, &Ctx::silent()).unwrap();
        verify(&job, &undisturbed).unwrap();
        let kept = Memory::default();
        for finished in [1, 5] {
            let stop = || *kept.saved.borrow() >= finished;
            let ctx = Ctx { cancelled: &stop, checkpoint: Some(&kept), ..Ctx::silent() };
            let answer = solve(&job, &ctx).unwrap();
            verify(&job, &answer).unwrap();
            assert_eq!(answer.status, Status::Cancelled);
        }
        let known = kept.blocks.borrow().len();
        *kept.found.borrow_mut() = 0;
        let ctx = Ctx { checkpoint: Some(&kept), ..Ctx::silent() };
        assert_eq!(solve(&job, &ctx).unwrap(), undisturbed, "{}", method.name().name());
        assert!(*kept.found.borrow() >= known.max(1), "all that was finished is found");
        assert!(*kept.saved.borrow() >= parts, "{}", kept.saved.borrow());
    }
}
