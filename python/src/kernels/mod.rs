//! Runs out of core taken apart, for engines that hold the rows: each step is a function of Arrow batches and of what the step before
//! left, which is bytes. What an engine sends to its workers is pickled as these bytes.
//!
//! `Opening` (settings and the first rows) surveys; `Plan` (with the cuts) counts; `Blocks` (with the counts) places, solves,
//! publishes and judges. All three are made anew from their bytes wherever they arrive, by the code of runs on one machine.

mod blocks;
mod opening;
mod plan;

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

pub(crate) use blocks::Blocks;
pub(crate) use opening::Opening;
pub(crate) use plan::Plan;

/// Adds the classes.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Opening>()?;
    module.add_class::<Plan>()?;
    module.add_class::<Blocks>()
}

/// What one thread uses at a time. A kernel that failed halfway leaves counts behind, which the next one clears.
fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
