//! Column generation in blocks: a bound of the decomposed problem, and blocks that are not solved twice.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{cell::RefCell, collections::BTreeMap, num::NonZeroUsize};

use lookalike_model::{
    Ctx,
    checkpoint::{Checkpoint, Key},
    job::{BoundOf, JOB_VERSION, Job, Status},
    kept::Kept,
    rule::Rule,
    settings::{
        Budget, ColumnGenerationOptions, Construction, DecomposeOptions, Extent, InBlocks, Loss, Method,
        MethodName,
    },
    verify::verify,
};
use lookalike_optimize::solve::solve;

/// Column generation in so many blocks.
fn in_blocks(blocks: usize) -> Method {
    let count = NonZeroUsize::new(blocks).unwrap();
    let extent = Extent::Blocks(InBlocks { final_swap: false, ..count.into() });
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
        ranks: None,
        further: Vec::new(),
        series: None,
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
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

/// Paper 1's six steps: what two-swapping makes of the union need not keep to the blocks, and has no bound of theirs.
#[test]
fn two_swapping_comes_before_and_after_the_blocks() {
    for rule in [Rule::at_least(3), Rule::all_different(3)] {
        let solved = |swap_first: bool, final_swap: bool| {
            let count = NonZeroUsize::new(4).unwrap();
            let extent = Extent::Blocks(InBlocks { count, swap_first, final_swap });
            let options = ColumnGenerationOptions { extent, ..ColumnGenerationOptions::default() };
            let job = Job { method: options.into(), ..job(rule.clone()) };
            let answer = solve(&job, &Ctx::silent()).unwrap();
            verify(&job, &answer).unwrap();
            answer
        };
        let (union, swapped) = (solved(false, false), solved(false, true));
        assert!(swapped.loss < union.loss, "{} {}", swapped.loss, union.loss);
        assert!(!union.method.to_string().contains("two-swapping"), "{}", union.method);
        let told = swapped.method.to_string();
        assert!(told.contains("within the blocks), then two-swapping of all records"), "{told}");
        let bound = swapped.bound.unwrap();
        assert_eq!(bound.of, BoundOf::WholeProblem, "{}", bound.proven_by);
        // Below what the whole loses at the least, which the bound of the blocks is not.
        let whole = Job { method: MethodName::ColumnGeneration.into(), ..job(rule.clone()) };
        let least = solve(&whole, &Ctx::silent()).unwrap().loss;
        assert!(bound.value <= least && union.bound.unwrap().value > least, "{} {least}", bound.value);

        // Blocks of a start that was swapped before are better ones; the same swaps by the method of the paper's step alone.
        let first = solved(true, false);
        let alone =
            Job { method: Method::TwoSwap { start: Some(Construction::Classic) }, ..job(rule.clone()) };
        let alone = solve(&alone, &Ctx::silent()).unwrap();
        assert!(first.loss <= alone.loss * (1.0 + 1e-9), "{} {}", first.loss, alone.loss);
        assert!(first.method.to_string().starts_with("two-swapping, then"), "{}", first.method);
        let all = solved(true, true);
        assert!(all.loss <= first.loss * (1.0 + 1e-9) && least <= all.loss * (1.0 + 1e-9));
        assert_eq!(all.bound.unwrap().of, BoundOf::WholeProblem);
    }
}

/// Blocks side by side, one by one, and any number of them at once: the same answer to the last bit.
#[test]
fn any_number_of_threads_gives_the_same_answer() {
    let count = NonZeroUsize::new(7).unwrap();
    let extent = Extent::Blocks(InBlocks { swap_first: true, ..count.into() });
    let options = ColumnGenerationOptions { extent, ..ColumnGenerationOptions::default() };
    let job = Job { method: options.into(), ..job(Rule::at_least(2)) };
    let by = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut answer = pool.install(|| solve(&job, &Ctx::silent())).unwrap();
        (answer.threads, answer.seconds) = (0, 0.0);
        answer
    };
    let one = by(1);
    for threads in [2, 3, 8] {
        assert_eq!(by(threads), one, "{threads} threads");
    }
}

/// What several threads have under way when somebody stops the search is admissible, and nothing of it is left for the next one.
#[test]
fn blocks_side_by_side_can_be_stopped_at_any_step() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let job = Job { method: in_blocks(5), ..job(Rule::all_different(3)) };
    let whole = pool.install(|| solve(&job, &Ctx::silent())).unwrap();
    for last in 1..12 {
        let answer = pool
            .install(|| {
                let asked = std::cell::Cell::new(0);
                let cancelled = || {
                    asked.set(asked.get() + 1);
                    asked.get() > 3 * last
                };
                solve(&job, &Ctx { cancelled: &cancelled, ..Ctx::silent() })
            })
            .unwrap();
        verify(&job, &answer).unwrap();
        assert!(answer.loss >= whole.loss * (1.0 - 1e-9));
    }
    let mut again = pool.install(|| solve(&job, &Ctx::silent())).unwrap();
    again.threads = whole.threads;
    assert_eq!(again, whole);
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
