//! The papers' tables and figures, computed again.
//!
//! An [`Experiment`] is a table of rows that can be computed one by one. [`run`] computes all of them, resuming from the
//! rows that an interrupted run has left, and writes Markdown and plots; [`check`] computes one row of each experiment
//! and compares it with what was written.
#![forbid(unsafe_code)]

mod adult;
pub mod anonymeter;
pub mod anonymity;
mod bounded;
pub mod bounds;
mod cells;
mod check;
mod cpu;
pub mod eligibility;
pub mod invariance;
pub mod league;
pub mod levels;
pub mod microaggregation;
pub mod parameters;
pub mod peers;
mod plot;
mod program;
pub mod published;
pub mod pycanon;
pub mod republication;
mod sample;
mod tables;
mod write;

pub use check::check;
pub use write::run;

use std::path::Path;

use anyhow::Result;

/// What a row of a table is computed by.
type Compute = Box<dyn Fn() -> Result<Vec<String>>>;

/// One row of a table: its key is published in the first columns, the rest is computed.
pub struct Row {
    key: Vec<String>,
    compute: Compute,
}

/// A plot made of a finished table: file name and SVG.
type Plots = Box<dyn Fn(&[Vec<String>]) -> Vec<(String, String)>>;

/// Means over rows: those that agree in the columns `by`; of the columns `of` numbers are averaged (with their count, if some
/// cells are none) and `yes` is counted; other text stands for itself.
struct Means {
    by: Vec<usize>,
    of: Vec<usize>,
}

/// A table of a paper, computed again.
pub struct Experiment {
    /// Short name: `fig2`.
    id: &'static str,
    /// Headline of the table.
    title: String,
    /// What the columns mean, and how the numbers came about.
    about: String,
    /// Names of all columns, key columns first. Columns whose names begin with "CPU" hold times, which [`check`] does
    /// not compare.
    header: Vec<&'static str>,
    rows: Vec<Row>,
    /// Rows that [`check`] computes again: cheap, and not trivial. None if no row can be computed without a network.
    checked: Vec<usize>,
    /// Means over rows, as a table before that of all rows.
    means: Option<Means>,
    plots: Plots,
}

/// The names of all series.
pub const SERIES: [&str; 7] =
    ["eligibility", "peers", "invariance", "microaggregation", "k-anonymity", "republication", "bounds"];

/// The experiments of a series by its name, on the data in `data`.
///
/// # Errors
/// If the series is unknown or the data cannot be read.
pub fn series(name: &str, data: &Path) -> Result<Vec<Experiment>> {
    match name {
        "eligibility" => eligibility::experiments(data),
        "peers" => Ok(peers::experiments(data)),
        "invariance" => Ok(invariance::experiments(data)),
        "microaggregation" => Ok(microaggregation::experiments(data)),
        "republication" => republication::experiments(data),
        "bounds" => Ok(bounds::experiments(data)),
        "k-anonymity" => Ok(anonymity::experiments(data)),
        // Not among the written ones: its results are not kept.
        "levels" => Ok(levels::experiments(data)),
        _ => anyhow::bail!("unknown series {name:?}; there are: {}", SERIES.join(", ")),
    }
}
