//! Blocks side by side, one on each thread of the pool, step by step, so that a host can listen in between.
//!
//! A solver's model cannot move from thread to thread, so a block stays on the thread that has begun it. Threads take the next
//! block as they become free: which one solves which hangs on the machine, what it finds does not.

use std::{
    any::Any,
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use lookalike_model::{
    Ctx,
    checkpoint::Queue,
    job::{Answer, Job},
    kept::Kept,
    rule::Rule,
};

use crate::{
    Error,
    exact::{AllParams, ColumnGeneration, column_generation, loss::Priceable},
};

/// Searches of this process, so that each finds its own blocks again.
static SEARCHES: AtomicU64 = AtomicU64::new(0);

/// Steps of a block before all threads meet: of some ten milliseconds at the most, and often less.
const STEPS: usize = 8;

thread_local! {
    /// The block of each search that this thread solves.
    static HELD: RefCell<BTreeMap<u64, Box<dyn Any>>> = const { RefCell::new(BTreeMap::new()) };
}

/// A block that a thread solves.
struct Held<L: Priceable> {
    number: u64,
    search: ColumnGeneration<L>,
}

/// Blocks of one search on the threads of this process.
pub(super) struct SideBySide<L: Priceable> {
    search: u64,
    loss: L,
    rule: Rule,
    params: AllParams,
    shared: Arc<Mutex<Shared>>,
}

/// What all threads have in common.
#[derive(Default)]
struct Shared {
    /// Taken and not begun.
    waiting: VecDeque<(u64, Job)>,
    /// Being solved.
    open: usize,
    done: VecDeque<(u64, Answer)>,
    failed: Option<Error>,
}

impl<L: Priceable> SideBySide<L> {
    pub(super) fn new(loss: L, rule: Rule, params: AllParams) -> Self {
        let search = SEARCHES.fetch_add(1, Ordering::Relaxed);
        Self { search, loss, rule, params, shared: Arc::default() }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // What is in it is whole between any two statements.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no block is left with its threads, begun or not, or waits to be taken back.
    pub(super) fn is_idle(&self) -> bool {
        let shared = self.shared();
        shared.open == 0 && shared.waiting.is_empty() && shared.done.is_empty()
    }

    /// Why a search has failed, if one has.
    pub(super) fn failure(&self) -> Option<Error> {
        self.shared().failed.take()
    }

    /// Every thread goes some steps in its block, or begins one.
    fn advance(&self) {
        rayon::broadcast(|_| {
            for _ in 0..STEPS {
                let Some(mut held) = self.held().or_else(|| self.begin()) else { return };
                match held.search.step(&Ctx::silent(), 0.0) {
                    Ok(false) => HELD.with_borrow_mut(|of| {
                        of.insert(self.search, Box::new(held));
                    }),
                    Ok(true) => {
                        let answer = held.search.finish();
                        let mut shared = self.shared();
                        shared.open -= 1;
                        shared.done.push_back((held.number, answer));
                    }
                    Err(error) => self.fail(error),
                }
            }
        });
    }

    /// A block that is open has failed.
    fn fail(&self, error: Error) {
        let mut shared = self.shared();
        shared.open -= 1;
        shared.failed.get_or_insert(error);
    }

    /// The block of this thread, if it has one.
    fn held(&self) -> Option<Held<L>> {
        let held = HELD.with_borrow_mut(|of| of.remove(&self.search))?;
        held.downcast().ok().map(|held| *held)
    }

    /// The next block that waits.
    fn begin(&self) -> Option<Held<L>> {
        let (number, job) = {
            let mut shared = self.shared();
            let next = shared.waiting.pop_front()?;
            shared.open += 1;
            next
        };
        match column_generation(&job, self.loss, self.rule.clone(), &self.params) {
            Ok(search) => Some(Held { number, search }),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Ends all blocks; what they have reached, with their numbers.
    pub(super) fn leave(self) -> Vec<(usize, Answer)> {
        let left: Vec<Option<(u64, Answer)>> = rayon::broadcast(|_| {
            let mut held = self.held()?;
            Some((held.number, held.search.finish()))
        });
        let done = std::mem::take(&mut self.shared().done);
        left.into_iter().flatten().chain(done).map(|(number, answer)| (number as usize, answer)).collect()
    }
}

impl<L: Priceable> Queue<Job> for SideBySide<L> {
    fn room(&self) -> usize {
        let shared = self.shared();
        // One in advance for each thread, so that none waits for the others where its block has ended.
        (2 * rayon::current_num_threads()).saturating_sub(shared.open + shared.waiting.len())
    }

    fn put(&self, number: u64, task: Job) {
        self.shared().waiting.push_back((number, task));
    }

    fn take(&self) -> Option<(u64, Kept)> {
        if self.shared().done.is_empty() {
            self.advance();
        }
        let (number, answer) = self.shared().done.pop_front()?;
        Some((number, Kept::Solved(Box::new(answer))))
    }
}
