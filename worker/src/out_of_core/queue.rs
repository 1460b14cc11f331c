//! Who solves blocks, where others do. Answers come in any order, and are taken in the order of the tasks, so that what is written
//! does not depend on who was faster.

use std::collections::VecDeque;

use lookalike_model::{block::Block, checkpoint::Queue, event::Elsewhere, kept::Kept, sent::Sent};

use crate::{
    exit::{AfterStop, Failure},
    signals,
};

/// A queue, and what a run has to know of those behind it.
pub(super) trait Executor: Queue {
    /// Tasks that they are given at a time: enough for each to have one, and another one waiting.
    fn most(&self) -> usize;

    /// How far they are.
    ///
    /// # Errors
    /// If they cannot go on.
    fn look(&self) -> Result<Elsewhere, Failure>;

    /// What was sent to them so far; `None` before anything was.
    fn sent(&self) -> Option<Sent>;
}

#[cfg(feature = "nats")]
impl Executor for crate::nats::RemoteQueue {
    fn most(&self) -> usize {
        let slots = Self::look(self).map_or(0, |progress| progress.workers);
        usize::try_from(2 * slots).unwrap_or(usize::MAX).max(4)
    }

    fn look(&self) -> Result<Elsewhere, Failure> {
        Self::look(self)
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
        meanwhile: &mut dyn FnMut(Elsewhere),
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
    use std::cell::{Cell, RefCell};

    use lookalike_model::{
        block::{AnnealBlock, Work},
        kept::Annealed,
        rule::Rule,
        settings::Loss,
    };
    use lookalike_words::Said;

    use super::*;

    /// Answers the last task first.
    #[derive(Default)]
    struct Backwards {
        open: RefCell<Vec<u64>>,
        failed: Cell<bool>,
    }

    /// An answer that says whose it is.
    fn answer(number: u64) -> Kept {
        Kept::Annealed(Annealed { labels: Vec::new(), moves: number })
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
            Some((number, answer(number)))
        }
    }

    impl Executor for Backwards {
        fn most(&self) -> usize {
            5
        }

        fn look(&self) -> Result<Elsewhere, Failure> {
            if self.failed.get() {
                Err(Failure::System(Said::verbatim("lost")))
            } else {
                Ok(Elsewhere::default())
            }
        }

        fn sent(&self) -> Option<Sent> {
            None
        }
    }

    fn task() -> Block {
        Block::Anneal(AnnealBlock {
            dims: 1,
            points: vec![0.0],
            colours: vec![0],
            categories: Vec::new(),
            codes: Vec::new(),
            hierarchies: Vec::new(),
            steps: Vec::new(),
            ranks: vec![0],
            values: Vec::new(),
            rule: Rule::at_least(1),
            loss: Loss::Sse,
            start: vec![0],
            work: Work::Anneal { effort: 0.0 },
            seed: 1,
        })
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
            tasks.put(number, task());
            assert!(tasks.open.len() <= 4);
        }
        found.extend(std::iter::from_fn(|| tasks.take(&mut |_| {}).unwrap()));
        assert_eq!(found.len(), 20);
        for (at, (number, kept)) in (0_u64..).zip(found) {
            assert_eq!((number, kept), (at, answer(at)));
        }
        tasks.put(20, task());
        executor.failed.set(true);
        assert_eq!(tasks.take(&mut |_| {}).unwrap_err().code(), 4);
    }
}
