//! Blocks that others solve: whoever solves them, in whatever order, the answer is that of one process.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    cell::{Cell, RefCell},
    num::NonZeroUsize,
};

use lookalike_model::{
    Ctx,
    block::{AnnealBlock, Block, Work},
    checkpoint::{Checkpoint, Key, Queue},
    job::{Answer, Attribute, Bound, Claimed, FurtherValues, JOB_VERSION, Job, Ranks, Status},
    kept::{Annealed, Kept},
    rule::{Distance, Ground, Positive, Rule, Share, ValueCondition},
    settings::{
        Budget, ColumnGenerationOptions, DecomposeOptions, Extent, InBlocks, Loss, Method, MethodName,
    },
    verify::verify,
};
use lookalike_optimize::solve::{solve, solve_block};
use lookalike_wire::block;
use lookalike_words::{Arg, Said};

/// Solves blocks from their bytes, the last one first, or says something else.
struct Others {
    room: usize,
    open: RefCell<Vec<(u64, Vec<u8>)>>,
    put: Cell<usize>,
    taken: Cell<usize>,
    lies: Option<fn(u64, Kept) -> Kept>,
}

impl Others {
    fn new(room: usize) -> Self {
        Self { room, open: RefCell::default(), put: Cell::new(0), taken: Cell::new(0), lies: None }
    }
}

impl Queue for Others {
    fn room(&self) -> usize {
        self.room - self.open.borrow().len()
    }

    fn put(&self, number: u64, block: Block) {
        assert!(self.room() > 0, "no room was promised");
        assert!(self.open.borrow().iter().all(|open| open.0 != number), "the number is taken");
        self.put.set(self.put.get() + 1);
        self.open.borrow_mut().push((number, block::encode(block).unwrap()));
    }

    fn take(&self) -> Option<(u64, Kept)> {
        // Not always, and never in order.
        if self.open.borrow().len() < self.room && self.taken.get().is_multiple_of(3) {
            self.taken.set(self.taken.get() + 1);
            return None;
        }
        let (number, bytes) = self.open.borrow_mut().pop()?;
        self.taken.set(self.taken.get() + 1);
        let block = block::decode(&bytes).unwrap();
        let kept = solve_block(&block, &Ctx::silent()).unwrap().unwrap();
        Some((number, self.lies.map_or(kept.clone(), |lie| lie(number, kept))))
    }
}

impl Checkpoint for Others {
    fn load(&self, _: &Key) -> Option<Kept> {
        None
    }

    fn save(&self, _: &Key, _: &Kept) {}

    fn queue(&self) -> Option<&dyn Queue> {
        Some(self)
    }
}

/// Records on a grid with five colours, the last of them counterfeits; one attribute of four is a category under NCP.
fn job(method: Method, rule: Rule, loss: Loss, n: u32, counterfeits: u32) -> Job {
    let attributes = (0..4).map(|rank| Attribute {
        weight: 0.25,
        levels: (rank == 2).then_some(7),
        rank,
        ..Attribute::default()
    });
    let row = |i: u32| {
        [f64::from(i * 7919 % 997) / 997.0, f64::from(i * 6007 % 83) / 83.0, f64::from(i * 31 % 7), 0.5]
    };
    Job {
        version: JOB_VERSION,
        dims: 4,
        points: (0..n - counterfeits).flat_map(row).collect(),
        colours: (0..n).map(|i| i * 7 % 5).collect(),
        rule,
        loss,
        method,
        budget: Budget::Effort(0.05),
        attributes: attributes.collect(),
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

fn jobs() -> Vec<(Job, usize)> {
    let (k, m) = (Rule::at_least(3), Rule::all_different(3));
    let decompose =
        |blocks| DecomposeOptions { blocks: NonZeroUsize::new(blocks), ..DecomposeOptions::default() }.into();
    let spatial = Method::from(MethodName::Spatial);
    let count = NonZeroUsize::new(4).unwrap();
    let four = ColumnGenerationOptions {
        extent: Extent::Blocks(InBlocks { final_swap: false, ..count.into() }),
        ..ColumnGenerationOptions::default()
    };
    vec![
        (job(decompose(7), k.clone(), Loss::Sse, 700, 0), 7),
        (job(decompose(5), m.clone(), Loss::Ncp, 500, 5), 5),
        (job(spatial, k.clone(), Loss::Ncp, 6_500, 0), 12),
        (job(spatial, m, Loss::Sse, 6_500, 11), 12),
        (job(four.into(), k, Loss::Sse, 60, 0), 4),
        (under_conditions(job(spatial, Rule::at_least(3), Loss::Sse, 6_500, 0)), 12),
    ]
}

/// The same under conditions that go by the whole table, of which a block is a part. Bounds are another matter.
fn under_conditions(job: Job) -> Job {
    let close = ValueCondition::TCloseness { t: Distance::try_from(0.2).unwrap(), distance: Ground::Ordered };
    let delta = ValueCondition::DeltaDisclosure { delta: Positive::try_from(1.6).unwrap() };
    let further = (0..job.colours.len()).map(|i| (i * 7 % 11 % 4) as u32).collect();
    let alpha = ValueCondition::Frequency { alpha: Share::try_from(0.7).unwrap() };
    Job {
        rule: Rule::with_columns(3, [(0, close), (0, delta), (1, alpha)]),
        ranks: Some(Ranks {
            colours: vec![1, 0, 2, 5, 4],
            count: 6,
            places: Vec::new(),
            branches: Vec::new(),
        }),
        further: vec![FurtherValues { values: further, ranks: None }],
        bound: lookalike_model::settings::BoundWork::Off,
        ..job
    }
}

fn solved(job: &Job, others: &Others) -> Answer {
    let answer = solve(job, &Ctx { checkpoint: Some(others), ..Ctx::silent() }).unwrap();
    verify(job, &answer).unwrap();
    // Who took part is another matter.
    Answer { threads: 1, ..answer }
}

/// The same without what is said of a bound: what others say of theirs is a claim.
fn bare(answer: &Answer) -> Answer {
    let method = answer.method.to_string();
    let method = Said::verbatim(method.split(" of whole classes").next().unwrap());
    Answer { bound: None, claimed: None, method, ..answer.clone() }
}

/// Whether what is proven is no more than this process has proven by itself, before and after others had a part.
fn own_alone(answer: &Answer) -> bool {
    answer.bound.as_ref().is_none_or(|bound| bound.proven_by.id().starts_with("optimize.ProvenByDuals."))
}

/// Others claim the bound that one process proves, and nothing is called proven that this process has not solved itself.
fn assert_claimed(answer: &Answer, one: &Answer) {
    assert!(one.claimed.is_none() && own_alone(answer));
    // By the neighbours each has proven the same.
    let of_blocks = one.bound.as_ref().filter(|_| !own_alone(one));
    let claimed = of_blocks.map(|bound| Claimed { bound: Some(bound.value), of: bound.of });
    assert!(of_blocks.is_some() || answer.bound == one.bound);
    assert_eq!(answer.claimed, claimed);
    assert!(
        claimed.is_none() || answer.method.to_string().contains("according to the workers"),
        "{}",
        answer.method
    );
}

#[test]
fn the_answer_is_that_of_one_process() {
    for (job, least) in jobs() {
        let one = Answer { threads: 1, ..solve(&job, &Ctx::silent()).unwrap() };
        for room in [1, 3] {
            let others = Others::new(room);
            let answer = solved(&job, &others);
            assert_eq!(bare(&answer), bare(&one), "{} with room for {room}", job.method.name());
            assert_claimed(&answer, &one);
            assert!(answer.method.arg("solved") != Some(&Arg::Count(4)), "{}", answer.method);
            assert!(others.put.get() >= least, "{} of {least} blocks", others.put.get());
            assert!(others.open.borrow().is_empty());
        }
    }
}

/// The swaps before and after the blocks are this process's own, and the blocks' claims are none of what they reach.
#[test]
fn who_solves_the_blocks_changes_nothing_of_what_is_swapped() {
    let count = NonZeroUsize::new(4).unwrap();
    let extent = Extent::Blocks(InBlocks { swap_first: true, ..count.into() });
    let options = ColumnGenerationOptions { extent, ..ColumnGenerationOptions::default() };
    let job = job(options.into(), Rule::at_least(3), Loss::Sse, 60, 0);
    let one = Answer { threads: 1, ..solve(&job, &Ctx::silent()).unwrap() };
    let answer = solved(&job, &Others::new(3));
    assert_eq!(bare(&answer), bare(&one));
    assert!(own_alone(&answer) && own_alone(&one) && answer.bound == one.bound);
    assert!(answer.claimed.unwrap().bound.is_none() && one.claimed.is_none());
}

#[test]
fn an_answer_that_is_none_is_not_taken() {
    let wrong = |number: u64, kept: Kept| match (number % 4, kept) {
        (0, Kept::Annealed(block)) => {
            let labels = vec![u32::MAX; block.labels.len()];
            Kept::Annealed(Annealed { labels, ..block })
        }
        // Every record in a class by itself.
        (1, Kept::Annealed(block)) => {
            let labels = (0..block.labels.len() as u32).collect();
            Kept::Annealed(Annealed { labels, ..block })
        }
        (2, Kept::Annealed(block)) => Kept::Annealed(Annealed { labels: Vec::new(), ..block }),
        (1, Kept::Solved(answer)) => Kept::Solved(Box::new(Answer { loss: 0.0, ..*answer })),
        (2, Kept::Solved(answer)) => Kept::Annealed(Annealed { labels: answer.labels, moves: 0 }),
        (_, kept) => kept,
    };
    for (job, _) in jobs() {
        let one = Answer { threads: 1, ..solve(&job, &Ctx::silent()).unwrap() };
        let others = Others { lies: Some(wrong), ..Others::new(6) };
        let answer = solved(&job, &others);
        assert_eq!(bare(&answer), bare(&one), "{}", job.method.name());
        assert_claimed(&answer, &one);
    }
}

#[test]
fn a_bound_that_somebody_claims_of_a_block_is_no_bound_of_the_whole() {
    let of_blocks = |(job, _): &(Job, usize)| matches!(job.method, Method::ColumnGeneration(_));
    let (job, _) = jobs().into_iter().find(of_blocks).unwrap();
    let forged = |_: u64, kept: Kept| match kept {
        Kept::Solved(answer) => {
            let bound = answer.bound.clone().map(|bound| Bound { value: answer.loss, ..bound });
            Kept::Solved(Box::new(Answer { bound, status: Status::Optimal, ..*answer }))
        }
        other => other,
    };
    let others = Others { lies: Some(forged), ..Others::new(2) };
    let answer = solved(&job, &others);
    assert!(own_alone(&answer) && answer.claimed.is_some());
    assert!(answer.bound.is_none_or(|bound| bound.value < answer.loss));
    assert!(answer.method.arg("solved") == Some(&Arg::Count(0)), "{}", answer.method);
}

#[test]
fn a_time_limit_keeps_blocks_here() {
    let (job, _) = jobs().swap_remove(0);
    let others = Others::new(5);
    // A clock that goes on whenever somebody looks at it.
    let now = Cell::new(0.0);
    let clock = || now.replace(now.get() + 0.01);
    let timed = Job { budget: Budget::Seconds(0.1), ..job };
    let _ = solve(&timed, &Ctx { checkpoint: Some(&others), clock: &clock, ..Ctx::silent() }).unwrap();
    assert_eq!(others.put.get(), 0);
}

#[test]
fn a_cancelled_search_has_what_came_back() {
    let (job, _) = jobs().swap_remove(0);
    let others = Others::new(2);
    let stop = || others.taken.get() >= 4;
    let ctx = Ctx { cancelled: &stop, checkpoint: Some(&others), ..Ctx::silent() };
    let answer = solve(&job, &ctx).unwrap();
    verify(&job, &answer).unwrap();
    assert_eq!(answer.status, Status::Cancelled);
    let start = Job { budget: Budget::Effort(0.0), ..job };
    assert!(answer.loss < solve(&start, &Ctx::silent()).unwrap().loss);
}

/// A block of four records in two classes.
fn part() -> AnnealBlock {
    AnnealBlock {
        dims: 1,
        points: vec![0.0, 10.0, 1.0, 11.0],
        colours: vec![0; 4],
        categories: Vec::new(),
        codes: Vec::new(),
        hierarchies: Vec::new(),
        steps: Vec::new(),
        ranks: vec![0],
        values: Vec::new(),
        rule: Rule::at_least(2),
        loss: Loss::Sse,
        start: vec![0, 0, 1, 1],
        work: Work::Anneal { effort: 2.0 },
        seed: 1,
    }
}

#[test]
fn a_block_is_solved_by_itself() {
    let kept = solve_block(&Block::Anneal(part()), &Ctx::silent()).unwrap().unwrap();
    let Kept::Annealed(annealed) = kept else { panic!("{kept:?}") };
    assert_eq!(annealed.labels, [0, 1, 0, 1], "{{0, 1}} and {{10, 11}}");
    // Leaves 0, 2, 1 and 3, where 0 and 1 are near, and 2 and 3.
    let leaves = AnnealBlock {
        points: vec![0.0, 1.0, 0.5, 1.5],
        hierarchies: vec![(0, 1.0, vec![1.0, 5.0, 1.0])],
        steps: vec![0.5],
        ..part()
    };
    let kept = solve_block(&Block::Anneal(leaves), &Ctx::silent()).unwrap().unwrap();
    let Kept::Annealed(annealed) = kept else { panic!("{kept:?}") };
    assert_eq!(annealed.labels, [0, 1, 0, 1], "{{0, 1}} and {{2, 3}}");
    let never = Ctx { cancelled: &|| true, ..Ctx::silent() };
    assert_eq!(solve_block(&Block::Anneal(part()), &never).unwrap(), None);
}

#[test]
fn numbers_that_are_no_block_are_refused() {
    let changes: [fn(&mut AnnealBlock); 19] = [
        |p| p.dims = 0,
        |p| p.dims = 3,
        |p| p.points.clear(),
        |p| p.points[2] = f64::NAN,
        |p| p.points[2] = 1e200,
        |p| p.points.push(1.0),
        |p| p.colours[1] = 2,
        |p| p.colours[1] = u32::MAX,
        |p| p.ranks.clear(),
        |p| p.codes.push(0),
        |p| p.categories.push((1, 0.5)),
        |p| p.steps.push(0.5),
        |p| p.hierarchies.push((0, 1.0, vec![1.0])),
        |p| p.start = vec![0, 1, 2, 3],
        |p| p.start[0] = u32::MAX,
        |p| p.start.truncate(3),
        |p| p.rule = Rule::at_least(1),
        |p| p.work = Work::Anneal { effort: -1.0 },
        |p| p.work = Work::Cool { temperatures: vec![f64::NAN], moves: 1, stream: 1 },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut part = part();
        change(&mut part);
        assert!(solve_block(&Block::Anneal(part), &Ctx::silent()).is_err(), "change {at}");
    }
}
