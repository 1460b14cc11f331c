//! Tobar 2024: "m-Eligibility With Minimum Counterfeits and Deletions" (its section IV), and what it leaves open.

mod accuracy;
mod changes;
mod excess;
mod later;
mod random;

use std::{path::Path, rc::Rc};

use anyhow::Result;

use crate::{Experiment, adult};

/// Seeds of every average.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// All experiments of the paper.
///
/// # Errors
/// If the data cannot be read.
pub fn experiments(data: &Path) -> Result<Vec<Experiment>> {
    let train = Rc::new(adult::read_attributes(data, &["adult-train.csv"])?);
    let all = Rc::new(adult::read_attributes(data, &["adult-train.csv", "adult-test.csv"])?);
    Ok(vec![
        changes::experiment(&train),
        excess::experiment(),
        random::experiment(&train),
        later::experiment(&all),
        accuracy::experiment(&train),
    ])
}

/// A number as the tables show it.
fn decimal(x: f64, digits: usize) -> String {
    format!("{x:.digits$}")
}
