//! One table, one k, one method.

use anyhow::{Context, Result};
use lookalike_core::{pipeline::prepare, table::Table};
use lookalike_model::{
    Ctx,
    job::Job,
    settings::{Budget, CarryOptions, Construction, MethodName, Settings, SortOrder},
};
use serde_json::{Map, Value, json};

use crate::bounded::{self, Bounded};

/// How the attributes count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinds {
    /// All as numbers.
    Numbers,
    /// As numbers, but for those of the paper's Table 3 that are categories.
    Mixed,
}

/// Attributes that the paper's Table 3 calls categories.
const CATEGORIES: [&str; 6] = ["SEX", "MAR", "RAC1P", "CIT", "COW", "OCCP"];

/// The job of a table under NCP with equal weights.
pub(super) fn job(table: &Table, kinds: Kinds, k: usize) -> Result<Job> {
    let kind = |name: &str| {
        let category = kinds == Kinds::Mixed && CATEGORIES.contains(&name);
        Value::from(if category { "category" } else { "number" })
    };
    let names: Vec<&String> = table.columns.iter().map(|c| &c.name).collect();
    let kinds: Map<String, Value> = names.iter().map(|name| ((*name).clone(), kind(name))).collect();
    let settings: Settings = serde_json::from_value(json!({
        "quasi": names,
        "sensitive": null,
        "kinds": kinds,
        "model": { "name": "k-anonymity", "k": k },
        "loss": "ncp",
        "seed": 1,
    }))
    .context("the settings do not fit")?;
    Ok(prepare(table, &settings, &Ctx::silent())?.job().clone())
}

/// A construction by its name.
pub(super) fn construction(job: &Job, method: MethodName) -> Result<Bounded> {
    bounded::run(&Job { method: method.into(), budget: Budget::Effort(0.0), ..job.clone() })
}

/// Split & Carry with these options.
pub(super) fn split_and_carry(job: &Job, carry: CarryOptions) -> Result<Bounded> {
    let method = Construction::SplitAndCarry(SortOrder::default(), carry).into();
    bounded::run(&Job { method, budget: Budget::Effort(0.0), ..job.clone() })
}

/// A search within a budget; seconds are CPU seconds, all threads together.
pub(super) fn search(job: &Job, method: MethodName, budget: Budget) -> Result<Bounded> {
    bounded::run(&Job { method: method.into(), budget, ..job.clone() })
}

/// The mean over the records of their certainty penalty, in per cent of the largest possible.
pub(super) fn penalty(job: &Job, loss: f64) -> String {
    format!("{:.4}", 100.0 * loss / job.colours.len() as f64)
}
