//! Tobar 2023: "A New Mathematical Optimization-Based Method for the m-Invariance Problem" (its section VI).

mod tables;
mod whole;

use std::path::Path;

use anyhow::Result;

use crate::{Experiment, sample::Sample};

/// What the paper samples from.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    name: &'static str,
    file: &'static str,
    /// Quasi-identifiers, and whether each is a number.
    quasi: [(&'static str, bool); 3],
    sensitive: &'static str,
    size: usize,
}

/// The paper's sample of Adult.
const ADULT: Source = Source {
    name: "adult",
    file: "adult-train.csv",
    quasi: [("age", true), ("sex", false), ("education-num", true)],
    sensitive: "occupation",
    size: 1500,
};

/// In place of the paper's IPUMS extract.
const ACS: Source = Source {
    name: "acs",
    file: "acs.csv",
    quasi: [("AGEP", true), ("SEX", true), ("SCHL", true)],
    sensitive: "OCCP",
    size: 1000,
};

/// The paper's class sizes.
const SIZES: [usize; 3] = [3, 5, 7];

impl Source {
    /// The sample of a seed; feasible for all class sizes.
    fn sample(&self, data: &Path, seed: u64) -> Result<Sample> {
        Sample::coloured(data, self.file, &self.quasi, self.sensitive, (self.size, SIZES[2]), seed)
    }
}

/// All experiments of the paper.
#[must_use]
pub fn experiments(data: &Path) -> Vec<Experiment> {
    vec![tables::experiment(&ADULT, data), tables::experiment(&ACS, data), whole::experiment(data)]
}
