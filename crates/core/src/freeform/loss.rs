//! What rows of their own lose, from scratch.

use lookalike_model::freeform::Freeform;

use crate::{instance::Instance, loss::Loss};

/// The records that each row covers, ascending.
pub(crate) fn covered(freeform: &Freeform) -> Vec<Vec<u32>> {
    let mut covered: Vec<Vec<u32>> = vec![Vec::new(); freeform.matchings.first().map_or(0, Vec::len)];
    for matching in &freeform.matchings {
        for (record, &row) in (0..).zip(matching) {
            covered[row as usize].push(record);
        }
    }
    for records in &mut covered {
        records.sort_unstable();
    }
    covered
}

/// The loss: that of each row's records as a class, in the mean of these. Where rows make classes of k records that cover
/// each other it is the loss of the classes.
pub(crate) fn loss(instance: &Instance, loss: &impl Loss, covered: &[Vec<u32>]) -> f64 {
    covered.iter().map(|records| loss.class(instance, records) / records.len().max(1) as f64).sum()
}
