//! Castro 2022: "An algorithm for the microaggregation problem using column generation" (its section 6).

mod files;
mod subsets;

use std::path::Path;

use crate::Experiment;

/// The paper's class sizes.
const SIZES: [usize; 3] = [3, 4, 5];

/// All experiments of the paper.
#[must_use]
pub fn experiments(data: &Path) -> Vec<Experiment> {
    let mut all = subsets::experiments(data);
    all.push(files::experiment(data));
    all
}
