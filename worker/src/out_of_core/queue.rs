//! Who places row groups and solves blocks: the threads of this process, or others. Answers come in any order, and are taken
//! in the order of the tasks, so that what is written does not depend on who was faster.

use std::{cell::RefCell, collections::VecDeque};

use lookalike_core::out_of_core::solve_block;
use lookalike_model::{
    Ctx,
    block::Block,
    checkpoint::Queue,
    event::Elsewhere,
    kept::{Kept, Placed},
    sent::Sent,
};
use rayon::{
    ThreadPool,
    iter::{IntoParallelIterator as _, ParallelIterator as _},
};

use crate::{
    exit::{AfterStop, Failure},
    signals,
};

/// A queue, and what a run has to know of those behind it.
pub(super) trait Executor: Queue {
    /// Tasks that they are given at a time: enough for each to have one, and another one waiting.
    fn most(&self) -> usize;

    /// How far they are, where they are others.
    ///
    /// # Errors
    /// If they cannot go on.
    fn look(&self) -> Result<Option<Elsewhere>, Failure>;

    /// What was sent to them, where they are others.
    fn sent(&self) -> Option<Sent> {
        None
    }
}

/// The threads of this process.
pub(super) struct Here<'a> {
    pool: &'a ThreadPool,
    waiting: RefCell<Vec<(u64, Block)>>,
    done: RefCell<VecDeque<(u64, Kept)>>,
}

impl<'a> Here<'a> {
    pub(super) fn new(pool: &'a ThreadPool) -> Self {
        Self { pool, waiting: RefCell::default(), done: RefCell::default() }
    }
}

impl Queue for Here<'_> {
    fn room(&self) -> usize {
        self.most().saturating_sub(self.waiting.borrow().len())
    }

    fn put(&self, number: u64, task: Block) {
        self.waiting.borrow_mut().push((number, task));
    }

    fn take(&self) -> Option<(u64, Kept)> {
        let mut done = self.done.borrow_mut();
        if done.is_empty() {
            let waiting = std::mem::take(&mut *self.waiting.borrow_mut());
            // What cannot be done is no answer; whoever takes it does the task anew, and says what is wrong.
            let answer = |block| {
                let kept = solve_block(&block, &Ctx::silent()).ok().flatten();
                kept.unwrap_or_else(|| Kept::Placed(Placed::default()))
            };
            let solved: Vec<_> = self
                .pool
                .install(|| waiting.into_par_iter().map(|(number, block)| (number, answer(block))).collect());
            done.extend(solved);
        }
        done.pop_front()
    }
}

impl Executor for Here<'_> {
    fn most(&self) -> usize {
        self.pool.current_num_threads()
    }

    fn look(&self) -> Result<Option<Elsewhere>, Failure> {
        Ok(None)
    }
}

#[cfg(feature = "nats")]
impl Executor for crate::nats::RemoteQueue {
    fn most(&self) -> usize {
        let slots = Self::look(self).map_or(0, |progress| progress.workers);
        usize::try_from(2 * slots).unwrap_or(usize::MAX).max(4)
    }

    fn look(&self) -> Result<Option<Elsewhere>, Failure> {
        Self::look(self).map(Some)
    }

    fn sent(&self) -> Option<Sent> {
        Self::sent(self)
    }
}

/// Tasks that are under way, each with what belongs to it here.
pub(super) struct InOrder<'q, T> {
    executor: &'q dyn Executor,
    /// Most of them at a time.
    most: usize,
    open: VecDeque<(T, Option<Kept>)>,
    /// Number of the first of them.
    first: u64,
}

impl<'q, T> InOrder<'q, T> {
    /// Nothing is under way; never more than `most` are.
    pub(super) fn new(executor: &'q dyn Executor, most: usize) -> Self {
        Self { executor, most, open: VecDeque::new(), first: 0 }
    }

    /// Whether the first one must be taken back before another one is put.
    pub(super) fn is_full(&self) -> bool {
        !self.open.is_empty()
            && (self.open.len() >= self.most.min(self.executor.most()) || self.executor.room() == 0)
    }

    /// Puts a task on the queue.
    pub(super) fn put(&mut self, of: T, task: Block) {
        self.executor.put(self.first + self.open.len() as u64, task);
        self.open.push_back((of, None));
    }

    /// The first one that is under way, and its answer; `None` if there is none. `meanwhile` is called while it is waited for.
    ///
    /// # Errors
    /// If whoever is behind the queue cannot go on, and after a signal.
    pub(super) fn take(
        &mut self,
        meanwhile: &mut dyn FnMut(Option<Elsewhere>),
    ) -> Result<Option<(T, Kept)>, Failure> {
        loop {
            if self.open.front().is_none_or(|(_, answer)| answer.is_some()) {
                let first = self.open.pop_front().and_then(|(of, answer)| Some((of, answer?)));
                self.first += u64::from(first.is_some());
                return Ok(first);
            }
            if let Some(signal) = signals::caught() {
                return Err(Failure::interrupted(signal, AfterStop::Nothing));
            }
            meanwhile(self.executor.look()?);
            if let Some((number, kept)) = self.executor.take() {
                let place = number.checked_sub(self.first).and_then(|place| usize::try_from(place).ok());
                if let Some((_, answer)) = place.and_then(|place| self.open.get_mut(place)) {
                    *answer = Some(kept);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::block::{Node, Rows};
    use lookalike_words::Said;

    use super::*;

    /// Answers the last task first.
    #[derive(Default)]
    struct Backwards {
        open: RefCell<Vec<u64>>,
        failed: std::cell::Cell<bool>,
    }

    impl Queue for Backwards {
        fn room(&self) -> usize {
            3 - self.open.borrow().len()
        }

        fn put(&self, number: u64, _: Block) {
            assert!(self.room() > 0);
            self.open.borrow_mut().push(number);
        }

        fn take(&self) -> Option<(u64, Kept)> {
            let number = self.open.borrow_mut().pop()?;
            let leaves = vec![number as u32];
            Some((number, Kept::Placed(Placed { leaves, counts: Vec::new() })))
        }
    }

    impl Executor for Backwards {
        fn most(&self) -> usize {
            5
        }

        fn look(&self) -> Result<Option<Elsewhere>, Failure> {
            if self.failed.get() { Err(Failure::System(Said::verbatim("lost"))) } else { Ok(None) }
        }
    }

    fn rows(number: u64, colours: Vec<u32>) -> Block {
        let places = vec![0; colours.len()];
        Block::Rows(Rows { number, dims: 1, nodes: vec![Node::Leaf], places, colours })
    }

    #[test]
    fn answers_are_taken_in_the_order_of_the_tasks() {
        let executor = Backwards::default();
        let mut tasks = InOrder::new(&executor, 4);
        let mut found = Vec::new();
        for number in 0..20 {
            while tasks.is_full() {
                found.push(tasks.take(&mut |_| {}).unwrap().unwrap());
            }
            tasks.put(number, rows(number, vec![0]));
            assert!(tasks.open.len() <= 4);
        }
        found.extend(std::iter::from_fn(|| tasks.take(&mut |_| {}).unwrap()));
        assert_eq!(found.len(), 20);
        for (at, (number, kept)) in found.into_iter().enumerate() {
            assert_eq!(number, at as u64);
            assert_eq!(kept, Kept::Placed(Placed { leaves: vec![at as u32], counts: Vec::new() }));
        }
        tasks.put(20, rows(20, vec![0]));
        executor.failed.set(true);
        assert_eq!(tasks.take(&mut |_| {}).unwrap_err().code(), 4);
    }

    #[test]
    fn the_threads_here_answer_each_task_once() {
        let pool = crate::local::pool(Some(2)).unwrap();
        let here = Here::new(&pool);
        let mut tasks = InOrder::new(&here, 16);
        let mut found = Vec::new();
        for number in 0..9 {
            while tasks.is_full() {
                found.extend(tasks.take(&mut |_| {}).unwrap());
            }
            tasks.put((), rows(number, vec![number as u32; 3]));
        }
        found.extend(std::iter::from_fn(|| tasks.take(&mut |_| {}).unwrap()));
        let colours: Vec<u32> = found
            .iter()
            .map(|((), kept)| match kept {
                Kept::Placed(placed) => placed.counts[0].1,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(colours, (0..9).collect::<Vec<u32>>());
    }
}
