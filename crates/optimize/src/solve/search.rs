//! A search as [`Solve`](super::Solve) sees it.

use std::sync::Arc;

use lookalike_model::{Ctx, job::Answer};

use crate::{
    Error,
    exact::{self, ColumnGeneration, measure::Priceable},
};

/// The parameters of a search, and what of them differs from the defaults, by name.
#[derive(Clone, Default)]
pub(super) struct Chosen {
    pub(super) exact: Arc<exact::Params>,
    pub(super) changes: Vec<(String, String)>,
}

/// What [`Solve`](super::Solve) needs of a search, loss and rule forgotten.
pub(super) trait Search {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error>;
    fn finish(&mut self) -> Answer;
}

impl<L: Priceable> Search for ColumnGeneration<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        ColumnGeneration::step(self, ctx, started)
    }

    fn finish(&mut self) -> Answer {
        ColumnGeneration::finish(self)
    }
}
