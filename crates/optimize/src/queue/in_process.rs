//! The queue of one process: a few blocks side by side on its threads, slice by slice, so that a host can listen in between.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    sync::Arc,
};

use lookalike_model::{
    checkpoint::Queue,
    kept::{Annealed, Kept},
    loss::Loss,
    rule::Rule,
};
use rayon::prelude::*;

use super::{Classes, run::Run};
use crate::local::{Params, schedule::Annealing};

/// Blocks that are solved side by side: enough for a few threads, few enough for a host that listens.
pub(crate) const AT_ONCE: usize = 4;

/// Blocks of one search that this process solves.
pub(crate) struct Here<L: Loss> {
    loss: L,
    rule: Rule,
    params: Arc<Params>,
    /// Taken and not begun.
    waiting: RefCell<Vec<(u64, Classes)>>,
    open: RefCell<VecDeque<Open<L>>>,
    /// Seconds since the run began: now, and when those that are open were opened.
    now: Cell<f64>,
    opened: Cell<f64>,
}

/// A block that is being solved.
struct Open<L: Loss> {
    number: u64,
    run: Run<L>,
    done: bool,
}

impl<L: Loss> Here<L> {
    pub(crate) fn new(loss: L, rule: Rule, params: &Arc<Params>) -> Self {
        let (waiting, open) = (RefCell::default(), RefCell::default());
        Self {
            loss,
            rule,
            params: Arc::clone(params),
            waiting,
            open,
            now: Cell::new(0.0),
            opened: Cell::new(0.0),
        }
    }

    /// Says what time it is, for blocks with a limit.
    pub(crate) fn at(&self, elapsed: f64) {
        self.now.set(elapsed);
    }

    /// Moves made in the blocks that are open.
    pub(crate) fn moves(&self) -> u64 {
        self.open.borrow().iter().map(|open| open.run.moves()).sum()
    }

    /// The best that the open blocks have, by their numbers.
    pub(crate) fn best(&self) -> Vec<(u64, Annealed)> {
        self.open.borrow().iter().map(|open| (open.number, open.run.best())).collect()
    }

    /// Nothing of what is under way is wanted any more.
    pub(crate) fn clear(&self) {
        self.waiting.borrow_mut().clear();
        self.open.borrow_mut().clear();
    }

    /// What there is to say of whole annealings that are under way, by their numbers.
    pub(crate) fn annealings<T>(&self, say: impl Fn(&Annealing<L>) -> T) -> Vec<(u64, T)> {
        let open = self.open.borrow();
        open.iter().filter_map(|open| Some((open.number, say(open.run.annealing()?)))).collect()
    }
}

impl<L: Loss> Queue<Classes> for Here<L> {
    /// Those that run side by side begin and end together.
    fn room(&self) -> usize {
        if self.open.borrow().is_empty() { AT_ONCE.saturating_sub(self.waiting.borrow().len()) } else { 0 }
    }

    fn put(&self, number: u64, task: Classes) {
        self.waiting.borrow_mut().push((number, task));
    }

    fn take(&self) -> Option<(u64, Kept)> {
        let mut open = self.open.borrow_mut();
        let all_done = |open: &VecDeque<Open<L>>| open.iter().all(|open| open.done);
        if open.is_empty() {
            self.opened.set(self.now.get());
            let waiting = std::mem::take(&mut *self.waiting.borrow_mut());
            let (loss, rule, params) = (self.loss, &self.rule, &self.params);
            let opened: Vec<_> = waiting
                .into_par_iter()
                .map(|(number, task)| Open { number, run: Run::new(&task, loss, rule, params), done: false })
                .collect();
            open.extend(opened);
        }
        if !all_done(&open) {
            let since = self.now.get() - self.opened.get();
            open.par_iter_mut()
                .filter(|open| !open.done)
                .for_each(|open| open.done = open.run.advance(since));
            if !all_done(&open) {
                return None;
            }
        }
        let done = open.pop_front()?;
        Some((done.number, Kept::Annealed(done.run.end())))
    }
}
