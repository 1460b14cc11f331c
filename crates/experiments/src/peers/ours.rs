//! Our own answers.

use anyhow::{Context, Result};
use lookalike_core::{
    pipeline::{Prepared, finish, prepare},
    table::Table,
};
use lookalike_model::{
    Ctx,
    settings::{Loss, MethodName, Settings},
};
use lookalike_optimize::solve::solve;

use crate::cpu::timed;

/// Effort of searches: the default.
const EFFORT: f64 = 5.0;

/// An answer of ours.
pub(super) struct Solved {
    /// `classes.csv`.
    pub(super) classes: Vec<u8>,
    /// User CPU seconds of the search alone, all threads together.
    pub(super) seconds: f64,
}

/// Prepares a table of numbers whose columns are all quasi-identifiers.
fn job(table: &Table, k: usize, method: MethodName, loss: Loss) -> Result<Prepared> {
    let quasi: Vec<&String> = table.columns.iter().map(|column| &column.name).collect();
    let kinds: serde_json::Map<_, _> = quasi.iter().map(|name| ((*name).clone(), "number".into())).collect();
    let settings: Settings = serde_json::from_value(serde_json::json!({
        "quasi": quasi,
        "sensitive": null,
        "kinds": kinds,
        "model": { "name": "k-anonymity", "k": k },
        "method": method,
        "loss": loss,
        "budget": { "effort": EFFORT },
        "seed": 1,
    }))
    .context("the settings do not fit")?;
    Ok(prepare(table, &settings, &Ctx::silent())?)
}

/// Solves and takes the time of it.
pub(super) fn run(table: &Table, k: usize, method: MethodName, loss: Loss) -> Result<Solved> {
    let prepared = job(table, k, method, loss)?;
    let ctx = Ctx::silent();
    let (answer, seconds) = timed(|| Ok(solve(prepared.job(), &ctx)?))?;
    let classes = finish(table, &prepared, &answer, &ctx)?.classes;
    Ok(Solved { classes, seconds })
}
