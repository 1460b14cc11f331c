//! Public tools beside ours: the same tables, the classes of all judged by the audit.

mod anjana;
pub(crate) mod environment;
mod exact;
mod figures;
pub(crate) mod instance;
mod measure;
mod ours;
mod side;
mod tool;

use std::path::Path;

use crate::Experiment;
pub use environment::prepare;

/// CPU seconds that a tool may take for one table.
const SECONDS: u32 = 60;

/// Memory that a tool may take.
const GIGABYTES: u64 = 8;

/// All comparisons.
///
/// Data are read when a row asks for them.
#[must_use]
pub fn experiments(data: &Path) -> Vec<Experiment> {
    vec![
        side::small(data),
        exact::experiment(data),
        figures::experiment(data),
        side::large(data),
        anjana::experiment(data),
    ]
}

/// CPU seconds as the tables show them.
fn seconds(x: f64) -> String {
    format!("{x:.3}")
}
