//! Blocks one after another, step by step: where there is one thread, and where a clock steers the search, which threads cannot
//! ask.

use std::cell::{Cell, RefCell};

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

/// A block that is being solved.
pub(super) struct Stepped<L: Priceable> {
    number: u64,
    search: ColumnGeneration<L>,
    began: f64,
}

impl<L: Priceable> Stepped<L> {
    /// What the block has reached, and which it is.
    pub(super) fn leave(mut self) -> (usize, Answer) {
        (self.number as usize, self.search.finish())
    }
}

/// Solves one block at a time, for as long as a step lasts.
pub(super) struct OneByOne<'a, L: Priceable> {
    loss: L,
    rule: Rule,
    params: AllParams,
    ctx: &'a Ctx<'a>,
    current: RefCell<Option<Stepped<L>>>,
    failed: Cell<Option<Error>>,
}

impl<'a, L: Priceable> OneByOne<'a, L> {
    /// Goes on with a block.
    pub(super) fn new(
        loss: L,
        rule: Rule,
        params: AllParams,
        ctx: &'a Ctx<'a>,
        current: Option<Stepped<L>>,
    ) -> Self {
        Self { loss, rule, params, ctx, current: RefCell::new(current), failed: Cell::new(None) }
    }

    /// The block that is being solved.
    ///
    /// # Errors
    /// Whatever a search has said.
    pub(super) fn leave(self) -> Result<Option<Stepped<L>>, Error> {
        match self.failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(self.current.into_inner()),
        }
    }
}

impl<L: Priceable> Queue<Job> for OneByOne<'_, L> {
    fn room(&self) -> usize {
        usize::from(self.current.borrow().is_none())
    }

    fn put(&self, number: u64, task: Job) {
        let began = (self.ctx.clock)();
        match column_generation(&task, self.loss, self.rule.clone(), &self.params) {
            Ok(search) => *self.current.borrow_mut() = Some(Stepped { number, search, began }),
            Err(error) => self.failed.set(Some(error)),
        }
    }

    fn take(&self) -> Option<(u64, Kept)> {
        let mut current = self.current.borrow_mut();
        let stepped = current.as_mut()?;
        let quiet = Ctx { progress: &|_| {}, ..*self.ctx };
        match stepped.search.step(&quiet, stepped.began) {
            Ok(false) => None,
            Ok(true) => {
                let answer = stepped.search.finish();
                let number = stepped.number;
                *current = None;
                Some((number, Kept::Solved(Box::new(answer))))
            }
            Err(error) => {
                self.failed.set(Some(error));
                None
            }
        }
    }
}
