//! The whole way: table -> instance -> partition -> release -> verdict.

#[cfg(feature = "optimize")]
use {
    crate::Error,
    lookalike_model::{Ctx, settings::Settings},
    lookalike_optimize::solve::solve,
    lookalike_table::Table,
};

pub use crate::{
    prepare::{Prepared, prepare, prepare_unconfirmed},
    release::{Outcome, finish},
};

/// The whole way, solved here.
///
/// # Errors
/// As [`prepare`], [`solve`] and [`finish`].
#[cfg(feature = "optimize")]
pub fn anonymize(table: &Table, settings: &Settings, ctx: &Ctx) -> Result<Outcome, Error> {
    let prepared = prepare(table, settings, ctx)?;
    let answer = solve(prepared.job(), ctx)?;
    finish(table, &prepared, &answer, ctx)
}
