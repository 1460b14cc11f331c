//! A search as [`Solve`](super::Solve) sees it.

use std::sync::Arc;

use lookalike_model::{Ctx, job::Answer};

use super::Params;
use crate::{
    Error,
    exact::{self, ColumnGeneration, loss::Priceable},
    local,
    params::Parameters as _,
    programme::Programme,
};

/// The parameters of a search, and what of them differs from the defaults, by name.
#[derive(Clone, Default)]
pub(super) struct Chosen {
    pub(super) params: Arc<Params>,
    /// Those of local search and of column generation, which keep them.
    pub(super) local: Arc<local::Params>,
    pub(super) exact: Arc<exact::Params>,
    pub(super) changes: Vec<(String, String)>,
}

impl Chosen {
    pub(super) fn new(params: &Params) -> Self {
        Self {
            params: Arc::new(params.clone()),
            local: Arc::new(params.local.clone()),
            exact: Arc::new(params.exact.clone()),
            changes: params.changes(),
        }
    }
}

/// What [`Solve`](super::Solve) needs of a search, loss and rule forgotten.
pub(super) trait Search {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error>;
    fn finish(&mut self) -> Answer;
}

impl<L: Priceable> Search for Programme<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        Ok(Programme::step(self, ctx, started))
    }

    fn finish(&mut self) -> Answer {
        Programme::finish(self)
    }
}

impl<L: Priceable> Search for ColumnGeneration<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        ColumnGeneration::step(self, ctx, started)
    }

    fn finish(&mut self) -> Answer {
        ColumnGeneration::finish(self)
    }
}
