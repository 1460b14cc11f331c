//! Liang 2020: "Optimization-based k-anonymity algorithms" (its section 4 and appendices D and F).

mod cell;
mod freeform;
mod large;
mod small;
mod split;
mod table;

use std::path::Path;

use crate::Experiment;

/// All experiments of the paper.
#[must_use]
pub fn experiments(data: &Path) -> Vec<Experiment> {
    let mut all = small::experiments(data);
    all.push(split::experiment(data));
    all.push(freeform::experiment(data));
    all.extend(large::experiments(data));
    all
}
