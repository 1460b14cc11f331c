//! Public tools beside ours: the same tables, the classes of all judged by the audit.

mod environment;
mod exact;
mod figures;
mod instance;
mod measure;
mod ours;
mod side;
mod tool;

use std::path::Path;

use anyhow::Result;

use crate::Experiment;
pub use environment::prepare;

/// CPU seconds that a tool may take for one table.
const SECONDS: u32 = 60;

/// Memory that a tool may take.
const GIGABYTES: u64 = 8;

/// All comparisons.
///
/// # Errors
/// None so far: data are read when a row asks for them.
pub fn experiments(data: &Path) -> Result<Vec<Experiment>> {
    Ok(vec![side::experiment(data), exact::experiment(data), figures::experiment(data)])
}

/// CPU seconds as the tables show them.
fn seconds(x: f64) -> String {
    format!("{x:.3}")
}
