//! The whole way: table -> instance -> partition -> release -> verdict.

use lookalike_model::settings::Settings;
use lookalike_table::Table;

use crate::{Ctx, Error, solve::solve};
pub use crate::{
    prepare::{Prepared, prepare, prepare_unconfirmed},
    release::{Outcome, finish},
};

/// The whole way, solved here.
///
/// # Errors
/// As [`prepare`], [`solve`] and [`finish`].
pub fn anonymize(table: &Table, settings: &Settings, ctx: &Ctx) -> Result<Outcome, Error> {
    let prepared = prepare(table, settings, ctx)?;
    let answer = solve(prepared.job(), ctx)?;
    finish(table, &prepared, &answer, ctx)
}
